"""robots.txt by librobots in crawl4ai, for a crawl with ``check_robots_txt=True``.

::

    async with AsyncWebCrawler(config=BrowserConfig(user_agent=USER_AGENT)) as crawler:
        crawler.robots_parser = RobotsOfSites(USER_AGENT)
        await crawler.arun(url, config=CrawlerRunConfig(check_robots_txt=True))
"""

import httpx

import librobots
from librobots.httpx import AsyncRobotsTransport


class RobotsOfSites:
    """In place of ``crawl4ai.utils.RobotsParser``. All tasks of one event loop may share it.

    ``user_agent``: robots.txt is read for its product token, and requested with it. ``proxy``: the proxy for these requests.
    """

    def __init__(self, user_agent: str, *, proxy: str | None = None, max_bytes: int = 64 << 20) -> None:
        self.cache = librobots.Cache(librobots.Crawler.with_names_in(user_agent), max_bytes=max_bytes)
        transport = AsyncRobotsTransport(self.cache, _RobotsTxtOnly(proxy=proxy), user_agent=user_agent)
        self._client = httpx.AsyncClient(transport=transport, headers={"User-Agent": user_agent})

    async def can_fetch(self, url: str, user_agent: str = "*") -> bool:
        """Return whether a page may be requested now. Waits for the crawl-delay of its site."""
        if not url.startswith(("http://", "https://")):
            return True  # raw: and file: name no site
        try:
            await self._client.get(url, extensions={"page": True})
        except librobots.RobotsError:  # forbidden, deferred, or no URL
            return False
        return True


class _RobotsTxtOnly(httpx.AsyncHTTPTransport):
    """Sends the requests for a robots.txt. A page is checked, and requested by crawl4ai."""

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        if "page" in request.extensions:
            return httpx.Response(204)
        return await super().handle_async_request(request)
