//! The mandatory reviewer: it raises every change to the checks themselves (DESIGN §1, promise 3).
//!
//! In: the changed files. Out: a High finding for each that holds policy, prompts, hooks or the CI of the repository, that a trusted tool runs
//! (`executed`) or whose settings check less than before (`settings`, `weakening`), for each test that cannot fail any more (`weakened`), and for
//! each `jury-ignore` that is new; a Medium one for each new suppression of another checker (`suppressions`), other edit of settings,
//! and test that proves less than before. Deliberately not here: whether the change is good. Why these severities:
//! docs/decisions/012.

mod altered;
mod data_tree;
mod edits;
mod entries;
mod hidden;
mod in_use;
mod pipeline;
mod prose;
mod raised;
mod setting_words;
mod suppressions;
mod test_lines;
mod test_selection;
mod weakened;
mod weakening;

use std::collections::{BTreeMap, BTreeSet};

use jury_wire::v1::findings as wire;

use super::executed::{self, Executed};
use super::export::Tree;
use super::settings::{self, Kind, Part, Row};
use super::{Answer, Reviewer, Unanswered};
use crate::model::{Change, ChangedFile, Definition, Domain, FileChange, Owner, RepoPath, ReviewerKind, Scope, Side};
use altered::{Altered, Texts};
use data_tree::DataTree;
use edits::Weight;
use pipeline::{Form, Found, Surroundings};
use raised::Raised;
use weakening::{Difference, Elsewhere};

/// Changes whenever something else is found by the same tables.
const VERSION: &str = "6";

/// How many edits of one file are raised.
const MOST_LISTED: usize = 8;

/// The reviewer of changes to the gate itself.
#[derive(Default)]
pub struct GateIntegrity {
    /// The files that each tool of the team runs, by its name.
    executed: BTreeMap<String, Executed>,
    /// The files that each check runs, by its name.
    checks: BTreeMap<String, Executed>,
    /// Whether attributes of the base exclude files from reviews.
    heeds_attributes: bool,
}

impl GateIntegrity {
    /// Its domain.
    pub const DOMAIN: &'static str = Domain::GATE_INTEGRITY;

    /// Returns one that knows the files which the team's tools run.
    pub fn of(definitions: &[Definition], tree: &dyn Tree) -> Self {
        let of = |kind| executed::of_all(kind, definitions.iter(), tree);
        Self { executed: of(ReviewerKind::Tool), checks: of(ReviewerKind::Check), heeds_attributes: false }
    }

    /// Returns one that raises what `.gitattributes` will exclude from reviews.
    pub fn heeding_attributes(self, heeds_attributes: bool) -> Self {
        Self { heeds_attributes, ..self }
    }

    /// Returns the files from which tests were removed between two looks, as far as their records have the text.
    pub fn untested_since(
        before: &BTreeMap<RepoPath, String>,
        after: &BTreeMap<RepoPath, String>,
        scope: &Scope,
    ) -> BTreeSet<RepoPath> {
        let file = |path: &RepoPath| {
            let (before, after) = (before.get(path), after.get(path));
            let bytes = |text: Option<&String>| text.map(|text| text.as_bytes().into());
            let is_same = before == after || (after.is_none() && !scope.is_in_focus(path));
            (!is_same).then(|| ChangedFile {
                path: path.clone(),
                change: if after.is_none() { FileChange::Deleted } else { FileChange::Modified },
                id: None,
                patch: scope.patch.clone(),
                before: bytes(before),
                after: bytes(after),
                is_symlink: false,
                asset: None,
            })
        };
        let paths: BTreeSet<&RepoPath> = before.keys().chain(after.keys()).collect();
        let files = paths.into_iter().filter_map(file).collect();
        Self::untested(&Scope { files, change: Change::default(), ..scope.clone() })
    }

    /// Returns the files from which a change removes tests, under the paths they had.
    pub fn untested(scope: &Scope) -> BTreeSet<RepoPath> {
        let texts: Vec<Texts<'_>> = scope.files.iter().map(|file| Texts::of(scope, file)).collect();
        let altered: Vec<Altered<'_>> = texts.iter().map(Texts::altered).collect();
        weakened::raise(&altered).into_iter().filter_map(|raised| raised.untested).collect()
    }
}

impl Reviewer for GateIntegrity {
    fn domain(&self) -> Domain {
        Domain::new(Self::DOMAIN).expect("the domain is a plain word")
    }

