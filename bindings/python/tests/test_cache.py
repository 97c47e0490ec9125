"""The cache with its tickets, and fetches without I/O."""

from __future__ import annotations

import copy
import os
import pickle
import threading
from datetime import timedelta

import pytest

from librobots import (
    Action,
    ArgumentError,
    Cache,
    Crawler,
    Failure,
    Fetch,
    FetchOption,
    ImageError,
    ImageFormatError,
    Outcome,
    SchemeError,
    StateError,
    Step,
    UrlError,
)

NOW = 1_800_000_000
CRAWLER = Crawler("ExampleBot")
URL = "https://example.com/private/page"
BODY = b"User-agent: *\nDisallow: /private/\n"


def outcome(status: int = 200, body: bytes = BODY, now: int = NOW) -> Outcome:
    return CRAWLER.outcome_from_status(URL, status, body, now=now)


def test_decisions() -> None:
    cache = Cache(CRAWLER)
    decision = cache.check(URL, now=NOW)
    assert (decision.action, decision.verdict, bool(decision)) == (Action.FETCH, None, False)
    waiting = cache.check(URL, now=NOW)
    assert (waiting.ticket, waiting.until, bool(waiting)) == (None, NOW + 120, False)
    assert decision.ticket is not None
    with decision.ticket as ticket:
        assert ticket.origin == "https://example.com"
        ticket.finish(outcome(), now=NOW)
        assert repr(ticket) == "<Ticket of https://example.com: finished>"
        for call in (ticket.fetch, lambda: ticket.finish(outcome())):
            with pytest.raises(StateError):
                call()
    decided = cache.check(URL, now=NOW)
    assert (decided.allowed, decided.until, bool(cache.check("https://example.com/", now=NOW))) == (False, None, True)
    assert "DECIDED" in repr(decided)
    assert (len(cache), cache.crawlers, bool(Cache(CRAWLER))) == (1, (CRAWLER,), True)
    assert repr(cache) == f"<Cache of 1 sites in {cache.bytes} bytes>"


def test_a_ticket_returns() -> None:
    cache = Cache([CRAWLER])
    with pytest.raises(KeyError), cache.check(URL, now=NOW).ticket:  # type: ignore[union-attr]
        raise KeyError
    again = cache.check(URL, now=NOW)
    assert again.action == Action.FETCH
    del again
    assert cache.check(URL, now=NOW).action == Action.FETCH


def test_records() -> None:
    cache = Cache(CRAWLER)
    cache.import_record(outcome().encode())
    (record,) = cache.export_records()
    again = Outcome.decode(record, CRAWLER)
    assert (again.origin, again.etag, again.rules(1)) == ("https://example.com", None, None)
    rules = again.rules()
    assert rules is not None
    assert rules.check(URL).line == 2
    with pytest.raises(ImageFormatError):
        Outcome.decode(record, Crawler("OtherBot"))
    with pytest.raises(ImageError):
        cache.import_record(record[:-1])
    with pytest.raises((ImageError, ValueError)):
        cache.import_record(b"")


def test_misuse_permits_nothing() -> None:
    cache = Cache(CRAWLER)
    for url, error in (("no-url", UrlError), ("/path", UrlError), ("gopher://a/", SchemeError), (b"", UrlError)):
        with pytest.raises(error):
            cache.check(url, now=NOW)
    with pytest.raises(ArgumentError):
        cache.check(URL, now=NOW, crawler=1)
    for now in (-1, float("nan"), float("inf"), NOW * 1000):
        with pytest.raises(ValueError, match="invalid time"):
            cache.check(URL, now=now)
    for status in (200, 203, 206, 299):
        with pytest.raises(ArgumentError, match=f"status {status} without a body"):
            CRAWLER.outcome_from_status(URL, status, now=NOW)
    assert CRAWLER.outcome_from_status(URL, 204, now=NOW).check(URL, now=NOW)
    for settings in ({"max_bytes": 1}, {"ticket_ttl": 0}):
        with pytest.raises(ArgumentError, match="invalid cache"):
            Cache(CRAWLER, **settings)
    with pytest.raises(ArgumentError):
        Cache([])
    ticket = cache.check(URL, now=NOW).ticket
    assert ticket is not None
    with pytest.raises(ArgumentError):
        ticket.finish(CRAWLER.outcome_from_status("https://other.example/", 200, b"", now=NOW), now=NOW)
    with pytest.raises(TypeError):
        pickle.dumps(ticket)


def test_time_is_now_by_default() -> None:
    decision = Cache(CRAWLER).check(URL)
    assert decision.ticket is not None
    fetch = decision.ticket.fetch()
    fetch.fail(Failure.DNS)
    assert fetch.outcome is not None
    assert fetch.outcome.fetched_at > NOW - 200_000_000
    assert not fetch.outcome.check(URL)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no processes are forked here")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_child() -> None:
    cache = Cache(CRAWLER)
    child = os.fork()
    if child == 0:
        try:
            cache.check(URL, now=NOW)
        except StateError:
            os._exit(7)
        os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7


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
    assert done is not None
    assert (done.etag, done.last_modified, done.unreachable_since, fetch.file) == (b"1", b"1", None, BODY)
    assert isinstance(done.check("https://other.example/", now=NOW).error, UrlError)
    assert repr(done).startswith("<Outcome of https://example.com: RULES because of FOUND http_status=200 retry_at=")
    again = Fetch(CRAWLER, URL, now=NOW + 4000)
    again.set_previous(done)
    assert again.request_headers == {"If-None-Match": "1", "If-Modified-Since": "1"}


