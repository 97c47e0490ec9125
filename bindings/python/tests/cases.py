"""Reads the case files that the tests of all languages share (tests/data)."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from librobots import Crawler

DATA = Path(os.environ.get("ROBOTS_CASES") or Path(__file__).parents[3] / "tests" / "data")

_ESCAPES = {b"r": b"\r", b"n": b"\n", b"t": b"\t", b"s": b" ", b"\\": b"\\"}
_DEFAULT = Crawler()


def unescape(text: str) -> bytes:
    """Undo the escapes of the files. A backslash at the end stands for nothing."""

    def plain(found: re.Match[bytes]) -> bytes:
        escape = found[1]
        return bytes([int(escape[1:], 16)]) if escape.startswith(b"x") else _ESCAPES[escape]

    raw = text.encode("utf-8", "surrogateescape")
    if (len(raw) - len(raw.rstrip(b"\\"))) % 2:
        raw = raw[:-1]
    return re.sub(rb"\\(x[0-9a-fA-F]{2}|.)", plain, raw)


@dataclass
class Verdict:
    """An expected verdict: ``word`` is allowed, disallowed or error."""

    place: str
    word: str
    line: int
    reason: str
    url: bytes


@dataclass
class Case:
    """A robots.txt for one crawler, and what is expected."""

    place: str
    title: str
    tokens: list[bytes] = field(default_factory=list)
    bad_tokens: list[bytes] = field(default_factory=list)
    settings: dict[str, Any] = field(default_factory=dict)
    body: bytes = b""
    verdicts: list[Verdict] = field(default_factory=list)
    delay: str = ""
    sitemaps: list[bytes] | None = None

    def add_line(self, text: str, times: int = 1) -> None:
        """Add a line of the body; a backslash at its end stands for no line end."""
        has_end = (len(text) - len(text.rstrip("\\"))) % 2 == 0
        self.body += (unescape(text) + (b"\n" if has_end else b"")) * times

    def read(self, place: str, word: str, rest: str) -> None:
        """Read a line of the case."""
        if word == "token":
            self.tokens.append(unescape(rest))
        elif word == "bad_token":
            self.bad_tokens.append(unescape(rest))
        elif word == "dialect":
            self.settings["dialect"] = rest
        elif word == "set":
            name, value = rest.split()
            self.settings[name] = type(getattr(_DEFAULT, name))(int(value))
        elif word == "|":
            self.add_line(rest)
        elif word == "repeat":
            count, _, line = rest.partition(" |")
            self.add_line(line.removeprefix(" "), int(count))
        elif word in ("allowed", "disallowed"):
            line, reason, url = [*rest.split(" ", 2), ""][:3]
            self.verdicts.append(Verdict(place, word, int(line), reason, unescape(url)))
        elif word == "error":
            kind, _, url = rest.partition(" ")
            assert kind == "url", place
            self.verdicts.append(Verdict(place, word, 0, "none", unescape(url)))
        elif word == "delay":
            self.delay = rest
        elif word == "sitemap":
            self.sitemaps = [*(self.sitemaps or []), unescape(rest)]
        elif word == "sitemaps":
            assert rest == "0", place
            self.sitemaps = []
        else:
            raise AssertionError(f"{place}: what is {word!r}?")


def read_cases() -> list[Case]:
    """Return the cases of all files."""
    cases: list[Case] = []
    for path in sorted(DATA.glob("*.case")):
        text = path.read_text("utf-8", "surrogateescape")
        for number, line in enumerate(text.split("\n"), 1):
            place = f"{path.name}:{number}"
            word, _, rest = line.partition(" ")
            if not line or line.startswith("#"):
                continue
            if word == "case":
                cases.append(Case(place, rest))
            else:
                cases[-1].read(place, word, rest)
    return cases


def read_pages() -> list[tuple[str, list[str]]]:
    """Return the cases of page controls: title and lines."""
    pages = []
    for path in sorted(DATA.glob("*.page")):
        for block in ("\n" + path.read_text("utf-8")).split("\ncase ")[1:]:
            title, *lines = block.split("\n")
            pages.append((title, [line for line in lines if line and not line.startswith("#")]))
    return pages
