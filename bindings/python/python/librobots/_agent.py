"""The rules of one robots.txt for each user agent, for the modules with the names of other parsers."""

from __future__ import annotations

import re
from typing import Callable, TypeVar

from ._librobots import Crawler, Extensions, Rules

_T = TypeVar("_T")

# The agents may come from an untrusted source, so their number is bounded.
_MAX_AGENTS = 64
_MAX_TOKEN = 1024
_LEADING = re.compile(r"\s*([A-Za-z0-9._-]+)")
_COMPATIBLE = re.compile(r"\bcompatible;\s*([A-Za-z0-9._-]+)", re.IGNORECASE)


def product_token(user_agent: str) -> str | None:
    """Return the product token of a User-Agent header; None if it has none.

    It is the name at the start. A header that starts with ``Mozilla`` and says ``(compatible; ExampleBot/1.0)`` is that of
    ExampleBot.
    """
    found = _LEADING.match(user_agent)
    if found and found[1].lower() == "mozilla":
        found = _COMPATIBLE.search(user_agent) or found
    # No file names a token that is longer.
    return found[1] if found and len(found[1]) <= _MAX_TOKEN else None


# The start of a file of gzip and of zstd: as ISO 8859-1, with surrogateescape, with replace, and as Windows-1252.
_GZIP = ("\x1f\x8b", "\x1f\udc8b", "\x1f\ufffd", "\x1f\u2039")
_ZSTD = ("(\xb5/\xfd", "(\udcb5/\udcfd", "(\ufffd/\ufffd")


def is_compressed(body: str | bytes) -> bool:
    """Return whether a body is still compressed by gzip or zstd (SPEC 2.17, 4.4), also if it was decoded as text."""
    if isinstance(body, str):
        return body.startswith(_GZIP + _ZSTD)
    return body.startswith((b"\x1f\x8b", b"(\xb5/\xfd"))


class RulesByAgent:
    """The rules of one robots.txt, compiled for each user agent when it is first asked for. Threads may share it.

    A body that is still compressed is no file: it allows nothing, as an outage.
    """

    def __init__(self, body: str | bytes) -> None:
        self._body = body
        self._outage: Rules | None = None
        if is_compressed(body):
            self._outage = Crawler().outcome_from_status("http://localhost/", 200, b"\x1f\x8b", now=0).rules()
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
