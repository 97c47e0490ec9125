"""robots.txt for Scrapy: a parser, and a middleware that obeys outages too.

The parser is one line in the settings. Scrapy fetches the file; it allows every URL of a site whose robots.txt cannot be
reached, and parses the body of any response::

    ROBOTSTXT_OBEY = True
    ROBOTSTXT_PARSER = "librobots.scrapy.RobotParser"
    ROBOTSTXT_USER_AGENT = "ExampleBot"  # the product token; default: the start of USER_AGENT

The middleware (Scrapy 2.14 or newer) replaces Scrapy's. It treats redirects, failures and lifetimes as RFC 9309 says::

    DOWNLOADER_MIDDLEWARES = {
        "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": None,
        "librobots.scrapy.RobotsMiddleware": 100,
    }
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from scrapy import signals
from scrapy.exceptions import IgnoreRequest, NotConfigured, StopDownload
from scrapy.http.request import NO_CALLBACK, Request
from scrapy.robotstxt import RobotParser as _RobotParser
from scrapy.utils.defer import maybe_deferred_to_future
from twisted.internet.defer import Deferred

from . import _client
from ._agent import RulesByAgent, product_token
from ._errors import SchemeError
from ._librobots import Cache, Crawler, Fetch, Ticket
from ._refusals import DeferError, ForbiddenError
from ._types import Failure, Step

if TYPE_CHECKING:
    import scrapy
    import scrapy.crawler
    from scrapy.http import Response

__all__ = ["DeferRequest", "ForbiddenRequest", "RobotParser", "RobotsMiddleware"]

# One byte more than the engine reads shows whether the last line is complete.
_MAX_BYTES = 512_001

_FAILURES = {
    "CannotResolveHostError": Failure.DNS,
    "DNSLookupError": Failure.DNS,
    "DownloadConnectionRefusedError": Failure.CONNECT,
    "ConnectionRefusedError": Failure.CONNECT,
    "ConnectError": Failure.CONNECT,
    "DownloadTimeoutError": Failure.TIMEOUT,
    "TimeoutError": Failure.TIMEOUT,
    "TCPTimedOutError": Failure.TIMEOUT,
    "ResponseDataLossError": Failure.TRUNCATED,
    "ConnectionLost": Failure.RESET,
    "ConnectionDone": Failure.RESET,
}


class RobotParser(_RobotParser):
    """A robots.txt, as Scrapy's setting ``ROBOTSTXT_PARSER`` expects it. Threads may share it."""

    def __init__(self, robotstxt_body: bytes) -> None:
        self._file = RulesByAgent(robotstxt_body)

    @classmethod
    def from_crawler(cls, crawler: scrapy.crawler.Crawler, robotstxt_body: bytes) -> RobotParser:
        """Parse the body of a robots.txt. No content is an error. A body that is compressed by gzip allows nothing."""
        return cls(robotstxt_body)

    def allowed(self, url: str | bytes, user_agent: str | bytes) -> bool:
        """Return whether the user agent may fetch the absolute URL."""
        return self._file.rules(_text(user_agent)).is_allowed(url)

    def crawl_delay(self, user_agent: str | bytes) -> float | None:
        """Return the crawl-delay for the user agent in seconds; None if there is none."""
        return self._file.rules(_text(user_agent)).crawl_delay


class ForbiddenRequest(IgnoreRequest):
    """The robots.txt of the site disallows the request. ``refusal`` is the :class:`librobots.ForbiddenError`."""

    def __init__(self, refusal: ForbiddenError) -> None:
        super().__init__(str(refusal))
        self.refusal = refusal


class DeferRequest(IgnoreRequest):
    """The site or its robots.txt cannot be reached now, which is no ban.

    ``refusal`` is the :class:`librobots.DeferError`; its ``until`` says when to try again. The errback of a request gets
    this exception, and may keep the URL.
    """

    def __init__(self, refusal: DeferError) -> None:
        super().__init__(str(refusal))
        self.refusal = refusal


class _Event:
    """What Scrapy's tasks wait for."""

    def __init__(self) -> None:
        self._waiting: list[Deferred[None]] = []

    def wait(self) -> Deferred[None]:
        waiter: Deferred[None] = Deferred()
        self._waiting.append(waiter)
        return waiter

    def set(self) -> None:
        for waiter in self._waiting:
            waiter.callback(None)


