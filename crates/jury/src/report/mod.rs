//! Output for people and for CI that Jury never reads back, made from the decision, one file each; and the report of a review as
//! people read it (`for_people`). Pure.

mod abort_reason;
mod fix_brief;
mod for_people;
mod github;
mod junit;

pub use abort_reason::abort_reason;
pub use fix_brief::{ToFix, fix_brief};
pub use for_people::for_people;
pub use github::{github, github_gate, github_notice};
pub use junit::junit;

#[cfg(test)]
pub(crate) mod tests {
    use crate::model::{
        Attendance, Claim, Domain, Line, LineRange, Location, RepoPath, Report, Reviewer, Severity, Status, Title,
    };

    /// Makes a claim about a file, or about the whole change.
    pub(crate) fn claim(title: &str, severity: Severity, place: Option<(&str, Option<(i64, i64)>)>) -> Claim {
        let mut claim = Claim::new(Title::new(title).unwrap(), severity);
        claim.location = place.map(|(file, lines)| {
            let line = |number| Line::new(number).unwrap();
            let lines = lines.map(|(start, end)| LineRange::new(line(start), line(end)).unwrap());
            Location::new(RepoPath::new(file).unwrap(), lines)
        });
        claim
    }

    /// Makes a report with something of every kind.
    pub(crate) fn report() -> Report {
        let mut worst = claim("Wrong", Severity::Blocker, Some(("src/a.ts", Some((4, 6)))));
        worst.reviewer = Some(Domain::new("security").unwrap());
        worst.why = Some("It hurts.".to_owned());
        worst.fix = Some("Mend it.".to_owned());
        let mut done = claim("Done", Severity::High, Some(("e.ts", None)));
        done.status = Some(Status::Verified);
        let spoke = |name: &str| Reviewer {
            name: Domain::new(name).unwrap(),
            attendance: Attendance::Spoke { verdict: None, confidence: None, file: None },
        };
        Report {
            reviewers: vec![spoke("security"), spoke("testing")],
            claims: [
                worst,
                claim("Review incomplete: qa", Severity::High, None),
                claim("100% <b>&", Severity::Medium, Some(("b,c:.ts", Some((1, 1))))),
                claim("Small", Severity::Low, Some(("d.ts", None))),
                claim("Well done", Severity::Praise, None),
                done,
            ]
            .map(Box::new)
            .into(),
            ..Report::default()
        }
    }
}
