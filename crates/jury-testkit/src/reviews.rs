//! A generator of reviews that knows the truth: real layouts, words from outside every lexicon, damages and glyphs.
//!
//! In: a seed. Out: a review as a reviewer might write it, and whether it holds a blocking finding that a person could read,
//! or states plainly that nothing blocks. Deliberately not here: reading it.

mod strange;

/// The truth about a generated review.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truth {
    /// It holds a blocking finding that a person can read.
    Blocks,
    /// It states plainly that nothing blocks, and holds nothing that does.
    Clear,
}

/// A review and the truth about it.
#[derive(Clone, Debug)]
pub struct Review {
    /// The output of the reviewer.
    pub text: String,
    /// The truth about it.
    pub truth: Truth,
    /// The name of its layout.
    pub layout: &'static str,
}

/// Draws from a seed, the same on every machine.
struct Draw(u64);

impl Draw {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % bound as u64).expect("a part of a `usize` is one")
    }

    fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }

    fn often(&mut self, in_ten: usize) -> bool {
        self.below(10) < in_ten
    }

    /// Invents a word that no lexicon has.
    fn word(&mut self) -> String {
        const SYLLABLES: &[&str] =
            &["vor", "qua", "lim", "zet", "bru", "nok", "tash", "ghe", "plo", "wix", "dru", "fen"];
        let mut word: String = (0..2 + self.below(2)).map(|_| self.one(SYLLABLES)).collect();
        word[..1].make_ascii_uppercase();
        word
    }
}

const TITLES: &[&str] = &[
    "Lock is dropped before the commit",
    "Token is written to the log",
    "Rows of other tenants are returned",
    "Password is compared in plain text",
    "Migration deletes the orders table",
    "Retry loop never ends",
    "Signature of the webhook is not checked",
    "Cache key ignores the user",
    "Upload path leaves the folder",
    "Refund is paid twice",
];
const PLACES: &[&str] = &[
    "src/a.ts:12",
    "`lib/store.rs:88`",
    "`app/models/user.py:7-19`",
    "server/main.go:140",
    "(`src/db/pool.ts:3`)",
    "`web/login.tsx` line 44",
];
const FINE: &[&str] =
    &["Names are clear", "Tests cover the new paths", "Errors carry their cause", "Small, readable functions"];
/// Marks for a blocking finding that people use and a lexicon may lack.
const MARKS: &[&str] = &[
    "Crit",
    "Sev-1",
    "Sev 1",
    "MUST",
    "STOP",
    "Tier 1",
    "Class A",
    "Showstop",
    "Dealbreaker",
    "Grave",
    "Red",
    "Alarm",
    "No-go",
    "Breaks prod",
    "T1",
    "Urgent",
    "Hard fail",
    "Ship-stopper",
    "K.O.",
    "Level 5",
];
const SIGNS: &[&str] = &["🧨", "☠️", "💥", "🚧", "🆘", "‼️", "🩸"];
const KNOWN: &[&str] = &["Blocker", "High", "Critical", "P0", "P1", "must-fix"];
const MINOR: &[&str] = &["nit", "Low", "Info", "minor", "P3"];
const MINOR_HEADINGS: &[&str] = &["Nits", "Low", "Minor", "Suggestions", "Low priority"];
const HEADINGS: &[&str] = &[
    "Do not merge",
    "Before we ship",
    "Dealbreakers",
    "Needs action now",
    "Cannot go out like this",
    "Stop the line",
    "Unsafe at any speed",
    "Red flags",
    "Hold the release",
    "Not OK",
    "Gehört gestoppt",
    "À corriger d'urgence",
    "Antes de publicar",
    "Нельзя сливать",
    "先别合并",
    "出荷停止",
];
const PRAISE: &[&str] = &["What went well", "Strengths", "Positive notes", "Praise", "Done well"];
const PASSES: &[&str] = &[
    "Verdict: PASS",
    "**Verdict:** APPROVED",
    "## Verdict\n\nApprove",
    "Verdict: approve",
    "**Recommendation:** Approve",
    "Overall verdict: pass",
];
const NONES: &[&str] =
    &["None.", "None", "_None_", "No issues found.", "None found.", "None from this perspective.", "N/A", "- None"];

