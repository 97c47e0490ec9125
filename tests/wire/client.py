"""A client of tests/wire/run, which says what it does: client.py NAME BASE, or client.py NAME ways SECONDS."""

from __future__ import annotations

import asyncio
import http.client
import importlib.util
import sys
import urllib.request
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from librobots import Cache, Crawler, DeferError, ForbiddenError, Outcome, RobotsError, Verdict, _client, url_to_send

AGENT = {"User-Agent": "ExampleBot/1.0"}


def given() -> list[str]:
    return [bytes.fromhex(line).decode() for line in sys.stdin]


def report(answer: str) -> None:
    sys.stdout.write(f"{answer}\n")  # one write: threads do not mix their lines
    sys.stdout.flush()


def with_httpx(urls: list[str]) -> None:
    import httpx

    from librobots.httpx import RobotsTransport

    with httpx.Client(transport=RobotsTransport(Cache(Crawler("ExampleBot"))), headers=AGENT) as client:
        for url in urls:
            try:
                report(f"sent {client.get(url).request.url}")
            except ForbiddenError:
                report("forbidden")
            except (RobotsError, httpx.HTTPError, httpx.InvalidURL):
                report("error")


async def with_async_httpx(urls: list[str]) -> None:
    import httpx

    from librobots.httpx import AsyncRobotsTransport

    transport = AsyncRobotsTransport(Cache(Crawler("ExampleBot")))
    async with httpx.AsyncClient(transport=transport, headers=AGENT) as client:
        for url in urls:
            try:
                report(f"sent {(await client.get(url)).request.url}")
            except ForbiddenError:
                report("forbidden")
            except (RobotsError, httpx.HTTPError, httpx.InvalidURL):
                report("error")


async def with_aiohttp(urls: list[str]) -> None:
    import aiohttp

    from librobots.aiohttp import RobotsMiddleware

    forms: list[str] = []

    async def note(request: aiohttp.ClientRequest, handler: aiohttp.ClientHandlerType) -> aiohttp.ClientResponse:
        forms.append(str(request.url))
        return await handler(request)

    middlewares = [RobotsMiddleware(Cache(Crawler("ExampleBot"))), note]
    async with aiohttp.ClientSession(middlewares=middlewares, headers=AGENT) as session:
        for url in urls:
            try:
                async with session.get(url) as response:
                    await response.read()
                report(f"sent {forms[-1]}")
            except ForbiddenError:
                report("forbidden")
            except (RobotsError, aiohttp.ClientError, ValueError):
                report("error")


def with_scrapy(urls: list[str]) -> None:
    import scrapy

    class Spider(scrapy.Spider):
        name = "wire"
        rest = iter(urls)

        async def start(self):
            yield self.next()

        def next(self) -> scrapy.Request | None:
            for url in self.rest:
                try:
                    return scrapy.Request(url, callback=self.got, errback=self.failed, dont_filter=True)
                except ValueError:
                    report("error")
            return None

        def got(self, response):
            report(f"sent {response.request.url.partition('#')[0]}")
            yield self.next()

        def failed(self, failure):
            report("forbidden" if "ForbiddenRequest" in failure.type.__name__ else "error")
            yield self.next()

    run_scrapy(Spider, {"URLLENGTH_LIMIT": 0})


def run_scrapy(spider: type, settings: dict[str, object]) -> None:
    from scrapy.crawler import CrawlerProcess

    process = CrawlerProcess(
        {
            "DOWNLOADER_MIDDLEWARES": {
                "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": None,
                "librobots.scrapy.RobotsMiddleware": 100,
            },
            "LOG_ENABLED": False,
            "ROBOTSTXT_OBEY": True,
            "TELNETCONSOLE_ENABLED": False,
            "USER_AGENT": AGENT["User-Agent"],
            **settings,
        }
    )
    process.crawl(spider)
    process.start()


