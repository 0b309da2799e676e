//! `jury demo`: the whole way once, on a throw-away repository: review, verdict, half a fix, second look, fix, gate open.
//!
//! Every command of the story is the real one, run on real files. If one of them does not end as the story says, the demo
//! fails. Deliberately not here: anything that a command does only for the demo.

use std::path::{Path, PathBuf};
use std::process::{Command as Program, Stdio};
use std::time::Duration;

use jury_wire::ExitCode;

use crate::error::Error;
use crate::help;
use crate::render::{painted, style};
use crate::streams::Streams;

const DATABASE: &str =
    "export interface Database {\n  query(text: string, values?: unknown[]): Promise<unknown[]>;\n}\n";
const BEFORE: &str = include_str!("../../demo/orders-before.ts");
/// Quotes around a value keep nobody out of a shell: half a fix.
const HALF: &str = include_str!("../../demo/orders-half.ts");
const AFTER: &str = include_str!("../../demo/orders-after.ts");

/// Time for a person to read the output of a command.
const PAUSE: Duration = Duration::from_millis(1500);

fn examples() -> String {
    help::after_help(
        &[("jury demo", "Review, half a fix, verify, fix, gate open")],
        &[
            (ExitCode::Clear, "the demo ran as expected"),
            (ExitCode::Usage, "git is missing, or the throw-away repository cannot be written"),
            (ExitCode::Incomplete, "a command ended with an unexpected exit code"),
        ],
    )
}

/// Play review, fix, verify and gate in a throw-away repository
#[derive(clap::Args)]
#[command(after_help = examples())]
pub(crate) struct Arguments {}

pub(super) fn run(_: Arguments, streams: &mut Streams) -> Result<ExitCode, Error> {
    let story = Story { repository: Throwaway::new()?, is_watched: streams.can_animate() };
    story.tell(streams)?;
    Ok(ExitCode::Clear)
}

struct Story {
    repository: Throwaway,
    is_watched: bool,
}

impl Story {
    fn tell(&self, streams: &mut Streams) -> Result<(), Error> {
        self.say(streams, "An agent has worked on a branch. It is not reviewed yet.");
        self.jury(streams, &["gate"], ExitCode::Incomplete)?;
        self.say(streams, "Review it.");
        self.jury(streams, &["review"], ExitCode::Blocked)?;
        self.say(streams, "Ask for the next step.");
        self.jury(streams, &["next"], ExitCode::Clear)?;
        self.say(streams, "The agent fixes the code and marks the findings.");
        self.repository.write("src/orders.ts", HALF)?;
        self.mark_all(streams)?;
        self.say(streams, "\"Fixed\" is a claim until it is verified: the gate stays closed.");
        self.jury(streams, &["gate"], ExitCode::Blocked)?;
        self.say(streams, "Verify the current tree. One of the fixes was only half a fix.");
        self.jury(streams, &["verify"], ExitCode::Blocked)?;
        self.say(streams, "The agent fixes the other half and marks it again.");
        self.repository.write("src/orders.ts", AFTER)?;
        self.mark_all(streams)?;
        self.jury(streams, &["verify"], ExitCode::Clear)?;
        self.say(streams, "The gate judges the commit, so the verified tree is committed.");
        self.commit(streams, "Use parameters")?;
        self.jury(streams, &["gate"], ExitCode::Clear)?;
        streams.show(&format!(
            "\n{}\n  jury init            set up agents and git hooks\n  jury review          review your branch\n  jury next            print the next step\n  \
             jury verify          verify the marked fixes\n  jury gate            check whether it may merge (for CI and hooks)\n  jury --help          everything else\n",
            painted(style::STRONG, "In your own repository:")
        ));
        Ok(())
    }

    /// Claims that everything that blocks is fixed.
    fn mark_all(&self, streams: &mut Streams) -> Result<(), Error> {
        let ids = self.repository.blocking()?;
        let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
        self.jury(streams, &[&["mark"], ids.as_slice(), &["fixed"]].concat(), ExitCode::Clear)
    }

    /// Commits everything as it would be typed.
    fn commit(&self, streams: &mut Streams, subject: &str) -> Result<(), Error> {
        self.wait();
        streams.show(&format!("{} git add --all && git commit -m \"{subject}\"\n", painted(style::FAINT, "$")));
        self.repository.commit(subject)
    }

