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
    Cause,
    Crawler,
    Failure,
    Fetch,
    FetchOption,
    ImageError,
    ImageFormatError,
    Outcome,
    OutcomeKind,
    Reason,
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


def test_first_fetch() -> None:
    cache = Cache(CRAWLER)
    decision = cache.check(URL, now=NOW)
    assert (decision.action, decision.verdict, bool(decision)) == (Action.FETCH, None, False)
    assert decision.ticket is not None
    waiting = cache.check(URL, now=NOW)
    assert (waiting.action, waiting.until, bool(waiting)) == (Action.WAIT, NOW + 120, False)
    with decision.ticket as ticket:
        assert ticket.origin == "https://example.com"
        fetch = ticket.fetch(now=NOW)
        assert fetch.status(200, now=NOW) == Step.HEADERS
        assert fetch.headers_end() == Step.BODY
        fetch.body(BODY)
        assert fetch.end() == Step.DONE
        assert fetch.outcome is not None
        ticket.finish(fetch.outcome, now=NOW)
        assert repr(ticket) == "<Ticket of https://example.com: finished>"
        for call in (ticket.fetch, lambda: ticket.finish(outcome())):
            with pytest.raises(StateError):
                call()
    decided = cache.check(URL, now=NOW)
    assert (decided.action, decided.allowed) == (Action.DECIDED, False)
    assert decided.verdict is not None
    assert decided.verdict.line == 2
    assert cache.check("https://example.com/", now=NOW)
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


def test_an_outage_is_no_ban() -> None:
    cache = Cache(CRAWLER)
    ticket = cache.check(URL, now=NOW).ticket
    assert ticket is not None
    ticket.finish(outcome(503), now=NOW)
    decision = cache.check(URL, now=NOW)
    assert (decision.action, decision.until, bool(decision)) == (Action.DEFER, NOW + 600, False)
    assert decision.verdict is not None
    assert decision.verdict.reason == Reason.UNREACHABLE
    known = cache.outcome(URL)
    assert known is not None
    assert (known.kind, known.cause, known.http_status) == (OutcomeKind.UNREACHABLE, Cause.SERVER_ERROR, 503)
    cache.remove(URL)
    assert cache.outcome(URL) is None
    assert cache.check(URL, now=NOW).action == Action.FETCH


def test_a_refresh() -> None:
    cache = Cache(CRAWLER)
    cache.import_record(outcome().encode())
    decision = cache.check(URL, now=NOW + 86_000)
    assert decision.action == Action.DECIDED
    assert decision.ticket is not None
    assert "DECIDED" in repr(decision)
    fetch = decision.ticket.fetch(now=NOW + 86_000)
    fetch.fail(Failure.TIMEOUT, now=NOW + 86_000)
    assert fetch.outcome is not None
    assert fetch.outcome.stale
    decision.ticket.finish(fetch.outcome, now=NOW + 86_000)
    assert cache.check("https://example.com/", now=NOW + 86_001).allowed


def test_records() -> None:
    cache = Cache(CRAWLER)
    cache.import_record(outcome().encode())
    (record,) = cache.export_records()
    other = Cache(CRAWLER)
    other.import_record(record)
    assert other.check("https://example.com/", now=NOW).allowed
    other.clear()
    assert len(other) == 0
    again = Outcome.decode(record, CRAWLER)
    assert (again.origin, again.fresh_until, again.etag) == ("https://example.com", NOW + 86_400, None)
    rules = again.rules()
    assert rules is not None
    assert rules.check(URL).line == 2
    assert again.rules(1) is None
    with pytest.raises(ImageFormatError):
        Outcome.decode(record, Crawler("OtherBot"))
    with pytest.raises(ImageError):
        other.import_record(record[:-1])
    with pytest.raises((ImageError, ValueError)):
        other.import_record(b"")


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


