"""A real crawl with Scrapy of the site that the crawlers of all languages visit; its log says what Scrapy requested."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from site_of_tests import FORBIDDEN, served

CRAWLER = """
import json
import sys

import scrapy
from scrapy.crawler import CrawlerProcess


class Spider(scrapy.Spider):
    name = "example"
    start_urls = sys.argv[1:]

    def parse(self, response):
        yield {"url": response.url}
        for link in response.css("a::attr(href)").getall():
            if not link.startswith("mailto:"):
                yield response.follow(link, self.parse)


process = CrawlerProcess(
    {
        "ROBOTSTXT_OBEY": True,
        "ROBOTSTXT_PARSER": "librobots.scrapy.RobotParser",
        "USER_AGENT": "ExampleBot/1.0 (+https://example.com/bot)",
        "FEEDS": {"pages.json": {"format": "json"}},
        "LOG_LEVEL": "ERROR",
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
    "/teas/oolong.html?cup=1&milk=no",
    "/teas/sencha.html",
    "/busy/always.html",
    "/new.html",
}


def test_a_crawl(tmp_path: Path) -> None:
    program = tmp_path / "crawl.py"
    program.write_text(CRAWLER)
    with served("plain", "missing", "moved") as site:
        command = [sys.executable, str(program), site.at["plain"]]
        ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=True)
    assert ran.stderr == ""
    assert site.pages("plain") == ALLOWED
    assert site.pages("moved") == ALLOWED
    # Scrapy requests a page once, however its URL is written.
    again = {"/private/%64iary.html"}
    assert site.pages("missing") - again == (ALLOWED | set(FORBIDDEN) | {"/private/deeper.html"}) - again
    for kind, statuses in {"plain": [200], "moved": [301], "missing": [404]}.items():
        assert site.robots(kind) == statuses
    stats = json.loads(ran.stdout)
    assert stats["robotstxt/forbidden"] == 2 * len(set(FORBIDDEN) - again)
    assert stats["robotstxt/request_count"] == 3
    pages = json.loads((tmp_path / "pages.json").read_text())
    assert not any("/private/diary" in page["url"] for page in pages if site.at["missing"] not in page["url"])
