"""A client middleware for aiohttp (3.12 or newer) that asks robots.txt first.

::

    cache = librobots.Cache(librobots.Crawler("ExampleBot"))
    async with aiohttp.ClientSession(middlewares=[RobotsMiddleware(cache)]) as session:
        await session.get("https://example.com/")  # raises ForbiddenError or DeferError instead of a forbidden request

A refused request is not sent. Each redirect that the session follows is checked like any request. The robots.txt of a site
is fetched once, by the same session; other tasks wait for it. An old robots.txt stays in use while a task refreshes it. A
site whose robots.txt cannot be reached is deferred: no request is sent, and no URL counts as forbidden.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable

import aiohttp
from yarl import URL

from . import _client
from ._errors import DeferError, ForbiddenError
from ._librobots import Cache, Fetch, Ticket
from ._types import Action, Failure, Step

__all__ = ["DeferError", "ForbiddenError", "RobotsMiddleware"]


class RobotsMiddleware:
    """A middleware that refuses what robots.txt disallows. All tasks of one event loop may share it.

    ``cache``: the outcomes; several middlewares may share it. ``crawler``: the index of the cache's crawler. ``user_agent``:
    the User-Agent of requests for a robots.txt; default: the product token. ``timeout``: seconds for one fetch of a
    robots.txt with its redirects. ``clock``: returns seconds since 1970-01-01 UTC.

    Raises :class:`ForbiddenError`, :class:`DeferError`, or :class:`UrlError` for a bad URL; the request is not sent.
    """

    def __init__(
        self,
        cache: Cache,
        *,
        crawler: int = 0,
        user_agent: str | None = None,
        timeout: float = _client.TIMEOUT,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._cache, self._crawler, self._timeout, self._clock = cache, crawler, timeout, clock
        self._user_agent = _client.agent_header(cache, crawler, user_agent)
        self._flights: dict[str, asyncio.Event] = {}

    async def __call__(
        self, request: aiohttp.ClientRequest, handler: aiohttp.ClientHandlerType
    ) -> aiohttp.ClientResponse:
        """Send the request if robots.txt allows it."""
        await self._ask(request)
        return await handler(request)

    async def _ask(self, request: aiohttp.ClientRequest) -> None:
        url, pause = _site_url(request), _client.FIRST_PAUSE
        while True:
            decision = self._cache.check(url, now=self._clock(), crawler=self._crawler)
            if decision.ticket is not None:
                await self._fetch(decision.ticket, request)
            if decision.action != Action.FETCH:
                if _client.is_done(self._cache, url, decision):
                    return
                flight = self._flights.get(_client.origin_key(url))
                with contextlib.suppress(asyncio.TimeoutError):
                    await asyncio.wait_for(flight.wait() if flight is not None else asyncio.sleep(pause), self._timeout)
                pause = min(2 * pause, _client.LAST_PAUSE)

    async def _fetch(self, ticket: Ticket, request: aiohttp.ClientRequest) -> None:
        flight = self._flights[ticket.origin] = asyncio.Event()
        try:
            with ticket:
                fetch = ticket.fetch(now=self._clock())
                try:
                    await asyncio.wait_for(self._retrieve(fetch, request), self._timeout)
                except asyncio.TimeoutError:
                    self._fail(fetch, Failure.TIMEOUT)
                except (aiohttp.ClientPayloadError, aiohttp.http.HttpProcessingError):
                    self._fail(fetch, Failure.TRUNCATED)
                except aiohttp.ClientConnectorError as error:
                    self._fail(fetch, _client.failure_of(error) or Failure.CONNECT)
                except (aiohttp.ClientError, ValueError, OSError) as error:
                    self._fail(fetch, _client.failure_of(error) or Failure.OTHER)
                if fetch.outcome is not None:
                    ticket.finish(fetch.outcome, now=self._clock())
        finally:
            self._flights.pop(ticket.origin, None)
            flight.set()

    async def _retrieve(self, fetch: Fetch, request: aiohttp.ClientRequest) -> None:
        site = _client.origin_key(_site_url(request))
        while fetch.step == Step.GET:
            url, headers = URL(fetch.url, encoded=True), _client.request_headers(fetch, self._user_agent)
            if _client.origin_key(fetch.url) == site:
                # The request to the site itself goes to the server of the page, which the Host header may not name.
                headers["Host"] = request.headers.get("Host", url.authority)
                url = url.with_host(request.url.raw_host or "").with_port(request.url.explicit_port)
            async with request.session.get(
                url,
                headers=headers,
                allow_redirects=False,
                raise_for_status=False,
                middlewares=(),
                timeout=aiohttp.ClientTimeout(total=self._timeout),
            ) as response:
                await self._read(fetch, response, request.session.auto_decompress)

    async def _read(self, fetch: Fetch, response: aiohttp.ClientResponse, is_decoded: bool) -> None:
        headers = [(name, value) for name, value in response.headers.items()]
        step = _client.report_head(fetch, response.status, headers, self._clock())
        if step != Step.BODY:
            return
        if not is_decoded and response.headers.get("Content-Encoding", "identity").lower() != "identity":
            self._fail(fetch, Failure.ENCODED_BODY)
            return
        async for piece in response.content.iter_any():
            if fetch.body(piece) != Step.BODY:
                return
        fetch.end()

    def _fail(self, fetch: Fetch, failure: Failure) -> None:
        if fetch.step != Step.DONE:
            fetch.fail(failure, now=self._clock())


def _site_url(request: aiohttp.ClientRequest) -> str:
    """Return the URL of the page; a Host header names its site."""
    host, url = request.headers.get("Host", ""), request.url
    if host and host.lower() not in (url.authority.rpartition("@")[2].lower(), (url.raw_host or "").lower()):
        return f"{url.scheme}://{host}{url.raw_path_qs}"
    return str(url)
