//! `jury hook`: what an agent's host or git says on standard input in, an answer in its own convention out.
//!
//! One file per host, shaped alike: how it spells what it says, and how it wants to be answered. What is answered is decided in
//! `stop`, `edit` and `start`, the same for all of them. Deliberately not here: where the hooks are registered, and the merge
//! gate, which does not depend on any of this (FAULTS, "Agent hosts fail open").

mod claude;
mod codex;
mod cursor;
mod edit;
mod gemini;
pub(crate) mod git;
mod memory;
mod reason;
mod start;
mod stop;

use std::io::IsTerminal;
use std::path::PathBuf;

use jury::review::ReviewError;
use jury::scope::ScopeError;
use jury_wire::ExitCode;
use serde_json::Value;

use crate::error::Error;
use crate::input::Input;
use crate::render::inert;
use crate::streams::Streams;
use crate::workplace::{Place, Workplace};

pub(crate) use claude::CLAUDE;
pub(crate) use codex::CODEX;
pub(crate) use cursor::CURSOR;
pub(crate) use gemini::GEMINI;

/// The exit code that hosts take for a block; any other failure they pass over.
const BLOCK: ExitCode = ExitCode::Usage;

/// The program that runs an agent.
pub(crate) struct Host {
    /// Its name on the command line.
    name: &'static str,
    /// The variable in which it names the folder of the project, for an agent that has gone elsewhere.
    project: Option<&'static str>,
    /// Takes from its input what matters.
    read: fn(&Value) -> Called,
    /// Puts an answer into its words.
    speak: fn(&Answer) -> Spoken,
}

/// What has happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// The agent wants to stop.
    Stop,
    /// The agent has edited a file.
    PostEdit,
    /// The agent begins.
    SessionStart,
}

/// What a host says about it.
#[derive(Debug, Default)]
struct Called {
    /// Where the agent works.
    folder: Option<PathBuf>,
    /// Whose work it is; empty if nobody says.
    session: String,
    /// Whether the agent only goes on because a hook has blocked it, where the host says so.
    is_inside: Option<bool>,
    /// Whether the agent does not stop by itself, so that nothing can keep it.
    is_interrupted: bool,
    /// Why the input was of no use, if so. The check is made all the same, with what the process knows.
    unread: Option<String>,
}

/// What a host is told.
#[derive(Debug, PartialEq, Eq)]
enum Answer {
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
struct Spoken {
    /// The one JSON object for standard output.
    json: Option<Value>,
    /// The same for people, on standard error.
    remark: Option<String>,
    code: ExitCode,
}

impl Spoken {
    /// Says nothing.
    fn nothing() -> Self {
        Self { json: None, remark: None, code: ExitCode::Clear }
    }

    /// Says JSON that changes nothing about what the agent does.
    fn json(json: Value) -> Self {
        Self { json: Some(json), ..Self::nothing() }
    }

    /// Says JSON, and a text for people beside it.
    fn aloud(json: Value, text: &str, code: ExitCode) -> Self {
        Self { json: Some(json), remark: Some(format!("{text}\n")), code }
    }
}

/// Answers a host. Whatever goes wrong on the way is an answer, too: an exit code of our own would let the agent go on.
pub(crate) fn run(host: &Host, event: Event, streams: &mut Streams) -> ExitCode {
    let called = match input() {
        Ok(value) => (host.read)(&value),
        Err(why) => Called { unread: Some(why), ..Called::default() },
    };
    let answer = match event {
        Event::Stop => stop::answer(host, &called),
        Event::PostEdit => edit::answer(host, &called),
        Event::SessionStart => start::answer(host, &called),
    };
    let Spoken { json, remark, code } = (host.speak)(&answer);
    if let Some(json) = json {
        streams.json(&json.to_string());
    }
    if let Some(remark) = remark {
        streams.remark(&remark);
    }
    code
}

/// Reads what the host says, within bounds. Nobody types it, so a terminal says nothing.
fn input() -> Result<Value, String> {
    if std::io::stdin().is_terminal() {
        return Err("standard input is a terminal".to_owned());
    }
    let bytes = Input::Stdin.bytes().map_err(|error| error.to_string())?;
    match serde_json::from_slice(&bytes) {
        Ok(value @ Value::Object(_)) => Ok(value),
        Ok(_) => Err("it is no JSON object".to_owned()),
        Err(error) => Err(inert::line(&error.to_string())),
    }
}

/// Returns a text of the input; an absent one is empty.
fn text(value: &Value, member: &str) -> String {
    value[member].as_str().unwrap_or_default().to_owned()
}

/// Returns a folder of the input, if it names one.
fn folder(value: &Value) -> Option<PathBuf> {
    value.as_str().filter(|text| !text.is_empty()).map(PathBuf::from)
}

/// Opens the repository that the agent works in: where it is now, else that of its project; `None` outside of any.
fn open(host: &Host, called: &Called) -> Result<Option<Workplace>, Error> {
    let project = host.project.and_then(std::env::var_os).filter(|value| !value.is_empty()).map(PathBuf::from);
    for folder in [called.folder.clone(), project, Some(".".into())].into_iter().flatten() {
        match (Place { folder }).open() {
            // A folder that is gone is no repository either.
            Err(Error::Review(ReviewError::Scope(ScopeError::NotARepository(_) | ScopeError::Io { .. }))) => {}
            opened => return opened.map(Some),
        }
    }
    Ok(None)
}
