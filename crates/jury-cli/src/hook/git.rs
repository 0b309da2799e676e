//! git's own hooks: `pre-commit` holds what is staged against a quick check, `pre-push` a push against the gate.
//!
//! In: the lines that git writes to `pre-push`. Out: the exit code, with the reasons on standard error. A push is let through
//! only if everything in it that the remote does not have yet is the tree that was judged (FAULTS, row 27); whatever cannot be told
//! apart is refused. Deliberately not here: what is on the remote, which is known only as of the last fetch.

use std::io::IsTerminal;

use jury::dispatch::GateIntegrity;
use jury::error::FlowError;
use jury::flows::gate::{Subject, gate};
use jury::flows::next::next as next_step;
use jury::flows::review::{self, ReviewRequest};
use jury::model::{FindingId, Mode, Outcome, PolicyMode, ReviewVerdict};
use jury::verdict::{self, Action, Next, Situation, finding_states, next};
use jury::worktree;
use jury_wire::ExitCode;

use super::reason;
use crate::error::Error;
use crate::input::Input;
use crate::render::{self, count, inert};
use crate::streams::Streams;
use crate::workplace::{self, WorkingDir, Workplace};

/// The title of what would be refused if the policy did more than observe.
const OBSERVED: &str = "Jury: observed: would be closed (policy.mode is observe)";

/// How many paths a refusal names.
const MOST_PATHS: usize = 5;

/// One ref of a push.
#[derive(Debug, PartialEq, Eq)]
struct Pushed {
    /// Its local name, or an expression for it.
    name: String,
    /// Its new commit; `None` deletes it.
    object: Option<String>,
}

/// Refuses a commit in which something has to be fixed first. Nothing is written.
pub(crate) fn pre_commit(streams: &mut Streams) -> ExitCode {
    match quick_check() {
        Ok(Checked { refusal, note }) => {
            if let Some(note) = note {
                streams.remark(&format!("{note}\n"));
            }
            answered(streams, Ok(refusal))
        }
        Err(error) => answered(streams, Err(error)),
    }
}

/// The result of a check before a commit or a push.
#[derive(Default)]
struct Checked {
    /// Why it is refused.
    refusal: Option<String>,
    /// Remarks for the author of the commit.
    note: Option<String>,
}

/// Refuses a push of any other tree than the reviewed one, and of one whose gate is closed.
pub(crate) fn pre_push(remote: &str, streams: &mut Streams) -> ExitCode {
    match pushed().and_then(|pushed| judge_push(remote, &pushed)) {
        Ok(Checked { refusal, note }) => {
            if let Some(note) = note {
                streams.remark(&format!("{}\n", note.trim_end()));
            }
            answered(streams, Ok(refusal))
        }
        Err(error) => answered(streams, Err(error)),
    }
}

/// Prints the reason, and exits as git expects: every error refuses.
fn answered(streams: &mut Streams, refusal: Result<Option<String>, Error>) -> ExitCode {
    match refusal {
        Ok(None) => return ExitCode::Clear,
        Ok(Some(why)) => streams.remark(&format!("{}\n", why.trim_end())),
        Err(error) => streams.remark(&render::error(&error)),
    }
    ExitCode::Blocked
}

fn open() -> Result<Workplace, Error> {
    WorkingDir { folder: ".".into() }.open()
}

