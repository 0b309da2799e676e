//! A repository whose base names reviewers, a change on top of it, and the real binary on both: with a home and a folder for
//! temporary files of its own, so that what is left behind is seen.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use jury_testkit::patience::{comes_to_be, output_of};
use jury_testkit::repo::{Repo, TempFolder};

use crate::binary::jury;

/// Stands in configurations and scripts for the one folder outside their copy in which all reviewers may write.
const OUT: &str = "@OUT@";
/// What a tool prints that found nothing.
pub(crate) const CLEAN: &str = "echo \"<checkstyle></checkstyle>\"";

/// The table of a tool that is a shell script.
pub(crate) fn tool(name: &str, script: &str, more: &str) -> String {
    format!(
        "[reviewers.{name}]\nkind = \"tool\"\nformat = \"checkstyle\"\nwrites = [\"{OUT}\"]\n\
         command = [\"sh\", \"-c\", '''{script}''', \"{{files}}\"]\n{more}\n"
    )
}

pub(crate) struct Desk {
    pub(crate) repo: Repo,
    place: TempFolder,
}

impl Desk {
    /// The base has `jury.toml`; the change is one harmless file.
    pub(crate) fn with(config: &str) -> Self {
        let place = TempFolder::new();
        for folder in ["out", "home", "tmp"] {
            fs::create_dir(place.path().join(folder)).expect("the folder is ours");
        }
        let config = config.replace(OUT, &place.path().join("out").to_string_lossy());
        let repo = Repo::with(&[("README.md", "# A\n"), ("jury.toml", &config)]);
        repo.git(["switch", "--quiet", "--create", "work"]);
        repo.write("src/two.ts", "export const two = 2;\n");
        repo.commit("Work");
        Self { repo, place }
    }

    pub(crate) fn out(&self, name: &str) -> PathBuf {
        self.place.path().join("out").join(name)
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.place.path().join("home")
    }

    pub(crate) fn tmp(&self) -> PathBuf {
        self.place.path().join("tmp")
    }

    /// Returns a command line in which `@OUT@` stands for the folder of everybody.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let out = self.place.path().join("out").to_string_lossy().into_owned();
        let arguments: Vec<String> = arguments.iter().map(|argument| argument.replace(OUT, &out)).collect();
        let mut command = jury(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
        self.surround(&mut command);
        command
    }

    /// Gives a command its place and its environment.
    pub(crate) fn surround(&self, command: &mut Command) {
        command.current_dir(self.repo.root()).env("TMPDIR", self.tmp()).env("HOME", self.home());
        command.env_remove("XDG_CONFIG_HOME").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    }

    /// Starts the binary with every signal as it is by default, whatever whoever runs the tests (`nohup`) wants ignored.
    pub(crate) fn start(&self, arguments: &[&str]) -> Child {
        let command = self.command(arguments);
        let mut heeding = Command::new("env");
        heeding.arg("--default-signal=HUP,INT,TERM").arg(command.get_program()).args(command.get_args());
        self.surround(&mut heeding);
        heeding.spawn().expect("the binary can be started")
    }

    /// Runs to the end; returns the exit code and all that was printed.
    pub(crate) fn run(&self, arguments: &[&str]) -> (Option<i32>, String) {
        ended(self.start(arguments))
    }

    /// Every file below the folders in which Jury keeps its state, with its bytes.
    pub(crate) fn state(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let roots = [".code-review", ".git/jury", "docs", ".dartai"].map(|folder| self.repo.path(folder));
        let mut files: Vec<_> = roots.iter().flat_map(|root| files(root)).collect();
        files.sort();
        // Locks have no content; the brief of a loop, what was answered and that a review was begun are for whoever goes on.
        let for_later = ["/loop/", "/cache/", "/jury/begun.json"];
        files.retain(|(path, bytes)| {
            !bytes.is_empty() && !for_later.iter().any(|part| path.to_string_lossy().contains(part))
        });
        files
    }

    /// What lies in the folder for temporary files.
    pub(crate) fn left_behind(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.tmp()).expect("the folder is ours").flatten();
        entries.map(|entry| entry.path()).collect()
    }
}

fn files(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    entries
        .flat_map(|path| match path.is_dir() {
            true => files(&path),
            false => vec![(path.clone(), fs::read(&path).unwrap_or_default())],
        })
        .collect()
}

/// Waits for the end; returns the exit code and all that was printed.
pub(crate) fn ended(child: Child) -> (Option<i32>, String) {
    let output = output_of(child);
    (output.status.code(), String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned())
}

/// Waits for the number of a process that somebody writes into a file.
pub(crate) fn number_in(path: &Path) -> u32 {
    let number = || fs::read_to_string(path).unwrap_or_default().strip_suffix('\n')?.parse().ok();
    assert!(comes_to_be(|| number().is_some()), "nobody wrote {}", path.display());
    number().expect("it was there before")
}

/// Tells whether a process runs; one that has ended and was not reaped does not.
pub(crate) fn is_alive(process: u32) -> bool {
    fs::read_to_string(format!("/proc/{process}/stat")).is_ok_and(|stat| !stat.contains(") Z "))
}

/// Tells whether a process outlives its kill, which the system may take a moment for.
pub(crate) fn outlives(process: u32) -> bool {
    !comes_to_be(|| !is_alive(process))
}

pub(crate) fn signal(process: u32, name: &str) {
    let status = Command::new("kill").args(["-s", name, &process.to_string()]).status();
    assert!(status.expect("`kill` is there").success(), "{name} {process}");
}
