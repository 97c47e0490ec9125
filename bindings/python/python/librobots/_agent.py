"""The rules of one robots.txt for each user agent, for the modules with the names of other parsers."""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import Callable, TypeVar

from ._librobots import Crawler, Rules
from ._types import Extension

_T = TypeVar("_T")

# Number of characters of a text that are read. One byte more than the engine reads shows whether the last line is whole.
_READ = 512_001

# The agents may come from an untrusted source, so their number is bounded.
_MAX_AGENTS = 64

# The start of a file of gzip and of zstd: as ISO 8859-1, with surrogateescape, with replace, and as Windows-1252.
_GZIP = ("\x1f\x8b", "\x1f\udc8b", "\x1f\ufffd", "\x1f\u2039")
_ZSTD = ("(\xb5/\xfd", "(\udcb5/\udcfd", "(\ufffd/\ufffd")
_COMPRESSED = _GZIP + _ZSTD

# White space and line ends of `str` that robots.txt has not. `in` finds each faster than a regular expression finds any.
_ASCII_SPACES = "\v\f\x1c\x1d\x1e\x1f"
_SPACES = (
    _ASCII_SPACES
    + "\x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)

# A crawler asks many files with one User-Agent.
_crawler = lru_cache(_MAX_AGENTS)(Crawler.with_names_in)


def is_compressed(text: str) -> bool:
    """Return whether a body that was decoded as text is still compressed by gzip or zstd (SPEC 2.17, 4.4)."""
    return text.startswith(_COMPRESSED)


def plain_lines(text: str) -> str:
    """Return a text with the line ends and the white space of ASCII only.

    The parsers in Python read lines with ``str.splitlines`` and ``str.strip``, which know more of them, such as a form feed.
    """
    start = text[:_READ]
    if not any(space in start for space in (_ASCII_SPACES if start.isascii() else _SPACES)):
        return start
    lines = start.splitlines()
    if len(start) < len(text):
        lines.pop()  # not whole
    return "\n".join(line if line.isascii() and "\x1f" not in line else _stripped(line) for line in lines)


def _stripped(line: str) -> str:
    field, colon, value = line.partition("#")[0].partition(":")
    return field.strip() + colon + value.strip()


class RulesByAgent:
    """The rules of one robots.txt, compiled for each user agent when it is first asked for. Threads may share it.

    A body that is still compressed is no file: it allows nothing, as an outage.
    """

    def __init__(self, body: str | bytes, rewrite: Callable[[str], str] = plain_lines) -> None:
        """``rewrite`` returns a text as the engine reads it."""
        self._body = body
        self._rewrite = rewrite
        self._rules: dict[str, Rules] = {}
        self._times: dict[str, list[Extension]] = {}

    def __reduce__(self) -> tuple[type[RulesByAgent], tuple[str | bytes, Callable[[str], str]]]:
        """Return the file alone: what was compiled of it cannot be copied."""
        return RulesByAgent, (self._body, self._rewrite)

    @cached_property
    def _file(self) -> str | bytes:
        if isinstance(self._body, bytes):
            return self._body
        # The engine knows bytes that are compressed.
        return b"\x1f\x8b" if is_compressed(self._body) else self._rewrite(self._body)

    def rules(self, user_agent: str) -> Rules:
        """Return the rules for a user agent."""
        # `get` alone is the path of nearly all calls.
        return self._rules.get(user_agent) or self._kept(self._rules, user_agent, lambda it: it.parse(self._file))

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

    def times(self, user_agent: str) -> list[Extension]:
        """Return the request-rate and visit-time lines of the groups for a user agent."""
        known = self._times.get(user_agent)
        return self._kept(self._times, user_agent, self._read_times) if known is None else known

    def _read_times(self, crawler: Crawler) -> list[Extension]:
        lines = crawler.extensions(self._file).lines
        return [line for line in lines if line.in_group and (line.request_rate or line.visit_time)]

    @staticmethod
    def _kept(kept: dict[str, _T], user_agent: str, make: Callable[[Crawler], _T]) -> _T:
        made = make(_crawler(user_agent))
        if len(kept) < _MAX_AGENTS:
            kept[user_agent] = made
        return made
