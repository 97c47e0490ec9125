"""Compiles the robots.txt captures of Common Crawl for one crawler, to a Parquet file with a row for each site.

Usage: compile_robots.py TOKEN ROBOTS.parquet FILE.warc.gz...

Common Crawl publishes the captures of each crawl as WARC files, in `crawl-data/CC-MAIN-.../segments/.../robotstxt/`. The
columns of the result: origin, image (the compiled rules), kind and cause of the outcome, crawl_delay in seconds, fetched_at
in seconds since 1970. filter_urls.py reads it. Needs warcio and pyarrow.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq
from warcio.archiveiterator import ArchiveIterator

import librobots
from librobots import Failure, Step

SCHEMA = pa.schema(
    {
        "origin": pa.string(),
        "image": pa.binary(),
        "kind": pa.string(),
        "cause": pa.string(),
        "crawl_delay": pa.float64(),
        "fetched_at": pa.int64(),
    }
)


class Capture(NamedTuple):
    """A response of the archive."""

    time: float
    status: int
    headers: list[tuple[str, str]]
    body: bytes


def captures(paths: list[str]) -> Iterator[tuple[str, Capture]]:
    """Return the responses of WARC files with their URLs."""
    for path in paths:
        with open(path, "rb") as file:
            for record in ArchiveIterator(file):
                if record.rec_type != "response" or record.http_headers is None:
                    continue
                url = record.rec_headers.get_header("WARC-Target-URI")
                time = datetime.fromisoformat(record.rec_headers.get_header("WARC-Date").replace("Z", "+00:00"))
                status = record.http_headers.get_statuscode()
                # The reader undoes the codings, so the length of the encoded body says nothing.
                headers = [
                    (name, value) for name, value in record.http_headers.headers if name.lower() != "content-length"
                ]
                body = record.content_stream().read()
                yield (
                    url,
                    Capture(
                        time.timestamp(),
                        int(status) if status.isdigit() else 0,
                        headers,
                        body,
                    ),
                )


def outcome_of(crawler: librobots.Crawler, url: str, archive: dict[str, Capture]) -> librobots.Outcome:
    """Return the outcome of the site of a URL, as if its robots.txt were fetched: the archive answers."""
    now = archive[url].time
    fetch = librobots.Fetch(crawler, url, now=now)
    while fetch.step == Step.GET:
        answer = archive.get(fetch.url)
        if answer is None:
            fetch.fail(Failure.OTHER, now=now)
            break
        fetch.status(answer.status, now=now)
        for name, value in answer.headers:
            fetch.header(name, value)
        if fetch.headers_end() == Step.BODY and fetch.body(answer.body) == Step.BODY:
            fetch.end()
    assert fetch.outcome is not None
    return fetch.outcome


def rows(crawler: librobots.Crawler, archive: dict[str, Capture]) -> Iterator[dict[str, object]]:
    """Return a row for each site whose own robots.txt is in the archive."""
    for url in archive:
        try:
            origin = librobots.Origin(url)
        except librobots.UrlError:
            continue
        if url != origin.robots_url:
            continue  # the target of a redirect
        outcome = outcome_of(crawler, url, archive)
        rules = outcome.rules()
        if rules is not None:
            yield {
                "origin": origin.key,
                "image": rules.image,
                "kind": outcome.kind.name,
                "cause": outcome.cause.name,
                "crawl_delay": rules.crawl_delay,
                "fetched_at": outcome.fetched_at,
            }


def main() -> None:
    """Compile."""
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    token, target, *paths = sys.argv[1:]
    # A later capture of the same URL replaces an earlier one.
    archive = dict(captures(paths))
    table = pa.Table.from_pylist(list(rows(librobots.Crawler(token), archive)), schema=SCHEMA)
    pq.write_table(table, target, compression="zstd")
    print(
        f"{len(archive)} captures, {table.num_rows} sites, {sum(map(len, table['image'].to_pylist()))} bytes of rules"
    )


if __name__ == "__main__":
    main()
