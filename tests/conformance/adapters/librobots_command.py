"""The adapter for the command of librobots: librobots_command.py PATH-OF-robots. It runs the command for each case."""

import base64
import json
import subprocess
import sys
import tempfile

from wire import Unsupported, serve, word

COMMAND = sys.argv[1]
FLAGS = {"ignore_star": "--ignore-star", "merge_tokens": "--merge-tokens", "crawl_delay_ends_agents": "--crawl-delay-ends-agents"}


def check(case):
    arguments = [COMMAND, "check", "--exact", "--json", "--null", "--threads", "1", "--urls", "-", "--dialect", case["dialect"]]
    agents = list(map(base64.b64decode, case["agents_base64"]))
    if not case.bytes("url") or b"\0" in case.bytes("url") or b"\0" in b"".join(agents):
        raise Unsupported("empty URLs and NUL")
    arguments += [b"--agent=" + agent for agent in agents]
    for name, number in case.get("options", {}).items():
        arguments += ["--max-bytes", str(number)] if name == "max_bytes" else [FLAGS[name]]
    if case.bytes("robots").startswith((b"\x1f\x8b", b"\x28\xb5\x2f\xfd")):
        raise Unsupported("it asks for an unpacked file")
    with tempfile.NamedTemporaryFile(suffix=".txt") as robots:
        robots.write(case.bytes("robots"))
        robots.flush()
        run = subprocess.run(arguments + [robots.name], input=case.bytes("url") + b"\0", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    line = run.stdout.decode("utf-8", "replace").strip()
    if not line:
        return "error " + " ".join(run.stderr.decode("utf-8", "replace").split())[:200]
    result = json.loads(line)
    if result.get("error"):
        return "error " + str(result["error"])
    answer = word(result["allowed"], result.get("line") or 0)
    return answer.replace("deny", "defer") if result["reason"] in ("unreachable", "defer") else answer


VERSION = subprocess.run([COMMAND, "--version"], stdout=subprocess.PIPE, check=True).stdout.decode().split()[-1]
serve("librobots-command", VERSION, ("rfc9309", "google", "koster1996"), {"check": check})
