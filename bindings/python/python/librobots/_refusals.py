"""The exceptions for requests that were not sent."""

from __future__ import annotations

from datetime import datetime, timezone
from typing import TYPE_CHECKING

from ._errors import RobotsError

if TYPE_CHECKING:
    from ._enums import Cause, Reason
    from ._librobots import Verdict


class RefusedError(RobotsError):
    """A request was not sent: the base of :class:`ForbiddenError` and :class:`DeferError`."""

    url: str


class ForbiddenError(RefusedError):
    """The robots.txt of the site disallows the URL: drop it."""

    def __init__(self, url: str, verdict: Verdict | None) -> None:
        super().__init__(url, verdict)
        self.url = url
        self.verdict = verdict

    def __str__(self) -> str:
        return f"{self.url}: {self.verdict!r}"


class DeferError(RefusedError):
    """The site or its robots.txt cannot be reached now, or the site asks to wait, also by a crawl-delay.

    This is no ban: keep the URL, and try again at ``until`` (seconds since 1970-01-01 UTC). ``cause`` is None, and
    ``http_status`` is 0, if nothing is known about the last fetch, or the next slot of the site is too far away.
    """

    def __init__(self, url: str, until: int, reason: Reason, cause: Cause | None = None, http_status: int = 0) -> None:
        super().__init__(url, until, reason, cause, http_status)
        self.url = url
        self.until = until
        self.reason = reason
        self.cause = cause
        self.http_status = http_status

    def __str__(self) -> str:
        cause = f" ({self.cause.name})" if self.cause is not None else ""
        return f"{self.url}: {self.reason.name}{cause}; try again at {_date(self.until)}"


def _date(seconds: int) -> str:
    """Return a time in UTC as RFC 3339 writes it; a number if it has no date."""
    try:
        return datetime.fromtimestamp(seconds, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (OverflowError, OSError, ValueError):
        return str(seconds)
