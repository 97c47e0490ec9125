"""Filters a table of URLs by captures of robots.txt, on Spark, with the SQL functions of librobots.

Usage: spark-submit --jars librobots-spark-0.1.0-all.jar filter_urls.py URLS ROBOTS AGENT OUT

URLS is a Parquet table with a column `url`. ROBOTS are WARC files with captures of robots.txt, such as a folder `robotstxt/`
of Common Crawl. AGENT is the product token of the crawler. OUT receives each URL with a column `answer`: allowed,
disallowed, unreachable (no ban: check it again later), no_capture or bad_url.
"""

from __future__ import annotations

import sys

from pyspark.sql import DataFrame, SparkSession


def compile_images(spark: SparkSession, robots: str, agent: str) -> DataFrame:
    """Returns a table with a row for each site: origin and image.

    The image is that of the newest capture. Redirects are followed, and an older capture holds if the site was
    unreachable later.
    """
    captures = spark.read.format("robots_warc").load(robots)
    robots_filter = spark._jvm.io.github.librobots.spark.RobotsFilter.forAgent(agent)
    return DataFrame(robots_filter.images(captures._jdf), spark)


def main() -> int:
    if len(sys.argv) != 5:
        print(__doc__, file=sys.stderr)
        return 2
    urls, robots, agent, out = sys.argv[1:]
    spark = (
        SparkSession.builder.appName("robots")
        .config("spark.sql.catalog.robots", "io.github.librobots.spark.RobotsCatalog")
        .getOrCreate()
    )
    spark.read.parquet(urls).createOrReplaceTempView("urls")
    compile_images(spark, robots, agent).createOrReplaceTempView("images")
    answers = spark.sql(
        """
        SELECT /*+ BROADCAST(images) */ urls.*,
            CASE WHEN robots.origin(url) IS NULL THEN 'bad_url'
                 WHEN image IS NULL THEN 'no_capture'
                 ELSE robots.answer(image, url) END AS answer
        FROM urls LEFT JOIN images ON images.origin = robots.origin(url)
        """
    )
    answers.write.mode("overwrite").parquet(out)
    counts = spark.read.parquet(out).groupBy("answer").count()
    for row in counts.orderBy("answer").collect():
        print(f"{row['answer']:12} {row['count']}")
    spark.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
