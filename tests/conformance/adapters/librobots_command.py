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


def page_arguments(case):
    """Return the headers and elements of a page as arguments."""
    pairs = [(b"--header", pair) for pair in case.get("headers", [])] + [(b"--meta", pair) for pair in case.get("metas", [])]
    pairs = [(flag, unquote_to_bytes(name), unquote_to_bytes(content)) for flag, (name, content) in pairs]
    if any(flag == b"--header" and (not name.strip() or b"\n" in content + name) for flag, name, content in pairs):
        raise Unsupported("a header has a name, and no line end")
    return [b"%s=%s: %s" % pair for pair in pairs]


def page(case):
    """Return what `explain` shows of the headers and elements of a page."""
    values = page_arguments(case)
    if not values:
        raise Unsupported("a page without headers and elements")
    run = robots(["explain"] + crawler(case) + values)
    if not run.stdout:
        return "error " + " ".join(run.stderr.decode("utf-8", "replace").split())[:200]
    shown = json.loads(run.stdout.decode("utf-8", "replace"))
    return value(*(str(one["value"]) for one in shown["controls"] if one["control"] == case["control"]))


def use(case):
    """Return what `use` answers."""
    if "robots" not in case:
        raise Unsupported("a file that is not known")
    arguments = ["use"] + crawler(case) + page_arguments(case)
    if case.get("page") != "unknown" and not (case["headers"] or case["metas"]):
        arguments.append("--silent-page")
    with tempfile.NamedTemporaryFile(suffix=".txt") as file, tempfile.NamedTemporaryFile(suffix=".json") as tdm:
        file.write(case.bytes("robots"))
        file.flush()
        if "tdm" in case:
            tdm.write(case.bytes("tdm"))
            tdm.flush()
            arguments += ["--tdmrep", tdm.name]
        url = case.bytes("url")
        # The command takes the site from the first URL.
        site = [case["site"]] if b"://" in url else []
        run = robots(arguments + ["--purpose", case["purpose"].replace("_", "-"), file.name] + site + [url])
    if "unpack it" in run.stderr.decode("utf-8", "replace") or "give the file itself" in run.stderr.decode("utf-8", "replace"):
        raise Unsupported("the command refuses such a file")
    if run.returncode == 2:
        return "error " + " ".join(run.stderr.decode("utf-8", "replace").split())[:200]
    return value(json.loads(run.stdout.decode("utf-8", "replace").splitlines()[-1])["says"])


VERSION = subprocess.run([COMMAND, "--version"], stdout=subprocess.PIPE, check=True).stdout.decode().split()[-1]
serve("librobots-command", VERSION, ("rfc9309", "google", "koster1996"), {"check": check, "page": page, "use": use})
