"""Crawlers, rules, verdicts, explanations, reports: names, arguments, texts, pickling, misuse."""

from __future__ import annotations

import copy
import doctest
import inspect
import pickle
import pydoc
import re

import pytest

import librobots
from librobots import (
    ArgumentError,
    Cache,
    Crawler,
    Dialect,
    FetchOption,
    ImageError,
    ImageFormatError,
    LineKind,
    MatchResult,
    Origin,
    OutcomeKind,
    Reason,
    RobotsError,
    Rules,
    SchemeError,
    Severity,
    TokenError,
    UrlError,
    Verdict,
    _librobots,
)

BODY = "User-agent: *\nDisallow: /private/\nAllow: /private/open\nCrawl-delay: 2\nSitemap: https://example.com/s.xml\n"


PUBLIC = [name for name, item in vars(librobots).items() if not name.startswith("_") and not inspect.ismodule(item)]


@pytest.fixture
def rules() -> Rules:
    return Crawler("ExampleBot").parse(BODY)


def test_what_the_package_shows() -> None:
    results = doctest.testmod(librobots)
    assert (results.failed, results.attempted) == (0, 4)


@pytest.mark.parametrize(
    "kind", [str, str.encode, lambda body: bytearray(body.encode()), lambda b: memoryview(b.encode())]
)
def test_bodies(kind, rules: Rules) -> None:
    assert Crawler("ExampleBot").parse(kind(BODY)) == rules


@pytest.mark.parametrize("body", [None, 5, ["User-agent: *"], object()])
def test_what_is_no_body(body) -> None:
    for call in (Crawler().parse, Crawler().lint, Crawler().extensions, librobots.format, Rules.from_image):
        with pytest.raises(TypeError):
            call(body)


def test_verdicts(rules: Rules) -> None:
    verdict = rules.check("https://example.com/private/diary")
    assert (verdict.allowed, verdict.reason, verdict.line, verdict.error) == (False, Reason.RULE_DISALLOWED, 2, None)
    assert not verdict
    assert rules.check(b"/private/open")
    assert repr(verdict) == "<Verdict allowed=False reason=RULE_DISALLOWED line=2>"
    assert verdict == rules.check("/private/other")
    assert hash(verdict) == hash(rules.check("/private/other"))
    assert verdict != rules.check("/")
    assert pickle.loads(pickle.dumps(verdict)) == copy.deepcopy(verdict) == verdict
    for wrong in ("no-url", b"", "", "?q", "mailto:a@b"):
        bad = rules.check(wrong)
        assert isinstance(bad.error, UrlError)
        assert (bool(bad), bad.allowed, bad.reason, rules.is_allowed(wrong)) == (False, False, Reason.NONE, False)
        assert repr(bad) == "<Verdict allowed=False error=UrlError>"
    for no_text in (None, 5, ["/"], bytearray(b"/")):
        for call in (rules.check, rules.is_allowed):
            with pytest.raises(TypeError):
                call(no_text)  # type: ignore[arg-type]


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_every_protocol_of_pickle(protocol: int, rules: Rules) -> None:
    """Spark and older queues use low ones."""
    crawler = Crawler("A", "B", dialect="google", max_bytes=1_000_000, fetch_options={"max_redirects": 3})
    for made in (crawler, Origin("https://a.example"), rules, rules.check("/x"), librobots.Reason.NO_RULE):
        assert pickle.loads(pickle.dumps(made, protocol)) == made
    cache = librobots.Cache(crawler)
    assert pickle.loads(pickle.dumps(cache, protocol)).crawlers == cache.crawlers
    outcome = crawler.outcome_from_status("https://a.example/", 404)
    assert pickle.loads(pickle.dumps(outcome, protocol)).encode() == outcome.encode()


def test_no_pickle_allows_what_has_an_error(rules: Rules) -> None:
    forged = Verdict._from_bits(rules.check("no-url").bits | 1)  # type: ignore[attr-defined]
    assert not forged
    assert not forged.allowed


