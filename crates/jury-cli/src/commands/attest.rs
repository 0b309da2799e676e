//! `jury attest`: signs the verdict of a clear gate, and checks signed verdicts in any clone.

use std::path::PathBuf;

use jury::attestation::Attested;
use jury::flows::attest::{AttestRequest, attest};
use jury::flows::attested::{AttestedView, attested, stored};
use jury::flows::gate::{Subject, gate};
use jury_wire::ExitCode;

use super::OutputFormat;
use crate::error::Error;
use crate::streams::Streams;
use crate::workplace::{self, WorkingDir};
use crate::{help, render};

fn examples() -> String {
    help::after_help(
        &[
            ("jury attest --push", "Sign the verdict of HEAD with a key of the ssh agent, and push it"),
            ("jury attest --key ~/.ssh/id_ed25519_sk", "Sign with a key in a file"),
            ("jury attest verify", "Check the signed verdicts of HEAD's tree, offline"),
            ("jury attest export > verdicts.intoto.jsonl", "Export them for other verifiers"),
            ("jury gate --attested --base origin/main", "Open the gate on them alone, in CI"),
        ],
        &[
            (ExitCode::Clear, "signed; or enough signatures count"),
            (ExitCode::Blocked, "the gate is closed, so nothing was signed"),
            (ExitCode::Usage, "no key to sign with, or invalid command line or jury.toml"),
            (ExitCode::Incomplete, "`verify`: not enough signatures count"),
            (ExitCode::Refused, "the state on disk was refused"),
        ],
    )
}

/// Sign the verdict of a clear gate, or check signed verdicts
#[derive(clap::Args)]
#[command(after_help = examples(), args_conflicts_with_subcommands = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    action: Option<Action>,
    #[command(flatten)]
    sign: Sign,
}

#[derive(clap::Subcommand)]
enum Action {
    Verify(Verify),
    Export(Export),
}

#[derive(clap::Args)]
struct Sign {
    /// Key file; of a key in the agent, its public part
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,
    /// Sign with a key of the ssh agent that .jury/signers of the base lists (default)
    #[arg(long, conflicts_with = "key")]
    agent: bool,
    /// Write a raw Ed25519 signature, for verifiers that do not read SSHSIG
    #[arg(long, requires = "key")]
    raw: bool,
    /// Attach the record of the review, so that others can judge it again
    #[arg(long)]
    record: bool,
    /// Days until the signature expires
    #[arg(long, value_name = "DAYS", default_value_t = 30)]
    days: u16,
    /// Push the signed verdict, and fetch those of others
    #[arg(long)]
    push: bool,
    /// Remote to push to
    #[arg(long, value_name = "NAME", default_value = "origin", requires = "push")]
    remote: String,
    /// Base of the change; default: upstream, origin/HEAD, main or master
    #[arg(long, value_name = "REF")]
    base: Option<String>,
    /// Output format
    #[arg(long, value_enum, default_value_t = OutputFormat::Text, value_name = "FORMAT")]
    format: OutputFormat,
    #[command(flatten)]
    place: WorkingDir,
}

/// Check the signed verdicts of HEAD's tree
#[derive(clap::Args)]
struct Verify {
    /// Tree that HEAD has to have
    #[arg(value_name = "TREE")]
    tree: Option<String>,
    /// Also judge the attached record again
    #[arg(long)]
    record: bool,
    /// Base of the change; default: upstream, origin/HEAD, main or master
    #[arg(long, value_name = "REF")]
    base: Option<String>,
    /// Output format
    #[arg(long, value_enum, default_value_t = OutputFormat::Text, value_name = "FORMAT")]
    format: OutputFormat,
    #[command(flatten)]
    place: WorkingDir,
}

/// Write the signed verdicts of HEAD's tree, one envelope a line
#[derive(clap::Args)]
struct Export {
    #[command(flatten)]
    place: WorkingDir,
}

pub(super) fn run(arguments: Arguments, streams: &mut Streams) -> Result<ExitCode, Error> {
    match arguments.action {
        Some(Action::Verify(arguments)) => verify(arguments, streams),
        Some(Action::Export(arguments)) => export(&arguments, streams),
        None => sign(arguments.sign, streams),
    }
}

fn sign(arguments: Sign, streams: &mut Streams) -> Result<ExitCode, Error> {
    let workplace = arguments.place.open()?;
    let now = workplace::now();
    let (repository, store) = (&workplace.repository, &workplace.store);
    let view = gate(repository, store, arguments.base.as_deref(), Subject::Head, &now)?;
    let request = AttestRequest {
        base: arguments.base,
        key: arguments.key,
        is_raw: arguments.raw,
        with_record: arguments.record,
        days: arguments.days,
        is_attended: streams.can_animate(),
        push: arguments.push.then_some(arguments.remote),
        now,
    };
    let mut show = |attested: &Attested| streams.remark(&render::verdict_to_sign(attested));
    let signed = attest(repository, store, &view, &request, &mut show)?;
    match arguments.format {
        OutputFormat::Text => streams.show(&render::attested_now(&signed)),
        OutputFormat::Json => streams.json(&render::pretty(&render::wire_attested_now(&signed))),
    }
    Ok(ExitCode::Clear)
}

fn verify(arguments: Verify, streams: &mut Streams) -> Result<ExitCode, Error> {
    let workplace = arguments.place.open()?;
    let (repository, store) = (&workplace.repository, &workplace.store);
    let view = attested(repository, store, arguments.base.as_deref(), arguments.record, &workplace::now())?;
    let AttestedView { tree, standing, .. } = &view;
    if let (Some(wanted), Some(tree)) = (&arguments.tree, tree)
        && wanted != tree.as_str()
    {
        return Err(Error::OtherTree(wanted.clone()));
    }
    match arguments.format {
        OutputFormat::Text => streams.show(&render::attestations(&view)),
        OutputFormat::Json => streams.json(&render::pretty(&render::wire_attestations(&view))),
    }
    Ok(if standing.is_enough() { ExitCode::Clear } else { ExitCode::Incomplete })
}

fn export(arguments: &Export, streams: &mut Streams) -> Result<ExitCode, Error> {
    let workplace = arguments.place.open()?;
    let Some(tree) = workplace.repository.head_tree()? else { return Ok(ExitCode::Clear) };
    for envelope in stored(&workplace.repository, &tree)? {
        // An envelope is one line already; what is none stays out, for other readers would stumble over it.
        let text = envelope.bytes.and_then(|bytes| String::from_utf8(bytes).ok());
        let line = text.filter(|text| text.lines().count() == 1 && text.ends_with('\n'));
        line.into_iter().for_each(|line| streams.document(&line));
    }
    Ok(ExitCode::Clear)
}
