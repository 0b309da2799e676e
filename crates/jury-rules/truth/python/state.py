import json
import marshal
import pickle
import pickle as pkl
import base64

import yaml
from yaml import load, Loader, SafeLoader
from django.http import HttpResponse
from rest_framework.decorators import api_view


@api_view(["POST"])
def restore(request):
    state = pickle.loads(base64.b64decode(request.data["state"]))
    return HttpResponse(str(state))


@api_view(["POST"])
def restore_safe(request):
    state = json.loads(base64.b64decode(request.data["state"]))
    return HttpResponse(str(state))


def session_of(request):
    return pkl.loads(request.COOKIES["session"].encode("latin1"))


def settings_of(path):
    with open(path) as handle:
        return yaml.load(handle, Loader=yaml.Loader)


def settings_of_safe(path):
    with open(path) as handle:
        return yaml.load(handle, Loader=yaml.SafeLoader)


def manifest(text):
    return load(text, Loader)


def manifest_safe(text):
    return load(text, SafeLoader)


def code_of(sock):
    return marshal.loads(sock.recv(4096))


def code_of_safe(sock):
    return json.loads(sock.recv(4096))
