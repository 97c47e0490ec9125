"""Crawls with Scrapy of the sites that the crawlers of all languages visit; their logs say what Scrapy requested.

All crawls run in one process, at the same time. What Scrapy makes of responses that are late, cut or coded: tests/wire.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from typing import Any
from urllib.parse import unquote

import pytest
import scrapy
from site_of_tests import FORBIDDEN, PACED, Site, assert_paced, paced_urls

from librobots import UrlError
from librobots.scrapy import _demand_own_host

PROGRAM = """
import json
import sys
import time

import scrapy
import scrapy.utils.asyncio
from scrapy import signals
from scrapy.core.engine import ExecutionEngine
from scrapy.crawler import CrawlerProcess

import librobots.scrapy

# Scrapy sees so often that there is nothing left to do; default: 5 seconds.
ExecutionEngine._SLOT_HEARTBEAT_INTERVAL = 0.2
real, ahead = scrapy.utils.asyncio.call_later, 0.0


def soon(delay, call):
    global ahead
    ahead += delay + 1
    return real(0.1, call)


class Soon(librobots.scrapy.RobotsMiddleware):
    clock = staticmethod(lambda: time.time() + ahead)

    def _schedule(self, request, until):
        scrapy.utils.asyncio.call_later = soon
        try:
            return super()._schedule(request, until)
        finally:
            scrapy.utils.asyncio.call_later = real


class Spider(scrapy.Spider):
    name = "example"
    handle_httpstatus_list = [404]

    @classmethod
    def from_crawler(cls, crawler, **arguments):
        spider = super().from_crawler(crawler, **arguments)
        crawler.signals.connect(spider.parsed, signals.robots_parsed)
        crawler.signals.connect(spider.received, librobots.scrapy.outcome_received)
        return spider

    def parsed(self, robotparser, request):
        self.seen["parsed"].append([robotparser.allowed(request.url, agent) for agent in ("ExampleBot", "OtherBot")])

    def received(self, outcome):
        self.seen["outcomes"].append(outcome.origin + "/")

    async def start(self):
        for agent in self.agents:
            for url in self.urls:
                headers = {"User-Agent": agent} if agent else {}
                yield scrapy.Request(url, self.parse, "GET", headers, dont_filter=True, errback=self.refused)

    def agent(self, request):
        return request.headers.get("User-Agent", b"").decode()

    def parse(self, response):
        slot = self.crawler.engine.downloader.slots.get(response.meta.get("download_slot"))
        if slot is not None:
            self.seen["delays"].append([response.url, min(slot.download_delay() for _ in range(100))])
        self.seen["pages"].append([self.agent(response.request), response.status, response.url])
        if self.follows and response.status == 200:
            for link in response.css("a::attr(href)").getall():
                if not link.startswith("mailto:"):
                    yield response.follow(link, self.parse, errback=self.refused)

    def refused(self, failure):
        refusal = getattr(failure.value, "refusal", None)
        until = getattr(refusal, "until", None)
        self.seen["refused"].append([self.agent(failure.request), failure.type.__name__, failure.request.url, until])


process = CrawlerProcess({"LOG_LEVEL": "INFO"})
crawls = {}
for name, (settings, arguments) in json.loads(sys.stdin.read()).items():
    crawler = process.create_crawler(type("Spider", (Spider,), {"custom_settings": settings}))
    crawls[name] = [{"parsed": [], "outcomes": [], "pages": [], "refused": [], "delays": []}, crawler]
    process.crawl(crawler, seen=crawls[name][0], **arguments)
