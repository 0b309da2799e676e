//! The result of one reviewer in; the facts that decide about its cache entry, its cost and a second question out. Pure.

use crate::dispatch::{Answer, ResultFacts, Reviewer, Unanswered};
use crate::formats;
use crate::intake;
use crate::judge::is_unsure;
use crate::model::{Report, ReviewerKind};
use crate::record::{Output, ROOT};
use crate::syntax::Limits;

/// The longest part of an agent's own words on its failure that is kept, in characters.
const LONGEST_COMPLAINT: usize = 300;

/// Takes a single result in, while others are still asked.
pub(super) fn inspect(reviewer: &dyn Reviewer, result: &Result<Answer, Unanswered>) -> ResultFacts {
    let limits = Limits::default();
    let is_agent = reviewer.kind() == ReviewerKind::Agent;
    let usage = |text: &str| is_agent.then(|| intake::usage(text.as_bytes(), &limits)).flatten();
    let answer = match result {
        Ok(answer) => answer,
        Err(Unanswered::Failed { printed: Some(text), .. }) => {
            // An agent that fails says why in its envelope, and seldom anywhere else.
            let complaint = intake::complaint(text, &limits, LONGEST_COMPLAINT);
            return ResultFacts { usage: usage(text), complaint, ..ResultFacts::default() };
        }
        Err(_) => return ResultFacts::default(),
    };
    // A value is understood as it is. A check that failed is cached, too: the same tree fails again.
    let Output::Printed(text) = &answer.output else { return ResultFacts { is_whole: true, ..ResultFacts::default() } };
    let complaint = is_agent.then(|| intake::complaint(text, &limits, LONGEST_COMPLAINT)).flatten();
    let has_failed = complaint.is_some();
    let is_echoed = answer.nonce.as_deref().is_none_or(|nonce| intake::repeats_nonce(text.as_bytes(), nonce, &limits));
    let criteria = reviewer.criteria().len();
    if criteria > 0 {
        let is_whole = is_echoed && intake::assessments(text.as_bytes(), criteria, &limits).is_ok();
        return ResultFacts {
            usage: usage(text),
            complaint,
            has_failed,
            is_whole,
            is_unheard: !is_whole,
            is_unsure: false,
        };
    }
    let format = reviewer.format().and_then(formats::by_id);
    let taken = intake::take_below(text.as_bytes(), format, &[ROOT], &limits);
    let is_understood = taken.gaps.is_empty() && taken.rejected.is_empty() && !taken.reports.is_empty();
    let is_complete = |report: &Report| report.gaps().is_empty() && report.facts.verdict_file.is_none();
    ResultFacts {
        usage: usage(text),
        complaint,
        has_failed,
        is_unheard: taken.reports.is_empty() || !is_echoed,
        is_whole: is_understood && is_echoed && taken.reports.iter().all(is_complete),
        is_unsure: taken.reports.iter().any(is_unsure),
    }
}
