"""Small tools around the shop: shells, cookies, models, settings."""
import hashlib
import http.client
import os
import pdb
import re
import subprocess

import paramiko
from flask import make_response, render_template, request
from hashids import Hashids
from sqlalchemy import text
from transformers import AutoModel

MIDDLEWARE = [
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
]

MIDDLEWARE_CLASSES = [
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
]


def shell(words):
    return subprocess.check_output(words, shell=True)


def no_shell(words):
    return subprocess.check_output(words)


def remote(machine, words):
    link = paramiko.SSHClient()
    link.connect(machine)
    return link.exec_command(words)


def remote_safe(machine):
    link = paramiko.SSHClient()
    link.connect(machine)
    return link.exec_command("uptime")


def pack():
    os.system("cd /srv/pictures && tar cf /srv/all.tar *")


def pack_safe():
    os.system("cd /srv/pictures && tar cf /srv/all.tar ./*")


def basket(number):
    answer = make_response("kept")
    answer.set_cookie("basket", number, httponly=True)
    answer.set_cookie("basket", number, httponly=True, secure=True)
    return answer


def keep(person, password):
    person.digest = hashlib.sha512(password.encode("utf-8")).hexdigest()


def keep_safe(person, password):
    person.digest = hashlib.pbkdf2_hmac("sha512", password.encode("utf-8"), person.salt, 400_000)


def check(rows):
    pdb.set_trace()
    return rows


def check_safe(rows):
    return rows


def birds():
    return AutoModel.from_pretrained("feathers/wren-small")


def birds_safe():
    return AutoModel.from_pretrained("feathers/wren-small", revision="0f4e1d2c3b4a59687766554433221100ffeeddcc")


def ask():
    link = http.client.HTTPSConnection(request.args["machine"])
    link.request("HEAD", "/")
    return link.getresponse().status


def ask_safe():
    link = http.client.HTTPSConnection("machine.example.com")
    link.request("HEAD", "/" + request.args["page"])
    return link.getresponse().status


def numbers(app):
    return Hashids(app.config["SECRET_KEY"])


def numbers_safe(app):
    return Hashids(app.config["NUMBER_SALT"])


def is_ours(referrer):
    return "shop.example.com" in referrer


def is_ours_safe(referrer):
    return re.match(r"https://shop\.example\.com/", referrer) is not None


def listing():
    rows = find()
    return render_template("listing.html", **locals())


def listing_safe():
    return render_template("listing.html", rows=find())


def run(session, words):
    return session.execute(text(words))


def run_safe(session, number):
    return session.execute(text("SELECT name FROM birds WHERE id = :id"), {"id": number})


def act(name):
    return globals()[name]()


def act_safe(name):
    return {"listing": listing, "birds": birds}[name]()
