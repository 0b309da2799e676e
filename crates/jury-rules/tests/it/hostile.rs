//! Input that means harm: nothing panics, nothing hangs, and what was not looked at is said.

use std::time::Duration;

use jury_rules::{NoTree, Parsed, Review, SPECIALISTS, SourceFile, redact};
use jury_testkit::clock::cpu_time_of_process;

/// Far more CPU time than any of these takes, even unoptimised; a quadratic step takes minutes.
const LONGEST: Duration = Duration::from_secs(60);

const LANGUAGES: [&str; 6] = ["ts", "tsx", "js", "py", "go", "rs"];

fn reviews(path: &str, text: &str) -> Vec<Review> {
    let file = [SourceFile { path, text, touched: &[] }];
    let review = || {
        let parsed = Parsed::default();
        SPECIALISTS.iter().map(|specialist| specialist.review_in(&parsed, &file, &NoTree)).collect()
    };
    // Specialists work on threads of their own. Under `cargo test`, those of other tests are measured with them, hence the second try.
    let mut took = [Duration::ZERO; 2];
    for took in &mut took {
        let reviews;
        (reviews, *took) = cpu_time_of_process(review);
        if *took < LONGEST {
            return reviews;
        }
    }
    panic!("{path}: {} bytes took {took:?}", text.len());
}

/// Tells why the first specialist did not review a text.
fn unreviewed(path: &str, text: &str) -> Option<String> {
    reviews(path, text).remove(0).unreviewed.pop().map(|(_, why)| why)
}

#[test]
fn deep_nesting_is_not_reviewed_and_says_so() {
    for extension in LANGUAGES {
        let path = format!("a.{extension}");
        for text in ["[", "(", "{", "[[{(", "f("].map(|open| open.repeat(100_000)) {
            let why = unreviewed(&path, &text).unwrap_or_else(|| panic!("{path}: {}", &text[..8]));
            assert!(why.contains("nested deeper"), "{why}");
        }
    }
}

#[test]
fn nesting_without_brackets_is_not_reviewed_and_says_so() {
    let texts = ["x = 1 + ".repeat(20_000) + "1", "x = ".to_owned() + &"!".repeat(50_000) + "a", "a.b".repeat(20_000)];
    for text in texts.map(|text| text + "; eval(x)") {
        let why = unreviewed("a.ts", &text).expect("deep");
        assert!(why.contains("nested deeper"), "{why}");
    }
}

#[test]
fn large_files_get_the_rules_over_text_only() {
    let key = ["ghp_", "aB3dE5gH7jK9mN1pQ3sT5vW7xY9zA23C9tjY"].concat();
    let text = format!("const a = 1; // {}\nconst token = '{key}';\n", "x ".repeat(1_100_000));
    let review = reviews("a.ts", &text).remove(0);
    assert!(review.unreviewed[0].1.contains("2048 KiB"), "{:?}", review.unreviewed);
    assert_eq!(review.findings.findings.len(), 1);
    // Data of any size is searched as text, and code up to there is parsed.
    assert_eq!(unreviewed("a.yml", &text), None);
    let parsed = format!("// {}\neval(location.hash);\n", "x ".repeat(400_000));
    let review = reviews("a.ts", &parsed).remove(0);
    assert_eq!((review.unreviewed.len(), review.findings.findings.len()), (0, 1));
    // A language without a grammar has nothing that could be left out.
    assert_eq!(unreviewed("a.md", &text), None);
}

#[test]
fn one_line_of_two_megabytes_is_read_in_time() {
    let texts =
        ["password = 'x' ", "AKIA", "-----BEGIN PRIVATE KEY-----", "eyJ", "postgres://a:b@c/", "token=\"abc\" "];
    for text in texts.map(|part| part.repeat(2_000_000 / part.len())) {
        assert_eq!(unreviewed("a.txt", &text), None);
        assert!(redact(&text).len() > 1_000_000);
    }
}

#[test]
fn many_candidates_do_not_cost_the_square() {
    let texts = [
        "f(() => ".repeat(900) + "1" + &")".repeat(900),
        "a == b;\n".repeat(20_000),
        "// @ts-ignore\n".repeat(20_000),
        "try { a() } catch {}\n".repeat(10_000),
        "async function f() {}\nf();\n".repeat(8_000),
        "switch (a) { case 1: f(); case 2: g(); break }\n".repeat(5_000),
        "x = [".to_owned() + &"1,".repeat(150_000) + "];",
        "db.query('a' + b);\n".repeat(10_000),
        "async function f() {\n".to_owned() + &"  a.b();\n".repeat(20_000) + "}",
        "app.get('/', async (req, res) => { await f() });\n".repeat(4_000),
        "const x = f();\nx.y();\nasync function f() {}\n".repeat(4_000),
        "function f(a: A) {\n".to_owned() + &"switch (a) { case 1: return 1 }\n".repeat(5_000) + "}",
    ];
    for text in &texts {
        let text = &text[..text.len().min(500_000)];
        reviews("a.ts", text);
    }
}

#[test]
fn what_is_nested_in_itself_over_and_over_ends_within_the_limit() {
    let nested = |open: &str, close: &str| {
        let block = open.repeat(240) + "x" + &close.repeat(240) + ";\n";
        block.repeat(500_000 / block.len())
    };
    // Every comparison, promise and call is tried by several rules, and each holds all of those within it.
    let all = reviews("a.ts", &nested("hmac == f(a == b, async () => c, ", ")"));
    let why: Vec<String> = all.into_iter().flat_map(|review| review.unreviewed).map(|(_, why)| why).collect();
    assert!(why.iter().any(|why| why.contains("too entangled")), "{why:?}");
    for (path, text) in [
        ("a.js", nested("a.innerHTML = eval(b + ", ")")),
        ("a.ts", nested("db.query(\"select \" + a + f(", "))")),
        ("a.ts", nested("xs.forEach(async () => exec(`a ${", "}`))")),
        ("a.py", nested("os.system(eval(\"select\" + ", "))")),
    ] {
        reviews(path, &text);
    }
}

#[test]
fn functions_that_hand_each_other_over_end() {
    let handler = |n: usize| {
        format!(
            "void F{n}(App app) {{ app.MapGet(\"/\", F{}); app.MapPut(\"/\", F{}); app.Map(\"/\", F{n}); }}\n",
            n + 1,
            n + 2
        )
    };
    let methods: String = (0..1_000).map(handler).collect();
    reviews("a.cs", &format!("class A {{\n{methods}}}\n"));
}

#[test]
fn broken_code_is_reviewed_where_it_parses() {
    let review =
        reviews("src/a.ts", "export const f = (a: any) => a;\n\nclass {{ ;;; }\nexport const g = (b: any) => b;\n")
            .remove(1);
    assert_eq!(review.unreviewed, []);
    assert!(!review.findings.findings.is_empty());
    assert!(review.findings.residual_risks[0].contains("src/a.ts has a syntax error at line"));
}

#[test]
fn odd_texts_do_not_panic() {
    let texts = [
        "\u{feff}",
        "\0\0\0",
        "\r\r\r",
        "é\u{202e}ü'\"`",
        "a\u{2028}b",
        "\\",
        "${",
        "`${`${`",
        "'''",
        "/*",
        "--",
        "🦀".repeat(999).as_str(),
    ]
    .map(str::to_owned);
    for text in texts {
        for extension in ["ts", "tsx", "js", "py", "go", "rs", "sql", "txt"] {
            reviews(&format!("db/migrations/a.{extension}"), &text);
        }
        redact(&text);
    }
}
