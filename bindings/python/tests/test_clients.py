"""The helpers for httpx and aiohttp: what they send to the site that the crawlers of all languages visit, and when.

What they make of responses that are late, cut, coded or redirected: tests/wire.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
import socket
import threading
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from urllib.parse import unquote

import aiohttp
import anyio
import httpx
import pytest
import trio
import trio.testing
from site_of_tests import FORBIDDEN, PACED, SERVER, Site, assert_paced, paced_urls

from librobots import (
    Action,
    ArgumentError,
    Cache,
    Cause,
    Crawler,
    DeferError,
    FetchOption,
    ForbiddenError,
    Origin,
    Outcome,
    Reason,
    Ticket,
    UrlError,
)
from librobots._client import RequestChecker
from librobots.aiohttp import RobotsMiddleware
from librobots.httpx import AsyncRobotsTransport, RobotsTransport

# Returns the status of a response.
Get = Callable[[str], Awaitable[int]]
NOW = 1_800_000_000.5


def with_httpx(crawl: Callable[[Get], Awaitable[None]], cache: Cache, headers: dict | None = None, **settings) -> None:
    with httpx.Client(transport=RobotsTransport(cache, **settings), follow_redirects=True, headers=headers) as client:

        async def get(url: str) -> int:
            return (await anyio.to_thread.run_sync(client.get, url)).status_code

        anyio.run(crawl, get)


def with_async_httpx(
    crawl: Callable[[Get], Awaitable[None]], cache: Cache, headers: dict | None = None, **settings
) -> None:
    async def run() -> None:
        transport = AsyncRobotsTransport(cache, **settings)
        async with httpx.AsyncClient(transport=transport, follow_redirects=True, headers=headers) as client:

            async def get(url: str) -> int:
                return (await client.get(url)).status_code

            await crawl(get)

    anyio.run(run, backend="trio")  # asyncio: test_a_wait_ends


def with_aiohttp(
    crawl: Callable[[Get], Awaitable[None]], cache: Cache, headers: dict | None = None, **settings
) -> None:
    async def run() -> None:
        async with aiohttp.ClientSession(middlewares=[RobotsMiddleware(cache, **settings)], headers=headers) as session:

            async def get(url: str) -> int:
                async with session.get(url) as response:
                    return response.status

            await crawl(get)

    asyncio.run(run())


@pytest.fixture(params=[with_httpx, with_async_httpx, with_aiohttp], ids=["httpx", "async httpx", "aiohttp"])
def run(request):
    return request.param


def new_cache(crawler: Crawler = Crawler("ExampleBot"), max_delay: timedelta = timedelta(0), **options) -> Cache:  # noqa: B008
    return Cache(crawler, max_delay=max_delay, **options)


def test_it_asks_first(run) -> None:
    site = Site("plain", "endless", "missing")

    async def crawl(get: Get) -> None:
        for kind in ("plain", "endless"):
            at = site.at[kind]
            assert await get(f"{at}about.html") == 200
            # The last are read as browsers and servers read them: no dot segment leads around a rule.
            for path in (*FORBIDDEN, "/x/../private/", "/./private/", "/x/%2e%2E/private/"):
                with pytest.raises(ForbiddenError) as caught:
                    await get(at.replace("//", "//user:secret@") + path[1:])
                assert caught.value.verdict.reason == Reason.RULE_DISALLOWED
                assert "secret" not in str(caught.value)
                # aiohttp decodes what needs no escape.
                assert path not in FORBIDDEN or unquote(caught.value.url) == unquote(at + path[1:])
            # A redirect is checked like any request.
            assert await get(f"{at}old.html") == 200
        assert await get(f"{site.at['missing']}private/") == 200
        for bad in ("gopher://a/", "http://"):
            with pytest.raises(
                (UrlError, httpx.UnsupportedProtocol, aiohttp.InvalidURL, aiohttp.NonHttpUrlClientError)
            ):
                await get(bad)

    run(crawl, new_cache())
    for kind in ("plain", "endless"):
        assert site.pages(kind) == {"/about.html", "/old.html", "/new.html"}
        assert len(site.robots(kind)) == 1
    assert site.pages("missing") == {"/private/"}


def test_a_busy_page_stops_its_site(run) -> None:
    """The server answers 429 with a Retry-After of a second."""
    site, cache = Site("free"), new_cache()
    url = f"{site.at['free']}busy/once.html"

    async def crawl(get: Get) -> None:
        assert await get(url) == 429

    run(crawl, cache, clock=lambda: NOW)
    assert cache.request(url, now=NOW).request_at == NOW + 1


def test_a_path_that_starts_with_two_slashes_is_a_path(run) -> None:
    """Nothing in it becomes a host: no other site is asked, and none gets the request."""
    site = Site("plain", "missing")
    other = site.at["missing"].removeprefix("http:").rstrip("/")

    async def crawl(get: Get) -> None:
        for path in (f"{other}/../private/x", f"{other}/private/", "//x/../y"):
            assert await get(site.at["plain"].rstrip("/") + path) == 404

    run(crawl, new_cache())
    step = next(RequestChecker(new_cache()).steps(f"http://site.example{other}/../private/x"))
    assert isinstance(step, Ticket)
    assert step.origin == "http://site.example"
    assert len(site.robots("plain")) == 1
    assert [kind for _, kind, *_ in site.log() if kind == "missing"] == []


def test_the_target_of_httpx_is_what_is_asked() -> None:
    """The extension "target" is sent in place of the path of the URL."""
    site = Site("plain")
    with httpx.Client(transport=RobotsTransport(new_cache())) as client:
        for target, error in (
            (b"/private/diary.html", ForbiddenError),
            (b"*", UrlError),
            (b"", UrlError),
            (b"http://a/", UrlError),
        ):
            with pytest.raises(error):
                client.get(site.at["plain"], extensions={"target": target})
        client.get(site.at["plain"], extensions={"target": b"/%61bout.html"})
    assert site.pages("plain") == {"/about.html"}  # in the form to send


def test_a_session_with_little_time_defers() -> None:
    """The outage is known then: the next request does not wait for it again. The same holds for a slot that is far away."""
    site = Site("slow")
    with socket.create_server(("127.0.0.1", 0)) as server:
        url = f"http://127.0.0.1:{server.getsockname()[1]}/"

        async def crawl() -> None:
            middlewares, timeout = [RobotsMiddleware(Cache(Crawler("ExampleBot")))], aiohttp.ClientTimeout(total=0.5)
            async with aiohttp.ClientSession(middlewares=middlewares, timeout=timeout) as session:
                for asked, wanted in ((url, (Cause.TIMEOUT, Reason.UNREACHABLE)),) * 2 + (
                    (site.at["slow"], (None, Reason.DEFER)),
                ):
                    with pytest.raises(DeferError) as caught:
                        await session.get(asked)
                    assert (caught.value.cause, caught.value.reason) == wanted
                with pytest.raises(asyncio.TimeoutError):
                    await session.get(url.replace("127.0.0.1", "localhost"), timeout=aiohttp.ClientTimeout(total=0.1))

        asyncio.run(crawl())
    assert site.pages("slow") == set()


def assert_woken(site: Site) -> None:
    """Assert that the first of eight pages is requested soon after the end of the robots.txt, by the server's log."""
    (robots, *pages) = (seconds for seconds, *_ in site.log())
    assert site.robots("delayed") == [200]
    assert (len(pages), pages[0] - robots < 1, pages[-1] - robots < 2) == (8, True, True), (robots, pages)


