import ast
import importlib
import operator
import sys

from bottle import request, route
import handlers

OPS = {"add": operator.add, "sub": operator.sub}


@route("/calc", method="POST")
def calc():
    formula = request.forms.get("formula")
    return str(eval(formula))


@route("/calc2", method="POST")
def calc_safe():
    formula = request.forms.get("formula")
    return str(ast.literal_eval(formula))


@route("/run")
def run_snippet():
    body = request.query.code
    scope = {}
    exec(compile(body, "<web>", "exec"), scope)
    return repr(scope)


def build_property(name):
    scope = {}
    exec("def f(self): return 1", scope)
    return scope["f"]


def filter_rows(rows, field):
    return [row for row in rows if eval(f"row.{field} > 0")]


def filter_rows_safe(rows, field):
    return [row for row in rows if getattr(row, "total") > 0]


@route("/plugin")
def plugin():
    module = importlib.import_module(request.query.get("module"))
    return module.main()


@route("/plugin2")
def plugin_safe():
    name = request.query.get("module")
    if name not in {"csv_export", "pdf_export"}:
        return "unknown"
    module = importlib.import_module("exports." + name)
    return module.main()


@route("/do/<action>")
def dispatch(action):
    method = getattr(handlers, request.params["action"])
    return method()


@route("/op")
def dispatch_safe():
    op = OPS[request.params["op"]]
    return str(op(1, 2))


def main():
    print(eval(sys.argv[1]))
