//! `jury init`: makes the agents of a repository review, fix and verify by it. Every file is shown before it is written.

use std::path::Path;

use jury::agents::{self, HOSTS, Piece};
use jury::config::ready::TOOLS;
use jury::keeping::{fetch_always, fetch_no_more, missing_refspecs};
use jury::store::Site;
use jury_wire::ExitCode;

use crate::error::Error;
use crate::init::plan::Wish;
use crate::init::{Edit, Plan, Refusal, Surroundings, found, hosts, plan, shown, world};
use crate::render::{self, inert, painted, style};
use crate::streams::Streams;
use crate::workplace::WorkingDir;
use crate::{help, workplace};

/// How many lines are shown of a file that is new; `--full` shows all.
const MOST: usize = 30;

fn examples() -> String {
    help::after_help(
        &[
            ("jury init", "Detect hosts, show every change, ask, write"),
            ("jury init --dry-run", "Show the changes and write nothing"),
            ("jury init --hosts claude,git --yes", "Set up these two without asking"),
            ("jury init --linters eslint,ruff", "Also add linters to jury.toml"),
            ("jury init --sync", "Also have every `git fetch` of origin bring acceptances and signed verdicts"),
            ("jury init --remove", "Restore every file"),
        ],
        &[
            (ExitCode::Clear, "done, or nothing to do"),
            (ExitCode::Blocked, "a file was left alone; the lines to add by hand are printed"),
            (ExitCode::Usage, "not confirmed, invalid command line, or not a repository"),
            (ExitCode::Refused, "a file, or the notes of an earlier run, was refused"),
        ],
    )
}

fn hosts_help() -> String {
    let names: Vec<&str> = hosts::names().collect();
    format!("Hosts: {}; default: detected hosts and git", names.join(", "))
}

/// Set up the agents and git hooks of this repository
#[derive(clap::Args)]
#[command(after_help = examples())]
pub(crate) struct Arguments {
    /// Write without asking
    #[arg(long)]
    yes: bool,
    /// Show the changes and write nothing
    #[arg(long, conflicts_with = "yes")]
    dry_run: bool,
    /// Restore all files
    #[arg(long, conflicts_with_all = ["hosts", "linters", "sync"])]
    remove: bool,
    #[arg(long, value_name = "HOST,…", value_delimiter = ',', help = hosts_help())]
    hosts: Vec<String>,
    /// Linter presets to add to jury.toml
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    linters: Vec<String>,
    /// Globs of code that no grammar reads and that may pass as text, for `[scope] text_only`
    #[arg(long, value_name = "GLOB,…", value_delimiter = ',')]
    text_only: Vec<String>,
    /// Have every `git fetch` of this remote bring acceptances and signed verdicts (`remote.NAME.fetch`)
    #[arg(long, value_name = "NAME", num_args = 0..=1, default_missing_value = "origin")]
    sync: Option<String>,
    /// Show every line of every new file
    #[arg(long)]
    full: bool,
    #[command(flatten)]
    place: WorkingDir,
}

pub(super) fn run(arguments: Arguments, streams: &mut Streams) -> Result<ExitCode, Error> {
    let Arguments { yes, dry_run, remove, hosts, linters, text_only, sync, full, place } = arguments;
    let workplace = place.open()?;
    let (site, around) = world::surroundings(&workplace)?;
    let plan = if remove {
        plan::remove(&around)
    } else {
        streams.show(&found_text(&around));
        let mut wish = wish(&around, &hosts, &linters)?;
        if linters.is_empty() && !yes && !dry_run {
            wish.linters = agreed_linters(&around, streams);
        }
        wish.text_only = text_only;
        if wish.text_only.is_empty() && !yes && !dry_run {
            wish.text_only = agreed_text_only(&around, streams);
        }
        plan::install(&around, &wish)
    };
    let root = workplace.repository.root();
    let refspecs = sync.as_ref().map(|remote| missing_refspecs(root, remote)).transpose()?.unwrap_or_default();
    streams.show(&plan_text(&plan, full));
    for spec in &refspecs {
        let name = inert::line(sync.as_deref().unwrap_or_default());
        streams.show(&format!("{} .git/config: remote.{name}.fetch = {spec}\n", painted(style::STRONG, "changed ")));
    }
    if plan.edits.is_empty() && refspecs.is_empty() {
        let all = if remove { "nothing to remove\n" } else { "all writable files are up to date\n" };
        streams.show(all);
    } else if !dry_run {
        let question = if remove { "Restore these files?" } else { "Write these changes?" };
        if !yes && !streams.is_agreed(question) {
            return Err(Error::NotWritten);
        }
        if let Some(remote) = &sync {
            fetch_always(root, remote)?;
        }
        if !plan.edits.is_empty() {
            write(&site, &plan, &workplace, remove, streams)?;
        }
    }
    if remove && !dry_run {
        fetch_no_more(root)?;
    }
    Ok(if plan.refused.is_empty() { ExitCode::Clear } else { ExitCode::Blocked })
}

