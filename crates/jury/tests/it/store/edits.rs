//! FAULTS row 7: what a team agent may do to the verdict file, and everything else.

use jury::model::Status;
use jury::store::StoreError;
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Map, Value, json};

use super::*;

/// What Jury itself says of the findings.
const OWN: &[Status] =
    &[Status::Open, Status::Reopened, Status::Verified, Status::Open, Status::Fixed, Status::WontFix];

fn room() -> (Room, VerdictFile) {
    let room = Room::new();
    let file = verdict("a3f8c12b", "verify", OWN);
    save(&room.store(), &file).unwrap();
    (room, file)
}

/// How a document may be spelled.
#[derive(Clone, Debug)]
struct Style {
    line_end: &'static str,
    indent: &'static str,
    turn_keys: usize,
    escapes: bool,
}

fn style() -> impl Strategy<Value = Style> {
    let line_end = prop::sample::select(vec!["", "\n", "\r\n", "\n\n\t"]);
    let indent = prop::sample::select(vec!["", " ", "    ", "\t"]);
    (line_end, indent, 0..9_usize, any::<bool>()).prop_map(|(line_end, indent, turn_keys, escapes)| Style {
        line_end,
        indent,
        turn_keys,
        escapes,
    })
}

fn spelled(value: &Value, style: &Style) -> String {
    let space = format!("{}{}", style.line_end, style.indent);
    match value {
        Value::String(text) if style.escapes => {
            let units = text.encode_utf16().map(|unit| format!("\\u{unit:04X}")).collect::<String>();
            format!("\"{units}\"")
        }
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(|item| spelled(item, style)).collect();
            format!("[{space}{}{space}]", items.join(&format!("{space},{space}")))
        }
        Value::Object(members) => {
            let mut members: Vec<String> = members
                .iter()
                .map(|(key, value)| format!("{}{space}:{space}{}", spelled(&json!(key), style), spelled(value, style)))
                .collect();
            let turn = style.turn_keys % members.len().max(1);
            members.rotate_left(turn);
            format!("{{{space}{}{space}}}", members.join(&format!("{space},{space}")))
        }
        scalar => scalar.to_string(),
    }
}

fn legal_statuses() -> impl Strategy<Value = Vec<Status>> {
    let legal = |own: &Status| match own {
        Status::Open | Status::Reopened => vec![*own, Status::Fixed, Status::WontFix],
        own => vec![*own],
    };
    OWN.iter().map(|own| prop::sample::select(legal(own))).collect::<Vec<_>>()
}

#[test]
fn five_hundred_legal_edits_are_taken() {
    let (room, file) = room();
    let store = room.store();
    let mut runner = TestRunner::new(Config { cases: 500, failure_persistence: None, ..Config::default() });
    let taken = runner.run(&(legal_statuses(), style()), |(statuses, style)| {
        let mut edited = file.clone();
        for (finding, status) in edited.findings.iter_mut().zip(&statuses) {
            finding.status = status.token().to_owned();
        }
        let text = spelled(&serde_json::to_value(&edited).unwrap(), &style);
        std::fs::write(room.latest(), &text).unwrap();
        let state = store.state();
        prop_assert!(state.is_ok(), "{:?}\n{}", state, text);
        let latest = state.unwrap().latest.unwrap();
        prop_assert_eq!(latest.file, edited);
        prop_assert_eq!(&latest.sealed, &file);
        Ok(())
    });
    taken.unwrap();
}

/// An edit that nobody but Jury may make, and the JSON path at which it should be named.
type Edit = fn(&mut Value, usize, &str) -> String;

fn finding(document: &mut Value, index: usize) -> &mut Map<String, Value> {
    document["findings"][index].as_object_mut().unwrap()
}

fn set(document: &mut Value, index: usize, key: &str, value: Value) -> String {
    finding(document, index).insert(key.to_owned(), value);
    format!("findings[{index}].{key}")
}

fn set_top(document: &mut Value, key: &str, value: Value) -> String {
    document[key] = value;
    key.to_owned()
}