def with_loop(urls: list[str], base: str, name: str) -> None:
    """The loop of the pages: check the form, and send it."""
    import requests

    session = requests.Session()
    with urllib.request.urlopen(f"{base}/robots.txt") as response:
        rules = Crawler("ExampleBot").parse(response.read())
    for url in urls:
        try:
            form = url_to_send(url)
            if not rules.is_allowed(form):
                report("forbidden")
                continue
            if name == "requests":
                session.get(form, headers=AGENT, allow_redirects=False, timeout=30)
            else:
                urllib.request.urlopen(urllib.request.Request(form, headers=AGENT)).close()
            report(f"sent {form}")
        except (RobotsError, requests.RequestException, OSError, http.client.HTTPException, ValueError):
            report("error")


AT_ONCE = 24
"""How many ways a client visits at the same time."""

PAGES = ("open", "private")


def word(error: Exception | None) -> str:
    """Return the answer after a request of a page ended so."""
    if isinstance(error, ForbiddenError):
        return "forbidden"
    return "deferred" if isinstance(error, DeferError) else "allowed"


def answer(way: str, answers: Iterable[str], kind: str) -> None:
    text = " ".join(f"{page}={word}" for page, word in zip(PAGES, answers))
    report(f"{way} {text} kind={kind}")


def kind_of(cache: Cache, base: str) -> str:
    outcome = cache.outcome(base)
    return described(outcome) if outcome else "- for=-"


def described(outcome: Outcome) -> str:
    return f"{outcome.kind.name.lower()} for={round((outcome.retry_at - outcome.fetched_at) / 60)}"


def in_threads(ways: list[tuple[str, str]], visit: Callable[[str, str], None]) -> None:
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for future in [pool.submit(visit, *way) for way in ways]:
            future.result()


async def in_tasks(ways: list[tuple[str, str]], cache: Cache, get: Callable[[str], Any], errors: tuple[type[Exception], ...]) -> None:
    room = asyncio.Semaphore(AT_ONCE)

    async def visit(way: str, base: str) -> None:
        words = []
        async with room:
            for page in PAGES:
                try:
                    await get(f"{base}/{page}")
                    words.append("allowed")
                except (RobotsError, *errors) as error:
                    words.append(word(error))
        answer(way, words, kind_of(cache, base))

    await asyncio.gather(*(visit(*way) for way in ways))


def ways_with_httpx(ways: list[tuple[str, str]], seconds: float) -> None:
    import httpx

    from librobots.httpx import RobotsTransport

    cache = Cache(Crawler("ExampleBot"))
    with httpx.Client(transport=RobotsTransport(cache, timeout=seconds), headers=AGENT) as client:

        def get(url: str) -> str:
            try:
                client.get(url)
            except (RobotsError, httpx.HTTPError) as error:
                return word(error)
            return "allowed"

        in_threads(ways, lambda way, base: answer(way, [get(f"{base}/{page}") for page in PAGES], kind_of(cache, base)))


async def ways_with_async_httpx(ways: list[tuple[str, str]], seconds: float) -> None:
    import httpx

    from librobots.httpx import AsyncRobotsTransport

    cache = Cache(Crawler("ExampleBot"))
    transport = AsyncRobotsTransport(cache, timeout=seconds)
    async with httpx.AsyncClient(transport=transport, headers=AGENT) as client:
        await in_tasks(ways, cache, client.get, (httpx.HTTPError,))


async def ways_with_aiohttp(ways: list[tuple[str, str]], seconds: float) -> None:
    import aiohttp

    from librobots.aiohttp import RobotsMiddleware

    cache = Cache(Crawler("ExampleBot"))
    middlewares = [RobotsMiddleware(cache, timeout=seconds)]
    async with aiohttp.ClientSession(middlewares=middlewares, headers=AGENT) as session:

        async def get(url: str) -> None:
            async with session.get(url) as response:
                await response.read()

        await in_tasks(ways, cache, get, (aiohttp.ClientError, OSError))


