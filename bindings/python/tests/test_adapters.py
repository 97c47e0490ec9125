"""What the modules with the names of other parsers do beyond the suites of those parsers (tests/suites)."""

from __future__ import annotations

import copy
import os
import pickle
import socket
import urllib.error
import urllib.parse
from concurrent.futures import ThreadPoolExecutor
from datetime import time
from pathlib import Path
from time import monotonic

import pytest
from site_of_tests import Site

from librobots import ArgumentError, _agent, _client
from librobots.protego import Protego, RequestRate, VisitTime
from librobots.robotparser import RobotFileParser
from librobots.scrapy import RobotParser

BODY = "User-agent: ExampleBot\nDisallow: /a\nCrawl-delay: 1.5\nRequest-rate: 2/3m\n\nUser-agent: *\nDisallow: /b\nHost: a.b\n"


def names() -> list[str]:
    """Return the names of tests/data/names.txt, and those in the user-agent lines of all files of ROBOTS_CORPUS."""
    data = Path(__file__).parents[3] / "tests/data/names.txt"
    found = dict.fromkeys(data.read_text("utf-8").splitlines())
    for file in Path(os.environ["ROBOTS_CORPUS"]).iterdir() if "ROBOTS_CORPUS" in os.environ else ():
        lines = file.read_text("utf-8", "replace").splitlines() if file.is_file() else ()
        for line in lines:
            field, _, value = line.partition("#")[0].partition(":")
            if field.strip().lower() == "user-agent" and value.strip():
                found[value.strip()] = None
    return list(found)


def test_each_name_names_itself() -> None:
    """SPEC 7.9: a file that names an agent by any text disallows that agent."""
    allowed = []
    for name in names():
        text = f"User-agent: {name}\nDisallow: /\n"
        parser = RobotFileParser()
        parser.parse(text.splitlines())
        answers = {
            "robotparser": parser.can_fetch(name, "/x"),
            "protego": Protego.parse(text).can_fetch("/x", name),
            "scrapy": RobotParser(text.encode()).allowed("https://example.com/x", name),
        }
        allowed += [(module, name) for module, answer in answers.items() if answer]
    assert allowed == []


def verdicts(text: str, url: str) -> set[bool]:
    """Return what the three modules say."""
    parser = RobotFileParser()
    parser.parse(text.splitlines())
    return {
        parser.can_fetch("ExampleBot", url),
        Protego.parse(text).can_fetch(url, "ExampleBot"),
        RobotParser(text.encode("utf-8", "surrogateescape")).allowed(url, "ExampleBot"),
    }


def test_a_url_is_decided_as_it_is_and_as_browsers_read_it() -> None:
    """SPEC 8.11: no dot segment, backslash or TAB leads around a rule, and nothing in a path becomes a host."""
    for rule in ("/y", "//x/", "//y"):
        for url in ("https://example.com//x/../y", "https://example.com//x/%2e%2E/y"):
            assert verdicts(f"User-agent: *\nDisallow: {rule}\n", url) == {rule == "/y"}, (rule, url)
    for url in (
        "/a/../private/x",
        "/a/%2e./private/x",
        "https://example.com\\private/x",
        "/\tprivate/x",
        "/pri\nvate/x",
    ):
        assert verdicts("User-agent: *\nDisallow: /private/\n", url) == {False}, url


@pytest.mark.parametrize("rule", ["/private", "//e.com", "/"])
def test_a_url_that_starts_with_two_slashes(rule: str) -> None:
    """It is a path, and for urllib a host and a path."""
    text = f"User-agent: *\nDisallow: {rule}\n"
    parser = RobotFileParser()
    parser.parse(text.splitlines())
    assert not parser.can_fetch("ExampleBot", "//e.com/private")
    assert not Protego.parse(text).can_fetch("//e.com/private", "ExampleBot")
    assert Protego.parse(text).can_fetch("https://e.com/x", "ExampleBot") is (rule != "/")


@pytest.mark.parametrize("end", "\v\f\x1c\x1d\x1e\x85\u2028\u2029")
def test_line_ends_of_python(end: str) -> None:
    for text in (f"User-agent: *{end}Disallow: /x", f"{end}User-agent: * # all{end}Disallow: /x # y{end}Allow: /"):
        assert not Protego.parse(text).can_fetch("/x", "ExampleBot")
        site = f"data:text/plain;charset=utf-8,{urllib.parse.quote(text)}"
        parser = RobotFileParser(site)
        parser.read()
        assert not parser.can_fetch("ExampleBot", "/x")
        assert parser.can_fetch("ExampleBot", "/y")