    fn definition(&self) -> String {
        let parts: Vec<&str> =
            [VERSION, edits::TABLE].into_iter().chain(settings::table()).chain(suppressions::table()).collect();
        crate::model::short_digest(&parts, 64)
    }

    fn format(&self) -> Option<&'static str> {
        Some("findings-json")
    }

    fn run(&self, scope: &Scope) -> Result<Answer, Unanswered> {
        // Reviewed as a whole, nothing of a file was changed.
        let changed = scope.files.iter().filter(|file| file.change != FileChange::Whole);
        let changed: Vec<&ChangedFile> = changed.filter(|file| self.is_looked_at(scope, file)).collect();
        let mut raised: Vec<Raised> = changed.iter().flat_map(|file| self.of_gate(scope, file)).collect();
        if self.heeds_attributes {
            raised.extend(changed.iter().filter_map(|file| hidden::raise(scope, file)));
        }
        let texts: Vec<Texts<'_>> = changed.iter().map(|file| Texts::of(scope, file)).collect();
        let altered: Vec<Altered<'_>> = texts.iter().map(Texts::altered).collect();
        raised.extend(suppressions::raise(&altered));
        raised.extend(weakened::raise(&altered));
        let document = wire::Artifact {
            reviewer: Self::DOMAIN.to_owned(),
            findings: raised.into_iter().map(Raised::into_wire).collect(),
            residual_risks: Vec::new(),
            testing_gaps: Vec::new(),
            other: serde_json::Map::new(),
        };
        Ok(Answer::stated(document))
    }
}

impl GateIntegrity {
    /// Tells whether a file is looked at: the base may exclude any other than those that decide about changes.
    fn is_looked_at(&self, scope: &Scope, file: &ChangedFile) -> bool {
        let path = file.path.as_str();
        let is_at_root = || !path.contains('/') || path.starts_with('.');
        let decides = |row: Row| match row.kind {
            // Those of another repository decide nothing here.
            Kind::Ci | Kind::Owners => is_at_root(),
            kind => kind.is_guarded(),
        };
        let is_run = || self.executed.values().chain(self.checks.values()).any(|executed| executed.has(path));
        !scope.excluded.contains(&file.path)
            || settings::row_of(path).is_some_and(decides)
            || path.ends_with(".gitattributes")
            || is_run()
    }

    /// Raises a change to a file that decides about changes: at the first line that is new, or at large if it only takes away. A file that was
    /// moved away is gone from where it counted.
    fn of_gate(&self, scope: &Scope, file: &ChangedFile) -> Vec<Raised> {
        let from = match &file.change {
            FileChange::Renamed { from } => Some(from),
            _ => None,
        };
        let mut raised = Vec::new();
        let row = settings::row_of(file.path.as_str());
        let row_from = from.and_then(|from| settings::row_of(from.as_str()));
        for (path, row) in from.zip(row_from).into_iter().chain(row.map(|row| (&file.path, row))) {
            let is_gone = Some(path) == from;
            // A file that moves among its like is compared with itself, below its new path.
            let stays =
                Form::of(file.path.as_str()).is_some() && from.is_some_and(|from| Form::of(from.as_str()).is_some());
            match known(scope, file, path, &row) {
                Some(_) if is_gone && stays => {}
                Some(of_parts) => raised.extend(of_parts),
                None if row.kind.is_guarded() && is_gone => raised.push(at_large(path, "moved away", row.kind.words())),
                None if row.kind.is_guarded() => raised.push(altered(scope, file, row.kind.words())),
                None => {
                    let edited = of_settings(scope, file, path, &row, is_gone);
                    raised.extend(edited.map(|edited| self.weighed_by_checks(edited, &row)));
                }
            }
        }
        let is_high = raised.iter().any(|raised| raised.severity == "P1");
        let mut paths = from.into_iter().chain([&file.path]);
        let runs = |path: &RepoPath| self.executed.iter().find(|(_, executed)| executed.has(path.as_str()));
        let run_by_check = |path: &RepoPath| self.checks.iter().find(|(_, executed)| executed.has(path.as_str()));
        let by_check = paths.clone().find_map(run_by_check).map(|(name, _)| name);
        // Of a file that many programs share, only some tables decide, which are compared above.
        let is_shared = row.is_some_and(|row| matches!(row.part, Part::Tables(_)));
        if let Some((name, _)) = paths.find_map(runs).filter(|_| !is_high) {
            raised.push(of_executed(scope, file, name));
        } else if let Some(name) = by_check.filter(|_| !is_high && (!is_shared || has_foreign_package(file))) {
            raised.push(of_check(scope, file, name));
        }
        raised
    }
}

