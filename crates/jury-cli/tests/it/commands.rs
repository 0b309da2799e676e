//! The commands that a text names: found in code spans, fenced blocks and JSON, taken apart as a shell would, and held
//! against the real command line.

/// Returns every command line of ours in a Markdown text: in code spans, and in fenced blocks of shell or console.
pub(crate) fn in_markdown(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut fence: Option<&str> = None;
    for line in text.lines() {
        if let Some(language) = line.trim_start().strip_prefix("```") {
            fence = if fence.is_some() { None } else { Some(language.trim()) };
            continue;
        }
        match fence {
            Some("sh" | "sh run" | "console" | "bash") => found.extend(in_shell(line)),
            Some(_) => {}
            None => found.extend(line.split('`').skip(1).step_by(2).filter(|span| is_ours(span)).map(str::to_owned)),
        }
    }
    found
}

/// Returns the command lines of ours in a line of shell: behind a prompt, and on both sides of what joins commands.
pub(crate) fn in_shell(line: &str) -> Vec<String> {
    let line = line.trim().strip_prefix("$ ").unwrap_or(line.trim());
    let line = line.split(" # ").next().unwrap_or_default();
    let parts = line.split(" && ").flat_map(|part| part.split(" || ")).flat_map(|part| part.split(" | "));
    let parts = parts.flat_map(|part| part.split("; ")).map(str::trim);
    let parts = parts.map(|part| part.trim_start_matches("if ").trim_start_matches("! "));
    parts.filter(|part| is_ours(part)).map(str::to_owned).collect()
}

fn is_ours(text: &str) -> bool {
    text.strip_prefix("jury ").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_lowercase() || c == '-'))
}

/// Takes a command line apart; quotes hold words together, redirections end it.
pub(crate) fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for letter in line.chars() {
        match (quote, letter) {
            (None, '\'' | '"') => (quote, word) = (Some(letter), Some(word.unwrap_or_default())),
            (Some(open), letter) if open == letter => quote = None,
            (None, ' ') => words.extend(word.take()),
            (_, letter) => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    let end = words.iter().position(|word| [">", "2>", ">>", "<"].iter().any(|sign| word == sign));
    words.truncate(end.unwrap_or(words.len()));
    words
}

/// What stands in a page for something of the reader's, and what is put in its place.
const STAND_INS: &[(&str, &str)] = &[
    ("--to ID", "--to sarif"),
    ("schema ID", "schema code-review"),
    ("hook HOST EVENT", "hook claude stop"),
    ("--http [ADDR]", "--http 127.0.0.1:0"),
    ("--max-cost DOLLARS --max-tokens N", "--max-cost 2.50 --max-tokens 9 -- true"),
    ("…", ""),
    ("[", ""),
    ("]", ""),
];

/// Says why a command line is not one of ours, if it is not. What stands for a name of the reader's is filled in.
pub(crate) fn fault(line: &str) -> Option<String> {
    let filled = STAND_INS.iter().fold(line.to_owned(), |line, (stand_in, word)| line.replace(stand_in, word));
    let words = words(&filled);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    // A command that is only mentioned, by its name.
    let mut command = Some(jury_cli::command());
    for name in &words[1..] {
        command = command.and_then(|command| command.find_subcommand(name).cloned());
    }
    if command.is_some() {
        return None;
    }
    let is_help = |error: &String| !error.starts_with("error:");
    jury_cli::understands(&words).err().filter(|error| !is_help(error)).map(|error| format!("`{line}`: {error}"))
}

#[test]
fn a_command_that_does_not_exist_is_seen() {
    assert_eq!(fault("jury review --quick"), None);
    assert_eq!(fault("jury convert --to ID FILE…"), None);
    assert_eq!(fault("jury hook claude stop"), None);
    assert!(fault("jury hook claude halt").is_some());
    assert!(fault("jury hook emacs stop").is_some());
    assert!(fault("jury revue").is_some());
    assert!(fault("jury review --quickly").is_some());
    assert_eq!(
        in_markdown("see `jury gate` and\n```sh\nx && jury next | cat\n```\n```text\njury no\n```\n"),
        ["jury gate", "jury next"]
    );
    assert_eq!(
        words("jury mark ID wont_fix --reason 'not so' > x"),
        ["jury", "mark", "ID", "wont_fix", "--reason", "not so"]
    );
}