@pytest.mark.parametrize("space", "\x1f\u00a0\u3000")
def test_white_space_of_python(space: str) -> None:
    text = f"{space}User-agent{space}: *{space}\nDisallow:{space}/x{space}\n"
    parser = RobotFileParser()
    parser.parse(text.splitlines())
    assert not parser.can_fetch("ExampleBot", "/x")
    assert not Protego.parse(text).can_fetch("/x", "ExampleBot")


# The text, the question, and the answer: lines are read as the documentation of the module says.
PROTEGO = [
    (BODY, lambda file: file.can_fetch("https://example.com/a", "Mozilla/5.0 (compatible; ExampleBot/1.0)"), False),
    (BODY, lambda file: file.can_fetch("/b", ""), False),
    (BODY, lambda file: [file.crawl_delay(agent) for agent in ("ExampleBot", "other")], [1.5, None]),
    (BODY, lambda file: file.request_rate("ExampleBot"), RequestRate(2, 180, None, None)),
    (BODY, lambda file: file.request_rate("other"), None),
    (BODY, lambda file: file.preferred_host, "a.b"),
    ("#host: x\nHost: y # z\n", lambda file: file.preferred_host, "y"),
    ("Host a.b\nSitemap https://a.b/s\nSitemap /s\n", lambda file: (file.preferred_host, *file.sitemaps), (None, "/s")),
    ("Host: a.b\nUser-agent: x\nHost: c.d # e\nHost:\n", lambda file: file.preferred_host, "c.d"),
    ("User-agent: *\nVisit-time: 2200-2400\n", lambda file: file.visit_time("x"), VisitTime(time(22), time(0))),
    ("User-agent: *\nVisit-time 0200-0630\n", lambda file: file.visit_time("x"), VisitTime(time(2), time(6, 30))),
    ("User-agent: *\nRequest-rate: 1/5 0600-0845\n", lambda file: file.request_rate("x"), (1, 5, time(6), time(8, 45))),
    ("User-agent: *\nRequest-rate 1/5 0600-0845\n", lambda file: file.request_rate("x"), None),
    ("User-agent: *\nRequest-rate 1/5\nCrawl-delay 2\n", lambda file: file.request_rate("x")[1] * file.crawl_delay("x"), 10),
    *((f"User-agent: {x}\nDisallow: /\n", lambda file: file.can_fetch("/", "x"), False) for x in ("*x*", "*x # y", "x*")),
    ("User-agent: *\nCrawl delay: 2\n", lambda file: file.crawl_delay("x"), None),
    *((text, lambda file: file.can_fetch("/x", "ExampleBot"), allowed) for text, allowed in (
        ("User-agent *\nDisallow /x\n", False), ("User agent: *\nDisallow: /x\n", False), ("User agent *\nDisallow /x\n", True)
    )),
]  # fmt: skip


@pytest.mark.parametrize(("text", "ask", "answer"), PROTEGO)
def test_protego(text: str, ask, answer: object) -> None:
    assert ask(Protego.parse(text)) == answer


def test_protego_without_a_file() -> None:
    assert Protego().can_fetch("/a", "ExampleBot")
    assert Protego.parse("").preferred_host is None
    with pytest.raises(TypeError):
        Protego.parse(b"")


def test_many_agents_do_not_fill_the_memory() -> None:
    """Threads share a file."""
    file = RobotParser(BODY.encode())
    assert not file.allowed(b"https://example.com/a", b"ExampleBot/1.0")
    assert file.crawl_delay("ExampleBot") == 1.5

    def ask(number: int) -> list[bool]:
        agents = [f"bot{(at + number) % 80}x" for at in range(2000)]
        return [file.allowed("/b", agent) or not file.allowed("/a", agent) for agent in agents]

    with ThreadPoolExecutor(4) as pool:
        assert not any(map(any, pool.map(ask, range(4))))
    assert (len(file._file._rules), len(file._file._shared)) == (82, 2)


