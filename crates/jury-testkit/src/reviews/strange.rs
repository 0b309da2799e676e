//! Layouts that no reader was written for: tables in other languages, checks, groups, rounds, scales, documents in documents.
//!
//! In: the draw of a review. Out: its text. Every word that says how bad a finding is comes from outside the lexicon.

use super::{Draw, HEADINGS, MARKS, NONES, PASSES, PLACES, PRAISE, minor_section, quoted, title};

/// Tables as reviewers of other tongues write them: the columns, and words for a grave and a slight finding.
const TABLES: &[(&str, &str, &str, &str)] = &[
    ("Ernst | Bevinding | Bestand", "Zeer ernstig", "Klein", "Slot valt weg voor de commit"),
    ("Waga | Opis | Plik", "Krytyczna", "Drobna", "Blokada jest zwalniana za wcześnie"),
    ("Önem | Bulgu | Dosya", "Yüksek", "Düşük", "Kilit erken bırakılıyor"),
    ("Mức độ | Vấn đề | Tệp", "Nghiêm trọng", "Thấp", "Khóa bị nhả trước commit"),
    ("Závažnost | Popis | Soubor", "Kritická", "Nízká", "Zámek se uvolní před zápisem"),
    ("Allvar | Beskrivning | Fil", "Allvarlig", "Liten", "Låset släpps före skrivningen"),
    ("गंभीरता | विवरण | फ़ाइल", "अति गंभीर", "मामूली", "लॉक पहले हट जाता है"),
    ("الخطورة | الوصف | الملف", "حرجة", "بسيطة", "القفل يسقط قبل الحفظ"),
];

pub(super) fn foreign_table(draw: &mut Draw) -> String {
    let (head, grave, slight, text) = draw.one(TABLES);
    let mut rows =
        [format!("| {grave} | {text} | src/a.ts:12 |\n"), format!("| {slight} | {} | src/b.ts:4 |\n", draw.word())];
    if draw.often(5) {
        rows.reverse();
    }
    format!("# Review\n\n| {head} |\n|---|---|---|\n{}\n{}", rows.concat(), minor_section(draw))
}

pub(super) fn failed_check(draw: &mut Draw) -> String {
    let (bad, sign) = (title(draw), draw.one(&["❌", "✗", "✘", "✖"]));
    match draw.below(3) {
        0 => format!(
            "# Review\n\n| Check | Result | Remark |\n|---|---|---|\n| Tests | ✅ | |\n| Locking | {sign} | {bad} |\n"
        ),
        1 => format!(
            "# Review\n\n| Check | Result |\n|---|---|\n| Tests | pass |\n| {bad} | fail |\n\n{}",
            minor_section(draw)
        ),
        _ => format!("# Review\n\n- ✓ Tests run\n- {sign} {bad}\n\n{}", minor_section(draw)),
    }
}

pub(super) fn groups(draw: &mut Draw) -> String {
    let word = if draw.often(4) { draw.word() } else { draw.one(MARKS).to_owned() };
    let (bad, minor) = (title(draw), draw.one(&["Nit", "Low", "Minor"]));
    let (one, other) = (format!("- {word}\n  - {bad}, line 12\n"), format!("- {minor}\n  - A name is odd, line 4\n"));
    if draw.often(5) { format!("# Review\n\n{one}{other}") } else { format!("# Review\n\n{other}{one}") }
}

pub(super) fn rounds(draw: &mut Draw) -> String {
    let (old, bad, place) = (title(draw), title(draw), draw.one(PLACES));
    let head = draw.one(&["Round 2", "Second pass", "Iteration 3"]);
    let new =
        if draw.often(5) { format!("- {bad} ({place})") } else { format!("{bad}, see {place}. It has to be changed.") };
    format!(
        "# Review history\n\n## Round 1 (resolved)\n\n- [High] {old} — FIXED\n\n## {head}\n\n{new}\n\n{}",
        minor_section(draw)
    )
}

pub(super) fn definitions(draw: &mut Draw) -> String {
    let (bad, place) = (title(draw), draw.one(PLACES));
    let minor = draw.one(NONES);
    match draw.below(4) {
        0 => format!("# Review\n\n{bad}\n: Seen at {place}. It stops the release.\n\n## Nits\n\n{minor}\n"),
        1 => format!("# Review\n\n<dl>\n<dt>{bad}</dt>\n<dd>Seen at {place}</dd>\n</dl>\n\n## Nits\n\n{minor}\n"),
        2 => format!("# Review\n\n!!! danger\n    {bad} at {place}\n\n## Nits\n\n{minor}\n"),
        _ => format!("# Review\n\n:::danger\n{bad} at {place}\n:::\n\n## Nits\n\n{minor}\n"),
    }
}

pub(super) fn prose(draw: &mut Draw) -> String {
    let (bad, minor) = (title(draw), draw.one(NONES));
    let verdict =
        draw.one(&["this must not ship", "I would not merge it", "das darf so nicht live gehen", "no puede salir así"]);
    let nits = draw.one(&["Nits", "Low", "Style"]);
    format!("# Review\n\n{bad}; {verdict}.\n\n## {nits}\n\n{minor}\n")
}

