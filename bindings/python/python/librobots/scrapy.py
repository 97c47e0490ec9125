"""robots.txt for Scrapy: a middleware that obeys outages too, and a parser.

The middleware (Scrapy 2.14 or newer) replaces Scrapy's. As Scrapy's, it obeys the rules for ``ROBOTSTXT_USER_AGENT``, else
for the request's own User-Agent, else for ``USER_AGENT``, and sends the signal ``robots_parsed``. It treats redirects,
failures and lifetimes as RFC 9309 says::

    ROBOTSTXT_OBEY = True
    ROBOTSTXT_USER_AGENT = "ExampleBot"  # the product token; default: that of USER_AGENT
    DOWNLOADER_MIDDLEWARES = {
        "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": None,
        "librobots.scrapy.RobotsMiddleware": 100,
    }
    LIBROBOTS_DEFER_SECONDS = 3600  # schedule a deferred request again, if its time comes within an hour; default: 0
    LIBROBOTS_CRAWL_DELAY = 60  # the longest crawl-delay in seconds that is obeyed; 0: none; default: 60

For an older Scrapy there is the parser alone: ``ROBOTSTXT_PARSER = "librobots.scrapy.RobotParser"``. Scrapy's own middleware
then fetches the file. It allows every URL of a site whose robots.txt cannot be reached, and parses the body of any response.
That of Scrapy 2.14.2 to 2.19 passes the rules only to the first of the requests that wait for a file, and allows the others.

Each request waits for the slot of its site: a crawl-delay after the one before, and after a 429 or 503 not before its
Retry-After. Requests that wait do not count for ``CONCURRENT_REQUESTS``, so other sites do not wait. Such a site has a
download slot of its own, whose delay is at least the crawl-delay: ``DOWNLOAD_DELAY`` and AutoThrottle may make it longer.

A robots.txt that did not arrive whole is an outage, except that Twisted takes a reset for the end of a body without a length.
One fetch takes at most ``DOWNLOAD_TIMEOUT``, and at most 30 seconds.

The signal :data:`outcome_received` is sent with the argument ``outcome`` after each fetch of a robots.txt.
"""

from __future__ import annotations

import contextlib
import logging
import time
from collections.abc import Callable
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from scrapy import signals
from scrapy.exceptions import DontCloseSpider, IgnoreRequest, NotConfigured, StopDownload
from scrapy.http.request import NO_CALLBACK, Request
from scrapy.robotstxt import RobotParser as _RobotParser
from scrapy.utils.defer import maybe_deferred_to_future
from scrapy.utils.misc import load_object
from twisted.internet.defer import Deferred

from . import _client
from ._agent import RulesByAgent
from ._enums import Step
from ._errors import SchemeError, UrlError
from ._librobots import Cache, Crawler, Fetch, Outcome, Ticket, url_to_send
from ._refusals import DeferError, ForbiddenError

if TYPE_CHECKING:
    import scrapy
    import scrapy.crawler
    from scrapy.http import Headers, Response
    from scrapy.utils.asyncio import CallLaterResult

__all__ = ["DeferRequest", "ForbiddenRequest", "RobotParser", "RobotsMiddleware", "outcome_received"]

outcome_received: object = object()
"""The signal after each fetch of a robots.txt; its handlers get the :class:`librobots.Outcome` as ``outcome``."""

# One byte more than the engine reads shows whether the last line is complete.
_MAX_BYTES = 512_001

# The agents of requests may be many; each has a cache of its own.
_MAX_AGENTS = 16

# As many requests may wait for their slots beside those of CONCURRENT_REQUESTS; more stay with the scheduler.
_MAX_WAITING = 10_000

_logger = logging.getLogger(__name__)


