"""Compares librobots.filter_table with RobotsFilter of the jar, row by row, and prints the time of each.

Usage: spark_rows.py JAR [URLS [SITES]]; default: 50,000 URLs of 500 sites. Both write their results as Parquet; Spark joins
them by the number of the row and counts the differences: answer, origin, allowed, reason and line. The images of both are
compared, too. `make bench-tables` compares 1,000,000 URLs of 2,000 sites. It needs PySpark and a Java.
"""

from __future__ import annotations

import contextlib
import gzip
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import DataFrame, SparkSession

import librobots
from librobots.spark import filter_urls

AGENT = "ExampleBot"


def words(text: str) -> list[str]:
    return text.split("|")


WORDS = words(
    "private|a b|caf\u00e9|%7Ejoe|~joe|x|*|page.html|\u30c4|%2f|%2F|%zz|admin|;a=b|..|.||%2e%2e|q?x=1&y=%20|x#y"
)
WORDS += words("a\\b|caf%C3%A9|$|\U0001f375")
BAD = words(
    "|no url|mailto:joe@example.com|/path|//host/x|http://|https://host:99999/|javascript:x|https://[::1/|http:///x"
)
BAD += words("https://a b.example/|\x00|ftp.example/robots.txt|https://%zz.example/|HTTPS:/one-slash")
STATUSES = [*[200] * 6, *(404, 403, 401, 503, 429, 204, 206, 301, 302, 410, 500, 0, None, 999, -1, 70_000)]
SITES = words(
    "http://Site{}.example:8080|https://s\u00efte{}.example|https://www.site{}.example|http://site{}.example."
)
SITES += words("https://site{}.example|https://10.0.0.{}|https://[2001:db8::{}]|ftp://site{}.example")
SITES += words("HTTPS://SITE{}.Example:443")
AGENTS = words("User-agent: *|user-agent:ExampleBot|USER-AGENT : examplebot/2.0|User-agent: Other")
RULES = words("Disallow: /|Disallow: /|Allow: /|Disallow:|disallow:/*|Crawl-delay: |nonsense ")
KINDS = {"url": pa.string(), "origin": pa.string(), "status": pa.int32(), "body": pa.binary()}
KINDS |= {"date": pa.timestamp("us", "UTC"), "failure": pa.string(), "target": pa.string()}


def site(number: int) -> str:
    """Return the site as captures name it."""
    return SITES[number % 9].format(number if number % 9 != 5 else number % 256)


def path(pick: random.Random) -> str:
    return "/".join(pick.choice(WORDS) for _ in range(pick.randrange(1, 4)))


def file(pick: random.Random) -> bytes:
    """Return a robots.txt of any quality."""
    ending, lines = pick.choice(("\n", "\n", "\n", "\r\n", "\r")), [pick.choice(AGENTS)]
    for _ in range(pick.randrange(40)):
        rule = pick.choice(RULES)
        lines.append(rule + path(pick) + pick.choice(("", "", "", "$", "*", "/*.html$", " # why")))
    text = ending.join([*lines, "Sitemap: https://map.example/"]).encode()
    damaged = {0: b"\xef\xbb\xbf" + text, 1: gzip.compress(text), 2: text + b"\xff\xfe\n", 3: b"", 4: text + b"Disal"}
    damaged |= {5: text.replace(ending.encode(), b" "), 6: b"<html>"}
    return damaged.get(pick.randrange(20), text)


def captures(sites: int, pick: random.Random) -> pa.Table:
    """Return captures of most sites: of some several, some by `origin`, some redirects, some without a response."""
    rows: list[dict[str, Any]] = []
    for number in (number for number in range(sites) if number % 17 != 16):
        for day in range(pick.choice((1, 1, 1, 2, 3))):
            status, target = pick.choice(STATUSES), None
            if status in (301, 302):
                near = f"{site(pick.randrange(sites))}/robots.txt"
                target = pick.choice((near, "", "https://elsewhere.example/", "https://gone.example/", None, "no url"))
            row = {"url": None, "origin": None, "status": status, "target": target}
            if number % 5:
                row["url"] = f"{site(number)}/robots.txt" + pick.choice(("", "", " ", "#top"))
            else:
                row["origin"] = site(number) + pick.choice(("", "/", "/robots.txt"))
            row["body"] = None if status in (503, 404) else file(pick)
            row["date"] = datetime(2026, 2, 1, tzinfo=timezone.utc) + timedelta(days=pick.choice((day, 0)))
            row["failure"] = pick.choice((*[None] * 30, "TRUNCATED"))
            rows.append(row)
    rows.append({**rows[0], "url": "site.example/robots.txt", "origin": None})
    rows.append({**rows[0], "url": "https://elsewhere.example/", "origin": None, "status": 200, "body": b"<html>"})
    pick.shuffle(rows)
    return pa.Table.from_pylist(rows, schema=pa.schema(list(KINDS.items())))