/// Makes the review of a seed.
pub fn review(seed: u64) -> Review {
    let mut draw = Draw(seed);
    let blocks = draw.often(5);
    let layouts = if blocks { BLOCKING } else { CLEAR };
    let (layout, make) = draw.one(layouts);
    let text = make(&mut draw);
    let is_markdown = !text.starts_with(['{', '[', '-']);
    let text = if is_markdown { dressed(&mut draw, text) } else { text };
    Review { text, truth: if blocks { Truth::Blocks } else { Truth::Clear }, layout }
}

type Layout = (&'static str, fn(&mut Draw) -> String);

const BLOCKING: &[Layout] = &[
    ("unknown heading", unknown_heading),
    ("unknown tag", unknown_tag),
    ("heading per finding", heading_per_finding),
    ("known severity in glyphs", glyphs),
    ("table row", table_row),
    ("text in JSON", text_in_json),
    ("unknown key", unknown_key),
    ("unknown severity in JSON", unknown_severity),
    ("second document", second_document),
    ("count", count),
    ("one line", one_line),
    ("settled title", settled_title),
    ("lone tag", lone_tag),
    ("paragraph", paragraph),
    ("without a place", without_place),
    ("nested item", nested_item),
    ("quotation", quotation),
    ("rating in an aside", rating_in_aside),
    ("folding", folding),
    ("table in another language", strange::foreign_table),
    ("failed check", strange::failed_check),
    ("groups by severity", strange::groups),
    ("rounds", strange::rounds),
    ("definitions", strange::definitions),
    ("prose", strange::prose),
    ("documents in documents", strange::documents_in_documents),
    ("scale", strange::scale),
    ("unknown numbers and flags", strange::unknown_numbers),
    ("headings that are findings", strange::headings_that_are_findings),
    ("places first", strange::places_first),
];

const CLEAR: &[Layout] = &[
    ("none per severity", none_per_severity),
    ("zero counts", zero_counts),
    ("praise and checks", praise_and_checks),
    ("minor findings", minor_findings),
    ("earlier findings", earlier_findings),
    ("JSON", clear_json),
    ("metadata", metadata),
    ("labels and code", labels_and_code),
    ("verified", strange::verified),
    ("folded praise", strange::folded_praise),
    ("infos", strange::infos),
];

fn title(draw: &mut Draw) -> &'static str {
    draw.one(TITLES)
}

/// A finding's text: a title, mostly bold, and mostly with a place.
fn finding(draw: &mut Draw) -> String {
    let title = title(draw);
    // A title without a place, as in a review of a design.
    if draw.often(2) {
        return format!("**{title}** whenever two requests meet");
    }
    let title = if draw.often(6) { format!("**{title}**") } else { title.to_owned() };
    let place = draw.one(PLACES);
    match draw.below(4) {
        0 => format!("{place} — {title}"),
        1 => format!("{title} ({place})"),
        _ => format!("{title} — {place}"),
    }
}

fn list(draw: &mut Draw, items: &[String]) -> String {
    let is_numbered = draw.often(3);
    let line = |(at, item): (usize, &String)| {
        if is_numbered { format!("{}. {item}\n", at + 1) } else { format!("- {item}\n") }
    };
    items.iter().enumerate().map(line).collect()
}

fn minor_section(draw: &mut Draw) -> String {
    let heading = draw.one(MINOR_HEADINGS);
    let text =
        if draw.often(6) { draw.one(NONES).to_owned() } else { format!("- A name is odd in {}", draw.one(PLACES)) };
    format!("## {heading}\n\n{text}\n\n")
}

