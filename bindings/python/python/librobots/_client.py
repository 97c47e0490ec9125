"""What the helpers for HTTP clients share. No I/O happens here."""

from __future__ import annotations

import logging
import math
import socket
import ssl
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar
from urllib.parse import urlsplit

from ._enums import Action, Failure, Reason, Step
from ._errors import ArgumentError, UrlError
from ._librobots import Cache, CacheDecision, Fetch, Origin, Outcome, Ticket, url_to_send
from ._refusals import DeferError, ForbiddenError

TIMEOUT = 30.0
"""The default timeout of one fetch of a robots.txt, in seconds, including its redirects."""

_logger = logging.getLogger("librobots")

FIRST_PAUSE, LAST_PAUSE = 0.005, 1.0
"""Seconds between two checks while another process or an unknown task fetches the robots.txt."""

MOST_FETCHES = 2
"""How often one request fetches the robots.txt: at first, and when that is old at the time of its slot."""

# Every client undoes these.
_CODINGS = {"", "identity", "gzip", "x-gzip", "deflate"}


class Event(Protocol):
    """What tasks or threads wait for: an event of asyncio, anyio or threading."""

    def set(self) -> object:
        """Wake who waits."""


_E = TypeVar("_E", bound=Event)


@dataclass(frozen=True)
class Wait(Generic[_E]):
    """Wait until the event is set, or for so many seconds."""

    event: _E | None
    seconds: float


class RequestChecker(Generic[_E]):
    """Checks requests by a cache. It says what to do next; the caller does the I/O. Threads may share it.

    ``timeout``: seconds for one fetch of a robots.txt. ``clock``: returns seconds since 1970-01-01 UTC. ``on_outcome`` is
    called with the outcome of each fetch, after the cache has stored it.
    """

    def __init__(
        self,
        cache: Cache,
        crawler: int = 0,
        user_agent: str | None = None,
        *,
        timeout: float = TIMEOUT,
        clock: Callable[[], float] = time.time,
        on_outcome: Callable[[Outcome], object] | None = None,
    ) -> None:
        if not 0 <= crawler < len(cache.crawlers):
            raise ArgumentError(f"crawler={crawler} is out of range: the cache has {len(cache.crawlers)} crawlers")
        tokens = cache.crawlers[crawler].tokens
        self.cache, self.crawler, self.timeout, self.clock = cache, crawler, timeout, clock
        self.on_outcome = on_outcome
        self.user_agent = user_agent or (tokens[0] if tokens else "librobots")
        self._flights: dict[str, _E] = {}
        self._tokens: tuple[str, ...] = tokens
        self.note_agent(self.user_agent)

    def note_agent(self, user_agent: str) -> None:
        """Log a warning, once, if a User-Agent holds none of the product tokens that the robots.txt is read for."""
        if self._tokens and not any(token.lower() in user_agent.lower() for token in self._tokens):
            _logger.warning(
                "requests have the User-Agent %r, but robots.txt is read for %s: name the token in the User-Agent",
                user_agent,
                " or ".join(self._tokens),
            )
            self._tokens = ()

    def steps(self, url: str, longest: float = math.inf) -> Iterator[Ticket | Wait[_E]]:
        """Iterate over what to do before a request: fetch the robots.txt of a ticket, or wait. After the last, send it.

        The last waits are for the slot of the site; :class:`DeferError` if they take more than ``longest`` seconds. Raises
        for a request that may not be sent. ``url`` is the form that the client sends.
        """
        pause = FIRST_PAUSE
        slot: float | None = None
        fetches = 0
        while True:
            decision = self.cache.request(url, slot=slot, now=self.clock(), crawler=self.crawler)
            # A file that is old as soon as it is there is not fetched for one request again and again.
            is_last = fetches >= MOST_FETCHES
            if decision.ticket is not None and is_last:
                decision.ticket.release()
            elif decision.ticket is not None:
                fetches += 1
                yield decision.ticket
            if decision.action == Action.FETCH and is_last:
                raise DeferError(without_password(url), math.ceil(self.clock()) + 1, Reason.DEFER)
            if decision.action != Action.FETCH:
                if is_done(self.cache, url, decision):
                    if decision.request_in == 0 and (decision.ticket is None or is_last):
                        return
                    slot, longest = decision.request_at, longest - decision.request_in
                    if longest < 0:
                        raise DeferError(without_password(url), math.ceil(slot or 0), Reason.DEFER)
                    yield Wait(None, decision.request_in)
                    continue
                flight = self._flights.get(origin_key(url))
                yield Wait(flight, self.timeout if flight is not None else pause)
                pause = min(2 * pause, LAST_PAUSE)

    @contextmanager
    def fetching(self, ticket: Ticket, event: _E) -> Iterator[Fetch]:
        """Start the fetch of a ticket; at the end submit its outcome, and set the event.

        If the caller raises, another one gets a ticket.
        """
        self._flights[ticket.origin] = event
        try:
            with ticket:
                fetch = ticket.fetch(now=self.clock())
                yield fetch
                if fetch.outcome is not None:
                    ticket.finish(fetch.outcome, now=self.clock())
                    if self.on_outcome is not None:
                        self.on_outcome(fetch.outcome)
        finally:
            self._flights.pop(ticket.origin, None)
            event.set()

    def responded(self, url: str, status: int, retry_after: str | None) -> None:
        """Report the response to a page: the crawl-delay counts from it, and after 429 or 503 its site rests."""
        self.cache.retry_after(url, status, retry_after, now=self.clock())

    def fail(self, fetch: Fetch, failure: Failure) -> None:
        """Report a failure, unless the fetch is done."""
        if fetch.step != Step.DONE:
            fetch.fail(failure, now=self.clock())


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
        # With a slot, only that is too far away: nothing is wrong with the robots.txt.
        outcome = cache.outcome(url) if decision.request_at is None else None
        cause, status = (outcome.cause, outcome.http_status) if outcome else (None, 0)
        reason = decision.verdict.reason if decision.verdict is not None else Reason.DEFER
        raise DeferError(without_password(url), decision.until or 0, reason, cause, status)
    return False


def form_to_send(scheme: str, host: str, target: str) -> str:
    """Return the form of a page's URL: what is checked, and then sent (SPEC 8.11). ``host`` may come from a Host header."""
    if any(character in host for character in "/\\?#@ \t"):
        raise UrlError(f"the Host header {host!r} is no host")
    return url_to_send(f"{scheme}://{host}{target}")


def target_of(form: str) -> str:
    """Return the path and query of a form."""
    return form[len(origin_key(form)) :]


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
