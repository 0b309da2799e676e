//! The existing files → a plan of edits. Pure: the same surroundings give the same plan, and a plan that was carried out gives an empty one.

use std::collections::{BTreeMap, BTreeSet};

use jury::agents::{self, HOSTS, Host, Piece};
use jury::config::{Config, POLICY_FILE};
use jury::store::Spot;
use serde_json::Value;

use super::git_hook::{self, HookPlace};
use super::hosts;
use super::notes::Noted;
use super::{Edit, Plan, Refusal, Surroundings, Text, entries};
use crate::plugin;

/// The wanted setup.
#[derive(Clone, Debug, Default)]
pub(crate) struct Wish {
    /// The hosts of agents.
    pub(crate) hosts: Vec<&'static str>,
    /// Whether git's hooks are wanted.
    pub(crate) with_git: bool,
    /// The ready-made linters to name in jury.toml.
    pub(crate) linters: Vec<String>,
    /// The globs of code that may pass as text.
    pub(crate) text_only: Vec<String>,
}

/// How a file is merged with the existing one, and removed again.
enum Kind {
    /// It is ours from the first to the last byte.
    Whole,
    Json(Value),
    Toml([&'static str; 2]),
    Section,
}

/// Plans the files to write.
pub(crate) fn install(around: &Surroundings, wish: &Wish) -> Plan {
    let mut planner = Planner::new(around);
    let chosen = wish.hosts.iter().filter_map(|name| agents::by_name(name));
    for (path, (text, kind)) in pieces(chosen) {
        planner.put(Spot::Tree(path), &text, &kind);
    }
    if wish.with_git {
        git_hook::HOOKS.iter().for_each(|name| planner.put_hook(name));
    }
    planner.put_policy(wish);
    planner.plan
}

/// Plans the removal, so that every file is restored.
pub(crate) fn remove(around: &Surroundings) -> Plan {
    let mut planner = Planner::new(around);
    let pieces = pieces(HOSTS.iter());
    let noted: BTreeSet<Spot> = around.notes.files.keys().cloned().collect();
    let known = pieces.keys().map(|path| Spot::Tree(path.clone()));
    for spot in noted.into_iter().chain(known).collect::<BTreeSet<_>>() {
        let piece = match &spot {
            Spot::Tree(path) => pieces.get(path),
            Spot::Hook(_) => None,
        };
        planner.take(&spot, piece);
    }
    git_hook::HOOKS.iter().for_each(|name| planner.take_unnoted_hook(name));
    if planner.plan.refused.is_empty() {
        planner.plan.notes.folders.clear();
    }
    planner.plan
}

/// Returns every file of some hosts, by its path: the text from the plugin, and how it is joined.
fn pieces<'h>(hosts: impl Iterator<Item = &'h Host>) -> BTreeMap<String, (String, Kind)> {
    let mut files = BTreeMap::new();
    for piece in hosts.flat_map(|host| host.install.pieces) {
        for (path, text) in hosts::files(piece) {
            let kind = match piece {
                Piece::Folder { .. } => Kind::Whole,
                Piece::Json { from, .. } => {
                    let texts: Vec<&str> = from.iter().map(|path| plugin::written(path)).collect();
                    Kind::Json(entries::wanted_json(&texts))
                }
                Piece::Toml { table, .. } => Kind::Toml(*table),
                Piece::Section { .. } => Kind::Section,
            };
            files.insert(path, (text, kind));
        }
    }
    files
}

struct Planner<'a> {
    around: &'a Surroundings,
    plan: Plan,
}

impl<'a> Planner<'a> {
    fn new(around: &'a Surroundings) -> Self {
        Self { around, plan: Plan { notes: around.notes.clone(), ..Plan::default() } }
    }

