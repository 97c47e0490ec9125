"""A client middleware for aiohttp (3.12 or newer) that asks robots.txt first.

::

    cache = librobots.Cache(librobots.Crawler("ExampleBot"))
    async with aiohttp.ClientSession(middlewares=[RobotsMiddleware(cache)]) as session:
        await session.get("https://example.com/")  # raises ForbiddenError or DeferError instead of a forbidden request

A refused request is not sent; any other is sent in the form of :func:`librobots.url_to_send`, which was checked. Each
redirect that the session follows is checked like any request. The robots.txt of a site is fetched once, by the same session;
other tasks wait for it. An old robots.txt stays in use while a task refreshes it. A site whose robots.txt cannot be reached is
deferred: no request is sent, and no URL counts as forbidden.

Each request waits for the slot of its site: a crawl-delay after the one before, at most ``max_delay`` of the cache (60
seconds), and after a 429 or 503 of a page not before its Retry-After. A slot that is further away than ``horizon`` of the
cache raises :class:`DeferError`. A request that is cancelled while it waits leaves its slot unused.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
import time
from collections.abc import Callable

import aiohttp
from yarl import URL

from . import _client
from ._client import RequestChecker
from ._enums import Step
from ._librobots import Cache, Fetch, Outcome, Ticket
from ._refusals import DeferError, ForbiddenError

__all__ = ["DeferError", "ForbiddenError", "RobotsMiddleware"]


_SHARE = 0.8
"""The part of a session's total time that the fetch of a robots.txt, or the wait for a slot, may take."""


class RobotsMiddleware:
    """A middleware that refuses what robots.txt disallows. All tasks of one event loop may share it.

    ``cache``: the outcomes; several middlewares may share it. ``crawler``: the index of the cache's crawler. ``user_agent``:
    the User-Agent of requests for a robots.txt; default: the product token. ``timeout``: seconds for one fetch of a
    robots.txt with its redirects, but at most 80 % of the session's total time. ``clock``: returns seconds since 1970-01-01
    UTC. ``on_outcome`` is called with the outcome of each fetch of a robots.txt, after the cache has stored it and before the
    requests that wait for it go on.

    A slot that leaves less than 20 % of the session's total time raises :class:`DeferError`, too.

    Raises :class:`ForbiddenError`, :class:`DeferError`, or :class:`UrlError` for a bad URL; the request is not sent. The total
    time of one request, when it is over, raises TimeoutError as without the middleware: no ban either.
    """

    def __init__(
        self,
        cache: Cache,
        *,
        crawler: int = 0,
        user_agent: str | None = None,
        timeout: float = _client.TIMEOUT,
        clock: Callable[[], float] = time.time,
        on_outcome: Callable[[Outcome], object] | None = None,
    ) -> None:
        self._checker = RequestChecker(cache, crawler, user_agent, timeout=timeout, clock=clock, on_outcome=on_outcome)

    async def __call__(
        self, request: aiohttp.ClientRequest, handler: aiohttp.ClientHandlerType
    ) -> aiohttp.ClientResponse:
        """Send the request if robots.txt allows it."""
        url = _site_url(request)
        self._checker.note_agent(request.headers.get("User-Agent", ""))
        for step in self._checker.steps(url, _longest(request)):
            if isinstance(step, Ticket):
                await self._fetch(step, request)
            elif isinstance(step, float):
                await asyncio.sleep(step)
            else:
                with contextlib.suppress(asyncio.TimeoutError):
                    await asyncio.wait_for(step.wait(), self._checker.timeout)
        _use_form(request, url)
        response = await handler(request)
        self._checker.responded(url, response.status, response.headers.get("Retry-After"))
        return response

    async def _fetch(self, ticket: Ticket, request: aiohttp.ClientRequest) -> None:
        # When the total time of the session is over, the caller gets a TimeoutError, which does not say what is missing.
        limit = min(self._checker.timeout, _longest(request))
        with self._checker.fetching(ticket, asyncio.Event()) as fetch:
            await asyncio.wait_for(self._retrieve(fetch, request), limit)

    async def _retrieve(self, fetch: Fetch, request: aiohttp.ClientRequest) -> None:
        site = _client.origin_key(_site_url(request))
        while fetch.step == Step.GET:
            url, headers = URL(fetch.url, encoded=True), _client.request_headers(fetch, self._checker.user_agent)
            if _client.origin_key(fetch.url) == site:
                # The request to the site itself goes to the server of the page, which the Host header may not name.
                headers["Host"] = _client.host_of(site)
                url = url.with_host(request.url.raw_host or "").with_port(request.url.explicit_port)
            async with request.session.get(
                url,
                headers=headers,
                allow_redirects=False,
                raise_for_status=False,
                middlewares=(),
                auto_decompress=False,
                timeout=aiohttp.ClientTimeout(total=self._checker.timeout),
            ) as response:
                if self._checker.wants_body(fetch, response.status, response.raw_headers):
                    await self._read(fetch, response)

    async def _read(self, fetch: Fetch, response: aiohttp.ClientResponse) -> None:
        protocol = response.connection.protocol if response.connection is not None else None
        async for piece in response.content.iter_any():
            if fetch.body(piece) != Step.BODY:
                return
        # A reset ends a body without a length as a regular end does.
        error = protocol.exception() if protocol is not None else None
        if isinstance(error, OSError):
            raise error
        fetch.end()


def _longest(request: aiohttp.ClientRequest) -> float:
    return _SHARE * (request.session.timeout.total or math.inf)


def _site_url(request: aiohttp.ClientRequest) -> str:
    """Return the form of the page's URL; a Host header names its site."""
    host, url = request.headers.get("Host", ""), request.url
    own = _authority(url)
    if host.lower() in ("", own.lower(), (url.raw_host or "").lower()):
        host = own
    return _client.form_to_send(url.scheme, host, url.raw_path_qs)


def _use_form(request: aiohttp.ClientRequest, form: str) -> None:
    """Give a request the path, query and host of a form, for the same server."""
    request.headers["Host"] = _client.host_of(form)
    target = _client.target_of(form)
    if request.url.raw_path_qs != target:
        request.url = URL(f"{request.url.scheme}://{_authority(request.url)}{target}", encoded=True)


def _authority(url: URL) -> str:
    return url.raw_authority.rpartition("@")[2]
