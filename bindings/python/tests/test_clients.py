"""The helpers for httpx and aiohttp, on the site that the crawlers of all languages visit; its log says what they sent."""

from __future__ import annotations

import asyncio
import itertools
import socket
import threading
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import unquote

import aiohttp
import anyio
import httpx
import pytest
from site_of_tests import FORBIDDEN, dripping, served

from librobots import (
    ArgumentError,
    Cache,
    Cause,
    Crawler,
    DeferError,
    FetchOption,
    ForbiddenError,
    Reason,
    RobotsError,
    Ticket,
    UrlError,
)
from librobots._client import RequestChecker
from librobots.aiohttp import RobotsMiddleware
from librobots.httpx import AsyncRobotsTransport, RobotsTransport

# Returns the status of a response.
Get = Callable[[str], Awaitable[int]]


def with_httpx(crawl: Callable[[Get], Awaitable[None]], cache: Cache, **settings) -> None:
    headers = settings.pop("headers", None)
    with httpx.Client(transport=RobotsTransport(cache, **settings), follow_redirects=True) as client:

        async def get(url: str) -> int:
            return (await anyio.to_thread.run_sync(lambda: client.get(url, headers=headers))).status_code

        anyio.run(crawl, get)


def with_async_httpx(crawl: Callable[[Get], Awaitable[None]], cache: Cache, **settings) -> None:
    headers = settings.pop("headers", None)

    async def run() -> None:
        transport = AsyncRobotsTransport(cache, **settings)
        async with httpx.AsyncClient(transport=transport, follow_redirects=True) as client:

            async def get(url: str) -> int:
                return (await client.get(url, headers=headers)).status_code

            await crawl(get)

    anyio.run(run)


def with_aiohttp(crawl: Callable[[Get], Awaitable[None]], cache: Cache, **settings) -> None:
    headers = settings.pop("headers", None)

    async def run() -> None:
        async with aiohttp.ClientSession(middlewares=[RobotsMiddleware(cache, **settings)]) as session:

            async def get(url: str) -> int:
                async with session.get(url, headers=headers) as response:
                    return response.status

            await crawl(get)

    asyncio.run(run())


@pytest.fixture(params=[with_httpx, with_async_httpx, with_aiohttp], ids=["httpx", "async httpx", "aiohttp"])
def run(request):
    return request.param


def new_cache() -> Cache:
    return Cache(Crawler("ExampleBot"))


def test_it_asks_first(run) -> None:
    with served("plain", "moved", "missing", "encoded", "endless", "closed") as site:

        async def crawl(get: Get) -> None:
            for kind in ("plain", "moved", "encoded", "endless"):
                at = site.at[kind]
                assert await get(f"{at}about.html") == 200
                for path in FORBIDDEN:
                    with pytest.raises(ForbiddenError) as caught:
                        await get(at + path[1:])
                    # aiohttp decodes what needs no escape.
                    assert unquote(caught.value.url) == unquote(at + path[1:])
                    assert caught.value.verdict.reason == Reason.RULE_DISALLOWED
                # A redirect is checked like any request.
                assert await get(f"{at}old.html") == 200
            assert await get(f"{site.at['missing']}private/") == 200
            with pytest.raises(ForbiddenError):
                await get(site.at["closed"])
            for bad in ("gopher://a/", "http://"):
                with pytest.raises(
                    (UrlError, httpx.UnsupportedProtocol, aiohttp.InvalidURL, aiohttp.NonHttpUrlClientError)
                ):
                    await get(bad)

        run(crawl, new_cache())
    for kind in ("plain", "moved", "encoded", "endless"):
        assert site.pages(kind) == {"/about.html", "/old.html", "/new.html"}
        assert len(site.robots(kind)) == 1
    assert site.pages("missing") == {"/private/"}
    assert site.pages("closed") == set()


def test_a_path_that_starts_with_two_slashes_is_a_path(run) -> None:
    """Nothing in it becomes a host: no other site is asked, and none gets the request."""
    with served("plain", "missing") as site:
        other = site.at["missing"].removeprefix("http:").rstrip("/")

        async def crawl(get: Get) -> None:
            for path in (f"{other}/../private/x", f"{other}/private/", "//x/../y"):
                assert await get(site.at["plain"].rstrip("/") + path) == 404

        run(crawl, new_cache())
        checker = RequestChecker(new_cache())
        step = next(checker.steps(f"http://site.example{other}/../private/x"))
        assert isinstance(step, Ticket)
        assert step.origin == "http://site.example"
    assert len(site.robots("plain")) == 1
    assert site.robots("missing") == []
    assert site.pages("missing") == set()


def test_the_target_of_httpx_is_what_is_asked() -> None:
    """The extension "target" is sent in place of the path of the URL."""
    with served("plain", "missing") as site, httpx.Client(transport=RobotsTransport(new_cache())) as client:
        with pytest.raises(ForbiddenError):
            client.get(site.at["plain"], extensions={"target": b"/private/diary.html"})
        for target in (site.at["missing"].encode(), b"*", b""):
            with pytest.raises(UrlError):
                client.get(site.at["plain"], extensions={"target": target})
        client.get(site.at["plain"], extensions={"target": b"/%61bout.html"})
    assert site.pages("plain") == {"/about.html"}  # in the form to send