impl GateIntegrity {
    /// Settings of tests and builds, and those that programs share, decide whether a check passes: it ran with those of the change.
    fn weighed_by_checks(&self, raised: Raised, row: &Row) -> Raised {
        let decides = matches!(row.kind, Kind::Tests | Kind::Build) || matches!(row.part, Part::Tables(_));
        if self.checks.is_empty() || !decides || raised.severity == "P1" {
            return raised;
        }
        let names: Vec<&str> = self.checks.keys().map(String::as_str).collect();
        Raised {
            severity: "P1",
            owner: Owner::Human,
            why: format!("The checks ({}) ran with these settings, which decide whether they pass.", names.join(", ")),
            ..raised
        }
    }
}

/// Tells whether a list of packages has one that comes from a file, a folder or an address: it could be of the change itself.
fn has_foreign_package(file: &ChangedFile) -> bool {
    let packages = |text: &Option<std::sync::Arc<[u8]>>| -> BTreeSet<(String, String)> {
        let document: Option<serde_json::Value> = text.as_deref().and_then(|bytes| serde_json::from_slice(bytes).ok());
        let lists = ["dependencies", "devDependencies", "optionalDependencies", "overrides", "resolutions"];
        let of = |list: &str| document.as_ref()?.get(list)?.as_object().cloned();
        let entries = lists.into_iter().filter_map(of).flatten();
        entries
            .map(|(name, version)| (name, version.as_str().map_or_else(|| version.to_string(), str::to_owned)))
            .collect()
    };
    let (before, after) = (packages(&file.before), packages(&file.after));
    after.difference(&before).any(|(_, version)| version.contains([':', '/', '{']))
}

/// Raises an edit to a file that decides whether a check passes.
fn of_check(scope: &Scope, file: &ChangedFile, check: &str) -> Raised {
    Raised {
        title: format!("The change alters a file that the check {check} runs: {}", file.path),
        why: format!("The check {check} ran this version, which decides whether it passes, now and after the merge."),
        ..at_first_line(scope, file, "altered")
    }
}

/// Raises what an edit does to a file whose meaning is known: jobs and steps, hooks, prose. `None` is any other file.
fn known(scope: &Scope, file: &ChangedFile, path: &RepoPath, row: &Row) -> Option<Vec<Raised>> {
    let is_text =
        |bytes: &Option<std::sync::Arc<[u8]>>| bytes.as_deref().is_none_or(|bytes| str::from_utf8(bytes).is_ok());
    if file.is_symlink || !is_text(&file.before) || !is_text(&file.after) {
        return None;
    }
    if matches!(file.change, FileChange::TypeChanged | FileChange::ModeChanged) {
        return None;
    }
    let texts = Texts::of(scope, file);
    let it = texts.altered();
    // Of a file that was moved away, only what it was counts here.
    let is_from = matches!(&file.change, FileChange::Renamed { from } if from == path);
    let comes_from_elsewhere =
        matches!(&file.change, FileChange::Renamed { from } if !is_from && Form::of(from.as_str()).is_none());
    let before = (file.change != FileChange::Added && !comes_from_elsewhere && file.before.is_some())
        .then_some((it.path_before.as_str(), it.before));
    let after =
        (!(it.is_gone || is_from && Form::of(file.path.as_str()).is_none())).then_some((it.path.as_str(), it.after));
    if (before, after) == (None, None) {
        return None;
    }
    // A new hook runs on the machine of whoever works on the code, before anybody has looked at it.
    if row.kind == settings::Kind::Hooks && before.is_none() {
        return None;
    }
    if let Some(form) = Form::of(path.as_str()) {
        let elsewhere = checks_elsewhere(scope, file, form);
        let paths = scope.whole.files().map(|files| files.paths()).unwrap_or_default();
        let is_there = |path: &str| {
            path == "."
                || paths.iter().any(|it| {
                    it.as_str().strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
                })
        };
        let around = Surroundings { is_there: &is_there, elsewhere: &elsewhere };
        let found = pipeline::compare(form, before, after, &around);
        return Some(of_parts(scope, file, path, found, row.kind));
    }
    let name = path.as_str().rsplit('/').next().unwrap_or_default().to_lowercase();
    let is_prose = name.ends_with(".md") || name.ends_with(".mdc") || name.ends_with(".mdx") || name.ends_with(".txt");
    match row.kind {
        settings::Kind::Agents if is_prose || name.ends_with("rules") || name.ends_with("hints") => {
            let (old, new) = (before.map_or("", |it| it.1), after.map_or("", |it| it.1));
            let weighed = prose::weigh(old, new);
            let found = Found { edit: weighed.edit, what: path.to_string(), line: weighed.line };
            Some(of_parts(scope, file, path, vec![found], row.kind))
        }
        // Another version of a compiler is a decision about support, as in a matrix.
        settings::Kind::Ci if before.zip(after).is_some_and(|(old, new)| is_version(old.1) && is_version(new.1)) => {
            Some(Vec::new())
        }
        // A page beside them checks nothing.
        settings::Kind::Ci if is_prose => Some(Vec::new()),
        // Of the other forms it can only be told that nothing but words about them changed.
        settings::Kind::Ci | settings::Kind::Hooks => {
            let (old, new) = (before?, after?);
            let same = DataTree::read(old.1).ok()? == DataTree::read(new.1).ok()?;
            (same && (name.ends_with(".yml") || name.ends_with(".yaml"))).then(Vec::new)
        }
        _ => None,
    }
}

