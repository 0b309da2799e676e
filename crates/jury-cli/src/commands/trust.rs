//! `jury trust`: the commands that `jury.toml` of the base names, and the models that it sends code to, shown; and trusted by a
//! person, exactly as they are.
//!
//! What is trusted is kept outside the repository (DESIGN §10). Nothing is written before it was shown and agreed to.

use jury::model::Definition;
use jury::review::{Decided, PATIENCE, snapshot};
use jury::store::Trust;
use jury_wire::ExitCode;

use crate::error::Error;
use crate::render::inert;
use crate::streams::Streams;
use crate::workplace::Place;
use crate::{help, render};

fn examples() -> String {
    help::after_help(
        &[
            ("jury trust", "Show every command that is not trusted yet, and ask"),
            ("jury trust eslint", "Only that one"),
            ("jury trust --list", "Show all of them, trusted or not"),
            ("jury trust --remove eslint", "Trust it no more"),
        ],
        &[
            (ExitCode::Clear, "trusted, shown or removed"),
            (ExitCode::Usage, "not agreed to, or jury.toml was not understood"),
            (ExitCode::Refused, "the file of what is trusted was refused"),
        ],
    )
}

/// Show the commands of jury.toml, and trust them
#[derive(clap::Args)]
#[command(after_help = examples())]
pub(crate) struct Arguments {
    /// Which reviewers; else all that are not trusted yet
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// Only show them
    #[arg(long, conflicts_with_all = ["remove", "yes"])]
    list: bool,
    /// Trust them no more
    #[arg(long, conflicts_with = "yes")]
    remove: bool,
    /// Do not ask; for whoever has read the commands
    #[arg(long)]
    yes: bool,
    /// The branch whose jury.toml counts; else the upstream, origin/HEAD, main or master
    #[arg(long, value_name = "REF")]
    base: Option<String>,
    #[command(flatten)]
    place: Place,
}

pub(super) fn run(arguments: Arguments, streams: &mut Streams) -> Result<ExitCode, Error> {
    let Arguments { names, list, remove, yes, base, place } = arguments;
    let workplace = place.open()?;
    let snapshot = snapshot(&workplace.repository, &workplace.store)?;
    let base = workplace.repository.base_of(&snapshot, base.as_deref())?;
    let decided = Decided::read(&workplace.repository, &base)?;
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
        streams.show("nothing is left to be trusted\n");
        return Ok(ExitCode::Clear);
    }
    streams.show(&shown(&new, &trust, &base.name));
    if !yes && !streams.is_agreed("Trust what is shown?") {
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
        for (what, list) in [("sees", &definition.env), ("writes", &definition.writes)] {
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
