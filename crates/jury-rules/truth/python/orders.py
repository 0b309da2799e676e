"""Order lookup over a plain DB-API connection."""
import sqlite3
import psycopg2
from psycopg2 import sql
from flask import Blueprint, request, jsonify, g

orders = Blueprint("orders", __name__)
TABLE = "orders"
SORTABLE = {"created": "created_at", "total": "total_cents"}


def connect():
    if "db" not in g:
        g.db = sqlite3.connect("shop.db")
    return g.db


@orders.route("/orders")
def search():
    term = request.args.get("q", "")
    cur = connect().cursor()
    cur.execute(
        "SELECT id, total_cents FROM orders "
        "WHERE note LIKE '%" + term + "%'"
    )
    return jsonify(cur.fetchall())


@orders.route("/orders/safe")
def search_safe():
    term = request.args.get("q", "")
    cur = connect().cursor()
    cur.execute(
        "SELECT id, total_cents FROM orders "
        "WHERE note LIKE ?",
        ("%" + term + "%",),
    )
    return jsonify(cur.fetchall())


def by_customer(conn, customer):
    query = f"""
        SELECT * FROM {TABLE}
        WHERE customer = '{customer}'
    """
    with conn.cursor() as cursor:
        cursor.execute(query)
        return cursor.fetchone()


def by_customer_safe(conn, customer):
    query = f"""
        SELECT * FROM {TABLE}
        WHERE customer = %(customer)s
    """
    with conn.cursor() as cursor:
        cursor.execute(query, {"customer": customer})
        return cursor.fetchone()


def archive(conn, ids, reason):
    q = "UPDATE orders SET archived = 1, reason = '%s'" % reason
    q += " WHERE id IN (%s)" % ",".join(str(int(i)) for i in ids)
    conn.execute(q)


def archive_safe(conn, ids, reason):
    marks = ", ".join("?" for _ in ids)
    q = "UPDATE orders SET archived = 1, reason = ?"
    q += " WHERE id IN ({})".format(marks)
    conn.execute(q, [reason, *ids])


def listing(dsn, order):
    with psycopg2.connect(dsn) as conn, conn.cursor() as cur:
        cur.execute("SELECT * FROM orders ORDER BY {}".format(order))
        return cur.fetchall()


def listing_safe(dsn, order):
    with psycopg2.connect(dsn) as conn, conn.cursor() as cur:
        cur.execute(
            sql.SQL("SELECT * FROM orders ORDER BY {}").format(sql.Identifier(order))
        )
        return cur.fetchall()


def listing_by_table(conn, order):
    column = SORTABLE.get(order, "created_at")
    limit = int(request.args.get("limit", 20))
    return conn.execute("SELECT id FROM orders ORDER BY id LIMIT %d" % limit).fetchall()