const EDITS: &[Edit] = &[
    |d, i, text| set(d, i, "title", json!(format!("x{text}"))),
    |d, i, _| set(d, i, "severity", json!("Nit")),
    |d, i, _| set(d, i, "file", json!("src/b.ts")),
    |d, i, _| set(d, i, "domain", json!("qa")),
    |d, i, _| set(d, i, "id", json!("security-00000000-1")),
    |d, i, _| set(d, i, "lineRange", json!("1-2")),
    |d, i, _| set(d, i, "lineRange", json!(null)),
    |d, i, text| set(d, i, "recommendation", json!(text)),
    |d, i, _| set(d, i, "confidence", json!(0.5)),
    |d, i, _| set(d, i, "confidence", json!("0.9")),
    |d, i, _| set(d, i, "status", json!("Fixed")),
    |d, i, _| set(d, i, "status", json!(null)),
    |d, i, _| set(d, i, "status", json!(1)),
    |d, i, _| set(d, i, "status", json!("")),
    |d, _, _| set(d, 0, "status", json!("verified")),
    |d, _, _| set(d, 0, "status", json!("reopened")),
    |d, _, _| set(d, 1, "status", json!("open")),
    |d, _, _| set(d, 1, "status", json!("verified")),
    |d, _, _| set(d, 2, "status", json!("open")),
    |d, _, _| set(d, 2, "status", json!("fixed")),
    |d, _, _| set(d, 4, "status", json!("wont_fix")),
    |d, _, _| set(d, 5, "status", json!("open")),
    |d, i, text| set(d, i, &format!("x_{}", text.len()), json!(true)),
    |d, i, _| {
        let key = ["id", "domain", "severity", "confidence", "file", "lineRange", "title", "status"][i];
        finding(d, 0).shift_remove(key);
        format!("findings[0].{key}")
    },
    |d, i, _| {
        let keys = ["reviewId", "timestamp", "scope", "target", "mode", "verdict", "summary"];
        d.as_object_mut().unwrap().shift_remove(keys[i]);
        keys[i].to_owned()
    },
    |d, _, _| set_top(d, "verdict", json!("PASS")),
    |d, _, _| set_top(d, "mode", json!("full")),
    |d, _, _| set_top(d, "scope", json!("team")),
    |d, _, text| set_top(d, "target", json!(format!("x{text}"))),
    |d, _, _| set_top(d, "timestamp", json!("2026-02-16T14:30:01Z")),
    |d, _, _| set_top(d, "reviewId", json!("a3f8c12c")),
    |d, _, _| set_top(d, "reportPath", json!("")),
    |d, _, _| set_top(d, "note", json!("hello")),
    |d, _, _| set_top(d, "findings", json!([])) + "[0]",
    |d, _, _| set_top(d, "findings", json!({})),
    |d, i, _| {
        let count = ["blocker", "high", "medium", "low", "info"][i % 5];
        d["summary"][count] = json!(77);
        format!("summary.{count}")
    },
    |d, i, _| {
        let findings = d["findings"].as_array_mut().unwrap();
        let other = (i + 1) % findings.len();
        findings.swap(i, other);
        format!("findings[{}].id", i.min(other))
    },
    |d, _, _| {
        d["findings"].as_array_mut().unwrap().pop();
        format!("findings[{}]", OWN.len() - 1)
    },
    |d, i, _| {
        let twin = d["findings"][i].clone();
        d["findings"].as_array_mut().unwrap().push(twin);
        format!("findings[{}]", OWN.len())
    },
];

#[test]
fn two_thousand_illegal_edits_are_refused_by_their_json_path() {
    let (room, file) = room();
    let store = room.store();
    let mut runner = TestRunner::new(Config { cases: 2000, failure_persistence: None, ..Config::default() });
    let which = (any::<Index>(), 0..OWN.len(), "[a-z ü\"\\\\]{0,12}", legal_statuses(), style());
    let refused = runner.run(&which, |(edit, index, text, statuses, style)| {
        let mut document = serde_json::to_value(&file).unwrap();
        for (finding, status) in document["findings"].as_array_mut().unwrap().iter_mut().zip(&statuses) {
            finding["status"] = json!(status.token());
        }
        let path = EDITS[edit.index(EDITS.len())](&mut document, index, &text);
        // Of several differences, the first in the file is named; keys are left in their order so that it is known.
        let text = spelled(&document, &Style { turn_keys: 0, ..style });
        std::fs::write(room.latest(), &text).unwrap();
        match store.state() {
            Err(StoreError::Tampered { at, .. }) => prop_assert_eq!(at, path, "{}", text),
            other => prop_assert!(false, "{:?}\n{}", other, text),
        }
        Ok(())
    });
    refused.unwrap();
}

#[test]
fn edits_below_the_values_are_refused() {
    let (room, _) = room();
    let text = room.read(".code-review/review-latest.json");
    let edits: &[(&str, &str, Option<&str>)] = &[
        ("\"confidence\": 0.9,", "\"confidence\": 0.90,", Some("findings[0].confidence")),
        ("\"confidence\": 0.9,", "\"confidence\": 9e-1,", Some("findings[0].confidence")),
        ("\"confidence\": 1.0,", "\"confidence\": 1,", Some("findings[2].confidence")),
        ("\"high\": 1,", "\"high\": 1.0,", Some("summary.high")),
        ("\"status\": \"open\"", "\"status\": \"open\", \"status\": \"fixed\"", Some("findings[0].status")),
        ("\"status\": \"open\"", "\"status\": \"open\", \"st\\u0061tus\": \"open\"", Some("findings[0].status")),
        ("\"verdict\":", "\"verdict\": \"PASS\", \"verdict\":", Some("verdict")),
        ("\"findings\":", "\"findings\": [], \"findings\":", Some("findings[0]")),
        ("{", "\u{feff}{", None),
        ("{", "[{", None),
        ("\"open\"", "'open'", None),
        ("\"high\": 1,", "\"high\": 01,", None),
    ];
    for (from, to, at) in edits {
        assert!(text.contains(from), "{from}");
        room.write(".code-review/review-latest.json", text.replacen(from, to, 1));
        match (room.store().state(), at) {
            (Err(StoreError::Tampered { at: named, .. }), Some(at)) => assert_eq!(named, *at),
            (Err(StoreError::Damaged { .. }), None) => {}
            (other, _) => panic!("{to}: {other:?}"),
        }
    }
    for bytes in [&b""[..], b"{}{}", b"null", b"\xff", &text.as_bytes()[..text.len() / 2], &[b'['; 100_000]] {
        room.write(".code-review/review-latest.json", bytes);
        let error = room.store().state().unwrap_err();
        assert!(matches!(error, StoreError::Damaged { .. } | StoreError::Tampered { .. }), "{error}");
    }
    room.write(".code-review/review-latest.json", text);
    room.store().state().unwrap();
}

#[test]
fn the_verdict_before_the_last_cannot_be_put_back() {
    let room = Room::new();
    let good = verdict("aaaaaaaa", "full", &[]);
    save(&room.store(), &good).unwrap();
    let text = room.read(".code-review/review-latest.json");
    save(&room.store(), &verdict("bbbbbbbb", "full", OWN)).unwrap();
    room.write(".code-review/review-latest.json", text);
    assert!(matches!(room.store().state(), Err(StoreError::Tampered { at, .. }) if at == "reviewId"));
}
