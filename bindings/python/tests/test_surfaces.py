"""The public names of protego and urllib.robotparser, and the same calls on both: README.md lists what differs.

A new version of an original that has another surface fails here by name. `UPDATE_SURFACES=1` writes the table anew.
"""

from __future__ import annotations

import inspect
import os
import urllib.robotparser
from functools import partial
from importlib.metadata import version
from pathlib import Path
from types import ModuleType
from typing import Any

import protego
from site_of_tests import Site

import librobots.protego
import librobots.robotparser

PAGE = Path(__file__).parents[1] / "README.md"
PAIRS = {
    f"protego {version('protego')}": (protego, librobots.protego),
    "urllib.robotparser": (urllib.robotparser, librobots.robotparser),
}
TEXT = "User-agent: x\nDisallow: /a\nCrawl-delay: 2\nRequest-rate: 3/4\n\nUser-agent: *\nAllow: /\nSitemap: https://e.com/s\n"

# White space of str.strip that RFC 9309 does not know, escaped.
STRIPPED = ("\\x0b", "\\x0c", "\\x1c", "\\x1e", "\\x85", "\\xa0", "\\u2028")

# Each is evaluated with the module as `module`, TEXT as `text`, and the methods of Parsers.
PROTEGO = [
    *(f"file.{name}({agent!r})" for name in ("crawl_delay", "request_rate", "visit_time") for agent in ("x", "y")),
    *(
        f"file.can_fetch({url!r}, {agent!r})"
        for url in ("/a", "/b", "", "https://e.com/a", "mailto:x", "a")
        for agent in ("y", "x")[url != "/b" :]
    ),
    "list(file.sitemaps)",
    "file.preferred_host",
    "module.Protego.parse(b'')",
    "module.Protego.parse(None)",
    "file.can_fetch(None, 'x')",
    "file.can_fetch('/a', None)",
    "file.crawl_delay(None)",
    "file.can_fetch('/a')",
    "type(file.crawl_delay('x'))",
    "module.Protego().can_fetch('/a', 'x')",
    "module.Protego().preferred_host",
    "list(module.Protego().sitemaps)",
    "type(module.Protego.parse(text)).__name__",
    "tuple(file.request_rate('x'))",
    "module.Protego.parse('User-agent: x\\nCrawl-delay: 1.5').crawl_delay('x')",
    "module.Protego.parse('User-agent: x\\nVisit-time: 0100-0230').visit_time('x')",
    "file == module.Protego.parse(text)",
    *(
        f"module.Protego.parse('User-agent: x\\nCrawl-delay: {value}').crawl_delay('x')"
        for value in ("1e3", "+3", "1_0", "-1", "inf", "5.")
    ),
    "module.Protego.parse('Host: a.b\\nHost: c.d').preferred_host",
    "module.Protego.parse('User-agent: *\\nDisallow: /\\n\\nUser-agent: x').can_fetch('/a', 'x')",
    "module.Protego.parse('User-agent: *\\nDisallow\\xa0/').can_fetch('/a', 'x')",
    "module.Protego.parse('#' * 600_000 + '\\nUser-agent: *\\nDisallow: /').can_fetch('/a', 'x')",
]
ROBOTPARSER = [
    *(f"file.{name}({agent!r})" for name in ("crawl_delay", "request_rate") for agent in ("x", "y")),
    *(
        f"file.can_fetch({agent!r}, {url!r})"
        for url in ("/a", "/b", "", "https://e.com/a", "mailto:x", "a")
        for agent in ("y", "x")[url != "/b" :]
    ),
    "file.site_maps()",
    "file.mtime() > 0",
    "module.RobotFileParser().mtime()",
    "module.RobotFileParser().can_fetch('x', '/')",
    "module.RobotFileParser().crawl_delay('x')",
    "module.RobotFileParser().request_rate('x')",
    "module.RobotFileParser().site_maps()",
    "module.RobotFileParser('https://e.com/robots.txt').url",
    "module.RobotFileParser().url",
    "module.RobotFileParser().parse(None)",
    "file.can_fetch('x', None)",
    "file.can_fetch(None, '/a')",
    "file.crawl_delay(None)",
    "file.parse([b'x'])",
    "str(file)",
    "file.set_url('x')",
    "file.modified()",
    "type(file.request_rate('x')).__name__",
    "module.RobotFileParser('x').read()",
    "module.RobotFileParser('ftp:/x').read()",
    "modified().can_fetch('x', '/')",
    "parsed('User-agent: *\\nDisallow: /\\n\\nUser-agent: x').can_fetch('x', '/a')",
    "parsed('User-agent:\\nDisallow: /').can_fetch('x', '/a')",
    *(
        f"parsed('User-agent{space}:{space}*{space}\\nDisallow{space}:{space}/{space}# x').can_fetch('x', '/a')"
        for space in STRIPPED
    ),
    "parsed('#' * 600_000 + '\\nUser-agent: *\\nDisallow: /').can_fetch('x', '/a')",
    *(
        f"read({kind!r}).{what}"
        for kind in ("a file", "401", "404", "429")
        for what in ("can_fetch('x', '/')", "mtime() > 0", "allow_all", "disallow_all")
    ),
]
KINDS = {"a file": "plain", "401": "unauthorized", "404": "missing", "429": "overrun"}
SITE = Site(*KINDS.values())


