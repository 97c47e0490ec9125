"""Parses a file many times, with all that one does with it, and sees that the memory does not grow.

Usage: leaks.py COUNT
"""

from __future__ import annotations

import gc
import os
import pickle
import sys

import pyarrow as pa

import librobots

NOW = 1_800_000_000
BODY = (
    "User-agent: *\nDisallow: /a/*.php$\nAllow: /b\nCrawl-delay: 1\nSitemap: https://a/s.xml\n" + "Disallow: /x\n" * 20
)
URLS = pa.array([f"https://example.com/{number}" for number in range(100)])
LIMIT = 4 * 1024 * 1024


def resident() -> int:
    """Return the resident memory in bytes."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def parse(crawler: librobots.Crawler) -> None:
    """Parse, and ask one URL."""
    crawler.parse(BODY).is_allowed("https://example.com/a/1.php")


def everything(crawler: librobots.Crawler, cache: librobots.Cache, at: int) -> None:
    """Use every class."""
    rules = crawler.parse(BODY)
    verdict = rules.check("no-url")
    assert (verdict.reason, verdict.error, rules.sitemaps, rules.crawl_delay, rules.dialect) is not None
    pa.array(rules.check_many(URLS)).sum()
    rules.check_many(["/", None, b"/a"] * 40).__arrow_c_array__()
    assert pickle.loads(pickle.dumps(rules)) == rules
    assert str(crawler.explain(BODY, "/b"))
    report = crawler.lint(BODY)
    assert report.render()
    assert report.apply_fixes(BODY, wanted=lambda found: found.fix is not None).applied
    assert librobots.presets()
    assert crawler.extensions(BODY).lines is not None
    page = crawler.page_controls({"Content-Signal": "ai-train=no"})
    assert not crawler.uses("https://a.example", BODY).use_for("/b", "training", page)
    assert crawler.page_controls([("X-Robots-Tag", "noindex, x")]).unknown
    ticket = cache.check(f"https://site{at % 2000}.example/", now=NOW + at).ticket
    if ticket is not None:
        with ticket:
            fetch = ticket.fetch(now=NOW + at)
            fetch.status(404, now=NOW + at)
            fetch.headers_end()
            assert fetch.outcome is not None
            ticket.finish(fetch.outcome, now=NOW + at)
    for wrong in (lambda: crawler.explain(BODY, "no-url"), lambda: rules.check_many([5]), lambda: rules.check(5)):
        try:
            wrong()
        except (librobots.UrlError, TypeError):
            continue
        raise AssertionError


def main() -> int:
    """Return 1 if the memory grows."""
    count = int(sys.argv[1])
    crawler = librobots.Crawler("ExampleBot")
    cache = librobots.Cache(crawler, max_bytes=1 << 20)
    grown = {}
    for name, work, times in (
        ("parse", lambda _: parse(crawler), count),
        ("everything", lambda at: everything(crawler, cache, at), count // 50),
    ):
        for at in range(times // 10):
            work(at)
        gc.collect()
        before = resident()
        for at in range(times):
            work(at)
        gc.collect()
        grown[name] = resident() - before
        print(f"{name}, {times} times: {grown[name] / 1024:+.0f} KiB")
    bad = sum(growth > LIMIT for growth in grown.values())
    print(f"python-leaks: {len(grown) - bad} passed, {bad} failed")
    return bad


if __name__ == "__main__":
    sys.exit(main())
