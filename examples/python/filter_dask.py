"""Filters a table of URLs by the images that compile_robots.py wrote, with the workers of Dask.

Usage: filter_dask.py TOKEN IMAGES.parquet URLS ALLOWED

URLS is a folder of Parquet files with a column `url`; so is ALLOWED, with a file for each of them. Each worker gets the sites
once, as a pickle, and filters one file at a time. Needs dask and pyarrow.
"""

from __future__ import annotations

import sys
from pathlib import Path

import dask
import pyarrow.parquet as pq

import librobots


@dask.delayed
def filtered(source: Path, sites: librobots.Sites, target: Path) -> librobots.TableCounts:
    """Filter a file, as a worker."""
    found = librobots.filter_table(pq.read_table(source), sites, on_missing="disallow")
    pq.write_table(found.table, target / source.name, compression="zstd")
    return found.counts


def main() -> None:
    """Filter."""
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    images, urls, target = (Path(name) for name in sys.argv[2:])
    sites = dask.delayed(librobots.compile_table(pq.read_table(images), sys.argv[1]))
    target.mkdir()
    tasks = [filtered(source, sites, target) for source in sorted(urls.glob("*.parquet"))]
    for counts in dask.compute(*tasks, scheduler="processes", num_workers=2):
        print(counts)


if __name__ == "__main__":
    main()
