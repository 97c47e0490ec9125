"""A parser of robots.txt for Scrapy: one line in its settings.

::

    ROBOTSTXT_OBEY = True
    ROBOTSTXT_PARSER = "librobots.scrapy.RobotParser"
    ROBOTSTXT_USER_AGENT = "ExampleBot"  # the product token; default: the start of USER_AGENT
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.robotstxt import RobotParser as _RobotParser

from ._agent import RulesByAgent

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

__all__ = ["RobotParser"]


class RobotParser(_RobotParser):
    """A robots.txt, as Scrapy's setting ``ROBOTSTXT_PARSER`` expects it. Threads may share it."""

    def __init__(self, robotstxt_body: bytes) -> None:
        self._file = RulesByAgent(robotstxt_body)

    @classmethod
    def from_crawler(cls, crawler: Crawler, robotstxt_body: bytes) -> RobotParser:
        """Parse the body of a robots.txt. No content is an error."""
        return cls(robotstxt_body)

    def allowed(self, url: str | bytes, user_agent: str | bytes) -> bool:
        """Return whether the user agent may fetch the absolute URL."""
        return self._file.rules(_text(user_agent)).is_allowed(url)

    def crawl_delay(self, user_agent: str | bytes) -> float | None:
        """Return the crawl-delay for the user agent in seconds; None if there is none."""
        return self._file.rules(_text(user_agent)).crawl_delay


def _text(value: str | bytes) -> str:
    return value if isinstance(value, str) else value.decode("latin-1")