class RobotParser(_RobotParser):
    """A robots.txt, as Scrapy's setting ``ROBOTSTXT_PARSER`` expects it. Threads may share it."""

    def __init__(self, robotstxt_body: bytes) -> None:
        self._file = RulesByAgent(robotstxt_body)

    @classmethod
    def from_crawler(cls, crawler: scrapy.crawler.Crawler, robotstxt_body: bytes) -> RobotParser:
        """Parse the body of a robots.txt. No content is an error. A body that is compressed allows nothing."""
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
    this exception, and may keep the URL. ``is_scheduled``: whether the middleware sends the request again at that time.
    """

    def __init__(self, refusal: DeferError, is_scheduled: bool = False) -> None:
        super().__init__(str(refusal))
        self.refusal = refusal
        self.is_scheduled = is_scheduled


class _Event(list["Deferred[None]"]):
    """What Scrapy's tasks wait for."""

    def wait(self) -> Deferred[None]:
        self.append(Deferred())
        return self[-1]

    def set(self) -> None:
        for waiter in self:
            waiter.callback(None)


class RobotsMiddleware:
    """A downloader middleware that refuses what robots.txt disallows, and defers what it cannot know.

    Settings: ``ROBOTSTXT_OBEY`` turns it on. The product token is that of ``ROBOTSTXT_USER_AGENT``, else of the request's own
    User-Agent, else of ``USER_AGENT``. ``LIBROBOTS_CACHE_BYTES`` bounds the cache of each token, default: 64 MiB.
    ``LIBROBOTS_DEFER_SECONDS``: a deferred request whose time comes within so many seconds is scheduled again at that time,
    and the spider stays open for it; default: 0. ``LIBROBOTS_CRAWL_DELAY``: the longest crawl-delay in seconds that is
    obeyed, 0 to 86400; default: 60. Requests with ``dont_obey_robotstxt`` in their meta pass.
    """

    clock: Callable[[], float] = staticmethod(time.time)
    """Returns seconds since 1970-01-01 UTC."""

    def __init__(self, crawler: scrapy.crawler.Crawler) -> None:
        settings = crawler.settings
        if not settings.getbool("ROBOTSTXT_OBEY"):
            raise NotConfigured
        self._only_agent = _text(settings.get("ROBOTSTXT_USER_AGENT") or "")
        self._default_agent = _text(settings.get("USER_AGENT") or "")
        self._max_bytes = settings.getint("LIBROBOTS_CACHE_BYTES", 64 << 20)
        self._defer_seconds = settings.getint("LIBROBOTS_DEFER_SECONDS", 0)
        self._timeout = min(settings.getfloat("DOWNLOAD_TIMEOUT") or _client.TIMEOUT, _client.TIMEOUT)
        most = settings.get("LIBROBOTS_CRAWL_DELAY", True)
        self._max_delay = timedelta(seconds=60 if most is True else float(most))
        self._waiting: set[Deferred[None]] = set()
        self._crawler = crawler
        self._checkers: dict[tuple[str, ...], _client.RequestChecker] = {}
        self.cache: Cache = self._checker_of(self._only_agent or self._default_agent).cache
        self._scheduled: set[CallLaterResult] = set()
        crawler.signals.connect(self._sent, signals.headers_received)
        crawler.signals.connect(self._sent, signals.bytes_received)
        crawler.signals.connect(self._spider_idle, signals.spider_idle)
        crawler.signals.connect(self._spider_closed, signals.spider_closed)
        # AutoThrottle, which is connected before, may have made the delay of a download slot shorter.
        crawler.signals.connect(self._raise_delay, signals.request_reached_downloader)
        crawler.signals.connect(self._downloaded, signals.response_downloaded)

    @classmethod
    def from_crawler(cls, crawler: scrapy.crawler.Crawler) -> RobotsMiddleware:
        """Create the middleware of a crawler."""
        return cls(crawler)

    async def process_request(self, request: Request, spider: Any = None) -> Request | None:
        """Raise for a request that may not be sent; return one with the form of the URL to send, if that differs."""
        if request.meta.get("dont_obey_robotstxt"):
            return None
        try:
            form = url_to_send(request.url)
            _demand_own_host(request)
            if form != request.url.partition("#")[0] and request.meta.get("librobots_form") != form:
                meta = {**request.meta, "librobots_form": form}
                return request.replace(url=form, meta=meta, dont_filter=True)
            await self._ask(request)
        except SchemeError:
            pass  # data:, file: and others have no robots.txt
        except ForbiddenError as refusal:
            self._count("forbidden")
            _logger.debug("Forbidden by robots.txt: %(request)s", {"request": request}, extra=self._extra())
            raise ForbiddenRequest(refusal) from None
        except DeferError as refusal:
            self._count("deferred")
            is_scheduled = self._schedule(request, refusal.until)
            _logger.info(
                "Deferred by robots.txt until %(until)s (%(what)s): %(request)s",
                {
                    "until": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(refusal.until)),
                    "what": "scheduled again" if is_scheduled else "left to the errback",
                    "request": request,
                },
                extra=self._extra(),
            )
            raise DeferRequest(refusal, is_scheduled) from None
        return None

    def _extra(self) -> dict[str, Any]:
        return {"spider": self._crawler.spider}

    def _checker_of(self, agent: str) -> _client.RequestChecker:
        """Return the checker for a User-Agent."""
        named = Crawler.with_names_in(agent)
        if named.tokens not in self._checkers:
            if len(self._checkers) >= _MAX_AGENTS:
                del self._checkers[next(iter(self._checkers))]
            # Scrapy has a place for the requests of each site, so no slot is too far away.
            cache = Cache(
                named,
                max_bytes=self._max_bytes,
                max_delay=self._max_delay,
                horizon=timedelta(days=1),
            )
            self._checkers[named.tokens] = _client.RequestChecker(cache, clock=self.clock, on_outcome=self._received)
        return self._checkers[named.tokens]

    def _received(self, outcome: Outcome) -> None:
        self._crawler.signals.send_catch_log(signal=outcome_received, outcome=outcome)

    def _schedule(self, request: Request, until: float) -> bool:
        """Schedule a deferred request again at its time; return whether that is soon enough."""
        delay = max(until - self.clock(), 1.0)
        if delay > self._defer_seconds:
            return False

        def send() -> None:
            self._scheduled.discard(call)
            assert self._crawler.engine is not None
            self._crawler.engine.crawl(request.replace(dont_filter=True))

        # Scrapy 2.13, whose parser can be replaced, does not have it.
        call: CallLaterResult = load_object("scrapy.utils.asyncio.call_later")(delay, send)
        self._scheduled.add(call)
        return True

    def _spider_idle(self) -> None:
        if self._scheduled or self._waiting:
            raise DontCloseSpider

    def _spider_closed(self) -> None:
        for call in self._scheduled:
            call.cancel()
        self._scheduled.clear()
        for waiter in list(self._waiting):
            waiter.cancel()

    async def _ask(self, page: Request) -> None:
        own_agent = _text(page.headers.get("User-Agent") or "")
        checker = self._checker_of(self._only_agent or own_agent or self._default_agent)
        checker.note_agent(own_agent or self._default_agent)
        for step in checker.steps(page.url):
            if isinstance(step, Ticket):
                with checker.fetching(step, _Event()) as fetch:
                    late = time.monotonic() + self._timeout
                    while fetch.step == Step.GET:
                        await self._exchange(checker, fetch, own_agent, late - time.monotonic())
                if fetch.file:
                    await self._crawler.signals.send_catch_log_async(
                        signal=signals.robots_parsed, robotparser=RobotParser(fetch.file), request=page
                    )
            elif isinstance(step, float):
                await self._wait(page, step)
            else:
                await maybe_deferred_to_future(step.wait())
        self._separate(page, checker)

    async def _wait(self, page: Request, seconds: float) -> None:
        """Wait for the slot of a site. The request does not count as one of CONCURRENT_REQUESTS."""
        engine = self._crawler.engine
        assert engine is not None
        waiter: Deferred[None] = Deferred()
        call: CallLaterResult = load_object("scrapy.utils.asyncio.call_later")(seconds, waiter.callback, None)
        active = engine.downloader.active
        is_apart = page in active and len(self._waiting) < _MAX_WAITING
        self._waiting.add(waiter)
        if is_apart:
            active.discard(page)
            # There may be room for the next request now. No public function says so; the engine looks every 5 seconds.
            slot = getattr(engine, "_slot", None)
            if slot is not None:
                slot.nextcall.schedule()
        try:
            await maybe_deferred_to_future(waiter)
        finally:
            call.cancel()
            self._waiting.discard(waiter)
            if is_apart:
                active.add(page)

    def _separate(self, page: Request, checker: _client.RequestChecker) -> None:
        """Give a site with a crawl-delay a download slot of its own, unless the request names one."""
        delay = min(checker.cache.crawl_delay(page.url) or 0.0, self._max_delay.total_seconds())
        meta = page.meta
        if meta.get("download_slot") == meta.get("librobots_slot"):
            meta.pop("download_slot", None)  # of the page that redirected
            assert self._crawler.engine is not None
            own = _client.origin_key(page.url) if delay > 0 else self._crawler.engine.downloader.get_slot_key(page)
            meta["download_slot"] = meta["librobots_slot"] = own
        meta["librobots_delay"] = delay

    def _raise_delay(self, request: Request) -> None:
        """Make the delay of the request's download slot at least the crawl-delay, also at its shortest."""
        delay = request.meta.get("librobots_delay", 0.0)
        assert self._crawler.engine is not None
        slot = self._crawler.engine.downloader.slots.get(request.meta.get("download_slot", ""))
        if slot is None or delay <= 0:
            return
        slot.delay = max(slot.delay, delay)
        if hasattr(slot, "jitter"):
            slot.jitter = min(slot.jitter, 1 - delay / slot.delay)
        elif slot.delay / 2 < delay:  # before Scrapy 2.19 the delay varies by a half, or not at all
            slot.randomize_delay = False

    def _downloaded(self, response: Response, request: Request) -> None:
        """Report the response to a page. RetryMiddleware does not pass all on to other middlewares."""
        self._raise_delay(request)
        if not request.meta.get("dont_obey_robotstxt"):
            agent = self._only_agent or _text(request.headers.get("User-Agent") or "") or self._default_agent
            value = _text(response.headers.get("Retry-After") or "")
            with contextlib.suppress(SchemeError):
                self._checker_of(agent).responded(request.url, response.status, value)

    async def _exchange(self, checker: _client.RequestChecker, fetch: Fetch, user_agent: str, seconds: float) -> None:
        """Send one request for a robots.txt, and report the response: as it was sent."""
        raw: list[Any] = []  # the headers, and the pieces of the body
        request = Request(
            fetch.url,
            headers={name: value for name, value in _client.request_headers(fetch, user_agent).items() if value},
            priority=1000,
            dont_filter=True,
            callback=NO_CALLBACK,
            meta={
                "dont_obey_robotstxt": True,
                "dont_redirect": True,
                "dont_retry": True,
                "dont_cache": True,
                "handle_httpstatus_all": True,
                "download_fail_on_dataloss": True,
                "download_timeout": max(seconds, 0.001),
                "librobots_raw": raw,
            },
        )
        self._count("request_count")
        assert self._crawler.engine is not None
        try:
            response = await self._crawler.engine.download_async(request)
        except Exception as error:
            self._count(f"exception_count/{type(error)}")
            raise
        self._count("response_count")
        self._count(f"response_status_count/{response.status}")
        headers, body = (raw[0], b"".join(raw[1:])) if raw else (response.headers, response.body)
        pairs = [(name, value) for name, values in headers.items() for value in values]
        if checker.wants_body(fetch, response.status, pairs) and fetch.body(body) == Step.BODY:
            fetch.end()

    def _sent(self, request: Request, headers: Headers | None = None, data: bytes = b"") -> None:
        """Keep what a server sent of a robots.txt. Stop the download of one that never ends."""
        raw = request.meta.get("librobots_raw")
        if raw is not None:
            raw.append(data if headers is None else headers.copy())
            if sum(map(len, raw)) > _MAX_BYTES:
                raise StopDownload(fail=False)

    def _count(self, name: str) -> None:
        if self._crawler.stats is not None:
            self._crawler.stats.inc_value(f"robotstxt/{name}")


def _demand_own_host(request: Request) -> None:
    """Raise for a Host header that names another site than the URL: its robots.txt would be another one."""
    host = _text(request.headers.get("Host") or "")
    scheme = request.url.partition("://")[0]
    if host and _client.form_to_send(scheme, host, "/") != f"{_client.origin_key(request.url)}/":
        raise UrlError(f"the Host header {host!r} names another site than {_client.without_password(request.url)}")


def _text(value: str | bytes) -> str:
    return value if isinstance(value, str) else value.decode("latin-1")
