"""A client of tests/wire/run: client.py NAME BASE."""

from __future__ import annotations

import asyncio
import http.client
import sys
import urllib.request
from urllib.parse import urlsplit

from librobots import Cache, Crawler, ForbiddenError, RobotsError, url_to_send

AGENT = {"User-Agent": "ExampleBot/1.0"}


def given() -> list[str]:
    return [bytes.fromhex(line).decode() for line in sys.stdin]


def report(answer: str) -> None:
    print(answer, flush=True)


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
    from scrapy.crawler import CrawlerProcess

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

    process = CrawlerProcess(
        {
            "DOWNLOADER_MIDDLEWARES": {
                "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": None,
                "librobots.scrapy.RobotsMiddleware": 100,
            },
            "LOG_ENABLED": False,
            "ROBOTSTXT_OBEY": True,
            "TELNETCONSOLE_ENABLED": False,
            "URLLENGTH_LIMIT": 0,
            "USER_AGENT": AGENT["User-Agent"],
        }
    )
    process.crawl(Spider)
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


def main(name: str, base: str) -> None:
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