process.start()
print(json.dumps({name: [seen, crawler.stats.get_stats()] for name, (seen, crawler) in crawls.items()}, default=str))
"""

PARSER = {"ROBOTSTXT_PARSER": "librobots.scrapy.RobotParser"}


def middleware(name: str) -> dict[str, Any]:
    return {
        "DOWNLOADER_MIDDLEWARES": {"scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": None, name: 100},
        "LIBROBOTS_DEFER_SECONDS": 86_400 if "Soon" in name else 0,
    }


MIDDLEWARE = middleware("librobots.scrapy.RobotsMiddleware")
EVERY = {"ROBOTSTXT_OBEY": True, "LOG_LEVEL": "INFO", "TELNETCONSOLE_ENABLED": False, "DOWNLOAD_DELAY": 0}
EVERY |= {"USER_AGENT": "ExampleBot/1.0", "CONCURRENT_REQUESTS": 4, "CONCURRENT_REQUESTS_PER_DOMAIN": 4}
THROTTLED = {"AUTOTHROTTLE_ENABLED": True, "AUTOTHROTTLE_START_DELAY": 0.1, "AUTOTHROTTLE_TARGET_CONCURRENCY": 50}
STEADY = {"DOWNLOAD_DELAY": 0.6, "DOWNLOAD_DELAY_JITTER": 0}
AGENTS = ("", "OtherBot/2.0 (+https://example.com)", "Mozilla/5.0 (compatible; OtherBot/2.0)")
ONLY = {"ROBOTSTXT_USER_AGENT": "OtherBot"}
SITES = ("plain", "missing", "moved", "overrun")
FOUR = [f"missing.html?{number}" for number in range(4)]

# The settings, the kinds of sites, and the pages to begin with; those that begin with a page alone follow links.
CRAWLS: dict[str, tuple[dict[str, Any], tuple[str, ...], list[str], tuple[str, ...]]] = {
    "parser": ({**PARSER, "RETRY_ENABLED": False}, SITES, [""], ("",)),
    "middleware": ({**MIDDLEWARE, "RETRY_ENABLED": False}, (*SITES, "endless"), [""], ("",)),
    "recovering": ({**middleware("__main__.Soon"), "RETRY_ENABLED": False}, ("recovering",), [""], ("",)),
    "agents of Scrapy": ({**PARSER, "CONCURRENT_REQUESTS": 1}, ("plain",), ["about.html"], AGENTS),
    "agents": ({**MIDDLEWARE, "CONCURRENT_REQUESTS": 1}, ("plain",), ["about.html"], AGENTS),
    "only": ({**MIDDLEWARE, "CONCURRENT_REQUESTS": 1, **ONLY}, ("plain",), ["about.html"], AGENTS),
    "paced": (MIDDLEWARE, tuple(PACED), [], ("",)),
    "throttled": ({**MIDDLEWARE, **THROTTLED}, tuple(PACED), [], ("",)),
    "steady": ({**MIDDLEWARE, **STEADY}, ("brisk",), FOUR, ("",)),
    "free": ({**MIDDLEWARE, **ONLY, "LIBROBOTS_CRAWL_DELAY": 0}, ("slow",), FOUR, ("",)),
    "busy": (MIDDLEWARE, ("free",), ["busy/once.html"], ("",)),
}
Crawl = tuple[Site, dict[str, Any], dict[str, int]]


@pytest.fixture(scope="module")
def crawls(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Run all crawls. Return of each the sites, what the spider saw, and the counts; and as "log" what was logged."""
    sites = {name: Site(*kinds) for name, (_, kinds, *_) in CRAWLS.items()}
    jobs = {}
    for name, (settings, kinds, paths, agents) in CRAWLS.items():
        at = sites[name].at
        urls = [at[kinds[0]] + path for path in paths] or paced_urls(at)
        jobs[name] = ({**EVERY, **settings}, {"urls": urls, "agents": agents, "follows": paths == [""]})
    program = tmp_path_factory.mktemp("scrapy") / "crawls.py"  # Scrapy reads the source of a spider
    program.write_text(PROGRAM)
    ran = subprocess.run(
        [sys.executable, program], input=json.dumps(jobs), capture_output=True, text=True, timeout=120, check=False
    )
    assert ran.returncode == 0, ran.stderr
    found = json.loads(ran.stdout)
    return {"log": ran.stderr, **{name: (sites[name], *found[name]) for name in CRAWLS}}


ALLOWED = {
    "/", "/teas.html", "/about.html", "/private/notice.html", "/list.pdf?page=1", "/busy/once.html", "/old.html",
    "/missing.html", "/teas/oolong.html?cup=1&milk=no", "/teas/sencha.html", "/busy/always.html", "/new.html",
    "/drafts.html", "/drafts/hidden.html",  # Scrapy does not obey nofollow
}  # fmt: skip


@pytest.mark.parametrize("name", ["parser", "middleware"])
def test_a_crawl(name: str, crawls: dict[str, Any]) -> None:
    site, seen, stats = crawls[name]
    assert site.pages("plain") == site.pages("moved") == ALLOWED
    # Scrapy requests a page once, however its URL is written.
    wanted = {unquote(path) for path in (*ALLOWED, *FORBIDDEN, "/private/deeper.html")}
    assert {unquote(path) for path in site.pages("missing")} == wanted
    for kind, statuses in {"plain": [200], "moved": [301], "missing": [404], "overrun": [429]}.items():
        assert site.robots(kind) == statuses
    forbidden = len(set(map(unquote, FORBIDDEN)))
    assert stats["robotstxt/forbidden"] == forbidden * (2 if name == "parser" else 3)
    # Scrapy alone permits outages. The README says so; when Scrapy changes, change it.
    assert (site.pages("overrun") == set()) == (name == "middleware")
    if name == "middleware":
        assert site.pages("endless") == ALLOWED
        [deferred] = [one for one in seen["refused"] if one[1] == "DeferRequest"]
        assert deferred[2] == site.at["overrun"]
        assert deferred[3] > time.time() - 60
        assert stats["robotstxt/deferred"] == 1


