"""Classes that are known by what they derive from."""
import enum
import hashlib
import hmac
import os
import shlex
import subprocess
from functools import cached_property
from http.server import BaseHTTPRequestHandler
from urllib.parse import parse_qs, urlsplit

import bcrypt
from Crypto.Cipher import PKCS1_OAEP, PKCS1_v1_5
from flask import request
from flask_sqlalchemy import SQLAlchemy

db = SQLAlchemy()


class Season(enum.StrEnum):
    SPRING = "spring"
    AUTUMN = "autumn"


class Shipment(db.Model):
    weight = db.Column(db.Integer)


class Barn(BaseHTTPRequestHandler):
    @cached_property
    def asked(self):
        return parse_qs(urlsplit(self.path).query)

    def do_PUT(self):
        tool = self.asked.get("tool", ["none"])[0]
        subprocess.run(f"barnctl {tool}", shell=True, check=True)

    def do_PATCH(self):
        tool = shlex.quote(self.asked.get("tool", ["none"])[0])
        subprocess.run(f"barnctl {tool}", shell=True, check=True)

    def do_GET(self):
        self.send_response(200)
        self.send_header("X-Tool", self.asked["tool"][0])
        self.end_headers()

    def do_HEAD(self):
        self.send_response(200)
        self.send_header("X-Length", str(len(self.asked)))
        self.end_headers()


def yields(cursor, season: Season, crop):
    cursor.execute(f"SELECT * FROM yields WHERE season = '{season.value}'")
    cursor.execute(f"SELECT * FROM yields WHERE crop = '{crop}'")


def ship():
    db.session.add(Shipment(**request.json))
    db.session.add(Shipment(weight=request.json["weight"]))


def seal(text, key):
    return "v1=" + hmac.new(key, text, hashlib.sha256).hexdigest()


def is_sealed(text, key, given):
    expected = seal(text, key)
    return expected == given


def is_sealed_well(text, key, given):
    return hmac.compare_digest(seal(text, key), given)


def store(password):
    weak = bcrypt.hashpw(password, bcrypt.gensalt(5))
    strong = bcrypt.hashpw(password, bcrypt.gensalt(13))
    return weak, strong


def wrap(key, secret):
    first = PKCS1_v1_5.new(key)
    second = PKCS1_OAEP.new(key)
    return first.encrypt(secret) + second.encrypt(secret)


def attach():
    paper = request.files["paper"]
    paper.save(os.path.join("/srv/papers", paper.filename))
    paper.save(os.path.join("/srv/papers", os.path.basename(paper.filename)))
