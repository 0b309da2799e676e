import logging
import re

from aiohttp import web
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from flask import Flask, Response, request, redirect
import tornado.web

log = logging.getLogger(__name__)
app = Flask(__name__)
PATHS = {"home": "/", "help": "/help"}


class Jump(tornado.web.RequestHandler):
    def get(self):
        self.redirect(self.get_argument("to"))


class JumpSafe(tornado.web.RequestHandler):
    def get(self):
        self.redirect(PATHS.get(self.get_argument("to"), "/"))


async def leave(request):
    raise web.HTTPFound(request.query["to"])


async def leave_safe(request):
    raise web.HTTPFound("/bye")


@app.route("/lang")
def language():
    response = Response("ok")
    response.headers["Content-Language"] = request.args["lang"]
    return response


@app.route("/lang2")
def language_safe():
    response = Response("ok")
    wanted = request.args["lang"]
    response.headers["Content-Language"] = "de" if wanted == "de" else "en"
    return response


@app.route("/match")
def matches():
    text = request.args["text"]
    return str(bool(re.match(r"^(\w+\s?)*$", text)))


@app.route("/match2")
def matches_safe():
    text = request.args["text"]
    return str(bool(re.match(r"^\w+(?: \w+)*$", text)))


@app.route("/find")
def find():
    return str(re.findall(request.args["pattern"], "some text"))


@app.route("/find2")
def find_safe():
    return str(re.findall(re.escape(request.args["pattern"]), "some text"))


@app.route("/sign-in", methods=["POST"])
def sign_in():
    user = request.form["user"]
    log.warning("failed login of " + user)
    return "no", 401


@app.route("/sign-in2", methods=["POST"])
def sign_in_safe():
    user = request.form["user"].replace("\r", "").replace("\n", "")
    log.warning("failed login of " + user)
    return "no", 401


@csrf_exempt
def transfer(request):
    return request.user.transfer(request.POST["to"])


@csrf_protect
def transfer_safe(request):
    return request.user.transfer(request.POST["to"])
