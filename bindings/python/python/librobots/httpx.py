"""Transports for httpx that ask robots.txt first.

::

    cache = librobots.Cache(librobots.Crawler("ExampleBot"))
    with httpx.Client(transport=RobotsTransport(cache)) as client:
        client.get("https://example.com/")  # raises ForbiddenError or DeferError instead of a forbidden request

A refused request is not sent; any other is sent in the form of :func:`librobots.url_to_send`, which was checked. Each redirect that the client follows is checked like any request. The robots.txt of a site
is fetched once; other threads or tasks wait for it. An old robots.txt stays in use while one of them refreshes it. A site
whose robots.txt cannot be reached is deferred: no request is sent, and no URL counts as forbidden.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import anyio
import httpx

from . import _client
from ._client import RequestChecker
from ._enums import Failure, Step
from ._errors import UrlError
from ._librobots import Cache, Fetch, Outcome, Ticket
from ._refusals import DeferError, ForbiddenError

__all__ = ["AsyncRobotsTransport", "DeferError", "ForbiddenError", "RobotsTransport"]


class _Retrieval:
    """One fetch of a robots.txt with httpx."""

    def __init__(self, checker: RequestChecker[Any], fetch: Fetch, request: httpx.Request) -> None:
        self.checker, self.fetch, self.page = checker, fetch, request
        self.deadline = time.monotonic() + checker.timeout
        self.site = _client.origin_key(_site_url(request))

    def request(self) -> httpx.Request:
        """Return the next request. That to the site itself goes to the server of the page, which Host may not name."""
        url, headers = self.fetch.url, _client.request_headers(self.fetch, self.checker.user_agent)
        extensions = {"timeout": httpx.Timeout(max(self.deadline - time.monotonic(), 0.001)).as_dict()}
        if _client.origin_key(self.fetch.url) == self.site:
            page = self.page.url
            headers["Host"] = self.site.partition("://")[2]
            url = f"{page.scheme}://{page.netloc.decode('ascii')}{_client.target_of(url)}"
            if "sni_hostname" in self.page.extensions:
                extensions["sni_hostname"] = self.page.extensions["sni_hostname"]
        return httpx.Request("GET", url, headers=headers, extensions=extensions)

    def head(self, response: httpx.Response) -> bool:
        """Report the head of a response; return whether the body is wanted."""
        headers = response.headers.multi_items()
        return _client.report_head(self.fetch, response.status_code, headers, self.checker.clock()) == Step.BODY

    def piece(self, piece: bytes) -> bool:
        """Report a piece of the body; return whether more is wanted."""
        if time.monotonic() > self.deadline:
            self.fail(Failure.TIMEOUT)
        return self.fetch.step == Step.BODY and self.fetch.body(piece) == Step.BODY

    def end(self) -> None:
        """Report the end of the body, unless the fetch is done."""
        if self.fetch.step == Step.BODY:
            self.fetch.end()

    def fail(self, failure: Failure) -> None:
        """Report a failure, unless the fetch is done."""
        self.checker.fail(self.fetch, failure)

    @contextmanager
    def failures(self) -> Iterator[None]:
        """Report exceptions of the transport as failures of the fetch."""
        try:
            yield
        except httpx.TimeoutException:
            self.fail(Failure.TIMEOUT)
        except (httpx.DecodingError, httpx.RemoteProtocolError):
            self.fail(Failure.TRUNCATED)
        except httpx.ConnectError as error:
            self.fail(_client.failure_of(error) or Failure.CONNECT)
        except (httpx.TransportError, httpx.InvalidURL, OSError) as error:
            self.fail(_client.failure_of(error) or Failure.OTHER)


class RobotsTransport(httpx.BaseTransport):
    """A transport that refuses what robots.txt disallows. Threads may share it.

    ``cache``: the outcomes; several transports may share it. ``transport``: sends the requests; default:
    ``httpx.HTTPTransport()``. ``crawler``: the index of the cache's crawler. ``user_agent``: the User-Agent of requests for a
    robots.txt; default: the product token. ``timeout``: seconds for one fetch of a robots.txt with its redirects.
    ``clock``: returns seconds since 1970-01-01 UTC. ``on_outcome`` is called with the outcome of each fetch of a robots.txt,
    after the cache has stored it and before the requests that wait for it go on.

    Raises :class:`ForbiddenError`, :class:`DeferError`, or :class:`UrlError` for a bad URL; the request is not sent.
    """

    def __init__(
        self,
        cache: Cache,
        transport: httpx.BaseTransport | None = None,
        *,
        crawler: int = 0,
        user_agent: str | None = None,
        timeout: float = _client.TIMEOUT,
        clock: Callable[[], float] = time.time,
        on_outcome: Callable[[Outcome], object] | None = None,
    ) -> None:
        self._checker = RequestChecker[threading.Event](
            cache, crawler, user_agent, timeout=timeout, clock=clock, on_outcome=on_outcome
        )
        self._transport = transport if transport is not None else httpx.HTTPTransport()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Send the request if robots.txt allows it."""
        url = _site_url(request)
        self._checker.note_agent(request.headers.get("User-Agent", ""))
        for step in self._checker.steps(url):
            if isinstance(step, Ticket):
                self._fetch(step, request)
            elif step.event is not None:
                step.event.wait(step.seconds)
            else:
                time.sleep(step.seconds)
        _use_form(request, url)
        response = self._transport.handle_request(request)
        self._checker.responded(url, response.status_code, response.headers.get("Retry-After"))
        return response

    def close(self) -> None:
        """Close the transport below."""
        self._transport.close()

    def _fetch(self, ticket: Ticket, request: httpx.Request) -> None:
        with self._checker.fetching(ticket, threading.Event()) as fetch:
            retrieval = _Retrieval(self._checker, fetch, request)
            while fetch.step == Step.GET:
                with retrieval.failures(), _closing(self._transport.handle_request(retrieval.request())) as response:
                    if retrieval.head(response) and all(map(retrieval.piece, response.iter_bytes())):
                        retrieval.end()