class RobotsMiddleware:
    """A downloader middleware that refuses what robots.txt disallows, and defers what it cannot know.

    Settings: ``ROBOTSTXT_OBEY`` turns it on; ``ROBOTSTXT_USER_AGENT`` or the start of ``USER_AGENT`` is the product token;
    ``LIBROBOTS_CACHE_BYTES`` bounds the cache, default: 64 MiB. Requests with ``dont_obey_robotstxt`` in their meta pass.
    """

    def __init__(self, crawler: scrapy.crawler.Crawler) -> None:
        settings = crawler.settings
        if not settings.getbool("ROBOTSTXT_OBEY"):
            raise NotConfigured
        agent = settings.get("ROBOTSTXT_USER_AGENT") or settings.get("USER_AGENT") or ""
        token = product_token(_text(agent))
        self.cache = Cache(
            Crawler(token) if token else Crawler(), max_bytes=settings.getint("LIBROBOTS_CACHE_BYTES", 64 << 20)
        )
        self._crawler = crawler
        self._checker = _client.RequestChecker[_Event](self.cache)
        crawler.signals.connect(self._bytes_received, signals.bytes_received)

    @classmethod
    def from_crawler(cls, crawler: scrapy.crawler.Crawler) -> RobotsMiddleware:
        """Create the middleware of a crawler."""
        return cls(crawler)

    async def process_request(self, request: Request, spider: Any = None) -> None:
        """Raise for a request that may not be sent."""
        if request.meta.get("dont_obey_robotstxt"):
            return
        try:
            await self._ask(request.url)
        except SchemeError:
            return  # data:, file: and others have no robots.txt
        except ForbiddenError as refusal:
            self._count("forbidden")
            raise ForbiddenRequest(refusal) from None
        except DeferError as refusal:
            self._count("deferred")
            raise DeferRequest(refusal) from None

    async def _ask(self, url: str) -> None:
        for step in self._checker.steps(url):
            if isinstance(step, Ticket):
                with self._checker.fetching(step, _Event()) as fetch:
                    while fetch.step == Step.GET:
                        await self._exchange(fetch)
            else:
                # All requests are tasks of this process, so the event of the task that fetches is known.
                assert step.event is not None
                await maybe_deferred_to_future(step.event.wait())

    async def _exchange(self, fetch: Fetch) -> None:
        request = Request(
            fetch.url,
            headers=fetch.request_headers,
            priority=1000,
            dont_filter=True,
            callback=NO_CALLBACK,
            meta={
                "dont_obey_robotstxt": True,
                "dont_redirect": True,
                "dont_retry": True,
                "dont_cache": True,
                "handle_httpstatus_all": True,
                "download_timeout": _client.TIMEOUT,
                "librobots_bytes": 0,
            },
        )
        self._count("request_count")
        assert self._crawler.engine is not None
        try:
            response = await self._crawler.engine.download_async(request)
        except Exception as error:
            fetch.fail(_failure_of(error))
            return
        self._count(f"response_status_count/{response.status}")
        self._report(fetch, response)

    def _report(self, fetch: Fetch, response: Response) -> None:
        # Scrapy removes Content-Encoding when it has decoded the body, whose length the headers then do not state.
        headers = [
            (_text(name), _text(value))
            for name, values in response.headers.items()
            for value in values
            if name.lower() != b"content-length"
        ]
        if "Content-Encoding" in response.headers:
            headers = [("Content-Encoding", "unknown")]
        step = _client.report_head(fetch, response.status, headers, time.time())
        if step == Step.BODY and fetch.body(response.body) == Step.BODY:
            fetch.end()

    def _bytes_received(self, data: bytes, request: Request) -> None:
        """Stop the download of a robots.txt that never ends."""
        if "librobots_bytes" in request.meta:
            request.meta["librobots_bytes"] += len(data)
            if request.meta["librobots_bytes"] > _MAX_BYTES:
                raise StopDownload(fail=False)

    def _count(self, name: str) -> None:
        if self._crawler.stats is not None:
            self._crawler.stats.inc_value(f"robotstxt/{name}")


def _failure_of(error: Exception) -> Failure:
    for kind in type(error).__mro__:
        if kind.__name__ in _FAILURES:
            return _FAILURES[kind.__name__]
    return _client.failure_of(error) or Failure.OTHER


def _text(value: str | bytes) -> str:
    return value if isinstance(value, str) else value.decode("latin-1")