/// Tells whether a file says a version and nothing else: `.java-version`.
fn is_version(text: &str) -> bool {
    let text = text.trim();
    let is_plain = text.chars().all(|c| c.is_ascii_alphanumeric() || ".-_+".contains(c));
    is_plain && text.len() <= 40 && text.contains(|c: char| c.is_ascii_digit())
}

/// Returns the checks of the other files of a form that the change touches, as they are after it.
fn checks_elsewhere(scope: &Scope, file: &ChangedFile, form: Form) -> Vec<String> {
    let others =
        scope.files.iter().filter(|other| other.path != file.path && Form::of(other.path.as_str()) == Some(form));
    let read = |other: &ChangedFile| {
        let text = other.after.as_deref().map(String::from_utf8_lossy);
        text.map(|text| pipeline::checks_of(form, other.path.as_str(), &text)).unwrap_or_default()
    };
    let gone = |other: &&ChangedFile| other.change != FileChange::Deleted;
    others.filter(gone).flat_map(read).collect()
}

/// Raises edits of jobs: each that is for a person by itself, the others together.
fn of_parts(
    scope: &Scope,
    file: &ChangedFile,
    path: &RepoPath,
    found: Vec<Found>,
    kind: settings::Kind,
) -> Vec<Raised> {
    let texts = Texts::of(scope, file);
    let it = texts.altered();
    let mut raised = Vec::new();
    let mut harmless = Vec::new();
    for Found { edit, what, line } in found {
        let row = edits::row(edit);
        let said = if what.is_empty() { format!("{}: {path}", row.title) } else { format!("{}: {what}", row.title) };
        if row.weight == Weight::Info {
            harmless.push(said);
            continue;
        }
        let place = match line.filter(|line| it.is_added(*line)) {
            Some(line) => Raised::at(&file.path, line, it.after.lines().nth(line as usize - 1).unwrap_or_default()),
            None => at_first_line(scope, file, "altered"),
        };
        let why = format!("{} {}", row.why, "This review used what the base has.");
        raised.push(match row.weight {
            Weight::High => Raised { title: said, why, ..place },
            _ => Raised {
                title: said,
                severity: "P2",
                owner: Owner::DownstreamResolver,
                why,
                fix: "Explain in the change why they change.".to_owned(),
                ..place
            },
        });
    }
    if !harmless.is_empty() && raised.is_empty() && kind != settings::Kind::Build {
        harmless.truncate(MOST_LISTED);
        raised.push(Raised {
            title: format!("{} changes, and no check is weaker: {path}", capitalised(kind.words())),
            severity: "P3",
            owner: Owner::DownstreamResolver,
            why: format!("{}.", harmless.join("; ")),
            fix: "Nothing to do.".to_owned(),
            ..at_first_line(scope, file, "altered")
        });
    }
    // What closes the gate comes first, so that a long list of lesser edits hides none of it.
    raised.sort_by_key(|raised| raised.severity);
    raised.truncate(MOST_LISTED);
    raised
}

/// Raises an edit to a file that a reviewer runs.
fn of_executed(scope: &Scope, file: &ChangedFile, reviewer: &str) -> Raised {
    Raised {
        title: format!("The change alters a file that the reviewer {reviewer} runs: {}", file.path),
        why: format!(
            "The reviewer {reviewer} ran the file of the base; after the merge, this version decides about other changes."
        ),
        ..at_first_line(scope, file, "altered")
    }
}

