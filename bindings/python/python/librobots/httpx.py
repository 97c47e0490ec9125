"""Transports for httpx that ask robots.txt first.

::

    cache = librobots.Cache(librobots.Crawler("ExampleBot"))
    with httpx.Client(transport=RobotsTransport(cache)) as client:
        client.get("https://example.com/")  # raises ForbiddenError or DeferError instead of a forbidden request

A refused request is not sent; any other is sent in the form of :func:`librobots.url_to_send`, which was checked. Each redirect
that the client follows is checked like any request. The robots.txt of a site is fetched once; other threads or tasks wait for
it. An old robots.txt stays in use while one of them refreshes it. A site whose robots.txt cannot be reached is deferred: no
request is sent, and no URL counts as forbidden.
"""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable
from contextlib import closing, suppress
from typing import Any, Generic, TypeVar, cast

import anyio
import httpx

from . import _client
from ._client import RequestChecker
from ._enums import Failure, Step
from ._errors import UrlError
from ._librobots import Cache, Fetch, Outcome, Ticket
from ._refusals import DeferError, ForbiddenError

__all__ = ["AsyncRobotsTransport", "DeferError", "ForbiddenError", "RobotsTransport"]

_T = TypeVar("_T")


class _Robots(Generic[_T]):
    """What both transports share."""

    _new: Callable[[], _T]

    def __init__(
        self,
        cache: Cache,
        transport: _T | None = None,
        *,
        crawler: int = 0,
        user_agent: str | None = None,
        timeout: float = _client.TIMEOUT,
        clock: Callable[[], float] = time.time,
        on_outcome: Callable[[Outcome], object] | None = None,
    ) -> None:
        self._checker = RequestChecker(cache, crawler, user_agent, timeout=timeout, clock=clock, on_outcome=on_outcome)
        self._transport = transport if transport is not None else self._new()


