//! Lowering of Go, shape by shape.

use crate::flow::lower::tests::lowered;
use crate::language::Language;

fn go(text: &str) -> String {
    lowered(Language::Go, text)
}

/// Lowers the statements of a function.
fn body(text: &str) -> String {
    let all = go(&format!("package p\nfunc f() {{\n{text}\n}}\n"));
    all.lines().filter_map(|line| line.strip_prefix("  ")).map(|line| format!("{line}\n")).collect()
}

#[test]
fn imports_are_known_by_the_name_of_their_package() {
    let text = "package p\nimport (\n\"os/exec\"\nh \"net/http\"\n_ \"net/http/pprof\"\n\"github.com/gofiber/fiber/v2\"\n\
                \"gopkg.in/yaml.v3\"\n\"github.com/dgrijalva/jwt-go\"\n\"github.com/mattn/go-sqlite3\"\n)\nimport `fmt`\n";
    assert_eq!(
        go(text),
        "import exec = os/exec\nimport h = net/http\nimport _ = net/http/pprof\nimport fiber = github.com/gofiber/fiber/v2\n\
         import yaml = gopkg.in/yaml.v3\nimport jwt = github.com/dgrijalva/jwt-go\n\
         import sqlite3 = github.com/mattn/go-sqlite3\nimport fmt = fmt\n"
    );
}

#[test]
fn a_receiver_is_this_and_the_fields_of_a_struct_are_its_own() {
    let text = "package p\ntype Store struct {\n\tdb *sql.DB\n\ta, b string\n\t*Base\n}\n\
                func (s *Store) Find(w http.ResponseWriter, r *http.Request, ids ...int) (out []string, err error) {\n\
                s.db.Query(r.URL.Path)\n}\nfunc free(int, string) error { return nil }\n";
    assert_eq!(
        go(text),
        "do\n  this.db: sql.DB\n  this.a: string\n  this.b: string\ndeclare fn#0\ndeclare fn#1\n\
         fn#0 Store.Find(w: http.ResponseWriter, r: http.Request, ids: int) -> string\n  this.db.Query(r.URL.Path)\n\
         fn#1 free(_: int, _: string) -> error\n  return nil\n"
    );
}

#[test]
fn texts_are_put_together_and_numbers_are_added() {
    assert_eq!(body("q := \"a\" + x + `b` + (y + z)"), "q = <\"a\" x \"b\" <y z>>\n");
    assert_eq!(body("n := x + 1 - y"), "n = ((x + 1) - y)\n");
    assert_eq!(body("q += x; n += 1; n *= y; n++"), "q += x\nn = (1)\nn = (y)\nn = (n)\n");
    let long = vec!["a"; 900].join(" + ");
    assert_eq!(body(&format!("q := {long}")).matches('a').count(), 900);
}

#[test]
fn of_several_results_all_but_the_error_are_the_first() {
    assert_eq!(body("rows, err := db.Query(q)"), "rows = db.Query(q)\nerr = ?()\n");
    assert_eq!(body("f, head, err := r.FormFile(`f`)"), "f = r.FormFile(\"f\")\nhead = f\nerr = ?()\n");
    assert_eq!(body("_, err = db.Exec(q)"), "err = ?()\ndb.Exec(q)\n");
    assert_eq!(body("err := dec.Decode(&x)"), "dec.Decode(x)\nerr = ?()\n");
    // The first of several is the result, whatever its name.
    assert_eq!(body("found, err := c.GetQuery(`q`)"), "found = c.GetQuery(\"q\")\nerr = ?()\n");
    assert_eq!(body("exists, ok := c.GetQuery(`q`)"), "exists = c.GetQuery(\"q\")\nok = ?()\n");
    assert_eq!(body("found := r.FormValue(`q`)"), "found = r.FormValue(\"q\")\n");
    assert_eq!(body("a, b = b, a"), "a = b\nb = a\n");
    assert_eq!(body("var a, b string"), "a: string\nb: string\n");
    assert_eq!(body("const q, n = `x`, 2"), "q = \"x\"\nn = 2\n");
    assert_eq!(body("return q, g(), nil"), "g()\nnil\nreturn q\n");
}

#[test]
fn literals_have_their_types_and_keys() {
    assert_eq!(body("c := &tls.Config{InsecureSkipVerify: true}"), "c = tls.Config({InsecureSkipVerify: true})\n");
    assert_eq!(body("m := map[string][]T{\"a\": {{X: 1}}}"), "m = {a: [T({X: 1})]}\n");
    assert_eq!(body("d := bson.D{{\"name\", n}}; l := []string{a, b}"), "d = bson.D([\"name\", n])\nl = [a, b]\n");
}

#[test]
fn conversions_are_casts_and_generic_calls_are_calls() {
    assert_eq!(
        body("a := string(b[1:]); c := []byte(a); d := x.(string)"),
        "a = (string)b[1]\nc = ([]byte)a\nd = (string)x\n"
    );
    assert_eq!(body("a := int64(n); f[int](x); g(xs...); h := v[:]"), "a = (int64)n\nf(x)\ng(xs)\nh = v\n");
}

#[test]
fn branches_know_what_they_tested() {
    assert_eq!(
        body("if v, ok := m[k]; ok && !x { f(v) } else if y { panic(1) } else { g() }"),
        "do\n  v = m[k]\n  ok = ?()\n  if ((k in m) && (x))\n    f(v)\n  else\n    if y\n      leave panic(1)\n    else\n      g()\n"
    );
    assert_eq!(
        body("switch id {\ncase \"a\", \"b\":\nf()\nbreak\ncase c:\ng()\ndefault:\nreturn\n}"),
        "do\n  if ((id == \"a\") || (id == \"b\"))\n    f()\n  else\n    if (id == c)\n      g()\n    else\n      return \n"
    );
    assert_eq!(body("switch t := v.(type) {\ncase string:\nf(t)\n}"), "do\n  t = v\n  if ?()\n    f(t)\n");
    assert_eq!(body("select {\ncase v := <-in:\nf(v)\ncase out <- 1:\n}"), "or\n  v = in\n  f(v)\nor\n  out += 1\n");
}

#[test]
fn loops_go_through_items() {
    assert_eq!(body("for _, v := range all { f(v) }"), "loop v in all\n  f(v)\n");
    assert_eq!(body("for i, v := range all { f(i, v) }"), "loop v in all\n  i = 0\n  f(i, v)\n");
    assert_eq!(body("for i := 0; i < n; i++ { f() }"), "do\n  i = 0\n  loop while (i < n)\n    f()\n    i = (i)\n");
    assert_eq!(body("for { go f(); defer g(); continue }"), "loop\n  f()\n  g()\n  leave \n");
}

#[test]
fn broken_code_is_lowered_as_far_as_it_goes() {
    for text in
        ["package", "func (", "func f( { x := ", "var", "x := T{:}", "if ; {", "switch {case", "for range", "a +"]
    {
        go(text);
        go(&format!("package p\nfunc f() {{ {text} }}\nfunc g() {{ h(1) }}"));
    }
    assert!(go("package p\nfunc f() { x := ; exec.Command(y) }").contains("exec.Command(y)"));
}
