//! The commands of a shell script. In: its text. Out: each command with the program that it runs in the end, its arguments, and whether its failure
//! fails the script.
//!
//! Programs that only start another (`uv run`, `npx`, `sudo`, …) are left out, and a script of a package is one by its name, whichever package manager
//! runs it. Deliberately not here: what is a check (`checks`).

/// A command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in super::super) struct Command {
    /// The program, without its folder and what wraps it.
    pub(in super::super) program: String,
    /// Its arguments.
    pub(in super::super) words: Vec<String>,
    /// Whether the script fails if it does.
    pub(in super::super) can_fail: bool,
    /// It may not run at all: it stands in a branch or a loop, or behind a test.
    pub(in super::super) is_conditional: bool,
}

/// Programs that run another, with the options of theirs that take a value.
const WRAPPERS: &[(&[&str], &[&str])] = &[
    (&["sudo"], &["-u", "-g"]),
    (&["time"], &[]),
    (&["exec"], &[]),
    (&["command"], &[]),
    (&["nice"], &["-n"]),
    (&["nohup"], &[]),
    (&["env"], &["-u"]),
    (&["xvfb-run"], &["-s", "-n"]),
    (&["uv", "run"], &["--with", "--group", "--extra", "-p", "--python", "--package", "--project", "--directory"]),
    (&["uvx"], &["--with", "--from", "-p", "--python"]),
    (&["poetry", "run"], &["-C", "--directory"]),
    (&["pipenv", "run"], &[]),
    (&["pdm", "run"], &["-p"]),
    (&["hatch", "run"], &["-e"]),
    (&["rye", "run"], &[]),
    (&["bundle", "exec"], &[]),
    (&["npx"], &["-p", "--package"]),
    (&["bunx"], &[]),
    (&["npm", "exec"], &[]),
    (&["pnpm", "exec"], &[]),
    (&["pnpm", "dlx"], &[]),
    (&["yarn", "exec"], &[]),
    (&["yarn", "dlx"], &[]),
    (&["mise", "exec"], &[]),
    (&["python", "-m"], &[]),
    (&["python3", "-m"], &[]),
    (&["python", "-X", "dev", "-m"], &[]),
];
/// Package managers of JavaScript.
const PACKAGES: &[&str] = &["npm", "pnpm", "yarn", "bun"];
/// Their commands that run no script.
const NO_SCRIPTS: &[&str] = &[
    "add",
    "audit",
    "ci",
    "config",
    "create",
    "dedupe",
    "exec",
    "i",
    "init",
    "install",
    "link",
    "login",
    "outdated",
    "pack",
    "publish",
    "rebuild",
    "remove",
    "set",
    "store",
    "update",
    "upgrade",
    "version",
    "why",
    "x",
    "dlx",
    "import",
    "node",
    "workspaces",
    "workspace",
    "info",
    "view",
    "whoami",
    "cache",
    "plugin",
    "prune",
];
/// Programs whose every word is a thing to do.
const OF_TARGETS: &[&str] =
    &["make", "gmake", "just", "task", "rake", "gradle", "gradlew", "mvn", "mvnw", "run-s", "run-p"];
/// Programs that let a failure pass.
const IDLE: &[&str] = &["true", ":", "echo", "printf", "Write-Host"];

