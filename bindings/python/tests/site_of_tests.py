"""Starts the site that crawlers of all languages visit (examples/site/server.py), and reads its log."""

from __future__ import annotations

import importlib.util
import io
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[3]


def program(path: Path) -> Any:
    """Import a program that is not installed."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


SERVER = program(ROOT / "examples" / "site" / "server.py")


def late(request: Any) -> None:
    """Answer with headers that go on with a byte in 0.1 seconds, for 10 seconds."""
    request.note(200)
    with suppress(OSError):
        request.wfile.write(b"HTTP/1.1 200 OK\r\nX-Late: ")
        for _ in range(100):
            time.sleep(0.1)
            request.wfile.write(b"0")


SERVER.KINDS["late"] = late


class Site:
    """Sites of the server: ``at`` has their addresses by kind. They run until the tests end."""

    def __init__(self, *kinds: str) -> None:
        self._log = io.StringIO()
        self.at: dict[str, str] = {server.kind: server.address for server in SERVER.start(kinds, self._log)}

    def log(self) -> list[tuple[float, str, int, str]]:
        """Return the time in seconds, the kind, the status and the path of each request so far."""
        lines = (line.split(" ", 3) for line in self._log.getvalue().splitlines())
        return [(float(seconds), kind, int(status), path) for seconds, kind, status, path in lines]

    def pages(self, kind: str) -> set[str]:
        """Return the pages of a kind that were requested, without those of its robots.txt."""
        own = {"/robots.txt", "/moved/robots.txt", "/moved/again.txt"}
        return {path for _, which, _, path in self.log() if which == kind} - own

    def robots(self, kind: str) -> list[int]:
        """Return the statuses of the requests for the robots.txt of a kind."""
        return [status for _, which, status, path in self.log() if (which, path) == (kind, "/robots.txt")]


PACED = {"slow": (1.0, 3), "brisk": (0.2, 8), "free": (0.0, 39)}
"""Kinds by their crawl-delay in seconds, and how many pages of each 50 tasks request at once."""


def paced_urls(at: dict[str, str]) -> list[str]:
    """Return the 50 URLs, first those of the site that is to be visited slowly."""
    return [f"{at[kind]}missing.html?{number}" for kind, (_, count) in PACED.items() for number in range(count)]


def assert_paced(log: list[tuple[float, str, int, str]]) -> None:
    """Assert that the requests arrived a crawl-delay apart, and that no site waited for another one.

    No gap in the log of the server is below the delay. The margin is that of the clocks: those of the cache and of the log
    have milliseconds. A request that arrives late does not come closer to the next one, because the delay counts from its
    response.
    """
    arrivals = {kind: [at for at, which, _, path in log if which == kind and "?" in path] for kind in PACED}
    for kind, (delay, count) in PACED.items():
        times = arrivals[kind]
        assert len(times) == count, kind
        [robots] = [at for at, which, _, path in log if (which, path) == (kind, "/robots.txt")]
        gaps = [second - first for first, second in zip([robots, *times], times)]
        assert min(gaps) >= delay - 0.002, (kind, gaps)
    # Load delays the pages of all sites, but sites one after another would have no time in common.
    first = max(times[0] for times in arrivals.values())
    assert first < min(arrivals[kind][-1] for kind in ("slow", "brisk")), arrivals


FORBIDDEN = ("/private/", "/list.pdf", "/private/diary.html", "/private/%64iary.html", "/priv%61te/letters.html")
"""The pages that a reader of the server's robots.txt finds disallowed."""
