"""The API of ``urllib.robotparser``, on librobots.

Replace ``from urllib.robotparser import RobotFileParser`` by ``from librobots.robotparser import RobotFileParser``. The
verdicts are those of RFC 9309; those of the standard library are of the draft of 1996, or between the two:

- It applies the first rule that matches. Here, the longest decides.
- It has no wildcards in older versions of Python. Here, ``*`` and ``$`` have the meaning of RFC 9309.
- It disallows everything after status 401 or 403. Here, a site without a readable robots.txt allows everything.
- A blank line ends a group there, and groups with the same name are not merged. Here, they are.
- It ignores crawl-delay and request-rate until a time is known, see ``modified``. So does this module.
"""

from __future__ import annotations

import http.client
import time
import urllib.error
import urllib.request
from collections.abc import Iterable
from typing import NamedTuple

from ._agent import RulesByAgent
from ._librobots import Crawler, Rules

__all__ = ["RequestRate", "RobotFileParser"]

# One byte more than the engine reads shows whether the last line is complete.
_MAX_BYTES = 512_001
_TIMEOUT = 30.0
# No request asks for a coding. A body that is still compressed by gzip or zstd is found by its first bytes.
_READABLE = ("", "identity", "gzip", "x-gzip")


class RequestRate(NamedTuple):
    """At most ``requests`` in ``seconds``."""

    requests: int
    seconds: int


class RobotFileParser:
    """A robots.txt: fetched by ``read``, or parsed from lines. It allows nothing before that."""

    def __init__(self, url: str = "") -> None:
        self.last_checked = 0.0
        self._file: RulesByAgent | None = None
        self._site_wide: Rules | None = None
        self._text = ""
        self.set_url(url)

    def mtime(self) -> float:
        """Return when the file was fetched, in seconds since 1970-01-01 UTC; 0: not yet."""
        return self.last_checked

    def modified(self) -> None:
        """Set the time of the fetch to now."""
        self.last_checked = time.time()

    def set_url(self, url: str) -> None:
        """Set the URL of the robots.txt."""
        self.url = url

    def read(self) -> None:
        """Fetch the robots.txt and parse it.

        Raises ``urllib.error.URLError`` if the server cannot be reached, and ``http.client.IncompleteRead`` if the connection
        ends before the file does. After a status of 500 to 599, 429 or 206, or for a body with a Content-Encoding that nobody
        undid, nothing is allowed for now.
        """
        try:
            with urllib.request.urlopen(self.url, timeout=_TIMEOUT) as response:
                status, body = response.status, response.read(_MAX_BYTES)
                coding = response.headers.get("Content-Encoding", "").strip().lower()
                # With a bound, read() raises nothing for a body that is shorter than its Content-Length.
                missing = getattr(response, "length", None)
                if missing and len(body) < _MAX_BYTES:
                    raise http.client.IncompleteRead(body, missing)
        except urllib.error.HTTPError as error:
            status, body, coding = error.code, b"", ""
            error.close()
        if body and coding not in _READABLE:
            status = 0  # no answer that can be read
        outcome = Crawler().outcome_from_status(self.url, status, body)
        rules = outcome.rules()
        if rules is not None and not (rules.allows_all or rules.disallows_all or rules.unreachable):
            self._text = body.decode("utf-8", "surrogateescape")
            self._file, self._site_wide = RulesByAgent(body), None
            self.modified()
            return
        self._site_wide, self._file = rules or Rules.disallow_all(), None
        self.modified()

    def parse(self, lines: Iterable[str]) -> None:
        """Parse the lines of a robots.txt. No content is an error. Text that is compressed allows nothing."""
        self._text = "\n".join(line.rstrip("\r\n") for line in lines)
        self._file, self._site_wide = RulesByAgent(self._text), None
        self.modified()

    def can_fetch(self, useragent: str, url: str) -> bool:
        """Return whether the user agent may fetch the URL: an absolute URL, or a path that starts with ``/``."""
        rules = self._rules(useragent)
        return rules is not None and rules.is_allowed(url or "/")

    def crawl_delay(self, useragent: str) -> float | None:
        """Return the crawl-delay for the user agent in seconds; None if there is none."""
        rules = self._rules(useragent)
        delay = rules.crawl_delay if rules is not None else None
        # The module of the standard library returns int.
        return int(delay) if delay is not None and delay == int(delay) else delay

    def request_rate(self, useragent: str) -> RequestRate | None:
        """Return the first request-rate for the user agent; None if there is none."""
        if self._file is None or not self.last_checked:
            return None
        for line in self._file.extensions(useragent).lines:
            if line.request_rate and line.in_group:
                return RequestRate(line.request_rate.requests, line.request_rate.seconds)
        return None

    def site_maps(self) -> list[str] | None:
        """Return the sitemaps; None if there are none."""
        sitemaps = self._file.rules("").sitemaps if self._file is not None else ()
        return list(sitemaps) or None

    def __str__(self) -> str:
        """Return the robots.txt."""
        return self._text

    def _rules(self, useragent: str) -> Rules | None:
        if not self.last_checked:
            return None
        if self._file is not None:
            return self._file.rules(useragent)
        return self._site_wide
