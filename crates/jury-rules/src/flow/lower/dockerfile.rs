//! Lowers Dockerfiles, which need no grammar: an instruction is a call of its name with the rest as its text. An
//! instruction run by a shell that `SHELL` chose has the argument `shell`; one that repeats an earlier one of the
//! stage, or the file, has `again`; a copy from a stage not defined yet has `unknown`; a variable that uses one of the
//! same instruction has `own`.

use super::super::ir::{Arg, Kind, Stmt, Unit};

/// Lowers a file.
pub(crate) fn lower(text: &str) -> Unit<'_> {
    let mut unit = Unit::default();
    let mut at = 0;
    let mut shell: Option<Arg<'_>> = None;
    let mut seen = Seen::default();
    while at < text.len() {
        let end = instruction_end(text, at);
        let whole = &text[at..end];
        let start = at + (whole.len() - whole.trim_start().len());
        let said = text[start..end].trim_end();
        let name_end = said.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(said.len());
        let (name, rest) = said.split_at(name_end);
        if !name.is_empty() && rest.starts_with([' ', '\t', '\\', '[']) {
            let rest_at = start + name_end + (rest.len() - rest.trim_start().len());
            let callee = unit.add(Kind::Name(spelled(name)), start..start + name_end);
            let value = unit.add(Kind::Text(rest.trim_start()), rest_at..start + said.len());
            match spelled(name) {
                "FROM" => shell = None,
                "SHELL" => shell = Some(Arg { name: Some("shell"), value }),
                _ => {}
            }
            let chosen = shell.filter(|_| spelled(name) == "RUN");
            let noted = seen.note(spelled(name), rest.trim()).map(|note| Arg { name: Some(note), value });
            let args = [Arg { name: None, value }].into_iter().chain(chosen).chain(noted).collect();
            let call = unit.add(Kind::Call { callee, args }, start..start + said.len());
            unit.body.push(Stmt::Expr(call));
        }
        at = end.max(at + 1);
    }
    unit
}

/// The state of a file so far.
#[derive(Default)]
struct Seen<'t> {
    /// The instructions of the stage of which only the last counts.
    once: Vec<&'t str>,
    stages: Vec<String>,
    variables: Vec<&'t str>,
}

impl<'t> Seen<'t> {
    /// Processes an instruction, and returns its arguments.
    fn note(&mut self, name: &'t str, rest: &'t str) -> Option<&'static str> {
        match name {
            "FROM" => {
                self.once.clear();
                let words: Vec<&str> = rest.split_whitespace().collect();
                let alias =
                    words.iter().position(|word| word.eq_ignore_ascii_case("as")).and_then(|at| words.get(at + 1));
                let alias = alias.map(|alias| alias.to_ascii_lowercase());
                let is_known = alias.as_ref().is_some_and(|alias| self.stages.contains(alias));
                // A stage without a name has only its number, which equals no name.
                self.stages.push(alias.unwrap_or_default());
                is_known.then_some("again")
            }
            "CMD" | "ENTRYPOINT" | "HEALTHCHECK" => {
                let is_known = self.once.contains(&name);
                self.once.push(name);
                is_known.then_some("again")
            }
            "COPY" => self.is_from_nowhere(rest).then_some("unknown"),
            "ARG" => {
                self.variables.extend(rest.split(['=', ' ']).next());
                None
            }
            "ENV" => {
                let keys = keys(rest);
                let is_own = |at: usize| {
                    let (key, start) = keys[at];
                    let behind = &rest[start + key.len()..];
                    let after_own_value = keys.get(at + 1).map_or("", |(_, next)| &rest[*next..]);
                    !behind.is_empty() && !self.variables.contains(&key) && uses(after_own_value, key)
                };
                let is_known = (0..keys.len()).any(is_own);
                self.variables.extend(keys.iter().map(|(key, _)| *key));
                is_known.then_some("own")
            }
            _ => None,
        }
    }

    /// Tells whether a copy is from a stage not defined above: from itself, or from a name that is not an image.
    fn is_from_nowhere(&self, rest: &str) -> bool {
        let Some(from) = rest.split_whitespace().find_map(|word| word.strip_prefix("--from=")) else { return false };
        let from = from.to_ascii_lowercase();
        // A name with a registry, tag or variable is not a stage; all earlier stages except the current one can be
        // copied from.
        let is_name = !from.is_empty() && !from.contains(['/', ':', '$', '@', '"']);
        let earlier = &self.stages[..self.stages.len().saturating_sub(1)];
        let is_number = from.parse::<usize>().ok();
        let is_own = self.stages.last().is_some_and(|own| *own == from);
        let is_misspelt = earlier.iter().any(|stage| are_close(stage, &from));
        is_name
            && is_number.map_or(!earlier.contains(&from) && (is_own || is_misspelt), |number| number >= earlier.len())
    }
}

/// Tells whether two names differ by two swapped letters, or by one added, removed or changed letter.
fn are_close(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    if one == other || one.len().abs_diff(other.len()) > 1 || one.len().min(other.len()) < 3 {
        return false;
    }
    let before = one.iter().zip(other).take_while(|(a, b)| a == b).count();
    let (one, other) = (&one[before..], &other[before..]);
    let after = one.iter().rev().zip(other.iter().rev()).take_while(|(a, b)| a == b).count();
    let (one, other) = (&one[..one.len() - after], &other[..other.len() - after]);
    one.len().max(other.len()) <= 1 || one.len() == 2 && other.len() == 2 && one[0] == other[1] && one[1] == other[0]
}

