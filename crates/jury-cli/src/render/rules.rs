//! Rules as people see them: the list by domain, one page, and how those of a repository stood their trial.

use jury_rules::Specialist;
use jury_wire::v1::rules as wire;

use super::style::{BAD, FAINT, GOOD, STRONG, WARN};
use super::{count, inert, painted, table};

/// Shows rules by domain.
pub(crate) fn rules(domains: &[(&Specialist, Vec<wire::Rule>)]) -> String {
    let mut parts = Vec::new();
    for (specialist, rules) in domains.iter().filter(|(_, rules)| !rules.is_empty()) {
        let rows: Vec<[String; 4]> = rules.iter().map(row).collect();
        let cells = rows.iter().map(|row| row.each_ref().map(String::as_str));
        let head = format!("{} {}\n", painted(STRONG, specialist.domain), painted(FAINT, specialist.what));
        parts.push(format!("{head}{}", table(["RULE", "SEVERITY", "LANGUAGES", "FINDS"], cells)));
    }
    let number: usize = domains.iter().map(|(_, rules)| rules.len()).sum();
    let total = count(number, "rule", "rules");
    parts.push(format!("{total}; {} jury rules show ID\n", painted(FAINT, "more about one:")));
    parts.join("\n")
}

fn row(rule: &wire::Rule) -> [String; 4] {
    [inert::line(&rule.id), word(&rule.severity).to_owned(), languages(rule), inert::short_line(&rule.title, 100)]
}

fn languages(rule: &wire::Rule) -> String {
    if rule.languages.is_empty() { "text".to_owned() } else { rule.languages.join(", ") }
}

/// Jury's own word for a severity of 004.
fn word(severity: &str) -> &'static str {
    match severity {
        "P0" => "Blocker",
        "P1" => "High",
        "P2" => "Medium",
        _ => "Low",
    }
}

/// Shows the page of a rule.
pub(crate) fn rule(page: &wire::Page) -> String {
    let rule = &page.rule;
    let style = if ["P0", "P1"].contains(&rule.severity.as_str()) { BAD } else { WARN };
    let mut text = format!(
        "{}  {}  {}\n{}\n",
        painted(STRONG, &inert::line(&rule.id)),
        painted(style, word(&rule.severity)),
        painted(FAINT, &facts(page)),
        inert::line(&rule.title)
    );
    let mut part = |title: &str, lines: Vec<String>| {
        text.push_str(&format!("\n{}\n", painted(STRONG, title)));
        let indented = |line: String| if line.is_empty() { "\n".to_owned() } else { format!("  {line}\n") };
        text.extend(lines.into_iter().map(indented));
    };
    part("why", vec![inert::line(&page.why_it_matters)]);
    if let Some(fix) = &page.suggested_fix {
        part("do", vec![inert::line(fix)]);
    }
    part("found", examples(&page.invalid));
    part("not found", examples(&page.valid));
    if rule.system_breaking {
        part("it halts the work", vec!["only a person can accept it, in .jury/waivers.toml on the base".to_owned()]);
    } else {
        part("to suppress it", vec![format!("jury-ignore: {} -- reason", inert::line(&rule.id))]);
    }
    text
}

fn facts(page: &wire::Page) -> String {
    let rule = &page.rule;
    let mut facts = vec![inert::line(&rule.domain), format!("confidence {}", rule.confidence)];
    facts.extend(rule.cwe.as_deref().map(inert::line));
    facts.push(languages(rule));
    facts.extend(page.severity_in_tests.as_deref().map(|severity| format!("{} in tests", word(severity))));
    facts.extend(page.skip_in_tests.then(|| "not in tests".to_owned()));
    facts.extend(rule.rewrite.then(|| format!("`jury fix` ({})", rule.autofix_class)));
    facts.join(" · ")
}

/// Sets examples apart by blank lines; where one stands is said if it is not where examples usually do.
fn examples(examples: &[wire::Example]) -> Vec<String> {
    let mut lines = Vec::new();
    for (index, example) in examples.iter().enumerate() {
        if index > 0 {
            lines.push(String::new());
        }
        if !example.path.starts_with("src/example.") {
            lines.push(painted(FAINT, &inert::line(&example.path)));
        }
        let shown = |line: &str| line.chars().map(inert::character).collect::<String>();
        if let Some(before) = &example.before {
            lines.extend(before.trim_end().lines().map(|line| format!("{} {}", painted(FAINT, "- │"), shown(line))));
            lines.push(painted(FAINT, "becomes"));
        }
        lines.extend(example.code.trim_end().lines().map(|line| format!("{} {}", painted(FAINT, "│"), shown(line))));
    }
    lines
}

/// Says how rules of a repository stood their trial.
pub(crate) fn checked_rules(checked: &wire::Checked) -> String {
    if checked.files.is_empty() {
        return "no rules in .jury/rules/\n".to_owned();
    }
    let mut text = String::new();
    for file in &checked.files {
        let path = inert::line(&file.path);
        match &file.error {
            Some(wire::RuleError { line, column, what }) => {
                text.push_str(&format!("{} {path}:{line}:{column}: {}\n", painted(BAD, "broken"), inert::line(what)));
            }
            None if file.accepted => text.push_str(&format!("{} {path}\n", painted(GOOD, "passes"))),
            None => text.push_str(&format!("{} {path}\n", painted(BAD, "fails"))),
        }
        for failure in &file.failures {
            text.push_str(&format!("  {}: {}\n", failure.example, inert::short_line(&failure.what, 200)));
        }
    }
    let holding = checked.files.iter().filter(|file| file.accepted).count();
    text.push_str(&format!("{holding} of {} pass\n", checked.files.len()));
    text
}
