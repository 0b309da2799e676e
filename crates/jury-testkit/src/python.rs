//! Programs and libraries of others, from the registry of Python packages, for tests that hold us against them.
//!
//! In: a folder and the packages with their versions. Out: the folder of the programs that they bring, made once and kept beside the other
//! things that are built. A machine that cannot install them cannot run such a test, and the panic says what is missing.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Makes a virtual environment with these packages, or finds the one that was made before.
pub fn environment(place: &Path, packages: &[&str]) -> PathBuf {
    let programs = place.join("bin");
    std::fs::create_dir_all(place).unwrap_or_else(|error| panic!("{}: {error}", place.display()));
    // Several tests, and several runs of them, may want it at once.
    let lock = std::fs::File::create(place.join("lock")).expect("the folder is ours");
    lock.lock().expect("a file of ours can be locked");
    let ready = place.join("ready");
    let wanted = packages.join("\n");
    if std::fs::read_to_string(&ready).is_ok_and(|made| made == wanted) {
        return programs;
    }
    let _ = std::fs::remove_file(&ready);
    let done = |command: &mut Command| command.stdout(Stdio::null()).status().is_ok_and(|status| status.success());
    let is_made = done(Command::new("python3").args(["-m", "venv"]).arg(place));
    assert!(is_made, "this test needs `python3` (3.11 or newer) with `venv`, to install {packages:?}");
    let install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
    let is_installed = done(Command::new(programs.join("python")).args(install).args(packages));
    assert!(is_installed, "this test needs the packages {packages:?}, which `pip` could not install");
    std::fs::write(&ready, wanted).expect("the folder is ours");
    programs
}