class AsyncRobotsTransport(httpx.AsyncBaseTransport):
    """As :class:`RobotsTransport`, for ``httpx.AsyncClient`` on asyncio or trio. Tasks may share it.

    If the task that fetches a robots.txt is cancelled, another one fetches it.
    """

    def __init__(
        self,
        cache: Cache,
        transport: httpx.AsyncBaseTransport | None = None,
        *,
        crawler: int = 0,
        user_agent: str | None = None,
        timeout: float = _client.TIMEOUT,
        clock: Callable[[], float] = time.time,
        on_outcome: Callable[[Outcome], object] | None = None,
    ) -> None:
        self._checker = RequestChecker[anyio.Event](
            cache, crawler, user_agent, timeout=timeout, clock=clock, on_outcome=on_outcome
        )
        self._transport = transport if transport is not None else httpx.AsyncHTTPTransport()

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send the request if robots.txt allows it."""
        url = _site_url(request)
        self._checker.note_agent(request.headers.get("User-Agent", ""))
        for step in self._checker.steps(url):
            if isinstance(step, Ticket):
                await self._fetch(step, request)
            elif step.event is not None:
                with anyio.move_on_after(step.seconds):
                    await step.event.wait()
            else:
                await anyio.sleep(step.seconds)
        _use_form(request, url)
        response = await self._transport.handle_async_request(request)
        self._checker.responded(url, response.status_code, response.headers.get("Retry-After"))
        return response

    async def aclose(self) -> None:
        """Close the transport below."""
        await self._transport.aclose()

    async def _fetch(self, ticket: Ticket, request: httpx.Request) -> None:
        with self._checker.fetching(ticket, anyio.Event()) as fetch:
            retrieval = _Retrieval(self._checker, fetch, request)
            with anyio.move_on_after(self._checker.timeout):
                while fetch.step == Step.GET:
                    with retrieval.failures():
                        await self._exchange(retrieval)
            retrieval.fail(Failure.TIMEOUT)

    async def _exchange(self, retrieval: _Retrieval) -> None:
        response = await self._transport.handle_async_request(retrieval.request())
        try:
            if retrieval.head(response):
                async for piece in response.aiter_bytes():
                    if not retrieval.piece(piece):
                        return
                retrieval.end()
        finally:
            await response.aclose()


@contextmanager
def _closing(response: httpx.Response) -> Iterator[httpx.Response]:
    try:
        yield response
    finally:
        response.close()


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
    """Give a request the path and query of a form, for the same server."""
    url = request.url
    sent = f"{url.scheme}://{url.netloc.decode('ascii')}{_client.target_of(form)}"
    if sent != str(url):
        request.url = httpx.URL(sent)
    request.extensions.pop("target", None)
