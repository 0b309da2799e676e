import os
import socket

import mysql.connector
import psycopg2
import uvicorn
from fastapi import FastAPI
from fastapi.middleware.cors import CORSMiddleware
from flask import Flask, make_response, session, request
from flask_cors import CORS

app = Flask(__name__)
api = FastAPI()


def connect():
    return psycopg2.connect(host="db.internal", user="shop", password="sup3r-s3cret-pw")


def connect_safe():
    return psycopg2.connect(host="db.internal", user="shop", password=os.environ["DB_PASSWORD"])


def reports():
    return mysql.connector.connect(
        host="reports",
        user="reader",
        passwd="r3ad-0nly-2024",
    )


def reports_safe(config):
    return mysql.connector.connect(
        host="reports",
        user="reader",
        passwd=config["passwd"],
    )


app.config["SECRET_KEY"] = "9f2k3-not-so-secret"
api.state.secret_key = os.environ.get("SECRET_KEY")


@app.route("/login", methods=["POST"])
def login():
    response = make_response("ok")
    response.set_cookie("session_id", new_session(), secure=False, httponly=True)
    return response


@app.route("/login2", methods=["POST"])
def login_safe():
    response = make_response("ok")
    response.set_cookie("session_id", new_session(), secure=True, httponly=True, samesite="Lax")
    return response


def new_session():
    return os.urandom(16).hex()


def open_api():
    api.add_middleware(
        CORSMiddleware,
        allow_origins=["*"],
        allow_credentials=True,
        allow_methods=["GET"],
    )


def closed_api():
    api.add_middleware(
        CORSMiddleware,
        allow_origins=["https://shop.example.com"],
        allow_credentials=True,
        allow_methods=["GET"],
    )


def open_site():
    CORS(app, origins="*", supports_credentials=True)


def closed_site():
    CORS(app, origins=["https://shop.example.com"], supports_credentials=True)


def listen():
    server = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    server.bind(("0.0.0.0", 9000))
    return server


def listen_safe():
    server = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    server.bind(("127.0.0.1", 9000))
    return server


def serve():
    uvicorn.run(api, host="127.0.0.1", port=8000)


if __name__ == "__main__":
    if os.environ.get("LOCAL"):
        app.run(debug=True)
    else:
        app.run(debug=False)
