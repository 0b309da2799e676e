"""Monthly reports: what a small service does with a database and a converter."""

import subprocess

from flask import Flask, request

app = Flask(__name__)


def orders_of(cursor, customer):
    cursor.execute(
        f"SELECT id, total FROM orders WHERE customer = '{customer}' ORDER BY placed_at"
    )
    return cursor.fetchall()


def orders_of_customer(cursor, customer):
    cursor.execute(
        "SELECT id, total FROM orders WHERE customer = %s ORDER BY placed_at",
        (customer,),
    )
    return cursor.fetchall()


@app.post("/reports/pdf")
def as_pdf():
    title = request.form["title"]
    subprocess.run(
        f"wkhtmltopdf --title '{title}' /srv/report.html /srv/report.pdf",
        shell=True,
        check=True,
    )
    return "", 204


@app.post("/reports/png")
def as_png():
    title = request.form["title"]
    subprocess.run(
        ["wkhtmltoimage", "--title", title, "/srv/report.html", "/srv/report.png"],
        check=True,
    )
    return "", 204
