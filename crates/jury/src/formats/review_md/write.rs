//! A review summary as Markdown, byte for byte as the template of 002 lays it out.

use jury_wire::v1::review as wire;

use super::super::{Written, review_json};
use super::{EVIDENCE, FILE, FILES, FINDING, FINDINGS, HEADER, NOTES, RULE, SUGGESTED_FIX, TITLE};
use super::{stand_in_title, text, trailer};
use crate::model::{RepoPath, Report};

/// Writes a document to the letter of the template.
pub(super) fn write(report: &Report) -> Written {
    written(report, None)
}

/// Writes a report that lies somewhere: it leads from there to the code, and breaks its lines on the page.
pub fn page(report: &Report) -> Written {
    let path = report.facts.report_path.as_ref();
    written(report, path.map(|path| "../".repeat(path.as_str().matches('/').count())))
}

fn written(report: &Report, root: Option<String>) -> Written {
    let (document, kept) = review_json::summary_of(report);
    let links = root.map(|root| text::Links { root, files: &document.files_reviewed });
    let mut parts = vec![header(&document, report.facts.title.as_deref(), links.is_some()), files(&document)];
    let mut findings = document.findings.iter().map(finding);
    let first = findings.next().map_or_else(|| FINDINGS.to_owned(), |first| format!("{FINDINGS}\n\n{first}"));
    parts.push(first);
    parts.extend(findings);
    parts.extend(
        document
            .reviewer_notes
            .as_ref()
            .map(|notes| format!("{NOTES}\n\n{}", text::linked_prose(notes, links.as_ref()))),
    );
    let mut markdown = parts.join(&format!("\n\n{RULE}\n\n"));
    markdown.push('\n');
    if let Some(comment) = trailer::write(&document) {
        markdown.push('\n');
        markdown.push_str(&comment);
    }
    Written { text: markdown, kept }
}

fn header(document: &wire::ReviewSummary, title: Option<&str>, is_page: bool) -> String {
    let [reviewed_sha, base_sha, verdict, blocking] = HEADER;
    // Two spaces at the end break a line of a report on the page; a converted document is the template to the letter.
    let end = if is_page { "  " } else { "" };
    let title = title_line(title.filter(|title| !title.trim().is_empty()), stand_in_title(&document.reviewed_sha));
    let lines = [
        format!("{TITLE}: {title}"),
        String::new(),
        format!("{reviewed_sha} `{}`{end}", document.reviewed_sha),
        format!("{base_sha} `{}`{end}", document.base_sha),
        format!("{verdict} {}{end}", document.verdict),
        format!("{blocking} {} Critical, {} High", document.blocking_count.critical, document.blocking_count.high),
    ];
    lines.join("\n")
}

/// A title that happens to be the stand-in is spelled otherwise, so that it reads as a title.
fn title_line(title: Option<&str>, stand_in: &str) -> String {
    match title {
        None => stand_in.to_owned(),
        Some(title) if title == stand_in => text::referenced(title),
        Some(title) => text::heading(title),
    }
}

fn files(document: &wire::ReviewSummary) -> String {
    let items: Vec<String> =
        document.files_reviewed.iter().map(|file| format!("- {}", text::code_span(&text::shown_path(file)))).collect();
    if items.is_empty() { FILES.to_owned() } else { format!("{FILES}\n\n{}", items.join("\n")) }
}

fn finding(finding: &wire::Finding) -> String {
    let wire::Finding { id, severity, category, location, summary, reason, evidence, suggestion } = finding;
    let place = text::code_span(&format!("{}:{}", text::shown_path(&location.file), location.line_start));
    let range = location.line_end.map(|end| format!("-{end}")).unwrap_or_default();
    let language = language(&location.file);
    let mut blocks = vec![
        format!("{FINDING} {id}: [{severity}/{category}] {}", text::heading(summary)),
        format!("{FILE} {place}{range}"),
    ];
    blocks.extend(reason.as_ref().map(|reason| text::prose(reason)));
    blocks.push(fenced(EVIDENCE, language, evidence));
    blocks.extend(suggestion.as_ref().map(|suggestion| fenced(SUGGESTED_FIX, language, suggestion)));
    blocks.join("\n\n")
}

fn fenced(label: &str, language: &str, code: &str) -> String {
    let fence = text::fence_around(code);
    format!("{label}\n{fence}{language}\n{}\n{fence}", text::shown_code(code))
}

/// The languages of fences, by the ending of a file's name.
const LANGUAGES: &[(&[&str], &str)] = &[
    (&["ts", "mts", "cts"], "typescript"),
    (&["tsx"], "tsx"),
    (&["js", "mjs", "cjs"], "javascript"),
    (&["jsx"], "jsx"),
    (&["py"], "python"),
    (&["rs"], "rust"),
    (&["go"], "go"),
    (&["java"], "java"),
    (&["rb"], "ruby"),
    (&["php"], "php"),
    (&["cs"], "csharp"),
    (&["sh", "bash"], "bash"),
    (&["yml", "yaml"], "yaml"),
    (&["json"], "json"),
    (&["md"], "markdown"),
    (&["kt", "kts"], "kotlin"),
    (&["swift"], "swift"),
    (&["c", "h"], "c"),
    (&["cpp", "cc", "hpp"], "cpp"),
    (&["sql"], "sql"),
    (&["html"], "html"),
    (&["css"], "css"),
    (&["toml"], "toml"),
    (&["xml"], "xml"),
];

fn language(file: &str) -> &'static str {
    let path = RepoPath::new(file).ok();
    let ending = path.as_ref().and_then(RepoPath::extension).unwrap_or_default().to_ascii_lowercase();
    LANGUAGES.iter().find(|(endings, _)| endings.contains(&ending.as_str())).map_or("", |(_, language)| language)
}
