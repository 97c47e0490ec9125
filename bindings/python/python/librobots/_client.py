"""What the helpers for HTTP clients share. No I/O happens here."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Iterable
from urllib.parse import urlsplit

from ._errors import ArgumentError, DeferError, ForbiddenError
from ._librobots import Cache, CacheDecision, Fetch, Origin
from ._types import Action, Failure, Reason, Step

TIMEOUT = 30.0
"""The default timeout of one fetch of a robots.txt, in seconds, including its redirects."""

FIRST_PAUSE, LAST_PAUSE = 0.005, 1.0
"""Seconds between two checks while another process or an unknown task fetches the robots.txt."""

# Every client undoes these.
_CODINGS = {"", "identity", "gzip", "x-gzip", "deflate"}


def agent_header(cache: Cache, crawler: int, user_agent: str | None) -> str:
    """Return the User-Agent for requests for a robots.txt: the argument, or the product token of the crawler."""
    if not 0 <= crawler < len(cache.crawlers):
        raise ArgumentError(f"crawler={crawler} is out of range: the cache has {len(cache.crawlers)} crawlers")
    tokens = cache.crawlers[crawler].tokens
    return user_agent or (tokens[0] if tokens else "librobots")


def request_headers(fetch: Fetch, user_agent: str) -> dict[str, str]:
    """Return the headers of the request for a robots.txt."""
    own = {"User-Agent": user_agent, "Accept": "text/plain, */*;q=0.1", "Accept-Encoding": "gzip, deflate"}
    return {**own, **fetch.request_headers}


def report_head(fetch: Fetch, status: int, headers: Iterable[tuple[str, str]], now: float) -> Step:
    """Report status and headers of a response. Return the next step."""
    fetch.status(status, now=now)
    is_encoded = False
    for name, value in headers:
        fetch.header(name, value)
        if name.lower() == "content-encoding":
            is_encoded |= any(coding.strip().lower() not in _CODINGS for coding in value.split(","))
    step = fetch.headers_end()
    if step == Step.BODY and is_encoded:
        step = fetch.fail(Failure.ENCODED_BODY, now=now)
    return step


def is_done(cache: Cache, url: str, decision: CacheDecision) -> bool:
    """Return whether the request may be sent, or False if the caller has to wait. Raises for a refusal."""
    if decision.action == Action.DECIDED:
        verdict = decision.verdict
        if verdict is not None and verdict.allowed:
            return True
        raise ForbiddenError(without_password(url), verdict)
    if decision.action == Action.DEFER:
        outcome = cache.outcome(url)
        cause, status = (outcome.cause, outcome.http_status) if outcome else (None, 0)
        reason = decision.verdict.reason if decision.verdict is not None else Reason.DEFER
        raise DeferError(without_password(url), decision.until or 0, reason, cause, status)
    return False


def origin_key(url: str) -> str:
    """Return the key of the origin of a URL. Raises :class:`UrlError`."""
    return Origin(url).key


def without_password(url: str) -> str:
    """Return a URL without user name, password and fragment, for messages."""
    parts = urlsplit(url)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2], fragment="").geturl()


def failure_of(error: BaseException) -> Failure | None:
    """Return what a system error means; None if it is none. The causes of the exception are searched."""
    seen: set[int] = set()
    current: BaseException | None = error
    while current is not None and id(current) not in seen:
        seen.add(id(current))
        if isinstance(current, socket.gaierror):
            return Failure.DNS
        if isinstance(current, ssl.SSLError):
            return Failure.TLS
        if isinstance(current, TimeoutError):
            return Failure.TIMEOUT
        if isinstance(current, ConnectionRefusedError):
            return Failure.CONNECT
        if isinstance(current, ConnectionError):
            return Failure.RESET
        current = current.__cause__ or current.__context__
    return None
