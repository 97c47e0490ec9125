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
from site_of_tests import FORBIDDEN, Site, served

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