def test_eight_workers_wake_at_the_end_of_the_fetch(run) -> None:
    site = Site("delayed")

    async def crawl(get: Get) -> None:
        async with anyio.create_task_group() as group:
            for number in range(8):
                group.start_soon(get, f"{site.at['delayed']}missing.html?{number}")

    run(crawl, new_cache())
    assert_woken(site)


def test_a_wait_of_the_cache_ends_with_the_fetch() -> None:
    """Eight threads without the helpers for clients."""
    site, cache, http = Site("delayed"), new_cache(), httpx.Client()

    def visit(number: int) -> None:
        url = f"{site.at['delayed']}missing.html?{number}"
        while (decision := cache.check(url)).action != Action.DECIDED:
            if decision.ticket is not None:
                status = http.get(decision.ticket.origin + "/robots.txt").status_code
                decision.ticket.finish(cache.crawlers[0].outcome_from_status(url, status, b""))
            elif decision.action == Action.WAIT:
                assert cache.wait(url, timedelta(seconds=30))
        http.get(url)

    with http, ThreadPoolExecutor(8) as pool:
        list(pool.map(visit, range(8)))
    assert_woken(site)
    ticket = cache.check("https://other.example/").ticket
    begin = time.monotonic()
    assert not cache.wait("https://other.example/page", timedelta(milliseconds=150))
    assert 0.15 <= time.monotonic() - begin < 5
    ticket.release()
    assert cache.wait("https://other.example/page", timedelta(days=1))
    for wrong, error in ((timedelta(days=2), ArgumentError), (5, TypeError)):
        with pytest.raises(error):
            cache.wait("https://other.example/", wrong)


