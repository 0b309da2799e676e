//! Lowering of Python, shape by shape.

use super::super::tests::lowered;
use crate::language::Language;

#[track_caller]
fn lowers(code: &str, expected: &str) {
    let made = lowered(Language::Python, code);
    assert_eq!(made.trim_end(), expected.trim_matches('\n'), "{code}\n=>\n{made}");
}

#[test]
fn imports_in_all_their_forms() {
    lowers(
        r####"import os, sys as system
import os.path
import xml.etree.ElementTree as ET
from subprocess import run as r, Popen
from . import db
from .models import User
from ..a.b import c as d
from flask import (request,
  make_response)
from x import *
from __future__ import annotations
"####,
        r####"
import os = os
import system = sys
import os = os
import ET = xml.etree.ElementTree
import r = subprocess.run
import Popen = subprocess.Popen
import db = db
import User = models.User
import d = a.b.c
import request = flask.request
import make_response = flask.make_response
import * = x
"####,
    );
}

#[test]
fn calls_and_texts_with_holes() {
    lowers(
        r####"cur.execute("SELECT * FROM t WHERE id = %s AND n = %d" % (uid, n), x, key=1, *a, **kw)
cur.execute("SELECT %s" % uid)
cur.execute("SELECT %(a)s %(b)d" % {"a": a, 'b': b})
cur.execute(Q % x)
n % 2
cur.execute("SELECT {} {1} {name:d}".format(a, b, name=c))
cur.execute(f"SELECT {a.b!r} {c:>8d} {{x}} {d['k']}")
cur.execute("a" 'b' f"c{d}")
cur.execute("a" + b + "c" + str(d))
x = ["ls"] + args
", ".join(["a", b])
",".join("?" for _ in ids)
"".join(random.choice(c) for _ in range(8))
sep.join(x)
y = "?" * 3 + r'\d' + b"bytes"
BASE_DIR / "x" / name
total / count
Path(p) / name
"""doc
string"""
''
a + 1
-1
"####,
        r####"
cur.execute(<"SELECT * FROM t WHERE id = " uid " AND n = " (int)n>, x, key=1, *=a, **=kw)
cur.execute(<"SELECT " uid>)
cur.execute(<"SELECT " a " " (int)b>)
cur.execute(<Q x>)
(n % 2)
cur.execute(<"SELECT " a " " b " " (int)c>)
cur.execute(<"SELECT " a.b " " (int)c " {{x}} " d["k"]>)
cur.execute(<"a" "b" "c" d>)
cur.execute(<"a" b "c" str(d)>)
x = ["ls", args]
<"a" ", " b>
<((_ := ids) ? ["?"] : []) ",">
<((_ := range(8)) ? [random.choice(c)] : [])>
sep.join(x)
y = <(3 ? "?" : "?") "\\d" "bytes">
BASE_DIR.joinpath("x", name)
(total / count)
Path(p).joinpath(name)
"doc\nstring"
""
(a + 1)
-1
"####,
    );
}

#[test]
fn assignments() {
    lowers(
        r####"a = b = c
a, b = f(x)
(a, [b, *c]) = y
x: int = 5
y: Optional[a.B] = None
z: "Foo"
w: list[str] | None = []
x += "a"
x += 1
x %= y
x |= z
x -= y
self.a = 1
d["k"] = v
if (m := f(x)): pass
del x
"####,
        r####"
a = (b := c)
[a, b] = f(x)
[a, [b, c]] = y
x: int = 5
y: a.B = None
z: Foo
w: list = []
x += "a"
x = (x + 1)
x = <x y>
x += z
x = (x - y)
this.a = 1
d["k"] = v
if (m := f(x))
?(x)
"####,
    );
}

