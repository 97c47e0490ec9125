"""librobots compared with protego and urllib.robotparser, in one run: bench.py [ROW...].

ROBOTS_CORPUS names a folder of robots.txt files, each named after its host. The engines work
in turns, and the best of several rounds counts. README.md beside this file describes the rows.
"""

from __future__ import annotations

import gc
import os
import platform
import random
import re
import statistics
import sys
import time
import urllib.robotparser
from collections.abc import Callable
from functools import partial
from importlib.metadata import version
from pathlib import Path
from types import ModuleType

import numpy as np
import protego
import pyarrow as pa

import librobots
import librobots.protego
import librobots.robotparser

AGENT = "ExampleBot"
PER_SITE = 20
MILLION = 1_000_000
ROUNDS, MOST_ROUNDS = 7, 200
GENERIC = (
    "/?{}",
    "/news/2024/05/{}/council-approves-new-plan-for-the-old-harbour",
    "/search?q=robots+exclusion&page={}",
    "/products/furniture/living-room/corner-sofa-with-storage-{}",
    "/user/profile/{}/settings?tab=privacy",
    "/category/home-and-garden/page/{}/?orderby=price",
    "/wp-content/uploads/2023/11/annual-report-{}.pdf",
    "/video/watch/{}-the-long-way-home-season-2",
)


def corpus() -> dict[str, bytes]:
    """Return the files of ROBOTS_CORPUS that both other parsers read: UTF-8."""
    paths = sorted(path for path in Path(os.environ["ROBOTS_CORPUS"]).rglob("*") if path.is_file())
    chosen = random.Random(1).sample(paths, min(len(paths), 400))
    files = {path.name: path.read_bytes() for path in chosen}
    return {name: body for name, body in files.items() if is_utf8(body)}


def is_utf8(body: bytes) -> bool:
    """Return whether a file is UTF-8."""
    try:
        body.decode()
    except UnicodeDecodeError:
        return False
    return True


def urls_of(host: str, body: bytes, seed: int) -> list[str]:
    """Return URLs to check: half match a rule of the file, half are generic."""
    pick = random.Random(seed)
    rules = re.findall(rb"(?im)^\s*(?:dis)?allow\s*:\s*([^\s#]+)", body)
    urls = []
    for number in range(PER_SITE):
        path = pick.choice(GENERIC).format(pick.randrange(10_000, 100_000))
        if number % 2 == 0 and rules:
            path = re.sub(r"[^!-~]|[*$]", "x", pick.choice(rules).decode("latin-1"))
            path = "/" + path.lstrip("/") + "page"
        urls.append(f"https://www.{host}{path}")
    return urls


def best(works: dict[str, Callable[[], object]], units: int) -> dict[str, float]:
    """Return the time of each work in nanoseconds for one of its units, the best of several rounds in turns."""
    times: dict[str, list[float]] = {name: [] for name in works}
    gc.disable()
    for at in range(MOST_ROUNDS):
        for name, work in works.items():
            if sum(times[name]) > 1.0 and (at >= ROUNDS or min(times[name]) > 1.0):
                continue
            start = time.perf_counter()
            work()
            times[name].append(time.perf_counter() - start)
    gc.enable()
    return {name: min(taken) / units * 1e9 for name, taken in times.items()}


def figure(name: str, text: str) -> None:
    """Append a figure to the file that FIGURES names, for benches/figures."""
    with open(os.environ.get("FIGURES", os.devnull), "a", encoding="utf-8") as file:
        file.write(f"{name}\t{text}\n")


def show(title: str, times: dict[str, float]) -> None:
    """Print a row for each engine, with its time as a multiple of the first."""
    first = next(iter(times.values()))
    print(f"\n{title}")
    for name, taken in times.items():
        amount = f"{taken:10.1f} ns" if taken < 10_000 else f"{taken / 1000:10.1f} us"
        print(f"  {name:<38} {amount}  x {taken / first:.1f}")
        figure(f"{title}, {name}", f"{taken / first:.4f}")
        figure(f"{title}, {name}, rate", f"{1000 / taken:.3g} million")


