//! The brief of a round: which findings it tells of, where they stand now, and the code around them.
//!
//! In: how things stand. Out: a file in the folder of the loop. Deliberately not here: how a brief reads (`report`).

use std::path::PathBuf;

use jury_wire::v1::record::Record;

use super::{BRIEF, DriveError, Driver, View};
use crate::gate::standings;
use crate::model::Severity;
use crate::report::{ToFix, fix_brief};
use crate::verdict::Standing;

impl Driver<'_> {
    /// Writes the brief of a round, and returns where it is.
    pub(super) fn write_brief(&self, number: usize, view: &View) -> Result<PathBuf, DriveError> {
        let is_required = |finding: &&Standing| view.required.contains(&finding.id);
        let findings = standings(&view.current.file)?;
        let of = |severity: Severity| findings.iter().filter(move |finding| finding.severity == severity);
        let required = Severity::ALL.into_iter().flat_map(of).filter(is_required);
        let recommended = of(Severity::Medium).filter(|it| !is_required(it) && it.status.stands() && !it.is_gap);
        let to_fix = |finding: &Standing| self.to_fix(&finding.id, view);
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
        let claim = view.judgement.report.claims.get(index)?;
        let sight = self.known.key(id).and_then(|key| self.seen.get(&key));
        let moved = sight.and_then(|sight| sight.place.as_deref());
        let lines = finding.line_range.as_ref().map(|lines| format!(":{lines}")).unwrap_or_default();
        let place = moved.map_or_else(|| format!("{}{lines}", finding.file), str::to_owned);
        let (file, lines) = place.rsplit_once(':').unwrap_or((&place, ""));
        let (first, last) = lines.split_once('-').unwrap_or((lines, lines));
        let text = |record: &Record| record.cited.get(file).cloned();
        let text = view.look.full.as_ref().and_then(text).or_else(|| text(&view.record));
        let code =
            text.zip(first.parse().ok().zip(last.parse().ok())).map(|(text, (first, last))| (text, first..=last));
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
