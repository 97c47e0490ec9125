"""A real crawl with Scrapy of the site that the crawlers of all languages visit; its log says what Scrapy requested."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from site_of_tests import FORBIDDEN, Site, assert_paced, paced_urls, served

CRAWLER = """
import json
import sys

import scrapy
from scrapy.core.engine import ExecutionEngine
from scrapy.crawler import CrawlerProcess

# Scrapy sees so often that there is nothing left to do; default: 5 seconds.
ExecutionEngine._SLOT_HEARTBEAT_INTERVAL = 0.2


class Spider(scrapy.Spider):
    name = "example"
    start_urls = sys.argv[1:-1]

    def parse(self, response):
        yield {"url": response.url}
        for link in response.css("a::attr(href)").getall():
            if not link.startswith("mailto:"):
                yield response.follow(link, self.parse, errback=self.refused)

    def refused(self, failure):
        if failure.type.__name__ in ("ForbiddenRequest", "DeferRequest"):
            refusal = failure.value.refusal
            yield {"url": refusal.url, "refused": type(refusal).__name__, "until": getattr(refusal, "until", None)}


process = CrawlerProcess(
    {
        "ROBOTSTXT_OBEY": True,
        "LOG_LEVEL": "ERROR",
        **json.loads(sys.argv[-1]),
        "USER_AGENT": "ExampleBot/1.0 (+https://example.com/bot)",
        "FEEDS": {"pages.json": {"format": "json"}},
        "RETRY_ENABLED": False,
        "TELNETCONSOLE_ENABLED": False,
        "CONCURRENT_REQUESTS_PER_DOMAIN": 4,
        "DOWNLOAD_DELAY": 0,
    }
)
crawler = process.create_crawler(Spider)
process.crawl(crawler)
process.start()
print(json.dumps({name: count for name, count in crawler.stats.get_stats().items() if name.startswith("robotstxt")}))
"""

ALLOWED = {
    "/",
    "/teas.html",
    "/about.html",
    "/private/notice.html",
    "/list.pdf?page=1",
    "/busy/once.html",
    "/old.html",
    "/missing.html",
    "/drafts.html",
    "/drafts/hidden.html",  # Scrapy does not obey nofollow
    "/teas/oolong.html?cup=1&milk=no",
    "/teas/sencha.html",
    "/busy/always.html",
    "/new.html",
}


PARSER = {"ROBOTSTXT_PARSER": "librobots.scrapy.RobotParser"}
MIDDLEWARE = {
    "DOWNLOADER_MIDDLEWARES": {
        "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": None,
        "librobots.scrapy.RobotsMiddleware": 100,
    }
}


def crawl(folder: Path, settings: dict[str, object], *kinds: str) -> tuple[Site, dict[str, int], list[dict[str, str]]]:
    """Crawl sites from the first on, which links to the others. Return what was requested, the counts and the items."""
    program = folder / "crawl.py"
    program.write_text(CRAWLER)
    with served(*kinds) as site:
        command = [sys.executable, str(program), site.at[kinds[0]], json.dumps(settings)]
        ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=True)
    assert ran.stderr == ""
    return site, json.loads(ran.stdout), json.loads((folder / "pages.json").read_text())


@pytest.mark.parametrize("settings", [PARSER, MIDDLEWARE], ids=["parser", "middleware"])
def test_a_crawl(settings: dict[str, object], tmp_path: Path) -> None:
    site, stats, items = crawl(tmp_path, settings, "plain", "missing", "moved")
    assert site.pages("plain") == ALLOWED
    assert site.pages("moved") == ALLOWED
    # Scrapy requests a page once, however its URL is written.
    wanted = {unquote(path) for path in (*ALLOWED, *FORBIDDEN, "/private/deeper.html")}
    assert {unquote(path) for path in site.pages("missing")} == wanted
    for kind, statuses in {"plain": [200], "moved": [301], "missing": [404]}.items():
        assert site.robots(kind) == statuses
    assert stats["robotstxt/forbidden"] == 2 * len(set(map(unquote, FORBIDDEN)))
    pages = [item["url"] for item in items if "refused" not in item]
    assert not any("/private/diary" in url for url in pages if site.at["missing"] not in url)


def test_the_middleware_obeys_outages(tmp_path: Path) -> None:
    outages = ("overrun", "half", "archive", "reset", "recovering")
    site, stats, items = crawl(tmp_path, MIDDLEWARE, "plain", "encoded", "endless", "loop", *outages)
    for kind in ("plain", "encoded", "endless"):
        assert site.pages(kind) == ALLOWED, kind
        assert len(site.robots(kind)) == 1
    assert site.robots("loop") == [302] * 6
    for kind in outages:
        assert site.pages(kind) == set(), kind
        assert len(site.robots(kind)) == 1, kind
    refused = {item["url"]: item for item in items if "refused" in item}
    for kind in outages:
        item = refused[site.at[kind]]
        assert item["refused"] == "DeferError"
        assert float(item["until"]) > time.time() - 60
    assert stats["robotstxt/deferred"] >= len(outages)
    assert {item["refused"] for item in refused.values()} == {"DeferError", "ForbiddenError"}


AGENTS = """
import json
import sys