def test_url_with_surrogates() -> None:
    rules = Crawler().parse(b"User-agent: *\nDisallow: /\xff\nDisallow: /%ED%A0%80\n")
    assert not rules.is_allowed("/\udcff")
    assert not rules.is_allowed(b"/\xff")
    assert not rules.is_allowed("/\ud800")
    assert list(rules.check_many(["/\udcff", "/ok", None, "/\ud800", b"/\xff"])) == [False, True, False, False, False]


def test_rules(rules: Rules) -> None:
    assert rules.crawl_delay == 2.0
    assert rules.sitemaps == ("https://example.com/s.xml",)
    assert (rules.dialect, rules.has_group, rules.allows_all) == (Dialect.RFC9309, True, False)
    assert repr(rules) == f"<Rules of {len(rules.image)} bytes crawl_delay=2 sitemaps=1>"
    assert rules.effective_rules() == [(2, False, "/private/"), (3, True, "/private/open")]
    assert Rules.disallow_all().effective_rules()[0].pattern == "/"
    assert hash(rules) == hash(Rules.from_image(rules.image))
    assert copy.copy(rules) == rules != Rules.allow_all()
    assert Rules.allow_all().allows_all
    assert Rules.disallow_all().disallows_all
    assert not Rules.disallow_all().is_allowed("/")


def test_images(rules: Rules) -> None:
    image = bytearray(rules.image)
    for at in range(0, len(image), 3):
        image[at] ^= 0x55
        with pytest.raises(ImageError):
            Rules.from_image(image)
        image[at] ^= 0x55
    with pytest.raises(ImageError):
        Rules.from_image(b"")
    assert issubclass(ImageFormatError, ImageError)


def test_crawlers() -> None:
    crawler = Crawler(
        "ExampleBot-News",
        b"ExampleBot",
        dialect=Dialect.GOOGLE,
        max_bytes=600_000,
        ignore_star=True,
        merge_tokens=True,
        fetch_options={FetchOption.MAX_REDIRECTS: 3, FetchOption.ON_FORBIDDEN: OutcomeKind.DISALLOW_ALL},
    )
    assert crawler.tokens == ("ExampleBot-News", "ExampleBot")
    assert (crawler.dialect, crawler.max_bytes) == ("google", 600_000)
    assert (crawler.ignore_star, crawler.merge_tokens, crawler.crawl_delay_ends_agents) == (True, True, False)
    assert crawler.fetch_option(FetchOption.MAX_REDIRECTS) == 3
    assert crawler.fetch_option(FetchOption.DEFAULT_TTL) == 86_400
    koster = Crawler(dialect="koster1996", fetch_options={FetchOption.UNREACHABLE_OVERRIDES_COPY: 1})
    assert koster.fetch_option(FetchOption.UNREACHABLE_OVERRIDES_COPY) == 1
    assert koster.fetch_option(FetchOption.MAX_REDIRECTS) == 20
    assert koster.fetch_option(FetchOption.UNREACHABLE_TTL) == 4_294_967_295
    assert eval(repr(koster)) == pickle.loads(pickle.dumps(koster)) == koster
    again = pickle.loads(pickle.dumps(crawler))
    assert again == crawler == eval(repr(crawler)) != Crawler("ExampleBot")
    assert hash(again) == hash(crawler)
    assert repr(Crawler("A")) == 'Crawler("A")'
    assert "fetch_options={FetchOption.MAX_REDIRECTS: 3, FetchOption.ON_FORBIDDEN: OutcomeKind.DISALLOW_ALL}" in repr(
        crawler
    )
    assert Crawler().tokens == ()


