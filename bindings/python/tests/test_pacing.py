"""Crawl-delay and Retry-After: the slots of the cache, and the clients that wait for them."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import time
from datetime import timedelta
from pathlib import Path

import aiohttp
import anyio
import httpx
import pytest
from site_of_tests import assert_paced, paced_urls, served

import librobots.aiohttp
from librobots import (
    ArgumentError,
    Cache,
    CacheCounts,
    Crawler,
    DeferError,
    LoadedRecords,
    Outcome,
    Reason,
    UrlError,
)
from librobots.aiohttp import RobotsMiddleware
from librobots.httpx import AsyncRobotsTransport, RobotsTransport

NOW = 1_800_000_000.5
URL = "https://example.com/page"
SLOW = b"User-agent: *\nCrawl-delay: 0.2\nDisallow: /private/\n"


def filled(cache: Cache, body: bytes = SLOW, url: str = URL) -> Cache:
    """Finish the first ticket of a site."""
    ticket = cache.check(url, now=NOW).ticket
    assert ticket is not None
    ticket.finish(cache.crawlers[0].outcome_from_status(url, 200, body, now=NOW), now=NOW)
    return cache


def new_cache(**options) -> Cache:
    return Cache(Crawler("ExampleBot"), **options)


def test_a_slot() -> None:
    cache = filled(new_cache(horizon=timedelta(milliseconds=300)))
    assert cache.check(URL, now=NOW).request_at is None
    decision, late = cache.request(URL, now=NOW), cache.request(URL, now=NOW)
    assert (decision.crawl_delay, decision.crawl_delay_cut, bool(late)) == (0.2, False, False)
    assert decision.request_at == pytest.approx(NOW + 0.2, abs=1e-6)
    assert decision.request_in == pytest.approx(0.2, abs=1e-6)
    assert repr(decision).endswith(f" request_at={decision.request_at:.3f}>")
    assert (late.until, cache.crawl_delay("https://other.example/")) == (int(NOW) + 1, None)
    assert cache.crawl_delay(URL) == 0.2
    assert new_cache().counts() == CacheCounts(0, 0, 0, 0, 0, 0, 0, 0)
    with pytest.raises(UrlError):
        cache.crawl_delay("/page")


@pytest.mark.parametrize("option", ["default_delay", "max_delay", "horizon"])
def test_misuse(option: str) -> None:
    for bare in (60, 60.0, 60_000, "60"):
        with pytest.raises(TypeError, match=rf"{option}={bare!r}: pass a datetime.timedelta of 0 to 1 day"):
            new_cache(**{option: bare})
    for value in (timedelta(seconds=-1), timedelta(days=1, microseconds=1), timedelta.max):
        with pytest.raises(ArgumentError, match=f"{option}=.*: pass a datetime.timedelta of 0 to 1 day"):
            new_cache(**{option: value})
    new_cache(**{option: timedelta(days=1)})


def test_times_in_another_unit() -> None:
    cache = filled(new_cache())
    for wrong in (NOW * 1000, -1.0, float("nan")):
        with pytest.raises(ValueError, match="pass seconds since 1970"):
            cache.request(URL, now=wrong)
        with pytest.raises(ValueError, match="pass seconds since 1970"):
            cache.retry_after(URL, 429, "1", now=wrong)
    # As of a clock that starts with the process.
    with pytest.raises(ArgumentError):
        cache.request(URL, now=time.monotonic() % 1e6)
    with pytest.raises(ArgumentError):
        cache.retry_after(URL, 429, now=12.0)


def test_records_in_a_file(tmp_path: Path) -> None:
    path, urls = tmp_path / "cache.records", [f"https://{number}.example/" for number in range(20)]
    cache = new_cache()
    for url in urls:
        filled(cache, url=url)
    reserved = cache.request(urls[0], now=NOW).request_at
    assert cache.save(path) == 20
    assert os.listdir(tmp_path) == ["cache.records"]
    again = new_cache()
    assert again.load(str(path)) == LoadedRecords(20, 0, 0, 0)
    assert again.export_records() == cache.export_records()
    # The slot, too.
    assert again.request(urls[0], now=NOW).request_at == pytest.approx(reserved + 0.2)

    assert Cache(Crawler("OtherBot")).load(path) == LoadedRecords(0, 20, 0, 0)
    data = path.read_bytes()
    first = 4 + int.from_bytes(data[:4], "big")
    for damaged, expected in (
        (data[:-1], LoadedRecords(19, 0, 1, 0)),
        (data[:2], LoadedRecords(0, 0, 1, 0)),
        (data + b"\0\0", LoadedRecords(20, 0, 1, 0)),
        (data[: first - 1] + b"~" + data[first:], LoadedRecords(19, 0, 1, 0)),
        (b"\0\0\0\0" + data, LoadedRecords(20, 0, 1, 0)),
        (b"#!/bin/sh\n", LoadedRecords(0, 0, 1, 0)),
        (b"", LoadedRecords(0, 0, 0, 0)),
    ):
        path.write_bytes(damaged)
        assert new_cache().load(path) == expected
    with pytest.raises(FileNotFoundError):
        new_cache().load(tmp_path / "none")


def test_a_save_that_fails_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "cache.records"
    cache = filled(new_cache())
    cache.save(path)
    before = path.read_bytes()
    with pytest.raises(OSError):
        cache.save(tmp_path / "no-folder" / "cache.records")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "file").touch()
    with pytest.raises(OSError):
        cache.save(tmp_path / "folder")
    for bad in ("", "/"):
        with pytest.raises(OSError):
            cache.save(bad)
    assert sorted(os.listdir(tmp_path)) == ["cache.records", "folder"]
    assert path.read_bytes() == before


def test_a_small_cache_loads_what_fits(tmp_path: Path) -> None:
    cache = new_cache()
    for number in range(300):
        filled(cache, url=f"https://{number}.example/")
    cache.save(tmp_path / "cache.records")
    loaded = new_cache(max_bytes=65_536).load(tmp_path / "cache.records")
    assert loaded.imported > 0
    assert loaded.no_room > 0
    assert loaded.imported + loaded.no_room == 300


def check_in_child(records: dict[str, bytes]) -> list[bool]:
    return [
        Outcome.check_record(records["https://example.com"], url, now=NOW).allowed
        for url in ("https://example.com/", "https://example.com/private/", "https://other.example/")
    ]


def test_a_record_is_checked_in_place() -> None:
    """Forked workers inherit the records; each knows its site and its expiry, which an image does not."""
    cache = filled(new_cache())
    records = {Outcome.decode(record, cache.crawlers).origin: record for record in cache.export_records()}
    with multiprocessing.get_context("fork").Pool(1) as pool:
        assert pool.apply(check_in_child, (records,)) == [True, False, False]
    [record] = records.values()
    for damaged in (b"", record[:50], b"x" + record[1:]):
        assert type(Outcome.check_record(damaged, URL, now=NOW).error).__name__ == "ImageError"
    with pytest.raises(ValueError, match="pass seconds"):
        Outcome.check_record(record, URL, now=NOW * 1000)


@pytest.mark.parametrize("client", ["httpx", "aiohttp"])  # async httpx: test_hops.py
def test_50_tasks_keep_the_delays(client: str) -> None:
    outcomes: list[Outcome] = []

    def with_threads(urls: list[str]) -> None:
        from concurrent.futures import ThreadPoolExecutor

        limits = httpx.Limits(max_connections=None)
        transport = RobotsTransport(cache, httpx.HTTPTransport(limits=limits), on_outcome=outcomes.append)
        with httpx.Client(transport=transport, headers=agent) as session, ThreadPoolExecutor(50) as pool:
            assert {response.status_code for response in pool.map(session.get, urls)} == {404}

    async def with_aiohttp(urls: list[str]) -> None:
        middleware = RobotsMiddleware(cache, on_outcome=outcomes.append)
        async with aiohttp.ClientSession(middlewares=[middleware], headers=agent) as session:
            await asyncio.gather(*(session.get(url) for url in urls))

    cache, agent = new_cache(), {"User-Agent": "ExampleBot/1.0"}
    with served("slow", "brisk", "free") as site:
        if client == "httpx":
            with_threads(paced_urls(site))
        else:
            asyncio.run(with_aiohttp(paced_urls(site)))
    assert_paced(site)
    assert {outcome.origin + "/" for outcome in outcomes} == set(site.at.values())


def test_a_wait_can_be_cancelled() -> None:
    with served("slow") as site:

        async def crawl() -> None:
            async with httpx.AsyncClient(transport=AsyncRobotsTransport(new_cache())) as session:
                start = time.monotonic()
                with anyio.move_on_after(0.3) as scope:
                    await session.get(site.at["slow"])
                assert scope.cancelled_caught
                assert time.monotonic() - start < 0.9

        anyio.run(crawl)
    assert site.pages("slow") == set()


def test_a_long_wait_is_deferred() -> None:
    with served("slow") as site:

        async def crawl() -> None:
            transport = AsyncRobotsTransport(new_cache(horizon=timedelta(milliseconds=500)))
            async with httpx.AsyncClient(transport=transport) as session:
                with pytest.raises(DeferError) as caught:
                    await session.get(site.at["slow"])
                assert (caught.value.reason, caught.value.cause) == (Reason.DEFER, None)
                assert time.time() < caught.value.until <= time.time() + 3
            timeout = aiohttp.ClientTimeout(total=0.9)
            async with aiohttp.ClientSession(middlewares=[RobotsMiddleware(new_cache())], timeout=timeout) as session:
                with pytest.raises(DeferError):
                    await session.get(site.at["slow"])

        asyncio.run(crawl())
    assert site.pages("slow") == set()


@pytest.mark.parametrize("client", ["httpx", "async httpx", "aiohttp"])
def test_a_busy_page_stops_its_site(client: str) -> None:
    """The server answers 429 with a Retry-After of a second."""
    cache = new_cache(max_delay=timedelta(0))
    with served("free") as site:
        url = f"{site.at['free']}busy/once.html"

        async def with_httpx() -> None:
            async with httpx.AsyncClient(transport=AsyncRobotsTransport(cache)) as session:
                assert (await session.get(url)).status_code == 429

        async def with_aiohttp() -> None:
            async with aiohttp.ClientSession(middlewares=[RobotsMiddleware(cache)]) as session:
                assert (await session.get(url)).status == 429

        if client == "httpx":
            with httpx.Client(transport=RobotsTransport(cache)) as session:
                assert session.get(url).status_code == 429
        else:
            asyncio.run((with_httpx if client == "async httpx" else with_aiohttp)())
        assert cache.request(url).request_at > time.time() + 0.2


def test_a_foreign_user_agent_is_said_once(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING, "librobots")
    with served("free") as site:
        with httpx.Client(transport=RobotsTransport(new_cache())) as session:
            session.get(site.at["free"], headers={"User-Agent": "examplebot/1.0 (+https://example.com/bot)"})
            assert caplog.messages == []
            session.get(site.at["free"])
            session.get(site.at["free"])
    agent = f"python-httpx/{httpx.__version__}"
    text = f"requests have the User-Agent {agent!r}, but robots.txt is read for ExampleBot: name the token in the User-Agent"
    assert caplog.messages == [text]
    caplog.clear()
    RobotsMiddleware(new_cache(), user_agent="Mozilla/5.0")
    assert len(caplog.messages) == 1
    librobots.aiohttp.RobotsMiddleware(Cache(Crawler()), user_agent="Mozilla/5.0")
    librobots.aiohttp.RobotsMiddleware(Cache(Crawler("Other", "ExampleBot")), user_agent="ExampleBot/1.0")
    assert len(caplog.messages) == 1
