//! What agents load: the files of `plugin/`, by their paths in it. Those that can be derived are made here from the tables
//! of the code, so that they cannot drift; `cargo xtask generate` writes them, `jury init` puts them into a repository.
//!
//! Deliberately not here: where a host wants them (`init/hosts.rs`).

mod agents;
mod foundations;

/// How every file that nobody edits by hand says so. In Markdown and TOML alike, a program that reads the file skips it.
const NOTICE: &str = "Comes with Jury, and is made from its own tables; do not edit.";

/// The files that are written by hand.
const WRITTEN: &[(&str, &str)] = &[
    ("section.md", include_str!("../../../../plugin/section.md")),
    ("skills/code-review/SKILL.md", include_str!("../../../../plugin/skills/code-review/SKILL.md")),
    (
        "skills/code-review/report-writer/SKILL.md",
        include_str!("../../../../plugin/skills/code-review/report-writer/SKILL.md"),
    ),
    ("skills/checkpoint/SKILL.md", include_str!("../../../../plugin/skills/checkpoint/SKILL.md")),
    ("hooks/hooks.json", include_str!("../../../../plugin/hooks/hooks.json")),
    (".mcp.json", include_str!("../../../../plugin/.mcp.json")),
    ("codex/hooks.json", include_str!("../../../../plugin/codex/hooks.json")),
    ("codex/config.toml", include_str!("../../../../plugin/codex/config.toml")),
    ("gemini/hooks/hooks.json", include_str!("../../../../plugin/gemini/hooks/hooks.json")),
    ("gemini/gemini-extension.json", include_str!("../../../../plugin/gemini/gemini-extension.json")),
    ("gemini/commands/code-review.toml", include_str!("../../../../plugin/gemini/commands/code-review.toml")),
    ("cursor/hooks.json", include_str!("../../../../plugin/cursor/hooks.json")),
    ("cursor/mcp.json", include_str!("../../../../plugin/cursor/mcp.json")),
    ("opencode/opencode.json", include_str!("../../../../plugin/opencode/opencode.json")),
    ("opencode/commands/code-review.md", include_str!("../../../../plugin/opencode/commands/code-review.md")),
];

/// Returns the files that are derived from tables, by their paths in `plugin/`.
pub fn generated() -> Vec<(String, String)> {
    let section = written("section.md");
    let rule = format!(
        "---\ndescription: How changes are reviewed here, and what to do with the findings\nalwaysApply: true\n---\n\n{section}"
    );
    let mut files = vec![
        ("skills/code-review/foundations/verdict-schema.md".to_owned(), foundations::verdict_schema()),
        ("skills/code-review/foundations/team-agent-protocol.md".to_owned(), foundations::protocol()),
        ("cursor/rules/jury.mdc".to_owned(), rule),
        ("gemini/GEMINI.md".to_owned(), section.to_owned()),
    ];
    files.extend(agents::all());
    files
}

/// Returns every file that a host loads below a folder of `plugin/`, by its path below that folder.
pub(crate) fn below(folder: &str) -> Vec<(String, String)> {
    let written = WRITTEN.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned()));
    let inside =
        |(path, text): (String, String)| Some((path.strip_prefix(folder)?.strip_prefix('/')?.to_owned(), text));
    let mut files: Vec<(String, String)> = written.chain(generated()).filter_map(inside).collect();
    files.sort();
    files
}

/// Returns the text of a file that is written by hand.
pub(crate) fn written(path: &str) -> &'static str {
    let found = WRITTEN.iter().find(|(known, _)| *known == path);
    found.map(|(_, text)| *text).expect("the table has every file that is asked for, which a test holds")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_embedded_is_found_below_its_folder() {
        let skills: Vec<String> = below("skills").into_iter().map(|(path, _)| path).collect();
        assert_eq!(
            skills,
            [
                "checkpoint/SKILL.md",
                "code-review/SKILL.md",
                "code-review/foundations/team-agent-protocol.md",
                "code-review/foundations/verdict-schema.md",
                "code-review/report-writer/SKILL.md"
            ]
        );
        assert_eq!(below("agents").len(), 13);
        assert_eq!(below("codex/agents").len(), 13);
        assert_eq!(below("opencode/agents").len(), 13);
    }
}
