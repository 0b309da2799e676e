//! Lowering of PHP, shape by shape.

use crate::flow::lower::tests::lowered;
use crate::language::Language;

fn php(text: &str) -> String {
    lowered(Language::Php, &format!("<?php\n{text}\n"))
}

#[test]
fn imports_lose_their_backslashes() {
    assert_eq!(
        php("use Illuminate\\Support\\Facades\\DB;\nuse App\\{Foo, Bar as Baz};\nuse function App\\helper;"),
        "import DB = Illuminate.Support.Facades.DB\nimport Foo = App.Foo\nimport Baz = App.Bar\nimport helper = App.helper\n"
    );
}

#[test]
fn texts_have_holes() {
    assert_eq!(
        php("$q = \"a $id {$row['k']} ${x} $o->n $a[0] $a[k]\\n\" . 'it' . $b;"),
        "q = <<\"a \" id \" \" row[\"k\"] \" \" x \" \" o.n \" \" a[0] \" \" a[\"k\"] \"\\\\n\"> \"it\" b>\n"
    );
    assert_eq!(php("$h = <<<EOT\n  Hi {$o->x()}\n  EOT;"), "h = <\"  Hi \" o.x()>\n");
    assert_eq!(php("$n = <<<'EOT'\nraw $x\nEOT;"), "n = \"raw $x\"\n");
    assert_eq!(php("$q .= $x; $q = \"\"; $n += 2;"), "q += x\nq = \"\"\nn = (n += 2)\n");
    assert_eq!(php(&format!("$q = {};", vec!["$a"; 900].join(" . "))).matches('a').count(), 900);
}

#[test]
fn what_the_language_does_itself_is_a_call() {
    assert_eq!(
        php("echo $a, 'b'; print $x; $o = `ls $d`; include 'a' . $x; exit(1);"),
        "echo(a, \"b\")\nprint(x)\no = shell_exec(<\"ls \" d>)\ninclude(<\"a\" x>)\nleave exit(1)\n"
    );
    assert_eq!(
        php("$f($x); $o->$m(); new $c($a); SYSTEM($x); die('x');"),
        "call_user_func(f, x)\no[m]()\nnew(c, a)\nsystem(x)\nleave die(\"x\")\n"
    );
}

#[test]
fn members_calls_and_casts() {
    assert_eq!(php("$f = fn($x) => $x; $f(1); $n = filter_var($x, FILTER_VALIDATE_INT);").lines().nth(1), Some("f(1)"));
    assert_eq!(php("$n = filter_var($x, FILTER_VALIDATE_INT);"), "n = (int)filter_var(x, FILTER_VALIDATE_INT)\n");
    assert_eq!(php("printf('%d', $x);"), "printf(sprintf(\"%d\", x))\n");
    assert_eq!(
        php("$o?->foo(1, name: $x, ...$rest); Foo::bar(); Foo::$s; Foo::C; (new \\A\\B($x))->run();"),
        "o.foo(1, name=x, rest)\nFoo.bar()\nFoo.s\nFoo.C\nA.B(x).run()\n"
    );
    assert_eq!(php("f(isset($t[$k]), isset($t['k']));"), "f((k in t), isset(t[\"k\"]))\n");
    assert_eq!(php("$n = (int) $_GET['id']; @f(!$x);"), "n = (int)_GET[\"id\"]\nf((x))\n");
    assert_eq!(php("$a = ['a' => 1, $k => $v, 'c']; $b = array($x);"), "a = {a: 1, ...: v, ...: \"c\"}\nb = [x]\n");
}

#[test]
fn assignments_take_values_apart() {
    assert_eq!(php("[$a, , $b] = $r; list('k' => $c) = $r;"), "[a, _, b] = r\n{k: c} = r\n");
    assert_eq!(php("$a = $b = $x ?? 'd'; $y ??= TRUE;"), "a = (b := (x | \"d\"))\ny = (y | true)\n");
    assert_eq!(php("$all[] = $x; define('C', 'v'); const D = 1;"), "all += x\nC = \"v\"\nD = 1\n");
}

#[test]
fn classes_have_fields_methods_and_attributes() {
    let text = "class U extends M {\n const Q = 'q';\n private ?PDO $db = null;\n #[Route('/x', name: 'y')]\n\
                function f(private PDO $p, #[Q] string &$x = 'd', int|null ...$r): ?A { return self::Q . U::$s; }\n}";
    assert_eq!(
        php(text),
        "do\n  this.Q = \"q\"\n  this.db: PDO = null\n  declare fn#0\n\
         fn#0 U.f(p: PDO, @Q x: string = \"d\", r: int) -> A @Route(\"/x\", name=\"y\")\n  this.p: PDO = p\n  return <this.Q this.s>\n"
    );
    assert_eq!(
        php("$f = fn(int $x) => $x; $g = function ($y) use ($z) { return $y; };"),
        "f = fn#0\ng = fn#1\nfn#0 _(x: int)\n  return x\nfn#1 _(y)\n  return y\n"
    );
}

#[test]
fn branches_know_what_they_tested() {
    assert_eq!(
        php("if ($a) { x(); } elseif ($b) y(); else z(); if ($a): x(); endif;"),
        "if a\n  x()\nelse\n  if b\n    y()\n  else\n    z()\nif a\n  x()\n"
    );
    assert_eq!(
        php("switch ($x) { case 'a': case 'b': f(); break; default: g(); }"),
        "if ((x == \"a\") || (x == \"b\"))\n  f()\nelse\n  g()\n"
    );
    assert_eq!(
        php("$m = match($x) { 1 => 'a', default => $b }; $z = $a ? $b : $c; $z = $a ?: $c;"),
        "m = (((x == 1)) ? \"a\" : b)\nz = (a ? b : c)\nz = (a | c)\n"
    );
    assert_eq!(
        php("try { a(); } catch (A | B $e) { b(); } finally { c(); } throw new X('y');"),
        "do\n  a()\nor\nor\n  e: A\n  b()\nc()\nleave X(\"y\")\n"
    );
}

#[test]
fn loops_go_through_items() {
    assert_eq!(php("foreach ($all as $k => $v) { f($v); }"), "loop v in all\n  k = v\n  f(v)\n");
    assert_eq!(php("foreach ($all as &$v): f($v); endforeach;"), "loop v in all\n  f(v)\n");
    assert_eq!(php("while ($r = n()) { f($r); }"), "loop while (r := n())\n  f(r)\n");
}

#[test]
fn broken_code_is_lowered_as_far_as_it_goes() {
    for text in [
        "class",
        "class A {",
        "function f(",
        "$x =",
        "foreach (",
        "switch ($x) { case",
        "match(",
        "\"a $",
        "<<<EOT\n",
        "new",
        "[=>]",
    ] {
        php(text);
        php(&format!("function f() {{ {text} }} g(1);"));
    }
    assert!(php("$x = ; system($y);").contains("system(y)"));
}