def test_enumerations_are_names_as_text() -> None:
    """In every version of Python, unlike `enum.IntEnum`. A specification for numbers formats the number."""
    outcome = Crawler("A").outcome_from_status("http://a/", 503, now=0)
    assert f"{outcome.kind} {outcome.cause}" == "UNREACHABLE SERVER_ERROR"
    assert (str(Reason.DEFER), f"{Reason.DEFER:<6}|", f"{Reason.DEFER:03d}", Reason.DEFER) == (
        "DEFER",
        "DEFER |",
        "008",
        8,
    )
    assert repr(Reason.DEFER) == "<Reason.DEFER: 8>"
    assert f"{Dialect.GOOGLE}" == "google"


def test_options_out_of_range_name_the_range() -> None:
    for option, value, text in (
        (FetchOption.MAX_REDIRECTS, 21, "FetchOption.MAX_REDIRECTS=21: pass 0 to 20"),
        (FetchOption.ON_FORBIDDEN, OutcomeKind.RULES, "FetchOption.ON_FORBIDDEN=0: pass ALLOW_ALL, DISALLOW_ALL, "),
    ):
        with pytest.raises(ArgumentError, match=text):
            Crawler("A", fetch_options={option: value})
        with pytest.raises(ArgumentError, match=text):
            librobots.Fetch(Crawler("A"), "http://a/").set(option, value)
    with pytest.raises(ArgumentError, match="max_bytes=5: pass 512,000 to "):
        Crawler("A", max_bytes=5)


def test_what_is_no_crawler() -> None:
    for token in ("Mozilla/5.0", "", "*", b"a*", "x" * 2000):
        with pytest.raises(TokenError, match="is not a product token"):
            Crawler(token)
    header = "Mozilla/5.0 (compatible; ExampleBot/1.0; +https://example.com)"
    with pytest.raises(TokenError, match=r"ExampleBot/1.0; .*\)` is a User-Agent header; its token is ExampleBot$"):
        Crawler(header)
    assert Crawler.token_from_user_agent(header) == Crawler.token_from_user_agent(header.encode()) == "ExampleBot"
    with pytest.raises(TokenError, match=r"^no product token in `Mozilla/5.0 \(X11\)`: name the crawler in it"):
        Crawler.token_from_user_agent("Mozilla/5.0 (X11)")
    with pytest.raises(TokenError):
        Crawler("Bot2", dialect="google")
    assert Crawler("Bot2~", dialect="koster1996").tokens == ("Bot2~",)
    with pytest.raises(ValueError, match='unknown dialect "yahoo"'):
        Crawler("A", dialect="yahoo")
    with pytest.raises(ArgumentError, match="max_bytes=1: "):
        Crawler("A", max_bytes=1)
    with pytest.raises(ArgumentError, match="MAX_REDIRECTS=21: pass 0 to 20"):
        Crawler("A", fetch_options={FetchOption.MAX_REDIRECTS: 21})
    with pytest.raises(ArgumentError, match="unknown fetch option 99"):
        Crawler("A", fetch_options={99: 1})
    with pytest.raises(ArgumentError):
        Crawler(*["A"] * 65)
    for wrong in (5, None, "A"):
        with pytest.raises(TypeError):
            librobots.Cache([wrong])  # type: ignore[list-item]


def test_explanation() -> None:
    why = Crawler("ExampleBot").explain(BODY, "https://example.com/private/open/1")
    assert why.verdict.line == 3
    assert why.winner is not None
    assert (why.winner.path, why.winner.allow, why.winner.result) == ("/private/open", True, MatchResult.WON)
    assert [(match.line, match.result) for match in why.matches] == [(3, MatchResult.WON), (2, MatchResult.SHORTER)]
    assert (why.token, why.agents, why.rule_count) == ("*", [(1, "User-agent: *")], 2)
    assert (why.path, why.dialect) == ("/private/open/1", Dialect.RFC9309)
    assert set(why.others) == {Dialect.GOOGLE, Dialect.KOSTER1996}
    assert not why.verdict_in("koster1996").allowed
    assert "line 3: Allow: /private/open" in str(why)
    with pytest.raises(UrlError):
        Crawler("A").explain(BODY, "no-url")


