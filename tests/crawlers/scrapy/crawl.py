"""Crawls with Scrapy: crawl.py own|parser|middleware URL"""

import sys

import scrapy
from scrapy.crawler import CrawlerProcess

WAYS = {
    "own": {},
    "parser": {"ROBOTSTXT_PARSER": "librobots.scrapy.RobotParser"},
    "middleware": {
        "DOWNLOADER_MIDDLEWARES": {
            "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": None,
            "librobots.scrapy.RobotsMiddleware": 100,
        }
    },
}


class Spider(scrapy.Spider):
    name = "example"
    start_urls = [sys.argv[2]]

    def parse(self, response):
        for link in response.css("a::attr(href)").getall():
            yield response.follow(link, self.parse)


process = CrawlerProcess(
    {
        "ROBOTSTXT_OBEY": True,
        **WAYS[sys.argv[1]],
        "USER_AGENT": "ExampleBot/1.0 (+https://example.com/bot)",
        "LOG_LEVEL": "ERROR",
        "RETRY_ENABLED": False,
        "TELNETCONSOLE_ENABLED": False,
        "DOWNLOAD_DELAY": 0,
    }
)
process.crawl(Spider)
process.start()
