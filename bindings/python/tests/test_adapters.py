"""What the modules with the names of other parsers do beyond the suites of those parsers."""

from __future__ import annotations

import threading
import urllib.error
from datetime import time
from time import monotonic

import pytest
from site_of_tests import dripping, served

from librobots import _client
from librobots._agent import product_token
from librobots.protego import Protego, RequestRate, VisitTime
from librobots.robotparser import RobotFileParser
from librobots.scrapy import RobotParser

BODY = "User-agent: ExampleBot\nDisallow: /a\nCrawl-delay: 1.5\nRequest-rate: 2/3m\n\nUser-agent: *\nDisallow: /b\nHost: a.b\n"


@pytest.mark.parametrize(
    ("header", "token"),
    [
        ("ExampleBot", "ExampleBot"),
        ("  ExampleBot/2.1 (+https://example.com)", "ExampleBot"),
        ("Mozilla/5.0 (compatible; ExampleBot/1.0; +https://example.com)", "ExampleBot"),
        ("Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; Compatible; Example-Bot/1.0) Chrome/1", "Example-Bot"),
        ("Mozilla/5.0 (X11) Version/14 Other-Bot/3", "Other-Bot"),
        ("Mozilla/5.0", "Mozilla"),
        ("007", "007"),
        ("", None),
        ("*", None),
        ("\u00e9bot", None),
        ("x" * 1025, None),
    ],
)
def test_product_tokens(header: str, token: str | None) -> None:
    assert product_token(header) == token


def test_a_url_is_decided_as_it_is_and_as_browsers_read_it() -> None:
    """SPEC 8.11: no dot segment, backslash or TAB leads around a rule, and nothing in a path becomes a host."""
    for rule in ("/y", "//x/", "//y"):
        text = f"User-agent: *\nDisallow: {rule}\n"
        parser = RobotFileParser()
        parser.parse(text.splitlines())
        for url in ("//x/../y", "https://example.com//x/../y", "https://example.com//x/%2e%2E/y"):
            allowed = rule == "/y"
            assert Protego.parse(text).can_fetch(url, "ExampleBot") is allowed, (rule, url)
            assert parser.can_fetch("ExampleBot", url) is allowed, (rule, url)
            assert RobotParser(text.encode()).allowed(url, "ExampleBot") is allowed, (rule, url)
    for url in (
        "/a/../private/x",
        "/a/%2e./private/x",
        "https://example.com\\private/x",
        "/\tprivate/x",
        "/pri\nvate/x",
    ):
        text = "User-agent: *\nDisallow: /private/\n"
        assert not Protego.parse(text).can_fetch(url, "ExampleBot"), url
        assert not RobotParser(text.encode()).allowed(url, "ExampleBot"), url
        parser.parse(text.splitlines())
        assert not parser.can_fetch("ExampleBot", url), url


def test_protego() -> None:
    file = Protego.parse(BODY)
    assert not file.can_fetch("https://example.com/a", "Mozilla/5.0 (compatible; ExampleBot/1.0)")
    assert not file.can_fetch("/b", "")
    assert file.crawl_delay("ExampleBot") == 1.5
    assert file.crawl_delay("other") is None
    assert file.request_rate("ExampleBot") == RequestRate(2, 180, None, None)
    assert file.request_rate("other") is None
    assert file.preferred_host == "a.b"
    assert Protego.parse("#host: x\nHost: y # z\n").preferred_host == "y"
    assert Protego.parse("").preferred_host is None
    hours = Protego.parse("User-agent: *\nVisit-time: 2200-2400\nRequest-rate: 1/5 0600-0845\n")
    assert hours.visit_time("x") == VisitTime(time(22), time(0))
    assert hours.request_rate("x") == RequestRate(1, 5, time(6), time(8, 45))
    assert Protego().can_fetch("/a", "ExampleBot")
    with pytest.raises(TypeError):
        Protego.parse(b"")  # type: ignore[arg-type]


def test_protego_reads_lines_as_its_documentation_says() -> None:
    for text in ("User-agent *\nDisallow /x\n", "User agent: *\nDisallow: /x\n"):
        assert not Protego.parse(text).can_fetch("/x", "ExampleBot"), text
    assert Protego.parse("User agent *\nDisallow /x\n").can_fetch("/x", "ExampleBot")
    every = "User-agent: *\nCrawl-delay 2\nRequest-rate 1/5\nVisit-time 0200-0630\n"
    file = Protego.parse(every + "Sitemap https://a.b/s\nSitemap /s\nHost a.b\n")
    assert (file.crawl_delay("x"), file.request_rate("x")) == (2, RequestRate(1, 5, None, None))
    assert file.visit_time("x") == VisitTime(time(2), time(6, 30))
    assert (list(file.sitemaps), file.preferred_host) == (["/s"], None)
    spaced = Protego.parse("User-agent: *\nCrawl delay: 2\nRequest-rate 1/5 0600-0845\n")
    assert (spaced.crawl_delay("x"), spaced.request_rate("x")) == (None, None)


