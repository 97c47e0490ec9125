"""The shared cases: rules, verdicts, crawl-delays, sitemaps and page controls."""

from __future__ import annotations

import math
import pickle

import pytest
from cases import Case, read_cases, read_pages, unescape

from librobots import Choice, Control, Crawler, PageSource, Reason, Rules, TokenError, UrlError, Zone

CASES = read_cases()
PAGES = read_pages()


def test_there_are_cases() -> None:
    assert len(CASES) >= 300
    assert len(PAGES) >= 70


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.place)
def test_case(case: Case) -> None:
    for token in case.bad_tokens:
        with pytest.raises(TokenError):
            Crawler(token, dialect=case.settings.get("dialect", "rfc9309"))
    if not case.body and not case.verdicts:
        return
    crawler = Crawler(*(case.tokens or [b"ExampleBot"]), **case.settings)
    rules = crawler.parse(case.body)
    for again in (rules, Rules.from_image(rules.image), pickle.loads(pickle.dumps(rules))):
        check_verdicts(case, again)
    for want in case.verdicts:
        assert crawler.check_once(case.body, want.url) == rules.check(want.url), want
        if want.word != "error":
            assert crawler.explain(case.body, want.url).verdict == rules.check(want.url), want
    if case.delay == "none":
        assert rules.crawl_delay is None
    elif case.delay:
        assert rules.crawl_delay is not None
        assert math.isclose(rules.crawl_delay, float(case.delay))
    if case.sitemaps is not None:
        assert [sitemap.encode("utf-8", "surrogateescape") for sitemap in rules.sitemaps] == case.sitemaps


def check_verdicts(case: Case, rules: Rules) -> None:
    for want in case.verdicts:
        got = rules.check(want.url)
        where = f"{want.place}: {case.title}: {want.url!r}: {got}"
        if want.word == "error":
            assert isinstance(got.error, UrlError), where
        else:
            assert got.error is None, where
        assert got.allowed == (want.word == "allowed"), where
        assert (got.line, got.reason) == (want.line, Reason[want.reason.upper()]), where
        assert rules.check(want.url.decode("utf-8", "surrogateescape")) == got, where
        assert rules.is_allowed(want.url) is got.allowed, where
    urls = [want.url for want in case.verdicts]
    codes = [2 if want.word == "error" else int(want.word == "allowed") for want in case.verdicts]
    assert list(rules.check_many(urls).codes) == codes


@pytest.mark.parametrize(("title", "lines"), PAGES, ids=[title for title, _ in PAGES])
def test_page(title: str, lines: list[str]) -> None:
    tokens, headers, metas, expected = ["ExampleBot"], [], [], []
    for line in lines:
        word, _, rest = line.partition(" ")
        name, _, value = rest.partition(": ")
        if word == "crawler":
            tokens = rest.split()
        elif word == "header":
            headers.append((unescape(name), unescape(value)))
        elif word == "meta":
            metas.append((unescape(name), unescape(value)))
        else:
            expected.append(line)
    page = Crawler(*tokens).page_controls(headers)
    for name_, content in metas:
        page.add_meta(name_, content)
    values = {control: -1 if control >= Control.MAX_SNIPPET else 1 for control in Control}
    unknown, zone = [], Zone.KNOWN
    for line in expected:
        word, *rest_ = line.split(" ", 3)
        if word == "by":
            _, control, source, number, text = line.split(" ", 4)
            rule = page.decided_by(Control[control.upper()])
            assert rule is not None
            assert (rule.source, rule.number) == (PageSource[source.upper().replace("-", "_")], int(number)), line
            assert rule.text.encode("utf-8", "surrogateescape") == unescape(text), line
        elif word == "for":
            rule = page.decided_by(Control[rest_[0].upper()])
            assert rule is not None
            assert rule.agent == (None if rest_[1] == "*" else rest_[1]), line
        elif word == "zone":
            zone = Zone[rest_[0].upper()]
        elif word == "unknown":
            unknown.append((rest_[0], int(rest_[1]), unescape(rest_[2])))
        elif word == "usage":
            assert page.usage_choice(rest_[0]) == Choice[rest_[1].upper()], line
        else:
            values[Control[word.upper()]] = int(rest_[0])
    assert {control: page.get(control) for control in Control} == values, title
    date = page.decided_by(Control.UNAVAILABLE_AFTER)
    assert (date.zone if date else Zone.KNOWN) == zone
    got = [
        (rule.source.name.lower().replace("_", "-"), rule.number, rule.text.encode("utf-8", "surrogateescape"))
        for rule in page.unknown
    ]
    assert got == unknown
    assert (page.may_index, page.may_follow) == (bool(values[Control.INDEX]), bool(values[Control.FOLLOW]))