def test_the_path_that_a_server_serves_counts(run) -> None:
    """A client may send dot segments as they are."""
    with served("plain") as site:

        async def crawl(get: Get) -> None:
            for path in ("x/../private/", "./private/", "x/%2e%2E/private/"):
                with pytest.raises(ForbiddenError):
                    await get(site.at["plain"] + path)
            assert await get(site.at["plain"] + "x/../about.html") in (200, 404)

        run(crawl, new_cache())
        checker = RequestChecker(new_cache())
        with pytest.raises(ForbiddenError, match=r"x/\.\./private/: "):
            for step in checker.steps(site.at["plain"] + "x/../private/"):
                assert isinstance(step, Ticket)
                with checker.fetching(step, threading.Event()) as fetch:
                    body = b"User-agent: *\nDisallow: /private/\n"
                    assert checker.wants_body(fetch, 200, [])
                    fetch.body(body)
                    fetch.end()


def test_a_session_with_little_time_defers() -> None:
    """The outage is known then: the next request does not wait for it again."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        url = f"http://127.0.0.1:{server.getsockname()[1]}/"

        async def crawl() -> None:
            timeout = aiohttp.ClientTimeout(total=0.5)
            async with aiohttp.ClientSession(middlewares=[RobotsMiddleware(new_cache())], timeout=timeout) as session:
                for _ in range(2):
                    with pytest.raises(DeferError) as caught:
                        await session.get(url)
                    assert (caught.value.cause, caught.value.reason) == (Cause.TIMEOUT, Reason.UNREACHABLE)
                with pytest.raises(asyncio.TimeoutError):
                    await session.get(url.replace("127.0.0.1", "localhost"), timeout=aiohttp.ClientTimeout(total=0.1))

        asyncio.run(crawl())


def test_a_timeout_closes_the_connection(run) -> None:
    threads = threading.active_count()
    with dripping(b"HTTP/1.1 200 OK\r\nX-Late: ") as url:

        async def crawl(get: Get) -> None:
            begin = time.monotonic()
            with pytest.raises(DeferError) as caught:
                await get(f"{url}/about.html")
            assert caught.value.cause == Cause.TIMEOUT
            assert time.monotonic() - begin < 3
            # The connection is closed, so no thread stays with it.
            while threading.active_count() > threads + 2:
                assert time.monotonic() - begin < 5
                await anyio.sleep(0.05)

        run(crawl, new_cache(), timeout=0.5)


def test_an_outage_defers(run) -> None:
    with served("overrun", "half") as site:

        async def crawl(get: Get) -> None:
            for kind, cause in (("overrun", Cause.TOO_MANY_REQUESTS), ("half", Cause.TRUNCATED)):
                for _ in range(2):
                    with pytest.raises(DeferError) as caught:
                        await get(f"{site.at[kind]}about.html")
                    assert caught.value.until > time.time()
                    assert (caught.value.reason, caught.value.cause) == (Reason.UNREACHABLE, cause)

        run(crawl, new_cache())
    for kind in site.at:
        assert site.pages(kind) == set()
        assert len(site.robots(kind)) == 1


def test_an_error_prints_a_date() -> None:
    error = DeferError("http://a.b/", 1_800_000_000, Reason.UNREACHABLE, Cause.DNS)
    assert str(error) == "http://a.b/: UNREACHABLE (DNS); try again at 2027-01-15T08:00:00Z"
    assert error.until == 1_800_000_000
    # A time without a date stays a number.
    assert str(DeferError("http://a.b/", 2**64 - 1, Reason.DEFER)).endswith(f"; try again at {2**64 - 1}")


def test_a_file_that_is_always_old(run) -> None:
    """One request fetches it at most twice: at first, and at the time of its slot."""
    old = {FetchOption.MIN_TTL: 0, FetchOption.MAX_TTL: 1, FetchOption.MISSING_TTL: 1}
    with served("plain", "missing") as site:

        async def crawl(get: Get) -> None:
            assert await get(f"{site.at['plain']}about.html") == 200
            with pytest.raises(DeferError):
                await get(f"{site.at['missing']}about.html")

        run(crawl, Cache(Crawler("ExampleBot", fetch_options=old)), clock=itertools.count(time.time(), 10).__next__)
    assert [len(site.robots(kind)) for kind in ("plain", "missing")] == [2, 2]


def test_a_site_whose_host_is_an_ipv6_address(run) -> None:
    with socket.create_server(("::1", 0), family=socket.AF_INET6) as server:

        def serve() -> None:
            for body in (b"", b"page"):
                connection = server.accept()[0]
                with connection:
                    connection.recv(65536)
                    head = f"HTTP/1.1 200 OK\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
                    connection.sendall(head.encode() + body)

        thread = threading.Thread(target=serve)
        thread.start()

        async def crawl(get: Get) -> None:
            assert await get(f"http://[::1]:{server.getsockname()[1]}/about.html") == 200

        run(crawl, new_cache())
        thread.join()


def test_servers_that_do_not_answer(run) -> None:
    with socket.socket() as unheard:
        unheard.bind(("127.0.0.1", 0))
        port = unheard.getsockname()[1]

        async def crawl(get: Get) -> None:
            for url, cause in ((f"http://127.0.0.1:{port}/", Cause.CONNECT), ("http://name.invalid/", Cause.DNS)):
                with pytest.raises(DeferError) as caught:
                    await get(url)
                assert caught.value.cause == cause, url

        run(crawl, new_cache())


def test_an_outage_ends(run) -> None:
    with served("recovering") as site:
        ahead = [0.0]  # of the clock, which runs on: its crawl-delay is waited for

        async def crawl(get: Get) -> None:
            url = f"{site.at['recovering']}about.html"
            with pytest.raises(DeferError) as caught:
                await get(url)
            ahead[0] = caught.value.until + 1 - time.time()
            assert await get(url) == 200

        run(crawl, new_cache(), clock=lambda: time.time() + ahead[0])
    assert site.robots("recovering") == [503, 200]


def test_many_requests_fetch_one_robots_txt(run) -> None:
    with served("plain") as site:

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
    with served("aging") as site:
        ahead = [0.0]

        async def crawl(get: Get) -> None:
            for _ in range(3):
                assert await get(f"{site.at['aging']}about.html") == 200
                with pytest.raises(ForbiddenError):
                    await get(f"{site.at['aging']}private/")
                ahead[0] += 400

        run(crawl, new_cache(), clock=lambda: time.time() + ahead[0])
    assert site.robots("aging") == [200, 304, 304]


def test_the_host_header_names_the_site(run) -> None:
    with served("plain") as site:
        cache = new_cache()

        async def crawl(get: Get) -> None:
            assert await get(f"{site.at['plain']}about.html") == 200
            with pytest.raises(ForbiddenError) as caught:
                await get(f"{site.at['plain']}private/")
            assert caught.value.url == "http://shop.example/private/"

        run(crawl, cache, headers={"Host": "shop.example"})
        assert cache.outcome("http://shop.example/") is not None
    assert site.robots("plain") == [200]


@pytest.mark.parametrize(
    "host", ["shop.example?", "shop.example#", "shop.example/", "user@shop.example", "shop.example x"]
)
def test_a_host_header_that_is_no_host(run, host: str) -> None:
    with served("plain") as site:

        async def crawl(get: Get) -> None:
            with pytest.raises(UrlError, match="is no host"):
                await get(f"{site.at['plain']}about.html")

        run(crawl, new_cache(), headers={"Host": host})
    assert site.requests == []


def test_no_password_in_messages(run) -> None:
    with served("plain") as site:
        url = site.at["plain"].replace("http://", "http://user:secret@")

        async def crawl(get: Get) -> None:
            with pytest.raises(ForbiddenError) as caught:
                await get(f"{url}private/")
            assert "secret" not in str(caught.value)

        run(crawl, new_cache())


def test_a_record_that_is_stored_for_others_permits_nothing() -> None:
    with pytest.raises(RobotsError):
        new_cache().import_record(Crawler("Other").outcome_from_status("http://a/", 404).encode())


@pytest.mark.parametrize("make", [RobotsTransport, AsyncRobotsTransport, RobotsMiddleware])
def test_misuse(make) -> None:
    with pytest.raises(ArgumentError, match="crawler=1 is out of range"):
        make(new_cache(), crawler=1)


def test_threads_share_a_transport() -> None:
    with served("plain", "missing") as site:
        with httpx.Client(transport=RobotsTransport(new_cache())) as client, ThreadPoolExecutor(8) as pool:
            start = threading.Barrier(8)

            def get(at: str) -> int:
                start.wait()
                return client.get(f"{at}about.html").status_code

            assert list(pool.map(get, [site.at["plain"], site.at["missing"]] * 4)) == [200] * 8
    assert (site.robots("plain"), site.robots("missing")) == ([200], [404])


def test_a_cancelled_task_leaves_the_fetch_to_others() -> None:
    with served("drip") as site:

        async def crawl() -> None:
            async with httpx.AsyncClient(transport=AsyncRobotsTransport(new_cache(), timeout=60.0)) as client:
                with anyio.move_on_after(0.5):
                    await client.get(f"{site.at['drip']}about.html")
                with anyio.move_on_after(0.5):
                    await client.get(f"{site.at['drip']}about.html")

        anyio.run(crawl)
    assert site.robots("drip") == [200, 200]
    assert site.pages("drip") == set()


@pytest.mark.parametrize("backend", ["asyncio", "trio"])
def test_backends(backend: str) -> None:
    with served("plain") as site:

        async def crawl() -> None:
            async with httpx.AsyncClient(transport=AsyncRobotsTransport(new_cache())) as client:
                assert (await client.get(f"{site.at['plain']}about.html")).status_code == 200
                with pytest.raises(ForbiddenError):
                    await client.get(f"{site.at['plain']}private/")

        anyio.run(crawl, backend=backend)
    assert site.pages("plain") == {"/about.html"}