import scrapy
from scrapy import signals
from scrapy.crawler import CrawlerProcess

seen = {"parsed": [], "pages": {}}


class Spider(scrapy.Spider):
    name = "example"

    @classmethod
    def from_crawler(cls, crawler):
        spider = super().from_crawler(crawler)
        crawler.signals.connect(spider.parsed, signals.robots_parsed)
        return spider

    def parsed(self, robotparser, request):
        seen["parsed"].append([robotparser.allowed(request.url, agent) for agent in ("ExampleBot", "OtherBot")])

    async def start(self):
        for agent in ("", "OtherBot/2.0 (+https://example.com)", "Mozilla/5.0 (compatible; OtherBot/2.0)"):
            yield scrapy.Request(sys.argv[1] + "/private/diary.html", self.parse, errback=self.refused, dont_filter=True,
                                 headers={"User-Agent": agent} if agent else {}, cb_kwargs={"agent": agent})

    def parse(self, response, agent):
        seen["pages"][agent] = response.status

    def refused(self, failure):
        seen["pages"][failure.request.cb_kwargs["agent"]] = failure.type.__name__


process = CrawlerProcess({"ROBOTSTXT_OBEY": True, **json.loads(sys.argv[2]), "USER_AGENT": "ExampleBot/1.0",
                          "LOG_LEVEL": "ERROR", "TELNETCONSOLE_ENABLED": False, "CONCURRENT_REQUESTS": 1, "DOWNLOAD_DELAY": 0})
process.crawl(Spider)
process.start()
print(json.dumps(seen))
"""


def visit_as_agents(folder: Path, settings: dict[str, object]) -> dict[str, Any]:
    program = folder / "agents.py"
    program.write_text(AGENTS)
    with served("plain") as site:
        command = [sys.executable, str(program), site.at["plain"], json.dumps(settings)]
        ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=True)
    assert ran.stderr == ""
    return dict(json.loads(ran.stdout))


def test_the_agent_of_a_request_decides(tmp_path: Path) -> None:
    """As Scrapy's middleware; and the signal robots_parsed carries a parser for all agents."""
    scrapys = visit_as_agents(tmp_path, PARSER)
    ours = visit_as_agents(tmp_path, MIDDLEWARE)
    refusal = {"IgnoreRequest": "ForbiddenRequest"}
    assert ours["pages"] == {agent: refusal.get(page, page) for agent, page in scrapys["pages"].items()}
    assert len(set(map(str, ours["pages"].values()))) == 2
    assert ours["parsed"][0] == scrapys["parsed"][0]
    # ROBOTSTXT_USER_AGENT has priority.
    only = visit_as_agents(tmp_path, {**MIDDLEWARE, "ROBOTSTXT_USER_AGENT": "OtherBot"})
    assert set(only["pages"].values()) == {ours["pages"]["OtherBot/2.0 (+https://example.com)"]}
    assert len(only["parsed"]) == 1


SOON = """
import time

import scrapy.utils.asyncio

import librobots.scrapy

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
"""


def test_a_deferred_request_is_sent_at_its_time(tmp_path: Path) -> None:
    (tmp_path / "soon.py").write_text(SOON)
    settings = {
        "DOWNLOADER_MIDDLEWARES": {
            "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": None,
            "soon.Soon": 100,
        },
        "LIBROBOTS_DEFER_SECONDS": 86400,
        "LOG_FILE": str(tmp_path / "log"),
        "LOG_LEVEL": "INFO",
    }
    site, stats, _ = crawl(tmp_path, settings, "recovering")
    assert stats["robotstxt/deferred"] >= 1
    assert "/" in site.pages("recovering")
    assert site.robots("recovering")[-1] == 200
    log = (tmp_path / "log").read_text()
    assert "Deferred by robots.txt until " in log
    assert "(scheduled again): <GET " in log


