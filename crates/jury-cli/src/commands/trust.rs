//! `jury trust`: the commands that `jury.toml` of the base names, and the models that it sends code to, shown; and trusted by a
//! person, exactly as they are.
//!
//! The trust file is outside the repository (DESIGN §10). Nothing is written before it was shown and agreed to.

use jury::base::BasePolicy;
use jury::model::{Definition, Dependencies};
use jury::store::Trust;
use jury::worktree::{PATIENCE, snapshot};
use jury_wire::ExitCode;

use crate::error::Error;
use crate::render::inert;
use crate::streams::Streams;
use crate::workplace::WorkingDir;
use crate::{help, render};

fn examples() -> String {
    help::after_help(
        &[
            ("jury trust", "Show every untrusted reviewer, and ask"),
            ("jury trust eslint", "Show and trust one reviewer"),
            ("jury trust --list", "List all reviewers, trusted or not"),
            ("jury trust --remove eslint", "Revoke trust"),
        ],
        &[
            (ExitCode::Clear, "trusted, shown or removed"),
            (ExitCode::Usage, "not confirmed, or invalid jury.toml"),
            (ExitCode::Refused, "the trust file was refused"),
        ],
    )
}

/// Show the reviewers of jury.toml and trust them
#[derive(clap::Args)]
#[command(after_help = examples())]
pub(crate) struct Arguments {
    /// Reviewers; default: all that are not trusted yet
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// List all reviewers
    #[arg(long, conflicts_with_all = ["remove", "yes"])]
    list: bool,
    /// Revoke trust
    #[arg(long, conflicts_with = "yes")]
    remove: bool,
    /// Trust without asking
    #[arg(long)]
    yes: bool,
    /// Branch to read jury.toml from; default: upstream, origin/HEAD, main or master
    #[arg(long, value_name = "REF")]
    base: Option<String>,
    #[command(flatten)]
    place: WorkingDir,
}

pub(super) fn run(arguments: Arguments, streams: &mut Streams) -> Result<ExitCode, Error> {
    let Arguments { names, list, remove, yes, base, place } = arguments;
    let workplace = place.open()?;
    let snapshot = snapshot(&workplace.repository, &workplace.store)?;
    let base = workplace.repository.base_of(&snapshot, base.as_deref())?;
    let decided = BasePolicy::read(&workplace.repository, &base)?;
    let chosen = chosen(&decided.config.reviewers, &names)?;
    let trusted = workplace.trusted()?;
    let trust = trusted.read()?;
    if list {
        streams.show(&shown(&chosen, &trust, &base.name));
        return Ok(ExitCode::Clear);
    }
    if remove {
        trusted.remove(&chosen, PATIENCE)?;
        streams.show(&format!("{} no longer trusted\n", render::count(chosen.len(), "reviewer is", "reviewers are")));
        return Ok(ExitCode::Clear);
    }
    let new: Vec<&Definition> = chosen.into_iter().filter(|definition| !trust.covers(definition)).collect();
    if new.is_empty() {
        streams.show("no untrusted reviewers\n");
        return Ok(ExitCode::Clear);
    }
    streams.show(&shown(&new, &trust, &base.name));
    if !yes && !streams.is_agreed("Trust these reviewers?") {
        return Err(Error::NotAgreed);
    }
    trusted.add(&new, PATIENCE)?;
    streams.show(&format!("{} trusted, exactly as shown\n", render::count(new.len(), "reviewer is", "reviewers are")));
    Ok(ExitCode::Clear)
}

fn chosen<'d>(defined: &'d [Definition], names: &[String]) -> Result<Vec<&'d Definition>, Error> {
    if names.is_empty() {
        return Ok(defined.iter().collect());
    }
    let find = |name: &String| {
        let found = defined.iter().find(|definition| definition.name.as_str() == name);
        found.ok_or_else(|| Error::NoSuchReviewer(name.clone()))
    };
    names.iter().map(find).collect()
}

/// Shows definitions, with every word of a command that a shell would take apart in quotes.
fn shown(definitions: &[&Definition], trust: &Trust, base: &str) -> String {
    if definitions.is_empty() {
        return format!("jury.toml of {} defines no reviewer\n", inert::line(base));
    }
    let mut text = String::new();
    for definition in definitions {
        let mark = if trust.covers(definition) { "trusted" } else { "not trusted" };
        let words: Vec<String> = definition.command.iter().map(|word| quoted(word)).collect();
        let does = match &definition.service {
            None => format!("runs  {}", words.join(" ")),
            Some(service) => {
                let key = service.key_env.as_ref().map(|key| format!(", with the key in {key}")).unwrap_or_default();
                let (model, url) = (inert::line(&service.model), inert::line(&service.url));
                format!("sends the change to  {url}  ({}, {model}{key})", service.provider)
            }
        };
        text.push_str(&format!("{} ({}, {mark})\n  {does}\n", inert::line(definition.name.as_str()), definition.kind));
        let Dependencies { prepare, links } = &definition.dependencies;
        if !prepare.is_empty() {
            let words: Vec<String> = prepare.iter().map(|word| quoted(word)).collect();
            text.push_str(&format!("  first runs  {}\n", words.join(" ")));
        }
        let links: Vec<String> = links.iter().map(ToString::to_string).collect();
        for (what, list) in
            [("sees", &definition.env), ("writes", &definition.writes), ("takes from the working tree", &links)]
        {
            if !list.is_empty() {
                text.push_str(&format!("  {what}  {}\n", inert::line(&list.join(", "))));
            }
        }
    }
    text
}

fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=,:@%+{}".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", inert::line(word)),
    }
}
