"""Crawlers, rules, verdicts, explanations, reports: names, arguments, texts, pickling, misuse.

What they decide: tests/drivers.
"""

from __future__ import annotations

import copy
import doctest
import inspect
import json
import pickle
import pydoc
import re
from functools import partial
from typing import Any

import numpy as np
import pytest

import librobots
from librobots import (
    ArgumentError,
    Crawler,
    Dialect,
    DifferenceResult,
    Fetch,
    FetchOption,
    ImageError,
    LineKind,
    MatchResult,
    Origin,
    OutcomeKind,
    Purpose,
    Reason,
    RobotsError,
    Rules,
    SchemeError,
    Severity,
    TokenError,
    UrlError,
    Use,
    UseSignal,
    UseSource,
    Verdict,
)

BODY = "User-agent: *\nDisallow: /private/\nAllow: /private/open\nCrawl-delay: 2\nSitemap: https://example.com/s.xml\n"
CRAWLER = Crawler("ExampleBot")
RULES = CRAWLER.parse(BODY)
USES = CRAWLER.uses("https://a.example/", "Content-Signal: ai-train=yes")
PAGE = CRAWLER.page_controls()
CHANGED = Crawler(
    "ExampleBot-News",
    b"ExampleBot",
    dialect=Dialect.GOOGLE,
    max_bytes=600_000,
    ignore_star=True,
    merge_tokens=True,
    lint_all=True,
    fetch_options={FetchOption.MAX_REDIRECTS: 3, FetchOption.ON_FORBIDDEN: OutcomeKind.DISALLOW_ALL},
)
PRESETS = {preset.name: preset for preset in librobots.presets()}
PUBLIC = [name for name, item in vars(librobots).items() if not name.startswith("_") and not inspect.ismodule(item)]


def test_what_the_package_shows() -> None:
    results = doctest.testmod(librobots)
    assert (results.failed, results.attempted) == (0, 4)


@pytest.mark.parametrize(
    "kind", [str, *(lambda body, kind=kind: kind(body.encode()) for kind in (bytes, bytearray, memoryview))]
)
def test_bodies(kind) -> None:
    assert CRAWLER.parse(kind(BODY)) == RULES


def test_verdicts() -> None:
    verdict = RULES.check("https://example.com/private/diary")
    assert (verdict.allowed, verdict.reason, verdict.line, verdict.error) == (False, Reason.RULE_DISALLOWED, 2, None)
    assert not verdict
    assert RULES.check(b"/private/open")
    assert repr(verdict) == "<Verdict allowed=False reason=RULE_DISALLOWED line=2>"
    assert verdict == RULES.check("/private/other") != RULES.check("/")
    assert hash(verdict) == hash(RULES.check("/private/other"))
    for wrong in ("no-url", b"", "", "?q", "mailto:a@b"):
        bad = RULES.check(wrong)
        assert isinstance(bad.error, UrlError)
        assert (bool(bad), bad.allowed, bad.reason, RULES.is_allowed(wrong)) == (False, False, Reason.NONE, False)
        assert repr(bad) == "<Verdict allowed=False error=UrlError>"
    # No pickle allows what has an error.
    forged = Verdict._from_bits(RULES.check("no-url").bits | 1)
    assert (bool(forged), forged.allowed) == (False, False)


def test_url_with_surrogates() -> None:
    rules = Crawler("*").parse(b"User-agent: *\nDisallow: /\xff\nDisallow: /%ED%A0%80\n")
    urls = ["/\udcff", "/ok", "/\ud800", b"/\xff"]
    assert [rules.is_allowed(url) for url in urls] == list(rules.check_many(urls)) == [False, True, False, False]


