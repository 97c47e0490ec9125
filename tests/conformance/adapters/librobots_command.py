"""The adapter for the command of librobots: librobots_command.py PATH-OF-robots. It runs the command for each case."""

import base64
import json
import subprocess
import sys
import tempfile
from urllib.parse import unquote_to_bytes

from wire import Unsupported, serve, value, word

COMMAND = sys.argv[1]
HELP = subprocess.run([COMMAND, "check", "--help"], stdout=subprocess.PIPE, check=True).stdout.decode()


def crawler(case):
    """Return the arguments that describe the crawler."""
    arguments = ["--exact", "--json", "--dialect", case["dialect"]]
    agents = [base64.b64decode(agent) for agent in case["agents_base64"]]
    if any(b"," in agent or agent != agent.strip() for agent in agents):
        raise Unsupported("commas and spaces separate the tokens of --agent")
    arguments.append(b"--agent=" + b",".join(agents))
    for name, number in case.get("options", {}).items():
        flag = "--" + name.replace("_", "-")
        arguments += [flag, str(number)] if f"{flag} <" in HELP else [flag]
    return arguments


def robots(arguments, **options):
    """Run the command."""
    if any(b"\0" in argument for argument in arguments if isinstance(argument, bytes)):
        raise Unsupported("an argument cannot have NUL")
    return subprocess.run([COMMAND] + arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)


def check(case):
    if not case.bytes("url") or b"\0" in case.bytes("url"):
        raise Unsupported("a line of URLs cannot have NUL, nor be empty")
    with tempfile.NamedTemporaryFile(suffix=".txt") as file:
        file.write(case.bytes("robots"))
        file.flush()
        run = robots(["check", "--null", "--threads", "1", "--urls", "-"] + crawler(case) + [file.name], input=case.bytes("url") + b"\0")
    line = run.stdout.decode("utf-8", "replace").strip()
    if not line:
        message = " ".join(run.stderr.decode("utf-8", "replace").split())
        if "unpack it" in message:
            raise Unsupported(message)
        return "error " + message[:200]
    result = json.loads(line)
    if result.get("error"):
        return "error " + str(result["error"])
    if case["dialect"] == "google" and result["reason"] == "no_rule":
        raise Unsupported("a rule without a path decides nothing in the command, and has a line in Google's parser")
    answer = word(result["allowed"], result.get("line") or 0)
    return answer.replace("deny", "defer") if result["reason"] in ("unreachable", "defer") else answer


def page(case):
    """Return what `explain` shows of the headers and elements of a page."""
    values = [(flag, pair) for flag, pairs in (("header", case["headers"]), ("meta", case["metas"])) for pair in pairs]
    if not values:
        raise Unsupported("a page without headers and elements")
    arguments = ["explain"] + crawler(case)
    for flag, (name, content) in values:
        arguments.append(b"--%s=%s: %s" % (flag.encode(), unquote_to_bytes(name), unquote_to_bytes(content)))
    run = robots(arguments)
    if not run.stdout:
        return "error " + " ".join(run.stderr.decode("utf-8", "replace").split())[:200]
    shown = json.loads(run.stdout.decode("utf-8", "replace"))
    if case["kind"] == "page":
        return value(*(str(one["value"]) for one in shown["controls"] if one["control"] == case["control"]))
    return value(*([one["choice"] for one in shown["usage"] if one["label"] == case["control"]] or ["unknown"]))


VERSION = subprocess.run([COMMAND, "--version"], stdout=subprocess.PIPE, check=True).stdout.decode().split()[-1]
serve("librobots-command", VERSION, ("rfc9309", "google", "koster1996"), {"check": check, "page": page, "page-usage": page})
