"""Filters a table of URLs by the images that compile_robots.py wrote, with polars.

Usage: filter_polars.py TOKEN IMAGES.parquet URLS.parquet

Prints the URLs that wait: those of sites that are unreachable, which is no ban, and those of sites without a capture.
"""

from __future__ import annotations

import sys

import polars as pl

import librobots


def main() -> None:
    """Filter."""
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    images, urls = (pl.read_parquet(path) for path in sys.argv[2:])
    found = librobots.filter_table(urls, images, sys.argv[1], on_missing="disallow")
    print(found.counts, file=sys.stderr)
    answers = pl.DataFrame(found.answers).with_columns(pl.col("answer", "origin").cast(pl.String))
    table = pl.concat([urls, answers], how="horizontal")
    waiting = table.filter(pl.col("answer").is_in(["unreachable", "no_capture"]))
    print(waiting.group_by("origin", "answer").len().sort("origin").write_csv(), end="")


if __name__ == "__main__":
    main()
