"""Filters tables of URLs on Apache Spark, classic and Connect, 3.5 and 4.

With the jar of librobots, which ``spark.jars.packages`` loads, the driver needs this package and the workers nothing::

    from librobots.spark import Functions

    robots = Functions(spark)
    images = robots.images(spark.read.parquet("captures"), "ExampleBot")  # captures: as for librobots.compile_table
    answers = robots.answer_urls(spark.read.parquet("urls"), images)  # with a column `robots`: allowed, disallowed ...

Where no jar can be loaded, the workers need this package and pyarrow. The rules of all sites go to each of them, about 1 KB a
site::

    from librobots.spark import filter_urls

    allowed = filter_urls(spark.read.parquet("urls"), captures, "ExampleBot", on_missing="disallow")

No function uses the JVM of the driver, which Spark Connect forbids.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib import import_module
from itertools import islice
from typing import TYPE_CHECKING, Any, Optional, overload
from uuid import uuid4

from pyspark.sql.functions import call_function, col, lit, when  # type: ignore[import-not-found, import-untyped, unused-ignore]
from pyspark.sql.types import StringType, StructField, StructType  # type: ignore[import-not-found, import-untyped, unused-ignore]

from ._enums import Purpose
from ._errors import ArgumentError
from ._librobots import Sites, __version__
from ._tables import AGENT, CAPTURES, IMAGES, _crawler, _missing_allowed, compile_table, filter_table, filter_tables
from ._types import SiteCounts

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-not-found, import-untyped, unused-ignore]
    from pyspark.sql import Column, DataFrame, SparkSession  # type: ignore[import-not-found, import-untyped, unused-ignore]

    from ._tables import Agent, OnMissing

__all__ = ["Functions", "answer_urls", "compile_sites", "filter_urls"]

#: The class of the catalog of the jar.
CATALOG = "io.github.librobots.spark.RobotsCatalog"


@overload
def compile_sites(robots: DataFrame, agent: Agent) -> Sites: ...
@overload
def compile_sites(robots: DataFrame, agent: None) -> Sites: ...
def compile_sites(robots: DataFrame, agent: Optional[Agent] = None) -> Sites:
    """Compile a table of captures, or of images, for a crawler: as :func:`librobots.compile_table`, on the driver.

    Use the result for several tables of URLs. One partition at a time is read.
    """
    wanted = (*IMAGES, AGENT) if set(IMAGES) <= set(robots.columns) else CAPTURES
    names = [name for name in wanted if name in robots.columns]
    if not names:
        raise ArgumentError(
            f"the table of robots.txt has the columns {', '.join(robots.columns)}: see librobots.compile_table"
        )
    rows = robots.select(*names).toLocalIterator(prefetchPartitions=True)
    return compile_table(_tables(rows, names), agent)


def _tables(rows: Iterable[Any], names: list[str]) -> Iterator[dict[str, list[Any]]]:
    """Return rows as tables of 4,096 rows."""
    rows = iter(rows)
    while batch := list(islice(rows, 4096)):
        yield {name: [_plain(row[name]) for row in batch] for name in names}


def _plain(value: Any) -> Any:
    return bytes(value) if isinstance(value, bytearray) else value


@overload
def filter_urls(
    urls: DataFrame, robots: Sites, agent: Optional[Agent] = None, *, on_missing: OnMissing, url_column: str = "url"
) -> DataFrame: ...
@overload
def filter_urls(
    urls: DataFrame,
    robots: DataFrame | Sites,
    agent: Optional[Agent],
    on_missing: OnMissing,
    *,
    url_column: str = "url",
) -> DataFrame: ...
def filter_urls(
    urls: DataFrame,
    robots: DataFrame | Sites,
    agent: Optional[Agent] = None,
    on_missing: Optional[OnMissing] = None,
    *,
    url_column: str = "url",
) -> DataFrame:
    """Return the rows whose URLs a crawler may fetch, with their columns.

    ``robots``: the captures or the images, or the result of :func:`compile_sites`. The other arguments are those of
    :func:`librobots.filter_table`. The captures are compiled, and all arguments are checked, before the function returns.
    """
    _require_column(urls, url_column)
    missing: OnMissing = "allow" if _missing_allowed(on_missing) else "disallow"
    sites = _sites(robots, agent)

    def kept(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for found in filter_tables(batches, sites, None, missing, url_column=url_column):
            yield found.table

    return urls.mapInArrow(kept, urls.schema)


@overload
def answer_urls(
    urls: DataFrame, robots: Sites, agent: Optional[Agent] = None, *, url_column: str = "url", column: str = "robots"
) -> DataFrame: ...
@overload
def answer_urls(
    urls: DataFrame, robots: DataFrame, agent: Optional[Agent], *, url_column: str = "url", column: str = "robots"
) -> DataFrame: ...
def answer_urls(
    urls: DataFrame,
    robots: DataFrame | Sites,
    agent: Optional[Agent] = None,
    *,
    url_column: str = "url",
    column: str = "robots",
) -> DataFrame:
    """Return all rows with one more column: ``allowed``, ``disallowed``, ``unreachable``, ``no_capture`` or ``bad_url``.

    ``unreachable`` is no ban: check the URL again later. Raises ``ArgumentError`` if the table has the column already.
    """
    _require_column(urls, url_column)
    if column.lower() in (name.lower() for name in urls.columns):
        raise ArgumentError(f"the table of URLs has a column {column!r}: rename it, or pass another name as column")
    sites = _sites(robots, agent)

    def answered(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        pa = import_module("pyarrow")  # on the worker
        for batch in batches:
            found = filter_table(batch, sites, None, "disallow", url_column=url_column)
            answers = pa.record_batch(found.answers).column("answer").cast(pa.string())
            yield pa.RecordBatch.from_arrays([*batch.columns, answers], [*batch.schema.names, column])

    return urls.mapInArrow(answered, StructType([*urls.schema.fields, StructField(column, StringType())]))


def _sites(robots: DataFrame | Sites, agent: Optional[Agent]) -> Sites:
    if not isinstance(robots, Sites):
        return compile_sites(robots, agent)
    if agent is not None:
        robots._require(_crawler(agent))
    return robots


def _require_column(urls: DataFrame, name: str) -> None:
    if name not in urls.columns:
        raise ArgumentError(
            f"the table has no column {name!r}; its columns are {', '.join(urls.columns)}: name one of them"
        )
    if not isinstance(urls.schema[name].dataType, StringType):
        raise ArgumentError(
            f"the column {name!r} is {urls.schema[name].dataType.simpleString()}: pass a column of strings"
        )


class Functions:
    """The SQL functions of the jar of librobots, for DataFrames.

    The server needs the jar. Set it before the session starts::

        spark.jars.packages      io.github.librobots:librobots-spark:0.1.0
        spark.jars.repositories  file:///path/to/maven

    The folder ``maven`` is in each release. ``spark.jars`` with the path of ``librobots-spark-0.1.0-all.jar`` needs no
    repository. The class registers the catalog, so
    that ``robots.allowed(image, url)`` is also a function of SQL::

        robots = Functions(spark)
        images = robots.images(captures, "ExampleBot")
        joined = urls.join(images, images.origin == robots.origin(urls.url), "left")
        joined.withColumn("robots", robots.answer("image", "url"))

    ``catalog``: the name in SQL. Raises ``ArgumentError`` if the server lacks the jar, or another class has this name.
    """

    def __init__(self, spark: SparkSession, catalog: str = "robots") -> None:
        key = f"spark.sql.catalog.{catalog}"
        other = spark.conf.get(key, None)
        if other not in (None, CATALOG):
            raise ArgumentError(f"{key} is {other}: pass another name as catalog")
        spark.conf.set(key, CATALOG)
        try:
            spark.sql(f"SELECT {catalog}.origin('https://example.com/')").collect()
        except Exception as error:
            raise ArgumentError(
                "the server has no jar of librobots: set spark.jars.packages to "
                f"io.github.librobots:librobots-spark:{__version__} and spark.jars.repositories to the Maven repository of "
                "the release, or use filter_urls, which needs none"
            ) from error
        self._spark = spark
        self._catalog = catalog

    def _call(self, name: str, *arguments: Column | str) -> Column:
        return call_function(f"{self._catalog}.{name}", *arguments)

    def origin(self, url: Column | str) -> Column:
        """Return the key of the site, to join with; null for text without one."""
        return self._call("origin", url)

    def robots_url(self, url: Column | str) -> Column:
        """Return the URL of the robots.txt that governs the URL."""
        return self._call("robots_url", url)

    def url_to_send(self, url: Column | str) -> Column:
        """Return the form of a URL to be checked and then sent, as :func:`librobots.url_to_send`; null for what is no URL."""
        return self._call("url_to_send", url)

    def allowed(self, image: Column | str, url: Column | str) -> Column:
        """Return whether the URL may be fetched: false for a ban and for an outage; null for text that is no URL."""
        return self._call("allowed", image, url)

    def answer(self, image: Column | str, url: Column | str) -> Column:
        """Return ``allowed``, ``disallowed``, ``unreachable`` or ``bad_url``; null for an image that is null."""
        return self._call("answer", image, url)

    def verdict(self, image: Column | str, url: Column | str) -> Column:
        """Return a structure: ``allowed``, ``reason`` and ``line``."""
        return self._call("verdict", image, url)

    def crawl_delay(self, image: Column | str) -> Column:
        """Return the crawl-delay in seconds; null if there is none."""
        return self._call("crawl_delay", image)

    def sitemaps(self, image: Column | str) -> Column:
        """Return the sitemaps as an array."""
        return self._call("sitemaps", image)

    def is_valid(self, image: Column | str) -> Column:
        """Return whether the image is undamaged."""
        return self._call("is_valid", image)

    def compile(self, agent: str, body: Column | str, options: str = "") -> Column:
        """Return the image of a robots.txt for a product token, or several that commas separate."""
        return self._call("compile", lit(agent), body, lit(options))

    def outcome(self, agent: str, status: Column | str, body: Column | str, options: str = "") -> Column:
        """Return the image of a response, also of 404 or 503."""
        return self._call("outcome", lit(agent), status, body, lit(options))

    def use_for(
        self,
        agent: str,
        body: Column | str,
        headers: Column | str,
        url: Column | str,
        purpose: Purpose | str,
        *,
        options: str = "",
    ) -> Column:
        """Return a structure: ``use`` (may the page be used for a purpose?), and what decides: ``source``, ``line``, ``text``.

        ``body``: the robots.txt that was current when the page was fetched; null if it is not known. ``headers``: those of the
        page, a map of strings; null if they are not known. With a null the use is never ``allowed``.
        """
        name = purpose.name if isinstance(purpose, Purpose) else purpose
        return self._call("use_for", lit(agent), body, headers, url, lit(name), lit(options))

    def doubt(self, body: Column | str) -> Column:
        """Return why a body is perhaps not the robots.txt of its site, as :func:`librobots.body_doubt`: null for most."""
        return self._call("doubt", body)

    def images(self, captures: DataFrame, agent: str, options: str = "") -> DataFrame:
        """Return a row for each site of a table of captures: ``origin`` and ``image``.

        Each read compiles the captures again: write a table.
        """
        return self._read(captures, agent, options, "images")

    def counts(self, captures: DataFrame, agent: str, options: str = "") -> SiteCounts:
        """Return what the captures are, as ``compile_sites(captures, agent).counts``: a mistake in them usually shows.

        All bodies are examined, which takes much longer than to compile them.
        """
        (row,) = self._read(captures, agent, options, "counts").collect()
        return SiteCounts(*row)

    def _read(self, captures: DataFrame, agent: str, options: str, result: str) -> DataFrame:
        # The view is read with each action, so no other call may replace it.
        view = f"librobots_captures_{uuid4().hex}"
        captures.createOrReplaceTempView(view)
        source = self._spark.read.format("robots_images").option("captures", view).option("agent", agent)
        source = source.option("result", result)
        return (source.option("options", options) if options else source).load()

    def answer_urls(
        self, urls: DataFrame, images: DataFrame, *, url_column: str = "url", column: str = "robots"
    ) -> DataFrame:
        """Return all rows with one more column, as :func:`answer_urls` does, by a left join with the images."""
        _require_column(urls, url_column)
        if column.lower() in (name.lower() for name in urls.columns):
            raise ArgumentError(f"the table of URLs has a column {column!r}: rename it, or pass another name as column")
        key, image = "__robots_origin", "__robots_image"
        right = images.select(self.origin("origin").alias(key), col("image").alias(image))
        origin = self.origin(col(url_column))
        joined = urls.join(right.hint("broadcast"), origin == col(key), "left")
        answer = when(origin.isNull(), lit("bad_url")).when(col(image).isNull(), lit("no_capture"))
        answer = answer.otherwise(self.answer(col(image), col(url_column)))
        return joined.withColumn(column, answer).drop(key, image)
