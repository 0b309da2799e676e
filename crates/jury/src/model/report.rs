//! The content of one document, independent of its format, and the difference of two.
//!
//! In: the reading. Out: the report; and, for conversion, the list of changed fields.
//! The comparison takes every structure apart by name, so a field that is added cannot be forgotten in it.

use super::verdict::{Stated, Tally};
use super::{Claim, Confidence, Domain, Facts, Gap, GapKind, GateVerdict, Line, Location, Severity, Side, Support};

/// A reviewer that a document names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reviewer {
    /// Its domain or role.
    pub name: Domain,
    /// Whether and how it took part.
    pub attendance: Attendance,
}

/// How a reviewer took part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Attendance {
    /// It reported.
    Spoke {
        /// Its own verdict, where it gave one.
        verdict: Option<GateVerdict>,
        /// Its own rating of the whole report.
        confidence: Option<Confidence>,
        /// The file its verdict was read from.
        file: Option<String>,
    },
    /// It was not enabled for this change.
    Skipped,
    /// It should have reported and did not.
    Missing,
}

/// Depth that does not fit the compact formats of 001.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// A longer report, by its path.
    Path(String),
    /// The text itself.
    Inline(String),
}

/// The content of one document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Who took part, as far as the document says.
    pub reviewers: Vec<Reviewer>,
    /// The verdict the document states, where it states one.
    pub stated: Option<Stated>,
    /// How sure the reviewer is of the report as a whole (001).
    pub confidence: Option<Confidence>,
    /// The claims, in the document's order. Boxed, because claims are large and go through many hands.
    pub claims: Vec<Box<Claim>>,
    /// Where the depth lies (001).
    pub evidence: Option<Evidence>,
    /// Risks noticed but not confirmed (004).
    pub residual_risks: Vec<String>,
    /// Tests that are missing (004).
    pub testing_gaps: Vec<String>,
    /// Facts about the whole review.
    pub facts: Facts,
}

impl Report {
    /// Returns the claims, in the document's order.
    pub fn claims(&self) -> impl Iterator<Item = &Claim> + Clone {
        self.claims.iter().map(|claim| &**claim)
    }

    /// Returns the one reviewer that everything in the report comes from, if there is exactly one.
    pub fn sole_reviewer(&self) -> Option<&Domain> {
        let mut names = self.reviewers.iter().map(|reviewer| &reviewer.name);
        let mut names_of_claims = self.claims.iter().filter_map(|claim| claim.reviewer.as_ref());
        let first = names.next().or_else(|| names_of_claims.next())?;
        names.chain(names_of_claims).all(|name| name == first).then_some(first)
    }

    /// Returns the gaps that the report itself states: reviewers that are missing, or else a verdict that closes the gate
    /// although no open claim says why.
    pub fn gaps(&self) -> Vec<Gap> {
        let missing = self.reviewers.iter().filter(|reviewer| reviewer.attendance == Attendance::Missing);
        let missing: Vec<Gap> = missing
            .map(|reviewer| Gap {
                reviewer: reviewer.name.clone(),
                kind: GapKind::DeadReviewer,
                what: format!("{} did not report", reviewer.name),
                remedy: format!("run the {} reviewer again", reviewer.name),
            })
            .collect();
        let blocks = |claim: &Claim| claim.status().is_unsettled() && claim.severity.is_at_least(Severity::High);
        match self.stated.filter(|stated| stated.closes_the_gate()) {
            Some(stated) if missing.is_empty() && !self.claims().any(blocks) => vec![Gap {
                reviewer: self.sole_reviewer().cloned().unwrap_or_else(Domain::unnamed),
                kind: GapKind::UnknownState,
                what: format!("the verdict is {stated}, but no open finding says why"),
                remedy: "ask the reviewers why, or run them again".to_owned(),
            }],
            _ => missing,
        }
    }

