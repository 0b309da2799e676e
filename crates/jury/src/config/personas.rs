//! The personas that come with Jury: Markdown with front matter, one file each under `personas/`.
//!
//! Deliberately not here: how severities, confidence and answers are to be written, which every brief says alike.

/// Every embedded persona, by name.
pub const EMBEDDED: &[(&str, &str)] = &[
    ("adversarial", include_str!("../../personas/adversarial.md")),
    ("api-patterns", include_str!("../../personas/api-patterns.md")),
    ("cli-readiness", include_str!("../../personas/cli-readiness.md")),
    ("correctness", include_str!("../../personas/correctness.md")),
    ("data-migration", include_str!("../../personas/data-migration.md")),
    ("intent", include_str!("../../personas/intent.md")),
    ("maintainability", include_str!("../../personas/maintainability.md")),
    ("performance", include_str!("../../personas/performance.md")),
    ("qa", include_str!("../../personas/qa.md")),
    ("quality", include_str!("../../personas/quality.md")),
    ("reliability", include_str!("../../personas/reliability.md")),
    ("security", include_str!("../../personas/security.md")),
    ("testing", include_str!("../../personas/testing.md")),
    ("ts-strict", include_str!("../../personas/ts-strict.md")),
];

/// Returns the text of an embedded persona.
pub fn embedded(name: &str) -> Option<&'static str> {
    EMBEDDED.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

/// Returns the text of a persona without its front matter. Front matter that never ends is text.
pub fn body(text: &str) -> &str {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let matter = text.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---\n"));
    matter.map_or(text, |(_, body)| body).trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_persona_has_its_name_and_is_short() {
        assert!(EMBEDDED.is_sorted());
        for (name, text) in EMBEDDED {
            assert!(text.starts_with(&format!("---\nname: {name}\ndescription: ")), "{name}");
            assert!(text.lines().count() <= 40, "{name}");
            assert!(!body(text).contains("---") && body(text).contains("Look for:"), "{name}");
        }
        assert_eq!(body("plain\n"), "plain");
        assert_eq!(body("---\nopen\n"), "---\nopen");
    }
}