def test_lint() -> None:
    report = Crawler("ExampleBot").lint("User-agent: *\nDisalow: /tmp/\nDisallow: private/\n")
    first, second = report
    assert (first.code, first.severity, first.line, first.column) == ("R022", Severity.WARNING, 2, 1)
    assert (second.code, second.suggestion, second.span) == ("R050", "write `/private/`", (39, 47))
    assert report.totals == {"R022": 1, "R050": 1}
    assert (len(report), report.line_count, report.group_count) == (2, 3, 1)
    assert [line.kind for line in report.lines] == [LineKind.USER_AGENT, LineKind.DISALLOW, LineKind.DISALLOW]
    assert report.render("x.txt").endswith("x.txt: 1 error, 1 warning (3 lines, 1 group)\n")
    assert librobots.format("useragent:*\r\ndissallow :/a # b\r\n") == b"User-agent: *\nDisallow: /a # b\n"
    with pytest.raises(ArgumentError, match="UTF-16"):
        librobots.format(b"\xff\xfeU\0")
    private = "User-agent: *\nDisallow: /admin/\n"
    assert not list(Crawler("ExampleBot").lint(private))
    all_codes = Crawler("ExampleBot", lint_all=True)
    assert [found.code for found in all_codes.lint(private)] == ["R087"]
    assert all_codes.lint_all and eval(repr(all_codes)) == all_codes != Crawler("ExampleBot")


def test_fixes() -> None:
    body = b"User-agent: *\nDisallow: /a/\nDisallow: /a/b/\nDisallow: private/\n"
    report = Crawler("ExampleBot").lint(body)
    redundant, unrooted = report
    assert redundant.fix == ((28, 44), "", True)
    assert unrooted.fix == (unrooted.span, "/private/", False)
    safe = report.apply_fixes(body)
    assert safe == (b"User-agent: *\nDisallow: /a/\nDisallow: private/\n", [redundant])
    assert report.apply_fixes(body.decode(), wanted=lambda found: found.fix is not None).body.endswith(b": /private/\n")
    assert report.apply_fixes(body, lambda found: False) == (body, [])
    assert safe.applied[0].code == "R063"
    with pytest.raises(ZeroDivisionError):
        report.apply_fixes(body, lambda found: 1 / 0)
    with pytest.raises(TypeError):
        report.apply_fixes(None)  # type: ignore[arg-type]


def test_presets() -> None:
    presets = {preset.name: preset for preset in librobots.presets()}
    for name, preset in presets.items():
        crawler = Crawler.preset(name.lower())
        assert crawler == Crawler(*preset.tokens, dialect=preset.dialect, ignore_star=preset.ignores_star)
        assert pickle.loads(pickle.dumps(crawler)) == crawler == eval(repr(crawler))
        assert crawler.max_bytes == Crawler().max_bytes
    image = presets["Googlebot-Image"]
    assert image[1:3] == (("Googlebot-Image", "Googlebot"), Dialect.GOOGLE)
    assert (image.purpose, image.is_control_token, image.may_ignore) == (librobots.Purpose.SEARCH, False, False)
    assert presets["AdsBot-Google"].ignores_star
    assert presets["Google-Extended"].is_control_token
    assert presets["Perplexity-User"].may_ignore
    assert presets["Bytespider"].documentation is None
    assert presets["CCBot"].documentation == "https://commoncrawl.org/ccbot"
    with pytest.raises(TokenError, match="unknown preset 'NobodysBot': presets"):
        Crawler.preset("NobodysBot")


