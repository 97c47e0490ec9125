"""The transports of httpx without a network: where requests go, and when, by a simulated clock."""

from __future__ import annotations

import threading

import anyio
import httpx
import pytest
import trio
import trio.testing
from site_of_tests import PACED, Site, assert_paced, paced_urls

from librobots import Cache, Crawler, Origin, Outcome
from librobots.httpx import AsyncRobotsTransport, ForbiddenError, RobotsTransport

NOW = 1_800_000_000.5


def crawl(requests: list[httpx.Request], respond, is_async: bool) -> tuple[Cache, list[httpx.Response]]:
    """Send requests, one after the other."""
    cache = Cache(Crawler("ExampleBot"))
    transport, clock = httpx.MockTransport(respond), lambda: NOW
    if not is_async:
        with httpx.Client(transport=RobotsTransport(cache, transport, clock=clock)) as client:
            return cache, [client.send(request) for request in requests]

    async def with_tasks() -> list[httpx.Response]:
        robots = AsyncRobotsTransport(cache, transport, clock=clock)
        async with httpx.AsyncClient(transport=robots) as client:
            return [await client.send(request) for request in requests]

    return cache, anyio.run(with_tasks)


@pytest.mark.parametrize("is_async", [False, True])
def test_retry_after_of_a_page(is_async: bool) -> None:
    def respond(request: httpx.Request) -> httpx.Response:
        return httpx.Response(404 if request.url.path == "/robots.txt" else 503, headers={"Retry-After": "7"})

    url = "https://example.com/page"
    cache, _ = crawl([httpx.Request("GET", url)], respond, is_async)
    assert cache.request(url, now=NOW).request_at == NOW + 7


@pytest.mark.parametrize("is_async", [False, True])
@pytest.mark.parametrize("url", ["http://127.1/a", "HTTP://H%2Eexample:80/a", "https://[::0]/a"])
def test_the_host_that_was_judged_is_sent(url: str, is_async: bool) -> None:
    hosts = []

    def respond(request: httpx.Request) -> httpx.Response:
        hosts.append(request.headers["Host"])
        return httpx.Response(404)

    crawl([httpx.Request("GET", url)], respond, is_async)
    assert hosts == [Origin(url).key.partition("://")[2]] * 2


@pytest.mark.parametrize("is_async", [False, True])
def test_a_wait_ends_where_the_clock_stands_still(is_async: bool) -> None:
    def respond(request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, text="User-agent: *\nCrawl-delay: 0.01\n")

    requests = [httpx.Request("GET", "https://example.com/page")] * 2
    thread = threading.Thread(target=crawl, args=(requests, respond, is_async), daemon=True)
    thread.start()
    thread.join(20)
    assert not thread.is_alive()


@pytest.mark.parametrize("is_async", [False, True])
def test_a_redirect_to_another_site_with_a_host_header(is_async: bool) -> None:
    """The Host header names the site of the page; a redirected robots.txt comes from its own server."""
    seen = []

    def respond(request: httpx.Request) -> httpx.Response:
        seen.append((request.url.host, request.headers["Host"], request.url.path))
        if request.url.path != "/robots.txt":
            return httpx.Response(200)
        if request.headers["Host"] == "shop.example":
            return httpx.Response(302, headers={"Location": "https://other.example/robots.txt"})
        return httpx.Response(200, text="User-agent: *\nDisallow: /private\n")

    def page(path: str) -> httpx.Request:
        return httpx.Request("GET", f"https://server.example{path}", headers={"Host": "shop.example"})

    crawl([page("/open")], respond, is_async)
    assert seen == [
        ("server.example", "shop.example", "/robots.txt"),
        ("other.example", "other.example", "/robots.txt"),
        ("server.example", "shop.example", "/open"),
    ]
    with pytest.raises(ForbiddenError):
        crawl([page("/private")], respond, is_async)


def test_50_tasks_of_async_httpx_keep_the_delays() -> None:
    """The clock is simulated, so a busy machine delays no task."""
    site, outcomes = Site(), list[Outcome]()
    site.at = {kind: f"https://{kind}.example/" for kind in PACED}

    async def respond(request: httpx.Request) -> httpx.Response:
        kind, path = request.url.host.partition(".")[0], request.url.raw_path.decode()
        site.times.append((trio.current_time(), kind, path))
        await trio.sleep(0.01)
        if path == "/robots.txt":
            return httpx.Response(200, text=f"User-agent: *\nCrawl-delay: {PACED[kind][0]}\n")
        return httpx.Response(404)

    async def with_tasks() -> None:
        transport = AsyncRobotsTransport(
            Cache(Crawler("ExampleBot")),
            httpx.MockTransport(respond),
            clock=lambda: NOW + trio.current_time(),
            on_outcome=outcomes.append,
        )
        async with httpx.AsyncClient(transport=transport) as client, anyio.create_task_group() as group:
            for url in paced_urls(site):
                group.start_soon(client.get, url)

    trio.run(with_tasks, clock=trio.testing.MockClock(autojump_threshold=0))
    assert_paced(site)
    assert {outcome.origin + "/" for outcome in outcomes} == set(site.at.values())