class Bench:
    """The files, parsed by each engine."""

    def __init__(self) -> None:
        self.files = corpus()
        self.crawler = librobots.Crawler(AGENT, max_bytes=1 << 30)
        self.texts = {host: body.decode() for host, body in self.files.items()}
        self.urls = {host: urls_of(host, body, seed) for seed, (host, body) in enumerate(self.files.items())}
        self.rules = {host: self.crawler.parse(body) for host, body in self.files.items()}
        self.theirs = {host: protego.Protego.parse(text) for host, text in self.texts.items()}
        self.ours = {host: librobots.protego.Protego.parse(text) for host, text in self.texts.items()}
        self.standard = {host: standard(text) for host, text in self.texts.items()}
        size = sum(map(len, self.files.values()))
        figure("with", f"Python {platform.python_version()}, protego {version('protego')}")
        figure("files", f"{len(self.files)}")
        print(f"{len(self.files)} files, {size} bytes, median {statistics.median(map(len, self.files.values())):.0f}")

    def parse(self) -> None:
        """All files, compiled; the rules are dropped at once."""
        works = {
            "librobots": lambda: [self.crawler.parse(body) and None for body in self.files.values()],
            "protego": lambda: [protego.Protego.parse(text) and None for text in self.texts.values()],
            "urllib.robotparser": lambda: [standard(text) and None for text in self.texts.values()],
        }
        show("parse, one file", best(works, len(self.files)))

    def drop_in(self) -> None:
        """Each module with the name of a parser, and that parser: all files parsed, 20 URLs of each asked."""

        def work(parse: Callable, is_asked: bool, flip: bool) -> Callable[[], None]:
            def run() -> None:
                for host, text in self.texts.items():
                    can_fetch = parse(text).can_fetch
                    for url in self.urls[host] if is_asked else ():
                        can_fetch(AGENT, url) if flip else can_fetch(url, AGENT)

            return run

        pairs = {
            "protego": (librobots.protego.Protego.parse, protego.Protego.parse),
            "urllib.robotparser": (partial(standard, module=librobots.robotparser), standard),
        }
        for name, (ours, theirs) in pairs.items():
            for title, is_asked in (("parse alone", False), ("parse and 20 checks", True)):
                works = {
                    f"librobots as {name}": work(ours, is_asked, flip="urllib" in name),
                    name: work(theirs, is_asked, flip="urllib" in name),
                }
                show(f"{title}, one file", best(works, len(self.files)))

    def is_allowed(self) -> None:
        """Rules kept, 20 URLs of each file."""

        def ask(engines: dict, call: Callable) -> Callable[[], None]:
            pairs = [(call(engines[host]), urls) for host, urls in self.urls.items()]

            def work() -> None:
                for is_allowed, urls in pairs:
                    for url in urls:
                        is_allowed(url)

            return work

        def ask_agent(engines: dict, flip: bool) -> Callable[[], None]:
            pairs = [(engines[host].can_fetch, urls) for host, urls in self.urls.items()]

            def work() -> None:
                for can_fetch, urls in pairs:
                    for url in urls:
                        can_fetch(AGENT, url) if flip else can_fetch(url, AGENT)

            return work

        works = {
            "librobots Rules.is_allowed": ask(self.rules, lambda rules: rules.is_allowed),
            "librobots Rules.check": ask(self.rules, lambda rules: rules.check),
            "librobots.protego": ask_agent(self.ours, False),
            "protego": ask_agent(self.theirs, False),
            "urllib.robotparser": ask_agent(self.standard, True),
        }
        show("is_allowed, one URL, rules kept", best(works, PER_SITE * len(self.files)))

    def check_many(self) -> None:
        """Check a million URLs of one site, from an Arrow column and from a list, by the rules of the median file."""
        host = sorted(self.files, key=lambda host: len(self.files[host]))[len(self.files) // 2]
        rules, kinds = self.rules[host], self.urls[host]
        urls = [f"{kinds[number % PER_SITE]}{number}" for number in range(MILLION)]
        column = pa.array(urls)
        ordered = column.sort()
        fixed = np.array(urls[: MILLION // 10], dtype="S")

        def each(urls: list) -> list[bool]:
            is_allowed = rules.is_allowed
            return [is_allowed(url) for url in urls]

        works = {
            "check_many(Arrow column)": lambda: rules.check_many(column),
            "the same by one thread": lambda: rules.check_many(column, use_threads=False),
            "the same, sorted": lambda: rules.check_many(ordered, use_threads=False),
            "is_allowed, each of the column": lambda: pa.array(each(column.to_pylist())),
            "check_many(list of str)": lambda: rules.check_many(urls),
            "the list by one thread": lambda: rules.check_many(urls, use_threads=False),
            "is_allowed, each of the list": lambda: each(urls),
        }
        assert pa.array(rules.check_many(column)).equals(pa.array(each(urls)))
        assert rules.check_many(urls) == rules.check_many(column, use_threads=False)
        show("check_many", best(works, MILLION))
        show("check_many, NumPy", best({"bytes (S)": lambda: rules.check_many(fixed)}, len(fixed)))


def standard(text: str, module: ModuleType = urllib.robotparser) -> urllib.robotparser.RobotFileParser:
    """Parse with the standard library, or a module of its name."""
    parser = module.RobotFileParser()
    parser.parse(text.splitlines())
    return parser


def main() -> None:
    """Run the rows that are named, or all."""
    bench = Bench()
    for row in (bench.parse, bench.drop_in, bench.is_allowed, bench.check_many):
        if len(sys.argv) == 1 or row.__name__ in sys.argv[1:]:
            row()


if __name__ == "__main__":
    main()
