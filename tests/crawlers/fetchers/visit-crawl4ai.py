"""Crawls with crawl4ai, whose HTTP strategy needs no browser: visit-crawl4ai.py own|librobots FILE"""

import asyncio
import sys
from pathlib import Path

from crawl4ai import AsyncWebCrawler, BrowserConfig, CacheMode, CrawlerRunConfig, HTTPCrawlerConfig
from crawl4ai.async_crawler_strategy import AsyncHTTPCrawlerStrategy

USER_AGENT = "ExampleBot/1.0 (+https://example.com/bot)"


async def main(way: str, urls: list[str]) -> None:
    strategy = AsyncHTTPCrawlerStrategy(HTTPCrawlerConfig(headers={"User-Agent": USER_AGENT}))
    config = BrowserConfig(user_agent=USER_AGENT, verbose=False)
    async with AsyncWebCrawler(crawler_strategy=strategy, config=config) as crawler:
        if way == "librobots":
            from robots_of_sites import RobotsOfSites

            crawler.robots_parser = RobotsOfSites(USER_AGENT)
        run = CrawlerRunConfig(check_robots_txt=True, cache_mode=CacheMode.BYPASS, verbose=False)
        slots = asyncio.Semaphore(4)

        async def visit(url: str) -> None:
            async with slots:
                await crawler.arun(url, config=run)

        await asyncio.gather(*map(visit, urls))


asyncio.run(main(sys.argv[1], Path(sys.argv[2]).read_text().splitlines()))