/// Checks what is staged, and nothing else: files beside it are no part of the commit. What a change does to the gate itself no edit
/// of code can mend: that is for the person who merges it, and for the gate until then, so a commit is not refused for it.
fn quick_check() -> Result<Checked, Error> {
    let workplace = open()?;
    let Workplace { repository, store } = &workplace;
    let now = workplace::now();
    if next_step(store, &gate(repository, store, None, Subject::Worktree, &now)?)?.next.action == Action::Halt {
        let refusal = "Jury: the work is halted (ABORT); see .code-review/abort-reason.md".to_owned();
        return Ok(Checked { refusal: Some(refusal), note: None });
    }
    let options = workplace.ask_options()?;
    let request = ReviewRequest { scope: workplace::staged(), options, now, is_saved: false };
    let reviewed = review::review(repository, store, &request, &mut |_| {})?;
    let file = &reviewed.judgement.file;
    let situation = Situation {
        mode: Mode::Quick,
        verdict: reviewed.judgement.merged.verdict.review,
        findings: finding_states(file, &reviewed.record).map_err(FlowError::from)?,
        gate: &verdict::gate(None),
        needs_review: None,
    };
    let next = next(Some(&situation));
    let is_observing = reviewed.record.policy.policy.mode == PolicyMode::Observe;
    let is_of_gate = |id: &String| {
        let found = file.findings.iter().find(|finding| finding.id == *id);
        found.is_some_and(|finding| {
            finding.domain == GateIntegrity::DOMAIN && finding.file != FindingId::WHOLE_REPOSITORY
        })
    };
    let (of_gate, required): (Vec<String>, Vec<String>) = next.required.iter().cloned().partition(is_of_gate);
    let is_clear = required.is_empty() && situation.verdict != ReviewVerdict::Abort;
    let of_gate = (!of_gate.is_empty()).then(|| {
        let what = count(of_gate.len(), "change", "changes");
        format!("Jury: {what} to the checks themselves, for a person to merge; `jury review` lists them")
    });
    let unread = file.findings.iter().filter(|finding| next.person.contains(&finding.id));
    let unread =
        unread.map(|finding| format!("Jury: a person has to look: {}", inert::short_line(&finding.title, 200)));
    let notes: Vec<String> = of_gate.into_iter().chain(unread.take(MOST_PATHS)).collect();
    let note = (!notes.is_empty()).then(|| notes.join("\n"));
    let next = Next { required, ..next };
    let refusal = (!is_clear).then(|| reason::refused(&next, file));
    match refusal {
        Some(refusal) if is_observing && situation.verdict != ReviewVerdict::Abort => {
            let note = format!("{OBSERVED}\n{refusal}\n{}", note.unwrap_or_default());
            Ok(Checked { refusal: None, note: Some(note.trim_end().to_owned()) })
        }
        refusal => Ok(Checked { refusal, note }),
    }
}

/// Reads the pushed refs. Empty input means HEAD: some hook managers do not pass git's lines on.
fn pushed() -> Result<Vec<Pushed>, Error> {
    let bytes = if std::io::stdin().is_terminal() { Vec::new() } else { Input::Stdin.bytes()? };
    let text = String::from_utf8_lossy(&bytes);
    let pushed = refs(&text).map_err(Error::PushLine)?;
    if !pushed.is_empty() {
        return Ok(pushed);
    }
    // The framework `pre-commit` names one ref at a time in the environment instead.
    let object = std::env::var("PRE_COMMIT_TO_REF").unwrap_or_else(|_| "HEAD".to_owned());
    Ok(vec![Pushed { name: object.clone(), object: Some(object) }])
}

/// Takes the lines apart: `<local ref> <local object> <remote ref> <remote object>`; returns a line that is none.
fn refs(text: &str) -> Result<Vec<Pushed>, String> {
    let is_object = |word: &str| [40, 64].contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    let mut pushed = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        // Any expression can name the pushed commit, but no name of a ref has a space in it.
        let words: Vec<&str> = line.rsplitn(4, ' ').collect();
        let [before, _, object, name] = words[..] else { return Err(inert::short_line(line, 200)) };
        if !is_object(before) || !is_object(object) {
            return Err(inert::short_line(line, 200));
        }
        let object = Some(object.to_owned()).filter(|object| object.bytes().any(|byte| byte != b'0'));
        pushed.push(Pushed { name: name.to_owned(), object });
    }
    Ok(pushed)
}

/// Says why a push is refused, if it is. A push that waits for a person goes through, with a notice: the pull request is where the
/// person looks.
fn judge_push(remote: &str, pushed: &[Pushed]) -> Result<Checked, Error> {
    let refused = |why: String| Checked { refusal: Some(why), note: None };
    let workplace = open()?;
    let repository = &workplace.repository;
    let mut new = Vec::new();
    for Pushed { name, object } in pushed {
        let Some(object) = object else { continue };
        if repository.is_published(remote, object)? != Some(true) {
            new.push((inert::line(name), object));
        }
    }
    if new.is_empty() {
        return Ok(Checked::default());
    }
    for (name, object) in &new {
        if let Some(why) = elsewhere(&workplace, name, object)? {
            return Ok(refused(why));
        }
    }
    let view = gate(repository, &workplace.store, None, Subject::Head, &workplace::now())?;
    let shown = || anstream::adapter::strip_str(&render::gate(&view)).to_string();
    let is_observing = view.full.as_ref().is_some_and(|record| record.policy.policy.mode == PolicyMode::Observe);
    let note = match view.gate.outcome {
        Outcome::Clear => None,
        Outcome::Waiting => Some(format!("Jury: pushed, and waiting for a person\n{}", shown())),
        Outcome::Blocked | Outcome::Incomplete if is_observing => Some(format!("{OBSERVED}\n{}", shown())),
        _ => return Ok(refused(format!("Jury: {} cannot be pushed\n{}", new[0].0, shown()))),
    };
    Ok(Checked { refusal: beyond_base(&workplace, remote)?, note })
}