    /// Returns the stated verdict if the claims alone would not give it: an upgrade, an abort, a bare warning.
    fn verdict_beyond_claims(&self) -> Option<Stated> {
        let mut tally = Tally::of_claims(&self.claims, |claim| claim.status().stands());
        // A reviewer that did not report is a High finding, whether or not the format states it as one.
        for _ in self.reviewers.iter().filter(|reviewer| reviewer.attendance == Attendance::Missing) {
            tally.add(Severity::High, false);
        }
        self.stated.filter(|stated| match stated {
            Stated::Review(verdict) => *verdict != tally.review(),
            Stated::Gate(verdict) => *verdict != tally.gate(),
            Stated::Approval(verdict) => *verdict != tally.approval(),
        })
    }
}

/// One changed field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Which claim of the first report, counted from 0; `None` for the report itself.
    pub claim_index: Option<usize>,
    /// Which field.
    pub field: String,
    /// The old value; `None` if it was not stated.
    pub was: Option<String>,
    /// The new value; `None` if it is gone.
    pub is: Option<String>,
}

impl Difference {
    /// Tells whether something that was said is no longer said so; otherwise something unsaid was filled in.
    pub fn is_loss(&self) -> bool {
        self.was.is_some()
    }
}

/// Compares two reports field by field. `kept` gives, for each claim of `now` in order, its index in `before`; a claim
/// of `before` that is not in it is gone, and one of `now` whose index is none was added.
pub fn differences(before: &Report, now: &Report, kept: &[usize]) -> Vec<Difference> {
    let mut found = Vec::new();
    compare(&mut found, None, report_fields(before), report_fields(now));
    let mut after = vec![None; before.claims.len()];
    for (claim, index) in now.claims.iter().zip(kept) {
        match after.get_mut(*index) {
            Some(place) => *place = Some(claim),
            None => found.push(Difference {
                claim_index: None,
                field: "finding".to_owned(),
                was: None,
                is: Some(claim.title.to_string()),
            }),
        }
    }
    for (index, (claim, after)) in before.claims.iter().zip(after).enumerate() {
        match after {
            Some(after) if after == claim => {}
            Some(after) => compare(&mut found, Some(index), claim_fields(claim), claim_fields(after)),
            None => found.push(Difference {
                claim_index: Some(index),
                field: "finding".to_owned(),
                was: Some(claim.title.to_string()),
                is: None,
            }),
        }
    }
    found
}

type Fields = Vec<(String, Option<String>)>;

fn compare(found: &mut Vec<Difference>, claim_index: Option<usize>, before: Fields, now: Fields) {
    let value = |fields: &Fields, name: &str| fields.iter().find(|(field, _)| field == name)?.1.clone();
    let mut names: Vec<&String> = before.iter().map(|(name, _)| name).collect();
    names.extend(now.iter().map(|(name, _)| name).filter(|name| !before.iter().any(|(field, _)| field == *name)));
    for field in names {
        let (was, is) = (value(&before, field), value(&now, field));
        if was != is {
            found.push(Difference { claim_index, field: field.clone(), was, is });
        }
    }
}

fn text(value: &Option<impl ToString>) -> Option<String> {
    value.as_ref().map(ToString::to_string)
}

fn list(items: &[impl ToString]) -> Option<String> {
    (!items.is_empty()).then(|| {
        let items: Vec<String> = items.iter().map(|item| format!("{:?}", item.to_string())).collect();
        items.join(", ")
    })
}