fn write(
    site: &Site,
    plan: &Plan,
    workplace: &workplace::Workplace,
    is_removal: bool,
    streams: &mut Streams,
) -> Result<(), Error> {
    world::carry_out(site, plan, is_removal)?;
    let files = render::count(plan.edits.len(), "file", "files");
    if is_removal {
        streams.show(&format!("{files} restored\n"));
        return Ok(());
    }
    streams.show(&format!("{files} written\n"));
    streams.show("commit them in a separate change for a person to merge; in any other change they are findings\n");
    let has_policy = plan.edits.iter().any(|edit| shown(&edit.spot) == jury::config::POLICY_FILE);
    if has_policy {
        streams.show("jury.toml takes effect once it is on the base branch; then run `jury trust`\n");
    }
    let is_edited = |path: &str| plan.edits.iter().any(|edit| shown(&edit.spot) == path);
    for host in HOSTS {
        let is_set_up =
            host.install.pieces.iter().any(|piece| matches!(piece, Piece::Json { to, .. } if is_edited(to)));
        if let Some(once) = host.install.once.filter(|_| is_set_up) {
            streams.show(&format!("{once}; until then it silently skips all hooks\n"));
        }
    }
    if world::on_path("jury").is_none() {
        streams.remark(&render::note("`jury` is not on the PATH, so hooks cannot find it; run `jury doctor`"));
    }
    let root: &Path = workplace.repository.root();
    streams.show(&format!(
        "{} jury doctor -C {}\n",
        painted(style::FAINT, "next:"),
        inert::line(&root.to_string_lossy())
    ));
    Ok(())
}

fn wish(around: &Surroundings, hosts: &[String], linters: &[String]) -> Result<Wish, Error> {
    if let Some(unknown) = linters.iter().find(|name| !TOOLS.iter().any(|tool| tool.name == name.as_str())) {
        return Err(Error::NoSuchLinter(inert::line(unknown)));
    }
    if hosts.is_empty() {
        let hosts = hosts::recognised(around).iter().map(|host| host.name).collect();
        return Ok(Wish { hosts, with_git: true, linters: linters.to_vec(), text_only: Vec::new() });
    }
    let with_git = hosts.iter().any(|name| name == hosts::GIT);
    let named =
        |name: &String| agents::by_name(name).map(|host| host.name).ok_or_else(|| Error::NoSuchHost(inert::line(name)));
    let hosts = hosts.iter().filter(|name| *name != hosts::GIT).map(named).collect::<Result<_, _>>()?;
    Ok(Wish { hosts, with_git, linters: linters.to_vec(), text_only: Vec::new() })
}

/// Asks about the linters that are set up, installed and not named yet.
fn agreed_linters(around: &Surroundings, streams: &mut Streams) -> Vec<String> {
    let ready: Vec<String> = found::linters(&around.paths, &around.programs)
        .into_iter()
        .filter(|linter| linter.is_installed)
        .map(|linter| linter.name.to_owned())
        .collect();
    let question = format!("Add {} to jury.toml as reviewers?", ready.join(", "));
    if !ready.is_empty() && streams.is_agreed(&question) { ready } else { Vec::new() }
}

/// Asks about the code that no grammar reads.
fn agreed_text_only(around: &Surroundings, streams: &mut Streams) -> Vec<String> {
    let globs: Vec<String> = around.text_only.iter().cloned().collect();
    let question = format!("No grammar reads {}. Let text rules alone pass it?", globs.join(", "));
    if !globs.is_empty() && streams.is_agreed(&question) { globs } else { Vec::new() }
}

