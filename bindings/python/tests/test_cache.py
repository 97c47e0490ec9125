"""The cache with its tickets, slots and records, and fetches without I/O. What they decide: tests/drivers."""

from __future__ import annotations

import copy
import multiprocessing
import os
import pickle
import re
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

import pytest

from librobots import (
    Action,
    ArgumentError,
    Cache,
    CacheCounts,
    Crawler,
    Fetch,
    FetchOption,
    ImageError,
    ImageFormatError,
    LoadedRecords,
    Outcome,
    SchemeError,
    StateError,
    Step,
    UrlError,
)

NOW = 1_800_000_000.5
CRAWLER = Crawler("ExampleBot")
SITE, URL = "https://example.com/", "https://example.com/private/page"
BODY = b"User-agent: *\nCrawl-delay: 0.2\nDisallow: /private/\n"


def outcome(url: str = URL, status: int = 200, body: bytes = BODY) -> Outcome:
    return CRAWLER.outcome_from_status(url, status, body, now=NOW)


def filled(*urls: str, **options) -> Cache:
    """Return a cache that knows the file of each site."""
    cache = Cache(CRAWLER, **options)
    for url in urls or (URL,):
        cache.check(url, now=NOW).ticket.finish(outcome(url), now=NOW)
    return cache


def test_decisions() -> None:
    cache = Cache(CRAWLER)
    decision = cache.check(URL, now=NOW)
    assert (decision.action, decision.verdict, bool(decision)) == (Action.FETCH, None, False)
    waiting = cache.check(URL, now=NOW)
    assert (waiting.ticket, waiting.until, bool(waiting)) == (None, int(NOW) + 120, False)
    with decision.ticket as ticket:
        assert ticket.origin == "https://example.com"
        ticket.finish(outcome(), now=NOW)
        assert repr(ticket) == "<Ticket of https://example.com: finished>"
        for call in (ticket.fetch, lambda: ticket.finish(outcome())):
            with pytest.raises(StateError):
                call()
    decided = cache.check(URL, now=NOW)
    assert (decided.allowed, decided.until, bool(cache.check(SITE, now=NOW))) == (False, None, True)
    assert "DECIDED" in repr(decided)
    assert (len(cache), cache.crawlers, bool(Cache(CRAWLER))) == (1, (CRAWLER,), True)
    assert repr(cache) == f"<Cache of 1 sites in {cache.bytes} bytes>"
    assert Cache(CRAWLER).counts() == CacheCounts(0, 0, 0, 0, 0, 0, 0, 0, 0, 0)


def test_a_slot() -> None:
    cache = filled(horizon=timedelta(milliseconds=300))
    assert cache.check(SITE, now=NOW).request_at is None
    decision, late = cache.request(SITE, now=NOW), cache.request(SITE, now=NOW)
    assert (decision.crawl_delay, decision.crawl_delay_cut, bool(late)) == (0.2, False, False)
    assert (decision.request_at, decision.request_in) == pytest.approx((NOW + 0.2, 0.2), abs=1e-6)
    assert repr(decision).endswith(f" request_at={decision.request_at:.3f}>")
    assert (cache.crawl_delay(URL), cache.crawl_delay("https://other.example/")) == (0.2, None)


def test_a_ticket_returns() -> None:
    cache = Cache([CRAWLER])
    with pytest.raises(KeyError), cache.check(URL, now=NOW).ticket:
        raise KeyError
    again = cache.check(URL, now=NOW)
    assert again.action == Action.FETCH
    del again
    assert cache.check(URL, now=NOW).action == Action.FETCH


def test_time_is_now_by_default() -> None:
    fetch = Cache(CRAWLER).check(URL).ticket.fetch()
    fetch.fail("dns")
    assert fetch.outcome.fetched_at > NOW - 200_000_000
    assert not fetch.outcome.check(URL)


def test_a_fetch() -> None:
    fetch = Fetch([CRAWLER], URL, now=NOW)
    fetch.set(FetchOption.MAX_REDIRECTS, 0)
    assert (fetch.step, fetch.url, fetch.origin) == (Step.GET, "https://example.com/robots.txt", "https://example.com")
    fetch.status(200, now=NOW)
    for name in ("ETag", b"Last-Modified"):
        fetch.header(name, "1")
    assert fetch.headers_end() == Step.BODY
    for piece in (BODY[:5], bytearray(BODY[5:9]), memoryview(BODY)[9:]):
        fetch.body(piece)
    assert repr(fetch) == "<Fetch of https://example.com/robots.txt: step=BODY>"
    assert fetch.end() == Step.DONE
    done = fetch.outcome
    assert (done.etag, done.last_modified, done.unreachable_since, fetch.file) == (b"1", b"1", None, BODY)
    assert isinstance(done.check("https://other.example/", now=NOW).error, UrlError)
    assert repr(done).startswith("<Outcome of https://example.com: RULES because of FOUND http_status=200 retry_at=")
    again = Fetch(CRAWLER, URL, now=NOW + 4000)
    again.set_previous(done)
    assert again.request_headers == {"If-None-Match": "1", "If-Modified-Since": "1"}