fn unknown_heading(draw: &mut Draw) -> String {
    let heading = if draw.often(3) { draw.word() } else { draw.one(HEADINGS).to_owned() };
    let items: Vec<String> = (0..1 + draw.below(2)).map(|_| finding(draw)).collect();
    let section = format!("## {heading}\n\n{}\n", list(draw, &items));
    let minor = minor_section(draw);
    if draw.often(5) { format!("# Review\n\n{section}{minor}") } else { format!("# Review\n\n{minor}{section}") }
}

fn tagged(draw: &mut Draw, form: usize, word: &str, text: &str) -> String {
    let _ = draw;
    match form {
        0 => format!("**[{word}]** {text}"),
        1 => format!("[{word}] {text}"),
        2 => format!("**{word}**: {text}"),
        3 => format!("{word}: {text}"),
        _ => format!("{word} — {text}"),
    }
}

fn unknown_tag(draw: &mut Draw) -> String {
    let form = draw.below(5);
    let word = if draw.often(2) { draw.word() } else { draw.one(MARKS).to_owned() };
    let (is_sign, sign) = (draw.often(2), draw.one(SIGNS));
    let text = finding(draw);
    let bad = if is_sign { format!("{sign} {text}") } else { tagged(draw, form, &word, &text) };
    let minor = draw.one(MINOR);
    let other = if is_sign {
        format!("🟢 A name is odd in {}", draw.one(PLACES))
    } else {
        tagged(draw, form, minor, "A name is odd")
    };
    let items = if draw.often(5) { vec![bad, other] } else { vec![other, bad] };
    format!("# Review\n\n{}", list(draw, &items))
}

fn heading_per_finding(draw: &mut Draw) -> String {
    let word = if draw.often(2) { draw.word() } else { draw.one(MARKS).to_owned() };
    let (bad, place) = (title(draw), draw.one(PLACES));
    let minor = draw.one(MINOR);
    let joint = draw.one(&[": ", " — "]);
    format!("# Review\n\n### {word}{joint}{bad}\n\nSeen at {place}.\n\n### {minor}{joint}A name is odd\n\nRename it.\n")
}

fn glyphs(draw: &mut Draw) -> String {
    let word = draw.one(&["HIGH", "High", "Critical", "BLOCKER"]);
    let word: String = match draw.below(3) {
        0 => format!("{}\u{200b}{}", &word[..2], &word[2..]),
        1 => word.chars().map(full_width).collect(),
        _ => word.chars().map(|c| draw.one(&[look_alike(c), look_alike(c), c])).collect(),
    };
    let text = finding(draw);
    match draw.below(3) {
        0 => format!("# Review\n\n### {word}\n\n- {text}\n\n### Low\n\nNone.\n"),
        1 => format!("# Review\n\n- **[{word}]** {text}\n- **[nit]** A name is odd\n"),
        _ => format!(
            "# Review\n\n| Severity | Finding | Place |\n|---|---|---|\n| {word} | {} | src/a.ts:3 |\n| Low | A name | src/b.ts:4 |\n",
            title(draw)
        ),
    }
}

fn full_width(c: char) -> char {
    char::from_u32(u32::from(c) + 0xfee0).unwrap_or(c)
}

fn look_alike(c: char) -> char {
    match c {
        'H' => 'Н',
        'I' => 'І',
        'C' => 'С',
        'B' => 'В',
        'E' => 'Е',
        'K' => 'К',
        'O' => 'О',
        'i' => 'і',
        'a' => 'а',
        'c' => 'с',
        _ => c,
    }
}

fn table_row(draw: &mut Draw) -> String {
    let word = if draw.often(3) { draw.word() } else { draw.one(MARKS).to_owned() };
    let (column, minor) = (draw.one(&["Severity", "Priority", "Level"]), draw.one(MINOR));
    let bad = title(draw);
    let bare = draw.one(&["src/a.ts:12", "lib/store.rs:88"]);
    format!(
        "# Review\n\n| # | {column} | Finding | File |\n|---|---|---|---|\n| 1 | {minor} | A name is odd | src/b.ts:4 |\n| 2 | {word} | {bad} | {bare} |\n"
    )
}

