"""Filters a table of URLs with PySpark, by the robots.txt captures that compile_robots.py compiled.

Usage: spark_filter.py ROBOTS.parquet URLS.parquet ALLOWED

As filter_urls.py beside it, for tables of any size: Spark brings the URLs of a site and its rules together, and each worker
checks a batch in one call. The workers need librobots, pandas and pyarrow, but no jar. ALLOWED is a folder.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator

import filter_urls
import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import DataFrame, SparkSession

from librobots import Rules


def with_origin(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Add the key of the origin of each URL, as a worker. Each raw form of a site is made canonical once."""
    for batch in batches:
        start = pc.struct_field(pc.extract_regex(batch["url"], r"^(?P<start>[A-Za-z]+://[^/?#]*)"), "start")
        raw = start.dictionary_encode()
        keys = pa.array([filter_urls.key_of(form) for form in raw.dictionary.to_pylist()], pa.string())
        yield batch.append_column("origin", keys.take(raw.indices))


def allowed(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Return the rows that may be fetched, as a worker. Rows of one site lie side by side."""
    for batch in batches:
        runs, masks, begin = pc.run_end_encode(batch["image"]), [], 0
        for image, end in zip(runs.values.to_pylist(), runs.run_ends.to_pylist()):
            verdicts = Rules.from_image(image).check_many(batch["url"].slice(begin, end - begin))
            masks.append(pa.array(verdicts))
            begin = end
        if masks:
            yield batch.filter(pa.concat_arrays(masks)).drop_columns(["image"])


def filtered(urls: DataFrame, robots: DataFrame) -> DataFrame:
    """Return the URLs that may be fetched. Those of unknown sites are left out."""
    known = robots.where("kind IN ('RULES', 'ALLOW_ALL', 'DISALLOW_ALL')").select("origin", "image")
    columns = ", ".join(f"`{name}` {kind}" for name, kind in urls.dtypes)
    rows = urls.mapInArrow(with_origin, f"{columns}, origin string")
    rows = rows.join(known, "origin").drop("origin").sortWithinPartitions("image")
    return rows.mapInArrow(allowed, columns)


def main() -> None:
    """Filter."""
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    robots, urls, target = sys.argv[1:]
    spark = SparkSession.builder.appName("librobots").getOrCreate()
    spark.sparkContext.addPyFile(filter_urls.__file__)
    filtered(spark.read.parquet(urls), spark.read.parquet(robots)).write.parquet(target)
    spark.stop()


if __name__ == "__main__":
    main()