pub(super) fn documents_in_documents(draw: &mut Draw) -> String {
    let known = draw.one(&["critical", "high", "blocker"]);
    let inner = format!(
        "{{\"issues\":[{{\"severity\":\"{known}\",\"title\":{},\"file\":\"a.ts\",\"line\":3}}]}}",
        quoted(title(draw))
    );
    let markdown = format!("# Review\n\n```json\n{inner}\n```\n");
    match draw.below(3) {
        0 => format!("{{\"verdict\":\"pass\",\"findings\":[],\"report\":{}}}", quoted(&markdown)),
        1 => format!("[{{\"role\":\"assistant\",\"parts\":[{{\"type\":\"text\",\"value\":{}}}]}}]", quoted(&markdown)),
        _ => format!("# Review\n\n```markdown\n- {} (src/a.ts:12)\n```\n\n{}", title(draw), minor_section(draw)),
    }
}

pub(super) fn scale(draw: &mut Draw) -> String {
    let (bad, place) = (title(draw), draw.one(PLACES));
    let minor = draw.one(NONES);
    match draw.below(3) {
        0 => format!(
            "# Review\n\nScale: 1 = cosmetic … 5 = stops the release\n\n1. (5) {bad}, {place}\n2. (1) A name is odd\n\n## Nits\n\n{minor}\n"
        ),
        1 => format!("# Review\n\n- ★★★★★ {bad}\n- ★☆☆☆☆ A name is odd\n\n## Nits\n\n{minor}\n"),
        _ => format!("# Review\n\n### {bad}\n\nImpact: 9/10\nFile: src/a.ts:12\n\n## Nits\n\n{minor}\n"),
    }
}

pub(super) fn unknown_numbers(draw: &mut Draw) -> String {
    let name = draw.one(&["showstoppers", "dealbreakers", "red_flags", "stops"]);
    let bad = quoted(title(draw));
    match draw.below(4) {
        0 => format!("{{\"findings\":[],\"summary\":{{\"{name}\":{},\"nits\":0}}}}", 1 + draw.below(3)),
        1 => format!("{{\"findings\":[{{\"title\":{bad},\"severity\":\"low\",\"blocking\":true,\"file\":\"a.ts\"}}]}}"),
        2 => format!("{{\"verdict\":\"pass\",\"findings\":[],\"{name}\":[{bad}]}}"),
        _ => format!("{{\"ok\":false,\"findings\":[],\"note\":{bad}}}"),
    }
}

pub(super) fn headings_that_are_findings(draw: &mut Draw) -> String {
    let (head, bad, minor) = (draw.one(HEADINGS), title(draw), draw.one(NONES));
    match draw.below(3) {
        0 => format!("# Review\n\n## {head}\n\n### 1. {bad}\n\nIt happens daily.\n\n## Nits\n\n{minor}\n"),
        1 => format!("# {bad} in src/a.ts:12\n\nIt happens daily.\n\n## Nits\n\n{minor}\n"),
        _ => format!("Review\n======\n\n{head}\n---------\n\n* {bad}, src/a.ts:12\n\nNits\n----\n\n{minor}\n"),
    }
}

pub(super) fn places_first(draw: &mut Draw) -> String {
    let bad = title(draw);
    let order = draw.one(&["has to change", "must be redone", "cannot stay"]);
    format!("Hello,\n\nsrc/a.ts:12 - {order}: {bad}\n\nnit: a name is odd\n\nNo other issues.\n")
}

pub(super) fn verified(draw: &mut Draw) -> String {
    let (pass, place) = (draw.one(&["passed", "approved", "pass"]), draw.one(PLACES));
    let sign = draw.one(&["✓ VERIFIED", "VERIFIED", "✅", "pass", "✓ WIRED"]);
    format!(
        "---\nstatus: {pass}\nscore: 3/3\n---\n\n# Phase 2: verification\n\n**Goal:** the queue retries\n\n### Observable truths\n\n| # | Truth | Status | Evidence |\n|---|---|---|---|\n| 1 | Jobs are retried | {sign} | {place} |\n| 2 | Jobs end | {sign} | `src/b.ts:9` |\n\n### Anti-patterns\n\n| File | Line | Pattern | Severity |\n|---|---|---|---|\n| None | — | — | — |\n\n## Summary\n\nAll goals are met.\n"
    )
}

pub(super) fn folded_praise(draw: &mut Draw) -> String {
    let (pass, praise, none) = (draw.one(PASSES), draw.one(PRAISE), draw.one(NONES));
    format!(
        "# Review\n\n{pass}\n\n<details>\n<summary>{praise}</summary>\n\n- Names are clear in {}\n\n</details>\n\n## Findings\n\n{none}\n",
        draw.one(PLACES)
    )
}

pub(super) fn infos(draw: &mut Draw) -> String {
    let (pass, word) = (draw.one(PASSES), draw.one(&["ℹ️ Info", "Info", "Nit", "🟢 Low"]));
    format!(
        "# Review\n\n| Severity | Finding | File |\n|---|---|---|\n| {word} | A name is odd | src/a.ts:12 |\n| {word} | A comment is stale | src/b.ts:4 |\n\n{pass}\n"
    )
}
