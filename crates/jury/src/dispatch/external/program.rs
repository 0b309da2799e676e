//! A program that runs in a private copy: its command, its environment and where it may write, and its output.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Instant, UNIX_EPOCH};

use super::{External, FILES, failed};
use crate::dispatch::brief::{self, Told, Unit};
use crate::dispatch::dependencies::{self, Linked};
use crate::dispatch::export::{Export, random_hex, told};
use crate::dispatch::{Answer, Unanswered, api, check};
use crate::model::{Definition, RepoPath, Scope};
use crate::process::{self, Bounds, Ended};
use crate::record::ROOT;

/// How much a reviewer may print.
pub(super) const MOST_OUTPUT: usize = 16 << 20;
/// The kept length of an invalid output.
const MOST_KEPT: usize = 64 << 10;
/// The environment variables of Jury that a program sees.
const ENVIRONMENT: &[&str] =
    &["HOME", "LANG", "LC_ALL", "LC_CTYPE", "LOGNAME", "SSL_CERT_DIR", "SSL_CERT_FILE", "TERM", "TZ", "USER"];

impl External<'_> {
    /// Explains a refusal by the confinement.
    pub(super) fn hint(&self, last_words: &str) -> &'static str {
        match self.unconfined.get().is_none() && is_refused(last_words) {
            true => "; it may write only to its private copy, its TMPDIR and the places in `writes`",
            false => "",
        }
    }

    /// Puts the values in the place of the placeholders.
    pub(super) fn expanded(&self, scope: &Scope) -> Vec<String> {
        let base = scope.base.commit.as_deref().unwrap_or_default();
        let head = scope.head.as_deref().unwrap_or_default();
        let argument =
            |path: RepoPath| if path.as_str().starts_with('-') { format!("./{path}") } else { path.to_string() };
        let mut words = Vec::new();
        for word in &self.definition.command {
            match word.as_str() {
                FILES => words.extend(self.paths(scope).into_iter().map(argument)),
                // The private copy is the working directory.
                word => words.push(word.replace("{base}", base).replace("{head}", head).replace("{tree}", ".")),
            }
        }
        words
    }

    /// Makes a command that runs in a tree. Programs of linked folders are found before others.
    pub(super) fn command(&self, words: &[String], tree: &Path, temporary: &Path, linked: &[Linked]) -> Command {
        let (program, arguments) = words.split_first().expect("config refuses a command without a program");
        let mut command = Command::new(program);
        command.args(arguments).current_dir(tree).env_clear();
        let named = self.definition.env.iter().map(String::as_str);
        for name in ENVIRONMENT.iter().copied().chain(named) {
            match name.split_once('=') {
                Some((name, value)) => _ = command.env(name, value),
                None => _ = std::env::var_os(name).map(|value| command.env(name, value)),
            }
        }
        // A folder that is relative would be one of the tree, and its programs those of the change.
        let path = std::env::var_os("PATH").unwrap_or_default();
        let absolute = std::env::split_paths(&path).filter(|folder| folder.is_absolute());
        if let Ok(path) = std::env::join_paths(dependencies::programs(linked).chain(absolute)) {
            command.env("PATH", path);
        }
        command.env("TMPDIR", temporary).env("NO_COLOR", "1");
        command
    }

    /// Returns its writable paths: its private folders, and those of its definition; `None` for anywhere.
    pub(super) fn writable(&self, private: [PathBuf; 2]) -> Option<Vec<PathBuf>> {
        if self.definition.writes.iter().any(|place| place == Definition::ANYWHERE) {
            _ = self.unconfined.set("its definition allows writes anywhere".to_owned());
            return None;
        }
        let home = std::env::var_os("HOME").filter(|home| Path::new(home).is_absolute());
        let place = |written: &String| match written.strip_prefix("~/") {
            Some(below) => home.as_ref().map(|home| Path::new(home).join(below)),
            None => Some(PathBuf::from(written)),
        };
        // A path that names a folder is created, as its program would have done.
        let made = |(written, place): (&String, PathBuf)| {
            if written.ends_with('/') {
                _ = fs::create_dir_all(&place);
            }
            place
        };
        let named = self.definition.writes.iter().filter_map(|written| Some((written, place(written)?))).map(made);
        Some(private.into_iter().chain(named).collect())
    }

    /// Runs the command in the private copy.
    fn ended(&self, scope: &Scope, export: &Export, linked: &[Linked], given: &[u8]) -> Result<Ended, Unanswered> {
        let given = export.given(given).map_err(|error| failed(format!("its input cannot be written: {error}")))?;
        let bounds = Bounds { time: self.definition.timeout, output: MOST_OUTPUT };
        let (tree, temporary) = (export.tree(), export.temporary());
        let mut command = self.command(&self.expanded(scope), &tree, &temporary, linked);
        let writable = self.writable([tree, temporary]);
        let mut ended = process::run(&mut command, Some(given), bounds, writable.as_deref());
        if let Some(why) = ended.unconfined.take() {
            _ = self.unconfined.set(why);
        }
        Ok(ended)
    }

    /// Runs a check, and reads the report of tests that it writes.
    pub(super) fn checked(&self, scope: &Scope) -> Result<Answer, Unanswered> {
        let export = self.export(scope)?;
        let linked = self.linked(scope)?;
        export.link(&linked).map_err(failed)?;
        let report = self.definition.junit.as_ref().map(|path| export.tree().join(path.as_str()));
        // A report that lies in the tree is none of this run.
        for stale in report.iter().filter(|place| place.symlink_metadata().is_ok()) {
            let removed =
                if stale.is_dir() && !stale.is_symlink() { fs::remove_dir_all(stale) } else { fs::remove_file(stale) };
            removed.map_err(|error| failed(told(stale, &error)))?;
        }
        let start = Instant::now();
        let ended = self.ended(scope, &export, &linked, b"")?;
        let milliseconds = u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX);
        let report = report.map(|place| text_inside(&export, &place));
        let tree = export.tree().display().to_string();
        let mut result = check::result(&ended, milliseconds, report).map_err(|why| failed(why.replace(&tree, ROOT)))?;
        result.texts_mut().for_each(|text| *text = text.replace(&tree, ROOT));
        Ok(Answer::checked(result))
    }

    /// Runs the command; returns its output, with a fixed name for the private copy.
    pub(super) fn printed(
        &self,
        scope: &Scope,
        export: &Export,
        linked: &[Linked],
        given: &[u8],
    ) -> Result<String, Unanswered> {
        let ended = self.ended(scope, export, linked, given)?;
        let tree = export.tree().display().to_string();
        let hint = self.hint(&ended.last_words);
        let trouble = ended.trouble(&self.definition.exit_codes).map(|what| format!("{what}{hint}"));
        let (printed, broken) = match String::from_utf8(ended.printed) {
            Ok(text) => (text, None),
            Err(error) => (
                String::from_utf8_lossy(error.as_bytes()).into_owned(),
                Some("it printed something that is not UTF-8".to_owned()),
            ),
        };
        let printed = printed.replace(&tree, ROOT);
        match trouble.map(|what| format!("it {what}")).or(broken) {
            None => Ok(printed),
            Some(why) => Err(Unanswered::Failed {
                why: why.replace(&tree, ROOT),
                printed: Some(printed.chars().take(MOST_KEPT).collect()),
                usage: None,
            }),
        }
    }

    /// Has a brief answered, by an agent in a private copy of the tree or by a model that sees nothing else.
    pub(super) fn answered(&self, scope: &Scope, unit: &Unit) -> Result<Answer, Unanswered> {
        let Self { guidelines, criteria, since, .. } = *self;
        let told = Told { guidelines, criteria, since };
        self.answered_to(scope, &|nonce| brief::brief(&self.definition, scope, unit, nonce, told))
    }

    pub(super) fn answered_to(&self, scope: &Scope, brief: &dyn Fn(&str) -> Vec<u8>) -> Result<Answer, Unanswered> {
        let random = random_hex().map_err(|error| failed(format!("no nonce: {error}")))?;
        let nonce = random[..32].to_owned();
        let brief = brief(&nonce);
        let (output, usage) = match &self.definition.service {
            Some(service) => {
                let form = if self.criteria.is_empty() { api::Form::Findings } else { api::Form::Criteria };
                let said = api::ask(service, (&String::from_utf8_lossy(&brief), form), self.definition.timeout)?;
                (said.text, said.usage)
            }
            None => {
                let export = self.export(scope)?;
                let printed = self.printed(scope, &export, &[], &brief)?;
                (delivered(&export, printed)?, None)
            }
        };
        Ok(Answer { nonce: Some(nonce), usage, ..Answer::whole(output) })
    }

    /// Returns the identity of the program and its variables: another version may answer differently.
    pub(super) fn surroundings(&self) -> Vec<String> {
        let program = self.definition.command.first().map(String::as_str).unwrap_or_default();
        let path = std::env::var_os("PATH").unwrap_or_default();
        let places = std::env::split_paths(&path).map(|folder| folder.join(program));
        let file = places.into_iter().find_map(|place| Some((fs::metadata(&place).ok()?, place)));
        let file = file.map(|(file, place)| {
            let changed =
                file.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok()).unwrap_or_default();
            format!("{} {} {}", place.display(), file.len(), changed.as_nanos())
        });
        let value = |name: &String| std::env::var_os(name).map(|value| value.to_string_lossy().into_owned());
        let values = self.definition.env.iter().map(|name| value(name).unwrap_or_default());
        file.into_iter().chain(values).collect()
    }
}