def test_scrapy_alone_permits_outages(tmp_path: Path) -> None:
    """The README says so; when Scrapy changes, change it."""
    site, _, _ = crawl(tmp_path, PARSER, "plain", "overrun")
    assert site.robots("overrun") == [429]
    assert site.pages("overrun") != set()


PACED = """
import json
import sys

import scrapy
from scrapy.core.engine import ExecutionEngine
from scrapy.crawler import CrawlerProcess

import librobots.scrapy

ExecutionEngine._SLOT_HEARTBEAT_INTERVAL = 0.2
outcomes = []


class Spider(scrapy.Spider):
    name = "example"
    handle_httpstatus_list = [404]

    @classmethod
    def from_crawler(cls, crawler):
        spider = super().from_crawler(crawler)
        crawler.signals.connect(spider.received, librobots.scrapy.outcome_received)
        return spider

    def received(self, outcome):
        outcomes.append(outcome.origin)

    async def start(self):
        for url in sys.argv[2:]:
            yield scrapy.Request(url, self.parse)

    def parse(self, response):
        return None


process = CrawlerProcess({"ROBOTSTXT_OBEY": True, "LOG_LEVEL": "WARNING", "TELNETCONSOLE_ENABLED": False,
                          "USER_AGENT": "ExampleBot/1.0", **json.loads(sys.argv[1])})
process.crawl(Spider)
process.start()
print(json.dumps(outcomes))
"""


def crawl_paced(folder: Path, urls: list[str], **settings: object) -> tuple[list[str], str]:
    """Crawl URLs. Return the origins of the outcomes, and what was logged."""
    program = folder / "paced.py"
    program.write_text(PACED)
    command = [sys.executable, str(program), json.dumps({**MIDDLEWARE, **settings}), *urls]
    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=True)
    return json.loads(ran.stdout), ran.stderr


THROTTLED = {"AUTOTHROTTLE_ENABLED": True, "AUTOTHROTTLE_START_DELAY": 0.1, "AUTOTHROTTLE_TARGET_CONCURRENCY": 50}


@pytest.mark.parametrize("throttle", [{}, THROTTLED], ids=["alone", "with AutoThrottle"])
def test_50_requests_keep_the_delays(throttle: dict[str, object], tmp_path: Path) -> None:
    """Requests that wait leave the places of CONCURRENT_REQUESTS to other sites."""
    delays = {"DOWNLOAD_DELAY": 0, "CONCURRENT_REQUESTS": 4, "CONCURRENT_REQUESTS_PER_DOMAIN": 4}
    with served("slow", "brisk", "free") as site:
        outcomes, logged = crawl_paced(tmp_path, paced_urls(site), **{**delays, **throttle})
    assert logged == ""
    assert_paced(site, is_throttled=bool(throttle))
    assert {origin + "/" for origin in outcomes} == set(site.at.values())


def test_a_delay_of_scrapy_that_is_longer_holds(tmp_path: Path) -> None:
    with served("brisk") as site:
        urls = [f"{site.at['brisk']}missing.html?{number}" for number in range(4)]
        crawl_paced(tmp_path, urls, DOWNLOAD_DELAY=0.6, DOWNLOAD_DELAY_JITTER=0, RANDOMIZE_DOWNLOAD_DELAY=False)
    times = [at for at, _, path in site.times if "?" in path]
    assert len(times) == 4
    assert times[-1] - times[0] > 1.2


def test_the_delay_is_turned_off_and_the_agent_named(tmp_path: Path) -> None:
    with served("slow") as site:
        urls = [f"{site.at['slow']}missing.html?{number}" for number in range(4)]
        settings = {"LIBROBOTS_CRAWL_DELAY": 0, "DOWNLOAD_DELAY": 0, "ROBOTSTXT_USER_AGENT": "OtherBot"}
        _, logged = crawl_paced(tmp_path, urls, **settings)
    times = [at for at, _, path in site.times if "?" in path]
    assert len(times) == 4
    assert times[-1] - times[0] < 3
    assert logged.count("requests have the User-Agent 'ExampleBot/1.0', but robots.txt is read for OtherBot") == 1


def test_a_busy_page_is_tried_again_after_its_rest(tmp_path: Path) -> None:
    """Scrapy sends such a request again at once; the server asked for a second."""
    with served("free") as site:
        crawl_paced(tmp_path, [f"{site.at['free']}busy/once.html"], DOWNLOAD_DELAY=0)
    [first, second] = [at for at, _, path in site.times if path == "/busy/once.html"]
    assert second - first >= 0.99
