//! `jury hook`: answers the hooks of agents' hosts and of git, each in its own convention.

use clap::builder::PossibleValue;
use clap::{ArgMatches, Args as _, Command, FromArgMatches, Subcommand, ValueEnum};
use jury::agents::{self, EventNames, Hooks, Host};
use jury_wire::ExitCode;

use crate::error::Error;
use crate::help;
use crate::hook::{self, Event, git};
use crate::streams::Streams;

fn examples() -> String {
    let by_code = agents::with_hooks().filter(|(_, hooks)| hooks.blocks_by_exit_code()).map(|(host, _)| host.name);
    let by_code = by_code.collect::<Vec<_>>().join(", ");
    let blocked = format!("{by_code}: blocked; the reason is in the JSON and on standard error");
    help::after_help(
        &[
            ("jury hook claude stop", "Claude Code's Stop and SubagentStop"),
            ("jury hook codex post-edit", "Record an edit"),
            ("jury hook gemini session-start", "Print one line of context"),
            ("jury hook git pre-push origin", "Refuse to push an unreviewed tree"),
            ("echo '{}' | jury hook claude stop; echo $?", "Try it by hand: 0 lets the agent stop, 2 blocks"),
        ],
        &[
            (ExitCode::Clear, "continue, or the JSON answer has the reason to block"),
            (ExitCode::Blocked, "git: refused"),
            (ExitCode::Usage, &blocked),
        ],
    )
}

/// Answer a hook of an agent host or of git
#[derive(clap::Args)]
#[command(after_help = examples(), arg_required_else_help = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    host: Caller,
}

/// The program that calls.
#[derive(clap::Subcommand)]
enum Caller {
    #[command(flatten)]
    Agent(AgentCall),
    /// git: a quick check before a commit, the gate before a push
    Git(Git),
}

/// A call of a host that has hooks: one subcommand for each.
struct AgentCall {
    host: &'static Host,
    hooks: &'static Hooks,
    event: Event,
}

#[derive(clap::Args)]
struct Agent {
    /// Event; the host's own event names are accepted as well
    #[arg(value_enum, value_name = "EVENT")]
    event: Event,
}

impl Subcommand for AgentCall {
    fn augment_subcommands(command: Command) -> Command {
        agents::with_hooks().fold(command, |command, (host, _)| {
            let about = format!("{}: its JSON on standard input", host.title);
            command.subcommand(Agent::augment_args(Command::new(host.name)).about(about))
        })
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        Self::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        agents::with_hooks().any(|(host, _)| host.name == name)
    }
}

impl FromArgMatches for AgentCall {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let called = matches.subcommand().and_then(|(name, inner)| {
            let (host, hooks) = agents::with_hooks().find(|(host, _)| host.name == name)?;
            Some((host, hooks, inner))
        });
        let (host, hooks, inner) = called.ok_or_else(|| clap::Error::new(clap::error::ErrorKind::InvalidSubcommand))?;
        let Agent { event } = Agent::from_arg_matches(inner)?;
        Ok(Self { host, hooks, event })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Every event under our name; those of any host are understood as well.
impl ValueEnum for Event {
    fn value_variants<'a>() -> &'a [Self] {
        &[Self::Stop, Self::PostEdit, Self::SessionStart]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        type Names = fn(&EventNames) -> &'static [&'static str];
        let (name, help, of_host): (_, _, Names) = match self {
            Self::Stop => ("stop", "The agent is about to stop", |names| names.stop),
            Self::PostEdit => ("post-edit", "The agent edited a file", |names| names.post_edit),
            Self::SessionStart => ("session-start", "A session starts", |names| names.session_start),
        };
        let aliases = agents::with_hooks().flat_map(|(_, hooks)| of_host(&hooks.events)).copied();
        let aliases = aliases.chain((*self == Self::Stop).then_some("subagent-stop")).filter(|alias| *alias != name);
        Some(PossibleValue::new(name).help(help).aliases(aliases))
    }
}

#[derive(clap::Args)]
struct Git {
    /// Git hook
    #[arg(value_enum, value_name = "EVENT")]
    event: GitEvent,
    /// Arguments from git: for `pre-push`, the name and URL of the remote
    #[arg(value_name = "ARGUMENT", allow_hyphen_values = true, trailing_var_arg = true)]
    arguments: Vec<String>,
}

/// A hook of git.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum GitEvent {
    /// Run a quick check before a commit
    PreCommit,
    /// Check the gate before a push
    PrePush,
}

pub(super) fn run(arguments: Arguments, streams: &mut Streams) -> Result<ExitCode, Error> {
    Ok(match arguments.host {
        Caller::Agent(AgentCall { host, hooks, event }) => hook::run(host, hooks, event, streams),
        Caller::Git(Git { event: GitEvent::PreCommit, .. }) => git::pre_commit(streams),
        Caller::Git(Git { event: GitEvent::PrePush, arguments }) => {
            let framework = std::env::var("PRE_COMMIT_REMOTE_NAME").ok();
            let remote = arguments.into_iter().next().or(framework).unwrap_or_else(|| "origin".to_owned());
            git::pre_push(&remote, streams)
        }
    })
}
