"""Starts the site that crawlers of all languages visit (examples/site/server.py), and reads its log."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[3]
SERVER = ROOT / "examples" / "site" / "server.py"


class Site:
    """Addresses by kind, and after the end the requests: (kind, status, path)."""

    def __init__(self) -> None:
        self.at: dict[str, str] = {}
        self.requests: list[tuple[str, int, str]] = []

    def pages(self, kind: str) -> set[str]:
        """Return the pages of a kind that were requested, without those of its robots.txt."""
        own = {"/robots.txt", "/moved/robots.txt", "/moved/again.txt"}
        return {path for which, _, path in self.requests if which == kind} - own

    def robots(self, kind: str) -> list[int]:
        """Return the statuses of the requests for the robots.txt of a kind."""
        return [status for which, status, path in self.requests if (which, path) == (kind, "/robots.txt")]


@contextmanager
def served(*kinds: str) -> Iterator[Site]:
    """Serve a site for each kind. The requests are known after the end of the block."""
    site = Site()
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder, "log")
        command = [sys.executable, str(SERVER), "--log", str(log), *kinds]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdin is not None
            assert server.stdout is not None
            for _ in kinds:
                kind, address = server.stdout.readline().split()
                site.at[kind] = address
            try:
                yield site
            finally:
                server.stdin.close()
                server.wait(timeout=30)
        for line in log.read_text().splitlines():
            _, kind, status, path = line.split(" ", 3)
            site.requests.append((kind, int(status), path))


FORBIDDEN = ("/private/", "/list.pdf", "/private/diary.html", "/private/%64iary.html", "/priv%61te/letters.html")
"""The pages that a reader of the server's robots.txt finds disallowed."""

OUTAGES = ("overrun", "half", "archive", "reset")
"""Kinds whose robots.txt cannot be had."""
