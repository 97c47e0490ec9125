"""Starts the site that crawlers of all languages visit (examples/site/server.py), and reads its log."""

from __future__ import annotations

import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

ROOT = Path(__file__).parents[3]
SERVER = ROOT / "examples" / "site" / "server.py"


class Site:
    """Addresses by kind, and after the end the requests: (kind, status, path), with times (seconds, kind, path)."""

    def __init__(self) -> None:
        self.at: dict[str, str] = {}
        self.requests: list[tuple[str, int, str]] = []
        self.times: list[tuple[float, str, str]] = []

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
            seconds, kind, status, path = line.split(" ", 3)
            site.requests.append((kind, int(status), path))
            site.times.append((float(seconds), kind, path))


@contextmanager
def dripping(start: bytes) -> Iterator[str]:
    """Serve a response that starts so, and goes on with a byte in 0.1 seconds, for 10 seconds."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            connection = server.accept()[0]
            with connection, suppress(OSError):
                connection.recv(65_536)
                connection.sendall(start)
                for _ in range(100):
                    time.sleep(0.1)
                    connection.sendall(b"0")

        threading.Thread(target=serve, daemon=True).start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}"


PACED = {"slow": (1.0, 3), "brisk": (0.2, 12), "free": (0.0, 35)}
"""Kinds by their crawl-delay in seconds, and how many pages of each 50 tasks request at once."""


def paced_urls(site: Site) -> list[str]:
    """Return the 50 URLs, first those of the site that is to be visited slowly."""
    return [f"{site.at[kind]}missing.html?{number}" for kind, (_, count) in PACED.items() for number in range(count)]


def assert_paced(site: Site, is_throttled: bool = False) -> None:
    """Assert that the requests arrived a crawl-delay apart, and that no site waited for another one.

    No gap in the log of the server is below the delay. The margin is that of the clocks: those of the cache and of the log
    have milliseconds. A request that arrives late does not come closer to the next one, because the delay counts from its
    response. ``is_throttled``: the client waits for other reasons, too.
    """
    arrivals = {kind: [at for at, which, path in site.times if which == kind and "?" in path] for kind in PACED}
    for kind, (delay, count) in PACED.items():
        times = arrivals[kind]
        assert len(times) == count, kind
        [robots] = [at for at, which, path in site.times if (which, path) == (kind, "/robots.txt")]
        gaps = [second - first for first, second in zip([robots, *times], times)]
        assert min(gaps) >= delay - 0.002, (kind, gaps)
    if not is_throttled:
        # Load delays the pages of all sites, but sites one after another would have no time in common.
        first, last = (
            max(times[0] for times in arrivals.values()),
            min(arrivals[kind][-1] for kind in ("slow", "brisk")),
        )
        assert first < last, arrivals


FORBIDDEN = ("/private/", "/list.pdf", "/private/diary.html", "/private/%64iary.html", "/priv%61te/letters.html")
"""The pages that a reader of the server's robots.txt finds disallowed."""

OUTAGES = ("overrun", "half", "archive", "reset")
"""Kinds whose robots.txt cannot be had."""
