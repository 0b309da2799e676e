//! The checks of `jury doctor`, one small function each, in one table. In: a folder. Out: observations and remedies.
//!
//! No command of the repository runs: tools are proposed, or their programs are looked up. Deliberately not here: how it is shown.

use std::path::Path;
use std::process::{Command as Program, Stdio};

use jury::agents::{Host, Piece};
use jury::base::BasePolicy;
use jury::config::{Config, POLICY_FILE};
use jury::flows::gate::{Subject, gate};
use jury::flows::review::{ReviewRequest, review};
use jury::model::{Base, Outcome};
use jury::panel::AskOptions;
use jury::scope;
use jury::store::{Spot, Trust};
use jury::worktree::snapshot;
use serde_json::Value;

use crate::error::Error;
use crate::init::git_hook::{self, HookPlace};
use crate::init::{Surroundings, Text, found, hosts, world};
use crate::workplace::{self, WorkingDir, Workplace};

/// The result of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Seen {
    /// It is as it should be.
    Well(String),
    /// A remark, with a possible step.
    Note(String, Option<String>),
    /// It has to be mended; how.
    Mend(String, String),
}

impl Seen {
    pub(crate) fn well(what: impl Into<String>) -> Self {
        Self::Well(what.into())
    }

    pub(crate) fn note(what: impl Into<String>, help: impl Into<String>) -> Self {
        Self::Note(what.into(), Some(help.into()))
    }

    pub(crate) fn mend(what: impl Into<String>, help: impl Into<String>) -> Self {
        Self::Mend(what.into(), help.into())
    }

    /// Returns the observation.
    pub(crate) fn what(&self) -> &str {
        match self {
            Self::Well(what) | Self::Note(what, _) | Self::Mend(what, _) => what,
        }
    }

    /// Returns the remedy.
    pub(crate) fn help(&self) -> Option<&str> {
        match self {
            Self::Well(_) => None,
            Self::Note(_, help) => help.as_deref(),
            Self::Mend(_, help) => Some(help),
        }
    }

    /// Tells whether something has to be mended.
    pub(crate) fn is_to_mend(&self) -> bool {
        matches!(self, Self::Mend(..))
    }
}

/// The input of the checks.
struct Patient {
    workplace: Workplace,
    around: Surroundings,
    /// The base, or why there is none.
    base: Result<Base, String>,
    /// The policy of the base, or the reason why it is unknown.
    decided: Result<BasePolicy, String>,
}

/// A check.
struct Check {
    name: &'static str,
    run: fn(&Patient) -> Vec<Seen>,
}

/// Every check that needs a repository, in the order in which they are shown.
const CHECKS: &[Check] = &[
    Check { name: "repository", run: repository },
    Check { name: "base", run: base },
    Check { name: "policy", run: policy },
    Check { name: "reviewers", run: reviewers },
    Check { name: "tools", run: tools },
    Check { name: "program", run: program },
    Check { name: "agents", run: agents },
    Check { name: "git hooks", run: git_hooks },
    Check { name: "state", run: state },
    Check { name: "containment", run: containment },
];

/// Looks at everything.
pub(crate) fn look(place: &WorkingDir) -> Vec<(&'static str, Seen)> {
    let mut seen = vec![("git", git())];
    match Patient::new(place) {
        Ok(patient) => {
            let all = CHECKS.iter().flat_map(|check| (check.run)(&patient).into_iter().map(|seen| (check.name, seen)));
            seen.extend(all);
        }
        Err(error) => {
            let help = error.hint().unwrap_or("run it in a repository, or set `-C DIR`");
            seen.push(("repository", Seen::mend(full(&error), help)));
        }
    }
    seen
}

/// Prints an error with its sources.
fn full(error: &dyn std::error::Error) -> String {
    match error.source() {
        Some(source) => format!("{error}: {}", full(source)),
        None => error.to_string(),
    }
}

impl Patient {
    fn new(place: &WorkingDir) -> Result<Self, Error> {
        let workplace = place.open()?;
        let (_, around) = world::surroundings(&workplace)?;
        let found = snapshot(&workplace.repository, &workplace.store)
            .and_then(|snapshot| workplace.repository.base_of(&snapshot, None));
        let base = found.map_err(|error| full(&error));
        let decided = match &base {
            Ok(base) => BasePolicy::read(&workplace.repository, base).map_err(|error| full(&error)),
            Err(_) => Err("no base to read it from".to_owned()),
        };
        Ok(Self { workplace, around, base, decided })
    }
}

fn git() -> Seen {
    match Program::new("git").arg("--version").stdin(Stdio::null()).output() {
        Ok(output) if output.status.success() => Seen::well(String::from_utf8_lossy(&output.stdout).trim()),
        Ok(_) => Seen::mend("`git --version` fails", "reinstall git"),
        Err(error) => Seen::mend(format!("`git` cannot be run: {error}"), "install git, or put it on the PATH"),
    }
}