/// Raises an edit to settings: High and for a person if it checks less.
fn of_settings(scope: &Scope, file: &ChangedFile, path: &RepoPath, row: &Row, is_gone: bool) -> Option<Raised> {
    let text = |bytes: &Option<std::sync::Arc<[u8]>>| {
        bytes.as_deref().map(|bytes| String::from_utf8_lossy(bytes).into_owned())
    };
    let is_new = matches!(&file.change, FileChange::Renamed { .. }) && !is_gone;
    let before = text(&file.before).filter(|_| !is_new);
    let after = text(&file.after).filter(|_| !is_gone && file.change != FileChange::Deleted);
    let place = match is_gone {
        true => Raised::at_large(format!("moved away: {path}")),
        false => at_first_line(scope, file, "altered"),
    };
    let tool = row.tool;
    let narrowed = after
        .as_deref()
        .and_then(|after| test_selection::narrowed(path.as_str(), before.as_deref(), after, &test_files(scope)));
    let elsewhere = settings_elsewhere(scope, file);
    let difference =
        match (weakening::compare(row, path.as_str(), before.as_deref(), after.as_deref(), &elsewhere), narrowed) {
            (difference, None) => difference,
            (Difference::Weaker(reasons), Some(narrowed)) => Difference::Weaker([vec![narrowed], reasons].concat()),
            (_, Some(narrowed)) => Difference::Weaker(vec![narrowed]),
        };
    let merges_alone =
        row.kind == Kind::Updates && weakening::merges_alone(path.as_str(), before.as_deref(), after.as_deref());
    match difference {
        _ if merges_alone => Some(Raised {
            title: format!("{tool} merges updates without a person: {path}"),
            why: "Code of other people comes in, and nobody has looked at it.".to_owned(),
            ..place
        }),
        // It proposes changes, which are reviewed like any other.
        Difference::None | Difference::Other if row.kind == Kind::Updates => None,
        Difference::None => None,
        Difference::Weaker(reasons) if row.kind == Kind::Updates => Some(Raised {
            title: format!(
                "{tool} proposes fewer updates: {}",
                reasons.first().map(String::as_str).unwrap_or_default()
            ),
            severity: "P2",
            owner: Owner::DownstreamResolver,
            why: format!("Defects of packages stay longer: {}.", reasons.join("; ")),
            fix: "Explain in the change why the settings change.".to_owned(),
            ..place
        }),
        Difference::Weaker(reasons) => Some(Raised {
            title: format!("Weakens {tool}: {}", reasons.first().map(String::as_str).unwrap_or_default()),
            why: format!(
                "{tool} checks less from now on: {}. This review used the settings of the base.",
                reasons.join("; ")
            ),
            ..place
        }),
        // What a tool that the base runs makes of its first settings cannot be told from their text.
        Difference::Other
            if before.is_none()
                && after.as_deref().is_some_and(|after| !weakening::only_checks_more(row, path.as_str(), after))
                && in_use::is_run(scope, tool) =>
        {
            Some(Raised {
                title: format!("The change brings settings for {tool}: {path}"),
                why: format!(
                    "The base runs {tool} without this file. From now on {tool} may check less; this review used the base."
                ),
                ..place
            })
        }
        Difference::Other => Some(Raised {
            title: format!("The change alters the settings of {tool}: {path}"),
            severity: "P2",
            owner: Owner::DownstreamResolver,
            why: format!("{tool} may check something else from now on. This review used the settings of the base."),
            fix: "Explain in the change why the settings change.".to_owned(),
            ..place
        }),
    }
}

/// Returns the settings of the other settings files that the change touches.
fn settings_elsewhere(scope: &Scope, file: &ChangedFile) -> Elsewhere {
    let mut elsewhere = Elsewhere::default();
    for other in
        scope.files.iter().filter(|other| other.path != file.path && settings::row_of(other.path.as_str()).is_some())
    {
        let said = |bytes: &Option<std::sync::Arc<[u8]>>| {
            let text = bytes.as_deref().map(String::from_utf8_lossy).unwrap_or_default();
            entries::entries(other.path.as_str(), &text).iter().map(entries::placeless).collect::<Vec<_>>()
        };
        let (before, after) = (said(&other.before), said(&other.after));
        elsewhere.gone.extend(before.iter().filter(|it| !after.contains(it)).cloned());
        elsewhere.came.extend(after.into_iter().filter(|it| !before.contains(it)));
    }
    elsewhere
}

