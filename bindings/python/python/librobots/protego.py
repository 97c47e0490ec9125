"""The API of protego, on librobots.

Replace ``from protego import Protego`` by ``from librobots.protego import Protego``. The verdicts are those of RFC 9309.
Protego differs in these points:

- It finds a token anywhere in a User-Agent. Here, the first product that is not a browser's counts, or else the first
  name; all groups that name it apply, or else those for ``*``.
- It reads every field without a colon. Here, ``user agent``, ``host``, an absolute URL and a value with a space need one.
- It reads fields of several words such as ``crawl delay``. Here, ``user agent`` alone may have a space.
- It reads ``Allow: /index.html`` as a rule for ``/``, too. Here, only the dialect google does.
- It reads ``$`` at the end of a path as the end of the URL and as itself. Here, it is the end only. A path that starts with
  neither ``/`` nor ``*`` matches nothing here.
- It ends a list of user-agent lines at any other line of a group. Here, only a rule ends it.
- It keeps the last of several crawl-delays. Here, the longest counts.
- It reads files of any length. Here, the first 512,000 bytes count: ``Protego.max_bytes = 10_000_000`` sets another number.
- It ignores a group without rules. Here, such a group allows everything to the agents that it names (RFC 9309).
- It reads crawl-delays such as ``1e3``, ``+3`` and ``1_0``. Here, a crawl-delay is a decimal number, such as ``1.5``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import time
from functools import cached_property
from typing import NamedTuple

from ._agent import MAX_BYTES, RulesByAgent, plain_lines

__all__ = ["Protego", "RequestRate", "VisitTime"]


# Host lines count for every user agent, in any group.
_HOST = re.compile(r"(?im)^[^\S\r\n]*host[^\S\r\n]*:[^\S\r\n]*([^#\s][^#\r\n]*)")

# `User-agent: *x*` names x, too: this finds a name with an asterisk. Few files have one, so a search without the start of the
# line comes first; of bytes, whose case changes faster.
_STARRED = r"gent[ \t]*:)([^\r\n#]*?(?:[^*\s#]\*|\*[^*\s#])[^\r\n#]*)"
_ANY_STARRED = re.compile(f"(?:{_STARRED}".encode())
_STARRED_LINE = re.compile(rf"(?im)((?:^|\r)[ \t]*user[- ]?a{_STARRED}")


def _with_plain_names(content: str, max_bytes: int) -> str:
    content = plain_lines(content, max_bytes)
    if not _ANY_STARRED.search(content.encode("utf-8", "surrogatepass").lower()):
        return content
    return _STARRED_LINE.sub(lambda line: f"{line[0]}\n{line[1]}{line[2].replace('*', '')}\n", content)


# An empty file, and none.
_NOTHING = RulesByAgent("")


class RequestRate(NamedTuple):
    """At most ``requests`` in ``seconds``, between two times of the day in UTC or always (None)."""

    requests: int
    seconds: int
    start_time: time | None
    end_time: time | None


class VisitTime(NamedTuple):
    """The time of the day for visits, in UTC."""

    start_time: time
    end_time: time


def _time(minutes: int) -> time:
    # `datetime.time` has no 24:00.
    return time(minutes // 60 % 24, minutes % 60)


class Protego:
    """A robots.txt. Immutable; threads may share it."""

    max_bytes: int = MAX_BYTES
    """The number of bytes of a file that ``parse`` reads, 512,000 to 1 GiB."""

    def __init__(self) -> None:
        self._content = ""
        self._file = _NOTHING

    @classmethod
    def parse(cls, content: str) -> Protego:
        """Parse a robots.txt. No content is an error. Text that is still compressed allows nothing (SPEC 4.4)."""
        if not isinstance(content, str):
            raise TypeError(f"Protego.parse expects str, got {type(content).__name__}")
        parsed = cls()
        if content:
            parsed._content, parsed._file = content, RulesByAgent(content, cls.max_bytes, _with_plain_names)
        return parsed

    def can_fetch(self, url: str, user_agent: str) -> bool:
        """Return whether the user agent may fetch the URL: an absolute URL, or a path that starts with ``/``."""
        return self._file.allows(user_agent, url)

    def crawl_delay(self, user_agent: str) -> float | None:
        """Return the crawl-delay for the user agent in seconds; None if there is none."""
        return self._file.rules(user_agent).crawl_delay

    def request_rate(self, user_agent: str) -> RequestRate | None:
        """Return the first request-rate for the user agent; None if there is none."""
        line, _ = self._file.times(user_agent)
        if line is None or line.request_rate is None:
            return None
        requests, seconds, hours = line.request_rate
        start, end = (_time(hours[0]), _time(hours[1])) if hours else (None, None)
        return RequestRate(requests, seconds, start, end)

    def visit_time(self, user_agent: str) -> VisitTime | None:
        """Return the first visit-time for the user agent; None if there is none."""
        _, line = self._file.times(user_agent)
        if line is None or line.visit_time is None:
            return None
        return VisitTime(_time(line.visit_time[0]), _time(line.visit_time[1]))

    @property
    def sitemaps(self) -> Iterator[str]:
        """The sitemaps, in file order."""
        return iter(self._file.sitemaps)

    @property
    def preferred_host(self) -> str | None:
        """The value of the last host line; None if there is none."""
        return self._host

    @cached_property
    def _host(self) -> str | None:
        found = _HOST.findall(self._content)
        return found[-1].strip() if found else None
