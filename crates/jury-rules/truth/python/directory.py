import ldap
import ldap.filter
from lxml import etree
import xml.sax
from pymongo import MongoClient
from flask import Flask, request

app = Flask(__name__)
users = MongoClient().shop.users
tree = etree.parse("people.xml")


@app.route("/ldap")
def find_person():
    uid = request.args["uid"]
    conn = ldap.initialize("ldaps://directory.example.com")
    return str(conn.search_s("dc=example,dc=com", ldap.SCOPE_SUBTREE, "(uid=" + uid + ")"))


@app.route("/ldap2")
def find_person_safe():
    uid = ldap.filter.escape_filter_chars(request.args["uid"])
    conn = ldap.initialize("ldaps://directory.example.com")
    return str(conn.search_s("dc=example,dc=com", ldap.SCOPE_SUBTREE, "(uid=" + uid + ")"))


@app.route("/xpath")
def by_name():
    name = request.args["name"]
    return str(tree.xpath(f"//person[name='{name}']"))


@app.route("/xpath2")
def by_name_safe():
    name = request.args["name"]
    return str(tree.xpath("//person[name=$name]", name=name))


@app.route("/login", methods=["POST"])
def login():
    credentials = request.get_json()
    user = users.find_one({"name": credentials["name"], "pin": credentials["pin"]})
    return str(bool(user))


@app.route("/login2", methods=["POST"])
def login_safe():
    credentials = request.get_json()
    user = users.find_one({"name": str(credentials["name"]), "pin": int(credentials["pin"])})
    return str(bool(user))


@app.route("/where")
def where():
    return str(list(users.find({"$where": "this.age > " + request.args["age"]})))


@app.route("/where2")
def where_safe():
    return str(list(users.find({"age": {"$gt": int(request.args["age"])}})))


@app.route("/import", methods=["POST"])
def import_feed():
    parser = etree.XMLParser(resolve_entities=True, no_network=False)
    return etree.fromstring(request.data, parser).tag


@app.route("/import2", methods=["POST"])
def import_feed_safe():
    parser = etree.XMLParser(resolve_entities=False, no_network=True)
    return etree.fromstring(request.data, parser).tag


def sax_reader(handler):
    reader = xml.sax.make_parser()
    reader.setFeature(xml.sax.handler.feature_external_ges, True)
    reader.setContentHandler(handler)
    return reader


def sax_reader_safe(handler):
    reader = xml.sax.make_parser()
    reader.setFeature(xml.sax.handler.feature_external_ges, False)
    reader.setContentHandler(handler)
    return reader