/// Lists the detected hosts and tools.
fn found_text(around: &Surroundings) -> String {
    let hosts: Vec<String> = hosts::recognised(around).iter().map(|host| host.title.to_owned()).collect();
    let languages: Vec<String> = found::languages(&around.paths).into_iter().map(str::to_owned).collect();
    let linter = |linter: found::Linter| match linter.is_installed {
        true => format!("{} (`--linters {}`)", linter.name, linter.name),
        false => format!("{} (not on the PATH)", linter.name),
    };
    let linters: Vec<String> = found::linters(&around.paths, &around.programs).into_iter().map(linter).collect();
    let ci = found::ci(&around.paths).into_iter().map(|(name, file)| format!("{name} (copy {file} of Jury)")).collect();
    let rows: [(&str, Vec<String>, &str); 4] = [
        ("agents", hosts, "none found; use `--hosts`"),
        ("languages", languages, "none recognised"),
        ("linters", linters, "no known linter is configured"),
        ("CI", ci, "none recognised"),
    ];
    let row = |(name, values, none): (&str, Vec<String>, &str)| {
        let said = if values.is_empty() { none.to_owned() } else { values.join(", ") };
        format!("{} {said}\n", painted(style::FAINT, &format!("{name:<10}")))
    };
    let globs: Vec<&str> = around.text_only.iter().map(String::as_str).collect();
    let text_only = (!globs.is_empty()).then(|| {
        let said = globs.join(", ");
        row(("text only", vec![format!("{said} (`--text-only '{}'`)", globs.join(","))], ""))
    });
    rows.into_iter().map(row).chain(text_only).collect::<String>() + "\n"
}

fn plan_text(plan: &Plan, full: bool) -> String {
    let mut text: String = plan.edits.iter().map(|edit| edit_text(edit, full)).collect();
    text.extend(plan.refused.iter().map(refusal_text));
    let mut said = Vec::new();
    let number = |what: fn(&Edit) -> bool| plan.edits.iter().filter(|edit| what(edit)).count();
    for (number, what) in [
        (number(|edit| edit.before.is_none()), "new"),
        (number(|edit| edit.before.is_some() && edit.after.is_some()), "changed"),
        (number(|edit| edit.after.is_none()), "gone"),
        (plan.refused.len(), "left alone"),
        (plan.settled, "up to date"),
    ] {
        said.extend((number > 0).then(|| format!("{number} {what}")));
    }
    if !said.is_empty() {
        text.push_str(&format!("{}\n", said.join(", ")));
    }
    text
}

fn edit_text(edit: &Edit, full: bool) -> String {
    let word = match (&edit.before, &edit.after) {
        (None, _) => "new",
        (_, None) => "gone",
        _ => "changed",
    };
    let name = inert::line(&shown(&edit.spot));
    let (removed, added) =
        differing(edit.before.as_deref().unwrap_or_default(), edit.after.as_deref().unwrap_or_default());
    if edit.after.is_none() {
        return format!("{} {name}\n", painted(style::STRONG, &format!("{word:<8}")));
    }
    let lines =
        removed.iter().map(|line| ("-", style::BAD, line)).chain(added.iter().map(|line| ("+", style::GOOD, line)));
    let number = removed.len() + added.len();
    let most = if full || edit.before.is_some() || number <= MOST { number } else { 3 };
    let mut text = format!(
        "{} {name} ({})\n",
        painted(style::STRONG, &format!("{word:<8}")),
        render::count(added.len(), "line", "lines")
    );
    for (sign, style, line) in lines.take(most) {
        text.push_str(&format!("  {}\n", painted(style, format!("{sign} {}", inert::line(line)).trim_end())));
    }
    if most < number {
        text.push_str(&format!(
            "  {}\n",
            painted(style::FAINT, &format!("… and {} more; `--full` shows them", number - most))
        ));
    }
    text
}

/// Returns the lines in which two texts differ, between their common start and end.
fn differing<'t>(before: &'t str, after: &'t str) -> (Vec<&'t str>, Vec<&'t str>) {
    let (before, after): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let start = before.iter().zip(&after).take_while(|(a, b)| a == b).count();
    let (before, after) = (&before[start..], &after[start..]);
    let end = before.iter().rev().zip(after.iter().rev()).take_while(|(a, b)| a == b).count();
    (before[..before.len() - end].to_vec(), after[..after.len() - end].to_vec())
}

fn refusal_text(refusal: &Refusal) -> String {
    let name = inert::line(&shown(&refusal.spot));
    let mut text = format!("{} {name}: {}\n", painted(style::WARN, "left    "), inert::line(&refusal.why));
    if !refusal.add.is_empty() {
        text.push_str("  to add by hand:\n");
        text.extend(refusal.add.lines().map(|line| format!("  | {line}").trim_end().to_owned() + "\n"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_differs_is_shown() {
        assert_eq!(differing("a\nb\nc\n", "a\nx\ny\nc\n"), (vec!["b"], vec!["x", "y"]));
        assert_eq!(differing("", "a\n"), (vec![], vec!["a"]));
        assert_eq!(differing("a\n", "a\nb\n"), (vec![], vec!["b"]));
        assert_eq!(differing("a\na\n", "a\n"), (vec!["a"], vec![]));
    }
}
