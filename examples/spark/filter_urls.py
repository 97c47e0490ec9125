"""Filters a table of URLs by captures of robots.txt, on Spark, with the SQL functions of librobots.

Usage: spark-submit --packages io.github.librobots:librobots-spark:0.1.0 --repositories file:///path/to/maven \
           filter_urls.py URLS ROBOTS AGENT OUT

URLS is a Parquet table with a column `url`. ROBOTS are WARC files with captures of robots.txt, such as a folder `robotstxt/`
of Common Crawl. AGENT is the product token of the crawler. OUT receives each URL with a column `answer`: allowed,
disallowed, unreachable (no ban: check it again later), no_capture or bad_url. The folder `maven` is in each release. The
driver needs the Python package librobots, the workers need nothing.
"""

from __future__ import annotations

import sys

from pyspark.sql import SparkSession

from librobots.spark import Functions


def main() -> int:
    """Filter."""
    if len(sys.argv) != 5:
        print(__doc__, file=sys.stderr)
        return 2
    urls, robots_txt, agent, out = sys.argv[1:]
    spark = SparkSession.builder.appName("robots").getOrCreate()
    robots = Functions(spark)
    # A row for each site: of its newest capture, or of the newest that was reached. Redirects are followed.
    images = robots.images(spark.read.format("robots_warc").load(robots_txt), agent)
    answers = robots.answer_urls(spark.read.parquet(urls), images, column="answer")
    answers.write.mode("overwrite").parquet(out)
    counts = spark.read.parquet(out).groupBy("answer").count()
    for row in counts.orderBy("answer").collect():
        print(f"{row['answer']:12} {row['count']}")
    spark.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