def cache_of(**settings) -> Callable[[], Cache]:
    return lambda: Cache(CRAWLER, **settings)


LATE, DONE = Fetch(CRAWLER, URL, now=NOW), Fetch(CRAWLER, URL, now=NOW)
DONE.fail("dns", now=NOW)
KNOWN, RECORD = filled(), outcome().encode()
# The call, its error, and what the error says.
MISUSE = [
    *((lambda url=url: KNOWN.check(url, now=NOW), UrlError, "") for url in ("no-url", "/path", b"")),
    (lambda: KNOWN.check("gopher://a/", now=NOW), SchemeError, ""),
    (lambda: KNOWN.check(URL, now=NOW, crawler=1), ArgumentError,
     "^crawler=1: pass the index of one of the crawlers of the cache, 0 to 0$"),
    (lambda: KNOWN.request(URL, now=NOW, crawler=1), ArgumentError, "^crawler=1: pass the index"),
    *((lambda call=call, wrong=wrong: call(crawler=wrong), error, f"^crawler={wrong!r}: pass the index of a crawler")
      for error, wrong in ((ArgumentError, -1), (TypeError, "ExampleBot"), (TypeError, None)) for call in (
          partial(KNOWN.check, URL), partial(KNOWN.request, URL), partial(KNOWN.crawl_delay, URL), outcome().rules,
          partial(outcome().check, URL), partial(Outcome.check_record, RECORD, URL))),
    *((lambda call=call, name=name, wrong=wrong: call(**{name: wrong}), TypeError,
       rf"^{name}={re.escape(repr(wrong))}: pass seconds since 1970.* datetime.timestamp\(\) .*, not {type(wrong).__name__}")
      for wrong in (datetime(2026, 1, 1), timedelta(1), "2026-01-01") for name, call in (
          ("now", partial(KNOWN.check, URL)), ("slot", partial(KNOWN.request, URL)), ("now", partial(Fetch, CRAWLER, URL)))),
    *((lambda call=call, wrong=wrong: call(wrong), error, f"^status={wrong!r}: pass an HTTP status as an integer, such as 200")
      for error, wrong in ((ArgumentError, -1), (ArgumentError, 70_000),
          (TypeError, "200"), (TypeError, 200.0), (TypeError, None))
      for call in (LATE.status, partial(CRAWLER.outcome_from_status, URL), partial(KNOWN.retry_after, URL))),
    (lambda: LATE.ftp_reply("226"), TypeError, "^reply='226': pass the reply of an FTP server"),
    *((lambda call=call, wrong=wrong: call(wrong), TypeError, f"^{name}={wrong!r}: pass ")
      for wrong in (None, "x") for name, call in (
          ("outcome", Cache(CRAWLER).check(URL).ticket.finish), ("previous", LATE.set_previous),
          ("crawlers", Cache), ("crawlers", lambda wrong: Fetch(wrong, URL)),
          ("crawlers", lambda wrong: Outcome.decode(RECORD, wrong)))),
    *((lambda call=call: call(None), TypeError, f"^{name}=None: pass str") for name, call in (
        ("url", KNOWN.check), ("url", KNOWN.outcome), ("record", KNOWN.import_record), ("piece", LATE.body),
        ("value", lambda value: LATE.header("a", value)), ("name", lambda name: LATE.header(name, "b")))),
    (lambda: LATE.fail(TimeoutError()), TypeError, r"^Failure=TimeoutError\(\): pass a member of Failure, or its name"),
    (lambda: KNOWN.crawl_delay("/page"), UrlError, ""),
    *(
        (lambda call=call, now=now: call(now), ValueError, "pass seconds since 1970")
        for now in (-1.0, float("nan"), float("inf"), NOW * 1000)
        for call in (
            lambda now: KNOWN.check(URL, now=now),
            lambda now: KNOWN.request(URL, now=now),
            lambda now: KNOWN.retry_after(URL, 429, "1", now=now),
            lambda now: Outcome.check_record(RECORD, URL, now=now),
            lambda now: Fetch(CRAWLER, URL, now=now),
        )
    ),
    # As of a clock that starts with the process.
    (lambda: KNOWN.request(URL, now=12.5), ArgumentError, "^now=12.5: pass seconds since 1970"),
    (lambda: KNOWN.retry_after(URL, 429, now=12.0), ArgumentError, ""),
    *((lambda status=status: CRAWLER.outcome_from_status(URL, status), ArgumentError, f"status {status} without a body")
      for status in (200, 203, 206, 299)),
    *((cache_of(**{name: value}), error, f"^{name}={re.escape(repr(value))}: pass {wanted}") for name, wanted, values in (
        ("max_bytes", "at least 65,536", ((ArgumentError, 1), (ArgumentError, -1), (TypeError, "64M"), (TypeError, 1e8))),
        ("ticket_ttl", "1 to 86,400 seconds", ((ArgumentError, 0), (ArgumentError, -5), (TypeError, timedelta(seconds=120)))),
    ) for error, value in values),
    *((lambda count=count: Cache([CRAWLER] * count), ArgumentError,
       f"^crawlers: {count} are passed: pass 1 to 16$") for count in (0, 17)),
    *((lambda wrong=wrong: Cache([wrong]), TypeError,
       r"^crawlers=\[.*\]: pass a Crawler, such as Crawler\(.*\), or an iterable")
      for wrong in (5, None, "A")),
    *(
        (cache_of(**{option: value}), error, rf"{option}=.*: pass a datetime.timedelta of 0 to 1 day")
        for option in ("default_delay", "max_delay", "horizon")
        for error, values in (
            (TypeError, (60, 60.0, 60_000, "60")),
            (ArgumentError, (timedelta(seconds=-1), timedelta(days=1, microseconds=1), timedelta.max)),
        )
        for value in values
    ),
    (lambda: Cache(CRAWLER).check(URL).ticket.finish(outcome("https://other.example/")), ArgumentError,
     "^the outcome is that of https://other.example: pass one of https://"),
    (lambda: pickle.dumps(Cache(CRAWLER).check(URL).ticket), TypeError, ""),
    *((call, StateError, "") for call in (LATE.headers_end, LATE.end, lambda: LATE.body(b""), lambda: LATE.header("a", "b"))),
    (lambda: LATE.fail(99), ValueError, "unknown failure 99"),
    (lambda: LATE.set(FetchOption.MAX_REDIRECTS, 99), ArgumentError, "MAX_REDIRECTS=99: pass 0 to 20"),
    *((call, StateError, "") for call in (lambda: DONE.fail("dns"), lambda: DONE.set(FetchOption.MAX_TTL, 5))),
    (lambda: Fetch([], URL), ArgumentError, ""),
    # Records that are damaged, or of other crawlers.
    *((lambda call=call: call(RECORD), ImageFormatError, "other crawlers") for call in (
        lambda record: Outcome.decode(record, Crawler("Other")), Cache(Crawler("Other")).import_record)),
    *((lambda cut=cut: Cache(CRAWLER).import_record(cut), ImageError, "") for cut in (b"", RECORD[:-1])),
    (lambda: KNOWN.save("/no-folder/cache.records"), OSError, ""),
    *((lambda path=path: KNOWN.save(path), OSError, "") for path in ("", "/", Path(__file__).parent)),
    (lambda: KNOWN.load("no-file"), FileNotFoundError, r"^\[Errno 2\] No such file or directory: 'no-file'$"),
]  # fmt: skip