def test_a_timeout_closes_the_connection(run) -> None:
    site, threads = Site("late"), threading.active_count()

    async def crawl(get: Get) -> None:
        begin = time.monotonic()
        with pytest.raises(DeferError) as caught:
            await get(f"{site.at['late']}about.html")
        assert caught.value.cause == Cause.TIMEOUT
        # The connection is closed, so no thread stays with it, here or in the server.
        while threading.active_count() > threads + 1:
            assert time.monotonic() - begin < 5
            await anyio.sleep(0.05)

    run(crawl, new_cache(), timeout=0.3)


def test_an_outage_defers(run) -> None:
    site = Site("overrun", "half")
    with socket.socket() as unheard:
        unheard.bind(("127.0.0.1", 0))

        async def crawl(get: Get) -> None:
            for url, cause in (
                *((site.at["overrun"], Cause.TOO_MANY_REQUESTS),) * 2,
                (site.at["half"], Cause.TRUNCATED),
                (f"http://127.0.0.1:{unheard.getsockname()[1]}/", Cause.CONNECT),
                ("http://name.invalid/", Cause.DNS),
            ):
                with pytest.raises(DeferError) as caught:
                    await get(url)
                assert caught.value.until > time.time()
                assert (caught.value.reason, caught.value.cause) == (Reason.UNREACHABLE, cause), url

        run(crawl, new_cache())
    assert [(status, path) for _, _, status, path in site.log()] == [(429, "/robots.txt"), (200, "/robots.txt")]


def test_an_error_prints_a_date() -> None:
    error = DeferError("http://a.b/", 1_800_000_000, Reason.UNREACHABLE, Cause.DNS)
    assert str(error) == "http://a.b/: UNREACHABLE (DNS); try again at 2027-01-15T08:00:00Z"
    # A time without a date stays a number.
    assert str(DeferError("http://a.b/", 2**64 - 1, Reason.DEFER)).endswith(f"; try again at {2**64 - 1}")


def test_a_file_that_is_always_old(run) -> None:
    """One request fetches it at most twice: at first, and at the time of its slot."""
    old = Crawler(
        "ExampleBot", fetch_options={FetchOption.MIN_TTL: 0, FetchOption.MAX_TTL: 1, FetchOption.MISSING_TTL: 1}
    )
    site = Site("plain", "missing")

    async def crawl(get: Get) -> None:
        assert await get(f"{site.at['plain']}about.html") == 200
        with pytest.raises(DeferError):
            await get(f"{site.at['missing']}about.html")

    run(crawl, Cache(old), clock=itertools.count(time.time(), 10).__next__)
    assert [len(site.robots(kind)) for kind in ("plain", "missing")] == [2, 2]


def test_a_site_whose_host_is_an_ipv6_address(run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SERVER, "HOST", "::1")
    monkeypatch.setattr(SERVER.Server, "address_family", socket.AF_INET6)
    site = Site("plain")

    async def crawl(get: Get) -> None:
        assert await get(site.at["plain"] + "about.html") == 200

    run(crawl, new_cache())
    assert site.robots("plain") == [200]


def test_many_requests_fetch_one_robots_txt(run) -> None:
    site = Site("plain")

    async def crawl(get: Get) -> None:
        async def one() -> None:
            assert await get(f"{site.at['plain']}about.html") == 200
            with pytest.raises(ForbiddenError):
                await get(f"{site.at['plain']}private/")

        async with anyio.create_task_group() as group:
            for _ in range(20):
                group.start_soon(one)

    run(crawl, new_cache())
    assert site.robots("plain") == [200]
    assert site.pages("plain") == {"/about.html"}


def test_an_old_file_is_asked_for_on_condition(run) -> None:
    site, ahead = Site("aging"), [0.0]

    async def crawl(get: Get) -> None:
        for _ in range(3):
            assert await get(f"{site.at['aging']}about.html") == 200
            with pytest.raises(ForbiddenError):
                await get(f"{site.at['aging']}private/")
            ahead[0] += 400

    run(crawl, new_cache(), clock=lambda: time.time() + ahead[0])
    assert site.robots("aging") == [200, 304, 304]


def test_the_host_header_names_the_site(run) -> None:
    site, cache = Site("plain"), new_cache()

    async def crawl(get: Get) -> None:
        assert await get(f"{site.at['plain']}about.html") == 200
        with pytest.raises(ForbiddenError) as caught:
            await get(f"{site.at['plain']}private/")
        assert caught.value.url == "http://shop.example/private/"

    run(crawl, cache, headers={"Host": "shop.example"})
    assert cache.outcome("http://shop.example/") is not None
    assert site.robots("plain") == [200]

    async def refused(get: Get) -> None:
        with pytest.raises(UrlError, match="is no host"):
            await get(f"{site.at['plain']}about.html")

    for mark in ("?", "#", "/", " x"):
        run(refused, new_cache(), headers={"Host": f"shop.example{mark}"})
    run(refused, new_cache(), headers={"Host": "user@shop.example"})
    assert len(site.log()) == 2