#[test]
fn functions_and_statements() {
    lowers(
        r####"@app.route("/x", methods=["GET"])
@login_required
async def f(self, a, b: str, c=1, d: int = 2, *args, e, **kw) -> a.B:
    """doc"""
    global q
    if a == 1:
        return
    elif b in ALLOWED:
        raise ValueError("x") from e
    else:
        return a, b
    for k, v in d.items():
        continue
    else:
        x()
    while True:
        break
    try:
        g()
    except (A, B) as e:
        h()
    except C:
        pass
    else:
        i()
    finally:
        j()
    with open(p) as f, lock:
        f.read()
    assert isinstance(x, str), "no"
    sys.exit(1)
    yield x
    await y
    return await z

class A(Base, metaclass=M):
    x = 1
    @property
    def m(self, x):
        def inner(y): return y
        return self.x + cls.y
    @staticmethod
    def s(x): return x
"####,
        r####"
declare fn#0
do
  this.x = 1
  declare fn#2
  declare fn#3
fn#0 f(this, a, b: str, c = 1, d: int = 2, args, e, kw) -> a.B @app.route("/x", methods=["GET"]) @login_required
  "doc"
  if (a == 1)
    return 
  else
    if (b in ALLOWED)
      leave ValueError("x")
    else
      return [a, b]
  loop [k, v] in d.items()
    leave 
  x()
  loop while True
    leave 
  do
    g()
    i()
  or
    e
    h()
  or
  j()
  f = open(p)
  lock
  f.read()
  if (isinstance(x, str))
    leave "no"
  leave sys.exit(1)
  ?(x)
  y
  return z
fn#1 inner(y)
  return y
fn#2 A.m(x) @property
  declare fn#1
  return <this.x this.y>
fn#3 A.s(x) @staticmethod
  return x
"####,
    );
}

#[test]
fn an_error_of_any_kind_has_a_name() {
    lowers(
        r####"try:
    f()
except Exception as e:
    g(e)
except ValueError as e:
    h(e)
"####,
        r####"
do
  f()
or
  e = caught_exception
  g(e)
or
  e
  h(e)
"####,
    );
}

#[test]
fn a_match() {
    lowers(
        r####"match cmd:
    case "a":
        f()
    case "b" | "c":
        f()
    case {"x": y, **z}:
        g(y)
    case Point(x=0, y=yy) if yy > 1:
        h()
    case [a, *b]:
        k()
    case _:
        pass
"####,
        r####"
or
  if (cmd == "a")
    f()
or
  if (cmd == ("b" | "c"))
    f()
or
  y = cmd
  z = cmd
  g(y)
or
  yy = cmd
  if (yy > 1)
    h()
or
  a = cmd
  b = cmd
  k()
or
"####,
    );
}

#[test]
fn expressions() {
    lowers(
        r####"a if b else c
a or b or c
a and not b
a not in b
a is None
1 < x < 3
lambda x, y=1: x + y
{"a": 1, 'b': x, **c, d: 2, 3: 4, f"x{y}": 5}
{1, 2}
[x for x in xs if x in ALLOWED]
{k: v for k, v in d.items()}
x[1:2]
x[a, b]
x[0].y(z)(w)
f(x for x in y)
print "hello", x
exec code in ns
exec "x" + y
print(x)
...
a.b
"####,
        r####"
(b ? a : c)
((a | b) | c)
(a && (b))
(a not in b)
(a == None)
(1 < x < 3)
fn#0
{a: 1, b: x, ...: c, d: 2, 3: 4, f"x{y}": 5}
[1, 2]
((x := xs) ? ((x in ALLOWED) ? [x] : []) : [])
(([k, v] := d.items()) ? [k, v] : [])
x[?(1, 2)]
x[[a, b]]
x[0].y(z)(w)
f(((x := y) ? [x] : []))
print("hello", x)
exec(code, ns)
<exec y>
print(x)
...
a.b
fn#0 _(x, y = 1)
  return <x y>
"####,
    );
}

#[test]
fn formats_that_are_hard_to_follow() {
    lowers(
        r####""%s" % f(x) % y
"a".upper()
"x {}".format(*args, **kw)
"x %s %s" % pair
f"{x}"
f""
rf"a{x}\n"
"####,
        r####"
<f(x) y>
"a".upper()
<"x " args kw>
<"x " pair " " pair>
<x>
""
<"a" x "\\n">
"####,
    );
}

#[test]
fn deep_and_long_code_is_lowered_without_trouble() {
    let deep = "f(".repeat(450) + "x" + &")".repeat(450);
    assert_eq!(lowered(Language::Python, &deep).trim_end(), deep);
    let long = "x = a".to_owned() + &" + a".repeat(20_000);
    assert_eq!(lowered(Language::Python, &long).len(), "x = <a>\n".len() + 2 * 20_000);
}

#[test]
fn code_that_ends_anywhere_is_lowered() {
    let code = "@a.b(c)\nclass A(B):\n  def f(self, x: 'int' = 1, *y):\n    with g(x) as h, k: return f'{x!r:>{y}}' % {'a': 1}\n\
                match x:\n  case A(b=[c, *_]) | 'd' if e: x[1:2] = lambda: {**y}\n  case _: from ..z import q as r, *\n";
    for end in 0..code.len() {
        lowered(Language::Python, &code[..end]);
        lowered(Language::Python, &code[end..]);
    }
}
