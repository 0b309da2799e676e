//! `jury hook`: answers the hooks of agents' hosts and of git, each in its own convention.

use clap::ValueEnum;
use jury_wire::ExitCode;

use crate::error::Error;
use crate::help;
use crate::hook::{self, CLAUDE, CODEX, CURSOR, Event, GEMINI, Host, git};
use crate::streams::Streams;

fn examples() -> String {
    help::after_help(
        &[
            ("jury hook claude stop", "Claude Code's Stop and SubagentStop: may the agent stop?"),
            ("jury hook codex post-edit", "Remember that something was edited"),
            ("jury hook gemini session-start", "Say in one line how the work stands"),
            ("jury hook git pre-push origin", "Refuse to push what was not judged"),
            ("echo '{}' | jury hook claude stop; echo $?", "Try it by hand: 0 is a stop, 2 a block"),
        ],
        &[
            (ExitCode::Clear, "go on: nothing is in the way, or the answer in JSON says what is"),
            (ExitCode::Blocked, "git: refused"),
            (ExitCode::Usage, "claude, codex, gemini: blocked; the reason is in the JSON and on standard error"),
        ],
    )
}

/// Answer a hook of an agent's host or of git, in its own convention
#[derive(clap::Args)]
#[command(after_help = examples(), arg_required_else_help = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    host: Caller,
}

/// Who calls.
#[derive(clap::Subcommand)]
enum Caller {
    /// Claude Code: its JSON on standard input
    Claude(Agent),
    /// Codex: its JSON on standard input
    Codex(Agent),
    /// Gemini CLI: its JSON on standard input
    Gemini(Agent),
    /// Cursor: its JSON on standard input
    Cursor(Agent),
    /// git: a quick check before a commit, the gate before a push
    Git(Git),
}

#[derive(clap::Args)]
struct Agent {
    /// What has happened; the host's own names of its events are understood as well
    #[arg(value_enum, value_name = "EVENT")]
    event: AgentEvent,
}

/// What has happened to an agent, under our name and those of the hosts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum AgentEvent {
    /// The agent wants to stop
    #[value(aliases = ["Stop", "SubagentStop", "AfterAgent", "subagentStop", "subagent-stop"])]
    Stop,
    /// The agent has edited a file
    #[value(aliases = ["PostToolUse", "AfterTool", "afterFileEdit"])]
    PostEdit,
    /// The agent begins
    #[value(aliases = ["SessionStart", "sessionStart"])]
    SessionStart,
}

#[derive(clap::Args)]
struct Git {
    /// Which hook of git this is
    #[arg(value_enum, value_name = "EVENT")]
    event: GitEvent,
    /// What git passes to the hook: for `pre-push`, the name of the remote and its address
    #[arg(value_name = "ARGUMENT", allow_hyphen_values = true, trailing_var_arg = true)]
    arguments: Vec<String>,
}

/// A hook of git.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum GitEvent {
    /// Hold a commit against a quick check
    PreCommit,
    /// Hold a push against the gate
    PrePush,
}

pub(super) fn run(arguments: Arguments, streams: &mut Streams) -> Result<ExitCode, Error> {
    Ok(match arguments.host {
        Caller::Claude(agent) => answer(&CLAUDE, agent, streams),
        Caller::Codex(agent) => answer(&CODEX, agent, streams),
        Caller::Gemini(agent) => answer(&GEMINI, agent, streams),
        Caller::Cursor(agent) => answer(&CURSOR, agent, streams),
        Caller::Git(Git { event: GitEvent::PreCommit, .. }) => git::pre_commit(streams),
        Caller::Git(Git { event: GitEvent::PrePush, arguments }) => {
            let framework = std::env::var("PRE_COMMIT_REMOTE_NAME").ok();
            let remote = arguments.into_iter().next().or(framework).unwrap_or_else(|| "origin".to_owned());
            git::pre_push(&remote, streams)
        }
    })
}

fn answer(host: &Host, Agent { event }: Agent, streams: &mut Streams) -> ExitCode {
    let event = match event {
        AgentEvent::Stop => Event::Stop,
        AgentEvent::PostEdit => Event::PostEdit,
        AgentEvent::SessionStart => Event::SessionStart,
    };
    hook::run(host, event, streams)
}
