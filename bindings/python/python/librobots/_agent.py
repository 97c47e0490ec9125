"""The rules of one robots.txt for each user agent, for the modules with the names of other parsers."""

from __future__ import annotations

import re
from typing import Callable, TypeVar

from ._errors import TokenError
from ._librobots import Crawler, Extensions, Rules

_T = TypeVar("_T")

# The agents may come from an untrusted source, so their number is bounded.
_MAX_AGENTS = 64
_MAX_TOKEN = 1024
_LEADING = re.compile(r"\s*([A-Za-z0-9._-]+)")


def product_token(user_agent: str) -> str | None:
    """Return the product token of a User-Agent header; None if it has none.

    It is the first product that is not a browser's. A header without one is that of its first name, such as ``Mozilla``.
    """
    try:
        return Crawler.token_from_user_agent(user_agent)
    except TokenError:
        found = _LEADING.match(user_agent)
    # No file names a token that is longer.
    return found[1] if found and len(found[1]) <= _MAX_TOKEN else None


# The start of a file of gzip and of zstd: as ISO 8859-1, with surrogateescape, with replace, and as Windows-1252.
_GZIP = ("\x1f\x8b", "\x1f\udc8b", "\x1f\ufffd", "\x1f\u2039")
_ZSTD = ("(\xb5/\xfd", "(\udcb5/\udcfd", "(\ufffd/\ufffd")


def is_compressed(text: str) -> bool:
    """Return whether a body that was decoded as text is still compressed by gzip or zstd (SPEC 2.17, 4.4)."""
    return text.startswith(_GZIP + _ZSTD)


class RulesByAgent:
    """The rules of one robots.txt, compiled for each user agent when it is first asked for. Threads may share it.

    A body that is still compressed is no file: it allows nothing, as an outage. The engine knows bytes that are compressed.
    """

    def __init__(self, body: str | bytes) -> None:
        self._body = body
        self._outage = Crawler().parse(b"\x1f\x8b") if isinstance(body, str) and is_compressed(body) else None
        self._rules: dict[str, Rules] = {}
        self._extensions: dict[str, Extensions] = {}

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
        token = product_token(user_agent)
        made = make(Crawler(token) if token else Crawler())
        if len(kept) < _MAX_AGENTS:
            kept[user_agent] = made
        return made
