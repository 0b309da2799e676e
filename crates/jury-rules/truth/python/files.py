import os
import shutil
import tarfile
import tempfile
import zipfile
from pathlib import Path

from flask import Flask, abort, request, send_file, send_from_directory
from werkzeug.utils import secure_filename

app = Flask(__name__)
UPLOADS = Path("/srv/uploads")
ROOT = "/srv/docs"


@app.get("/doc")
def doc():
    name = request.args.get("name")
    with open(os.path.join(ROOT, name)) as handle:
        return handle.read()


@app.get("/doc2")
def doc_safe():
    name = os.path.basename(request.args.get("name", ""))
    with open(os.path.join(ROOT, name)) as handle:
        return handle.read()


@app.get("/doc3")
def doc_checked():
    full = os.path.realpath(os.path.join(ROOT, request.args["name"]))
    if not full.startswith(ROOT + os.sep):
        abort(404)
    with open(full) as handle:
        return handle.read()


@app.get("/download/<path:name>")
def download(name):
    return send_file(UPLOADS / name)


@app.get("/download2/<path:name>")
def download_safe(name):
    return send_from_directory(UPLOADS, name)


@app.post("/upload")
def upload():
    item = request.files["item"]
    item.save(f"/srv/uploads/{item.filename}")
    return "", 204


@app.post("/upload2")
def upload_safe():
    item = request.files["item"]
    item.save(os.path.join("/srv/uploads", secure_filename(item.filename)))
    return "", 204


@app.delete("/file")
def delete():
    target = UPLOADS / request.json["name"]
    target.unlink()
    return "", 204


@app.delete("/file2")
def delete_safe():
    target = UPLOADS / secure_filename(request.json["name"])
    target.unlink()
    return "", 204


@app.post("/rm")
def remove_tree():
    shutil.rmtree("/srv/projects/" + request.form["project"])
    return "", 204


@app.post("/rm2")
def remove_tree_safe():
    shutil.rmtree("/srv/projects/%d" % int(request.form["project"]))
    return "", 204


def unpack(archive, into):
    with tarfile.open(archive) as tar:
        tar.extractall(into)


def unpack_safe(archive, into):
    with tarfile.open(archive) as tar:
        tar.extractall(into, filter="data")


def unpack_entries(stream, into):
    tar = tarfile.open(fileobj=stream, mode="r:gz")
    for member in tar.getmembers():
        tar.extract(member, path=into)


def unpack_entries_safe(stream, into):
    with zipfile.ZipFile(stream) as archive:
        archive.extractall(into)


def scratch():
    name = tempfile.mktemp(suffix=".csv")
    return open(name, "w")


def scratch_safe():
    handle = tempfile.NamedTemporaryFile("w", suffix=".csv", delete=False)
    return handle


def publish(path):
    os.chmod(path, 0o777)


def publish_safe(path):
    os.chmod(path, 0o640)
