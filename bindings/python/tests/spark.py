"""The module librobots.spark and the example for PySpark: classic, or on a Connect server of this machine.

Usage: spark.py classic|connect [REPOSITORY], with PySpark and a Java. REPOSITORY is a Maven repository of the release, from
which `spark.jars.packages` takes the jar; then its functions are compared, too. All answers are those of filter_table.
"""

from __future__ import annotations

import os
import random
import shutil
import sys
import tempfile
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import DataFrame, SparkSession
from test_examples import EXAMPLES, run, write

import librobots
from librobots import ArgumentError
from librobots.spark import Functions, answer_urls, compile_sites, filter_urls

SITES = ("tea", "closed", "none", "down", "lost", "other")
PATHS = ("/", "/private/diary", "/teas/oolong.html?cup=1&milk=no", "/caf\u00e9", "/a b", "")


def url_table() -> pa.Table:
    """Return URLs of all sites, in disorder."""
    every = [f"{scheme}{site}.example{path}" for site in SITES for path in PATHS for scheme in ("https://", "HTTPS://")]
    every += ["no-url", "", "/", None]
    pick = random.Random(0)
    return pa.table({"row": range(4_000), "url": [pick.choice(every) for _ in range(4_000)]})


def rows(table: DataFrame) -> list[tuple[object, ...]]:
    return sorted(tuple(row) for row in table.collect())


def refused(text: str, call) -> None:
    """Assert that a call raises ``ArgumentError`` with a text, before any task runs."""
    try:
        call()
    except ArgumentError as error:
        assert text in str(error), error
    else:
        raise AssertionError(f"no error with {text!r}")


def check(spark: SparkSession, urls: pa.Table, images: Path, has_jar: bool) -> int:
    """Compare, and return the number of comparisons."""
    table = spark.createDataFrame(
        [tuple(row.values()) for row in urls.to_pylist()], "row bigint, url string"
    ).repartition(3)
    captures = spark.createDataFrame(
        [("https://tea.example/robots.txt", 200, bytearray(b"User-agent: *\nDisallow: /private\n"), 1),
         ("https://tea.example/robots.txt", 200, bytearray(b"User-agent: *\nDisallow: /\n"), 0),
         ("https://down.example/robots.txt", None, None, 0)],
        "url string, status int, body binary, date int",
    )  # fmt: skip
    of_images = spark.read.parquet(str(images))
    counted = 0
    sites = compile_sites(of_images, "ExampleBot")
    for robots, agent in ((captures, "ExampleBot"), (of_images, "ExampleBot"), (sites, None)):
        local = robots if isinstance(robots, librobots.Sites) else compile_sites(robots, agent)
        for on_missing in ("allow", "disallow"):
            wanted = librobots.filter_table(urls, local, None, on_missing)
            kept = filter_urls(table, robots, agent, on_missing)
            assert kept.schema == table.schema
            assert rows(kept) == sorted(tuple(row.values()) for row in wanted.table.to_pylist())
            assert 200 < wanted.counts.kept < 3_800, wanted.counts
            counted += 1
        answers = pa.table(wanted.answers)["answer"].to_pylist()
        all_rows = [(*row.values(), answer) for row, answer in zip(urls.to_pylist(), answers)]
        found = answer_urls(table, robots, agent)
        assert found.columns == ["row", "url", "robots"]
        assert [tuple(row) for row in found.orderBy("row").collect()] == all_rows
        counted += 1
    refused("no column 'link'", lambda: filter_urls(table, captures, "ExampleBot", "allow", url_column="link"))
    refused("column 'row' is bigint", lambda: answer_urls(table, captures, "ExampleBot", url_column="row"))
    refused("on_missing=None", lambda: filter_urls(table, captures, "ExampleBot"))
    assert sites.agent == "ExampleBot"
    refused("compiled for ExampleBot: pass that crawler", lambda: filter_urls(table, of_images, on_missing="allow"))
    refused("compiled for ExampleBot, not for Other", lambda: filter_urls(table, of_images, "Other", "allow"))
    refused("column 'URL'", lambda: answer_urls(table, sites, column="URL"))
    refused("no column status", lambda: filter_urls(table, table, "ExampleBot", "allow"))
    if not has_jar:
        refused("the server has no jar", lambda: Functions(spark))
        return counted + 9
    robots = Functions(spark)
    found = robots.answer_urls(table, of_images)
    assert [tuple(row) for row in found.orderBy("row").collect()] == all_rows
    by_jar = robots.images(captures, "ExampleBot")
    assert robots.counts(captures, "ExampleBot") == compile_sites(captures, "ExampleBot").counts
    assert [row[0] for row in captures.select(robots.doubt("body")).distinct().collect()] == [None]
    robots.images(
        of_images.limit(0).selectExpr("origin AS url", "1 AS status", "image AS body"), "Other"
    )  # another view
    wanted = pa.table(librobots.filter_table(urls, compile_sites(captures, "ExampleBot"), None, "disallow").answers)
    assert [row["robots"] for row in robots.answer_urls(table, by_jar).orderBy("row").collect()] == wanted[
        "answer"
    ].to_pylist()
    one = (
        table.where("url = 'https://tea.example/private/diary'").limit(1).crossJoin(by_jar.where("origin LIKE '%tea%'"))
    )
    row = one.select(
        robots.origin("url"),
        robots.robots_url("url"),
        robots.allowed("image", "url"),
        robots.verdict("image", "url")["line"],
        robots.is_valid("image"),
        robots.crawl_delay("image"),
        robots.sitemaps("image"),
    ).first()
    assert tuple(row) == ("https://tea.example", "https://tea.example/robots.txt", False, 2, True, None, []), row
    refused("pass another name as catalog", lambda: taken(spark))
    return counted + 15


