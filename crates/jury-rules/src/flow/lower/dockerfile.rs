//! Lowers Dockerfiles, which need no grammar: an instruction is a call of its name with all that follows as its text. What runs in
//! a shell that `SHELL` chose has it as the argument `shell`.

use super::super::ir::{Arg, Kind, Stmt, Unit};

/// Lowers a file.
pub(crate) fn lower(text: &str) -> Unit<'_> {
    let mut unit = Unit::default();
    let mut at = 0;
    let mut shell: Option<Arg<'_>> = None;
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
            let args = [Arg { name: None, value }].into_iter().chain(chosen).collect();
            let call = unit.add(Kind::Call { callee, args }, start..start + said.len());
            unit.body.push(Stmt::Expr(call));
        }
        at = end.max(at + 1);
    }
    unit
}

/// Returns the end of the instruction that starts at an offset: a backslash goes on, and so does a comment in between.
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
    fn whatever_stands_there_is_survived() {
        for text in ["", "\\", "RUN", "RUN \\", "é RUN x", "#\n\\\n\n", "FROM\tx"] {
            lower(text);
        }
    }
}
