//! Lowering of Java, shape by shape.

use super::super::tests::lowered;
use crate::language::Language;

/// Lowers statements inside a method, and shows the body of that method.
fn body(code: &str) -> String {
    let shown = lowered(Language::Java, &format!("class A {{ void m() {{ {code} }} }}"));
    let start = shown.find(" A.m()\n").expect("the method is shown") + " A.m()\n".len();
    let lines = shown[start..].lines().take_while(|line| line.starts_with("  "));
    lines.map(|line| format!("{}\n", &line[2..])).collect()
}

fn check(code: &str, expected: &[&str]) {
    assert_eq!(body(code).lines().collect::<Vec<_>>(), expected, "{code}");
}

#[test]
fn imports_are_names_for_paths() {
    let code = "import java.sql.Statement; import java.util.*; import static java.nio.file.Paths.get;";
    let expected =
        "import Statement = java.sql.Statement\nimport * = java.util\nimport get = java.nio.file.Paths.get\n";
    assert_eq!(lowered(Language::Java, code), expected);
}

#[test]
fn a_class_shows_its_annotations_then_its_fields_then_its_methods() {
    let code = r#"
@RestController
@RequestMapping(value = "/a", method = {GET, POST})
class A extends HttpServlet {
  @Override
  public void doPost(HttpServletRequest request, @RequestParam("id") final String id, String... rest) { this.use(this.conn); }
  A(int x) { super(x); this.x = x; }
  private final java.sql.Statement conn = null;
  static { init(); }
  private class Test { public List<String> keep(byte[] p) { return p; } }
}"#;
    let expected = r#"do
  RestController
  RequestMapping(value="/a", method=[GET, POST])
  this.conn: java.sql.Statement = null
  do
    do
      init()
  declare fn#0
  declare fn#1
  do
    declare fn#2
fn#0 A.doPost(request: HttpServletRequest, @RequestParam("id") id: String, rest: String) @Override
  this.use(this.conn)
fn#1 A.A(x: int)
  super(x)
  this.x = x
fn#2 Test.keep(p) -> List
  return p
"#;
    assert_eq!(lowered(Language::Java, code), expected);
}