def test_extensions() -> None:
    body = "User-agent: *\nRequest-rate: 1/5 0600-0845\nVisit-time: 0400-0845\nContent-Usage: /open train-ai=y\nHost: a.b\n"
    extensions = Crawler("ExampleBot").extensions(body)
    rate, visit, usage, host = extensions.lines
    assert rate.request_rate == (1, 5, (360, 525))
    assert visit.visit_time == (240, 525)
    assert (usage.field, host.value, host.line) == ("content-usage", "a.b", 5)
    (preference,) = extensions.preferences("/open/1")
    assert (preference.label, preference.choice, preference.line) == ("train-ai", librobots.Choice.YES, 4)
    assert extensions.preferences("/") == []
    with pytest.raises(UrlError):
        extensions.preferences("no-url")


def test_page_controls_of_clients() -> None:
    crawler = Crawler("ExampleBot")
    for headers in ({"X-Robots-Tag": "noindex"}, [("x-robots-tag", b"noindex")]):
        assert not crawler.page_controls(headers).may_index
    assert crawler.page_controls().may_index
    with pytest.raises(TypeError):
        crawler.page_controls([("X-Robots-Tag", 5)])  # type: ignore[list-item]
    with pytest.raises(ValueError, match="unknown control 99"):
        crawler.page_controls().get(99)


def test_origins() -> None:
    origin = Origin("HTTPS://user@www.Ex\u00e4mple.com:443/page")
    assert (origin.key, str(origin)) == ("https://www.xn--exmple-cua.com",) * 2
    assert origin.robots_url == origin.key + "/robots.txt"
    assert origin.governs("https://www.xn--exmple-cua.com/other")
    assert not origin.governs("no-url")
    assert pickle.loads(pickle.dumps(origin)) == origin
    assert repr(Origin("http://a/")) == 'Origin("http://a")'
    assert Origin("http://a") < Origin("http://b")
    with pytest.raises(SchemeError):
        Origin("gopher://example.com")


def test_numbers_of_the_engine() -> None:
    for name, codes in _librobots._codes().items():
        if name == "ExtensionField":
            assert len(codes) == 8
        elif name == "Error":
            assert codes == list(range(1, 10))
        else:
            members = list(getattr(librobots, name))
            assert len(members) == len(codes), name
            for member, code in zip(members, codes):
                assert member.value == code, f"{name}.{member.name} is {member.value} here, {code} in the engine"


def test_help_is_of_a_length_that_people_read() -> None:
    text = pydoc.render_doc(librobots, renderer=pydoc.plaintext)
    assert 500 < len(text.splitlines()) < 1500
    classes = ("Cache", "Crawler", "Fetch", "FilteredTable", "Outcome", "Rules", "Sites", "TableAnswers", "Verdict")
    for shown in (*(f"class {name}(" for name in classes), "filter_table(", "check_table("):
        assert f"    {shown}" in text, shown
    assert len(PUBLIC) > 65
    for name in PUBLIC:  # what has a page of its own is named
        owner = getattr(librobots, name)
        if inspect.isclass(owner) and owner.__module__ == "librobots._enums":
            assert re.search(rf"\b{name}[,.]", librobots.__doc__ or ""), name
        if inspect.isclass(owner) and owner.__module__ == "librobots._errors":
            assert name in (RobotsError.__doc__ or "") or owner is RobotsError, name


def test_names_in_any_case() -> None:
    for name in ("google", "Google", "GOOGLE", Dialect.GOOGLE):
        assert Crawler("ExampleBot", dialect=name).dialect == Dialect.GOOGLE
    by_name = Crawler("ExampleBot", fetch_options={"max_redirects": 3, "ON_FORBIDDEN": "disallow_all"})
    by_member = Crawler(
        "ExampleBot",
        fetch_options={FetchOption.MAX_REDIRECTS: 3, FetchOption.ON_FORBIDDEN: librobots.OutcomeKind.DISALLOW_ALL},
    )
    assert by_name == by_member == pickle.loads(pickle.dumps(by_name))
    assert by_name.fetch_option("Max_Redirects") == by_name.fetch_option(FetchOption.MAX_REDIRECTS) == 3
    assert by_name.outcome_from_status("https://a.example/", 403).kind == librobots.OutcomeKind.DISALLOW_ALL
    fetch = librobots.Fetch(by_name, "https://a.example/")
    fetch.set("on_unreachable", "Disallow_All")
    fetch.fail("timeout")
    assert fetch.outcome is not None
    assert (fetch.outcome.kind, fetch.outcome.cause) == (librobots.OutcomeKind.DISALLOW_ALL, librobots.Cause.TIMEOUT)


