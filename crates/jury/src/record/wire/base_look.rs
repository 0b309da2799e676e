//! The look at the base ↔ its wire type.

use jury_wire::v1::record as wire;

use super::{domain, parsed, path, refused, severity};
use crate::model::{BaseFinding, BaseLook, Confidence, FailedLook, Fingerprint, LineRange, Title, UnchangedPlace};
use crate::record::RecordError;

pub(super) fn to_wire(look: &BaseLook) -> wire::BaseLook {
    let ranges = |ranges: &[LineRange]| ranges.iter().map(LineRange::to_string).collect();
    let place = |place: &UnchangedPlace| wire::UnchangedPlace {
        file: place.file.to_string(),
        lines: place.lines.map(|lines| lines.to_string()),
        trace: ranges(&place.trace),
    };
    let finding = |finding: &BaseFinding| wire::BaseFinding {
        domain: finding.domain.to_string(),
        rule: finding.rule.clone(),
        title: finding.title.to_string(),
        severity: finding.severity.word().to_owned(),
        confidence: finding.confidence.map(Confidence::fraction),
        file: finding.file.to_string(),
        lines: finding.lines.map(|lines| lines.to_string()),
        unchanged: finding.unchanged.as_ref().map(place),
        fingerprint: finding.fingerprint.as_str().to_owned(),
        first_fingerprint: finding.first_fingerprint.as_str().to_owned(),
    };
    let failed =
        |failed: &FailedLook| wire::FailedLook { reviewer: failed.reviewer.to_string(), why: failed.why.clone() };
    wire::BaseLook {
        findings: look.findings.iter().map(finding).collect(),
        failed: look.failed.iter().map(failed).collect(),
    }
}

pub(super) fn from_wire(look: wire::BaseLook) -> Result<BaseLook, RecordError> {
    const MEMBER: &str = "base_look";
    let range = |text: &String| parsed(MEMBER, LineRange::parse(text));
    let place = |place: wire::UnchangedPlace| {
        Ok(UnchangedPlace {
            file: path(MEMBER, &place.file)?,
            lines: place.lines.as_ref().map(range).transpose()?,
            trace: place.trace.iter().map(range).collect::<Result<_, _>>()?,
        })
    };
    let print = |digits: &str| {
        let print = Fingerprint::from_digits(digits);
        print.ok_or_else(|| refused(MEMBER, format!("invalid fingerprint {digits:?}")))
    };
    let finding = |finding: wire::BaseFinding| {
        let confidence = finding.confidence.map(|fraction| parsed(MEMBER, Confidence::from_fraction(&fraction)));
        Ok(BaseFinding {
            domain: domain(MEMBER, &finding.domain)?,
            rule: finding.rule,
            title: parsed(MEMBER, Title::new(&finding.title))?,
            severity: severity(MEMBER, &finding.severity)?,
            confidence: confidence.transpose()?,
            file: path(MEMBER, &finding.file)?,
            lines: finding.lines.as_ref().map(range).transpose()?,
            unchanged: finding.unchanged.map(place).transpose()?,
            fingerprint: print(&finding.fingerprint)?,
            first_fingerprint: print(&finding.first_fingerprint)?,
        })
    };
    let failed =
        |failed: wire::FailedLook| Ok(FailedLook { reviewer: domain(MEMBER, &failed.reviewer)?, why: failed.why });
    Ok(BaseLook {
        findings: look.findings.into_iter().map(finding).collect::<Result<_, RecordError>>()?,
        failed: look.failed.into_iter().map(failed).collect::<Result<_, RecordError>>()?,
    })
}