def test_rules() -> None:
    assert (RULES.crawl_delay, RULES.sitemaps) == (2.0, ("https://example.com/s.xml",))
    assert (RULES.dialect, RULES.has_group, RULES.allows_all) == (Dialect.RFC9309, True, False)
    assert repr(RULES) == f"<Rules of {len(RULES.image)} bytes crawl_delay=2 sitemaps=1>"
    assert RULES.effective_rules() == [(2, False, "/private/"), (3, True, "/private/open")]
    assert Rules.disallow_all().effective_rules()[0].pattern == "/"
    rules = Crawler("ExampleBot").parse("User-agent: *\nDisallow: /private/\n")
    found = RULES.difference(rules)
    assert (found.result, bool(found)) == (DifferenceResult.FOUND, True)
    (path,) = found.paths
    assert (path.path, path.verdicts) == ("/private/open", (RULES.check("/private/open"), rules.check("/private/open")))
    assert repr(found) == "<Difference FOUND: 1 paths>"
    assert not RULES.difference(Rules.from_image(RULES.image))
    assert hash(RULES) == hash(Rules.from_image(RULES.image))
    assert Rules.allow_all() != RULES
    assert Rules.allow_all().allows_all
    assert Rules.disallow_all().disallows_all
    for at in range(0, len(RULES.image), 3):
        with pytest.raises(ImageError):
            Rules.from_image(RULES.image[:at] + bytes([RULES.image[at] ^ 0x55]) + RULES.image[at + 1 :])


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_every_protocol_of_pickle(protocol: int) -> None:
    """Spark and older queues use low ones."""
    presets = map(Crawler.preset, PRESETS)
    for made in (
        CHANGED,
        Origin("https://a.example"),
        RULES,
        RULES.check("/x"),
        RULES.check("no-url"),
        Reason.NO_RULE,
        *presets,
    ):
        assert pickle.loads(pickle.dumps(made, protocol)) == copy.copy(made) == copy.deepcopy(made) == made
    cache, outcome = librobots.Cache(CHANGED), CHANGED.outcome_from_status("https://a.example/", 404)
    assert pickle.loads(pickle.dumps(cache, protocol)).crawlers == cache.crawlers
    assert pickle.loads(pickle.dumps(outcome, protocol)).encode() == outcome.encode()


def test_crawlers() -> None:
    assert CHANGED.tokens == ("ExampleBot-News", "ExampleBot")
    assert (CHANGED.dialect, CHANGED.max_bytes, CHANGED.lint_all) == ("google", 600_000, True)
    assert (CHANGED.ignore_star, CHANGED.merge_tokens, CHANGED.crawl_delay_ends_agents) == (True, True, False)
    assert (CHANGED.fetch_option(FetchOption.MAX_REDIRECTS), CHANGED.fetch_option(FetchOption.DEFAULT_TTL)) == (
        3,
        86_400,
    )
    koster = Crawler("*", dialect="koster1996", fetch_options={FetchOption.UNREACHABLE_OVERRIDES_COPY: 1})
    names = ("unreachable_overrides_copy", "Max_Redirects", "UNREACHABLE_TTL")
    assert [koster.fetch_option(name) for name in names] == [1, 20, 4_294_967_295]
    assert koster.tokens == ()
    assert koster != CHANGED != CRAWLER
    for crawler in (CHANGED, koster, CRAWLER, *map(Crawler.preset, PRESETS)):
        assert eval(repr(crawler)) == crawler
        assert hash(eval(repr(crawler))) == hash(crawler)
    assert repr(CRAWLER) == 'Crawler("ExampleBot")'
    options = "fetch_options={FetchOption.MAX_REDIRECTS: 3, FetchOption.ON_FORBIDDEN: OutcomeKind.DISALLOW_ALL}"
    assert options in repr(CHANGED)


def test_names_in_any_case() -> None:
    for name in ("google", "Google", "GOOGLE", Dialect.GOOGLE):
        assert Crawler("A", dialect=name).dialect == Dialect.GOOGLE
    by_name = Crawler("A", fetch_options={"max_redirects": 3, "ON_FORBIDDEN": "disallow_all"})
    assert by_name == Crawler(
        "A", fetch_options={FetchOption.MAX_REDIRECTS: 3, FetchOption.ON_FORBIDDEN: OutcomeKind.DISALLOW_ALL}
    )
    assert by_name.outcome_from_status("https://a.example/", 403).kind == OutcomeKind.DISALLOW_ALL
    fetch = Fetch(by_name, "https://a.example/")
    fetch.set("on_unreachable", "Disallow_All")
    fetch.fail("timeout")
    assert (fetch.outcome.kind, fetch.outcome.cause) == (OutcomeKind.DISALLOW_ALL, librobots.Cause.TIMEOUT)