/// Reads the verdict file that an answer points at (001), if it points at one in the private copy.
fn delivered(export: &Export, printed: String) -> Result<String, Unanswered> {
    let pointer = printed.lines().next().and_then(|line| line.strip_prefix("verdict-file:")).map(str::trim);
    let Some(pointer) = pointer else { return Ok(printed) };
    let tree = export.tree();
    let relative = pointer.strip_prefix(ROOT).map_or(pointer, |below| below.trim_start_matches('/'));
    let refused = |why: String| Unanswered::Failed { why, printed: Some(printed.clone()), usage: None };
    let text = text_inside(export, &tree.join(relative));
    let text = text.map_err(|why| refused(format!("its verdict file {pointer:?} cannot be read: {why}")))?;
    Ok(text.replace(&tree.display().to_string(), ROOT))
}

/// Reads a text file of the private copy.
fn text_inside(export: &Export, place: &Path) -> Result<String, String> {
    // Where symlinks lead counts, not where they lie.
    let found = place.canonicalize().map_err(|error| told(place, &error))?;
    let is_file = || fs::metadata(&found).is_ok_and(|it| it.is_file() && it.len() <= MOST_OUTPUT as u64);
    match found.starts_with(export.tree()) && is_file() {
        true => fs::read_to_string(&found).map_err(|error| told(place, &error)),
        false => Err("it is not a file of the private copy".to_owned()),
    }
}

/// Tells whether a program complains that it may not do something.
fn is_refused(last_words: &str) -> bool {
    ["ermission denied", "EACCES", "not permitted"].iter().any(|said| last_words.contains(said))
}
