"""Filters a table with examples/python/spark_filter.py, and sees that the result is that of filter_urls.py.

Usage: spark.py, with PySpark and a Java. The table has URLs of all sites, in disorder, and is read in many batches.
"""

from __future__ import annotations

import os
import random
import sys
import tempfile
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from test_examples import EXAMPLES, run, write

SITES = ("tea", "closed", "none", "down", "lost", "other")
PATHS = ("/", "/private/diary", "/teas/oolong.html?cup=1&milk=no", "/caf\u00e9", "/a b", "")


def main() -> None:
    """Filter, and compare."""
    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    os.environ["PYSPARK_SUBMIT_ARGS"] = "--master local[2] --conf spark.ui.enabled=false pyspark-shell"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        warc, robots, urls, wanted, found = (
            folder / file for file in ("a.warc.gz", "robots", "urls", "wanted", "found")
        )
        write(warc)
        run(EXAMPLES / "compile_robots.py", "ExampleBot", robots, warc)
        all_urls = [
            f"{scheme}{site}.example{path}" for site in SITES for path in PATHS for scheme in ("https://", "HTTPS://")
        ]
        all_urls += ["no-url", "", "/", None]
        pick = random.Random(0)
        table = pa.table({"row": range(20_000), "url": [pick.choice(all_urls) for _ in range(20_000)]})
        pq.write_table(table, urls)
        run(EXAMPLES / "filter_urls.py", robots, urls, wanted)
        run(EXAMPLES / "spark_filter.py", robots, urls, found)
        by_spark = pq.read_table(found).sort_by("row")
        by_arrow = pq.read_table(wanted).sort_by("row").cast(by_spark.schema)
    assert by_spark.equals(by_arrow)
    assert 1_000 < by_spark.num_rows < 10_000, by_spark.num_rows
    assert by_spark.column_names == ["row", "url"]
    print("python-spark: 1 passed, 0 failed")


if __name__ == "__main__":
    main()