@pytest.mark.parametrize(("call", "error", "text"), MISUSE)
def test_misuse_permits_nothing(call, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text or None):
        call()
    assert (LATE.step, LATE.outcome) == (Step.GET, None)
    assert not KNOWN.check(URL, now=NOW)


def test_records() -> None:
    (record,) = KNOWN.export_records()
    again = Outcome.decode(record, CRAWLER)
    assert (again.origin, again.etag, again.rules(1), again.rules().check(URL).line) == (
        "https://example.com",
        None,
        None,
        3,
    )
    assert KNOWN.outcome(URL).encode() == record
    for damaged in (b"", record[:50], b"x" + record[1:]):
        assert type(Outcome.check_record(damaged, URL, now=NOW).error).__name__ == "ImageError"


def test_records_in_a_file(tmp_path: Path) -> None:
    path, urls = tmp_path / "cache.records", [f"https://{number}.example/" for number in range(1000)]
    cache = filled(*urls[:20])
    reserved = cache.request(urls[0], now=NOW).request_at
    assert cache.save(path) == 20
    assert os.listdir(tmp_path) == ["cache.records"]
    again = Cache(CRAWLER)
    assert again.load(str(path)) == LoadedRecords(20, 0, 0, 0)
    assert sorted(again.export_records()) == sorted(cache.export_records())
    # The slot, too.
    assert again.request(urls[0], now=NOW).request_at == pytest.approx(reserved + 0.2)

    assert Cache(Crawler("OtherBot")).load(path) == LoadedRecords(0, 20, 0, 0)
    data = path.read_bytes()
    first = 28 + int.from_bytes(data[24:28], "little")
    for damaged, expected in (
        (data[:-1], LoadedRecords(19, 0, 1, 0)),
        (data[:2], LoadedRecords(0, 0, 1, 0)),
        (data[:16] + data[17:], LoadedRecords(19, 0, 1, 0)),
        (data + b"\0\0", LoadedRecords(20, 0, 1, 0)),
        (data[: first - 1] + b"~" + data[first:], LoadedRecords(19, 0, 1, 0)),
        (b"", LoadedRecords(0, 0, 1, 0)),
    ):
        path.write_bytes(damaged)
        assert Cache(CRAWLER).load(path) == expected
    path.write_bytes(b"#!/bin/sh\n")
    with pytest.raises(ImageFormatError):
        Cache(CRAWLER).load(path)
    # A small cache loads what fits; a save that fails changes nothing.
    filled(*urls).save(path)
    loaded = Cache(CRAWLER, max_bytes=65_536).load(path)
    assert loaded.imported > 0 < loaded.no_room
    assert loaded.imported + loaded.no_room == 1000
    before = path.read_bytes()
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "file").touch()
    with pytest.raises(OSError):
        cache.save(tmp_path / "folder")
    assert (sorted(os.listdir(tmp_path)), path.read_bytes()) == (["cache.records", "folder"], before)