def test_names_that_nobody_has() -> None:
    fetch = librobots.Fetch(Crawler(), "https://a.example/")
    explanation = Crawler().explain("", "/")
    for wrong in (lambda: Crawler(dialect="bing"), lambda: explanation.verdict_in("bing")):
        with pytest.raises(ArgumentError, match='unknown dialect "bing": pass "rfc9309", "google" or "koster1996"'):
            wrong()
    for option in ("redirects", "name", "__class__", "", 9999):
        for wrong in (
            lambda option=option: Crawler(fetch_options={option: 1}),
            lambda option=option: Crawler().fetch_option(option),
            lambda option=option: fetch.set(option, 1),
        ):
            with pytest.raises(ArgumentError, match="pass a member of FetchOption"):
                wrong()
    with pytest.raises(ArgumentError, match='unknown OutcomeKind "allow": pass a member of OutcomeKind, or its name'):
        Crawler(fetch_options={"on_forbidden": "allow"})
    for failure in ("late", 99):
        with pytest.raises(ArgumentError, match="pass a member of Failure"):
            fetch.fail(failure)
    with pytest.raises(TypeError):
        Crawler(fetch_options={"max_redirects": "many"})
    with pytest.raises(ArgumentError, match="invalid time -1"):
        librobots.Fetch(Crawler(), "https://a.example/", now=-1)


def test_everything_is_documented() -> None:
    missing = []
    for name in PUBLIC:
        item = getattr(librobots, name)
        if inspect.isclass(item):
            assert item.__doc__, name
            assert item.__module__.startswith("librobots"), name
            if item.__module__ == "librobots":
                members = (m for m in vars(item) if not m.startswith("_"))
                missing += [f"{name}.{member}" for member in members if not getattr(item, member).__doc__]
    assert missing == []


def test_exceptions() -> None:
    for name in PUBLIC:
        if name.endswith("Error"):
            assert issubclass(getattr(librobots, name), RobotsError)
    with pytest.raises(ValueError, match="a cache of another"):
        raise UrlError("a cache of another kind")


def test_numbers_out_of_range() -> None:
    """The message names the argument, the value as it was passed, and the range."""
    for value in (-1, 1 << 70, 315_360_001):
        with pytest.raises(ArgumentError, match=rf"^FetchOption.MIN_TTL={value}: pass 0 to 315360000$"):
            Crawler("ExampleBot", fetch_options={FetchOption.MIN_TTL: value})
        ticket = Cache(Crawler("ExampleBot")).check("https://example.com/").ticket
        assert ticket is not None
        with ticket, pytest.raises(ArgumentError, match=rf"^FetchOption.MIN_TTL={value}: pass 0 to 315360000$"):
            ticket.fetch().set(FetchOption.MIN_TTL, value)
    for value in (-1, 3, 1 << 70):
        with pytest.raises(ArgumentError, match=rf"^max_bytes={value}: pass 512,000 to 1,073,741,824$"):
            Crawler("ExampleBot", max_bytes=value)


def test_the_record_of_another_crawler() -> None:
    cache = Cache(Crawler("ExampleBot"))
    ticket = cache.check("https://example.com/", now=1000).ticket
    assert ticket is not None
    ticket.finish(Crawler("ExampleBot").outcome_from_status("https://example.com/", 404, b"", now=1000), now=1000)
    with pytest.raises(ImageFormatError, match="other crawlers"):
        Cache(Crawler("OtherBot")).import_record(cache.export_records()[0])
