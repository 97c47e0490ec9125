"""Measures filter_table: URLs of many sites, in random order, by one process and all its CPUs.

Usage: tables.py [URLS [SITES]]; default: 1,000,000 URLs of 2,000 sites. Each answer is compared with that of a single check.
"""

from __future__ import annotations

import random
import sys
import time

import pyarrow as pa

import librobots

PATHS = ("", "private/", "shop/cart", "a/b/c.html", "search?q=1", "caf\u00e9/menu", "img/x.png")


def tables(urls: int, sites: int) -> tuple[pa.Table, pa.Table]:
    """Return the URLs and the captures. Some sites have no capture, and some were down."""
    pick = random.Random(1)
    names = [f"https://www.site{n}.example" for n in range(sites)]
    column = [f"{pick.choice(names)}/{pick.choice(PATHS)}{pick.randrange(1000)}" for _ in range(urls)]
    column[::1000] = ["no url"] * len(column[::1000])
    files = [
        "User-agent: *\n" + "".join(f"Disallow: /{pick.choice(PATHS)}{pick.randrange(1000)}\n" for _ in range(60))
        for _ in names
    ]
    captures = {"origin": names, "status": [503 if n % 10 == 9 else 200 for n in range(sites)], "body": files}
    return pa.table({"row": range(urls), "url": column}), pa.table(captures)[: sites - sites // 20]


def timed(name: str, call) -> float:
    """Print and return the seconds of the fastest of three calls, with the processor time."""
    best = []
    for _ in range(3):
        start, processor = time.perf_counter(), time.process_time()
        call()
        best.append((time.perf_counter() - start, time.process_time() - processor))
    print(f"{name}: {min(best)[0]:.3f} s, processor {min(used for _, used in best):.3f} s")
    return min(best)[0]


def check(urls: pa.Table, sites: librobots.Sites, step: int) -> None:
    """Compare answers with those of single checks."""
    found = pa.table(librobots.filter_table(urls, sites, None, "disallow").answers)["answer"].to_pylist()
    for url, answer in list(zip(urls["url"].to_pylist(), found))[::step]:
        try:
            rules = sites.rules(librobots.Origin(url).key)
        except librobots.UrlError:
            assert answer == "bad_url", url
            continue
        if rules is None:
            assert answer == "no_capture", url
            continue
        verdict = rules.check(url)
        wanted = "allowed" if verdict else "unreachable" if verdict.reason.name == "UNREACHABLE" else "disallowed"
        assert answer == wanted, (url, answer, wanted)


def main() -> None:
    """Measure."""
    urls, captures = tables(*(int(word) for word in (*sys.argv[1:3], "1000000", "2000")[:2]))
    timed("compile_table", lambda: librobots.compile_table(captures, "ExampleBot"))
    sites = librobots.compile_table(captures, "ExampleBot")
    timed("filter_table", lambda: librobots.filter_table(urls, sites, None, "disallow"))
    timed(
        "filter_table, answers", lambda: pa.record_batch(librobots.filter_table(urls, sites, None, "disallow").answers)
    )
    check(urls, sites, 1)
    counts = librobots.filter_table(urls, sites, None, "disallow").counts
    print(f"every answer is that of a single check: {counts}")


if __name__ == "__main__":
    main()