#[test]
fn enums_records_and_interfaces_are_classes() {
    let code = r#"
enum E { ONE("a") { void f() { g(); } }, TWO; private String s; E(String s) { this.s = s; } }
record P(@NotNull String a, int b) { P { check(a); } }
interface I { String K = "v"; @Query("select") List<U> find(@Param("x") String x); }"#;
    let expected = r#"do
  ONE = E("a", {f: fn#0})
  TWO = E()
  this.s: String
  declare fn#1
do
  this.a: String
  this.b: int
  declare fn#2
do
  this.K: String = "v"
  declare fn#3
fn#0 E.f()
  g()
fn#1 E.E(s: String)
  this.s = s
fn#2 P.P()
  check(a)
fn#3 I.find(@Param("x") x: String) -> List @Query("select")
"#;
    assert_eq!(lowered(Language::Java, code), expected);
}

#[test]
fn declarations_and_assignments() {
    check("String a = req.getParameter(\"x\"), b;", &["a: String = req.getParameter(\"x\")", "b: String"]);
    check(
        "java.util.List<String> v = new java.util.ArrayList<>(10);",
        &["v: java.util.List = java.util.ArrayList(10)"],
    );
    check("var a = b; final byte[] k = {1, 2}; byte[] iv = new byte[16];", &["a = b", "k = [1, 2]", "iv = []"]);
    check("a[0] = b; A.C = d; a = b = c;", &["a[0] = b", "A.C = d", "a = (b := c)"]);
    check("x += i; x -= 1; f(x += i);", &["x += i", "x = (x -= 1)", "f((x := <x i>))"]);
}

#[test]
fn text_is_put_together_of_its_parts() {
    check(r#"s = "a " + b + 'c' + 1;"#, &[r#"s = <"a " b "c" 1>"#]);
    check("n = a + 1 + b; m = a + b;", &["n = (a + 1 + b)", "m = <a b>"]);
    check("n = a * b + \"x\" + (c + d);", &["n = <(a * b) \"x\" <c d>>"]);
    check("s = \"\"\"\n  x \"y\"\n  \"\"\".formatted(a);", &[r#"s = "\n  x \"y\"\n  ".formatted(a)"#]);
    check(r#"s = STR."a \{b} c"; t = "";"#, &[r#"s = <"a " b " c">"#, r#"t = """#]);
    let sum = format!("s = \"\"{};", " + a".repeat(500));
    assert!(body(&sum).starts_with("s = <\"\" a a"));
}

#[test]
fn calls_and_what_they_are_called_on() {
    check(
        "this.conn.execute(this.query(a), (String) v.get(0));",
        &["this.conn.execute(this.query(a), (String)v.get(0))"],
    );
    check("super.doPost(a); Foo.<String>bar(1); f();", &["super.doPost(a)", "Foo.bar(1)", "f()"]);
    check("l.map(String::trim).map(Foo::new); c = String.class;", &["l.map(String.trim).map(Foo)", "c = String.class"]);
    check("a = (List<String>) b[i]; c = x > 3 ? \"a\" : -b;", &["a = (List)b[i]", "c = ((x > 3) ? \"a\" : (b))"]);
}

#[test]
fn closures_and_anonymous_classes_are_functions() {
    let shown = lowered(
        Language::Java,
        "class A { Object a = (x, y) -> f(x); B b = x -> { g(); }; T t = new T(1) { public void check(X c) { h(); } int n = 1; }; }",
    );
    let expected = "do
  this.a: Object = fn#0
  this.b: B = fn#1
  this.t: T = T(1, {check: fn#2, ...: fn#3})
fn#0 A._(x, y)
  return f(x)
fn#1 A._(x)
  g()
fn#2 T.check(c: X)
  h()
fn#3 T._()
  this.n: int = 1
";
    assert_eq!(shown, expected);
}

#[test]
fn conditions_and_loops() {
    check(
        "if (o instanceof String s && s.isEmpty()) return; else if (!x) throw e; else { a = b; }",
        &[
            "if (((s := (String)o)) && s.isEmpty())",
            "  return ",
            "else",
            "  if (x)",
            "    leave e",
            "  else",
            "    a = b",
        ],
    );
    check(
        "for (int i = 0, j = 1; i < 3; i++) f(i);",
        &["i: int = 0", "j: int = 1", "loop while (i < 3)", "  f(i)", "  (i)"],
    );
    check("for (Cookie c : all) { use(c); break; }", &["loop c in all", "  c: Cookie = c", "  use(c)", "  leave "]);
    check("while ((l = r.readLine()) != null) f(l);", &["loop while ((l := r.readLine()) != null)", "  f(l)"]);
    check("a: do { continue a; } while (b);", &["loop while b", "  leave "]);
}

#[test]
fn a_switch_is_a_chain_of_tests() {
    check(
        "switch (g) { case 'A': a = p; break; default: a = q; break; case 'B': case 'C': a = r; break; }",
        &[
            "if (g == \"A\")",
            "  a = p",
            "else",
            "  if ((g == \"B\") || (g == \"C\"))",
            "    a = r",
            "  else",
            "    a = q",
        ],
    );
    check(
        "a = switch (k) { case 1, 2 -> b; case 3 -> { f(); yield c; } default -> throw e; };",
        &["a = (((k == 1) || (k == 2)) ? b : fn#0())"],
    );
    let many: String = (0..40).map(|n| format!("case {n}: f({n}); break;")).collect();
    assert!(body(&format!("switch (g) {{ {many} }}")).starts_with("g\nor\n  f(0)\nor\n  f(1)\n"));
}

#[test]
fn a_try_runs_its_body_one_handler_and_the_end() {
    check(
        "try (S s = c.open(); t) { s.run(); } catch (A | B e) { throw new X(e); } finally { done(); }",
        &["do", "  s: S = c.open()", "  t", "  s.run()", "or", "  e: B", "  leave X(e)", "do", "  done()"],
    );
    check("synchronized (this) { f(); } assert x : \"m\";", &["do", "  f()", "?(x, \"m\")"]);
}

#[test]
fn what_cannot_be_parsed_still_shows_its_calls() {
    assert!(body("foo(bar(1); ) = ; baz(2);").contains("baz(2)"));
    for code in ["class", "class A {", "import ;", "class A { void m( { if ( } }", "switch (", "\"", "a +", "new X() {"]
    {
        lowered(Language::Java, code);
    }
}

#[test]
fn a_field_that_a_framework_fills_holds_what_its_annotation_says() {
    let shown = lowered(Language::Java, "class A { @QueryParam(\"q\") String q; @Inject Store store; }");
    let expected = "do\n  QueryParam(\"q\")\n  this.q: String = QueryParam(\"q\")\n  Inject\n  this.store: Store\n";
    assert_eq!(shown, expected);
}