    /// Returns the content of a file; refuses one that cannot be edited.
    fn text(&mut self, spot: &Spot, add: &str) -> Option<Option<&'a str>> {
        match self.around.texts.get(spot) {
            None => Some(None),
            Some(Text::Read(text)) => Some(Some(text)),
            Some(Text::Unreadable(why)) => {
                self.refuse(spot, why.clone(), add);
                None
            }
        }
    }

    fn refuse(&mut self, spot: &Spot, why: String, add: &str) {
        self.plan.refused.push(Refusal { spot: spot.clone(), why, add: add.to_owned() });
    }

    /// Plans the new content of a file, and notes the content before Jury.
    fn edit(&mut self, spot: Spot, before: Option<&str>, after: String, is_executable: bool) {
        if before == Some(after.as_str()) {
            self.plan.settled += 1;
            return;
        }
        let noted = self.around.notes.files.get(&spot);
        // If the file was changed by others since, the content before Jury is no longer the one to restore.
        let is_still_ours = noted.zip(before).is_some_and(|(noted, text)| noted.is_as_written(text));
        let original = match noted {
            Some(noted) if is_still_ours => noted.before.clone(),
            _ => before.map(str::to_owned),
        };
        self.plan.notes.files.insert(spot.clone(), Noted::new(original, &after, is_executable));
        self.plan.edits.push(Edit { spot, before: before.map(str::to_owned), after: Some(after), is_executable });
    }

    fn put(&mut self, spot: Spot, text: &str, kind: &Kind) {
        let add = match kind {
            Kind::Json(wanted) => entries::into_json(None, wanted).unwrap_or_default(),
            Kind::Whole => String::new(),
            Kind::Toml(_) | Kind::Section => text.to_owned(),
        };
        let Some(here) = self.text(&spot, &add) else { return };
        let joined = match kind {
            Kind::Whole => self.whole(&spot, here, text),
            Kind::Json(wanted) => entries::into_json(here, wanted),
            Kind::Toml(table) => entries::into_toml(here, text, *table),
            Kind::Section => entries::into_section(here, text),
        };
        match joined {
            Ok(after) => self.edit(spot, here, after, false),
            Err(why) => self.refuse(&spot, why, &add),
        }
    }

    /// A file that is ours as a whole takes the place of an older one of ours, and of nothing else.
    fn whole(&self, spot: &Spot, here: Option<&str>, text: &str) -> Result<String, String> {
        let noted = self.around.notes.files.get(spot);
        match here {
            Some(here) if here != text && !noted.is_some_and(|noted| noted.is_as_written(here)) => {
                Err("another file has that name; move it away first".to_owned())
            }
            _ => Ok(text.to_owned()),
        }
    }

    fn put_hook(&mut self, name: &str) {
        let (spot, kept) = (git_hook::spot(name), git_hook::kept(name));
        let line = git_hook::line(name);
        match &self.around.hooks {
            HookPlace::Own(_) => {}
            HookPlace::Unknown => {
                return self.refuse(&spot, "git does not report its hooks directory".to_owned(), &line);
            }
            HookPlace::Foreign(path, why) => {
                return self.refuse(&spot, format!("git looks for it in {}, {why}", path.display()), &line);
            }
        }
        let Some(here) = self.text(&spot, &line) else { return };
        let Some(before) = self.text(&kept, &line) else { return };
        match here {
            // The user's own hook calls it, which is as good.
            Some(here) if !git_hook::is_ours(here) && here.contains(&format!("jury hook git {name}")) => {
                self.plan.settled += 1;
            }
            Some(here) if !git_hook::is_ours(here) && before.is_some() => {
                let why = format!("it is not the installed one, and {name}{} already exists", git_hook::KEPT);
                self.refuse(&spot, why, &line);
            }
            Some(here) if !git_hook::is_ours(here) => {
                self.edit(kept, None, here.to_owned(), true);
                self.edit(spot, Some(here), git_hook::script(name, true), true);
            }
            here => self.edit(spot, here, git_hook::script(name, before.is_some()), true),
        }
    }

    /// Names linters and globs in jury.toml; those that it names already are left as they are.
    fn put_policy(&mut self, wish: &Wish) {
        let Wish { linters, text_only, .. } = wish;
        if linters.is_empty() && text_only.is_empty() {
            return;
        }
        let spot = Spot::Tree(POLICY_FILE.to_owned());
        let block = |name: &String| format!("[reviewers.{name}]\nkind = \"tool\"\nuse = \"{name}\"\n");
        let quoted: Vec<String> = text_only.iter().map(|glob| Value::from(glob.as_str()).to_string()).collect();
        let scope = format!("[scope]\ntext_only = [{}]\n", quoted.join(", "));
        let scope = (!text_only.is_empty()).then_some(scope);
        let all: Vec<String> = linters.iter().map(block).chain(scope.clone()).collect();
        let Some(here) = self.text(&spot, &all.join("\n")) else { return };
        let read = |text: &str| Config::read(Some(text.as_bytes()), &|_| None).map_err(|error| error.to_string());
        let config = match read(here.unwrap_or_default()) {
            Ok(config) => config,
            Err(why) => return self.refuse(&spot, why, &all.join("\n")),
        };
        let is_new = |name: &&String| !config.reviewers.iter().any(|it| it.name.as_str() == name.as_str());
        let has_globs = text_only.iter().all(|glob| config.scope.text_only.contains(glob));
        let blocks: Vec<String> =
            linters.iter().filter(is_new).map(block).chain(scope.filter(|_| !has_globs)).collect();
        let start = here.map(|text| format!("{}\n\n", text.trim_end())).filter(|text| !text.trim().is_empty());
        let after = match blocks.is_empty() {
            true => here.unwrap_or_default().to_owned(),
            false => start.unwrap_or_default() + &blocks.join("\n"),
        };
        match read(&after) {
            Ok(_) => self.edit(spot, here, after, false),
            Err(why) => self.refuse(&spot, why, &all.join("\n")),
        }
    }

    /// Plans a file to be as it was before Jury came, or, if others have changed it since, without Jury's entries.
    fn take(&mut self, spot: &Spot, piece: Option<&(String, Kind)>) {
        // A file that Jury never wrote need not be understood.
        if !self.around.notes.files.contains_key(spot)
            && matches!(self.around.texts.get(spot), Some(Text::Unreadable(_)))
        {
            return;
        }
        let Some(here) = self.text(spot, "") else { return };
        let noted = self.plan.notes.files.remove(spot);
        let Some(here) = here else { return };
        if let Some(noted) = noted.as_ref().filter(|noted| noted.is_as_written(here)) {
            let (after, is_executable) = (noted.before.clone(), noted.is_executable);
            self.change(spot, here, after, is_executable);
            return;
        }
        let left = match piece {
            Some((text, Kind::Whole)) if text == here => Ok(None),
            Some((_, Kind::Whole)) if noted.is_none() => return,
            Some((_, Kind::Json(wanted))) => entries::out_of_json(here, wanted),
            Some((_, Kind::Toml(_))) => entries::out_of_toml(here),
            Some((_, Kind::Section)) => entries::out_of_section(here),
            Some((_, Kind::Whole)) | None => Err("it was changed since it was written".to_owned()),
        };
        match left {
            Ok(left) => self.change(spot, here, left, false),
            Err(_) if noted.is_none() => {}
            Err(why) => {
                self.plan.notes.files.extend(noted.map(|noted| (spot.clone(), noted)));
                self.refuse(spot, why, "");
            }
        }
    }

    fn change(&mut self, spot: &Spot, here: &str, after: Option<String>, is_executable: bool) {
        if after.as_deref() != Some(here) {
            self.plan.edits.push(Edit { spot: spot.clone(), before: Some(here.to_owned()), after, is_executable });
        }
    }

    /// A hook of ours without notes, as in another worktree, goes as well; the earlier one comes back.
    fn take_unnoted_hook(&mut self, name: &str) {
        let (spot, kept) = (git_hook::spot(name), git_hook::kept(name));
        if self.around.notes.files.contains_key(&spot) {
            return;
        }
        let Some(Some(here)) = self.text(&spot, "") else { return };
        if !git_hook::is_ours(here) {
            return;
        }
        let Some(before) = self.text(&kept, "") else { return };
        self.change(&spot, here, before.map(str::to_owned), true);
        if let Some(before) = before {
            self.change(&kept, before, None, true);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wish(hosts: &[&'static str], with_git: bool, linters: &[&str]) -> Wish {
        let linters = linters.iter().map(|name| (*name).to_owned()).collect();
        Wish { hosts: hosts.to_vec(), with_git, linters, text_only: Vec::new() }
    }

    fn around(files: &[(&str, &str)]) -> Surroundings {
        let texts = files.iter().map(|(path, text)| (Spot::Tree((*path).to_owned()), Text::Read((*text).to_owned())));
        Surroundings { texts: texts.collect(), hooks: HookPlace::Own("/hooks".into()), ..Surroundings::default() }
    }

    /// Carries a plan out on paper.
    fn done(mut around: Surroundings, plan: &Plan) -> Surroundings {
        for edit in &plan.edits {
            match &edit.after {
                Some(text) => around.texts.insert(edit.spot.clone(), Text::Read(text.clone())),
                None => around.texts.remove(&edit.spot),
            };
        }
        around.notes = plan.notes.clone();
        around
    }

    #[test]
    fn all_hosts_come_and_go_and_twice_is_once() {
        let hosts: Vec<&'static str> = HOSTS.iter().map(|host| host.name).collect();
        let mut before = around(&[
            ("CLAUDE.md", "# Ours"),
            (".claude/settings.json", "{\"permissions\":{\"allow\":[ \"Bash\" ]}}"),
            (".codex/config.toml", "model = \"x\"\n"),
            ("jury.toml", "[policy]\nblock_at = \"High\"\n"),
        ]);
        before.texts.insert(git_hook::spot("pre-push"), Text::Read("#!/bin/sh\nmine\n".to_owned()));
        let wish = wish(&hosts, true, &["ruff"]);
        let plan = install(&before, &wish);
        assert_eq!(plan.refused, []);
        let after = done(before.clone(), &plan);
        assert!(matches!(&after.texts[&git_hook::kept("pre-push")], Text::Read(text) if text == "#!/bin/sh\nmine\n"));
        let again = install(&after, &wish);
        assert_eq!((again.edits.as_slice(), again.refused.as_slice()), (&[][..], &[][..]));
        assert_eq!(again.notes, after.notes);
        let gone = done(after.clone(), &remove(&after));
        assert_eq!(gone.texts, before.texts);
        assert_eq!(gone.notes, before.notes);
        // A clone has no notes, and still nothing of ours is left.
        let forgetful = Surroundings { notes: Default::default(), ..after };
        let gone = done(forgetful.clone(), &remove(&forgetful));
        assert!(gone.texts.values().all(|text| !matches!(text, Text::Read(text) if text.contains("jury hook"))));
        assert!(!gone.texts.contains_key(&Spot::Tree(".claude/skills/code-review/SKILL.md".to_owned())));
    }

    #[test]
    fn an_unreadable_or_foreign_file_is_left_alone_and_the_rest_goes_on() {
        let around = around(&[
            (".claude/settings.json", "{ // why\n}\n"),
            (".claude/agents/qa-reviewer.md", "mine\n"),
            ("jury.toml", "[policy\n"),
        ]);
        let plan = install(&around, &wish(&["claude"], false, &["eslint"]));
        let refused: Vec<String> = plan.refused.iter().map(|it| super::super::shown(&it.spot)).collect();
        assert_eq!(refused, [".claude/agents/qa-reviewer.md", ".claude/settings.json", "jury.toml"]);
        assert!(plan.refused[1].add.contains("jury hook claude stop"));
        assert!(plan.edits.iter().any(|edit| edit.spot == Spot::Tree(".mcp.json".to_owned())));
        assert_eq!(remove(&around).edits, []);
    }

    #[test]
    fn what_others_changed_since_keeps_their_change() {
        let before = around(&[("CLAUDE.md", "# Ours\n")]);
        let after = done(before.clone(), &install(&before, &wish(&["claude"], false, &[])));
        let mut changed = after.clone();
        let spot = Spot::Tree("CLAUDE.md".to_owned());
        let Text::Read(text) = &after.texts[&spot] else { panic!() };
        changed.texts.insert(spot.clone(), Text::Read(format!("# More\n\n{text}")));
        let gone = done(changed.clone(), &remove(&changed));
        assert_eq!(gone.texts[&spot], Text::Read("# More\n\n# Ours\n".to_owned()));
        let agent = Spot::Tree(".claude/agents/qa-reviewer.md".to_owned());
        changed.texts.insert(agent.clone(), Text::Read("edited\n".to_owned()));
        let plan = remove(&changed);
        assert_eq!(plan.refused.iter().map(|it| &it.spot).collect::<Vec<_>>(), [&agent]);
    }

    #[test]
    fn hooks_of_a_folder_that_is_shared_are_not_written() {
        let mut around = around(&[]);
        around.hooks = HookPlace::Foreign("/etc/hooks".into(), "which other repositories use, too");
        let plan = install(&around, &wish(&[], true, &[]));
        assert_eq!((plan.edits.len(), plan.refused.len()), (0, 2));
        assert_eq!(plan.refused[1].add, "jury hook git pre-push \"$@\"");
    }

    #[test]
    fn linters_are_named_once() {
        let around = around(&[("jury.toml", "[reviewers.ruff]\nkind = \"tool\"\nuse = \"ruff\"\ntimeout = \"1m\"\n")]);
        let plan = install(&around, &wish(&[], false, &["ruff"]));
        assert_eq!((plan.edits.len(), plan.settled), (0, 1));
        let plan = install(&around, &wish(&[], false, &["eslint", "ruff"]));
        assert!(
            plan.edits[0]
                .after
                .as_ref()
                .unwrap()
                .ends_with("timeout = \"1m\"\n\n[reviewers.eslint]\nkind = \"tool\"\nuse = \"eslint\"\n")
        );
        assert_eq!(install(&around, &wish(&[], false, &["nonsense"])).refused.len(), 1);
    }
}
