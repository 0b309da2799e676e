//! Lowering of Ruby, shape by shape.

use super::super::tests::lowered;
use crate::language::Language;

#[track_caller]
fn lowers(code: &str, expected: &str) {
    let made = lowered(Language::Ruby, code);
    assert_eq!(made.trim_end(), expected.trim_matches('\n'), "{code}\n=>\n{made}");
}

#[test]
fn calls_texts_and_expressions() {
    lowers(
        r####"require 'open-uri'
require "net/http"
User.where("name = '#{params[:name]}'").first
User.where("name = ?", params[:name])
User.find_by(name: params["name"], :age => 3, "k" => 1, x:)
system("ls #{dir}", out: 1)
system "ls", dir
x = `ls #{dir}`
%x(ls #{dir})
eval params[:code]
Digest::MD5.hexdigest(pw)
::Foo::Bar.baz
@user = User.new(user_params)
@user.name = "x"
h[:a] = 1
a, (b, *c) = foo
a = b = c
x ||= 5
x += "a"
x += 1
s << "abc #{d}"
s = "a" + b + "c"
"a %s %d" % [a, b]
format("a %s", b)
<<~SQL + x
  SELECT #{a}
  FROM t
SQL
q = foo(<<-A, <<-B)
  one #{x}
A
  two
B
"a" "b#{c}"
:sym
:"a#{b}"
%w[a b]
%i[a b]
/a+b/i
/a#{b}/
?a
-> (x) { x + 1 }
lambda { |x, (y, z)| x }
items.each do |i, k: 1|
  system(i)
end
items.map(&:to_s)
foo(&blk)
foo(*a, **b)
x = if a then b else c end
y = case z when "a", "b" then 1 else 2 end
w = begin; a; b; end
user&.name
a ? b : c
a && b || !c
not a
a and return
redirect_to(x) and return
valid?(x) or raise "no"
return 1, 2
return x if y
raise Foo, "x" unless y
1..3
x =~ /a/
$glob = 1
foo.()
defined?(x)
x rescue nil
"####,
        r####"
import open-uri = open-uri
import net/http = net/http
require("open-uri")
require("net/http")
User.where(<"name = '" params["name"] "'">).first()
User.where("name = ?", params["name"])
User.find_by(name=params["name"], age=3, k=1, x=x)
system(<"ls " dir>, out=1)
system("ls", dir)
x = backticks(<"ls " dir>)
backticks(<"ls " dir>)
eval(params["code"])
Digest.MD5.hexdigest(pw)
Foo.Bar.baz()
this.user = User.new(user_params)
this.user.name = "x"
h["a"] = 1
[a, [b, c]] = foo
a = (b := c)
x = (x | 5)
x += "a"
x = (x + 1)
s += <"abc " d>
s = <"a" b "c">
<"a " a " " (Integer)b>
format("a %s", b)
<"\n  SELECT " a "\n  FROM t\n" x>
q = foo(<"\n  one " x "\n">, <"\n  two\n">)
<"a" "b" c>
"sym"
<"a" b>
["a", "b"]
["a", "b"]
/a+b/i
Regexp.new(<"a" b>)
"a"
fn#0
lambda(&=fn#1)
items.each(&=fn#2)
items.map(&="to_s")
foo(&=blk)
foo(*=a, **=b)
x = (a ? b : c)
y = (((z == ("a" | "b")) ? 1 : ?()) | 2)
w = (?(a) ? b : b)
user.name()
(a ? b : c)
if (a && b)
else
  (c)
(a)
if a
  return 
if redirect_to(x)
  return 
if valid?(x)
else
  leave raise("no")
return [1, 2]
if y
  return x
if y
else
  leave raise(Foo, "x")
?(1, 3)
(x =~ /a/)
glob = 1
foo.call()
(x)
(x | nil)
fn#0 _(x)
  return (x + 1)
fn#1 _(x, [y, z])
  return x
fn#2 _(i, k = 1)
  return system(i)
"####,
    );
}

#[test]
fn classes_methods_and_statements() {
    lowers(
        r####"class Foo::BarController < ApplicationController
  before_action :x, only: [:y]
  skip_before_action :verify_authenticity_token
  attr_accessor :z
  X = 5
  def index(a, b = 1, *c, d:, e: 2, **f, &g)
    if params[:x] == "1"
      foo
    elsif b
      bar
    else
      baz
    end
  end
  def self.make(x) = x + 1
  def m
    x = 1
    x.to_s
  rescue A => e
    log(e)
  rescue B
    1
  ensure
    z
  end
  private
  def user_params
    params.require(:user).permit!
  end
  class << self
    def w; end
  end
end
module M
  def self.n; yield x; super; end
end
unless a
  b
else
  c
end
while x do y end
until x
  y
end
for a in b do c end
x += 1 while y
begin
  a
rescue
  b
end
case x
when 1 then y
when String
  z
else
  w
end
case x
in {name: n}
  n
end
"####,
        r####"
do
  before_action("x", only=["y"])
  skip_before_action("verify_authenticity_token")
  attr_accessor("z")
  X = 5
  declare fn#0
  declare fn#1
  declare fn#2
  private
  declare fn#3
  do
    declare fn#4
do
  declare fn#5
if a
  c
else
  b
loop while x
  y
loop while (x)
  y
loop a in b
  c
loop while y
  x = (x + 1)
do
  or
    a
  or
    b
or
  if (x == (1))
    y
or
  if (x == (String))
    z
or
  w()
or
  n
fn#0 BarController.index(a, b = 1, c, d, e = 2, f, g)
  if (params["x"] == "1")
    return foo
  else
    if b
      return bar
    else
      return baz
fn#1 BarController.make(x)
  return (x + 1)
fn#2 BarController.m()
  z
  or
    x = 1
    return x.to_s()
  or
    return log(e)
  or
    return 1
fn#3 BarController.user_params()
  return params.require("user").permit!()
fn#4 BarController.w()
fn#5 M.n()
  ?(?(x))
  return super
"####,
    );
}

#[test]
fn deep_and_long_code_is_lowered_without_trouble() {
    let deep = "f(".repeat(450) + "x" + &")".repeat(450);
    assert_eq!(lowered(Language::Ruby, &deep).trim_end(), deep);
    let long = "x = a".to_owned() + &" + a".repeat(20_000);
    assert_eq!(lowered(Language::Ruby, &long).len(), "x = <a>\n".len() + 2 * 20_000);
}

#[test]
fn code_that_ends_anywhere_is_lowered() {
    let code = "class A::B < C\n  def f(x, *y, z: 1, &b)\n    g(<<~A, k: \"a#{x}b\") do |(p, q), r|\n      #{x}\n    A\n  \
                @a&.b ||= %w[c d] + `ls #{x}`\n  end rescue ->(u) { u[1..2] }\n case x\n in {n:} then y\n end\n end\nend\n";
    for end in 0..code.len() {
        lowered(Language::Ruby, &code[..end]);
        lowered(Language::Ruby, &code[end..]);
    }
}
