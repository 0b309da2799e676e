//! `jury hook`: the input of an agent host or git in, an answer in its own convention out.
//!
//! The answer is decided in `stop`, `edit` and `start`, the same for all hosts. Deliberately not here: the words of each host
//! (`jury::agents`), the place where its hooks are registered, and the merge gate, which does not depend on any of this (FAULTS, "Agent
//! hosts fail open").

mod edit;
pub(crate) mod git;
mod memory;
mod reason;
mod start;
mod stop;

use std::io::IsTerminal;
use std::path::PathBuf;

use jury::agents::{HookAnswer as Answer, HookInput as Called, HookOutput, Hooks, Host};
use jury::error::FlowError;
use jury::scope::ScopeError;
use jury_wire::ExitCode;
use serde_json::Value;

use crate::error::Error;
use crate::input::Input;
use crate::render::inert;
use crate::streams::Streams;
use crate::workplace::{WorkingDir, Workplace};

/// The event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// The agent wants to stop.
    Stop,
    /// The agent has edited a file.
    PostEdit,
    /// The agent begins.
    SessionStart,
}

/// Answers a host. An error is an answer, too: an exit code of our own would let the agent go on.
pub(crate) fn run(host: &Host, hooks: &Hooks, event: Event, streams: &mut Streams) -> ExitCode {
    let called = match input() {
        Ok(value) => (hooks.read)(&value),
        Err(why) => Called { unread: Some(why), ..Called::default() },
    };
    let answer = match event {
        Event::Stop => stop::answer(host, &called),
        Event::PostEdit => edit::answer(host, &called),
        Event::SessionStart => start::answer(host, &called),
    };
    let HookOutput { json, remark, code } = (hooks.speak)(&answer);
    if let Some(json) = json {
        streams.json(&json.to_string());
    }
    if let Some(remark) = remark {
        streams.remark(&remark);
    }
    code
}

/// Reads the input of the host, within bounds. A terminal counts as no input.
fn input() -> Result<Value, String> {
    if std::io::stdin().is_terminal() {
        return Err("standard input is a terminal".to_owned());
    }
    let bytes = Input::Stdin.bytes().map_err(|error| error.to_string())?;
    match serde_json::from_slice(&bytes) {
        Ok(value @ Value::Object(_)) => Ok(value),
        Ok(_) => Err("it is not a JSON object".to_owned()),
        Err(error) => Err(inert::line(&error.to_string())),
    }
}

/// Opens the repository that the agent works in: where it is now, else that of its project; `None` outside of any.
fn open(host: &Host, called: &Called) -> Result<Option<Workplace>, Error> {
    let project = host.hooks.as_ref().and_then(|hooks| hooks.project);
    let project = project.and_then(std::env::var_os).filter(|value| !value.is_empty()).map(PathBuf::from);
    for folder in [called.folder.clone(), project, Some(".".into())].into_iter().flatten() {
        match (WorkingDir { folder }).open() {
            // A folder that is gone is no repository either.
            Err(Error::Review(FlowError::Scope(ScopeError::NotARepository(_) | ScopeError::Io { .. }))) => {}
            opened => return opened.map(Some),
        }
    }
    Ok(None)
}
