"""Programs as clients of tests/wire/run: programs.py robots|robots-curl PROGRAM ways SECONDS."""

from __future__ import annotations

import json
import subprocess
import sys
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

PAGES = ("open", "private")


def run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, check=False)


def with_robots(program: str, base: str, seconds: str) -> tuple[list[str], str]:
    """The command. It requests no page."""
    options = ["--any-address", "--timeout", str(int(float(seconds)))]
    pages = [f"{base}/{page}" for page in PAGES]
    verdicts = [row.split()[0] for row in run(program, "check", "-a", "ExampleBot", "--live", *options, *pages).stdout.splitlines()]
    for page, verdict in zip(pages, verdicts):
        if verdict == "allowed":
            with suppress(urllib.error.HTTPError):
                urllib.request.urlopen(urllib.request.Request(page, headers={"User-Agent": "ExampleBot"})).close()
    kind = json.loads(run(program, "fetch", "--json", "--user-agent", "ExampleBot", *options, base).stdout)["outcome"]
    return [verdict.replace("disallowed", "forbidden") for verdict in verdicts], kind


def with_robots_curl(program: str, base: str, _seconds: str) -> tuple[list[str], str]:
    """The example. It is compiled with its timeout."""
    pages = [f"{base}/{page}" for page in PAGES]
    refused = dict(line.split(": ", 3)[2:] for line in run(program, "ExampleBot", *pages, "--", "-s").stderr.splitlines())
    return ["allowed" if page not in refused else "deferred" if "cannot be reached" in refused[page] else "forbidden" for page in pages], "-"


def main(name: str, program: str, _ways: str, seconds: str) -> None:
    visit = with_robots if name == "robots" else with_robots_curl

    def answer(line: str) -> None:
        way, base = line.split()
        words, kind = visit(program, base, seconds)
        text = " ".join(f"{page}={word}" for page, word in zip(PAGES, words))
        sys.stdout.write(f"{way} {text} kind={kind} for=-\n")  # one write: threads do not mix their lines

    with ThreadPoolExecutor(24) as pool:
        list(pool.map(answer, sys.stdin))


main(*sys.argv[1:])