def test_events_that_are_not_expected() -> None:
    fetch = Fetch(CRAWLER, URL, now=NOW)
    for call in (fetch.headers_end, fetch.end, lambda: fetch.body(b""), lambda: fetch.header("a", "b")):
        with pytest.raises(StateError):
            call()
    assert (fetch.step, fetch.outcome) == (Step.GET, None)
    with pytest.raises(ValueError, match="unknown failure 99"):
        fetch.fail(99)
    with pytest.raises(ArgumentError, match="MAX_REDIRECTS=99: pass 0 to 20"):
        fetch.set(FetchOption.MAX_REDIRECTS, 99)
    fetch.fail(Failure.DNS, now=NOW)
    for call in (lambda: fetch.fail(Failure.DNS), lambda: fetch.set(FetchOption.MAX_TTL, 5)):
        with pytest.raises(StateError):
            call()
    with pytest.raises(ArgumentError):
        Fetch([], URL)


def test_threads_share_a_cache() -> None:
    """Of many threads one gets the ticket for a site, and the others get its outcome."""
    cache, sites, tickets = Cache(CRAWLER), 50, []
    start = threading.Barrier(8)

    def crawl() -> None:
        start.wait()
        for site in range(sites):
            url = f"https://site{site}.example/private/page"
            while (decision := cache.check(url, now=NOW)).action != Action.DECIDED:
                if decision.ticket is not None:
                    tickets.append(url)
                    found = CRAWLER.outcome_from_status(url, 200, BODY, now=NOW)
                    decision.ticket.finish(found, now=NOW)
            assert not decision
            assert cache.check(f"https://site{site}.example/", now=NOW)

    threads = [threading.Thread(target=crawl) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(tickets) == len(set(tickets)) == sites


def test_threads_share_a_fetch() -> None:
    """Events of many threads at once: each is taken whole, and the others raise."""
    for _ in range(50):
        fetch, taken, start = Fetch(CRAWLER, URL, now=NOW), [], threading.Barrier(4)

        def report(fetch=fetch, taken=taken, start=start) -> None:
            start.wait()
            try:
                fetch.status(200, now=NOW)
                taken.append(1)
            except StateError:
                pass

        threads = [threading.Thread(target=report) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert (len(taken), fetch.step) == (1, Step.HEADERS)


def test_outcomes_and_caches_are_pickled_as_records() -> None:
    crawlers = (CRAWLER, Crawler("Other", dialect="google", fetch_options={"on_forbidden": "disallow_all"}))
    cache = Cache(
        crawlers,
        max_bytes=1 << 20,
        ticket_ttl=77,
        default_delay=timedelta(seconds=1),
        max_delay=timedelta(seconds=5),
        horizon=timedelta(minutes=2),
    )
    ticket = cache.check(URL, now=NOW).ticket
    assert ticket is not None
    fetch = ticket.fetch(now=NOW)
    fetch.status(200, now=NOW)
    fetch.headers_end()
    fetch.body(BODY)
    fetch.end()
    made = fetch.outcome
    assert made is not None
    ticket.finish(made, now=NOW)
    for outcome in (
        made,
        cache.outcome(URL),
        Outcome.decode(made.encode(), crawlers),
        pickle.loads(pickle.dumps(made)),
    ):
        assert outcome is not None
        again = copy.copy(outcome)
        assert again.encode() == pickle.loads(pickle.dumps(outcome)).encode() == made.encode()
        for crawler in (0, 1):
            url = "https://example.com/private/x"
            assert again.check(url, now=NOW, crawler=crawler) == made.check(url, now=NOW, crawler=crawler)
    by_status = CRAWLER.outcome_from_status(URL, 404, now=NOW)
    assert pickle.loads(pickle.dumps(by_status)).encode() == by_status.encode()
    by_fetch = Fetch(CRAWLER, URL, now=NOW)
    by_fetch.fail("dns", now=NOW)
    assert by_fetch.outcome is not None
    assert pickle.loads(pickle.dumps(by_fetch.outcome)).cause == by_fetch.outcome.cause

    other = pickle.loads(pickle.dumps(cache))
    assert other.crawlers == crawlers
    assert sorted(other.export_records()) == sorted(cache.export_records()) != []
    assert other.check(URL, now=NOW).allowed == cache.check(URL, now=NOW).allowed
    assert other.request(URL, now=NOW).crawl_delay == cache.request(URL, now=NOW).crawl_delay
    for settings in (other.__reduce__()[1][1], cache.__reduce__()[1][1]):
        assert settings == {
            "max_bytes": 1 << 20,
            "ticket_ttl": 77,
            "default_delay": timedelta(seconds=1),
            "max_delay": timedelta(seconds=5),
            "horizon": timedelta(minutes=2),
        }
    # The caches are two: what one learns, the other does not.
    other.clear()
    assert (len(other), len(cache)) == (0, 1)
    make, (crawlers_of, settings, records) = cache.__reduce__()
    with pytest.raises(ImageError):
        make(crawlers_of, settings, [records[0][:-1]])
    with pytest.raises(ImageFormatError):
        make((CRAWLER,), settings, records)
