//! The hooks of a host: the types, and the readers that several hosts share.
//!
//! In: the JSON that a host sends, and the answer to it. Out: the facts in the one, and the other in the host's own words. Deliberately
//! not here: the decision (`jury-cli`, `hook/`).

use std::path::PathBuf;

use jury_wire::ExitCode;
use serde_json::Value;

/// The exit code that hosts take for a block. They pass over any other failure.
pub const BLOCK: ExitCode = ExitCode::Usage;

/// The hook conventions of a host.
pub struct Hooks {
    /// The host's own names of the events.
    pub events: EventNames,
    /// The variable with the folder of the project, for an agent that has gone elsewhere.
    pub project: Option<&'static str>,
    /// Reads its input.
    pub read: fn(&Value) -> HookInput,
    /// Puts an answer into its words.
    pub speak: fn(&HookAnswer) -> HookOutput,
}

/// The names that a host has for the events.
pub struct EventNames {
    /// The agent wants to stop.
    pub stop: &'static [&'static str],
    /// The agent has edited a file.
    pub post_edit: &'static [&'static str],
    /// The agent begins.
    pub session_start: &'static [&'static str],
}

/// The input of a hook.
#[derive(Debug, Default)]
pub struct HookInput {
    /// The folder in which the agent works.
    pub folder: Option<PathBuf>,
    /// The session of the agent; empty if the host does not say.
    pub session: String,
    /// Whether the agent only goes on because a hook has blocked it, where the host says so.
    pub is_inside: Option<bool>,
    /// Whether the agent was interrupted or has failed, so that nothing can keep it.
    pub is_interrupted: bool,
    /// Why the input could not be read. The check is made all the same.
    pub unread: Option<String>,
}

/// The answer of a hook.
#[derive(Debug, PartialEq, Eq)]
pub enum HookAnswer {
    /// Go on; nothing is said.
    Allow,
    /// Do not stop, for this reason.
    Block(String),
    /// Stop, although the merge gate is closed.
    LetGo(String),
    /// Know this.
    Context(String),
}

/// An answer in the words of a host.
pub struct HookOutput {
    /// The one JSON object for standard output.
    pub json: Option<Value>,
    /// The same for people, on standard error.
    pub remark: Option<String>,
    /// The exit code.
    pub code: ExitCode,
}

impl Hooks {
    /// Tells whether the host is blocked by the exit code, and not by JSON alone.
    pub fn blocks_by_exit_code(&self) -> bool {
        (self.speak)(&HookAnswer::Block(String::new())).code == BLOCK
    }
}

impl HookOutput {
    /// Says nothing.
    pub(super) fn nothing() -> Self {
        Self { json: None, remark: None, code: ExitCode::Clear }
    }

    /// Says JSON that does not change the course of the agent.
    pub(super) fn json(json: Value) -> Self {
        Self { json: Some(json), ..Self::nothing() }
    }

    /// Says JSON, and a text for people beside it.
    pub(super) fn aloud(json: Value, text: &str, code: ExitCode) -> Self {
        Self { json: Some(json), remark: Some(format!("{text}\n")), code }
    }
}

/// Returns a text of the input; an absent one is empty.
pub(super) fn text(value: &Value, member: &str) -> String {
    value[member].as_str().unwrap_or_default().to_owned()
}

/// Returns a folder of the input, if it names one.
pub(super) fn folder(value: &Value) -> Option<PathBuf> {
    value.as_str().filter(|text| !text.is_empty()).map(PathBuf::from)
}