def test_enumerations_are_names_as_text() -> None:
    """In every version of Python, unlike `enum.IntEnum`. A specification for numbers formats the number."""
    assert (
        f"{Reason.DEFER} {Reason.DEFER:<6}|{Reason.DEFER:03d} {Reason.DEFER!r}" == "DEFER DEFER |008 <Reason.DEFER: 8>"
    )
    assert (str(Reason.DEFER), Reason.DEFER, f"{Dialect.GOOGLE}") == ("DEFER", 8, "google")


FETCH = Fetch(CRAWLER, "https://a.example/")


def set_option(name: str, value: object) -> None:
    """Set an option of a crawler, then of a fetch, which has the same error."""
    with pytest.raises(ArgumentError) as caught:
        Crawler("A", fetch_options={name: value})
    with pytest.raises(ArgumentError, match=f"^{re.escape(str(caught.value))}$"):
        FETCH.set(name, value)
    raise caught.value


HEADER = "Mozilla/5.0 (compatible; ExampleBot/1.0; +https://example.com)"


class TwoLines:
    def __repr__(self) -> str:
        return "two\nlines"


class Unshown:
    def __repr__(self) -> str:
        raise ValueError


WHY = CRAWLER.explain(BODY, "https://example.com/private/open/1")
# The call, its error, and what the error says.
MISUSE: list[tuple[Any, type[Exception], str | None]] = [
    *((lambda call=call, body=body: call(body), TypeError, "^(body|image)=.*: pass str, bytes, bytearray or memoryview$")
      for body in (None, 5, ["User-agent: *"], object(), ["x" * 100])
      for call in (CRAWLER.parse, CRAWLER.lint, CRAWLER.extensions, librobots.format, Rules.from_image,
                   CRAWLER.lint(BODY).apply_fixes)),
    *((lambda call=call, url=url: call(url), TypeError, rf"^url={re.escape(repr(url))}: pass str or bytes$")
      for url in (None, 5, ["/"], bytearray(b"/"))
      for call in (RULES.check, RULES.is_allowed, Origin, librobots.url_to_send, partial(CRAWLER.explain, BODY))),
    # A long value, or one of several lines, is shown as its type.
    *((lambda wrong=wrong: RULES.check(wrong), TypeError, f"^url=<{type(wrong).__name__}>: pass str or bytes$")
      for wrong in (["/"] * 100, TwoLines(), Unshown())),
    # Without a token by mistake, a crawler would disobey the groups of its name.
    *((lambda tokens=tokens: Crawler(*tokens), TokenError,
       r"its product token, the name .* such as Crawler\(\"ExampleBot\"\); Crawler\(\"\*\"\)")
      for tokens in ((), ("",), (b"",))),
    (lambda: Crawler("*", "ExampleBot"), TokenError, r"`\*` is not a product token"),
    *((lambda wrong=wrong: Crawler("A", wrong), TypeError,
       rf"^tokens\[1\]={re.escape(repr(wrong))}: pass product tokens, each as str")
      for wrong in (None, 5, ["A", "B"])),
    *((lambda name=name, wrong=wrong: Crawler("A", **{name: wrong}), TypeError,
       rf"^{name}={re.escape(repr(wrong))}: pass {wanted}")
      for name, wanted, values in (
          ("dialect", '"rfc9309", "google" or "koster1996"', (None, b"google", 1)),
          ("max_bytes", "512,000 to 1,073,741,824, not ", ("1 MB", None, 600_000.0)),
          ("ignore_star", "True or False, not ", ("yes", None)),
          ("fetch_options", 'a mapping such as {"max_redirects": 3}$', ([("max_redirects", 3)], "max_redirects=3")),
      ) for wrong in values),
    (lambda: Crawler("A", lint_all=2), ArgumentError, "^lint_all=2: pass True or False$"),
    *((lambda wrong=wrong: Crawler("A", fetch_options={"max_redirects": wrong}), TypeError,
       f"^FetchOption.MAX_REDIRECTS={wrong!r}: pass 0 to 20, not ") for wrong in (None, "3", 3.5)),
    *((lambda call=call, wrong=wrong: call(wrong), TypeError,
       f"^FetchOption={re.escape(repr(wrong))}: pass a member of FetchOption, or its name")
      for wrong in (None, 3.5, b"max_redirects") for call in (CRAWLER.fetch_option, lambda it: FETCH.set(it, 1))),
    *((lambda wrong=wrong: CRAWLER.page_controls(wrong), TypeError, rf"^headers={wrong!r}: pass pairs of name and value")
      for wrong in ("noindex", 5)),
    (lambda: CRAWLER.page_controls([("a", "b"), ("c",)]), TypeError,
     r"^headers\[1\]=\('c',\): pass name and value, each as str"),
    (lambda: RULES.difference(None), TypeError, "^other=None: pass the Rules"),
    (lambda: WHY.verdict_in(None), TypeError, "^dialect=None: pass "),
    (lambda: CRAWLER.lint(BODY).render(5), TypeError, "^name=5: pass str"),
    (lambda: CRAWLER.lint(BODY).apply_fixes(BODY, 5), TypeError, "^wanted=5: pass a function that gets a Diagnostic"),
    (lambda: Rules.from_image(b""), ImageError, None),
    *((lambda token=token: Crawler(token), TokenError, "is not a product token")
      for token in ("Mozilla/5.0", b"a*", "x" * 2000)),
    (lambda: Crawler(HEADER), TokenError, r"ExampleBot/1.0; .*\)` is a User-Agent header; its token is ExampleBot$"),
    (lambda: Crawler.token_from_user_agent("Mozilla/5.0 (X11)"), TokenError,
     r"^no product token in `Mozilla/5.0 \(X11\)`: name the crawler in it"),
    (lambda: Crawler("Bot2", dialect="google"), TokenError, None),
    (lambda: Crawler.preset("NobodysBot"), TokenError, "unknown preset 'NobodysBot': presets"),
    (lambda: Crawler(*["A"] * 65), ArgumentError, None),
    *((call, ArgumentError, 'unknown dialect "bing": pass "rfc9309", "google" or "koster1996"')
      for call in (lambda: Crawler("A", dialect="bing"), lambda: WHY.verdict_in("bing"))),
    # The message names the argument, the value as it was passed, and the range.
    *((lambda value=value: Crawler("A", max_bytes=value), ArgumentError, rf"^max_bytes={value}: pass 512,000 to 1,073,741")
      for value in (-1, 3, 1 << 70)),
    *((lambda value=value: set_option("min_ttl", value), ArgumentError, rf"^FetchOption.MIN_TTL={value}: pass 0 to 315360000$")
      for value in (-1, 1 << 70, 315_360_001)),
    (lambda: set_option("max_redirects", 21), ArgumentError, "FetchOption.MAX_REDIRECTS=21: pass 0 to 20"),
    (lambda: set_option("on_forbidden", OutcomeKind.RULES), ArgumentError, "ON_FORBIDDEN=0: pass ALLOW_ALL, DISALLOW_ALL, "),
    *((lambda call=call, option=option: call(option), ArgumentError, "pass a member of FetchOption")
      for option in ("redirects", "name", "__class__", "", 9999)
      for call in (lambda option: Crawler("A", fetch_options={option: 1}), CRAWLER.fetch_option,
                   lambda option: FETCH.set(option, 1))),
    (lambda: Crawler("A", fetch_options={"on_forbidden": "allow"}), ArgumentError,
     'OutcomeKind "allow": pass a member of Out'),
    (lambda: Crawler("A", fetch_options={"max_redirects": "many"}), TypeError, None),
    *((lambda name=name: FETCH.fail(name), ArgumentError, "pass a member of Failure") for name in ("late", 99)),
    (lambda: CRAWLER.explain(BODY, "no-url"), UrlError, None),
    (lambda: librobots.format(b"\xff\xfeU\0"), ArgumentError, "UTF-16"),
    (lambda: CRAWLER.lint("Disalow: /").apply_fixes("Disalow: /", lambda found: 1 / 0), ZeroDivisionError, None),
    (lambda: CRAWLER.page_controls([("X-Robots-Tag", 5)]), TypeError, r"^headers\[0\]=\('X-Robots-Tag', 5\): pass name"),
    *((lambda none=none: CRAWLER.page_controls(none), TypeError, r"^headers=.*: pass pairs of name and value, .*page=None")
      for none in (None, "", b"", bytearray(), memoryview(b""), "X-Robots-Tag: noindex", b"a", 5)),
    (lambda: CRAWLER.page_controls(["ab"]), TypeError, r"^headers\[0\]='ab': pass name and value"),
    (lambda: CRAWLER.page_controls().get(99), ValueError, "unknown control 99"),
    (lambda: Origin("gopher://example.com"), SchemeError, None),
    *((lambda purpose=purpose: USES.use_for("https://a.example/", purpose, PAGE), ArgumentError, "pass a member of Purpose")
      for purpose in ("trainig", "", 99)),
    *((lambda purpose=purpose: USES.use_for("https://a.example/", purpose, PAGE), TypeError, "pass a member of Purpose")
      for purpose in (None, 2.0)),
    (lambda: USES.use_for("https://b.example/", "training", PAGE), UrlError, None),
    (lambda: USES.use_for("https://a.example/", "training", Crawler("OtherBot").page_controls()), ArgumentError,
     "^page is that of"),
    (lambda: USES.use_for("https://a.example/", "training", {}), TypeError, "^page={}: pass what Crawler.page_controls"),
    (lambda: USES.receipt("/a", "training", PAGE, fetched_at=5), UrlError, None),
    (lambda: USES.receipt("https://a.example/", "training", PAGE, fetched_at=-1), ArgumentError, "^fetched_at=-1: pass"),
    (lambda: CRAWLER.uses("no-url", ""), UrlError, None),
    (lambda: CRAWLER.uses(None, ""), TypeError, "^site=None: pass str or bytes"),
    (lambda: CRAWLER.uses("https://a.example/", 404), TypeError, "^body=404: pass str, bytes"),
]  # fmt: skip