def check_in_child(url: str) -> bool | None:
    try:
        KNOWN.check(url, now=NOW)
    except StateError:  # a cache is of one process
        return Outcome.check_record(RECORD, url, now=NOW).allowed
    return None


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_child_has_the_records_alone() -> None:
    """Each record knows its site and its expiry, which an image does not."""
    with multiprocessing.get_context("fork").Pool(1) as pool:
        assert pool.map(check_in_child, (SITE, URL, "https://other.example/")) == [True, False, False]


def test_threads_share_a_cache() -> None:
    """Of many threads one gets the ticket for a site, and the others get its outcome."""
    cache, sites, tickets, start = Cache(CRAWLER), 50, [], threading.Barrier(8)

    def crawl(_: int) -> None:
        start.wait()
        for site in range(sites):
            url = f"https://site{site}.example/private/page"
            while (decision := cache.check(url, now=NOW)).action != Action.DECIDED:
                if decision.ticket is not None:
                    tickets.append(url)
                    decision.ticket.finish(outcome(url), now=NOW)
            assert not decision
            assert cache.check(f"https://site{site}.example/", now=NOW)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(crawl, range(8)))
    assert len(tickets) == len(set(tickets)) == sites


def test_threads_share_a_fetch() -> None:
    """Events of many threads at once: each is taken whole, and the others raise."""
    with ThreadPoolExecutor(4) as pool:
        for _ in range(50):
            fetch, start = Fetch(CRAWLER, URL, now=NOW), threading.Barrier(4)

            def report(_: int, fetch=fetch, start=start) -> bool:
                start.wait()
                try:
                    fetch.status(200, now=NOW)
                except StateError:
                    return False
                return True

            assert (sum(pool.map(report, range(4))), fetch.step) == (1, Step.HEADERS)


def test_outcomes_and_caches_are_pickled_as_records() -> None:
    crawlers = (CRAWLER, Crawler("Other", dialect="google", fetch_options={"on_forbidden": "disallow_all"}))
    settings = {"max_bytes": 1 << 20, "ticket_ttl": 77, "default_delay": timedelta(seconds=1)}
    settings |= {"max_delay": timedelta(seconds=5), "horizon": timedelta(minutes=2)}
    cache = Cache(crawlers, **settings)
    ticket = cache.check(URL, now=NOW).ticket
    fetch = ticket.fetch(now=NOW)
    fetch.status(200, now=NOW)
    fetch.headers_end()
    fetch.body(BODY)
    fetch.end()
    made = fetch.outcome
    ticket.finish(made, now=NOW)
    for one in (made, cache.outcome(URL), Outcome.decode(made.encode(), crawlers), outcome(status=404), DONE.outcome):
        assert copy.copy(one).encode() == pickle.loads(pickle.dumps(one)).encode() == one.encode()
    for crawler in (0, 1):
        assert copy.copy(made).check(URL, now=NOW, crawler=crawler) == made.check(URL, now=NOW, crawler=crawler)

    other = pickle.loads(pickle.dumps(cache))
    assert other.crawlers == crawlers
    assert sorted(other.export_records()) == sorted(cache.export_records()) != []
    assert other.request(URL, now=NOW).crawl_delay == cache.request(URL, now=NOW).crawl_delay
    assert other.__reduce__()[1][1] == cache.__reduce__()[1][1] == settings
    # The caches are two: what one learns, the other does not.
    other.clear()
    assert (len(other), len(cache)) == (0, 1)
    make, (crawlers_of, settings, records) = cache.__reduce__()
    with pytest.raises(ImageError):
        make(crawlers_of, settings, [records[0][:-1]])
    with pytest.raises(ImageFormatError):
        make((CRAWLER,), settings, records)