def ways_with_scrapy(ways: list[tuple[str, str]], seconds: float) -> None:
    import scrapy

    from librobots.scrapy import outcome_received

    names = {base: way for way, base in ways}
    kinds: dict[str, str] = {}
    words: dict[str, dict[str, str]] = {way: {} for way in names.values()}

    class Spider(scrapy.Spider):
        name = "ways"

        @classmethod
        def from_crawler(cls, crawler):
            spider = super().from_crawler(crawler)
            crawler.signals.connect(spider.received, outcome_received)
            return spider

        def received(self, outcome):
            kinds[outcome.origin] = described(outcome)

        async def start(self):
            for base in names:
                for page in PAGES:
                    url, meta = f"{base}/{page}", {"download_timeout": 60}
                    yield scrapy.Request(url, callback=self.got, errback=self.failed, dont_filter=True, meta=meta)

        def note(self, request, word):
            base, _, page = request.url.rpartition("/")
            way = names[base]
            words[way][page] = word
            if len(words[way]) == len(PAGES):
                answer(way, (words[way][page] for page in PAGES), kinds.get(base, "- for=-"))

        def got(self, response):
            self.note(response.request, "allowed")

        def failed(self, failure):
            self.note(failure.request, word(getattr(failure.value, "refusal", failure.value)))

    settings = {"CONCURRENT_REQUESTS": AT_ONCE, "DOWNLOAD_DELAY": 0, "DOWNLOAD_TIMEOUT": seconds, "RETRY_ENABLED": False}
    run_scrapy(Spider, {**settings, "DOWNLOAD_FAIL_ON_DATALOSS": False})


def ways_with_robotparser(ways: list[tuple[str, str]], seconds: float) -> None:
    """It has no pause for outages: an outage forbids, or raises."""
    from librobots import robotparser

    _client.TIMEOUT = seconds

    def visit(way: str, base: str) -> None:
        parser = robotparser.RobotFileParser(f"{base}/robots.txt")
        # As the original it raises on UTF-16, and forbids all pages then.
        with suppress(OSError, http.client.HTTPException, UnicodeDecodeError):
            parser.read()
        allowed = [parser.can_fetch("ExampleBot", f"{base}/{page}") for page in PAGES]
        refused = "forbidden" if allowed[0] else "deferred"
        for page, is_allowed in zip(PAGES, allowed):
            if is_allowed:
                with suppress(OSError):
                    urllib.request.urlopen(f"{base}/{page}").close()
        answer(way, ["allowed" if is_allowed else refused for is_allowed in allowed], "- for=-")

    in_threads(ways, visit)


def ways_with_requests(ways: list[tuple[str, str]], seconds: float) -> None:
    """The example."""
    import requests

    path = Path(__file__).parents[2] / "examples" / "python" / "fetch_pages.py"
    spec = importlib.util.spec_from_file_location("fetch_pages", path)
    assert spec is not None
    assert spec.loader is not None
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    example.MOST_SECONDS = seconds
    cache = Cache(Crawler("ExampleBot"))

    def get(url: str, session: requests.Session) -> str:
        decision = cache.request(url)
        while decision.ticket is not None:
            example.retrieve(decision.ticket, session)
            decision = cache.request(url, slot=decision.request_at)
        if decision.allowed:
            response = session.get(url)
            cache.retry_after(url, response.status_code, response.headers.get("Retry-After"))
            return "allowed"
        verdict = decision.verdict
        return "forbidden" if isinstance(verdict, Verdict) and "RULE" in verdict.reason.name else "deferred"

    def visit(way: str, base: str) -> None:
        with requests.Session() as session:
            session.headers.update(AGENT)
            answer(way, [get(f"{base}/{page}", session) for page in PAGES], kind_of(cache, base))

    in_threads(ways, visit)


def visit_ways(name: str, seconds: float) -> None:
    ways = [tuple(line.split()) for line in sys.stdin]
    run = globals()[f"ways_with_{name.replace('httpx-async', 'async_httpx')}"](ways, seconds)
    if run is not None:
        asyncio.run(run)


def main(name: str, base: str, seconds: str = "") -> None:
    if base == "ways":
        visit_ways(name, float(seconds))
        return
    urls = given()
    assert urlsplit(base).scheme == "http"
    if name == "httpx":
        with_httpx(urls)
    elif name == "httpx-async":
        asyncio.run(with_async_httpx(urls))
    elif name == "aiohttp":
        asyncio.run(with_aiohttp(urls))
    elif name == "scrapy":
        with_scrapy(urls)
    else:
        with_loop(urls, base, name)


main(*sys.argv[1:])
