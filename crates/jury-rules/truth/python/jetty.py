import logging
import os
import subprocess
import tarfile

from flask import Flask, abort, make_response, request
from pymongo import MongoClient
from werkzeug.datastructures import Headers

app = Flask(__name__)
berths = MongoClient().harbour.berths
CHARTS = "/srv/charts/"


@app.post("/berths")
def berth():
    wanted = request.get_json()
    return str(berths.count_documents({"boat": {"$eq": wanted["boat"]}}))


@app.post("/berths/any")
def any_berth():
    wanted = request.get_json()
    return str(berths.count_documents({"boat": wanted["boat"]}))


@app.get("/chart")
def chart():
    sheet = os.path.join(CHARTS, request.args["sheet"])
    if not os.path.realpath(sheet).startswith(CHARTS):
        abort(404)
    with open(sheet) as handle:
        return handle.read()


@app.get("/draft")
def draft():
    sheet = os.path.join(CHARTS, request.args["sheet"])
    if not os.path.realpath(CHARTS).startswith("/srv"):
        abort(404)
    with open(sheet) as handle:
        return handle.read()


def unpack(archive, into):
    with tarfile.open(archive) as crate:
        crate.extractall(into, crate.getmembers())


def unpack_flat(archive, into):
    with tarfile.open(archive) as crate:
        crate.extractall(into, crate.getmembers(), filter="data")


def tell(value, name):
    logging.warning("harbour secret value is %s", value)
    logging.warning("harbour secret was read by %s", name)


@app.get("/tides")
def tides():
    return make_response(("[]", 200, {"Access-Control-Allow-Origin": "*"}))


@app.get("/own-tides")
def own_tides():
    return make_response(("[]", 200, {"Access-Control-Allow-Origin": "https://harbour.example"}))


@app.get("/flag")
def flag():
    signals = Headers()
    signals.add(request.args["flag"], "raised")
    signals.add("X-Flag", "raised")
    return "", 204, signals


@app.post("/winch")
def winch():
    subprocess.run(["sudo", request.form["winch"]], check=True)
    subprocess.run(["sudo", "/opt/winch", request.form["rope"]], check=True)
    return "", 204
