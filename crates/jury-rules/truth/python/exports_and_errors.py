"""What leaves the service: pages, exports, errors, logs."""
import csv
import logging
import math
import traceback

import requests
from django.http import HttpResponseRedirect, JsonResponse
from django.utils.http import url_has_allowed_host_and_scheme
from flask import Flask, jsonify, request
from lxml import etree

service = Flask(__name__)
journal = logging.getLogger("service")


@service.route("/balance")
def balance():
    try:
        return jsonify(read_balance())
    except Exception as trouble:  # the text of it goes out
        return jsonify({"detail": str(trouble)}), 500


@service.route("/balance/quiet")
def balance_safe():
    try:
        return jsonify(read_balance())
    except Exception:
        journal.exception("no balance")
        return jsonify({"detail": "not available"}), 500


@service.route("/trace")
def trace():
    try:
        return work()
    except Exception:
        told = traceback.format_exc()
        return wrap(told)


def wrap(words):
    return "[trouble] " + words


@service.route("/trace/quiet")
def trace_safe():
    try:
        return work()
    except ValueError as trouble:
        journal.warning(traceback.format_exc())
        return wrap("see the journal")


def report(http):
    try:
        return JsonResponse(http.GET.dict())
    except Exception as trouble:
        return JsonResponse({"why": repr(trouble)}, status=500)


def report_safe(http):
    try:
        return JsonResponse(http.GET.dict())
    except KeyError as trouble:
        return JsonResponse({"why": "a key is missing"}, status=400)


@service.route("/guests.csv")
def guests(out):
    table = csv.DictWriter(out, ["guest", "seats"])
    guest = request.args.get("guest")
    table.writerow({"guest": guest, "seats": 2})


@service.route("/guests2.csv")
def guests_safe(out):
    table = csv.DictWriter(out, ["guest", "seats"])
    seats = int(request.args.get("seats", 0))
    table.writerow({"guest": "-", "seats": seats})


@service.route("/transfer")
def transfer():
    amount = float(request.form["amount"])
    return "refused" if amount > limit() else "done"


@service.route("/transfer2")
def transfer_safe():
    amount = float(request.form["amount"])
    if not math.isfinite(amount):
        return "refused"
    return "refused" if amount > limit() else "done"


def sign_in(account, password):
    journal.debug(f"{account} came with {password}")


def sign_in_safe(account, password):
    journal.debug(f"{account} came with {len(password)} letters")


def leave(request):
    goal = request.GET.get("goal")
    is_ours = url_has_allowed_host_and_scheme(url=goal, allowed_hosts={request.get_host()})
    if is_ours:
        return HttpResponseRedirect(goal)
    return HttpResponseRedirect("/")


def leave_unsafe(request):
    goal = request.GET.get("goal")
    is_long = len(goal) > 80
    if is_long:
        return HttpResponseRedirect("/")
    return HttpResponseRedirect(goal)


@service.route("/feed", methods=["POST"])
def feed():
    reader = etree.XMLParser(huge_tree=True)
    return etree.fromstring(request.data, reader).tag


@service.route("/feed2", methods=["POST"])
def feed_safe():
    reader = etree.XMLParser(huge_tree=True, resolve_entities=False)
    return etree.fromstring(request.data, reader).tag


def prices():
    return requests.get("http://prices.example.com/today", timeout=3).json()


def prices_safe():
    return requests.get("https://prices.example.com/today", timeout=3).json()


def prices_slow(where):
    return requests.get(where).json()


def prices_in_time(where):
    return requests.get(where, timeout=3).json()


def refresh(all_of_them):
    for one in all_of_them:
        try:
            one.refresh()
        except Exception:
            continue


def refresh_safe(all_of_them):
    for one in all_of_them:
        try:
            one.refresh()
        except TimeoutError:
            continue


def statement(owner):
    return "SELECT total FROM accounts WHERE owner = '%s'" % owner


def statement_safe(owner):
    return "SELECT total FROM accounts WHERE owner = %s", (owner,)


def greeting():
    page = "<p>Good morning, " + request.args["who"] + "</p>"
    return deliver(page)


def greeting_safe():
    page = "<p>Good morning, guest number " + str(int(request.args["number"])) + "</p>"
    return deliver(page)


class Archive:
    archive_password = "ladder-and-lamp"
    archive_password_hint = "what one climbs, and what one reads by"


def unlock(passphrase="ladder-and-lamp"):
    return passphrase


def unlock_safe(passphrase=None):
    return passphrase
