//! Real sources to measure by. In: the names and versions of published packages. Out: a folder per language under `target/`,
//! with at most a few megabytes of code each. What cannot be had is said; it is never left out in silence.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::corpus::files_below;
use crate::{Failure, root, say};

/// Which program fetches a package.
#[derive(Clone, Copy)]
enum Client {
    /// `npm pack`.
    Npm,
    /// `pip download`, the source distribution.
    Pip,
    /// What cargo unpacked for this workspace, in the version that it is locked to.
    Cargo,
}

/// A published package.
struct Package(Client, &'static str, &'static str);

/// The sources of a language.
struct Sources {
    language: &'static str,
    extensions: &'static [&'static str],
    packages: &'static [Package],
}

const SOURCES: &[Sources] = &[
    Sources {
        language: "csharp",
        extensions: &["cs"],
        packages: &[Package(Client::Npm, "react-native-windows", "0.76.2")],
    },
    Sources { language: "go", extensions: &["go"], packages: &[Package(Client::Pip, "gojsonnet", "0.22.0")] },
    Sources {
        language: "java",
        extensions: &["java"],
        packages: &[
            Package(Client::Npm, "@capacitor/android", "8.5.2"),
            Package(Client::Npm, "cordova-android", "15.1.0"),
        ],
    },
    Sources {
        language: "javascript",
        extensions: &["js", "mjs", "cjs"],
        packages: &[Package(Client::Npm, "fastify", "5.12.8"), Package(Client::Npm, "undici", "7.30.2")],
    },
    Sources {
        language: "php",
        extensions: &["php"],
        packages: &[Package(Client::Npm, "@wordpress/block-library", "11.1.0")],
    },
    Sources {
        language: "python",
        extensions: &["py"],
        packages: &[Package(Client::Pip, "requests", "2.34.2"), Package(Client::Pip, "django", "5.2.19")],
    },
    Sources { language: "ruby", extensions: &["rb"], packages: &[Package(Client::Npm, "react-native", "0.76.5")] },
    Sources {
        language: "rust",
        extensions: &["rs"],
        packages: &[Package(Client::Cargo, "clap_builder", ""), Package(Client::Cargo, "regex-automata", "")],
    },
    Sources {
        language: "shell",
        extensions: &["sh", "bash"],
        packages: &[Package(Client::Npm, "bats", "1.13.0"), Package(Client::Npm, "react-native", "0.76.5")],
    },
    Sources { language: "tsx", extensions: &["tsx"], packages: &[Package(Client::Npm, "@blueprintjs/core", "6.20.0")] },
    Sources {
        language: "typescript",
        extensions: &["ts"],
        packages: &[Package(Client::Npm, "rxjs", "7.8.2"), Package(Client::Npm, "zod", "4.6.7")],
    },
    Sources {
        language: "yaml",
        extensions: &["yml", "yaml"],
        packages: &[Package(Client::Pip, "ansible-lint", "26.10.1")],
    },
];

/// The most code of a language, in bytes.
const MOST: u64 = 3_000_000;
/// The largest file: beyond it, the specialists do not parse.
const LARGEST: u64 = 512 * 1024;
/// The file in a folder that says what its code was taken from.
const MARK: &str = ".taken-from";

/// Gathers what is not there yet, and returns the folder.
pub(crate) fn gather() -> Result<PathBuf, Failure> {
    let folder = root().join("target/bench-sources");
    for sources in SOURCES {
        sources.gather(&folder)?;
    }
    Ok(folder)
}

impl Sources {
    fn gather(&self, folder: &Path) -> Result<(), Failure> {
        let into = folder.join(self.language);
        let names: Vec<String> = self.packages.iter().map(Package::name).collect();
        let mark = names.join(" ");
        if std::fs::read_to_string(into.join(MARK)).is_ok_and(|taken| taken == mark) {
            return Ok(());
        }
        let mut taken = 0;
        let mut is_whole = true;
        for (package, name) in self.packages.iter().zip(&names) {
            match package.unpacked(&folder.join("packages")) {
                Ok(unpacked) => self.take(&unpacked, &into.join(name.replace('/', "-")), &mut taken)?,
                Err(why) => {
                    is_whole = false;
                    say(&format!("xtask: {} is measured without {name}: {why}", self.language));
                }
            }
        }
        // Without the mark, the next run tries again.
        if is_whole { write(&into.join(MARK), mark.as_bytes()) } else { Ok(()) }
    }