@pytest.mark.parametrize(("call", "error", "message"), MISUSE)
def test_misuse(call, error: type[Exception], message: str | None) -> None:
    with pytest.raises(error, match=message):
        call()


def test_without_token() -> None:
    nobody = Crawler("*", dialect="google", ignore_star=np.bool_(True))
    assert nobody.tokens == () and nobody == pickle.loads(pickle.dumps(nobody)) == eval(repr(nobody)) != Crawler("*")
    assert Crawler(b"*") == Crawler.with_names_in("")


def test_names_of_controls() -> None:
    page = CRAWLER.page_controls({"X-Robots-Tag": "noindex"})
    assert page.get("index") == page.get(librobots.Control.INDEX) == 0
    assert page.decided_by("INDEX") == page.decided_by(librobots.Control.INDEX)


def test_tokens() -> None:
    for text, tokens in (
        (HEADER, ("ExampleBot", "Mozilla")),
        (b"Yahoo! Slurp", ("Slurp", "Yahoo")),
        ("*a*", ("*a*",)),
        ("", ()),
    ):
        named = Crawler.with_names_in(text)
        assert named.tokens == pickle.loads(pickle.dumps(named)).tokens == tokens
    assert repr(Crawler.with_names_in("a/1", max_bytes=600_000)) == repr(Crawler("a", max_bytes=600_000))
    with pytest.raises(librobots.ArgumentError, match="max_bytes=1"):
        Crawler.with_names_in("a", max_bytes=1)
    with pytest.raises(TypeError, match="max_size"):
        Crawler.with_names_in("a", max_size=1)
    assert Crawler.token_from_user_agent(HEADER) == Crawler.token_from_user_agent(HEADER.encode()) == "ExampleBot"
    assert Crawler("Bot2~", dialect="koster1996").tokens == ("Bot2~",)