def test_the_agent_of_a_request_decides(crawls: dict[str, Any]) -> None:
    """As Scrapy's middleware; and the signal robots_parsed carries a parser for all agents."""

    def pages(name: str) -> dict[str, object]:
        seen = crawls[name][1]
        kinds = {"IgnoreRequest": "ForbiddenRequest"}
        return {agent: kinds.get(page, page) for agent, page, *_ in seen["pages"] + seen["refused"]}

    theirs, ours, only = map(pages, ("agents of Scrapy", "agents", "only"))
    assert (ours, len(ours)) == (theirs, 3)
    assert len(set(ours.values())) == 2
    assert crawls["agents"][1]["parsed"][0] == crawls["agents of Scrapy"][1]["parsed"][0]
    # ROBOTSTXT_USER_AGENT has priority.
    assert set(only.values()) == {ours[AGENTS[1]]}
    assert len(crawls["only"][1]["parsed"]) == 1


def test_a_deferred_request_is_sent_at_its_time(crawls: dict[str, Any]) -> None:
    site, _, stats = crawls["recovering"]
    assert stats["robotstxt/deferred"] >= 1
    assert "/" in site.pages("recovering")
    assert site.robots("recovering")[-1] == 200
    assert "Deferred by robots.txt until " in crawls["log"]
    assert f"(scheduled again): <GET {site.at['recovering']}>" in crawls["log"]


@pytest.mark.parametrize("name", ["paced", "throttled"])
def test_50_requests_keep_the_delays(name: str, crawls: dict[str, Any]) -> None:
    """Requests that wait leave the places of CONCURRENT_REQUESTS to other sites."""
    site, seen, _ = crawls[name]
    assert_paced(site.log())
    if name == "paced":  # the first page of the slow site waits for a second
        arrivals = [kind for _, kind, _, path in site.log() if "?" in path]
        assert arrivals.index("free") < arrivals.index("slow")
    assert set(seen["outcomes"]) == set(site.at.values())


@pytest.mark.parametrize("name", ["paced", "throttled"])
def test_the_download_slots_have_the_delays(name: str, crawls: dict[str, Any]) -> None:
    """However the delay of a slot varies, it is never below the crawl-delay of its site."""
    site, seen, _ = crawls[name]
    for kind, (delay, _) in PACED.items():
        assert min(shortest for url, shortest in seen["delays"] if url.startswith(site.at[kind])) >= 0.999 * delay, kind


def times(crawl: Crawl, mark: str) -> list[float]:
    return [at for at, _, _, path in crawl[0].log() if mark in path]


def test_delays_of_settings_and_pages(crawls: dict[str, Any]) -> None:
    steady, free = times(crawls["steady"], "?"), times(crawls["free"], "?")
    assert (len(steady), len(free)) == (4, 4)
    assert steady[-1] - steady[0] > 0.85  # Scrapy's delay is longer than the crawl-delay
    assert free[-1] - free[0] < 3  # the crawl-delay is turned off
    # Scrapy sends a busy request again at once; the server asked for a second.
    first, second = times(crawls["busy"], "/busy/once.html")
    assert second - first >= 0.99


def test_what_is_logged(crawls: dict[str, Any]) -> None:
    """Each crawl for another token says once that the User-Agent lacks it."""
    warnings = [line for line in crawls["log"].splitlines() if "] INFO: " not in line and "] " in line]
    text = "requests have the User-Agent 'ExampleBot/1.0', but robots.txt is read for OtherBot"
    assert [text in line for line in warnings] == [True] * 2, warnings


def test_a_host_header_of_another_site() -> None:
    request = scrapy.Request("http://user:secret@a.example/", headers={"Host": "b.example"})
    with pytest.raises(UrlError, match=r"'b.example' names another site than http://a.example/$"):
        _demand_own_host(request)
    _demand_own_host(request.replace(headers={"Host": "A.example:80"}))
