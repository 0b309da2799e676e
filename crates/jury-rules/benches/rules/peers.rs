//! The specialists beside other programs over the same files, each as one process with one thread, its start taken off.
//! In: the folder of real sources, and comparable rules in each program's own words (`peers/`). Out: a table, or how to
//! install what is missing.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::clock::Clock;
use crate::sources;

/// What tells a process of this bench to review a folder and stop.
pub(crate) const SCAN: &str = "JURY_BENCH_SCAN";
/// How often each is run; the fastest counts.
const ROUNDS: usize = 2;
/// The languages that the comparable rules are written for.
const LANGUAGES: &[&str] = &["go", "java", "python", "typescript"];

/// Another program.
struct Peer {
    name: &'static str,
    /// The variable that names it where it is not on the path.
    variable: &'static str,
    install: &'static str,
    /// The file of its rules.
    rules: &'static str,
    arguments: &'static [&'static str],
}

const PEERS: &[Peer] = &[
    Peer {
        name: "ast-grep",
        variable: "JURY_BENCH_AST_GREP",
        install: "npm install --global @ast-grep/cli",
        rules: "ast-grep.yml",
        arguments: &["scan", "--threads", "1", "--no-ignore", "hidden", "--json=stream", "--rule"],
    },
    Peer {
        name: "semgrep",
        variable: "JURY_BENCH_SEMGREP",
        install: "pip install semgrep",
        rules: "semgrep.yml",
        arguments: &[
            "scan",
            "--jobs=1",
            "--metrics=off",
            "--disable-version-check",
            "--no-git-ignore",
            "--quiet",
            "--json",
            "--config",
        ],
    },
];

/// Reviews a folder as the only thing that this process does.
#[allow(clippy::print_stdout)]
pub(crate) fn scan(folder: &Path) {
    println!("{}", sources::review(&sources::read(folder)));
}

/// Measures the programs that are there.
#[allow(clippy::print_stdout)]
pub(crate) fn bench(folder: &Path) {
    let empty = std::env::temp_dir().join(format!("jury-bench-empty-{}", std::process::id()));
    std::fs::create_dir_all(&empty).expect("the folder of temporary files is writable");
    println!(
        "\none process with one thread over the same files; the fastest of {ROUNDS}, less the same on no files; CPU time"
    );
    println!("| program | start, ms | {} |", cells(|language| format!("{language}, MB/s")));
    println!("|---|---|{}", "---|".repeat(LANGUAGES.len()));
    let this = std::env::current_exe().expect("this program has a path");
    row("the specialists, all rules", folder, &empty, |folder| {
        let mut command = Command::new(&this);
        command.env(SCAN, folder);
        command
    });
    for peer in PEERS {
        let program = std::env::var_os(peer.variable).unwrap_or_else(|| peer.name.into());
        let Some(version) = version(&program) else {
            println!("| {} is not installed: `{}`, or name it in `{}` | | |", peer.name, peer.install, peer.variable);
            continue;
        };
        let rules = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("benches/rules/peers").join(peer.rules);
        row(&format!("{version}, comparable rules"), folder, &empty, |folder| {
            let mut command = Command::new(&program);
            command.args(peer.arguments).arg(&rules).arg(folder);
            command
        });
    }
    std::fs::remove_dir_all(&empty).expect("the empty folder is still there");
}

/// Asks a program who it is.
fn version(program: &OsString) -> Option<String> {
    let output = Command::new(program).arg("--version").output().ok().filter(|output| output.status.success())?;
    let said = String::from_utf8_lossy(&output.stdout);
    let version = said.split_whitespace().next_back()?;
    Some(format!("{} {version}", Path::new(program).file_name()?.to_string_lossy()))
}

/// Measures one program over the languages.
#[allow(clippy::print_stdout)]
fn row(name: &str, folder: &Path, empty: &Path, command: impl Fn(&Path) -> Command) {
    let start = fastest(|| command(empty));
    let cells = cells(|language| {
        let folder = folder.join(language);
        if !folder.is_dir() {
            return "no sources".to_owned();
        }
        let bytes: usize = sources::read(&folder).iter().map(|source| source.text.len()).sum();
        let time = fastest(|| command(&folder)).saturating_sub(start);
        format!("{:.2}", bytes as f64 / 1e6 / time.as_secs_f64())
    });
    println!("| {name} | {:.0} | {cells} |", start.as_secs_f64() * 1e3);
}

/// Returns the time of the fastest of several runs of a command.
fn fastest(command: impl Fn() -> Command) -> Duration {
    let run = || {
        let mut command = command();
        let start = Clock::start();
        let output = command.stdin(Stdio::null()).output().expect("the program starts");
        // These programs exit with 1 when they find something; beyond that, they did not do their work.
        let code = output.status.code();
        assert!(code.is_some_and(|code| code <= 1), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
        start.elapsed()
    };
    (0..ROUNDS).map(|_| run()).min().expect("there is a round")
}

/// Makes a cell for each language and puts them in a row.
fn cells(cell: impl Fn(&str) -> String) -> String {
    LANGUAGES.iter().map(|language| cell(language)).collect::<Vec<_>>().join(" | ")
}