fn claim_fields(claim: &Claim) -> Fields {
    let Claim {
        reviewer,
        title,
        severity,
        confidence,
        location,
        category,
        rule,
        cwe,
        related,
        trace,
        why,
        evidence,
        fix,
        autofix,
        owner,
        requires_verification,
        pre_existing,
        status,
        system_breaking,
        support,
    } = claim;
    let unsaid = Support::default();
    let Support {
        reviewers,
        independent_reviewers,
        independence_verified,
        promoted,
        settled_conflict,
        first_evidence,
        ignored,
        ignored_at,
    } = support.as_deref().unwrap_or(&unsaid);
    let (file, lines, column, side) = match location {
        Some(Location { file, lines, column, side }) => {
            let column = column.map(|column| column.get());
            (Some(file.to_string()), text(lines), text(&column), (*side == Side::Left).then(|| side.to_string()))
        }
        None => (None, None, None, None),
    };
    [
        ("reviewer", text(reviewer)),
        ("title", Some(title.to_string())),
        ("severity", Some(severity.to_string())),
        ("confidence", text(confidence)),
        ("file", file),
        ("lines", lines),
        ("column", column),
        ("side", side),
        ("category", text(category)),
        ("rule", rule.clone()),
        ("cwe", list(cwe)),
        ("related", list(related)),
        ("trace", list(trace)),
        ("why", why.clone()),
        ("evidence", list(evidence)),
        ("fix", fix.clone()),
        ("autofix_class", text(autofix)),
        ("owner", text(owner)),
        ("requires_verification", text(requires_verification)),
        ("pre_existing", text(pre_existing)),
        ("status", text(status)),
        ("system_breaking", system_breaking.then(|| "true".to_owned())),
        ("reviewers", list(reviewers)),
        ("independent_reviewers", list(independent_reviewers)),
        ("independence_verified", text(independence_verified)),
        ("promoted", text(promoted)),
        ("settled_conflict", settled_conflict.clone()),
        ("first_evidence", first_evidence.clone()),
        ("ignored", ignored.clone()),
        ("ignored_at", text(&ignored_at.map(Line::get))),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .into()
}

fn report_fields(report: &Report) -> Fields {
    let Report { reviewers, stated: _, confidence, claims: _, evidence, residual_risks, testing_gaps, facts } = report;
    let Facts {
        review_id,
        timestamp,
        scope,
        target,
        mode,
        report_path,
        title,
        reviewed_sha,
        base_sha,
        files_reviewed,
        re_review_required,
        notes,
        task_id,
        verdict_file,
        model,
        independence_verified,
    } = facts;
    let mut fields: Fields = [
        ("verdict", text(&report.verdict_beyond_claims())),
        ("confidence", text(confidence)),
        ("evidence", evidence.as_ref().map(|evidence| format!("{evidence:?}"))),
        ("residual_risks", list(residual_risks)),
        ("testing_gaps", list(testing_gaps)),
        ("review_id", text(review_id)),
        ("timestamp", text(timestamp)),
        ("scope", text(scope)),
        ("target", target.clone()),
        ("mode", text(mode)),
        ("report_path", text(report_path)),
        ("title", title.clone()),
        ("reviewed_sha", text(reviewed_sha)),
        ("base_sha", text(base_sha)),
        ("files_reviewed", files_reviewed.as_ref().map(|files| list(files).unwrap_or_else(|| "none".to_owned()))),
        ("re_review_required", text(re_review_required)),
        ("notes", notes.clone()),
        ("task_id", task_id.clone()),
        ("verdict_file", verdict_file.clone()),
        ("model", model.clone()),
        ("independence_verified", text(independence_verified)),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .into();
    // A reviewer of whom nothing but the name is known is still named by its claims.
    let is_named_by_claims = |reviewer: &Reviewer| {
        reviewer.attendance == Attendance::Spoke { verdict: None, confidence: None, file: None }
            && report.claims.iter().any(|claim| claim.reviewer.as_ref() == Some(&reviewer.name))
    };
    for (position, reviewer) in reviewers.iter().enumerate().filter(|(_, reviewer)| !is_named_by_claims(reviewer)) {
        fields.push((format!("reviewers[{position}].name"), Some(reviewer.name.to_string())));
        let state = match &reviewer.attendance {
            Attendance::Skipped => Some("skipped".to_owned()),
            Attendance::Missing => Some("missing".to_owned()),
            Attendance::Spoke { verdict, confidence, file } => {
                fields.push((format!("reviewers[{position}].verdict"), text(verdict)));
                fields.push((format!("reviewers[{position}].confidence"), text(confidence)));
                fields.push((format!("reviewers[{position}].file"), file.clone()));
                None
            }
        };
        fields.push((format!("reviewers[{position}].attendance"), state));
    }
    fields
}
