"""The rules of one robots.txt for each user agent, for the modules with the names of other parsers."""

from __future__ import annotations

import re
from typing import Callable, TypeVar

from ._librobots import Crawler, Extensions, Rules

_T = TypeVar("_T")

# The agents may come from an untrusted source, so their number is bounded.
_MAX_AGENTS = 64

# The start of a file of gzip and of zstd: as ISO 8859-1, with surrogateescape, with replace, and as Windows-1252.
_GZIP = ("\x1f\x8b", "\x1f\udc8b", "\x1f\ufffd", "\x1f\u2039")
_ZSTD = ("(\xb5/\xfd", "(\udcb5/\udcfd", "(\ufffd/\ufffd")


# White space that is not of robots.txt.
_SPACE = re.compile(r"[^\S \t\r\n]")


def is_compressed(text: str) -> bool:
    """Return whether a body that was decoded as text is still compressed by gzip or zstd (SPEC 2.17, 4.4)."""
    return text.startswith(_GZIP + _ZSTD)


def plain_lines(text: str) -> str:
    """Return a text with the line ends and the white space of ASCII only.

    The parsers in Python read lines with ``str.splitlines`` and ``str.strip``, which know more of them, such as a form feed.
    """
    is_plain = not any(space in text for space in "\v\f\x1c\x1d\x1e\x1f") if text.isascii() else not _SPACE.search(text)
    if is_plain:
        return text
    parts = (line.partition("#")[0].partition(":") for line in text.splitlines())
    return "\n".join(field.strip() + colon + value.strip() for field, colon, value in parts)


class RulesByAgent:
    """The rules of one robots.txt, compiled for each user agent when it is first asked for. Threads may share it.

    A body that is still compressed is no file: it allows nothing, as an outage. The engine knows bytes that are compressed.
    """

    def __init__(self, body: str | bytes) -> None:
        is_outage = isinstance(body, str) and is_compressed(body)
        self._outage = Crawler().parse(b"\x1f\x8b") if is_outage else None
        self._body = plain_lines(body) if isinstance(body, str) and not is_outage else body
        self._rules: dict[str, Rules] = {}
        self._extensions: dict[str, Extensions] = {}

    def __reduce__(self) -> tuple[type[RulesByAgent], tuple[str | bytes]]:
        """Return the file alone: what was compiled of it cannot be copied."""
        return RulesByAgent, (self._body,)

    def rules(self, user_agent: str) -> Rules:
        """Return the rules for a user agent."""
        if self._outage is not None:
            return self._outage
        # `get` alone is the path of nearly all calls.
        return self._rules.get(user_agent) or self._kept(self._rules, user_agent, lambda it: it.parse(self._body))

    def extensions(self, user_agent: str) -> Extensions:
        """Return the records other than rules for a user agent."""
        known = self._extensions.get(user_agent)
        return known or self._kept(self._extensions, user_agent, lambda it: it.extensions(self._body))

    @staticmethod
    def _kept(kept: dict[str, _T], user_agent: str, make: Callable[[Crawler], _T]) -> _T:
        made = make(Crawler.with_names_in(user_agent))
        if len(kept) < _MAX_AGENTS:
            kept[user_agent] = made
        return made


def allows(rules: Rules, url: str) -> bool:
    """Return whether rules allow a URL, or a path.

    A text that starts with ``//`` is a path, and for ``urllib.parse`` a host and a path: both must be allowed.
    """
    return rules.is_allowed(url) and (not url.startswith("//") or rules.is_allowed(f"http:{url}"))