/// Returns the variables that an `ENV` sets with `=`, and where.
fn keys(rest: &str) -> Vec<(&str, usize)> {
    let mut keys = Vec::new();
    let mut quote = None;
    let mut word = 0;
    for (at, c) in rest.char_indices() {
        match c {
            '"' | '\'' if quote.is_none() => quote = Some(c),
            _ if quote == Some(c) => quote = None,
            _ if quote.is_some() => {}
            ' ' | '\t' | '\n' | '\\' => word = at + 1,
            '=' if !rest[word..at].is_empty() && !rest[word..at].contains('=') => keys.push((&rest[word..at], word)),
            _ => {}
        }
    }
    keys
}

/// Tells whether a text uses a variable.
fn uses(text: &str, name: &str) -> bool {
    text.match_indices('$').any(|(at, _)| {
        let behind = text[at + 1..].trim_start_matches('{');
        let end = |rest: &str| !rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
        behind.strip_prefix(name).is_some_and(end)
    })
}

/// Returns the end of the instruction that starts at an offset: a backslash continues it, and so does a comment in
/// between.
fn instruction_end(text: &str, start: usize) -> usize {
    let mut at = start;
    let mut goes_on = false;
    loop {
        let line_end = text[at..].find('\n').map_or(text.len(), |length| at + length + 1);
        let line = text[at..line_end].trim();
        let is_comment = line.starts_with('#');
        if !is_comment {
            goes_on = line.ends_with('\\') || goes_on && line.is_empty();
        } else if at == start {
            return line_end;
        }
        at = line_end;
        if !goes_on || at >= text.len() {
            return at;
        }
    }
}

/// Returns the instruction as rules spell it.
fn spelled(name: &str) -> &str {
    const KNOWN: &[&str] = &[
        "ADD",
        "ARG",
        "CMD",
        "COPY",
        "ENTRYPOINT",
        "ENV",
        "EXPOSE",
        "FROM",
        "HEALTHCHECK",
        "LABEL",
        "MAINTAINER",
        "ONBUILD",
        "RUN",
        "SHELL",
        "STOPSIGNAL",
        "USER",
        "VOLUME",
        "WORKDIR",
    ];
    KNOWN.iter().find(|known| known.eq_ignore_ascii_case(name)).copied().unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::super::show::show;
    use super::*;

    #[test]
    fn instructions_are_calls_with_one_text() {
        let text = "# syntax=docker/dockerfile:1\nFROM alpine:3.20 AS base\nrun apk add curl \\\n  # why\n  && curl x\nCMD [\"a\"]\n\nUSER app";
        let shown = show(&lower(text));
        let expected = "FROM(\"alpine:3.20 AS base\")\nRUN(\"apk add curl \\\\\\n  # why\\n  && curl x\")\nCMD(\"[\\\"a\\\"]\")\nUSER(\"app\")\n";
        assert_eq!(shown, expected);
    }

    #[test]
    fn what_runs_knows_its_shell() {
        let text = "FROM a\nRUN x\nSHELL [\"/bin/bash\"]\nRUN y\nCMD z\nFROM b\nRUN x\n";
        let shell = "[\\\"/bin/bash\\\"]";
        let expected = format!(
            "FROM(\"a\")\nRUN(\"x\")\nSHELL(\"{shell}\")\nRUN(\"y\", shell=\"{shell}\")\nCMD(\"z\")\nFROM(\"b\")\nRUN(\"x\")\n"
        );
        assert_eq!(show(&lower(text)), expected);
    }

    #[test]
    fn what_was_said_before_is_noted() {
        let notes = |text: &str| {
            let shown = show(&lower(text));
            ["again", "unknown", "own"]
                .into_iter()
                .filter(|note| shown.contains(&format!(", {note}=")))
                .collect::<Vec<_>>()
        };
        for text in [
            "FROM a\nCMD x\nFROM b\nCMD y\n",
            "FROM a AS one\nFROM b AS two\nCOPY --from=one x .\nCOPY --from=0 y .\nCOPY --from=busybox z .\n",
            "FROM a\nARG A=1\nENV A=2 B=$A\nENV C=1\nENV PATH=/x:$PATH D=\"$C\"\nENV E F=$E\nENV G=1 H=$GG\n",
        ] {
            assert_eq!(notes(text), Vec::<&str>::new(), "{text}");
        }
        assert_eq!(notes("FROM a\nCMD x\nRUN y\nCMD z\n"), ["again"]);
        assert_eq!(notes("FROM a AS one\nFROM b as ONE\n"), ["again"]);
        assert_eq!(notes("FROM a AS build\nFROM b\nCOPY --from=biuld x .\n"), ["unknown"]);
        assert_eq!(notes("FROM a AS build\nCOPY --from=build x .\n"), ["unknown"]);
        assert_eq!(notes("FROM a AS build\nCOPY --from=1 x .\n"), ["unknown"]);
        assert_eq!(notes("FROM a\nENV ROOT=/srv \\\n  BIN=\"${ROOT}/bin\"\n"), ["own"]);
    }

    #[test]
    fn whatever_stands_there_is_survived() {
        for text in ["", "\\", "RUN", "RUN \\", "é RUN x", "#\n\\\n\n", "FROM\tx"] {
            lower(text);
        }
    }
}