/// Returns the test files of the tree after the change.
fn test_files(scope: &Scope) -> Vec<String> {
    let is_test = |path: &String| jury_rules::is_test(path) && jury_rules::Language::of(path).is_some();
    let all = scope.whole.files().map(|files| files.paths()).unwrap_or_default();
    all.iter().map(ToString::to_string).filter(is_test).collect()
}

fn altered(scope: &Scope, file: &ChangedFile, what: &str) -> Raised {
    if file.change == FileChange::Deleted {
        return at_large(&file.path, "removed", what);
    }
    match first_line(scope, file) {
        Some((line, quoted)) => {
            Raised { title: format!("The change alters {what}"), ..Raised::at(&file.path, line, &quoted) }
        }
        None => at_large(&file.path, "altered", what),
    }
}

/// Raises a file at its first changed line, or the repository as a whole if there is none.
fn at_first_line(scope: &Scope, file: &ChangedFile, verb: &str) -> Raised {
    let verb = if file.change == FileChange::Deleted { "removed" } else { verb };
    match first_line(scope, file) {
        Some((line, quoted)) => Raised::at(&file.path, line, &quoted),
        None => Raised::at_large(format!("{verb}: {}", file.path)),
    }
}

/// Returns the first line that the change adds or alters, unless it is blank.
fn first_line(scope: &Scope, file: &ChangedFile) -> Option<(u32, String)> {
    let text = file.after.as_deref().map(String::from_utf8_lossy)?;
    let line = scope.change.lines(&file.path, Side::Right).first().map(|lines| lines.start().get())?;
    let quoted = text.lines().nth(line as usize - 1).filter(|quoted| !quoted.trim().is_empty())?;
    Some((line, quoted.to_owned()))
}

/// Raises a change that has no line to point at, on the repository as a whole.
fn at_large(path: &RepoPath, verb: &str, what: &str) -> Raised {
    let title = format!("{}: {path}", capitalised(&format!("{what} was {verb}")));
    Raised { title, ..Raised::at_large(format!("{verb}: {path}")) }
}

fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dispatch::tests::scope_of;
    use crate::model::{Change, LineRange, PatchId};
    use crate::record::Output;

    fn path(text: &str) -> RepoPath {
        RepoPath::new(text).unwrap()
    }

    fn raised(files: &[(&str, FileChange)]) -> Vec<(String, String, u32)> {
        let mut change = Change::default();
        let files = files.iter().map(|(name, kind)| {
            change.add_file(path(name));
            let is_there = matches!(kind, FileChange::Added | FileChange::Modified);
            if is_there {
                change.add_lines(path(name), Side::Right, LineRange::parse("2").unwrap());
            }
            ChangedFile {
                path: path(name),
                change: kind.clone(),
                id: None,
                patch: PatchId::new(&"0".repeat(64)).unwrap(),
                before: None,
                after: is_there.then(|| b"a: 1\n  b: 2\n".as_slice().into()),
                is_symlink: false,
                asset: None,
            }
        });
        let files = files.collect();
        let answer = GateIntegrity::default().run(&scope_of(files, change));
        let Output::Stated(document) = answer.unwrap().output else { panic!("it states its findings") };
        document.findings.into_iter().map(|found| (found.merge.title, found.merge.file, found.merge.line)).collect()
    }

    #[test]
    fn every_way_of_changing_it_is_raised() {
        assert_eq!(raised(&[("src/a.rs", FileChange::Modified)]), []);
        assert_eq!(raised(&[("jury.toml", FileChange::Whole)]), []);
        let at = |file: &str, line| (file.to_owned(), line);
        for (kind, place) in [
            (FileChange::Added, at("jury.toml", 2)),
            (FileChange::Modified, at("jury.toml", 2)),
            (FileChange::Deleted, at(".", 1)),
            (FileChange::ModeChanged, at(".", 1)),
            (FileChange::TypeChanged, at(".", 1)),
        ] {
            let raised = raised(&[("jury.toml", kind)]);
            assert_eq!(raised.iter().map(|(_, file, line)| (file.clone(), *line)).collect::<Vec<_>>(), [place]);
        }
        let moved = raised(&[("old.toml", FileChange::Renamed { from: path("jury.toml") })]);
        assert_eq!(moved[0].0, "The policy of the gate was moved away: jury.toml");
    }

    /// Returns the findings about a change of texts: severity, file, line, title.
    fn weighed(files: &[(&str, Option<&str>, Option<&str>)]) -> Vec<(String, String, u32, String)> {
        let mut change = Change::default();
        let files = files.iter().map(|(name, before, after)| {
            change.add_file(path(name));
            let lines = |text: &Option<&str>| text.map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>());
            let (old, new) = (lines(before).unwrap_or_default(), lines(after).unwrap_or_default());
            // Good enough a diff for a test: the lines missing on the other side.
            for (side, here, there) in [(Side::Right, &new, &old), (Side::Left, &old, &new)] {
                for (number, _) in (1..).zip(here).filter(|(_, line)| !there.contains(line)) {
                    change.add_lines(path(name), side, LineRange::parse(&format!("{number}")).unwrap());
                }
            }
            let kind = match (before, after) {
                (None, _) => FileChange::Added,
                (_, None) => FileChange::Deleted,
                _ => FileChange::Modified,
            };
            let bytes = |text: &Option<&str>| text.map(|text| text.as_bytes().into());
            ChangedFile {
                path: path(name),
                change: kind,
                id: None,
                patch: PatchId::new(&"0".repeat(64)).unwrap(),
                before: bytes(before),
                after: bytes(after),
                is_symlink: false,
                asset: None,
            }
        });
        let files = files.collect();
        let answer = GateIntegrity::default().run(&scope_of(files, change));
        let Output::Stated(document) = answer.unwrap().output else { panic!("it states its findings") };
        let found = document.findings.into_iter().map(|found| found.merge);
        found.map(|found| (found.severity, found.file, found.line, found.title)).collect()
    }

    #[test]
    fn words_that_stand_anywhere_are_no_trace_of_a_test() {
        let test = |name: &str, value: u32| {
            format!("  it \"{name}\" do\n    expect(packed({value})).to eq(\"x{value}\")\n  end\n")
        };
        let spec = |tests: &str| {
            format!("describe \"packing\" do\n{tests}\n  def helper\n    if true\n      1\n    end\n  end\nend\n")
        };
        let before = spec(&[test("small", 1), test("large", 2), test("kept", 3)].concat());
        let path = "spec/packing_spec.rb";
        let removed = titles(&[(path, Some(&before), Some(&spec(&test("kept", 3))))]);
        assert_eq!(removed, ["2 tests were removed from spec/packing_spec.rb"]);
        let body = "  def small\n    expect(packed(1)).to eq(\"x1\")\n  end\n";
        let idle = titles(&[(path, Some(&before), Some(&spec(&[body, &test("large", 2), &test("kept", 3)].concat())))]);
        assert_eq!(idle, ["This test does not run any more under its new name: small"]);
    }

    #[test]
    fn a_version_beside_the_workflows_is_no_edit_of_them() {
        let path = ".github/workflows/.java-version";
        assert_eq!(titles(&[(path, Some("25\n"), Some("26\n"))]), [""; 0]);
        assert_eq!(titles(&[(path, Some("25\n"), Some("26\n27\n"))]).len(), 1);
        assert_eq!(titles(&[(".github/workflows/check.sh", Some("make check\n"), Some("true\n"))]).len(), 1);
    }

    #[test]
    fn a_program_that_proposes_updates_checks_nothing_unless_it_merges_alone() {
        let severity = |before: &str, after: &str| {
            let found = weighed(&[("renovate.json", Some(before), Some(after))]);
            found.into_iter().map(|(severity, ..)| severity).collect::<Vec<_>>()
        };
        let plain = "{\"labels\": [\"a\"]}";
        assert_eq!(severity(plain, "{\"labels\": [\"a\"], \"rebaseWhen\": \"never\"}"), ["P2"]);
        assert_eq!(severity(plain, "{\"labels\": [\"a\"], \"ignoreDeps\": [\"left-pad\"]}"), ["P2"]);
        assert_eq!(severity(plain, "{\"labels\": [\"b\"]}"), Vec::<String>::new());
        assert_eq!(severity(plain, "{\"labels\": [\"a\"], \"automerge\": true}"), ["P1"]);
        let of_rule = "{\"labels\": [\"a\"], \"packageRules\": [{\"matchDepTypes\": [\"x\"], \"automerge\": true}]}";
        assert_eq!(severity(plain, of_rule), ["P1"]);
        assert_eq!(severity(of_rule, plain), ["P2"], "a rule less may mean anything, and checks nothing");
    }

    fn titles(files: &[(&str, Option<&str>, Option<&str>)]) -> Vec<String> {
        weighed(files).into_iter().map(|(_, _, _, title)| title).collect()
    }

    #[test]
    fn a_new_suppression_is_raised_and_a_moved_or_edited_one_is_not() {
        let noqa = "import os\nx = f()  # noqa\n";
        let raised = weighed(&[("a.py", Some("import os\nx = f()\n"), Some(noqa))]);
        let expected = ("P2".to_owned(), "a.py".to_owned(), 2, "Silenced here: Python linters".to_owned());
        assert_eq!(raised, [expected]);
        assert_eq!(titles(&[("a.py", Some(noqa), Some("import os\nx = g()  # noqa\n"))]), [""; 0]);
        assert_eq!(
            titles(&[("a.py", Some(noqa), Some("import os\n")), ("b.py", None, Some("x = f()  # noqa\n"))]),
            [""; 0]
        );
        assert_eq!(titles(&[("a.md", None, Some("Write `x` # noqa\n"))]), [""; 0]);
    }

    #[test]
    fn a_new_ignore_of_ours_is_high_and_for_a_person() {
        let after = "// jury-ignore: code-injection -- ours\neval(x);\n";
        let raised = weighed(&[("a.ts", Some("eval(x);\n"), Some(after))]);
        assert_eq!(raised[0].0, "P1");
        assert_eq!((raised[0].2, raised[0].3.as_str()), (1, "The change tells Jury to ignore code-injection"));
        // Moved with the code it covers it is the old one; over other code it is new.
        let elsewhere = ("b.ts", None, Some(after));
        assert_eq!(titles(&[("a.ts", Some(after), None), elsewhere]), [""; 0]);
        let other = "// jury-ignore: code-injection -- ours\neval(y);\n";
        assert_eq!(titles(&[("a.ts", Some(after), None), ("b.ts", None, Some(other))]).len(), 1);
        // Where only the code below it changes, it does not count any more, and the finding stands.
        assert_eq!(titles(&[("a.ts", Some(after), Some(other))]), [""; 0]);
    }

    #[test]
    fn tests_that_prove_less_are_raised() {
        let before = "it('adds', () => {\n  expect(add(1, 1)).toBe(2);\n  expect(add(1, 2)).toBe(3);\n});\nit('waits', () => {\n  expect(wait()).toBe(1);\n});\n";
        let file = "src/a.test.ts";
        let with = |after: &str| titles(&[(file, Some(before), Some(after))]);
        assert_eq!(with(&before.replace("it('waits'", "it.skip('waits'")), ["This test does not run"]);
        assert_eq!(
            with(&before.replace("  expect(add(1, 2)).toBe(3);\n", "")),
            ["Asserts less than before (1 instead of 2): adds"]
        );
        let cut = before.split_once("it('waits'").unwrap().0;
        assert_eq!(with(cut), ["A test was removed from src/a.test.ts: waits"]);
        assert_eq!(titles(&[(file, Some(before), None)]), ["A file of tests was removed: src/a.test.ts"]);
        assert_eq!(titles(&[("src/a.ts", Some(before), None)]), [""; 0], "what is no test by its path is none");
    }

    #[test]
    fn tests_that_are_moved_renamed_or_better_are_not_raised() {
        let before = "def test_a():\n    x = f()\n    assert x\n\ndef test_b():\n    y = g()\n    assert y\n";
        let (file, elsewhere) = ("tests/test_a.py", "tests/test_b.py");
        assert_eq!(titles(&[(file, Some(before), None), (elsewhere, None, Some(before))]), [""; 0]);
        let (a, b) = before.split_once("\ndef test_b").unwrap();
        let b = format!("def test_b{b}");
        assert_eq!(titles(&[(file, Some(before), Some(a)), (elsewhere, None, Some(&b))]), [""; 0]);
        let renamed = before.replace("test_b", "test_that_g_holds");
        assert_eq!(titles(&[(file, Some(before), Some(&renamed))]), [""; 0]);
        // Two assertions that became one, and one that went into a helper of another file.
        let old = "def test_a():\n    x = f()\n    assert x.a == 1\n    assert x.b == 2\n";
        let merged = "def test_a():\n    x = f()\n    assert (x.a, x.b) == (1, 2)\n";
        assert_eq!(titles(&[(file, Some(old), Some(merged))]), [""; 0]);
        let helped = "from tests.support import same\n\ndef test_a():\n    x = f()\n    same(x)\n    assert x\n";
        let support = "def same(x):\n    assert x.a == 1\n";
        let moved = [(file, Some(old), Some(helped)), ("tests/support.py", None, Some(support))];
        assert_eq!(titles(&moved), [""; 0]);
        let better = before.replace("assert x\n", "assert x\n    assert x > 1\n");
        assert_eq!(titles(&[(file, Some(before), Some(&better))]), [""; 0]);
    }
}