def test_a_fetch_with_redirects() -> None:
    fetch = Fetch(CRAWLER, "https://example.com/some/page", now=NOW)
    assert (fetch.step, fetch.url, fetch.origin) == (Step.GET, "https://example.com/robots.txt", "https://example.com")
    fetch.status(301, now=NOW)
    fetch.header("Location", "//www.example.com/robots.txt")
    assert fetch.headers_end() == Step.GET
    assert fetch.url == "https://www.example.com/robots.txt"
    fetch.status(200, now=NOW + 1)
    fetch.header(b"Cache-Control", b"max-age=3600")
    fetch.header("ETag", '"1"')
    assert fetch.headers_end() == Step.BODY
    for piece in (BODY[:5], bytearray(BODY[5:9]), memoryview(BODY)[9:]):
        fetch.body(piece)
    assert repr(fetch) == "<Fetch of https://www.example.com/robots.txt: step=BODY>"
    assert fetch.end() == Step.DONE
    done = fetch.outcome
    assert done is not None
    assert (done.kind, done.hops, done.fresh_until, done.etag) == (OutcomeKind.RULES, 1, NOW + 3601, b'"1"')
    assert (done.final_url, done.downgraded, done.unreachable_since) == (fetch.url, False, None)
    assert done.check("https://example.com/", now=NOW + 3)
    assert not done.check(URL, now=NOW + 3)
    assert isinstance(done.check("https://other.example/", now=NOW).error, UrlError)
    assert repr(done).startswith("<Outcome of https://example.com: RULES because of FOUND http_status=200 retry_at=")

    again = Fetch([CRAWLER], URL, now=NOW + 4000)
    again.set_previous(done)
    again.set(FetchOption.MAX_REDIRECTS, 0)
    assert again.request_headers == {}
    again.fail(Failure.CONNECT, now=NOW + 4000)
    assert again.outcome is not None
    assert again.outcome.stale


@pytest.mark.parametrize(
    ("reply", "step", "kind"),
    [
        (550, Step.DONE, OutcomeKind.ALLOW_ALL),
        (530, Step.DONE, OutcomeKind.ALLOW_ALL),
        (421, Step.DONE, OutcomeKind.UNREACHABLE),
        (226, Step.BODY, OutcomeKind.RULES),
    ],
)
def test_replies_of_an_ftp_server(reply: int, step: Step, kind: OutcomeKind) -> None:
    """SPEC 2.19: they are no HTTP statuses."""
    fetch = Fetch(CRAWLER, "ftp://example.com/pub/", now=NOW)
    with pytest.raises(ValueError, match="invalid time"):
        fetch.ftp_reply(reply, now=NOW * 1000)
    assert fetch.ftp_reply(reply, now=NOW) == step
    if step == Step.BODY:
        fetch.body(BODY)
        fetch.end()
    assert fetch.outcome is not None
    assert fetch.outcome.kind == kind
    with pytest.raises(StateError):
        fetch.ftp_reply(reply, now=NOW)
    with pytest.raises(StateError):
        Fetch(CRAWLER, "https://example.com/", now=NOW).ftp_reply(reply, now=NOW)


@pytest.mark.parametrize("overrides", [0, 1])
def test_an_outage_may_override_the_copy(overrides: int) -> None:
    """SPEC 2.11: with a copy, an option decides."""
    crawler = Crawler("ExampleBot", fetch_options={FetchOption.UNREACHABLE_OVERRIDES_COPY: overrides})
    fetch = Fetch(crawler, URL, now=NOW + 4000)
    fetch.set_previous(crawler.outcome_from_status(URL, 200, BODY, now=NOW))
    fetch.fail(Failure.CONNECT, now=NOW + 4000)
    assert fetch.outcome is not None
    assert fetch.outcome.kind == (OutcomeKind.UNREACHABLE if overrides else OutcomeKind.RULES)
    assert bool(fetch.outcome.check("https://example.com/", now=NOW + 4001)) is (not overrides)


def test_no_outcome_decides_before_its_time() -> None:
    """SPEC 2.18: its clock was wrong."""
    outcome = CRAWLER.outcome_from_status(URL, 200, b"", now=NOW)
    assert outcome.check(URL, now=NOW)
    assert outcome.check(URL, now=NOW - 1).reason == Reason.DEFER


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