fn quoted(text: &str) -> String {
    serde_json::to_string(text).expect("a text is JSON")
}

fn text_in_json(draw: &mut Draw) -> String {
    let known = draw.one(KNOWN);
    let inner = match draw.below(3) {
        0 => format!("- **[{known}]** {}", finding(draw)),
        1 => format!("# Review\n\n## {known}\n\n- {}\n", finding(draw)),
        _ => format!("verdict: fail\n\n{}", finding(draw)),
    };
    let (outer, key) = (
        draw.one(&["review", "answer", "messages", "data"]),
        draw.one(&["content", "text", "data", "markdown", "body"]),
    );
    match draw.below(3) {
        0 => format!("[{{\"{outer}\":[{{\"{key}\":{}}}]}}]", quoted(&inner)),
        1 => format!("{{\"verdict\":\"pass\",\"findings\":[],\"{outer}\":{{\"{key}\":{}}}}}", quoted(&inner)),
        _ => format!("{{\"findings\":[],\"{outer}\":[{{\"{key}\":{}}}]}}", quoted(&inner)),
    }
}

fn unknown_key(draw: &mut Draw) -> String {
    let key = if draw.often(4) {
        draw.word().to_lowercase()
    } else {
        draw.one(&["showstoppers", "must_do", "dealbreakers", "red_flags", "stops"]).to_owned()
    };
    let (bad, file) = (title(draw), draw.one(&["src/a.ts", "lib/store.rs"]));
    let item = if draw.often(5) {
        quoted(&format!("{bad} in {file}:12"))
    } else {
        format!("{{\"text\":{},\"file\":\"{file}\"}}", quoted(bad))
    };
    format!("{{\"verdict\":\"pass\",\"findings\":[],\"{key}\":[{item}]}}")
}

fn unknown_severity(draw: &mut Draw) -> String {
    let word = draw.word();
    format!(
        "{{\"findings\":[{{\"title\":\"A name\",\"severity\":\"low\",\"file\":\"b.ts\"}},{{\"title\":{},\"severity\":\"{word}\",\"file\":\"a.ts\",\"line\":3}}]}}",
        quoted(title(draw))
    )
}

fn second_document(draw: &mut Draw) -> String {
    let bad = quoted(title(draw));
    let known = draw.one(&["High", "Critical", "blocker"]);
    let first = "{\"verdict\":\"pass\",\"findings\":[]}";
    let second = match draw.below(3) {
        0 => format!("[[findings]]\ntitle = {bad}\nseverity = \"{known}\"\nfile = \"a.ts\""),
        1 => format!("- severity: {known}\n  title: {bad}\n  file: a.ts"),
        _ => format!("    - severity: {known}\n      title: {bad}\n      file: a.ts"),
    };
    if draw.often(5) { format!("{first}\n\n{second}\n") } else { format!("{second}\n\n{first}\n") }
}

fn count(draw: &mut Draw) -> String {
    let number = 1 + draw.below(4);
    let known = draw.one(&["blockers", "critical", "high"]);
    let line = match draw.below(3) {
        0 => format!("{number} {known}, 0 low"),
        1 => format!("**{known}:** {number} | low: 0"),
        _ => format!("Findings: {number} ({number} {known})"),
    };
    format!("# Review\n\n{line}\n\n{}No other issues found.\n", minor_section(draw))
}

fn one_line(draw: &mut Draw) -> String {
    let (known, minor) = (draw.one(&["Blocker", "High", "Critical"]), draw.one(&["nit", "Low"]));
    format!("# Review  - **[{minor}]** b.ts:4 a name is odd - **[{known}]** {}\n", finding(draw))
}

fn settled_title(draw: &mut Draw) -> String {
    let head = draw.one(&[
        "# PR: resolved conflicts",
        "# Fixed-point arithmetic",
        "## Fix for the previous release",
        "# Applied patches review",
    ]);
    format!("{head}\n\n## New Findings\n\n### High Priority\n\n1. {}\n", finding(draw))
}

