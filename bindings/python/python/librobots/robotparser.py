"""The API of ``urllib.robotparser``, on librobots.

Replace ``from urllib.robotparser import RobotFileParser`` by ``from librobots.robotparser import RobotFileParser``. The
verdicts are those of RFC 9309. The standard library follows it, too, in newer versions such as CPython 3.14.8, but:

- A group applies to each crawler whose name contains that of the group. Here, the names must be equal.
- It disallows everything after status 401 or 403. Here, a site without a readable robots.txt allows everything.
- A byte order mark hides the first line. Here, it is removed.
- Older versions, such as 3.13.0, follow the draft of 1996: the first rule that matches decides, ``*`` and ``$`` are
  letters, a blank line ends a group, and groups with the same name are not merged.
- It takes a compressed file for text. Here, gzip is read, and other codings allow nothing for now.
- It ignores crawl-delay and request-rate until a time is known, see ``modified``. So does this module.
- It reads files of any length. Here, the first 512,000 bytes count: ``RobotFileParser.max_bytes = 10_000_000`` sets another
  number.
- It ignores a group without rules. Here, such a group allows everything to the agents that it names (RFC 9309).
- ``read`` sets ``allow_all`` or ``disallow_all`` after a status from 400 to 499, and leaves ``mtime`` at 0. Here, it sets the
  time of the fetch, and the two attributes are the caller's.
- It allows everything after ``modified`` without a file. Here, nothing is allowed then.
- It adds the file of each ``read`` to those before. Here, a new file replaces the last one; lines of ``parse`` stay.
"""

from __future__ import annotations

import http.client
import socket
import time
import urllib.parse
import urllib.request
from collections.abc import Iterable
from typing import NamedTuple

from . import _client
from ._agent import MAX_BYTES, RulesByAgent, is_compressed, join_lines
from ._enums import Step
from ._errors import SchemeError
from ._librobots import Crawler, Fetch, Rules

__all__ = ["RequestRate", "RobotFileParser"]

# Ends the last group of one text, so that the next text cannot add to it.
_BETWEEN = "\nDisallow:\nUser-agent:\n"


class _AsItIs(urllib.request.HTTPErrorProcessor):
    """Returns each response, whatever its status: the engine follows redirects."""

    def http_response(
        self, request: urllib.request.Request, response: http.client.HTTPResponse
    ) -> http.client.HTTPResponse:
        return response

    https_response = http_response


class RequestRate(NamedTuple):
    """At most ``requests`` in ``seconds``."""

    requests: int
    seconds: int


class RobotFileParser:
    """A robots.txt: fetched by ``read``, or parsed from lines. It allows nothing before that."""

    host: str
    path: str

    opener: urllib.request.OpenerDirector = urllib.request.build_opener(_AsItIs)
    """Sends the requests. One of your own must return responses of all statuses, redirects among them."""

    max_bytes: int = MAX_BYTES
    """The number of bytes of a file that are read, 512,000 to 1 GiB."""

    def __init__(self, url: str = "") -> None:
        self.last_checked: float = 0
        self.disallow_all = False
        """Set by the caller: nothing is allowed, whatever the file says. It counts before ``allow_all``."""
        self.allow_all = False
        """Set by the caller: everything is allowed, whatever the file says."""
        self._file: RulesByAgent | None = None
        self._site_wide: Rules | None = None
        self._parsed: list[str] = []
        self._fetched: list[str] = []
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
        self.host, self.path = urllib.parse.urlsplit(url)[1:3]

    def read(self) -> None:
        """Fetch the robots.txt and parse it, within ``_client.TIMEOUT`` seconds.

        ``socket.setdefaulttimeout`` limits each wait for the server, and the whole if it is longer.
        Raises what urllib raises, such as ``urllib.error.URLError`` if the server cannot be reached, and
        ``http.client.IncompleteRead`` if the connection ends early; TimeoutError; UnicodeDecodeError for a file in UTF-16.
        After a status such as 500, 429 or 206, for a file that is shorter than its length, or has another coding than gzip,
        nothing is allowed for now. http.client does not show that the lines after the last chunk are missing. A ``file:`` or
        ``data:`` URL is read as urllib reads it.
        """
        timeout = socket.getdefaulttimeout() or _client.TIMEOUT
        try:
            fetch = Fetch(Crawler("*", max_bytes=self.max_bytes), self.url)
        except SchemeError:
            with self.opener.open(self.url, timeout=timeout) as response:
                body = response.read()
        else:
            _client.in_time(max(timeout, _client.TIMEOUT), lambda: self._retrieve(fetch, timeout))
            if fetch.file is None:
                rules = fetch.outcome.rules() if fetch.outcome is not None else None
                self._site_wide, self._file = rules or Rules.disallow_all(), None
                self.modified()
                return
            body = fetch.file
        # A file in UTF-16 has no line that the parser understands, and would allow everything.
        is_utf16 = body.startswith((b"\xff\xfe", b"\xfe\xff"))
        self._fetched = [body.decode("utf-8", "strict" if is_utf16 else "surrogateescape")]
        self._compile()

    def _retrieve(self, fetch: Fetch, timeout: float) -> None:
        url = self.url
        while fetch.step == Step.GET:
            request = urllib.request.Request(url, headers={**fetch.request_headers, "Accept-Encoding": "identity"})
            with self.opener.open(request, timeout=timeout) as response:
                fetch.status(response.status)
                for name, value in response.headers.items():
                    fetch.header(name, value.encode("latin-1", "replace"))
                if fetch.headers_end() == Step.BODY:
                    is_cut = response.length != 0 and not response.chunked
                    while piece := response.read1(65_536):
                        is_cut = False
                        if fetch.body(piece) != Step.BODY:
                            return
                    if is_cut:  # no byte, and no header that says so: the headers may have been cut
                        raise http.client.IncompleteRead(b"")
                    fetch.end()
            url = fetch.url

    def parse(self, lines: Iterable[str]) -> None:
        """Parse the lines of a robots.txt, and add them to those before.

        No content is an error. Text that is still compressed allows nothing (SPEC 4.4).
        """
        self._parsed.append(join_lines(lines))
        self._compile()

    def _compile(self) -> None:
        texts = self._parsed + self._fetched
        compressed = (text for text in texts if is_compressed(text))
        self._file, self._site_wide = RulesByAgent(next(compressed, _BETWEEN.join(texts)), self.max_bytes), None
        self.modified()

    def can_fetch(self, useragent: str, url: str) -> bool:
        """Return whether the user agent may fetch the URL: an absolute URL, or a path that starts with ``/``."""
        if self.disallow_all or self.allow_all:
            return not self.disallow_all
        if not self.last_checked:
            return False
        if self._file is not None:
            return self._file.allows(useragent, "/" if url == "" else url)
        return self._site_wide is not None and self._site_wide.is_allowed("/" if url == "" else url)

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
        line, _ = self._file.times(useragent)
        if line is None or line.request_rate is None:
            return None
        return RequestRate(line.request_rate.requests, line.request_rate.seconds)

    def site_maps(self) -> list[str] | None:
        """Return the sitemaps; None if there are none."""
        sitemaps = self._file.sitemaps if self._file is not None else ()
        return list(sitemaps) or None

    def __str__(self) -> str:
        """Return the robots.txt."""
        return "\n".join(self._parsed + self._fetched)

    def _rules(self, useragent: str) -> Rules | None:
        if not self.last_checked:
            return None
        if self._file is not None:
            return self._file.rules(useragent)
        return self._site_wide