def test_explanation() -> None:
    assert WHY.verdict.line == 3
    assert (WHY.winner.path, WHY.winner.allow, WHY.winner.result) == ("/private/open", True, MatchResult.WON)
    assert [(match.line, match.result) for match in WHY.matches] == [(3, MatchResult.WON), (2, MatchResult.SHORTER)]
    assert (WHY.token, WHY.agents, WHY.rule_count) == ("*", [(1, "User-agent: *")], 2)
    assert (WHY.path, WHY.dialect) == ("/private/open/1", Dialect.RFC9309)
    assert set(WHY.others) == {Dialect.GOOGLE, Dialect.KOSTER1996}
    assert not WHY.verdict_in("koster1996").allowed
    assert "line 3: Allow: /private/open" in str(WHY)


def test_lint() -> None:
    body = b"User-agent: *\nDisalow: /tmp/\nDisallow: /tmp/b/\nDisallow: private/\n"
    report = CRAWLER.lint(body)
    misspelt, redundant, unrooted = report
    assert (misspelt.code, misspelt.severity, misspelt.line, misspelt.column) == ("R022", Severity.WARNING, 2, 1)
    assert (unrooted.code, unrooted.suggestion, unrooted.span) == ("R050", "write `/private/`", (57, 65))
    assert report.totals == {"R022": 1, "R050": 1, "R063": 1}
    assert (len(report), report.line_count, report.group_count) == (3, 4, 1)
    assert [line.kind for line in report.lines] == [LineKind.USER_AGENT, *[LineKind.DISALLOW] * 3]
    assert report.render("x.txt").endswith("(4 lines, 1 group)\n")
    assert (redundant.fix, unrooted.fix) == (((29, 47), "", True), (unrooted.span, "/private/", False))
    safe = report.apply_fixes(body)
    assert safe == (b"User-agent: *\nDisallow: /tmp/\nDisallow: private/\n", [misspelt, redundant])
    assert report.apply_fixes(body.decode(), wanted=lambda found: found.fix is not None).body.endswith(b": /private/\n")
    assert report.apply_fixes(body, lambda found: False) == (body, [])
    assert librobots.format("useragent:*\r\ndissallow :/a # b\r\n") == b"User-agent: *\nDisallow: /a # b\n"
    codes = [
        [found.code for found in crawler.lint("User-agent: *\nDisallow: /admin/\n")] for crawler in (CRAWLER, CHANGED)
    ]
    assert ("R087" in codes[0], "R087" in codes[1]) == (False, True)