def test_a_file_is_compiled_once_for_each_agent(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = []
    monkeypatch.setattr(
        _agent.RulesByAgent,
        "_compile",
        lambda self, agent, compile_it=_agent.RulesByAgent._compile: compiled.append(agent) or compile_it(self, agent),
    )
    file = Protego.parse(f"{BODY}Request-rate: 1/5\n")
    for turn in range(3):
        for number in range(200):
            assert not file.can_fetch("/b", f"bot{number}")
            assert file.request_rate(f"bot{number}")[:2] == (1, 5)
        assert len(compiled) == 200, turn
    assert len(file._file._shared) == 1
    assert len(file._file._times) == 200


def test_what_is_kept_of_a_file_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    file = Protego.parse(BODY)
    for number in range(1100):
        assert not file.can_fetch("/b", f"bot{number}")
    assert file.can_fetch("/a", "long" * 1000)
    assert (len(file._file._rules), len(file._file._shared)) == (1000, 1)
    # Each agent has a large group, and a rule of its own.
    bots = range(60)
    text = "".join(f"User-agent: bot{bot}\n" for bot in bots)
    text += "".join(f"Disallow: /{rule}/{'x' * 60}\n" for rule in range(100))
    file = Protego.parse(text + "".join(f"User-agent: bot{bot}\nDisallow: /own{bot}\n" for bot in bots))
    monkeypatch.setattr(_agent, "_MAX_SHARED", 100_000)
    for bot in bots:
        assert not file.can_fetch(f"/own{bot}", f"bot{bot}")
        assert file.can_fetch("/own", f"bot{bot}")
        assert file._file._size == sum(len(rules.image) for rules in file._file._shared) <= 100_000
        assert set(file._file._shared) == set(file._file._rules.values())
    assert len(file._file._shared) < len(bots)


def test_as_many_bytes_are_read_as_the_caller_wants(monkeypatch: pytest.MonkeyPatch) -> None:
    text = f"User-agent: *\nDisallow: /a\n{'#' * 600_000}\nDisallow: /late\n"

    def late() -> list[bool]:
        parser = RobotFileParser()
        parser.parse(text.splitlines())
        fetched = RobotFileParser("data:," + urllib.parse.quote(text))
        fetched.read()
        file = Protego.parse(text)
        answers = [parser.can_fetch("x", "/late"), fetched.can_fetch("x", "/late"), file.can_fetch("/late", "x")]
        return [*answers, pickle.loads(pickle.dumps(file)).can_fetch("/late", "x")]

    assert late() == [True] * 4
    for module in (Protego, RobotFileParser):
        monkeypatch.setattr(module, "max_bytes", 1_000_000)
    assert late() == [False] * 4
    for module in (Protego, RobotFileParser):
        monkeypatch.setattr(module, "max_bytes", 1)
    with pytest.raises(ArgumentError, match="512"):
        Protego.parse(text)
    with pytest.raises(ArgumentError, match="512"):
        RobotFileParser().parse(["User-agent: x"])


def test_robotparser_obeys_the_default_timeout() -> None:
    silent = socket.create_server(("127.0.0.1", 0))
    parser = RobotFileParser(f"http://127.0.0.1:{silent.getsockname()[1]}/robots.txt")
    before = monotonic()
    socket.setdefaulttimeout(0.3)
    try:
        with pytest.raises(TimeoutError):
            parser.read()
    finally:
        socket.setdefaulttimeout(None)
        silent.close()
    assert monotonic() - before < 10
    assert not parser.can_fetch("x", "/")


def test_the_end_of_a_long_text_is_not_read() -> None:
    """SPEC 4.5: no rule that is cut counts, also in a text whose white space is rewritten."""
    for space in ("", "\u00a0"):
        head = f"User-agent: *{space}\nDisallow: /b{space}\n"
        cut = "\nDisallow: /c"
        text = f"{head}#{'x' * (512_000 - len(head) - 1 - len(cut))}{cut}ut\nDisallow: /d\n"
        file = Protego.parse(text)
        assert [file.can_fetch(path, "x") for path in ("/b", "/c", "/cut", "/d")] == [False, True, True, True]


def test_robotparser(monkeypatch: pytest.MonkeyPatch) -> None:
    parser = RobotFileParser()
    assert not parser.can_fetch("ExampleBot", "/")
    assert (parser.crawl_delay("x"), parser.request_rate("x"), parser.site_maps(), parser.mtime()) == (
        None,
        None,
        None,
        0,
    )
    parser.parse(BODY.splitlines(keepends=True))
    assert (parser.can_fetch("ExampleBot", ""), parser.can_fetch("ExampleBot", "/a")) == (True, False)
    assert (parser.crawl_delay("ExampleBot"), parser.request_rate("ExampleBot")) == (1.5, (2, 180))
    assert parser.mtime() > 0
    assert str(parser).startswith("User-agent: ExampleBot")
    site = Site("plain", "missing", "overrun")
    for kind, page, private in (("plain", True, False), ("missing", True, True), ("overrun", False, False)):
        parser = RobotFileParser(site.at[kind] + "robots.txt")
        parser.read()
        assert parser.can_fetch("ExampleBot", "/about.html") is page, kind
        assert parser.can_fetch("ExampleBot", "/private/") is private, kind
    # Headers that never end hold it no longer than the timeout.
    monkeypatch.setattr(_client, "TIMEOUT", 0.3)
    for at, error in ((Site("late").at["late"], TimeoutError), ("http://127.0.0.1:9/", urllib.error.URLError)):
        parser = RobotFileParser(f"{at}robots.txt")
        with pytest.raises(error):
            parser.read()
        assert not parser.can_fetch("ExampleBot", "/")


ALL = "User-agent: *\nDisallow: /\n"


def test_robotparser_obeys_its_attributes() -> None:
    parser = RobotFileParser()
    parser.allow_all = True
    assert parser.can_fetch("ExampleBot", "/")
    parser.disallow_all = True
    assert not parser.can_fetch("ExampleBot", "/")
    parser = RobotFileParser()
    parser.parse([])
    parser.disallow_all = True
    assert not parser.can_fetch("ExampleBot", "/")
    parser.disallow_all, parser.allow_all = False, True
    parser.parse(ALL.splitlines())
    assert parser.can_fetch("ExampleBot", "/")


def test_robotparser_adds_what_it_parses() -> None:
    parser = RobotFileParser()
    parser.parse(["User-agent: a", "Disallow: /a"])
    parser.parse(["Disallow: /lost", "User-agent: b", "Disallow: /b"])
    parser.parse(["User-agent: c"])
    parser.parse(["Disallow: /", "User-agent: d", "Disallow: /d"])
    allowed = {agent: [url for url in ("/a", "/lost", "/b", "/d") if parser.can_fetch(agent, url)] for agent in "abcd"}
    assert allowed == {
        "a": ["/lost", "/b", "/d"],
        "b": ["/a", "/lost", "/d"],
        "c": ["/a", "/lost", "/b", "/d"],
        "d": ["/a", "/lost", "/b"],
    }
    parser = RobotFileParser("data:,User-agent:%20a%0ADisallow:%20/a")
    parser.parse(["User-agent: b", "Disallow: /b"])
    for _ in range(2):
        parser.read()
    assert (parser.can_fetch("a", "/a"), parser.can_fetch("b", "/b"), parser.can_fetch("a", "/b")) == (
        False,
        False,
        True,
    )
    assert str(parser).count("User-agent") == 2
    parser.parse(["\x1f\ufffd"])
    assert not parser.can_fetch("a", "/b")


@pytest.mark.parametrize("coding", ["utf-16-le", "utf-16-be"])
def test_robotparser_refuses_utf16(coding: str, tmp_path: Path) -> None:
    file = tmp_path / "robots.txt"
    file.write_bytes(f"\ufeff{ALL}".encode(coding))
    parser = RobotFileParser(file.as_uri())
    with pytest.raises(UnicodeDecodeError):
        parser.read()
    assert not parser.can_fetch("ExampleBot", "/")


def test_robotparser_reads_files(tmp_path: Path) -> None:
    file = tmp_path / "robots.txt"
    file.write_bytes(BODY.encode() + b"# caf\xe9\n")
    parser = RobotFileParser(file.as_uri())
    parser.read()
    assert (parser.can_fetch("ExampleBot", "/a"), parser.can_fetch("ExampleBot", "/b")) == (False, True)
    with pytest.raises(urllib.error.URLError):
        RobotFileParser((tmp_path / "missing").as_uri()).read()


@pytest.mark.parametrize(
    "copied", [copy.deepcopy, lambda it: pickle.loads(pickle.dumps(it))], ids=["deepcopy", "pickle"]
)
def test_copies(copied) -> None:
    parser = RobotFileParser()
    parser.parse(BODY.splitlines())
    for file in (parser, Protego.parse(BODY)):
        rate = file.request_rate("ExampleBot")
        assert file.can_fetch("/a", "ExampleBot") is not None
        again = copied(file)
        assert again.request_rate("ExampleBot") == rate
    assert not copied(parser).can_fetch("ExampleBot", "/a")
    assert not copied(Protego.parse(BODY)).can_fetch("/a", "ExampleBot")
    assert not copied(Protego.parse("\x1f\x8b")).can_fetch("/a", "ExampleBot")


@pytest.mark.parametrize(
    "body",
    [b"\x1f\x8b\x08\0\0\0\0\0\0\x03", b"\x28\xb5\x2f\xfd\x04", b"x\x9c\x4b\x04\0"],
    ids=["gzip", "zstd", "zlib"],
)
@pytest.mark.parametrize("errors", ["latin-1", "cp1252", "surrogateescape", "replace"])
def test_what_is_still_compressed_allows_nothing(errors: str, body: bytes) -> None:
    """SPEC 2.17, 4.4: it is no file without rules."""
    text = body.decode(errors) if errors in ("latin-1", "cp1252") else body.decode("utf-8", errors)
    parser = RobotFileParser()
    parser.parse(text.splitlines())
    assert not parser.can_fetch("ExampleBot", "/open")
    assert parser.site_maps() is None
    assert not Protego.parse(text).can_fetch("/open", "ExampleBot")
    assert list(Protego.parse(text).sitemaps) == []
    for length, allowed in ((len(body), False), (4, False), (1, True)):
        assert RobotParser(body[:length]).allowed("https://example.com/open", "ExampleBot") is allowed
