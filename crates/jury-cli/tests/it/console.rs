//! The environment of commands in transcripts. In: a home and a folder of scripts. Out: all variables; the machine's own settings
//! are no part of a test.

use std::path::{Path, PathBuf};

/// Returns the whole environment of a command. `JURY_BINARY` names another binary than the built one, to compare two versions.
pub(crate) fn surrounding(home: &Path, scripts: &str) -> Vec<(&'static str, String)> {
    let binary = std::env::var_os("JURY_BINARY").map_or_else(|| env!("CARGO_BIN_EXE_jury").into(), PathBuf::from);
    let folder = binary.parent().expect("the binary lies in a folder").display().to_string();
    let home = home.display().to_string();
    let path = std::env::var("PATH").unwrap_or_else(|_| "/usr/bin:/bin".to_owned());
    let date = "2026-01-02T03:04:05Z".to_owned();
    vec![
        ("PATH", format!("{folder}:{scripts}:{path}")),
        ("HOME", home.clone()),
        ("XDG_CONFIG_HOME", home),
        ("TZ", "UTC".to_owned()),
        ("LANG", "C.UTF-8".to_owned()),
        ("LC_ALL", "C.UTF-8".to_owned()),
        ("NO_COLOR", "1".to_owned()),
        ("COLUMNS", "100".to_owned()),
        ("GIT_CONFIG_NOSYSTEM", "1".to_owned()),
        ("GIT_AUTHOR_NAME", "A. U. Thor".to_owned()),
        ("GIT_AUTHOR_EMAIL", "author@example.com".to_owned()),
        ("GIT_AUTHOR_DATE", date.clone()),
        ("GIT_COMMITTER_NAME", "A. U. Thor".to_owned()),
        ("GIT_COMMITTER_EMAIL", "author@example.com".to_owned()),
        ("GIT_COMMITTER_DATE", date),
    ]
}