    /// Copies the code of a package, in the order of its paths, until there is enough.
    fn take(&self, from: &Path, to: &Path, taken: &mut u64) -> Result<(), Failure> {
        for path in files_below(from).map_err(|error| at(from, error))? {
            let is_code = path.extension().is_some_and(|found| self.extensions.iter().any(|known| found == *known));
            let size = path.metadata().map_err(|error| at(&path, error))?.len();
            if !is_code || size > LARGEST || *taken + size > MOST {
                continue;
            }
            *taken += size;
            let bytes = std::fs::read(&path).map_err(|error| at(&path, error))?;
            write(&to.join(path.strip_prefix(from).expect("the file lies below")), &bytes)?;
        }
        Ok(())
    }
}

impl Package {
    /// Returns what its client calls it.
    fn name(&self) -> String {
        let Self(client, name, version) = self;
        match client {
            Client::Npm => format!("{name}@{version}"),
            Client::Pip => format!("{name}=={version}"),
            Client::Cargo => (*name).to_owned(),
        }
    }

    /// Returns the folder that it is unpacked in, and fetches it first if need be.
    fn unpacked(&self, folder: &Path) -> Result<PathBuf, Failure> {
        let name = self.name();
        let arguments: &[&str] = match self.0 {
            Client::Cargo => return unpacked_crate(self.1),
            Client::Npm => &["pack", "--silent", &name],
            Client::Pip => &["download", "--quiet", "--no-deps", "--no-binary", ":all:", "--dest", ".", &name],
        };
        let program = if matches!(self.0, Client::Npm) { "npm" } else { "pip" };
        let into = folder.join(name.replace('/', "-"));
        let unpacked = into.join("unpacked");
        if unpacked.is_dir() {
            return Ok(unpacked);
        }
        std::fs::create_dir_all(&into).map_err(|error| at(&into, error))?;
        run(Command::new(program).args(arguments).current_dir(&into))?;
        let archives = files_below(&into).map_err(|error| at(&into, error))?;
        let is_archive = |path: &&PathBuf| path.extension().is_some_and(|ending| ending == "tgz" || ending == "gz");
        let archive = archives.iter().find(is_archive).ok_or_else(|| format!("`{program}` brought no archive"))?;
        let partly = into.join("unpacking");
        std::fs::create_dir_all(&partly).map_err(|error| at(&partly, error))?;
        run(Command::new("tar").arg("-xzf").arg(archive).arg("-C").arg(&partly))?;
        std::fs::rename(&partly, &unpacked).map_err(|error| at(&unpacked, error))?;
        Ok(unpacked)
    }
}

/// Returns the folder in which cargo unpacked a crate that this workspace depends on.
fn unpacked_crate(name: &str) -> Result<PathBuf, Failure> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let metadata =
        run(Command::new(cargo).args(["metadata", "--format-version", "1", "--locked"]).current_dir(root()))?;
    let metadata: serde_json::Value = serde_json::from_slice(&metadata).map_err(|error| format!("cargo: {error}"))?;
    let packages = metadata["packages"].as_array().map_or(&[][..], Vec::as_slice);
    let manifest = packages.iter().find(|package| package["name"] == name).and_then(|of| of["manifest_path"].as_str());
    let folder = manifest.and_then(|manifest| Path::new(manifest).parent());
    folder.map(Path::to_path_buf).ok_or_else(|| "nothing depends on it any more".to_owned())
}

/// Runs a program and returns what it printed; fails with what it complained of.
fn run(command: &mut Command) -> Result<Vec<u8>, Failure> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| format!("`{program}` does not start: {error}"))?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let complaint = String::from_utf8_lossy(&output.stderr).trim().lines().next_back().unwrap_or_default().to_owned();
    Err(format!("`{program}` failed: {}", complaint.escape_debug()))
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let folder = path.parent().expect("a file lies in a folder");
    std::fs::create_dir_all(folder).and_then(|()| std::fs::write(path, bytes)).map_err(|error| at(path, error))
}

fn at(path: &Path, error: std::io::Error) -> Failure {
    format!("{}: {error}", path.display())
}
