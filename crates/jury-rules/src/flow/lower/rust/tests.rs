//! Lowering of Rust, shape by shape.

use crate::flow::lower::tests::lowered;
use crate::language::Language;

fn rust(text: &str) -> String {
    lowered(Language::Rust, text)
}

/// Lowers the statements of a function.
fn body(text: &str) -> String {
    let all = rust(&format!("fn f() {{\n{text}\n}}\n"));
    all.lines().filter_map(|line| line.strip_prefix("  ")).map(|line| format!("{line}\n")).collect()
}

#[test]
fn imports_in_all_their_forms() {
    assert_eq!(
        rust(
            "use std::process::Command;\nuse std::{fs, io::{self, Read as R}};\nuse rusqlite::*;\nextern crate md5 as m;"
        ),
        "import Command = std.process.Command\nimport fs = std.fs\nimport io = std.io\nimport R = std.io.Read\n\
         import * = rusqlite\nimport m = md5\n"
    );
}

#[test]
fn format_strings_have_holes() {
    assert_eq!(
        body("let q = format!(\"a {id} {} {0} {n:>5} {{x}}\", q.name, n = m.get());"),
        "q = <\"a \" id \" \" q.name \" \" q.name \" \" m.get() \" {\" \"x}\">\n"
    );
    assert_eq!(
        body("write!(out, r#\"<b>{}</b>\"#, x)?; println!(\"{it}\"); let v = vec![1, x];"),
        "write(out, <\"<b>\" x \"</b>\">)\nprintln(<it>)\nv = [1, x]\n"
    );
    assert_eq!(body("a!(b!(c!(\"{}\", d(1))));"), "a(b(c(<d(1)>)))\n");
    assert_eq!(
        body("let t = \"a\".to_string() + &id + \"b\"; let n = id as u32 + 1;"),
        "t = <\"a\".to_string() id \"b\">\nn = ((u32)id + 1)\n"
    );
}

#[test]
fn functions_have_attributes_and_types_without_parameters() {
    assert_eq!(
        rust(
            "#[get(\"/x\")]\n#[tokio::main]\nasync fn find(Path(id): web::Path<String>, q: &Query<P>, n: Path<u32>) -> Result<String, E> { id }"
        ),
        "declare fn#0\nfn#0 find(id: web.Path, q: Query, n: u32) -> Result @get(\"/x\") @tokio.main\n  return id\n"
    );
    assert_eq!(
        rust(
            "struct S { db: Pool }\nimpl S { fn new(&self, k: &str) -> Self { self.db.query(k); Self { db: k, ..d() } } }"
        ),
        "do\n  this.db: Pool\ndo\n  declare fn#0\nfn#0 S.new(k: str) -> S\n  this.db.query(k)\n  return S({db: k, ...: d()})\n"
    );
}

#[test]
fn blocks_run_before_the_value_that_they_are() {
    assert_eq!(body("let x = unsafe { g(); std::mem::transmute::<u32, f32>(y) };"), "g()\nx = std.mem.transmute(y)\n");
    assert_eq!(
        body("let x = if ok(y) { y } else { return };"),
        "if ok(y)\n  if ok(y) { y } else { re = y\nelse\n  return \nx = if ok(y) { y } else { re\n"
    );
    assert_eq!(
        body("if let Some(v) = o { g(v); }\nlet Some(w) = o else { return };"),
        "v = o\nif ?()\n  g(v)\nw = o\nif ?()\n  return \n"
    );
}

#[test]
fn a_match_tests_what_it_is_over() {
    assert_eq!(
        body("match id { \"a\" | \"b\" => g(), o if ok(o) => h(o), _ => panic!(\"x\") };"),
        "o = id\nif ((id == \"a\") || (id == \"b\"))\n  g()\nelse\n  if ok(o)\n    h(o)\n  else\n    panic(\"x\")\n"
    );
    assert_eq!(body("match r { Ok(v) => g(v), Err(_) => return };"), "if ?()\n  v = r\n  g(v)\nelse\n  return \n");
}

#[test]
fn patterns_take_values_apart() {
    assert_eq!(
        body("let (a, mut b) = f()?; let S { db, name: n } = s.await;"),
        "[a, b] = f()\n{db: db, name: n} = s\n"
    );
    assert_eq!(body("for (i, it) in xs.iter() { g(it); }"), "loop [i, it] in xs.iter()\n  g(it)\n");
    assert_eq!(body("while let Some(l) = n() { g(l) }"), "loop while ?()\n  l = n()\n  g(l)\n");
    assert_eq!(
        body("let c = || g(1); s += \"x\"; n += 1; a[0] = *p;"),
        "return g(1)\nc = fn#0\ns += \"x\"\nn = (n += 1)\na[0] = p\n"
    );
}

#[test]
fn broken_code_is_lowered_as_far_as_it_goes() {
    for text in [
        "fn",
        "fn f(",
        "let",
        "match x {",
        "format!(",
        "format!(\"{\", )",
        "println!(\"{}\")",
        "if let",
        "impl",
        "x +",
        "use a::{",
    ] {
        rust(text);
        rust(&format!("fn f() {{ {text} }} fn g() {{ h(1) }}"));
    }
    assert!(rust("fn f() { let x = ; run(y) }").contains("run(y)"));
    let deep = format!("{}1{}", "m!(".repeat(300), ")".repeat(300));
    assert!(body(&deep).starts_with("return m(m("));
}
