"""Compiles the robots.txt captures of Common Crawl for one crawler, to a Parquet file with a row for each site.

Usage: compile_robots.py TOKEN IMAGES.parquet FILE.warc.gz...

Common Crawl publishes the captures of each crawl as WARC files, in `crawl-data/CC-MAIN-.../segments/.../robotstxt/`. The
columns of the result are `origin`, `image` and `agent`: the rules of the newest capture, after redirects. The other examples
read it, for the same TOKEN.
Needs warcio and pyarrow.
"""

from __future__ import annotations

import sys

import pyarrow as pa
import pyarrow.parquet as pq

import librobots
from librobots.warc import read_captures


def main() -> None:
    """Compile."""
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    token, target, *paths = sys.argv[1:]
    captures = read_captures(
        paths,
        progress=lambda path, count: print(f"{count} captures: {path}", file=sys.stderr),
    )
    sites = librobots.compile_table(captures, token)
    pq.write_table(pa.table(sites), target, compression="zstd")
    print(sites.counts)


if __name__ == "__main__":
    main()