@pytest.mark.parametrize("make", [RobotsTransport, AsyncRobotsTransport, RobotsMiddleware])
def test_misuse(make, caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(ArgumentError, match="crawler=1 is out of range"):
        make(new_cache(), crawler=1)
    for crawler, agent in ((Crawler("*"), "Mozilla/5.0"), (Crawler("Other", "ExampleBot"), "examplebot/1.0")):
        make(new_cache(crawler), user_agent=agent)
    assert caplog.messages == []
    make(new_cache(), user_agent="Mozilla/5.0")
    assert len(caplog.messages) == 1


def test_a_foreign_user_agent_is_said_once(run, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING, "librobots")
    site = Site("free")

    async def crawl(get: Get) -> None:
        for _ in range(2):
            await get(site.at["free"])

    run(crawl, new_cache(), headers={"User-Agent": "examplebot/1.0 (+https://example.com/bot)"})
    assert caplog.messages == []
    run(crawl, new_cache(), headers={"User-Agent": "Foreign/1"})
    text = "requests have the User-Agent 'Foreign/1', but robots.txt is read for ExampleBot: name the token in the User-Agent"
    assert caplog.messages == [text]


def test_events_are_logged(run, caplog: pytest.LogCaptureFixture) -> None:
    """The events have the fields of Go and Java, in the text and as attributes of the record."""
    caplog.set_level(logging.DEBUG, "librobots")
    site = Site("free", "recovering")
    free, down = site.at["free"], site.at["recovering"]

    async def crawl(get: Get) -> None:
        await get(free)
        await get(free)
        with pytest.raises(DeferError):
            await get(down)

    cache = new_cache(max_delay=timedelta(minutes=1), default_delay=timedelta(milliseconds=50))
    run(crawl, cache)
    records = [record for record in caplog.records if (record.name, record.levelname) == ("librobots", "DEBUG")]
    events = [record.getMessage().partition(":")[0] for record in records]
    assert events == ["robots.txt fetched", "request paced", "request paced", "robots.txt fetched", "request deferred"]
    outcome = cache.outcome(down)
    assert outcome is not None
    assert records[3].getMessage() == (
        f"robots.txt fetched: origin={Origin(down).key} kind=UNREACHABLE cause=SERVER_ERROR status=503 hops=0 stale=False"
        f" final_url={outcome.final_url} retry_at={outcome.retry_at}"
    )
    assert (vars(records[0])["origin"], vars(records[0])["status"]) == (Origin(free).key, 200)
    assert vars(records[1])["until"] > time.time() - 60
    assert records[4].getMessage() == f"request deferred: url={down} cause=SERVER_ERROR until={outcome.retry_at}"


def test_threads_share_a_transport() -> None:
    site = Site("plain", "missing")
    with httpx.Client(transport=RobotsTransport(new_cache())) as client, ThreadPoolExecutor(8) as pool:
        start = threading.Barrier(8)

        def get(at: str) -> int:
            start.wait()
            return client.get(f"{at}about.html").status_code

        assert list(pool.map(get, [site.at["plain"], site.at["missing"]] * 4)) == [200] * 8
    assert (site.robots("plain"), site.robots("missing")) == ([200], [404])


def test_a_wait_ends() -> None:
    """A cancelled task leaves the fetch to others, and a slot unused; a slot that is far away defers."""
    site = Site("drip", "slow")

    async def crawl() -> None:
        cache = Cache(Crawler("ExampleBot"))
        async with httpx.AsyncClient(transport=AsyncRobotsTransport(cache, timeout=60.0)) as client:
            for kind in ("drip", "drip", "slow"):
                with anyio.move_on_after(0.3) as scope:
                    await client.get(f"{site.at[kind]}about.html")
                assert scope.cancelled_caught
        near = Cache(Crawler("ExampleBot"), horizon=timedelta(milliseconds=500))
        async with httpx.AsyncClient(transport=AsyncRobotsTransport(near)) as client:
            with pytest.raises(DeferError) as caught:
                await client.get(site.at["slow"])
            assert (caught.value.reason, caught.value.cause) == (Reason.DEFER, None)
            assert time.time() < caught.value.until <= time.time() + 3

    anyio.run(crawl)
    assert site.robots("drip") == [200, 200]
    assert site.pages("drip") == site.pages("slow") == set()


@pytest.mark.parametrize("client", ["httpx", "aiohttp"])
def test_50_tasks_keep_the_delays(client: str) -> None:
    outcomes: list[Outcome] = []
    site, cache = Site(*PACED), Cache(Crawler("ExampleBot"))
    urls = paced_urls(site.at)

    async def with_tasks() -> None:
        middlewares = [RobotsMiddleware(cache, on_outcome=outcomes.append)]
        async with aiohttp.ClientSession(middlewares=middlewares) as session:
            await asyncio.gather(*map(session.get, urls))

    if client == "aiohttp":
        asyncio.run(with_tasks())
    else:
        below = httpx.HTTPTransport(limits=httpx.Limits(max_connections=None))
        transport = RobotsTransport(cache, below, on_outcome=outcomes.append)
        with httpx.Client(transport=transport) as session, ThreadPoolExecutor(50) as pool:
            assert {response.status_code for response in pool.map(session.get, urls)} == {404}
    assert_paced(site.log())
    assert {outcome.origin + "/" for outcome in outcomes} == set(site.at.values())


def test_50_tasks_of_async_httpx_keep_the_delays() -> None:
    """The clock is simulated, so a busy machine delays no task."""
    log, outcomes = [], list[Outcome]()
    at = {kind: f"https://{kind}.example/" for kind in PACED}

    async def respond(request: httpx.Request) -> httpx.Response:
        kind, path = request.url.host.partition(".")[0], request.url.raw_path.decode()
        log.append((trio.current_time(), kind, 200, path))
        await trio.sleep(0.01)
        if path == "/robots.txt":
            return httpx.Response(200, text=f"User-agent: *\nCrawl-delay: {PACED[kind][0]}\n")
        return httpx.Response(404)

    async def with_tasks() -> None:
        cache, clock = Cache(Crawler("ExampleBot")), lambda: NOW + trio.current_time()
        transport = AsyncRobotsTransport(cache, httpx.MockTransport(respond), clock=clock, on_outcome=outcomes.append)
        async with httpx.AsyncClient(transport=transport) as client, anyio.create_task_group() as group:
            for url in paced_urls(at):
                group.start_soon(client.get, url)

    trio.run(with_tasks, clock=trio.testing.MockClock(autojump_threshold=0))
    assert_paced(log)
    assert {outcome.origin + "/" for outcome in outcomes} == set(at.values())


# --- httpx without a network: where requests go


@pytest.fixture(params=[False, True], ids=["httpx", "async httpx"])
def send(request):
    """Send requests, one after the other, to a function that responds."""

    def send(requests: list[httpx.Request], respond: Callable[[httpx.Request], httpx.Response]) -> None:
        cache, transport, clock = Cache(Crawler("ExampleBot")), httpx.MockTransport(respond), lambda: NOW
        if not request.param:
            with httpx.Client(transport=RobotsTransport(cache, transport, clock=clock)) as client:
                for one in requests:
                    client.send(one)
            return

        async def with_tasks() -> None:
            async with httpx.AsyncClient(transport=AsyncRobotsTransport(cache, transport, clock=clock)) as client:
                for one in requests:
                    await client.send(one)

        anyio.run(with_tasks)

    return send


@pytest.mark.parametrize("url", ["http://127.1/a", "HTTP://H%2Eexample:80/a", "https://[::0]/a"])
def test_the_host_that_was_judged_is_sent(url: str, send) -> None:
    hosts = []

    def respond(request: httpx.Request) -> httpx.Response:
        hosts.append(request.headers["Host"])
        return httpx.Response(404)

    send([httpx.Request("GET", url)], respond)
    assert hosts == [Origin(url).key.partition("://")[2]] * 2


def test_a_wait_ends_where_the_clock_stands_still(send) -> None:
    requests = [httpx.Request("GET", "https://example.com/page")] * 2
    response = httpx.Response(200, text="User-agent: *\nCrawl-delay: 0.01\n")
    thread = threading.Thread(target=send, args=(requests, lambda _: response), daemon=True)
    thread.start()
    thread.join(20)
    assert not thread.is_alive()


def test_a_redirect_to_another_site_with_a_host_header(send) -> None:
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

    send([page("/open")], respond)
    assert seen == [
        ("server.example", "shop.example", "/robots.txt"),
        ("other.example", "other.example", "/robots.txt"),
        ("server.example", "shop.example", "/open"),
    ]
    with pytest.raises(ForbiddenError):
        send([page("/private")], respond)