class RobotsTransport(_Robots[httpx.BaseTransport], httpx.BaseTransport):
    """A transport that refuses what robots.txt disallows. Threads may share it.

    ``cache``: the outcomes; several transports may share it. ``transport``: sends the requests; default:
    ``httpx.HTTPTransport()``. ``crawler``: the index of the cache's crawler. ``user_agent``: the User-Agent of requests for a
    robots.txt; default: the product token. ``timeout``: seconds for one fetch of a robots.txt with its redirects.
    ``clock``: returns seconds since 1970-01-01 UTC. ``on_outcome`` is called with the outcome of each fetch of a robots.txt,
    after the cache has stored it and before the requests that wait for it go on.

    Raises :class:`ForbiddenError`, :class:`DeferError`, or :class:`UrlError` for a bad URL; the request is not sent.
    """

    _new = httpx.HTTPTransport

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Send the request if robots.txt allows it."""
        url = _site_url(request)
        self._checker.note_agent(request.headers.get("User-Agent", ""))
        for step in self._checker.steps(url):
            if isinstance(step, Ticket):
                self._fetch(step, request)
            elif isinstance(step, float):
                time.sleep(step)
            else:
                step.wait(self._checker.timeout)
        _use_form(request, url)
        response = self._transport.handle_request(request)
        self._checker.responded(url, response.status_code, response.headers.get("Retry-After"))
        return response

    def close(self) -> None:
        """Close the transport below."""
        self._transport.close()

    def _fetch(self, ticket: Ticket, page: httpx.Request) -> None:
        streams: list[Any] = []

        def note(event: str, info: dict[str, Any]) -> None:
            if event.endswith(("connect_tcp.complete", "start_tls.complete")):
                streams.append(info["return_value"])

        def retrieve() -> None:
            while fetch.step == Step.GET:
                request = _request(self._checker, fetch, page, trace=note)
                with closing(self._transport.handle_request(request)) as response:
                    is_file = self._checker.wants_body(fetch, response.status_code, response.headers.raw)
                    body = cast(httpx.SyncByteStream, response.stream)  # iter_raw() refuses that of a mock
                    if is_file and all(fetch.body(piece) == Step.BODY for piece in body):
                        fetch.end()

        with self._checker.fetching(ticket, threading.Event()) as fetch:
            try:
                _client.in_time(self._checker.timeout, retrieve)
            except TimeoutError:
                self._checker.fail(fetch, Failure.TIMEOUT)  # before the thread sees an end
                for stream in streams:
                    with suppress(OSError):
                        stream.get_extra_info("socket").shutdown(socket.SHUT_RDWR)


class AsyncRobotsTransport(_Robots[httpx.AsyncBaseTransport], httpx.AsyncBaseTransport):
    """As :class:`RobotsTransport`, for ``httpx.AsyncClient`` on asyncio or trio. Tasks may share it.

    If the task that fetches a robots.txt is cancelled, another one fetches it.
    """

    _new = httpx.AsyncHTTPTransport

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send the request if robots.txt allows it."""
        url = _site_url(request)
        self._checker.note_agent(request.headers.get("User-Agent", ""))
        for step in self._checker.steps(url):
            if isinstance(step, Ticket):
                await self._fetch(step, request)
            elif isinstance(step, float):
                await anyio.sleep(step)
            else:
                with anyio.move_on_after(self._checker.timeout):
                    await step.wait()
        _use_form(request, url)
        response = await self._transport.handle_async_request(request)
        self._checker.responded(url, response.status_code, response.headers.get("Retry-After"))
        return response

    async def aclose(self) -> None:
        """Close the transport below."""
        await self._transport.aclose()

    async def _fetch(self, ticket: Ticket, page: httpx.Request) -> None:
        with self._checker.fetching(ticket, anyio.Event()) as fetch, anyio.fail_after(self._checker.timeout):
            while fetch.step == Step.GET:
                response = await self._transport.handle_async_request(_request(self._checker, fetch, page))
                try:
                    if self._checker.wants_body(fetch, response.status_code, response.headers.raw):
                        async for piece in cast(httpx.AsyncByteStream, response.stream):
                            if fetch.body(piece) != Step.BODY:
                                break
                        else:
                            fetch.end()
                finally:
                    await response.aclose()


def _request(checker: RequestChecker, fetch: Fetch, page: httpx.Request, **extensions: Any) -> httpx.Request:
    """Return the request for a robots.txt. That to the site itself goes to the server of the page, which Host may not name."""
    url, headers = fetch.url, _client.request_headers(fetch, checker.user_agent)
    site = _client.origin_key(_site_url(page))
    if _client.origin_key(url) == site:
        headers["Host"] = _client.host_of(site)
        url = f"{page.url.scheme}://{page.url.netloc.decode('ascii')}{_client.target_of(url)}"
        if "sni_hostname" in page.extensions:
            extensions["sni_hostname"] = page.extensions["sni_hostname"]
    extensions["timeout"] = httpx.Timeout(checker.timeout).as_dict()
    return httpx.Request("GET", url, headers=headers, extensions=extensions)


def _site_url(request: httpx.Request) -> str:
    """Return the form of the page's URL; a Host header names its site."""
    url = request.url
    host = request.headers.get("Host", "") or url.netloc.decode("ascii")
    # httpcore sends the extension "target" in place of the path, so it must be a path: a URL would name another site.
    target = request.extensions.get("target", url.raw_path).decode("ascii")
    if not target.startswith("/"):
        raise UrlError(f"the target {target!r} of the request is not a path")
    return _client.form_to_send(url.scheme, host, target)


def _use_form(request: httpx.Request, form: str) -> None:
    """Give a request the path, query and host of a form, for the same server."""
    url = request.url
    request.headers["Host"] = _client.host_of(form)
    sent = f"{url.scheme}://{url.netloc.decode('ascii')}{_client.target_of(form)}"
    if sent != str(url):
        request.url = httpx.URL(sent)
    request.extensions.pop("target", None)