fn repository(patient: &Patient) -> Vec<Seen> {
    let repository = &patient.workplace.repository;
    let is_linked = repository.git_dir() != repository.common_dir();
    let kind = if is_linked { "a linked worktree" } else { "a repository" };
    let mut seen = vec![Seen::well(format!("{kind} at {}", repository.root().display()))];
    if repository.common_dir().join("shallow").exists() {
        let help = "`git fetch --unshallow`, or fetch as much as the base needs";
        seen.push(Seen::note("shallow clone: a base beyond its history cannot be found", help));
    }
    seen
}

fn base(patient: &Patient) -> Vec<Seen> {
    vec![match &patient.base {
        Ok(base) => Seen::well(format!("changes are compared with {}", base.name)),
        Err(why) => Seen::mend(format!("no base: {why}"), "use `jury review --base REF`, or set an upstream"),
    }]
}

fn policy(patient: &Patient) -> Vec<Seen> {
    let mut seen = Vec::new();
    match &patient.decided {
        Ok(decided) => seen.push(Seen::well(format!(
            "blocks at {} and above; {} custom reviewers",
            decided.config.policy.block_at,
            decided.config.reviewers.len()
        ))),
        Err(_) if patient.base.is_err() => seen.push(Seen::Note("unknown without a base".to_owned(), None)),
        Err(why) => {
            seen.push(Seen::mend(why.clone(), "fix the file on the base branch; the default is never used instead"))
        }
    }
    let here = patient.around.texts.get(&Spot::Tree(POLICY_FILE.to_owned()));
    let fault = match here {
        Some(Text::Read(text)) => {
            let root = patient.workplace.repository.root();
            let file = |path: &str| std::fs::read_to_string(root.join(path)).ok();
            Config::read(Some(text.as_bytes()), &file).err().map(|error| error.to_string())
        }
        Some(Text::Unreadable(why)) => Some(why.clone()),
        None => None,
    };
    seen.extend(fault.map(|why| {
        Seen::mend(format!("jury.toml of the working tree: {why}"), "fix it before it is merged to the base")
    }));
    seen
}

fn reviewers(patient: &Patient) -> Vec<Seen> {
    let Ok(decided) = &patient.decided else { return Vec::new() };
    let trust = patient.workplace.trust(false);
    let none = Trust::default();
    let mut seen = Vec::new();
    if let Err(error) = &trust {
        seen.push(Seen::mend(
            format!("the trust file cannot be read: {}", full(error)),
            "check the file, or move it away",
        ));
    }
    for definition in &decided.config.reviewers {
        let name = definition.name.as_str();
        let program = definition.command.first().map(String::as_str).unwrap_or_default();
        let is_there = if program.starts_with('/') {
            world::is_executable(Path::new(program))
        } else {
            world::on_path(program).is_some()
        };
        let is_trusted = trust.as_ref().unwrap_or(&none).covers(definition);
        seen.push(match (is_there, is_trusted) {
            (true, true) => Seen::well(format!("{name}: trusted, and `{program}` is installed")),
            (false, _) => Seen::mend(
                format!("{name}: `{program}` is not on the PATH"),
                "install it, or remove the reviewer from jury.toml on the base",
            ),
            (true, false) => Seen::mend(format!("{name}: not trusted"), format!("jury trust {name}")),
        });
    }
    seen
}

/// Ready-made linters that are set up and installed, but not in jury.toml. Proposed, never run.
fn tools(patient: &Patient) -> Vec<Seen> {
    let Ok(decided) = &patient.decided else { return Vec::new() };
    let linters = found::linters(&patient.around.paths, &patient.around.programs).into_iter();
    let new = linters.filter(|linter| {
        linter.is_installed && !decided.config.reviewers.iter().any(|it| it.name.as_str() == linter.name)
    });
    new.map(|linter| {
        let lines = format!("[reviewers.{}]\nkind = \"tool\"\nuse = \"{}\"", linter.name, linter.name);
        Seen::note(
            format!("{} is installed and configured, but not a reviewer; lines for jury.toml:", linter.name),
            lines,
        )
    })
    .collect()
}

/// A hook that does not find the program lets most hosts go on (FAULTS 26).
fn program(_: &Patient) -> Vec<Seen> {
    let same = |path: &Path| std::env::current_exe().and_then(|own| Ok(own.canonicalize()? == path.canonicalize()?));
    vec![match world::on_path("jury") {
        None => Seen::mend(
            "`jury` is not on the PATH: hooks cannot find it, and hosts continue without a check",
            "add its folder to the PATH",
        ),
        Some(path) if same(&path).unwrap_or(false) => Seen::well(format!("`jury` is this program, {}", path.display())),
        Some(path) => Seen::note(
            format!("`jury` on the PATH is a different binary: {}", path.display()),
            "make sure that hooks run the intended one",
        ),
    }]
}