def taken(spark: SparkSession) -> None:
    spark.conf.set("spark.sql.catalog.other", "com.example.Other")
    Functions(spark, "other")


def main() -> None:
    """Compare."""
    if len(sys.argv) < 2 or sys.argv[1] not in ("classic", "connect"):
        sys.exit(__doc__)
    mode, *repositories = sys.argv[1:]
    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    builder = SparkSession.builder.config("spark.ui.enabled", "false").config("spark.sql.shuffle.partitions", "3")
    cache = tempfile.mkdtemp()  # a cache of Ivy would keep the jar of an earlier build
    packages = {
        "spark.jars.packages": f"io.github.librobots:librobots-spark:{librobots.__version__}",
        "spark.jars.repositories": "".join(Path(folder).absolute().as_uri() for folder in repositories),
        "spark.jars.ivy": cache,
    }
    for key, value in packages.items() if repositories else ():
        builder = builder.config(key, value)
    builder = builder.master("local[2]") if mode == "classic" else builder.remote("local[2]")
    spark = builder.getOrCreate()
    assert ("connect" in type(spark).__module__) == (mode == "connect"), type(spark)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(folder / "a.warc.gz")
        run(EXAMPLES / "compile_robots.py", "ExampleBot", folder / "images", folder / "a.warc.gz")
        urls = url_table()
        passed = check(spark, urls, folder / "images", bool(repositories))
        version = spark.version
        spark.stop()
        if mode == "classic":
            pq.write_table(urls, folder / "urls")
            run(EXAMPLES / "filter_urls.py", "ExampleBot", folder / "images", folder / "urls", folder / "wanted")
            run(EXAMPLES / "spark_filter.py", "ExampleBot", folder / "images", folder / "urls", folder / "found")
            wanted, found = (pq.read_table(folder / part).sort_by("row") for part in ("wanted", "found"))
            assert wanted.equals(found.cast(wanted.schema))
            passed += 1
        if mode == "classic" and repositories:
            settings = {**packages, "spark.sql.shuffle.partitions": 3}
            options = " ".join(f"--conf {key}={value}" for key, value in settings.items())
            os.environ["PYSPARK_SUBMIT_ARGS"] = f"{options} pyspark-shell"
            example = EXAMPLES.parent / "spark" / "filter_urls.py"
            said = run(example, folder / "urls", folder / "a.warc.gz", "ExampleBot", folder / "answers")
            found = pq.read_table(folder / "answers").sort_by("row")
            wanted = librobots.filter_table(urls, pq.read_table(folder / "images"), "ExampleBot", "disallow")
            assert found["answer"].to_pylist() == pa.table(wanted.answers)["answer"].to_pylist()
            assert f"allowed {wanted.counts.allowed}" in " ".join(said.split()), said
            passed += 2
    shutil.rmtree(cache)
    print(f"python-spark: {passed} passed, 0 failed (Spark {version}, {mode})")


if __name__ == "__main__":
    main()