@pytest.mark.parametrize("crawler", [Crawler("ExampleBot"), Crawler.preset("Googlebot")])
def test_misuse_never_allows(crawler: Crawler) -> None:
    rules = crawler.parse("User-agent: *\nAllow: /\n")
    for url in ("", "cart", "mailto:x@y.example", "example.com", "http:/x", "http://", "*", " /x", "\\x", "?x"):
        verdict = rules.check(url)
        assert (verdict.allowed, type(verdict.error), rules.is_allowed(url)) == (False, librobots.UrlError, False), url
    for body in ("https://e.example/robots.txt", b"robots.txt", "/etc/robots.txt"):
        for verdict in (crawler.parse(body).check("/x"), crawler.check_once(body, "/x")):
            assert (verdict.allowed, type(verdict.error)) == (False, ArgumentError), body
        with pytest.raises(ArgumentError):
            crawler.explain(body, "/x")


def test_presets() -> None:
    for name, preset in PRESETS.items():
        assert Crawler.preset(name.lower()) == Crawler(
            *preset.tokens, dialect=preset.dialect, ignore_star=preset.ignores_star
        )
    image = PRESETS["Googlebot-Image"]
    assert image[1:3] == (("Googlebot-Image", "Googlebot"), Dialect.GOOGLE)
    assert (image.purpose, image.is_control_token, image.may_ignore) == (librobots.Purpose.SEARCH, False, False)
    assert PRESETS["AdsBot-Google"].ignores_star
    assert PRESETS["Google-Extended"].is_control_token
    assert PRESETS["Perplexity-User"].may_ignore
    assert (PRESETS["Bytespider"].documentation, PRESETS["CCBot"].documentation) == (
        None,
        "https://commoncrawl.org/ccbot",
    )