    fn say(&self, streams: &mut Streams, text: &str) {
        self.wait();
        streams.show(&format!("\n{}\n", painted(style::STRONG, text)));
    }

    /// Runs one of our own commands as it would be typed.
    fn jury(&self, streams: &mut Streams, words: &[&str], expected: ExitCode) -> Result<(), Error> {
        self.wait();
        let typed = format!("jury {}", words.join(" "));
        streams.show(&format!("{} {typed}\n", painted(style::FAINT, "$")));
        let folder = self.repository.root.to_string_lossy().into_owned();
        let line = [&["jury"], words, &["-C", &folder]].concat();
        let command = crate::command_of(&line)?;
        let ended = command.run(streams)?;
        if ended == expected {
            Ok(())
        } else {
            Err(Error::Demo { typed, ended: ended.code(), expected: expected.code() })
        }
    }

    fn wait(&self) {
        if self.is_watched {
            std::thread::sleep(PAUSE);
        }
    }
}

/// A git repository in a temporary folder, removed at the end.
pub(super) struct Throwaway {
    folder: PathBuf,
    pub(super) root: PathBuf,
}

impl Throwaway {
    /// Makes one with a branch on which something is wrong.
    pub(super) fn new() -> Result<Self, Error> {
        let folder = std::env::temp_dir().join(format!("jury-demo-{}", std::process::id()));
        let repository = Self { root: folder.join("shop"), folder };
        // A file planted there by another user must not be written to.
        std::fs::create_dir(&repository.folder)
            .and_then(|()| std::fs::create_dir(&repository.root))
            .map_err(|source| Error::Throwaway { path: repository.folder.to_string_lossy().into_owned(), source })?;
        repository.git(&["init", "--quiet", "--initial-branch=main"])?;
        repository.write("src/database.ts", DATABASE)?;
        repository.commit("Talk to the database")?;
        repository.git(&["switch", "--quiet", "--create", "orders"])?;
        repository.write("src/orders.ts", BEFORE)?;
        repository.commit("Look up and export orders")?;
        Ok(repository)
    }

    fn write(&self, path: &str, text: &str) -> Result<(), Error> {
        let path = self.root.join(path);
        let folder = path.parent().unwrap_or(&self.root);
        let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&path, text));
        written.map_err(|source| Error::Throwaway { path: path.to_string_lossy().into_owned(), source })
    }

    fn commit(&self, subject: &str) -> Result<(), Error> {
        self.git(&["add", "--all"])?;
        self.git(&["commit", "--quiet", "--no-verify", "--message", subject])
    }

    /// Runs git without anything of the user's: no configuration, no hooks, no environment of another repository.
    fn git(&self, arguments: &[&str]) -> Result<(), Error> {
        let mut git = Program::new("git");
        for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("GIT_")) {
            git.env_remove(name);
        }
        let nowhere = Path::new("/dev/null");
        git.args(["-c", "user.name=Demo", "-c", "user.email=demo@example.invalid", "-c", "commit.gpgSign=false"])
            .args(arguments)
            .current_dir(&self.root)
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_CONFIG_GLOBAL", nowhere)
            .stdin(Stdio::null());
        let output = git.output().map_err(Error::NoGit)?;
        if output.status.success() {
            return Ok(());
        }
        Err(Error::Git(String::from_utf8_lossy(&output.stderr).trim().to_owned()))
    }

    /// Returns the ids of the findings that block and stand.
    fn blocking(&self) -> Result<Vec<String>, Error> {
        let place = crate::workplace::WorkingDir { folder: self.root.clone() };
        let latest = place.open()?.store.state()?.latest.ok_or(Error::NoReview)?;
        let blocking = latest.file.findings.into_iter().filter(|finding| {
            ["Blocker", "High"].contains(&finding.severity.as_str())
                && ["open", "reopened"].contains(&finding.status.as_str())
        });
        Ok(blocking.map(|finding| finding.id).collect())
    }
}

impl Drop for Throwaway {
    fn drop(&mut self) {
        // If removal fails, the system removes it with its temporary files.
        _ = std::fs::remove_dir_all(&self.folder);
    }
}
