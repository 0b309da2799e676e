//! The brief of a round: which findings it tells of, where they stand now, and the code around them.
//!
//! In: how things stand. Out: a file in the folder of the loop. Deliberately not here: how a brief reads (`report`).

use std::path::PathBuf;

use super::{BRIEF, Loop, LoopError, View};
use crate::model::{LineRange, RepoPath, Severity};
use crate::record::Record;
use crate::report::{ToFix, fix_brief};
use crate::verdict::{FindingState, finding_states};

impl Loop<'_> {
    /// Writes the brief of a round, and returns where it is.
    pub(super) fn write_brief(&self, number: usize, view: &View) -> Result<PathBuf, LoopError> {
        let is_required = |finding: &&FindingState| view.required.contains(&finding.id);
        let findings = finding_states(&view.current.file, &view.judged.record)?;
        let of = |severity: Severity| findings.iter().filter(move |finding| finding.severity == severity);
        let required = Severity::ALL.into_iter().flat_map(of).filter(is_required);
        let recommended = of(Severity::Medium).filter(|it| !is_required(it) && it.status.stands() && !it.is_gap);
        let to_fix = |finding: &FindingState| self.to_fix(&finding.id, view);
        let text = fix_brief(
            number,
            &self.store.latest_path().to_string_lossy(),
            &required.filter_map(to_fix).collect::<Vec<_>>(),
            &recommended.filter_map(to_fix).collect::<Vec<_>>(),
        );
        let name = format!("{BRIEF}{number}.md");
        self.folder.write(&name, jury_rules::redact(&text).as_bytes())?;
        Ok(self.folder.path(&name))
    }

    fn to_fix(&self, id: &str, view: &View) -> Option<ToFix> {
        let index = view.current.file.findings.iter().position(|finding| finding.id == id)?;
        let finding = &view.current.file.findings[index];
        let claim = view.judged.judgement.report.claims.get(index)?;
        let sight = self.keys.key(id).and_then(|key| self.seen.get(&key));
        let moved = sight.and_then(|sight| sight.place.as_ref());
        let lines = finding.line_range.as_ref().map(|lines| format!(":{lines}")).unwrap_or_default();
        let place = moved.map_or_else(|| format!("{}{lines}", finding.file), ToString::to_string);
        let (file, range) = match moved {
            Some(moved) => (Some(moved.file.clone()), moved.line.map(|line| line..=line)),
            None => {
                let range = finding.line_range.as_deref().and_then(|lines| LineRange::parse(lines).ok());
                (RepoPath::new(&finding.file).ok(), range.map(|lines| lines.start().get()..=lines.end().get()))
            }
        };
        let text = |record: &Record| record.cited.get(file.as_ref()?).cloned();
        let text = view.gate.full.as_ref().and_then(text).or_else(|| text(&view.judged.record));
        let code = text.zip(range).map(|(text, lines)| (text, *lines.start() as usize..=*lines.end() as usize));
        Some(ToFix {
            id: finding.id.clone(),
            severity: finding.severity.clone(),
            status: finding.status.clone(),
            title: finding.title.clone(),
            place: (finding.file != ".").then(|| place.clone()),
            why: claim.why.clone(),
            fix: Some(finding.recommendation.clone()).filter(|fix| !fix.is_empty()),
            seen: sight.map(|sight| sight.why.clone()),
            code,
        })
    }
}