def test_extensions() -> None:
    body = "User-agent: *\nRequest-rate: 1/5 0600-0845\nVisit-time: 0400-0845\nContent-Usage: /open train-ai=y\nHost: a.b\n"
    extensions = CRAWLER.extensions(body)
    rate, visit, usage, host = extensions.lines
    assert (rate.request_rate, visit.visit_time) == ((1, 5, (360, 525)), (240, 525))
    assert (usage.field, host.value, host.line) == ("content-usage", "a.b", 5)


def test_page_controls() -> None:
    for headers in ({"X-Robots-Tag": "noindex"}, [("x-robots-tag", b"noindex")]):
        assert not CRAWLER.page_controls(headers).may_index
    assert CRAWLER.page_controls().may_index


def test_uses() -> None:
    site, url = "https://a.example/", "https://a.example/tea"
    uses = CRAWLER.uses(site, "Content-Signal: ai-train=no, search=yes\nLicense: https://a.example/terms\n")
    page = CRAWLER.page_controls({"content-signal": "ai-input=yes"})
    denied = uses.use_for(url, Purpose.TRAINING, page)
    assert not denied and denied.decided_by == UseSignal(
        UseSource.CONTENT_SIGNAL_LINE, Use.DENIED, 1, "ai-train=no", ""
    )
    licensed = uses.use_for(url, "search", page)
    assert not licensed and (licensed.says, licensed.terms) == (Use.LICENSED, "https://a.example/terms")
    file = CRAWLER.uses(site, bytearray())
    assert file.use_for(url, "user_request", page) and not file.use_for(url, "user_request", None)
    assert file.use_for(url, "search", page) == (Use.UNSTATED, None, None, [])
    # What is not known is never allowed.
    for unknown in (CRAWLER.uses(site, None), CRAWLER.uses(site, b"Content-Signal: ai-train=yes", b"")):
        assert [unknown.use_for(url, purpose, page).says for purpose in ("ai_search", "training")] == [Use.UNSTATED] * 2
    receipt = json.loads(uses.receipt(url, "training", page, fetched_at=1_795_000_000.9))
    assert (receipt["use"], receipt["fetched_at"]) == ("denied", 1_795_000_000)


def test_origins() -> None:
    origin = Origin("HTTPS://user@www.Ex\u00e4mple.com:443/page")
    assert (origin.key, str(origin)) == ("https://www.xn--exmple-cua.com",) * 2
    assert origin.robots_url == origin.key + "/robots.txt"
    assert not origin.governs("no-url")
    assert repr(Origin("http://a/")) == 'Origin("http://a")'
    assert Origin("http://a") < Origin("http://b")


def test_everything_is_documented() -> None:
    text = pydoc.render_doc(librobots, renderer=pydoc.plaintext)
    assert 500 < len(text.splitlines()) < 1500  # that people read
    classes = ("Cache", "Crawler", "Fetch", "FilteredTable", "Outcome", "Rules", "Sites", "TableAnswers", "Verdict")
    for shown in (*(f"class {name}(" for name in classes), "filter_table(", "check_table("):
        assert f"    {shown}" in text, shown
    assert len(PUBLIC) > 65
    for name in PUBLIC:
        owner = getattr(librobots, name)
        if not inspect.isclass(owner):
            continue
        assert owner.__doc__, name
        assert owner.__module__.startswith("librobots"), name
        members = (
            [member for member in vars(owner) if not member.startswith("_")] if owner.__module__ == "librobots" else []
        )
        assert [member for member in members if not getattr(owner, member).__doc__] == [], name
        if owner.__module__ == "librobots._enums":  # what has a page of its own is named
            assert re.search(rf"\b{name}[,.]", librobots.__doc__ or ""), name
        if owner.__module__ == "librobots._errors":
            assert issubclass(owner, RobotsError)
            assert name in (RobotsError.__doc__ or "") or owner is RobotsError, name
    assert issubclass(UrlError, ValueError)
    assert issubclass(librobots.ImageFormatError, ImageError)