def test_many_agents_do_not_fill_the_memory() -> None:
    file = RobotParser(BODY.encode())
    for number in range(1000):
        assert not file.allowed("https://example.com/b", f"bot{number}x")
    assert len(file._file._rules) == 64
    assert not file.allowed(b"https://example.com/a", b"ExampleBot/1.0")
    assert file.crawl_delay("ExampleBot") == 1.5


def test_robotparser_allows_nothing_before_it_read() -> None:
    parser = RobotFileParser()
    assert not parser.can_fetch("ExampleBot", "/")
    assert (parser.crawl_delay("x"), parser.request_rate("x"), parser.site_maps(), parser.mtime()) == (
        None,
        None,
        None,
        0,
    )
    parser.parse(BODY.splitlines(keepends=True))
    assert parser.can_fetch("ExampleBot", "")
    assert not parser.can_fetch("ExampleBot", "/a")
    assert (parser.crawl_delay("ExampleBot"), parser.request_rate("ExampleBot")) == (1.5, (2, 180))
    assert parser.mtime() > 0
    assert str(parser).startswith("User-agent: ExampleBot")


def test_robotparser_reads_a_site() -> None:
    with served("plain", "moved", "missing", "overrun", "half", "endless") as site:
        for kind, page, private in (
            ("plain", True, False),
            ("moved", True, False),
            ("missing", True, True),
            ("overrun", False, False),
            ("half", False, False),
            # Beyond the bound, nothing is read: that is no error.
            ("endless", True, False),
        ):
            parser = RobotFileParser(site.at[kind] + "robots.txt")
            parser.read()
            assert parser.can_fetch("ExampleBot", "/about.html") is page, kind
            assert parser.can_fetch("ExampleBot", "/private/") is private, kind
            assert parser.site_maps() is None
        parser = RobotFileParser("http://127.0.0.1:9/robots.txt")
        with pytest.raises(urllib.error.URLError):
            parser.read()
        assert not parser.can_fetch("ExampleBot", "/")


GZIP = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03"


ZSTD = b"\x28\xb5\x2f\xfd\x04"


@pytest.mark.parametrize("body", [GZIP, ZSTD], ids=["gzip", "zstd"])
@pytest.mark.parametrize("decode", ["latin-1", "cp1252", "surrogateescape", "replace"])
def test_what_is_still_compressed_allows_nothing(decode: str, body: bytes) -> None:
    """SPEC 2.17, 4.4: it is no file without rules."""
    is_name = decode in ("latin-1", "cp1252")
    text = body.decode(decode) if is_name else body.decode("utf-8", decode)
    parser = RobotFileParser()
    parser.parse(text.splitlines())
    assert not parser.can_fetch("ExampleBot", "/open")
    assert parser.site_maps() is None
    assert not Protego.parse(text).can_fetch("/open", "ExampleBot")
    assert list(Protego.parse(text).sitemaps) == []
    assert not RobotParser(body).allowed("https://example.com/open", "ExampleBot")
    assert not RobotParser(GZIP[:2]).allowed("https://example.com/open", "ExampleBot")
    assert RobotParser(GZIP[:1]).allowed("https://example.com/open", "ExampleBot")


def test_robotparser_has_a_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    """Headers that never end hold it no longer than the timeout."""
    monkeypatch.setattr(_client, "TIMEOUT", 0.5)
    with dripping(b"HTTP/1.1 200 OK\r\nX-Late: ") as url:
        parser, start = RobotFileParser(f"{url}/robots.txt"), monotonic()
        with pytest.raises(TimeoutError):
            parser.read()
        assert monotonic() - start < 3
    assert not parser.can_fetch("ExampleBot", "/")


def test_threads_share_a_file() -> None:
    file, wrong = Protego.parse(BODY), []

    def ask(number: int) -> None:
        for at in range(2000):
            agent = f"bot{(at + number) % 80}x"
            if file.can_fetch("/b", agent) or not file.can_fetch("/a", agent):
                wrong.append(agent)

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