fn lone_tag(draw: &mut Draw) -> String {
    let form = draw.below(5);
    let word = if draw.often(2) { draw.word() } else { draw.one(MARKS).to_owned() };
    let text = finding(draw);
    let bad = if draw.often(2) { format!("{} {text}", draw.one(SIGNS)) } else { tagged(draw, form, &word, &text) };
    format!("# Review\n\n{}\n{}", list(draw, &[bad]), minor_section(draw))
}

fn paragraph(draw: &mut Draw) -> String {
    let heading = if draw.often(3) { draw.word() } else { draw.one(HEADINGS).to_owned() };
    format!(
        "# Review\n\n## {heading}\n\n{} at {}. Every request pays for it.\n\n{}",
        title(draw),
        draw.one(PLACES),
        minor_section(draw)
    )
}

fn without_place(draw: &mut Draw) -> String {
    let heading = if draw.often(3) { draw.word() } else { draw.one(HEADINGS).to_owned() };
    let bad = title(draw);
    let bad = if draw.often(5) { format!("**{bad}.** It happens daily.") } else { bad.to_owned() };
    format!("# Review\n\n## {heading}\n\n{}\n{}", list(draw, &[bad]), minor_section(draw))
}

fn nested_item(draw: &mut Draw) -> String {
    let (word, bad) = (draw.one(MARKS), finding(draw));
    format!("# Review\n\n- Storage\n  - **[{word}]** {bad}\n- Web\n  - **[nit]** A name is odd\n")
}

fn quotation(draw: &mut Draw) -> String {
    let (known, bad) = (draw.one(KNOWN), finding(draw));
    format!("# Review\n\n> **[{known}]** {bad}\n\n{}", minor_section(draw))
}

fn rating_in_aside(draw: &mut Draw) -> String {
    let (known, bad) = (draw.one(KNOWN), finding(draw));
    let aside = draw.one(&["Notes", "Summary", "Residual risks", "Testing", "Scope"]);
    format!("# Review\n\n## {aside}\n\n- **[{known}]** {bad}\n\n{}", minor_section(draw))
}

fn folding(draw: &mut Draw) -> String {
    let heading = draw.one(HEADINGS);
    format!(
        "# Review\n\n<details>\n<summary>{heading}</summary>\n\n- {}\n\n</details>\n\n{}",
        finding(draw),
        minor_section(draw)
    )
}

fn metadata(draw: &mut Draw) -> String {
    let pass = draw.one(PASSES);
    let branch = draw.one(&["feature/queue-retry", "fix/e12-s03-login"]);
    let none = draw.one(NONES);
    let table = if draw.often(5) {
        "| File | Change |\n|---|---|\n| src/a.ts | adds the queue |\n| src/b.ts | renames a field |\n"
    } else {
        "- `src/a.ts` — adds the queue\n- `src/b.ts` — renames a field\n"
    };
    format!(
        "# Review\n\n- **Branch:** `{branch}`\n- **Commit:** 3f2a91c\n- **Reviewer:** security\n- Plan: docs/plans/queue.md\n\n## Files reviewed\n\n{table}\n## Findings\n\n{none}\n\n{pass}\n"
    )
}

fn labels_and_code(draw: &mut Draw) -> String {
    let pass = draw.one(PASSES);
    let label = draw.one(&[
        "**Critical dependencies**: redis, postgres",
        "**High-level design**: a queue and a worker",
        "**Blocking calls**: none are made",
        "**Note:** the flag is off",
    ]);
    let none = draw.one(NONES);
    format!(
        "# Review\n\n## Context\n\n{label}\n\n```ts\n// BLOCKER: src/a.ts:3 is what the old code said\nlock();\n```\n\n## Issues\n\n{none}\n\n## How to test\n\n1. Run `npm test`\n2. Open `src/a.ts`\n\n{pass}\n"
    )
}

