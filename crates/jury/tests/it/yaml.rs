//! YAML from outside: whatever comes in, reading ends with a tree or a place inside the text.

use jury::syntax::{Limits, Node, Source, Span, Value, yaml};
use jury_testkit::clock::cpu_time;
use proptest::prelude::*;

/// Texts that are made of what YAML gives a meaning to, so that few of them are plain words.
fn yaml_like() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "a",
        "b",
        ": ",
        ":",
        "- ",
        "-",
        "? ",
        "?",
        "[",
        "]",
        "{",
        "}",
        ", ",
        ",",
        "&x ",
        "*x",
        "*x ",
        "!t ",
        "!!str ",
        "!!null ",
        "!!binary ",
        "<<: ",
        "|\n",
        ">-\n",
        "\"",
        "'",
        "\\",
        "\\u12",
        "#",
        " #",
        "\n",
        "\n  ",
        "\n    ",
        "\r\n",
        "\r",
        "\t",
        " ",
        "---\n",
        "...\n",
        "%YAML 1.2\n",
        "null",
        "~",
        "true",
        "1e999",
        ".inf",
        "0x1F",
        "\u{feff}",
        "\u{85}",
        "\u{2028}",
        "é",
        "\u{1f980}",
        "\0",
        "```",
    ]);
    prop::collection::vec(pieces, 0..40).prop_map(|pieces| pieces.concat())
}

fn check(text: &str, start: usize, limits: &Limits) {
    let source = Source::new(text.as_bytes(), limits).expect("the text is small");
    match yaml::parse(&source, Span::new(start, text.len()), limits) {
        Ok(node) => check_places(&node, text, start),
        Err(deviation) => check_place(deviation.span, text, start),
    }
}

fn check_place(span: Span, text: &str, start: usize) {
    assert!(start <= span.start && span.start <= span.end && text.get(span.start..span.end).is_some(), "{span:?}");
}

fn check_places(node: &Node<'_>, text: &str, start: usize) {
    check_place(node.span, text, start);
    match &node.value {
        Value::Array(items) => items.iter().for_each(|item| check_places(item, text, start)),
        Value::Object(members) => members.iter().for_each(|member| {
            check_place(member.key_span, text, start);
            check_places(&member.node, text, start);
        }),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn any_text_ends_in_a_tree_or_a_place(before in "[aé\n]{0,3}", text in any::<String>()) {
        check(&format!("{before}{text}"), before.len(), &Limits::default());
    }

    #[test]
    fn any_yaml_like_text_ends_in_a_tree_or_a_place(before in "[aé\n]{0,3}", text in yaml_like()) {
        check(&format!("{before}{text}"), before.len(), &Limits { depth: 5, aliases: 3, ..Limits::default() });
    }
}

/// Twenty thousand findings are read in time that grows with their number, not with its square.
#[test]
fn a_long_list_is_read_in_linear_time() {
    let items: String = (0..20_000).map(|n| format!("- {{file: src/ü{n}.rs, text: \"één ding {n}\"}}\n")).collect();
    let ((), took) = cpu_time(|| check(&items, 0, &Limits::default()));
    assert!(took < std::time::Duration::from_secs(20), "{took:?}");
}
