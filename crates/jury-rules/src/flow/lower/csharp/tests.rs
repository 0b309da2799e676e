//! Lowering of C#, shape by shape.

use super::super::tests::lowered;
use crate::language::Language;

/// Lowers statements inside a method, and shows the body of that method.
fn body(code: &str) -> String {
    let shown = lowered(Language::CSharp, &format!("class A {{ void M() {{ {code} }} }}"));
    let start = shown.find(" A.M()").expect("the method is shown");
    let lines = shown[start..].lines().skip(1).take_while(|line| line.starts_with("  "));
    lines.map(|line| format!("{}\n", &line[2..])).collect()
}

fn check(code: &str, expected: &[&str]) {
    assert_eq!(body(code).lines().collect::<Vec<_>>(), expected, "{code}");
}

#[test]
fn imports_resolve_only_aliases() {
    let code = "using System; using static System.IO.Path; using SC = System.Data.SqlCommand;";
    let expected = "import * = System\nimport * = System.IO.Path\nimport SC = System.Data.SqlCommand\n";
    assert_eq!(lowered(Language::CSharp, code), expected);
}

#[test]
fn a_class_shows_its_attributes_then_its_fields_then_its_methods() {
    let code = r#"
namespace N {
  [ApiController]
  [Route("api", Name = "x")]
  public class C : Controller {
    public C(Db db) : base(db) { _db = db; this.Name = "q"; }
    [HttpGet("{id}")]
    public async Task<IActionResult> Get([FromQuery] string id, int n = 3, params string[] rest) => this.Use(_db, this);
    private readonly Db _db;
    public string Name { get; set; } = "n";
    public string Up => Name.ToUpper();
    public int N { get { return n; } }
    enum E { A = 1, B }
    record R(string A, int? B);
  }
}"#;
    let expected = r#"do
  ApiController
  Route("api", Name="x")
  this._db: Db
  this.Name: string = "n"
  this.Up: string
  declare fn#0
  this.N: int
  declare fn#1
  declare fn#2
  declare fn#3
  do
    A = 1
    B
  do
    this.A: string
    this.B: int
fn#0 C.Up()
  return Name.ToUpper()
fn#1 C.N()
  return n
fn#2 C.C(db: Db)
  base(db)
  _db = db
  this.Name = "q"
fn#3 C.Get(@FromQuery id: string, n: int = 3, rest) -> IActionResult @HttpGet("{id}")
  return this.Use(_db, this)
"#;
    assert_eq!(lowered(Language::CSharp, code), expected);
}

#[test]
fn statements_may_stand_outside_classes() {
    let code =
        "namespace N;\nvar a = F(args[0]);\nstring G(string x) => x + \"y\";\n#if DEBUG\nH();\n#else\nI();\n#endif\n";
    let expected = "a = F(args[0])\ndeclare fn#0\nH()\nI()\nfn#0 G(x: string) -> string\n  return <x \"y\">\n";
    assert_eq!(lowered(Language::CSharp, code), expected);
}

#[test]
fn declarations_and_assignments() {
    check("string a = F(), b; System.Data.X? c = null;", &["a: string = F()", "b: string", "c: System.Data.X = null"]);
    check("var (m, k) = F(); (a, b) = (b, a);", &["[m, k] = F()", "[a, b] = [b, a]"]);
    check(
        "x ??= y; x += y; x -= 1; d[\"a\"] = b = c;",
        &["x = (x | y)", "x += y", "x = (x -= 1)", "d[\"a\"] = (b := c)"],
    );
    check("SqlCommand c = new(\"x\") { A = 1 };", &["c: SqlCommand = SqlCommand(\"x\", {A: 1})"]);
}

