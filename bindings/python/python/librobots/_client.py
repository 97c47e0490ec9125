"""What the helpers for HTTP clients share. No I/O happens here."""

from __future__ import annotations

import logging
import math
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any
from urllib.parse import urlsplit

from ._enums import Action, Failure, Reason, Step
from ._errors import ArgumentError, StateError, UrlError
from ._librobots import Cache, CacheDecision, Fetch, Origin, Outcome, Ticket, url_to_send
from ._refusals import DeferError, ForbiddenError

TIMEOUT = 30.0
"""The default timeout of one fetch of a robots.txt, in seconds, including its redirects."""

_logger = logging.getLogger("librobots")

FIRST_PAUSE, LAST_PAUSE = 0.005, 0.04
"""Seconds between two checks while another process or an unknown task fetches the robots.txt."""

MOST_FETCHES = 2
"""How often one request fetches the robots.txt: at first, and when that is old at the time of its slot."""

# Classes of exceptions by name, because not all clients are installed.
_FAILURES = {
    Failure.DNS: "gaierror CannotResolveHostError DNSLookupError",
    Failure.CONNECT: "ClientConnectorError ConnectError ConnectionRefusedError DownloadConnectionRefusedError",
    Failure.TLS: "SSLError",
    Failure.TIMEOUT: "DownloadTimeoutError TCPTimedOutError TimeoutError TimeoutException",
    Failure.RESET: "ConnectionDone ConnectionError ConnectionLost",
    Failure.TRUNCATED: "ClientPayloadError HttpProcessingError IncompleteRead RemoteProtocolError ResponseDataLossError",
}
_FAILURE_OF = {name: failure for failure, names in _FAILURES.items() for name in names.split()}


def _log(event: str, **fields: object) -> None:
    """Log an event with its fields: in the text, and as attributes of the record."""
    if _logger.isEnabledFor(logging.DEBUG):
        _logger.debug("%s: %s", event, " ".join(f"{name}={value}" for name, value in fields.items()), extra=fields)


def _fields(outcome: Outcome) -> dict[str, object]:
    return {
        "origin": outcome.origin,
        "kind": outcome.kind.name,
        "cause": outcome.cause.name,
        "status": outcome.http_status,
        "hops": outcome.hops,
        "stale": outcome.stale,
        "final_url": outcome.final_url,
        "retry_at": outcome.retry_at,
    }


class RequestChecker:
    """Checks requests by a cache. It says what to do next; the caller does the I/O. Threads may share it.

    Events are those of asyncio, anyio or threading.
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
        self._flights: dict[str, Any] = {}
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

    def steps(self, url: str, longest: float = math.inf) -> Iterator[Any]:
        """Iterate over what to do before a request. After the last, send it.

        Fetch the robots.txt of a ticket, wait for an event, at most ``timeout`` seconds, or wait for a number of seconds.

        The last waits are for the slot of the site; :class:`DeferError` if they take more than ``longest`` seconds. Raises
        for a request that may not be sent. ``url`` is the form that the client sends.
        """
        try:
            yield from self._steps(url, longest)
        except DeferError as refusal:
            cause = refusal.cause.name if refusal.cause is not None else None
            _log("request deferred", url=refusal.url, cause=cause, until=refusal.until)
            raise

    def _steps(self, url: str, longest: float) -> Iterator[Any]:
        pause = FIRST_PAUSE
        slot: float | None = None
        fetches = 0
        while True:
            now = max(self.clock(), slot or 0.0)  # the caller waited for it, also where the clock stands still
            decision = self.cache.request(url, slot=slot, now=now, crawler=self.crawler)
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
                    if decision.request_in > 0:
                        _log("request paced", url=without_password(url), until=slot)
                    yield decision.request_in
                    continue
                flight = self._flights.get(origin_key(url))
                yield flight if flight is not None else pause
                pause = min(2 * pause, LAST_PAUSE)

    @contextmanager
    def fetching(self, ticket: Ticket, event: Any) -> Iterator[Fetch]:
        """Start the fetch of a ticket; at the end submit its outcome, and set the event.

        An exception of the caller is a failure of the fetch. After a cancellation another one gets a ticket.
        """
        self._flights[ticket.origin] = event
        try:
            with ticket:
                fetch = ticket.fetch(now=self.clock())
                try:
                    yield fetch
                except Exception as error:
                    _logger.debug("the fetch of %s failed", fetch.url, exc_info=True)
                    self.fail(fetch, failure_of(error))
                if fetch.outcome is not None:
                    ticket.finish(fetch.outcome, now=self.clock())
                    _log("robots.txt fetched", **_fields(fetch.outcome))
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
        with suppress(StateError):
            fetch.fail(failure, now=self.clock())

    def wants_body(self, fetch: Fetch, status: int, headers: Iterable[tuple[bytes, bytes]]) -> bool:
        """Report status and headers of a response. Return whether its body is wanted, as raw bytes."""
        fetch.status(status, now=self.clock())
        for name, value in headers:
            fetch.header(name, value)
        return fetch.headers_end() == Step.BODY


def request_headers(fetch: Fetch, user_agent: str) -> dict[str, str]:
    """Return the headers of the request for a robots.txt. The engine undoes gzip, which some servers send all the same."""
    own = {"User-Agent": user_agent, "Accept": "text/plain, */*;q=0.1", "Accept-Encoding": "identity"}
    return {**own, **fetch.request_headers}


def in_time(seconds: float, work: Callable[[], None]) -> None:
    """Do work in a thread. Raises what it raises, and TimeoutError after so many seconds; then the thread goes on alone."""
    errors: list[Exception] = []

    def run() -> None:
        try:
            work()
        except Exception as error:
            errors.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(seconds)
    if thread.is_alive():
        raise TimeoutError
    for error in errors:
        raise error


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


def host_of(form: str) -> str:
    """Return the Host header of a form."""
    return origin_key(form).partition("://")[2]


def origin_key(url: str) -> str:
    """Return the key of the origin of a URL. Raises :class:`UrlError`."""
    return Origin(url).key


def without_password(url: str) -> str:
    """Return a URL without user name, password and fragment, for messages."""
    parts = urlsplit(url)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2], fragment="").geturl()


def failure_of(error: BaseException) -> Failure:
    """Return what an exception of a client means. Its innermost cause decides."""
    found = Failure.OTHER
    seen: list[BaseException] = []
    current: BaseException | None = error
    while current is not None and current not in seen:
        seen.append(current)
        names = [kind.__name__ for kind in type(current).__mro__]
        found = next((_FAILURE_OF[name] for name in names if name in _FAILURE_OF), found)
        current = current.__cause__ or current.__context__
    return found
