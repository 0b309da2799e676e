//! The agent hosts: one file and one row each, as data and pure functions.
//!
//! In: nothing but the text that a host printed or sent. Out: its commands, the meaning of its result and of its hooks, and the files
//! that it loads. Deliberately not here: starting a host, standard input, the disk, and the decision that a hook answers with.

mod claude;
mod codex;
mod cursor;
mod envelope;
mod gemini;
mod hooks;
mod install;
mod opencode;

use std::sync::LazyLock;

pub use envelope::{Ending, Envelope};
pub use hooks::{BLOCK, EventNames, HookAnswer, HookInput, HookOutput, Hooks};
pub use install::{Derived, Install, Piece, SubAgent, SubAgents};

/// An agent host.
pub struct Host {
    /// Its name in `use`, `jury hook` and `jury init --hosts`, and of its folders.
    pub name: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// The files and folders of a repository from which it takes instructions or permissions. A folder ends with a slash.
    pub instructions: &'static [&'static str],
    /// The models behind it, if they are always of one family.
    pub family: Option<Family>,
    /// Its command line as a reviewer, if it has one.
    pub reviewer: Option<Reviewer>,
    /// Its hooks, if a settings file can name them.
    pub hooks: Option<Hooks>,
    /// The files that it loads.
    pub install: Install,
}

/// A family of models: two of one family count as one voice.
pub struct Family {
    /// Its name.
    pub name: &'static str,
    /// The first words of its models' names.
    pub models: &'static [&'static str],
}

/// A host that reviews: started so that it only reads, without the settings of the repository under review.
pub struct Reviewer {
    /// The program and its arguments.
    pub command: &'static [&'static str],
    /// The variables that it needs, by name, and those that are set for it: `NAME=VALUE`.
    pub env: &'static [&'static str],
    /// The places where it keeps its state; `*` if it is not confined.
    pub writes: &'static [&'static str],
    /// The forms of its result.
    pub envelopes: &'static [Envelope],
}

/// Every host, in the order in which they are shown and their envelopes tried.
pub const HOSTS: &[Host] = &[claude::HOST, codex::HOST, gemini::HOST, cursor::HOST, opencode::HOST];

/// Instructions for agents that belong to no host alone.
const SHARED_INSTRUCTIONS: &[&str] = &[".github/copilot-instructions.md", "AGENTS.md"];

/// Returns the host of a name.
pub fn by_name(name: &str) -> Option<&'static Host> {
    HOSTS.iter().find(|host| host.name == name)
}

/// Returns the hosts that can review, by name.
pub fn reviewers() -> Vec<(&'static str, &'static Reviewer)> {
    by_order_of_name().into_iter().filter_map(|host| Some((host.name, host.reviewer.as_ref()?))).collect()
}

/// Returns the hosts that have hooks, in the order of the table.
pub fn with_hooks() -> impl Iterator<Item = (&'static Host, &'static Hooks)> {
    HOSTS.iter().filter_map(|host| Some((host, host.hooks.as_ref()?)))
}

/// Returns every form of a result, in the order in which they are tried.
pub fn envelopes() -> impl Iterator<Item = &'static Envelope> {
    HOSTS.iter().filter_map(|host| host.reviewer.as_ref()).flat_map(|reviewer| reviewer.envelopes)
}

/// Returns the family that a word of a model's name stands for, if a host says so.
pub fn family(word: &str) -> Option<&'static str> {
    let mut families = HOSTS.iter().filter_map(|host| host.family.as_ref());
    families.find(|family| family.models.contains(&word)).map(|family| family.name)
}

/// Returns the name under which the model behind a program counts: its family, else the program itself.
pub fn model_of_program(program: &str) -> &str {
    let is_started = |host: &&Host| host.reviewer.as_ref().is_some_and(|it| it.command.first() == Some(&program));
    let family = HOSTS.iter().find(is_started).and_then(|host| host.family.as_ref());
    family.map_or(program, |family| family.name)
}

/// Returns all files and folders with instructions for agents: folders, then settings, then prose. The order is part of a digest that
/// reviews record.
pub fn instructions() -> &'static [&'static str] {
    static ALL: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
        let hosts = by_order_of_name().into_iter().flat_map(|host| host.instructions);
        let mut all: Vec<&'static str> = Vec::new();
        for path in SHARED_INSTRUCTIONS.iter().chain(hosts) {
            if !all.contains(path) {
                all.push(path);
            }
        }
        all.sort_by_key(|path| (!path.ends_with('/'), path.ends_with(".md")));
        all
    });
    &ALL
}

fn by_order_of_name() -> Vec<&'static Host> {
    let mut hosts: Vec<&'static Host> = HOSTS.iter().collect();
    hosts.sort_by_key(|host| host.name);
    hosts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_plain_words_that_stand_once() {
        let mut names: Vec<&str> = HOSTS.iter().map(|host| host.name).collect();
        assert!(names.iter().all(|name| name.chars().all(|c| c.is_ascii_lowercase() || c == '-')));
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), HOSTS.len());
        let mut ids: Vec<&str> = envelopes().map(|envelope| envelope.id).collect();
        ids.sort_unstable();
        let number = ids.len();
        ids.dedup();
        assert_eq!(ids.len(), number);
    }

    #[test]
    fn a_reviewer_has_a_program_and_a_result() {
        for (name, reviewer) in reviewers() {
            assert!(!reviewer.command.is_empty() && !reviewer.envelopes.is_empty(), "{name}");
            let is_place = |place: &&str| *place == "*" || place.starts_with("~/");
            assert!(reviewer.writes.iter().all(is_place), "{name}");
        }
        assert!(reviewers().is_sorted_by_key(|(name, _)| *name));
    }

    #[test]
    fn settings_name_the_hooks_of_their_own_host() {
        for host in HOSTS {
            let named: Vec<&str> = host.install.written.iter().flat_map(|(_, text)| text.split('"')).collect();
            let mut hooks = named.iter().filter(|text| text.starts_with("jury hook ")).peekable();
            assert_eq!(hooks.peek().is_some(), host.hooks.is_some(), "{}", host.name);
            assert!(hooks.all(|text| text.starts_with(&format!("jury hook {} ", host.name))), "{}", host.name);
        }
    }

    #[test]
    fn models_belong_to_the_family_of_their_host() {
        assert_eq!(["opus", "codex", "o", "qwen"].map(family), [Some("claude"), Some("gpt"), Some("gpt"), None]);
        assert_eq!(["claude", "codex", "ask"].map(model_of_program), ["claude", "gpt", "ask"]);
        assert_eq!(model_of_program("cursor-agent"), "cursor-agent");
    }

    /// The order is digested into the definition of `gate-integrity`, which a record keeps.
    #[test]
    fn instructions_keep_their_order() {
        let known = [
            ".claude/",
            ".codex/",
            ".cursor/",
            ".gemini/",
            ".opencode/",
            ".mcp.json",
            ".cursorrules",
            ".github/copilot-instructions.md",
            "AGENTS.md",
            "CLAUDE.md",
            "GEMINI.md",
        ];
        let kept: Vec<&str> = instructions().iter().copied().filter(|path| known.contains(path)).collect();
        assert_eq!(kept, known);
    }
}