class Parsers:
    """The parsers of a module in several states."""

    def __init__(self, module: Any) -> None:
        self._new = module.RobotFileParser

    def modified(self) -> Any:
        """Return a parser without a file that has a time."""
        parser = self._new()
        parser.modified()
        return parser

    def parsed(self, text: str) -> Any:
        """Return a parser with a text."""
        parser = self._new()
        parser.parse(text.removesuffix("\n").split("\n"))
        return parser

    def read(self, kind: str) -> Any:
        """Return a parser after a fetch."""
        parser = self._new(f"{SITE.at[KINDS[kind]]}robots.txt")
        parser.read()
        return parser


def surface(module: ModuleType, names: set[str]) -> dict[str, str]:
    """Return the public names of a module, with their kinds and the parameters of functions."""
    found = {}
    for name in filter(partial(hasattr, module), names):
        item = getattr(module, name)
        bases = [base.__name__ for base in item.__mro__[1:-1]]
        found[name] = f"class({', '.join(bases)})"
        made = vars(item()) if not hasattr(item, "_fields") else {}
        found.update({f"{name}.{key}": "attribute" for key in made if not key.startswith("_")})
        for key in dir(item):
            if key.startswith("_") and key not in ("__init__", "__str__", "__eq__", "__iter__", "__len__"):
                continue
            if getattr(object, key, None) is getattr(item, key):
                continue
            raw = inspect.getattr_static(item, key)
            if callable(getattr(item, key)) and not isinstance(getattr(item, key), type):
                try:
                    taken = inspect.signature(getattr(item, key)).parameters.values()
                    found[f"{name}.{key}"] = f"({', '.join(str(it.replace(annotation=it.empty)) for it in taken)})"
                except ValueError:
                    found[f"{name}.{key}"] = "(...)"
            else:
                found[f"{name}.{key}"] = type(raw).__name__
    return found


def answer(module: ModuleType, call: str) -> str:
    """Return what a call returns or raises."""
    names: dict[str, Any] = {"module": module, "text": TEXT}
    if module.__name__.endswith("protego"):
        names["file"] = module.Protego.parse(TEXT)
    else:
        parsers = Parsers(module)
        names.update(file=parsers.parsed(TEXT), modified=parsers.modified, parsed=parsers.parsed, read=parsers.read)
    try:
        return repr(eval(call, names))
    except Exception as error:
        return type(error).__name__


def rows() -> list[str]:
    """Return what differs, as rows of a table."""
    lines = []
    for name, (theirs, ours) in PAIRS.items():
        names = {*theirs.__all__, *ours.__all__}
        has, mine = surface(theirs, names), surface(ours, names)
        for key in sorted(has.keys() | mine.keys()):
            lines.append((name, key, has.get(key, "none"), mine.get(key, "none")))
        for call in PROTEGO if "protego" in name else ROBOTPARSER:
            lines.append((name, call, answer(theirs, call), answer(ours, call)))
    cells = ([cell.replace("|", "\\|").replace("\\n", " ") for cell in line] for line in lines if line[2] != line[3])
    return [f"| {name} | `{what}` | `{theirs}` | `{ours}` |" for name, what, theirs, ours in cells]


def test_the_page_lists_what_differs() -> None:
    page = PAGE.read_text("utf-8")
    start, end = "| original | name or call | there | here |\n|---|---|---|---|\n", "\n\n"
    head, _, rest = page.partition(start)
    listed, _, tail = rest.partition(end)
    if os.environ.get("UPDATE_SURFACES"):
        listed = "\n".join(rows())
        PAGE.write_text(f"{head}{start}{listed}{end}{tail}", "utf-8")
    assert listed.split("\n") == rows()
