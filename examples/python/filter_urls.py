"""Filters tables of URLs of any size by the images that compile_robots.py wrote, with pyarrow.

Usage: filter_urls.py TOKEN IMAGES.parquet URLS ALLOWED.parquet

URLS is a Parquet file, or a folder of them, with a column `url`. The rows that the crawler may fetch go to ALLOWED.parquet,
without those of sites that the images lack. The counts at the end say what became of the others.
"""

from __future__ import annotations

import sys

import pyarrow.dataset as ds
import pyarrow.parquet as pq

import librobots


def main() -> None:
    """Filter."""
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    token, images, urls, target = sys.argv[1:]
    sites = librobots.compile_table(pq.ParquetFile(images), token)
    source = ds.dataset(urls)
    counts = []
    with pq.ParquetWriter(target, source.schema, compression="zstd") as writer:
        for found in librobots.filter_tables(source, sites, on_missing="disallow", progress=counts.append):
            writer.write_batch(found.table)
    print(counts[-1] if counts else "no URLs")


if __name__ == "__main__":
    main()
