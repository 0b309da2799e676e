//! A verification ↔ its wire type.

use jury_wire::v1::record as wire;

use super::{domain, line_from_wire, line_to_wire, path, refused, severity, token};
use crate::model::{Became, Status};
use crate::record::{NewFinding, Recheck, RecordError, RecordId, Verification};

pub(super) fn to_wire(verification: &Verification) -> wire::Verification {
    let checked = |recheck: &Recheck| wire::Rechecked {
        id: recheck.id.clone(),
        status: recheck.status().token().to_owned(),
        why: recheck.became.why().map(str::to_owned),
        at: recheck.became.place().map(line_to_wire),
        place: None,
    };
    let new = |new: &NewFinding| wire::NewFinding {
        domain: new.domain.to_string(),
        severity: new.severity.word().to_owned(),
        title: new.title.clone(),
        at: new.place.as_ref().map(line_to_wire),
        place: None,
    };
    wire::Verification {
        of: verification.of.to_string(),
        statuses: verification.statuses.iter().map(ToString::to_string).collect(),
        changed: verification.changed.iter().map(ToString::to_string).collect(),
        untested: verification.untested.iter().map(ToString::to_string).collect(),
        checked: verification.checked.iter().map(checked).collect(),
        new: verification.new.iter().map(new).collect(),
        beyond: verification.beyond.clone(),
        gaps: verification.gaps.clone(),
    }
}

pub(super) fn from_wire(verification: wire::Verification) -> Result<Verification, RecordError> {
    const MEMBER: &str = "verification";
    let unnamed = || refused(MEMBER, "it names no review".to_owned());
    let paths = |paths: &[String]| paths.iter().map(|text| path(MEMBER, text)).collect::<Result<_, _>>();
    let statuses = verification.statuses.iter().map(|status| token(MEMBER, status, Status::from_token));
    let checked = |checked: wire::Rechecked| {
        let place = checked.at.map(line_from_wire).transpose()?;
        let became = match (token(MEMBER, &checked.status, Status::from_token)?, checked.why) {
            (Status::Verified, None) => Became::Verified,
            (Status::Reopened, Some(why)) => Became::Reopened { why, place },
            (Status::Fixed, Some(why)) => Became::Unknown { why },
            (status, _) => return Err(refused(MEMBER, format!("invalid status {status} of a verification"))),
        };
        Ok(Recheck { id: checked.id, became })
    };
    let new = |new: wire::NewFinding| {
        Ok(NewFinding {
            domain: domain(MEMBER, &new.domain)?,
            severity: severity(MEMBER, &new.severity)?,
            title: new.title,
            place: new.at.map(line_from_wire).transpose()?,
        })
    };
    Ok(Verification {
        of: RecordId::new(&verification.of).ok_or_else(unnamed)?,
        statuses: statuses.collect::<Result<_, _>>()?,
        changed: paths(&verification.changed)?,
        untested: paths(&verification.untested)?,
        checked: verification.checked.into_iter().map(checked).collect::<Result<_, RecordError>>()?,
        new: verification.new.into_iter().map(new).collect::<Result<_, RecordError>>()?,
        beyond: verification.beyond,
        gaps: verification.gaps,
    })
}