#[test]
fn text_is_put_together_of_its_parts() {
    check(r#"s = "a " + b + 'c' + 1;"#, &[r#"s = <"a " b "c" 1>"#]);
    check("n = a + 1 + b; m = a + b;", &["n = (a + 1 + b)", "m = <a b>"]);
    check(r#"s = $"a {b} c {d.E:X,3}"; t = $@"c:\{b}";"#, &[r#"s = <"a " b " c " d.E>"#, r#"t = <"c:\\" b>"#]);
    check(r#"s = @"a ""b"""; t = ""; u = @"";"#, &[r#"s = "a \"\"b\"\"""#, r#"t = """#, r#"u = """#]);
    check(
        r##"s = """a "b" c"""; t = $"""x {b} y"""; u = "x"u8;"##,
        &[r#"s = "a \"b\" c""#, r#"t = <"x " b " y">"#, r#"u = "x""#],
    );
    let sum = format!("s = \"\"{};", " + a".repeat(500));
    assert!(body(&sum).starts_with("s = <\"\" a a"));
}

#[test]
fn calls_and_what_they_are_called_on() {
    check(
        "F(name: a, other: this); this.x.Get<T>(1); string.Join(a);",
        &["F(name=a, other=this)", "this.x.Get(1)", "string.Join(a)"],
    );
    check(
        "z = a?.B.C(1)?.D[2] ?? \"x\"; a?.F(); w = a![\"k\"];",
        &["z = (a.B.C(1).D[2] | \"x\")", "a.F()", "w = a[\"k\"]"],
    );
    check(
        "q.TryGet(\"a\", out var v); int.TryParse(s, out int n);",
        &["q.TryGet(\"a\", (v := q.TryGet(\"a\")))", "int.TryParse(s, (n := (int)int.TryParse(s)))"],
    );
    check(
        "a = (string)o; b = o as List<int>; c = x > 3 ? \"a\" : b;",
        &["a = (string)o", "b = (List)o", "c = ((x > 3) ? \"a\" : b)"],
    );
}

#[test]
fn what_is_built_in_braces_is_a_record_or_a_list() {
    check("a = new P(\"cmd\") { Arguments = x };", &["a = P(\"cmd\", {Arguments: x})"]);
    check("a = new D<string> { [\"a\"] = x, [k] = y };", &["a = D({a: x, ...: y})"]);
    check("a = new D { { \"a\", x } }; b = new L<string> { x, y };", &["a = D({a: x})", "b = L([x, y])"]);
    check(
        "a = new string[] { x }; b = new[] { 1 }; c = new byte[16]; d = [x, ..y];",
        &["a = [x]", "b = [1]", "c = []", "d = [x, y]"],
    );
    check(
        "a = new { A = 1, x, o.Name }; b = p with { X = y };",
        &["a = {A: 1, x: x, Name: o.Name}", "b = {...: p, X: y}"],
    );
}

#[test]
fn closures_are_functions() {
    let shown = lowered(
        Language::CSharp,
        "class A { X a = s => s.T(); X b = (p, q) => { G(); }; X c = delegate (object o) { return true; }; }",
    );
    let expected = "do
  this.a: X = fn#0
  this.b: X = fn#1
  this.c: X = fn#2
fn#0 A._(s)
  return s.T()
fn#1 A._(p, q)
  G()
fn#2 A._(o: object)
  return true
";
    assert_eq!(shown, expected);
}

#[test]
fn conditions_and_loops() {
    check(
        "if (o is string s && s.Ok) return; else if (!x) throw e; else { a = b; }",
        &["if (((s := (string)o)) && s.Ok)", "  return ", "else", "  if (x)", "    leave e", "  else", "    a = b"],
    );
    check("for (int i = 0; i < 3; i++) F(i);", &["i: int = 0", "loop while (i < 3)", "  F(i)", "  (i)"]);
    check("foreach (var c in all) { Use(c); break; }", &["loop c in all", "  Use(c)", "  leave "]);
    check("foreach (Pair<A, B> c in all) yield return c;", &["loop c in all", "  c: Pair = c", "  c"]);
    check("while (a) { continue; } do { F(); } while (b);", &["loop while a", "  leave ", "loop while b", "  F()"]);
}

#[test]
fn a_switch_is_a_chain_of_tests() {
    check(
        "switch (g) { case \"A\": case \"B\": a = p; break; default: a = q; break; }",
        &["if ((g == \"A\") || (g == \"B\"))", "  a = p", "else", "  a = q"],
    );
    check("a = g switch { \"A\" => p, \"B\" => q, _ => r };", &["a = ((g == \"A\") ? p : ((g == \"B\") ? q : r))"]);
}

#[test]
fn blocks_that_clean_up() {
    check("using (var c = new S(x)) { c.Run(); } using var d = F();", &["do", "  c = S(x)", "  c.Run()", "d = F()"]);
    check(
        "try { F(); } catch (E e) when (e.X) { Log(e); } catch { } finally { G(); } lock (x) { H(); }",
        &["do", "  F()", "or", "  e: E", "  e.X", "  Log(e)", "or", "do", "  G()", "x", "do", "  H()"],
    );
}

#[test]
fn what_cannot_be_parsed_still_shows_its_calls() {
    assert!(body("Foo(Bar(1); ) = ; Baz(2);").contains("Baz(2)"));
    for code in
        ["class", "class A {", "using ;", "class A { void M( { if ( } }", "switch (", "\"", "$\"{", "a +", "new X {"]
    {
        lowered(Language::CSharp, code);
    }
}

#[test]
fn a_property_that_a_framework_fills_holds_what_its_attribute_says() {
    let shown = lowered(Language::CSharp, "class A { [BindProperty] public string X { get; set; } = \"\"; }");
    assert_eq!(shown, "do\n  BindProperty\n  this.X: string = BindProperty\n");
    let shown = lowered(Language::CSharp, "class A { [Required] public string X { get; set; } = \"a\"; }");
    assert_eq!(shown, "do\n  Required\n  this.X: string = \"a\"\n");
}
