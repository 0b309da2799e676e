import asyncio
import os
import shlex
import subprocess as sp
from subprocess import Popen, check_output, PIPE, run

import paramiko
from fastapi import APIRouter, Query

router = APIRouter()


@router.get("/ping")
async def ping(host: str):
    out = check_output("ping -c 1 " + host, shell=True)
    return {"out": out.decode()}


@router.get("/ping2")
async def ping_safe(host: str):
    out = check_output(["ping", "-c", "1", host])
    return {"out": out.decode()}


def convert(source, target):
    os.system(f"convert {source} -resize 50% {target}")


def convert_safe(source, target):
    os.system(f"convert {shlex.quote(source)} -resize 50% {shlex.quote(target)}")


def disk_usage(path):
    command = "du -sh %s | cut -f1" % path
    process = Popen(
        command,
        shell=True,
        stdout=PIPE,
    )
    return process.communicate()[0]


def disk_usage_safe():
    process = Popen(
        "du -sh /srv | cut -f1",
        shell=True,
        stdout=PIPE,
    )
    return process.communicate()[0]


def grep(pattern, *files):
    argv = ["grep", "-n", pattern] + list(files)
    return run(argv, capture_output=True, check=False).stdout


def grep_shell(pattern, name):
    return sp.getoutput("grep -n '{}' {}".format(pattern, name))


async def render_pdf(url):
    proc = await asyncio.create_subprocess_shell("wkhtmltopdf " + url + " out.pdf")
    await proc.wait()


async def render_pdf_safe(url):
    proc = await asyncio.create_subprocess_exec("wkhtmltopdf", url, "out.pdf")
    await proc.wait()


def remote_logs(host, unit):
    client = paramiko.SSHClient()
    client.load_system_host_keys()
    client.connect(host)
    _, stdout, _ = client.exec_command("journalctl -u " + unit)
    return stdout.read()


def remote_uptime(host):
    client = paramiko.SSHClient()
    client.load_system_host_keys()
    client.connect(host)
    _, stdout, _ = client.exec_command("uptime")
    return stdout.read()


@router.get("/tool")
def tool(name: str = Query(...)):
    return sp.run([name, "--version"], stdout=sp.PIPE).stdout


TOOLS = ("git", "hg")


@router.get("/tool2")
def tool_safe(name: str = Query(...)):
    if name in TOOLS:
        return sp.run([name, "--version"], stdout=sp.PIPE).stdout
    return None


@router.get("/sh")
def wrapped(script: str):
    return sp.call(["/bin/sh", "-c", "cd /srv && " + script])


def fixed():
    return sp.call(["/bin/sh", "-c", "cd /srv && ls | wc -l"])
