//! Four times the code takes at most about four times the work: every specialist over long repetitive files of every
//! language.

use std::time::Duration;

use jury_rules::{NoTree, Parsed, SPECIALISTS, SourceFile, Specialist};
use jury_testkit::clock::cpu_time_of_process;

/// The number of repetitions in the shorter file; the longer one has four times as many.
const FEW: usize = 300;
/// The most that four times the code may cost. Linear work costs 4, work that grows with the square 16.
const MOST: f64 = 7.0;
/// CPU time below which a measurement says nothing.
const NOISE: Duration = Duration::from_millis(60);

/// Repeated code: the text before, the repeated line with `@` for a number, and the text after.
type Repeated = (&'static str, &'static str, &'static str);

const SCRIPT: &[Repeated] = &[
    ("", "f@(a, @);", ""),
    ("", "it(\"title @\", () => { expect(f(@)).toBe(@); });", ""),
    ("", "it(\"title\", () => { expect(f(@)).toBe(@); });", ""),
    ("describe(\"a\", () => {", "test(\"title @\", async () => { await f@(); });", "});"),
    ("", "function f@(a) { return f(a + @); }", ""),
    ("", "function f@(a) { return f@@(a); }", ""),
    ("", "async function f@() { await g(); }\nf@();", ""),
    ("", "class C@ { m(a) { return this.x@ + a; } }", ""),
    ("class C {", "  m@(a) { this.x@ = a; return this.m(a); }", "}"),
    ("", "const x@ = g(@);", ""),
    ("", "x = x + g(@);", ""),
    ("", "const s@ = \"select @ from t\";", ""),
    ("const o = {", "  k@: @,", "};"),
    ("const o = [", "  [\"k@\", \"@\"],", "];"),
    ("switch (a) {", "  case @: b(@); break;", "}"),
    ("", "if (a === @) { b(@); }", ""),
    ("function f(a) {", "  if (a === @) { return b(@); }", "}"),
    ("function f(a) {", "  a.x@ = b(a.y@);", "}"),
    ("", "import { a@ } from \"./m@\";", ""),
    ("", "{ let a = @; { let b = a; } }", ""),
    ("", "app.get(\"/@\", (req, res) => { db.query(\"SELECT * FROM t WHERE id = \" + req.query.id@); });", ""),
    ("app.get('/', (req, res) => { let q = '';", "  q += req.query.a@;", "  db.query(q); });"),
    ("function run(a) { eval(a); }", "app.get('/@', (req, res) => run(req.query.a@));", ""),
    ("", "try { a@(); } catch (e) { console.log(e); }", ""),
    ("", "// a comment about @", ""),
];

const PYTHON: &[Repeated] = &[
    ("", "f@(a, @)", ""),
    ("", "def f@(a):\n    return f(a + @)", ""),
    ("", "def f(a):\n    return @", ""),
    ("", "def test_@():\n    assert f(@) == @", ""),
    ("class C:", "    def m@(self, a):\n        self.x@ = a\n        return self.m(a)", ""),
    ("", "class C@(B):\n    def m(self):\n        return self.x", ""),
    ("", "x@ = g(@)", ""),
    ("", "x = x + g(@)", ""),
    ("", "s@ = \"select @ from t\"", ""),
    ("o = {", "    \"k@\": @,", "}"),
    ("", "if a == @:\n    b(@)", ""),
    ("def f(a):", "    if a == @:\n        return b(@)", ""),
    ("", "import m@", ""),
    ("", "from m@ import a@", ""),
    ("def f():\n    q = ''", "    q += request.args['a@']", "    cursor.execute(q)"),
    ("", "@app.route('/@')\ndef v@():\n    return eval(request.args['a'])", ""),
    ("", "try:\n    a@()\nexcept Exception as e:\n    print(e)", ""),
];

const GO: &[Repeated] = &[
    ("package a", "func f@(a int) int { return f(a + @) }", ""),
    ("package a\nfunc f(a int) {", "  g@(a, @)", "}"),
    ("package a\nfunc f(a int) {", "  x@ := g(@)", "}"),
    ("package a\nfunc f(a int) {", "  if a == @ { g(@) }", "}"),
    ("package a\nfunc f(a int) {", "  err = g(@)\n  if err != nil { return err }", "}"),
    ("package a\nfunc f(a int) {\nswitch a {", "  case @: g(@)", "}\n}"),
    ("package a\nvar o = map[string]int{", "  \"k@\": @,", "}"),
    ("package a", "type T@ struct { a int }\nfunc (t *T@) m() int { return t.a }", ""),
    ("package a\nimport (", "  \"m@/a\"", ")"),
    (
        "package a",
        "func h@(w http.ResponseWriter, r *http.Request) { db.Query(\"SELECT \" + r.FormValue(\"a@\")) }",
        "",
    ),
];

const RUST: &[Repeated] = &[
    ("", "fn f@(a: i32) -> i32 { f(a + @) }", ""),
    ("fn f(a: i32) {", "    g@(a, @);", "}"),
    ("fn f(a: i32) {", "    let x@ = g(@);", "}"),
    ("fn f(a: i32) {", "    if a == @ { g(@); }", "}"),
    ("fn f(a: i32) { match a {", "    @ => g(@),", "_ => {} } }"),
    ("", "struct S@ { a: i32 }\nimpl S@ { fn m(&self) -> i32 { self.a } }", ""),
    ("", "use m@::a@;", ""),
    ("", "#[test]\nfn t@() { assert_eq!(f(@), @); }", ""),
];

const JAVA: &[Repeated] = &[
    ("class A {", "  int f@(int a) { return f(a + @); }", "}"),
    ("class A { void f(int a) {", "  g@(a, @);", "} }"),
    ("class A { void f(int a) {", "  int x@ = g(@);", "} }"),
    ("class A { void f(int a) {", "  if (a == @) { g(@); }", "} }"),
    ("class A { void f(int a) { switch (a) {", "  case @: g(@); break;", "} } }"),
    ("class A {", "  private String x@ = \"k@\";", "}"),
    ("", "class C@ { int a; int m() { return a; } }", ""),
    ("", "import m.a@;", ""),
    ("class A {", "  @Test void t@() { assertEquals(f(@), @); }", "}"),
    ("class A {", "  void h@(HttpServletRequest r) { db.executeQuery(\"SELECT \" + r.getParameter(\"a@\")); }", "}"),
];

const CSHARP: &[Repeated] = &[
    ("class A {", "  int F@(int a) { return F(a + @); }", "}"),
    ("class A { void F(int a) {", "  G@(a, @);", "} }"),
    ("class A { void F(int a) {", "  var x@ = G(@);", "} }"),
    ("class A { void F(int a) {", "  if (a == @) { G(@); }", "} }"),
    ("class A { void F(int a) { switch (a) {", "  case @: G(@); break;", "} } }"),
    ("class A {", "  private string x@ = \"k@\";", "}"),
    ("", "class C@ { int a; int M() { return a; } }", ""),
    ("", "using M.A@;", ""),
];

const PHP: &[Repeated] = &[
    ("<?php", "function f@($a) { return f($a + @); }", ""),
    ("<?php", "g@($a, @);", ""),
    ("<?php", "$x@ = g(@);", ""),
    ("<?php", "if ($a == @) { g(@); }", ""),
    ("<?php\nswitch ($a) {", "  case @: g(@); break;", "}"),
    ("<?php\n$o = [", "  'k@' => @,", "];"),
    ("<?php\nclass A {", "  function m@($a) { $this->x@ = $a; return $this->m($a); }", "}"),
    ("<?php", "use M\\A@;", ""),
    ("<?php", "mysqli_query($db, \"SELECT \" . $_GET['a@']);", ""),
];

const RUBY: &[Repeated] = &[
    ("", "def f@(a)\n  f(a + @)\nend", ""),
    ("", "g@(a, @)", ""),
    ("", "x@ = g(@)", ""),
    ("", "if a == @\n  g(@)\nend", ""),
    ("case a", "when @ then g(@)", "end"),
    ("o = {", "  k@: @,", "}"),
    ("class A", "  def m@(a)\n    @x@ = a\n    m(a)\n  end", "end"),
    ("", "require 'm@'", ""),
    ("", "it 'title @' do\n  expect(f(@)).to eq(@)\nend", ""),
    ("", "User.where(\"a = #{params[:a@]}\")", ""),
];

const SHELL: &[Repeated] = &[
    ("#!/bin/bash", "f@() { g \"$1\" @; }", ""),
    ("#!/bin/bash", "g@ \"$a\" @", ""),
    ("#!/bin/bash", "x@=$(g @)", ""),
    ("#!/bin/bash", "if [ \"$a\" = @ ]; then g @; fi", ""),
    ("#!/bin/bash\ncase $a in", "  @) g @ ;;", "esac"),
    ("#!/bin/bash", "echo $x@ | grep @", ""),
];

const SQL: &[Repeated] = &[
    ("", "INSERT INTO t (a, b) VALUES (@, 'text @');", ""),
    ("", "CREATE TABLE t@ (a int, b text);", ""),
    ("", "ALTER TABLE t@ DROP COLUMN a@;", ""),
    ("", "UPDATE t SET a = @ WHERE b = @;", ""),
];

const YAML: &[Repeated] = &[
    ("", "k@: v@", ""),
    (
        "on: push\njobs:",
        "  j@:\n    runs-on: ubuntu-latest\n    steps:\n      - run: echo ${{ github.event.issue.title }}",
        "",
    ),
    ("list:", "  - name: n@\n    value: \"@\"", ""),
];

const DOCKERFILE: &[Repeated] =
    &[("FROM a:1", "RUN g @", ""), ("", "FROM a@:1 AS s@", ""), ("FROM a:1", "ENV K@=@", "")];

const TEXT: &[Repeated] =
    &[("", "key@ = \"value @\"", ""), ("", "password = \"a@b@c@\"", ""), ("", "see https://a.b/c@?d=@", "")];

const LANGUAGES: &[(&str, &[Repeated])] = &[
    ("src/a.js", SCRIPT),
    ("src/a.test.js", SCRIPT),
    ("src/a.ts", SCRIPT),
    ("src/a.tsx", SCRIPT),
    ("src/a.py", PYTHON),
    ("tests/test_a.py", PYTHON),
    ("src/a.go", GO),
    ("src/a.rs", RUST),
    ("src/A.java", JAVA),
    ("src/A.cs", CSHARP),
    ("src/a.php", PHP),
    ("src/a.rb", RUBY),
    ("src/a.sh", SHELL),
    ("db/migrations/1_a.sql", SQL),
    (".github/workflows/a.yml", YAML),
    ("Dockerfile", DOCKERFILE),
    ("a.txt", TEXT),
];

/// Writes repeated code. `@@` is the next number, and `@` the number.
fn written((before, line, after): &Repeated, count: usize) -> String {
    let mut text = format!("{before}\n");
    for number in 0..count {
        let next = line.replace("@@", &(number + 1).to_string());
        // Decorators and instance variables are written with the same sign, before a letter.
        let mut rest = next.as_str();
        while let Some((start, behind)) = rest.split_once('@') {
            text.push_str(start);
            let is_sign = behind.starts_with(|c: char| c.is_ascii_alphabetic()) && !start.ends_with(is_wordy);
            text.push_str(&if is_sign { "@".to_owned() } else { number.to_string() });
            rest = behind;
        }
        text.push_str(rest);
        text.push('\n');
    }
    text + after + "\n"
}

fn is_wordy(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Returns the CPU time that the specialists take for a text.
fn cost(path: &str, text: &str) -> Duration {
    let file = [SourceFile { path, text, touched: &[] }];
    let parsed = Parsed::default();
    let review = |specialist: &'static Specialist| _ = specialist.review_in(&parsed, &file, &NoTree);
    cpu_time_of_process(|| SPECIALISTS.iter().for_each(review)).1
}

/// Returns a complaint if four times the code takes far more than four times the work, over and over.
fn overgrown(path: &str, repeated: &Repeated) -> Option<String> {
    let [few, many] = [FEW, 4 * FEW].map(|count| written(repeated, count));
    let mut least = f64::INFINITY;
    for _ in 0..3 {
        let [short, long] = [&few, &many].map(|text| cost(path, text));
        if long < NOISE {
            return None;
        }
        least = least.min(long.as_secs_f64() / short.max(NOISE / 4).as_secs_f64());
        if least <= MOST {
            return None;
        }
    }
    Some(format!("{least:.1} times the work for {path}: {}", repeated.1))
}

#[test]
fn work_grows_with_the_size_of_the_code_and_not_with_its_square() {
    let mut wrong = Vec::new();
    for (path, all) in LANGUAGES {
        wrong.extend(all.iter().filter_map(|repeated| overgrown(path, repeated)));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
