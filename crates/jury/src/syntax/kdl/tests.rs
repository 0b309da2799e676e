use super::*;

fn parse_with(text: &str, depth: usize) -> Result<usize, (Reason, usize)> {
    let limits = Limits { depth, ..Limits::default() };
    let source = Source::new(text.as_bytes(), &limits).unwrap();
    parse(&source, &limits).map(|nodes| nodes.len()).map_err(|error| (error.reason, error.span.start))
}

fn parse_text(text: &str) -> Result<usize, (Reason, usize)> {
    parse_with(text, 4)
}

#[test]
fn places_are_bytes() {
    let limits = Limits::default();
    let text = "é \"ü\" k=(t)1 { ß }\n";
    let source = Source::new(text.as_bytes(), &limits).unwrap();
    let nodes = parse(&source, &limits).unwrap();
    let node = &nodes[0];
    let Value::Object(members) = &node.properties.value else { unreachable!() };
    let slices = [
        (node.name_span, "é"),
        (node.arguments[0].span, "\"ü\""),
        (members[0].key_span, "k"),
        (members[0].node.span, "(t)1"),
        (node.children[0].span, "ß"),
        (node.span, "é \"ü\" k=(t)1 { ß }"),
    ];
    for (span, slice) in slices {
        assert_eq!(source.slice(span), slice);
    }
}

#[test]
fn strings_say_what_they_say() {
    let value = |text: &str| {
        let limits = Limits::default();
        let text = format!("n {text}");
        let source = Source::new(text.as_bytes(), &limits).unwrap();
        let nodes = parse(&source, &limits).unwrap_or_else(|error| panic!("{text:?}: {error:?}"));
        match &nodes[0].arguments[0].value {
            Value::String(text) => text.to_string(),
            other => panic!("{text:?}: {other:?}"),
        }
    };
    for (text, means) in [
        ("bare", "bare"),
        ("\"\"", ""),
        ("\"a\\tb\\s\\\"\\\\\\u{1F600}\\u{0}\"", "a\tb \"\\\u{1F600}\0"),
        ("\"a \\ \n   b\"", "a b"),
        ("#\"\"#", ""),
        ("##\"a\"#\\n\"##", "a\"#\\n"),
        ("\"\"\"\n\"\"\"", ""),
        ("\"\"\"\n    a\r\n      b\n\n    c\n    \"\"\"", "a\n  b\n\nc"),
        ("\"\"\"\n  a \\\n     b\n  \"\"\"", "a b"),
        ("\"\"\"\n  a\\\\\n  b\\n\n  \"\"\"", "a\\\nb\n"),
        ("#\"\"\"\n  a\\\n  \"\"\"#", "a\\"),
    ] {
        assert_eq!(value(text), means, "{text:?}");
    }
}

#[test]
fn what_is_not_kdl_v2_is_refused_at_its_place() {
    for (text, at) in [
        ("a true", 2),
        ("a -inf", 2),
        ("a r\"raw\"", 3),
        ("a \"x", 2),
        ("a \"x\ny\"", 4),
        ("a \"\\q\"", 4),
        ("a \"\\u{d800}\"", 3),
        ("a \"\\u{1234567}\"", 3),
        ("a \"\"\"x\"\"\"", 5),
        ("a \"\"\"\n  x\n y\n  \"\"\"", 6),
        ("a \"\"\"\nx\"\"\"", 6),
        ("a #\"x\"", 2),
        ("a #maybe", 2),
        ("a 1x", 2),
        ("a .5", 2),
        ("a 1.", 2),
        ("a 0x", 2),
        ("a 1\"x\"", 3),
        ("a (t)k=1", 6),
        ("a k=", 4),
        ("a {", 2),
        ("a }", 2),
        ("a { b }} ", 7),
        ("{ }", 0),
        ("a; ;", 3),
        ("a {} b", 5),
        ("a {} {}", 5),
        ("a /-", 4),
        ("/-", 2),
        ("/* /* */", 0),
        ("a \\ b", 4),
        ("a [1]", 2),
        ("// \u{202e}", 3),
        ("a \"\u{7f}\"", 3),
    ] {
        assert_eq!(parse_text(text), Err((Reason::KdlSyntax, at)), "{text:?}");
    }
}

#[test]
fn depth_is_limited_and_nothing_else_needs_a_limit() {
    let many = 100_000;
    let nested = |levels: usize| format!("{}{}", "a {".repeat(levels), "}".repeat(levels));
    assert_eq!(parse_text(&nested(4)), Ok(1));
    assert_eq!(parse_text(&nested(5)), Err((Reason::LimitDepth, 14)));
    assert_eq!(parse_text(&"a{".repeat(many)), Err((Reason::LimitDepth, 9)));
    assert_eq!(parse_text(&"{".repeat(many)), Err((Reason::KdlSyntax, 0)));
    assert_eq!(parse_text(&"}".repeat(many)), Err((Reason::KdlSyntax, 0)));
    assert_eq!(parse_text(&"(".repeat(many)), Err((Reason::KdlSyntax, 1)));
    assert_eq!(parse_text(&"\"".repeat(many)), Err((Reason::KdlSyntax, 3)));
    assert_eq!(parse_text(&"#".repeat(many)), Err((Reason::KdlSyntax, 0)));
    assert_eq!(parse_text(&"/*".repeat(many)), Err((Reason::KdlSyntax, 0)));
    assert_eq!(parse_text(&format!("{}{}a", "/*".repeat(many), "*/".repeat(many))), Ok(1));
    assert_eq!(parse_text(&format!("/*{}*/a", " *".repeat(many))), Ok(1));
    assert_eq!(parse_text(&"a ] ".repeat(many)), Err((Reason::KdlSyntax, 2)));
    assert_eq!(parse_text(&"a #\"\"\"\n".repeat(many)), Err((Reason::KdlSyntax, 2)));
    assert_eq!(parse_text(&format!("a \"{}\"", "{".repeat(many))), Ok(1));
    assert_eq!(parse_text(&"/-a;".repeat(many)), Ok(0));
    assert_eq!(parse_text(&format!("a{}", " /-1".repeat(many))), Ok(1));
    let dropped = |levels: usize| format!("{}{}", "a;/-b {".repeat(levels), "}".repeat(levels));
    assert_eq!(parse_with(&dropped(64), 64), Ok(1));
    let dropped = |levels: usize| format!("{}{}", "a /-{ ".repeat(levels), "}".repeat(levels));
    assert_eq!(parse_with(&dropped(64), 64), Ok(1));
}

#[test]
fn the_first_name_is_found_in_broken_documents_too() {
    let name = |text| first_name(text, &Limits::default()).map(Cow::into_owned);
    assert_eq!(name("// x\n/- kdl-version 2\n\"first\" true {"), Some("first".to_owned()));
    assert_eq!(name("(t)first"), Some("first".to_owned()));
    assert_eq!(name("{"), None);
    assert_eq!(name(""), None);
}

#[test]
fn escaped_characters_are_read_back() {
    let text: String = (0..=0x2100).chain([0xfeff, 0x1f600, 0x10ffff]).filter_map(char::from_u32).collect();
    let escaped: String = text.chars().map(escaped).collect();
    let limits = Limits::default();
    let document = format!("a \"{escaped}\"");
    let source = Source::new(document.as_bytes(), &limits).unwrap();
    assert_eq!(parse(&source, &limits).unwrap()[0].arguments[0].value, Value::String(Cow::Owned(text)));
}