fn none_per_severity(draw: &mut Draw) -> String {
    let mut text = "# Code Review\n\n".to_owned();
    let is_label = draw.often(3);
    for heading in ["Blocker", "High", "Medium", "Low"] {
        let none = draw.one(NONES);
        text += &if is_label { format!("### {heading}: None\n\n") } else { format!("### {heading}\n\n{none}\n\n") };
    }
    text + draw.one(PASSES) + "\n"
}

fn zero_counts(draw: &mut Draw) -> String {
    let pass = draw.one(PASSES);
    match draw.below(3) {
        0 => format!("# Review\n\nFindings: 0 | Blockers: 0\n\n{pass}\n"),
        1 => format!(
            "# Review\n\n| Severity | Count | Notes |\n|---|---|---|\n| BLOCKER | 0 | — |\n| HIGH | 0 | — |\n| LOW | 0 | — |\n\n{pass}\n"
        ),
        _ => format!(
            "---\nverdict: pass\nfindings:\n  critical: 0\n  high: 0\n  low: 0\n---\n\n# Review\n\nAll good.\n\n{pass}\n"
        ),
    }
}

fn praise_and_checks(draw: &mut Draw) -> String {
    let praise = draw.one(PRAISE);
    let (fine, place) = (draw.one(FINE), draw.one(PLACES));
    let checks = if draw.often(5) {
        "- [x] Tests pass\n- [x] Lint passes\n"
    } else {
        "| Check | Result |\n|---|---|\n| Tests | ✅ |\n| Lint | pass |\n"
    };
    let none = draw.one(NONES);
    let pass = draw.one(PASSES);
    let steps = if draw.often(5) { "## Next steps\n\n1. Merge\n2. Deploy to staging\n\n" } else { "" };
    format!(
        "# Review\n\n## Summary\n\nThe change adds a queue.\n\n## {praise}\n\n- **{fine}** in {place}\n\n## Findings\n\n{none}\n\n## Checklist\n\n{checks}\n{steps}{pass}\n"
    )
}

fn minor_findings(draw: &mut Draw) -> String {
    let minor = draw.one(MINOR);
    let pass = draw.one(PASSES);
    let place = draw.one(PLACES);
    match draw.below(3) {
        0 => format!(
            "# Review\n\nNo blocking issues.\n\n## Findings\n\n- **[{minor}]** {place} — a name is odd\n\n{pass}\n"
        ),
        1 => format!("# Review\n\n### Blockers\n\nNone.\n\n### Low\n\n- A name is odd in {place}\n\n{pass}\n"),
        _ => format!("# Review\n\n## Findings\n\n- A name is odd in {place}\n- A comment is stale\n\n{pass}\n"),
    }
}

fn earlier_findings(draw: &mut Draw) -> String {
    let head = draw.one(&["Resolved since round 1", "Previously reported findings", "Prior findings", "Fixed issues"]);
    let pass = draw.one(PASSES);
    format!("# Review, round 2\n\n## {head}\n\n- {} — FIXED\n\n## New findings\n\nNone.\n\n{pass}\n", title(draw))
}

fn clear_json(draw: &mut Draw) -> String {
    let extra = draw.one(&[
        "",
        ",\"files_reviewed\":[\"src/a.ts\",\"src/b.ts\"]",
        ",\"strengths\":[\"Clear names in src/a.ts\"]",
        ",\"summary\":\"The change is fine.\\nAll tests pass.\"",
    ]);
    format!("{{\"verdict\":\"pass\",\"findings\":[]{extra}}}")
}

/// Dresses a text as tools and editors do; nothing of it changes what a person reads.
fn dressed(draw: &mut Draw, mut text: String) -> String {
    if draw.often(2) {
        text = text.replace("\n- ", draw.one(&["\n* ", "\n+ "]));
    }
    if draw.often(1) {
        text = text.replace('\n', "\r\n");
    }
    if draw.often(2) {
        text = text.replace("\n\n", "\n\n\n");
    }
    if draw.often(1) {
        text = text.lines().map(|line| format!("{line}  \n")).collect();
    }
    text
}