def urls(count: int, sites: int, pick: random.Random) -> pa.Table:
    """Return URLs of all sites, in the forms that crawls have."""

    def url() -> str | None:
        kind = pick.randrange(100)
        if kind < 4:
            return pick.choice((None, *BAD))
        name = site(pick.randrange(3) if kind < 40 else pick.randrange(sites + sites // 20))
        if kind % 10 == 0:
            forms = (name.upper(), name + ".", name + ":443", name.replace("://", "://joe@"), name.replace("www.", ""))
            name = pick.choice(forms)
        if kind % 25 == 1:
            return name + pick.choice(("", "?", "#", "/robots.txt", "\\x", "?q=/private", " ", "\t/x", "/robots.txt?x"))
        return f"{name}/{path(pick)}{pick.randrange(100) or ''}"

    return pa.table(
        {"row": pa.array(range(count), pa.int64()), "url": pa.array((url() for _ in range(count)), pa.string())}
    )


def processors() -> float:
    """Return the processor seconds of this process and its descendants: Spark runs in some; 0 where there is no /proc."""
    used, parents = {}, {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # it has ended
            fields = stat.read_text().rpartition(")")[2].split()
            parents[int(stat.parent.name)] = int(fields[1])
            used[int(stat.parent.name)] = sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")

    def is_own(pid: int) -> bool:
        return pid == os.getpid() or (pid in parents and is_own(parents[pid]))

    return sum(seconds for pid, seconds in used.items() if is_own(pid))


def timed(rounds: int, **calls: Callable[[], Any]) -> None:
    """Print the seconds of the fastest call of each, on the clock and of the processors. The calls take turns."""
    best: dict[str, tuple[float, ...]] = {}
    for _ in range(rounds):
        for name, call in calls.items():
            start, used = time.perf_counter(), processors()
            call()
            found = (time.perf_counter() - start, processors() - used)
            best[name] = tuple(map(min, found, best.get(name, found)))
    first = next(iter(best.values()))
    for name, (clock, processor) in best.items():
        times = f"{clock / first[0]:.1f} and {processor / (first[1] or 1):.1f} times"
        print(f"{name}: {clock:.2f} s, processors {processor:.2f} s: {times} filter_table")


def main() -> None:
    """Compare."""
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    count, sites = (int(word) for word in (*sys.argv[2:4], *("50000", "500")[len(sys.argv[2:4]) :]))
    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    builder = (
        SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").config("spark.jars", sys.argv[1])
    )
    builder = builder.config("spark.sql.session.timeZone", "UTC").config("spark.driver.memory", "3g")
    # The default of 200 partitions is for clusters, and would measure the start of tasks.
    builder = builder.config("spark.sql.shuffle.partitions", "2").config("spark.ui.showConsoleProgress", "false")
    spark = builder.config("spark.sql.catalog.robots", "io.github.librobots.spark.RobotsCatalog").getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    with tempfile.TemporaryDirectory() as name:
        failures = compare(spark, Path(name), count, sites)
    spark.stop()
    print(f"python-spark rows: {5 * count} comparisons, {failures} differences (Spark {spark.version})")
    sys.exit(failures > 0)


def compare(spark: SparkSession, folder: Path, count: int, sites: int) -> int:
    """Return the number of differences."""
    pick = random.Random(1)
    pq.write_table(captures(sites, pick), folder / "captures")
    pq.write_table(urls(count, sites, pick), folder / "urls", row_group_size=100_000)
    # The class that the examples of Java use: the modules of Python do not need it.
    java = spark._jvm.io.github.librobots.spark  # type: ignore[union-attr]
    robots_filter = java.RobotsFilter.forAgent(AGENT)
    disallow = java.OnMissing.DISALLOW
    of_captures, of_urls = (spark.read.parquet(str(folder / part)) for part in ("captures", "urls"))

    def by_table() -> librobots.FilteredTable[pa.Table]:
        found = librobots.filter_table(
            pq.read_table(folder / "urls"), pq.read_table(folder / "captures"), AGENT, "disallow"
        )
        pq.write_table(found.table, folder / "kept")
        return found

    def by_jar() -> None:
        kept = robots_filter.allowed(of_urls._jdf, of_captures._jdf, disallow)
        DataFrame(kept, spark).write.mode("overwrite").parquet(str(folder / "kept-by-jar"))
        spark.catalog.clearCache()

    def by_workers() -> None:
        kept = filter_urls(of_urls, of_captures, AGENT, "disallow")
        kept.write.mode("overwrite").parquet(str(folder / "kept-by-workers"))

    timed(5, filter_table=by_table, RobotsFilter=by_jar, mapInArrow=by_workers)
    found = by_table()
    print(found.counts)
    print(found.sites.counts)

    assert tuple(DataFrame(robots_filter.counts(of_captures._jdf), spark).collect()[0]) == found.sites.counts
    assert all(found.sites.counts), found.sites.counts

    images = DataFrame(robots_filter.images(of_captures._jdf), spark)
    images.write.parquet(str(folder / "images"))
    wanted_images = {row["origin"]: row["image"] for row in pq.read_table(folder / "images").to_pylist()}
    own_images = {row["origin"]: row["image"] for row in pa.table(found.sites).to_pylist()}
    failures = sum(wanted_images.get(key) != own_images.get(key) for key in {*wanted_images, *own_images})
    print(f"{len(own_images)} images, {failures} differ from those of the jar")

    answers = pa.table(found.answers)
    plain = {name: answers[name].cast(pa.string()) for name in ("answer", "origin", "reason")}
    table = pq.read_table(folder / "urls").append_column("line", answers["line"].cast(pa.int64()))
    table = table.append_column("allowed", answers["allowed"])
    for column, values in plain.items():
        table = table.append_column(column, values)
    pq.write_table(table, folder / "found", row_group_size=100_000)
    DataFrame(robots_filter.answers(of_urls._jdf, of_captures._jdf), spark).createOrReplaceTempView("answers")
    spark.read.parquet(str(folder / "images")).createOrReplaceTempView("images")
    spark.sql(
        """
        SELECT answers.row, answers.url, answers.robots AS answer, robots.origin(url) AS origin,
            CASE WHEN answers.robots = 'bad_url' THEN NULL WHEN image IS NULL THEN false
                 ELSE robots.allowed(image, url) END AS allowed,
            nullif(robots.verdict(image, url).reason, 'BAD_URL') AS reason,
            coalesce(robots.verdict(image, url).line, 0) AS line
        FROM answers LEFT JOIN images ON images.origin = robots.origin(url)
        """
    ).write.parquet(str(folder / "wanted"))
    for part in ("found", "wanted"):
        spark.read.parquet(str(folder / part)).createOrReplaceTempView(part)
    columns = ("answer", "origin", "allowed", "reason", "line")
    differs = " OR ".join(f"NOT (found.{column} <=> wanted.{column})" for column in columns)
    joined = "FROM found FULL JOIN wanted ON found.row = wanted.row"
    sums = ", ".join(f"count_if(NOT (found.{column} <=> wanted.{column})) AS {column}" for column in columns)
    row = spark.sql(
        f"SELECT count_if(found.row IS NOT NULL AND wanted.row IS NOT NULL) AS rows, {sums} {joined}"
    ).first()
    print(row)
    assert row is not None
    assert row["rows"] == count, row
    for one in spark.sql(f"SELECT found.*, wanted.* {joined} WHERE {differs} LIMIT 20").collect():
        print(tuple(one))
    for part in ("kept-by-jar", "kept-by-workers"):
        failures += not pq.read_table(folder / part).sort_by("row").equals(pq.read_table(folder / "kept"))
    return failures + sum(row[column] for column in columns)


if __name__ == "__main__":
    main()