fn agents(patient: &Patient) -> Vec<Seen> {
    let around = &patient.around;
    let recognised = hosts::recognised(around);
    if recognised.is_empty() {
        return vec![Seen::note("no agent host detected", "jury init --hosts claude")];
    }
    recognised.into_iter().map(|host| agent(around, host)).collect()
}

/// Looks whether the settings of a host name our hooks and our server.
fn agent(around: &Surroundings, host: &Host) -> Seen {
    let again = format!("jury init --hosts {}", host.name);
    let mut named = Vec::new();
    for piece in host.install.pieces {
        for (path, _) in hosts::files(piece) {
            match (piece, around.texts.get(&Spot::Tree(path.clone()))) {
                (_, Some(Text::Unreadable(why))) => {
                    return Seen::mend(format!("{}: {path}: {why}", host.title), again);
                }
                (Piece::Json { .. }, Some(Text::Read(text))) => match serde_json::from_str::<Value>(text) {
                    Ok(value) => named.extend(texts(&value)),
                    Err(error) => {
                        return Seen::mend(format!("{}: {path} is not plain JSON: {error}", host.title), again);
                    }
                },
                (Piece::Toml { table, .. }, Some(Text::Read(text))) => {
                    let has_server = text.contains(&format!("[{}]", table.join(".")));
                    named.extend(has_server.then(|| SERVER.to_owned()));
                }
                _ => {}
            }
        }
    }
    let has_hooks = named.iter().any(|text| text.starts_with(&format!("jury hook {} ", host.name)));
    let has_server = named.iter().any(|text| text == SERVER);
    match (host.hooks.is_none() || has_hooks, has_server) {
        (true, true) => {
            // Only the host knows whether a person has done that.
            let once = host.install.once.map(|once| format!("; once, {once}")).unwrap_or_default();
            Seen::well(format!("{}: hooks and server are set up{once}", host.title))
        }
        (true, false) if host.hooks.is_some() => {
            Seen::mend(format!("{}: the MCP server is not set up", host.title), again)
        }
        (false, true) => Seen::mend(format!("{}: the hooks are not set up", host.title), again),
        _ => Seen::note(format!("{}: not set up", host.title), again),
    }
}

/// The argument of `jury` by which a settings file names the MCP server.
const SERVER: &str = "mcp";

/// Returns every text in a value.
fn texts(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) => vec![text.clone()],
        Value::Array(items) => items.iter().flat_map(texts).collect(),
        Value::Object(members) => members.values().flat_map(texts).collect(),
        _ => Vec::new(),
    }
}

fn git_hooks(patient: &Patient) -> Vec<Seen> {
    let again = "jury init --hosts git";
    let folder = match &patient.around.hooks {
        HookPlace::Own(path) | HookPlace::Foreign(path, _) => path,
        HookPlace::Unknown => return vec![Seen::mend("git does not report its hooks directory", again)],
    };
    let hook = |name: &&str| {
        let path = folder.join(name);
        // Read here and not from the plan's texts: a folder of hooks that others share is looked at as well.
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        let is_named = text.contains(&format!("jury hook git {name}"));
        match (is_named, path.exists()) {
            (true, _) if !world::is_executable(&path) => Seen::mend(
                format!("{} is not executable, so git ignores it", path.display()),
                format!("chmod +x {}", path.display()),
            ),
            (true, _) => Seen::well(format!("{name}: {}", path.display())),
            (false, true) => Seen::note(format!("{}: exists, without Jury", path.display()), again),
            (false, false) => Seen::note(format!("{name}: not set up in {}", folder.display()), again),
        }
    };
    git_hook::HOOKS.iter().map(hook).collect()
}

fn state(patient: &Patient) -> Vec<Seen> {
    vec![match patient.workplace.store.state() {
        Ok(state) => match state.latest {
            Some(latest) => Seen::well(format!("review {}: {}", latest.file.review_id, latest.file.verdict)),
            None => Seen::well("no review yet"),
        },
        Err(error) => Seen::mend(full(&error), "run `jury restore`"),
    }]
}

fn containment(_: &Patient) -> Vec<Seen> {
    vec![match jury::process::unconfined() {
        None => Seen::well("custom reviewers are confined (Landlock)"),
        Some(why) => Seen::note(
            format!("custom reviewers cannot be confined: {why}"),
            "trust only commands that you would run yourself; reports mention it, too",
        ),
    }]
}

/// Reviews a repository and says how its gate stands.
pub(crate) fn gate_after_review(root: &Path) -> Result<Outcome, Error> {
    let workplace = WorkingDir { folder: root.to_path_buf() }.open()?;
    let (scope, options) = (scope::Request::Changeset { base: None }, AskOptions::default());
    let request = ReviewRequest { scope, options, now: workplace::now(), is_saved: true };
    review(&workplace.repository, &workplace.store, &request, &mut |_| ())?;
    Ok(gate(&workplace.repository, &workplace.store, None, Subject::Worktree, &workplace::now())?.gate.outcome)
}
