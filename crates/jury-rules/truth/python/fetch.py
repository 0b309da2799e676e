import urllib.request
from urllib.parse import urlparse, quote
import ssl

import aiohttp
import httpx
import requests
from requests import Session, get as fetch_url
from fastapi import FastAPI, HTTPException
from pydantic import BaseModel

app = FastAPI()
ALLOWED_HOSTS = {"api.example.com"}


class Hook(BaseModel):
    url: str
    token: str


@app.get("/proxy")
def proxy(url: str):
    answer = requests.get(url, timeout=5)
    return answer.text


@app.get("/proxy2")
def proxy_safe(url: str):
    if urlparse(url).hostname not in ALLOWED_HOSTS:
        raise HTTPException(400)
    answer = requests.get(url, timeout=5)
    return answer.text


@app.get("/weather")
def weather(city: str):
    answer = fetch_url("https://api.example.com/weather", params={"q": city}, timeout=5)
    return answer.json()


@app.post("/hook")
async def hook(body: Hook):
    async with httpx.AsyncClient() as client:
        return (await client.post(body.url, json={"ok": True})).status_code


@app.post("/hook2")
async def hook_safe(body: Hook):
    async with httpx.AsyncClient() as client:
        return (await client.post("https://api.example.com/hook", json={"token": body.token})).status_code


@app.get("/image")
async def image(src: str):
    async with aiohttp.ClientSession() as session:
        async with session.get(src) as answer:
            return await answer.read()


@app.get("/feed")
def feed(host: str):
    with urllib.request.urlopen(f"http://{host}/feed.xml") as answer:
        return answer.read()


@app.get("/feed2")
def feed_safe(name: str):
    with urllib.request.urlopen("https://api.example.com/feeds/" + quote(name, safe="")) as answer:
        return answer.read()


def charge(session: Session, payload):
    return session.post("https://pay.example.com/charge", json=payload, verify=False)


def charge_safe(session: Session, payload):
    return session.post("https://pay.example.com/charge", json=payload, verify="/etc/ssl/pay.pem")


def context():
    ctx = ssl.create_default_context()
    ctx.check_hostname = False
    return ctx


def context_safe():
    ctx = ssl.create_default_context()
    ctx.check_hostname = True
    return ctx


def unverified():
    ctx = ssl._create_unverified_context()
    return urllib.request.urlopen("https://example.com", context=ctx)


def verified():
    ctx = ssl.create_default_context()
    return urllib.request.urlopen("https://example.com", context=ctx)


def old_protocol():
    return ssl.SSLContext(ssl.PROTOCOL_TLSv1)


def new_protocol():
    return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
