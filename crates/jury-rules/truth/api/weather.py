import asyncio
import subprocess
import time

import requests
from fastapi import APIRouter, HTTPException, Response
from flask import Flask, jsonify, request

from .models import Report, db
from .schemas import ReportIn

router = APIRouter()
app = Flask(__name__)


@router.get("/weather/{city}")
async def weather(city: str):
    answer = requests.get("https://weather.example/v1", params={"city": city}, timeout=3)
    return answer.json()


@router.get("/plain/{city}")
def plain_weather(city: str):
    answer = requests.get("https://weather.example/v1", params={"city": city}, timeout=3)
    return answer.json()


async def poll(job):
    for _ in range(10):
        if job.is_done:
            return job.result
        time.sleep(0.5)
    raise TimeoutError(job.name)


async def poll_well(job):
    for _ in range(10):
        if job.is_done:
            return job.result
        await asyncio.sleep(0.5)
    raise TimeoutError(job.name)


@router.get("/stations/{name}")
async def station(name: str, response: Response):
    found = await db.station(name)
    if found is None:
        return {"error": f"no station {name}"}
    return {"station": found}


@router.get("/stations/{name}/well")
async def station_well(name: str):
    found = await db.station(name)
    if found is None:
        raise HTTPException(status_code=404, detail=f"no station {name}")
    return {"station": found}


@app.route("/reports", methods=["GET"])
def reports():
    try:
        rows = Report.query.all()
    except db.Error as error:
        return jsonify({"error": str(error)})
    return jsonify([row.as_dict() for row in rows])


@app.route("/well/reports", methods=["GET"])
def reports_well():
    try:
        rows = Report.query.all()
    except db.Error as error:
        return jsonify({"error": str(error)}), 503
    return jsonify([row.as_dict() for row in rows])


@app.route("/reports", methods=["POST"])
def add_report():
    report = Report(**request.get_json())
    db.session.add(report)
    db.session.commit()
    return jsonify(id=report.id), 201


@app.route("/well/reports", methods=["POST"])
def add_report_well():
    body = ReportIn.model_validate(request.get_json())
    report = Report(city=body.city, text=body.text)
    db.session.add(report)
    db.session.commit()
    return jsonify(id=report.id), 201


@app.post("/refresh")
def refresh():
    try:
        subprocess.run(["refresh-cache"], check=True)
    except Exception:
        pass
    return jsonify(ok=True)


@app.post("/well/refresh")
def refresh_well():
    try:
        subprocess.run(["refresh-cache"], check=True)
    except subprocess.CalledProcessError:
        app.logger.exception("cannot refresh")
        return jsonify(ok=False), 502
    return jsonify(ok=True)