enum Token {
    Word(String),
    Operator(&'static str),
}

/// Reads a script. A pipe fails with its first command if `is_pipefail`.
pub(in super::super) fn commands(script: &str, is_pipefail: bool) -> Vec<Command> {
    let mut parts: Vec<(Vec<String>, &'static str)> = vec![(Vec::new(), "\n")];
    for token in tokens(script) {
        match (token, parts.last_mut()) {
            (Token::Word(word), Some((words, _))) => words.push(word),
            (Token::Operator(operator), Some((_, end))) => {
                *end = operator;
                parts.push((Vec::new(), "\n"));
            }
            (_, None) => {}
        }
    }
    parts.retain(|(words, end)| !words.is_empty() || *end == "||" || *end == "&&");
    weigh(&parts, is_pipefail)
}

/// Follows options, branches and ends of the script.
fn weigh(parts: &[(Vec<String>, &'static str)], is_pipefail: bool) -> Vec<Command> {
    let mut found = Vec::new();
    let (mut depth, mut is_strict, mut is_over, mut is_pipefail) = (0_usize, true, false, is_pipefail);
    let never_fails = parts.iter().any(|(words, _)| {
        words.first().is_some_and(|word| word == "trap") && words.iter().any(|word| word.contains("exit 0"))
    });
    for (at, (words, end)) in parts.iter().enumerate() {
        let mut words = words.as_slice();
        let mut is_tested = at > 0 && ["&&", "||"].contains(&parts[at - 1].1) && is_test(&parts[at - 1].0);
        while let Some(word) = words.first().map(String::as_str) {
            match word {
                "if" | "while" | "until" | "elif" => {
                    depth += usize::from(word != "elif");
                    is_tested = true;
                }
                "for" | "case" | "select" => {
                    depth += 1;
                    words = &[];
                    break;
                }
                "!" => is_tested = true,
                "then" | "else" | "do" | "{" | "}" => {}
                "fi" | "done" | "esac" => depth = depth.saturating_sub(1),
                _ => break,
            }
            words = &words[1..];
        }
        let Some(first) = words.first().map(String::as_str) else { continue };
        if first == "set" {
            let said = words.join(" ");
            is_strict = (is_strict && !said.contains("+e")) || said.contains("-e") || said.contains("errexit");
            is_pipefail |= said.contains("-o pipefail") || said.contains("o pipefail");
        }
        if ["exit", "return"].contains(&first) && depth == 0 && !is_tested && !joined_to_the_last(parts, at) {
            is_over = true;
            let (program, words) = (first.to_owned(), words[1..].to_vec());
            found.push(Command { program, words, can_fail: true, is_conditional: false });
            continue;
        }
        let is_answered = !is_strict && answers_later(&parts[at + 1..]);
        // Behind `a && b`, the script ends with the failure of either.
        let is_end = |at: usize| parts[at + 1..].iter().all(|(words, _)| words.is_empty());
        let is_last = (at..parts.len()).find(|at| parts[*at].1 != "&&").is_none_or(is_end);
        let can_fail = !never_fails
            && !is_over
            && (is_strict || is_answered || is_last)
            && !is_swallowed(&parts[at + 1..], end, is_pipefail);
        let is_conditional = depth > 0 || is_tested;
        found.extend(unwrapped(words).into_iter().map(|(program, words)| Command {
            program,
            words,
            can_fail,
            is_conditional,
        }));
    }
    found
}

/// Tells whether a part runs only by the outcome of the one before it.
fn joined_to_the_last(parts: &[(Vec<String>, &'static str)], at: usize) -> bool {
    at > 0 && ["&&", "||"].contains(&parts[at - 1].1)
}

/// Tells whether a command only tests something for the next.
fn is_test(words: &[String]) -> bool {
    words.first().is_some_and(|word| ["[", "[[", "test"].contains(&word.as_str()))
}

/// Tells whether the script ends with a code that it has kept.
fn answers_later(rest: &[(Vec<String>, &'static str)]) -> bool {
    rest.iter().any(|(words, _)| {
        let at = words.iter().position(|word| word == "exit");
        at.and_then(|at| words.get(at + 1)).is_some_and(|code| code != "0")
    })
}

/// Tells whether what follows a command takes its failure away.
fn is_swallowed(rest: &[(Vec<String>, &'static str)], end: &str, is_pipefail: bool) -> bool {
    let Some((next, _)) = rest.first() else { return end == "&" };
    let first = next.iter().map(|word| word.trim_start_matches(['(', '{'])).find(|word| !word.is_empty());
    let is_idle = first.is_some_and(|word| IDLE.contains(&word));
    let ends_well = |words: &[String]| {
        words.first().is_some_and(|word| word == "exit") && words.get(1).is_none_or(|code| code == "0")
    };
    match end {
        "||" => {
            // `|| (echo why; exit 1)` fails all the same.
            let line = rest.iter().position(|(_, end)| *end == "\n").map_or(rest.len(), |at| at + 1);
            let fails = rest[..line].iter().any(|(words, _)| {
                let at = words.iter().position(|word| word == "exit" || word == "return");
                at.is_some_and(|at| words.get(at + 1).is_some_and(|code| code.trim_matches([')', '}']) != "0"))
                    || words.iter().any(|word| word == "false")
            });
            (is_idle || ends_well(next)) && !fails
        }
        "|" => !is_pipefail,
        "&" => true,
        ";" => {
            ends_well(next) || (is_idle && rest.get(1).is_none_or(|(words, _)| words.is_empty() || ends_well(words)))
        }
        _ => false,
    }
}

/// Returns what a command runs in the end.
fn unwrapped(words: &[String]) -> Vec<(String, Vec<String>)> {
    let mut words: Vec<String> = words.to_vec();
    loop {
        while words.first().is_some_and(|word| is_assignment(word)) {
            words.remove(0);
        }
        let Some(first) = words.first() else { return Vec::new() };
        let program = name_of(first);
        if program == "timeout" && words.len() > 2 {
            words.drain(..2);
            continue;
        }
        let wrapper = WRAPPERS.iter().find(|(names, _)| {
            names[0] == program
                && names[1..].iter().zip(&words[1..]).filter(|(name, word)| name == word).count() + 1 == names.len()
        });
        let Some((names, valued)) = wrapper else { break };
        let mut at = names.len();
        while let Some(word) = words.get(at).filter(|word| word.starts_with('-')) {
            at += 1 + usize::from(valued.contains(&word.as_str()));
        }
        if at >= words.len() {
            break;
        }
        words.drain(..at);
    }
    let program = name_of(&words[0]);
    let words = words.split_off(1);
    if PACKAGES.contains(&program.as_str()) {
        return vec![of_package(program, words)];
    }
    if OF_TARGETS.contains(&program.as_str()) {
        let is_target = |word: &&String| !word.starts_with('-') && !word.contains('=');
        let options: Vec<String> = words.iter().filter(|word| !is_target(word)).cloned().collect();
        let targets: Vec<&String> = words.iter().filter(is_target).collect();
        if targets.len() > 1 {
            let of = |target: &&String| (program.clone(), [vec![(*target).clone()], options.clone()].concat());
            return targets.iter().map(of).collect();
        }
    }
    vec![(program, words)]
}

/// Returns a script of a package by its name.
fn of_package(program: String, words: Vec<String>) -> (String, Vec<String>) {
    let mut rest = words
        .iter()
        .skip_while(|word| word.starts_with('-'))
        .skip_while(|word| *word == "run" || *word == "run-script");
    let Some(name) = rest.next() else { return (program, words) };
    let is_run = words.iter().any(|word| word == "run" || word == "run-script");
    // Only npm needs `run` for all scripts but these.
    let is_script = is_run
        || ["test", "t", "start"].contains(&name.as_str())
        || (program != "npm" && !NO_SCRIPTS.contains(&name.as_str()));
    if !is_script {
        return (program, words);
    }
    let name = if name == "t" { "test".to_owned() } else { name.clone() };
    ("script".to_owned(), std::iter::once(name).chain(rest.filter(|word| *word != "--").cloned()).collect())
}

fn name_of(word: &str) -> String {
    let name = word.rsplit(['/', '\\']).next().unwrap_or_default();
    name.trim_end_matches(".exe").trim_end_matches(".cmd").to_owned()
}

/// Tells whether a word sets a variable for the command behind it.
pub(in super::super) fn is_assignment(word: &str) -> bool {
    let is_name = |name: &str| !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    word.split_once('=').is_some_and(|(name, _)| is_name(name.trim_start_matches("$env:")))
}

/// Splits a script into words and operators. Quotes are taken off; what stands between `${{` and `}}`, or in `$(`, is one word.
fn tokens(script: &str) -> Vec<Token> {
    let chars: Vec<char> = script.chars().collect();
    let mut tokens = Vec::new();
    let mut word: Option<String> = None;
    let mut at = 0;
    let starts = |at: usize, text: &str| text.chars().enumerate().all(|(nth, c)| chars.get(at + nth) == Some(&c));
    while at < chars.len() {
        let c = chars[at];
        match c {
            '\\' if chars.get(at + 1) == Some(&'\n') => at += 1,
            '\\' => {
                word.get_or_insert_default().extend(chars.get(at + 1));
                at += 1;
            }
            '\'' | '"' => {
                let end = quoted(&chars, at);
                word.get_or_insert_default().extend(&chars[at + 1..end.min(chars.len())]);
                at = end;
            }
            '$' if starts(at, "${{") || starts(at, "$(") || starts(at, "${") => {
                let end = closed(&chars, at);
                word.get_or_insert_default().extend(chars[at..=end.min(chars.len() - 1)].iter().filter(|c| **c != ' '));
                at = end;
            }
            '<' if starts(at, "<<") && !starts(at, "<<<") => {
                let (text, end) = here_document(&chars, at);
                tokens.extend(word.take().map(Token::Word));
                tokens.push(Token::Word(text));
                at = end;
                tokens.push(Token::Operator("\n"));
            }
            '#' if word.is_none() => {
                while at + 1 < chars.len() && chars[at + 1] != '\n' {
                    at += 1;
                }
            }
            '>' | '<' => {
                // A redirection says nothing about the command; `2>` has its number in the word before it.
                word = word.filter(|word| !word.chars().all(|c| c.is_ascii_digit()));
                tokens.extend(word.take().map(Token::Word));
                while chars.get(at + 1).is_some_and(|c| ['>', '&', '|', ' '].contains(c)) {
                    at += 1;
                }
                while chars.get(at + 1).is_some_and(|c| !c.is_whitespace() && !";|&)".contains(*c)) {
                    at += 1;
                }
            }
            // A list of values is no command.
            '(' if word.as_deref().is_some_and(is_assigned) => at = list_end(&chars, at),
            '&' | '|' | ';' | '\n' | '(' | ')' => {
                tokens.extend(word.take().map(Token::Word));
                let (operator, length) = match c {
                    '&' if starts(at, "&&") => ("&&", 2),
                    '|' if starts(at, "||") => ("||", 2),
                    '&' => ("&", 1),
                    '|' => ("|", 1),
                    ';' => (";", 1),
                    '\n' => ("\n", 1),
                    // A group is read as what stands in it.
                    _ => ("", 1),
                };
                at += length - 1;
                if !operator.is_empty() {
                    tokens.push(Token::Operator(operator));
                }
            }
            c if c.is_whitespace() => tokens.extend(word.take().map(Token::Word)),
            c => word.get_or_insert_default().push(c),
        }
        at += 1;
    }
    tokens.extend(word.take().map(Token::Word));
    // A line that ends with an operator goes on.
    let mut joined: Vec<Token> = Vec::new();
    for token in tokens {
        let is_break = matches!(token, Token::Operator("\n"));
        let goes_on = matches!(joined.last(), Some(Token::Operator("&&" | "||" | "|" | "\n")) | None);
        if !(is_break && goes_on) {
            joined.push(token);
        }
    }
    joined
}

/// Tells whether a word is the name of a variable that gets a value.
fn is_assigned(word: &str) -> bool {
    let name = word.strip_suffix('=').map(|name| name.strip_suffix('+').unwrap_or(name));
    name.is_some_and(|name| !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_'))
}

/// Returns the bracket that ends a list of values.
fn list_end(chars: &[char], start: usize) -> usize {
    let mut at = start + 1;
    while at < chars.len() && chars[at] != ')' {
        at = match chars[at] {
            '\'' | '"' => quoted(chars, at) + 1,
            '$' if matches!(chars.get(at + 1), Some('(' | '{')) => closed(chars, at) + 1,
            _ => at + 1,
        };
    }
    at
}

fn quoted(chars: &[char], start: usize) -> usize {
    let mut at = start + 1;
    while at < chars.len() && chars[at] != chars[start] {
        at += 1 + usize::from(chars[at] == '\\' && chars[start] == '"');
    }
    at
}

/// Returns the last character of `$(…)`, `${…}` or `${{…}}`.
fn closed(chars: &[char], start: usize) -> usize {
    let (open, close) = if chars.get(start + 1) == Some(&'(') { ('(', ')') } else { ('{', '}') };
    let mut depth = 0;
    for (at, c) in chars.iter().enumerate().skip(start) {
        depth += i32::from(*c == open) - i32::from(*c == close);
        if *c == close && depth == 0 {
            return at;
        }
    }
    chars.len()
}

/// Returns the text of a here-document, and where it ends.
fn here_document(chars: &[char], start: usize) -> (String, usize) {
    let rest: String = chars[start + 2..].iter().collect();
    let (head, body) = rest.split_once('\n').unwrap_or((&rest, ""));
    let mark = head.trim_start_matches('-').split_whitespace().next().unwrap_or_default().trim_matches(['"', '\'']);
    let mut text = String::new();
    for line in body.split_inclusive('\n') {
        if line.trim() == mark {
            let length = head.chars().count() + 1 + text.chars().count() + line.trim_end_matches('\n').chars().count();
            return (text, start + 1 + length);
        }
        text.push_str(line);
    }
    (text, chars.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(script: &str) -> Vec<(String, bool, bool)> {
        let said = |it: Command| {
            let words = std::iter::once(it.program).chain(it.words).collect::<Vec<_>>().join(" ");
            (words, it.can_fail, it.is_conditional)
        };
        commands(script, false).into_iter().map(said).collect()
    }

    fn of(words: &str, can_fail: bool) -> (String, bool, bool) {
        (words.to_owned(), can_fail, false)
    }

    #[test]
    fn a_command_fails_its_script_unless_something_takes_it_away() {
        for (script, can_fail) in [
            ("pytest", true),
            ("pytest || true", false),
            ("pytest || echo failed", false),
            ("pytest || exit 0", false),
            ("pytest || exit 1", true),
            ("pytest || (echo failed; exit 1)", true),
            ("pytest; exit 0", false),
            ("pytest; true", false),
            ("pytest &", false),
            ("pytest | tee log", false),
            ("set -o pipefail\npytest | tee log", true),
            ("set +e\npytest\necho done", false),
            ("set +e\npytest\ncode=$?\nexit $code", true),
            ("exit 0\npytest", false),
            ("trap 'exit 0' EXIT\npytest", false),
            ("pytest \\\n  -x", true),
            ("mkdir a && pytest", true),
            ("[ -f a ] && exit 0\npytest", true),
        ] {
            let found = commands(script, false);
            let test = found.iter().find(|command| command.program == "pytest");
            assert_eq!(test.map(|test| test.can_fail), Some(can_fail), "{script}: {found:?}");
        }
    }

    #[test]
    fn a_command_is_the_program_that_runs_in_the_end() {
        for (script, expected) in [
            ("uv run --group dev pytest -x", "pytest -x"),
            ("python -m pytest tests", "pytest tests"),
            ("bundle exec rake test", "rake test"),
            ("FOO=1 sudo -u x npx eslint .", "eslint ."),
            ("npm run lint -- --fix", "script lint --fix"),
            ("yarn lint", "script lint"),
            ("npm test", "script test"),
            ("npm ci", "npm ci"),
            ("timeout 10m ./gradlew test", "gradlew test"),
            ("pytest > log 2>&1", "pytest"),
            ("pytest '-k a b' # why", "pytest -k a b"),
        ] {
            assert_eq!(read(script), [of(expected, true)], "{script}");
        }
        assert_eq!(read("make lint test -j2"), [of("make lint -j2", true), of("make test -j2", true)]);
        assert_eq!(read("if [ $X = 1 ]; then\n  pytest\nfi")[1], ("pytest".to_owned(), true, true));
        assert_eq!(read("python - <<EOF\nassert 1\nEOF\npytest").len(), 2);
    }
}
