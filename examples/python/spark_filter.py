"""Filters a table of URLs with PySpark, by the images that compile_robots.py wrote.

Usage: spark_filter.py TOKEN IMAGES.parquet URLS.parquet ALLOWED

Each worker gets the sites once, as a pickle, and filters its batches. The workers need librobots and pyarrow, but no jar.
ALLOWED is a folder. Rows of sites that the images lack are left out.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import DataFrame, SparkSession

import librobots


def filtered(urls: DataFrame, sites: librobots.Sites) -> DataFrame:
    """Return the URLs that may be fetched."""

    def allowed(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return (found.table for found in librobots.filter_tables(batches, sites, on_missing="disallow"))

    return urls.mapInArrow(allowed, urls.schema)


def main() -> None:
    """Filter."""
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    token, images, urls, target = sys.argv[1:]
    sites = librobots.compile_table(pq.ParquetFile(images), token)
    spark = SparkSession.builder.appName("librobots").getOrCreate()
    filtered(spark.read.parquet(urls), sites).write.parquet(target)
    spark.stop()


if __name__ == "__main__":
    main()
