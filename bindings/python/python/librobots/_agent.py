"""The rules of one robots.txt for each user agent, for the modules with the names of other parsers."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from functools import cached_property, lru_cache
from typing import Callable, Optional, TypeVar

from ._enums import Reason
from ._librobots import Crawler, Rules
from ._types import Extension

_T = TypeVar("_T")
_Times = tuple[Optional[Extension], Optional[Extension]]

MAX_BYTES = 512_000
"""The number of bytes of a file that are read, if the caller does not say another one."""

# The agents may come from an untrusted source, so their number is bounded, and longer names are not kept.
_MAX_AGENTS, _MAX_NAME = 1000, 1024

# The rules of a file are forgotten when they need more bytes: each agent of a hostile file may have other rules.
_MAX_SHARED = 8 << 20

# White space and line ends of `str` that robots.txt has not. `in` finds each faster than a regular expression finds any.
_ASCII_SPACES = "\v\f\x1c\x1d\x1e\x1f"
_SPACES = (
    _ASCII_SPACES
    + "\x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)

_lock = threading.Lock()


# A crawler asks many files with one User-Agent.
@lru_cache(64)
def _crawler(user_agent: str, max_bytes: int) -> Crawler:
    return Crawler.with_names_in(user_agent, max_bytes=max_bytes)


def is_compressed(text: str) -> bool:
    """Return whether the engine takes a text for a body that is still compressed (SPEC 4.4)."""
    return _crawler("", MAX_BYTES).parse(text[:64]).check("/").reason is Reason.UNREACHABLE


def plain_lines(text: str, max_bytes: int = MAX_BYTES) -> str:
    """Return the start of a text, as much as the engine reads, with the line ends and the white space of ASCII only.

    The parsers in Python read lines with ``str.splitlines`` and ``str.strip``, which know more of them, such as a form feed.
    """
    # One byte more than the engine reads shows whether the last line is whole.
    start = text[: max_bytes + 1]
    if not _has_spaces(start):
        return start
    lines = start.splitlines()
    if len(start) < len(text):
        lines.pop()  # not whole
    return "\n".join(line if line.isascii() and "\x1f" not in line else _stripped(line) for line in lines)


def join_lines(lines: Iterable[str]) -> str:
    """Return lines as one text. White space of ``str`` around a field or a value does not end the line."""
    lines = [line.rstrip("\r\n") for line in lines]
    text = "\n".join(lines)
    # The first bytes show that a body is compressed. They stay: the first of gzip is white space.
    return "\n".join(map(_stripped, lines)) if _has_spaces(text) and not is_compressed(text) else text


def _has_spaces(text: str) -> bool:
    return any(space in text for space in (_ASCII_SPACES if text.isascii() else _SPACES))


def _stripped(line: str) -> str:
    field, colon, value = line.partition("#")[0].partition(":")
    return field.strip() + colon + value.strip()


class RulesByAgent:
    """The rules of one robots.txt, compiled for each user agent when it is first asked for. Threads may share it.

    User agents with the same rules share one object. A body that is still compressed is no file: it allows nothing, as an
    outage.
    """

    def __init__(
        self, body: str | bytes, max_bytes: int = MAX_BYTES, rewrite: Callable[[str, int], str] = plain_lines
    ) -> None:
        """``rewrite`` returns a text as the engine reads it."""
        if max_bytes != MAX_BYTES:
            _crawler("", max_bytes)  # raises now if it is out of range
        self._body = body
        self._max_bytes = max_bytes
        self._rewrite = rewrite
        self._rules: dict[str, Rules] = {}
        self._shared: dict[Rules, Rules] = {}
        self._size = 0  # bytes of the shared rules
        self._times: dict[str, _Times] = {}

    def __reduce__(self) -> tuple[type[RulesByAgent], tuple[str | bytes, int, Callable[[str, int], str]]]:
        """Return the file alone: what was compiled of it cannot be copied."""
        return RulesByAgent, (self._body, self._max_bytes, self._rewrite)

    @cached_property
    def _file(self) -> str | bytes:
        if isinstance(self._body, bytes):
            return self._body
        # Its first bytes stay: the first of gzip is white space.
        return self._body if is_compressed(self._body) else self._rewrite(self._body, self._max_bytes)

    def rules(self, user_agent: str) -> Rules:
        """Return the rules for a user agent."""
        # `get` alone is the path of nearly all calls.
        return self._rules.get(user_agent) or self._compile(user_agent)

    def _compile(self, user_agent: str) -> Rules:
        rules = _crawler(user_agent, self._max_bytes).parse(self._file)
        with _lock:
            shared = self._shared.get(rules)
            if shared is None:
                size = len(rules.image)
                if self._size + size > _MAX_SHARED:
                    self._rules, self._shared, self._size = {}, {}, 0
                self._size += size
                shared = self._shared[rules] = rules
            _keep(self._rules, user_agent, shared)
        return shared

    def allows(self, user_agent: str, url: str) -> bool:
        """Return whether the user agent may fetch a URL, or a path.

        A text that starts with ``//`` is a path, and for ``urllib.parse`` a host and a path: both must be allowed.
        """
        rules = self._rules.get(user_agent) or self.rules(user_agent)
        return rules.is_allowed(url) and (url[:2] != "//" or rules.is_allowed(f"http:{url}"))

    @cached_property
    def sitemaps(self) -> tuple[str, ...]:
        """The sitemaps, in file order."""
        return self.rules("").sitemaps

    def times(self, user_agent: str) -> _Times:
        """Return the first request-rate line and the first visit-time line of the groups for a user agent."""
        times = self._times.get(user_agent)
        if times is None:
            lines = _crawler(user_agent, self._max_bytes).extensions(self._file).lines
            lines = [line for line in lines if line.in_group]
            rate = next((line for line in lines if line.request_rate), None)
            times = rate, next((line for line in lines if line.visit_time), None)
            with _lock:
                _keep(self._times, user_agent, times)
        return times


def _keep(kept: dict[str, _T], user_agent: str, value: _T) -> None:
    """Add the value of a user agent, in place of the oldest one if there are too many."""
    if len(user_agent) > _MAX_NAME:
        return
    if len(kept) >= _MAX_AGENTS:
        del kept[next(iter(kept))]
    kept[user_agent] = value
