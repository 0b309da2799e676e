//! The contests of a review as types ↔ their canonical bytes.

use jury_wire::v1::contest as wire;

use super::statement::canonical;
use crate::model::{
    Contest, ContestVoice, CounterEvidence, Day, Domain, Fingerprint, Line, Premise, RepoPath, Severity, Stance, TreeId,
};

/// Why contests cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ContestsError {
    /// A later version wrote them.
    #[error("version {0}")]
    Newer(u64),
    /// They are not what this program writes.
    #[error("{0}")]
    Damaged(String),
}

fn damaged(what: impl Into<String>) -> ContestsError {
    ContestsError::Damaged(what.into())
}

/// Writes the contests of a review, which is named by the digest of its record.
pub fn write_contests(review: &str, contests: &[Contest]) -> Vec<u8> {
    canonical(&wire::Contests {
        version: wire::VERSION,
        review: review.to_owned(),
        contests: contests.iter().map(to_wire).collect(),
    })
}

/// Reads the contests of a review. Those of another review are none of it.
pub fn read_contests(bytes: &[u8], review: &str) -> Result<Vec<Contest>, ContestsError> {
    let value: serde_json::Value = serde_json::from_slice(bytes).map_err(|error| damaged(error.to_string()))?;
    match value.get("version").and_then(serde_json::Value::as_u64) {
        Some(version) if version > u64::from(wire::VERSION) => return Err(ContestsError::Newer(version)),
        Some(1) => {}
        _ => return Err(damaged("no version")),
    }
    let of_wire: wire::Contests = serde_json::from_value(value).map_err(|error| damaged(error.to_string()))?;
    if canonical(&of_wire) != bytes {
        return Err(damaged("not in canonical form"));
    }
    if of_wire.review != review {
        return Err(damaged("of another review"));
    }
    of_wire.contests.into_iter().map(of_contest).collect()
}

fn to_wire(contest: &Contest) -> wire::Contest {
    let Contest { finding, fingerprint, severity, raised_by, tree, by, reason, evidence, refuted, voices, day } =
        contest;
    let voice = |voice: &ContestVoice| wire::Voice {
        reviewer: voice.reviewer.to_string(),
        family: voice.family.clone(),
        is_raiser: voice.is_raiser,
        stance: voice.stance.token().to_owned(),
        why: voice.why.clone(),
        nonce: voice.answer.as_ref().map(|(nonce, _)| nonce.clone()),
        output: voice.answer.as_ref().map(|(_, output)| output.clone()),
    };
    wire::Contest {
        finding: finding.clone(),
        fingerprint: fingerprint.as_str().to_owned(),
        severity: severity.word().to_owned(),
        raised_by: raised_by.iter().map(ToString::to_string).collect(),
        tree: tree.to_string(),
        by: by.clone(),
        reason: reason.clone(),
        evidence: match evidence {
            CounterEvidence::Quote { path, line, quote } => {
                wire::Evidence::Quote { path: path.to_string(), line: line.get(), quote: quote.clone() }
            }
            CounterEvidence::Declared(name) => wire::Evidence::Declared { name: name.clone() },
            CounterEvidence::Reason => wire::Evidence::Reason,
        },
        refuted: refuted
            .as_ref()
            .map(|(premise, proof)| wire::Refutation { premise: premise.token().to_owned(), proof: proof.clone() }),
        voices: voices.iter().map(voice).collect(),
        day: day.to_string(),
    }
}

fn of_contest(contest: wire::Contest) -> Result<Contest, ContestsError> {
    let word = |what: &str, text: &str| damaged(format!("{text:?} is no {what}"));
    let domain = |name: &String| Domain::new(name).map_err(|_| word("reviewer", name));
    let severity = Severity::ALL.into_iter().find(|severity| severity.word() == contest.severity);
    let evidence = match contest.evidence {
        wire::Evidence::Quote { path, line, quote } => CounterEvidence::Quote {
            path: RepoPath::new(&path).map_err(|_| word("path", &path))?,
            line: Line::new(line.into()).map_err(|_| damaged("a line is none"))?,
            quote,
        },
        wire::Evidence::Declared { name } => CounterEvidence::Declared(name),
        wire::Evidence::Reason => CounterEvidence::Reason,
    };
    let refuted = contest.refuted.map(|wire::Refutation { premise, proof }| {
        Premise::from_token(&premise).map(|known| (known, proof)).ok_or_else(|| word("premise", &premise))
    });
    let voice = |voice: wire::Voice| {
        Ok(ContestVoice {
            reviewer: domain(&voice.reviewer)?,
            family: voice.family,
            is_raiser: voice.is_raiser,
            stance: Stance::from_token(&voice.stance).ok_or_else(|| word("stance", &voice.stance))?,
            why: voice.why,
            answer: voice.nonce.zip(voice.output),
        })
    };
    Ok(Contest {
        finding: contest.finding,
        fingerprint: Fingerprint::from_digits(&contest.fingerprint).ok_or_else(|| damaged("a fingerprint is none"))?,
        severity: severity.ok_or_else(|| word("severity", &contest.severity))?,
        raised_by: contest.raised_by.iter().map(domain).collect::<Result<_, _>>()?,
        tree: TreeId::new(&contest.tree).ok_or_else(|| word("tree", &contest.tree))?,
        by: contest.by,
        reason: contest.reason,
        evidence,
        refuted: refuted.transpose()?,
        voices: contest.voices.into_iter().map(voice).collect::<Result<_, ContestsError>>()?,
        day: Day::new(&contest.day).ok_or_else(|| word("day", &contest.day))?,
    })
}

#[cfg(test)]
mod tests {
    use super::super::contest::tests::contest;
    use super::*;

    #[test]
    fn contests_read_back_as_they_were_written() {
        let voice = ContestVoice {
            reviewer: Domain::new("qa").unwrap(),
            family: "claude".to_owned(),
            is_raiser: true,
            stance: Stance::Upholds,
            why: "it is so".to_owned(),
            answer: Some(("nonce".to_owned(), "{}".to_owned())),
        };
        let path = RepoPath::new("src/a.ts").unwrap();
        let quoted = Contest {
            evidence: CounterEvidence::Quote { path, line: Line::FIRST, quote: "a".to_owned() },
            refuted: Some((Premise::CodeQuoted, "line 1 reads a".to_owned())),
            ..contest(Severity::High, vec![voice])
        };
        let declared =
            Contest { evidence: CounterEvidence::Declared("a".to_owned()), ..contest(Severity::Low, vec![]) };
        let all = vec![quoted, declared, contest(Severity::Medium, vec![])];
        let bytes = write_contests("r", &all);
        assert_eq!(read_contests(&bytes, "r"), Ok(all));
        assert_eq!(read_contests(&bytes, "s"), Err(damaged("of another review")));
        let text = String::from_utf8(bytes).unwrap();
        for (from, to) in [
            ("\"version\":1", "\"version\":0"),
            ("\"upholds\"", "\"agrees\""),
            ("\"High\"", "\"Worse\""),
            ("{\"contests\"", " {\"contests\""),
            ("\"day\":\"2026-02-16\"", "\"day\":\"2026-02-30\""),
        ] {
            assert!(text.contains(from), "{from}");
            assert!(read_contests(text.replace(from, to).as_bytes(), "r").is_err(), "{from}");
        }
        let newer = text.replace("\"version\":1", "\"version\":2");
        assert_eq!(read_contests(newer.as_bytes(), "r"), Err(ContestsError::Newer(2)));
        for cut in 0..text.len() {
            assert!(read_contests(&text.as_bytes()[..cut], "r").is_err(), "cut at {cut}");
        }
    }
}
