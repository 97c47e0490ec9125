"""A strict reader of HTTP/1.1 (RFC 9112) that feeds ``librobots.Cache``: what the engine makes of the bytes of a way.

What is not framed as the RFC says is a failure of the transfer. A line may end with LF alone (section 2.2), and a header may be
folded (5.2), because the RFC lets a reader accept both. A reason phrase with the space before it may be missing.
"""

from __future__ import annotations

import re
import socket
import time
from collections.abc import Iterator
from urllib.parse import urlsplit

from librobots import Action, Cache, Crawler, Failure, Fetch, Step, Ticket

_STATUS = re.compile(rb"HTTP/1\.\d (\d{3})( [\t -~\x80-\xff]*)?")
_HEADER = re.compile(rb"([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\t -~\x80-\xff]*)")
_CHUNK = re.compile(rb"([0-9A-Fa-f]+)[ \t]*(;[\t -~\x80-\xff]*)?\r\n")
_SPACE = b" \t"


class Fault(Exception):
    """The response is not framed as it should be, or the connection ended."""


class Connection:
    """The bytes that a server sends, until a deadline."""

    def __init__(self, url: str, deadline: float) -> None:
        parts = urlsplit(url)
        self.deadline, self.buffer = deadline, b""
        self.socket = socket.create_connection((parts.hostname, parts.port), timeout=self.left())
        target = f"{parts.path}?{parts.query}" if parts.query else parts.path
        self.socket.sendall(f"GET {target} HTTP/1.1\r\nHost: {parts.netloc}\r\nAccept-Encoding: identity\r\n\r\n".encode())

    def left(self) -> float:
        left = self.deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError
        return left

    def more(self) -> bytes:
        """Return some bytes; none at the end of the connection."""
        buffer, self.buffer = self.buffer, b""
        if not buffer:
            self.socket.settimeout(self.left())
            buffer = self.socket.recv(65_536)
        return buffer

    def exactly(self, size: int) -> Iterator[bytes]:
        while size > 0:
            piece = self.more()
            if not piece:
                raise Fault
            piece, self.buffer = piece[:size], piece[size:]
            size -= len(piece)
            yield piece

    def line(self) -> bytes:
        """Return a line with its end."""
        line = b""
        while not line.endswith(b"\n"):
            line += b"".join(self.exactly(1))
        return line


def _head(connection: Connection) -> tuple[int, bytes, list[tuple[bytes, bytes]]]:
    """Return the status, the version and the headers of a response, of the last one after those of 1xx."""
    while True:
        line = _stripped(connection.line())
        found = _STATUS.fullmatch(line)
        if not found:
            raise Fault
        headers = _headers(connection)
        status = int(found[1])
        if not 100 <= status <= 199 or status == 101:
            return status, line[:8], headers


def _headers(connection: Connection) -> list[tuple[bytes, bytes]]:
    lines: list[bytes] = []
    while line := _stripped(connection.line()):
        if line[:1] in (b" ", b"\t") and lines:
            lines[-1] += b" " + line.strip(_SPACE)
        else:
            lines.append(line)
    found = [_HEADER.fullmatch(line) for line in lines]
    if None in found:
        raise Fault
    return [(match[1], match[2].strip(_SPACE)) for match in found if match]


def _stripped(line: bytes) -> bytes:
    return line[:-2] if line.endswith(b"\r\n") else line[:-1]


def _values(headers: list[tuple[bytes, bytes]], name: bytes) -> list[bytes]:
    """Return the members of a header's lists."""
    return [part.strip(_SPACE) for key, value in headers if key.lower() == name for part in value.split(b",")]


def _body(connection: Connection, version: bytes, headers: list[tuple[bytes, bytes]]) -> Iterator[bytes]:
    codings = [coding.lower() for coding in _values(headers, b"transfer-encoding") if coding.lower() != b"identity"]
    lengths = set(_values(headers, b"content-length"))
    if codings not in ([], [b"chunked"]) or (codings and version == b"HTTP/1.0"):
        raise Fault
    if codings:
        yield from _chunks(connection)
    elif lengths:
        if len(lengths) > 1 or not all(re.fullmatch(rb"\d+", length) for length in lengths):
            raise Fault
        yield from connection.exactly(int(lengths.pop()))
    else:
        while piece := connection.more():
            yield piece


def _chunks(connection: Connection) -> Iterator[bytes]:
    while True:
        found = _CHUNK.fullmatch(connection.line())
        if not found or len(found[1].lstrip(b"0")) > 15:
            raise Fault
        size = int(found[1], 16)
        if size == 0:
            _headers(connection)  # the trailers
            return
        yield from connection.exactly(size)
        if connection.line() != b"\r\n":
            raise Fault


def _exchange(fetch: Fetch, deadline: float) -> None:
    """Send one request, and report the response."""
    connection = Connection(fetch.url, deadline)
    with connection.socket:
        status, version, headers = _head(connection)
        fetch.status(status)
        for name, value in headers:
            fetch.header(name, value)
        if fetch.headers_end() != Step.BODY:
            return
        if status != 204:
            for piece in _body(connection, version, headers):
                if fetch.body(piece) == Step.DONE:
                    return
        fetch.end()


def _retrieve(ticket: Ticket, deadline: float) -> None:
    fetch = ticket.fetch()
    while fetch.step == Step.GET:
        try:
            _exchange(fetch, deadline)
        except (Fault, OSError) as error:
            fetch.fail(Failure.TIMEOUT if isinstance(error, TimeoutError) else Failure.TRUNCATED)
    ticket.finish(fetch.outcome)


def _visit(cache: Cache, url: str, seconds: float) -> str:
    """Request a page as the engine says, and report its response to the cache."""
    decision = cache.request(url)
    if decision.ticket is not None:
        _retrieve(decision.ticket, time.monotonic() + seconds)
        decision = cache.request(url)
    if not decision.allowed:
        return "forbidden" if decision.action == Action.DECIDED else "deferred"
    connection = Connection(url, time.monotonic() + seconds)
    with connection.socket:
        status, _, headers = _head(connection)
    cache.retry_after(url, status, b"".join(_values(headers, b"retry-after")).decode())
    return "allowed"


def outcome(base: str, seconds: float) -> str:
    """Return what the engine makes of a site: the answers for /open and /private, the kind, and the minutes to the next fetch."""
    cache = Cache(Crawler("ExampleBot"))
    words = [f"{page}={_visit(cache, f'{base}/{page}', seconds)}" for page in ("open", "private")]
    found = cache.outcome(base)
    assert found is not None
    return f"{' '.join(words)} kind={found.kind.name.lower()} for={round((found.retry_at - found.fetched_at) / 60)}"