/// Returns why the pushed tree is not the one in the worktree, if so: only that tree can be judged.
fn elsewhere(workplace: &Workplace, name: &str, object: &str) -> Result<Option<String>, Error> {
    let repository = &workplace.repository;
    if !(repository.is_ancestor(object, "HEAD")? && repository.is_ancestor("HEAD", object)?) {
        return Ok(Some(format!(
            "Jury: {name} is not checked out, so it has no verdict; check it out, run `jury review`, and push it \
             from there"
        )));
    }
    let snapshot = worktree::snapshot(repository, &workplace.store)?;
    let paths = worktree::uncommitted(repository, &workplace.store, &snapshot, Some(object))?;
    if paths.is_empty() {
        return Ok(None);
    }
    let named: Vec<String> = paths.iter().take(MOST_PATHS).map(|path| inert::line(path)).collect();
    Ok(Some(format!(
        "Jury: the working tree differs from the pushed commit in {} ({}); commit or stash, then run `jury review`",
        count(paths.len(), "path", "paths"),
        named.join(", "),
    )))
}

/// Says that the push has more than the change that was judged, if so: the commits before its base are not on the remote either.
fn beyond_base(workplace: &Workplace, remote: &str) -> Result<Option<String>, Error> {
    let repository = &workplace.repository;
    let snapshot = worktree::snapshot(repository, &workplace.store)?;
    let base = repository.base_of(&snapshot, None)?;
    let Some(commit) = &base.commit else { return Ok(None) };
    // The content of a remote without branches is unknown; a first push has no base to be merged into.
    let is_beyond = repository.is_published(remote, commit)? == Some(false);
    Ok(is_beyond.then(|| {
        let (name, remote) = (inert::line(&base.name), inert::line(remote));
        format!("Jury: the review begins at {name}, which {remote} does not have yet; push {name} first, or fetch")
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(lines: &[(&str, char)]) -> String {
        let object = |digit: &char| digit.to_string().repeat(40);
        let zero = "0".repeat(40);
        lines.iter().map(|(name, digit)| format!("{name} {} refs/heads/x {zero}\n", object(digit))).collect()
    }

    #[test]
    fn every_form_of_a_line_is_understood() {
        let names = |text: &str| -> Vec<(String, bool)> {
            let pushed = refs(text).unwrap();
            pushed.into_iter().map(|pushed| (pushed.name, pushed.object.is_some())).collect()
        };
        assert_eq!(names(""), []);
        assert_eq!(names("\n"), []);
        let text = lines(&[("refs/heads/a", 'a'), ("(delete)", '0'), ("HEAD~", 'b'), ("HEAD^{/fix the bug}", 'c')]);
        let expected = [("refs/heads/a", true), ("(delete)", false), ("HEAD~", true), ("HEAD^{/fix the bug}", true)];
        assert_eq!(names(&text), expected.map(|(name, is_new)| (name.to_owned(), is_new)));
        // Without a line break at the end, and in a repository of SHA-256.
        let line = format!("refs/tags/v1 {} refs/tags/v1 {}", "d".repeat(64), "0".repeat(64));
        assert_eq!(names(&line), [("refs/tags/v1".to_owned(), true)]);
    }

    #[test]
    fn a_line_that_is_none_is_refused() {
        let object = "a".repeat(40);
        let cut = format!("refs/heads/a {object} refs/heads/a {}", "0".repeat(39));
        for line in ["garbage", "a b c d", "a b c d e", &format!("refs/heads/a {object} refs/heads/a"), &cut] {
            assert!(refs(&format!("{line}\n")).is_err(), "{line}");
        }
    }
}
