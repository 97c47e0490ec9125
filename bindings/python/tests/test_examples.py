"""The programs of examples/python, on an archive as Common Crawl publishes it."""

from __future__ import annotations

import csv
import gzip
import io
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from site_of_tests import ROOT, Site
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

import librobots

EXAMPLES = ROOT / "examples" / "python"
BODY = (ROOT / "examples" / "data" / "robots.txt").read_bytes()
CLOSED = b"User-agent: *\nDisallow: /\nCrawl-delay: 3\n"


Captures = list[tuple[str, str, list[tuple[str, str]], bytes]]
SEVEN: Captures = [
    ("https://tea.example/robots.txt", "200 OK", [("Content-Encoding", "gzip")], gzip.compress(BODY)),
    ("https://closed.example/robots.txt", "200 OK", [], CLOSED),
    ("http://old.example/robots.txt", "301 Moved", [("Location", "https://new.example/robots.txt")], b""),
    ("https://new.example/robots.txt", "200 OK", [("Content-Length", str(len(CLOSED)))], CLOSED),
    ("https://lost.example/robots.txt", "302 Found", [("Location", "https://elsewhere.example/")], b""),
    ("https://none.example/robots.txt", "404 Not Found", [], b"<html>"),
    ("https://down.example/robots.txt", "503 Busy", [("Retry-After", "60")], b""),
]


def write(path: Path, captures: Captures = SEVEN) -> None:
    """Write the captures of sites, and a request."""
    with path.open("wb") as file:
        writer = WARCWriter(file, gzip=path.suffix == ".gz")
        for url, status, headers, body in captures:
            head = StatusAndHeaders(status, headers, protocol="HTTP/1.1")
            writer.write_record(writer.create_warc_record(url, "response", payload=io.BytesIO(body), http_headers=head))
        request = io.BytesIO(b"GET /\r\n")
        writer.write_record(writer.create_warc_record("https://x.example/", "request", payload=request))


def run(*arguments: object) -> str:
    command = [sys.executable, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=300).stdout


def test_parquet_as_csv(tmp_path: Path) -> None:
    bodies = [b'User-agent: *\r\nDisallow: /\xff,"x"\n', "Allow: /\u30c4".encode()]
    table = pa.table({"body": bodies, "other": [1, 2], "url": ["http://a/", "http://b/"], "status": [200, 404]})
    pq.write_table(table, tmp_path / "robots.parquet")
    command = [sys.executable, EXAMPLES / "parquet_to_csv.py", tmp_path / "robots.parquet"]
    out = subprocess.run(command, capture_output=True, check=True, timeout=60).stdout
    rows = list(csv.reader(io.StringIO(out.decode("utf-8", "surrogateescape"), newline="")))
    assert rows[0] == ["url", "status", "body"]
    assert [row[:2] for row in rows[1:]] == [["http://a/", "200"], ["http://b/", "404"]]
    assert [row[2].encode("utf-8", "surrogateescape") for row in rows[1:]] == bodies


def test_pages_with_requests() -> None:
    """What the example prints; what it makes of responses: tests/wire."""
    site = Site("plain", "missing", "overrun")
    urls = [at + path for at in site.at.values() for path in ("about.html", "x/../private/")]
    command = [sys.executable, EXAMPLES / "fetch_pages.py", "ExampleBot", *urls, "gopher://a/", "no-url"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 1
    assert [site.pages(kind) for kind in site.at] == [{"/about.html"}, {"/about.html", "/private/"}, set()], done.stderr
    assert f"{site.at['plain']}private/: forbidden" in done.stderr
    assert f"{site.at['overrun']}about.html: not before " in done.stderr
    assert f"{site.at['overrun']}about.html: forbidden" not in done.stderr


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, dict[str, str]]:
    """Compile an archive, and write a table of URLs. Return both paths, and the answer to each URL."""
    folder = tmp_path_factory.mktemp("tables")
    images, urls = folder / "images.parquet", folder / "urls"
    write(folder / "a.warc.gz")
    said = run(EXAMPLES / "compile_robots.py", "ExampleBot", images, folder / "a.warc.gz")
    wanted_counts = {"sites": 6, "unreachable": 1, "without_file": 1, "captures": 7, "redirects_lost": 1}
    assert said == f"{librobots.SiteCounts(*[0] * 12)._replace(**wanted_counts)}\n"
    rules = librobots.Crawler("ExampleBot").parse(BODY)
    lines = (ROOT / "examples" / "data" / "urls.txt").read_text().split()
    tea = [f"https://tea.example{line}" if line.startswith("/") else line for line in lines]
    tea = [url for url in tea if url.startswith("https://tea.example/")]
    wanted = {url: "allowed" if rules.is_allowed(url) else "disallowed" for url in tea}
    wanted |= {
        "HTTPS://None.example:443/a": "allowed",
        "https://closed.example/": "disallowed",
        "http://old.example/": "disallowed",
        "https://down.example/": "unreachable",
        "https://lost.example/": "no_capture",
        "https://other.example/": "no_capture",
        "no-url": "bad_url",
    }
    assert len(set(wanted.values())) == 5
    assert sum(answer == "allowed" for answer in wanted.values()) > 5
    urls.mkdir()
    rows = [*wanted, None]
    for part in (0, 1):
        table = pa.table({"url": rows[part::2], "row": range(part, len(rows), 2)})
        pq.write_table(table, urls / f"{part}.parquet")
    return images, urls, wanted


def test_common_crawl(tables: tuple[Path, Path, dict[str, str]], tmp_path: Path) -> None:
    images, urls, wanted = tables
    said = run(EXAMPLES / "filter_urls.py", "ExampleBot", images, urls, tmp_path / "allowed.parquet")
    kept = pq.read_table(tmp_path / "allowed.parquet")
    assert set(kept["url"].to_pylist()) == {url for url, answer in wanted.items() if answer == "allowed"}
    assert kept.column_names == ["url", "row"]
    assert said.startswith(f"TableCounts(urls={len(wanted) + 1}, kept={kept.num_rows}, allowed={kept.num_rows}, ")


def test_polars(tables: tuple[Path, Path, dict[str, str]]) -> None:
    images, urls, wanted = tables
    rows = list(
        csv.DictReader(run(EXAMPLES / "filter_polars.py", "ExampleBot", images, urls / "*.parquet").splitlines())
    )
    waiting = {url.rstrip("/"): answer for url, answer in wanted.items() if answer in ("unreachable", "no_capture")}
    assert {row["origin"]: row["answer"] for row in rows} == waiting


def test_duckdb(tables: tuple[Path, Path, dict[str, str]]) -> None:
    images, urls, wanted = tables
    counts = Counter([*wanted.values(), "bad_url"])  # and a null
    assert run(EXAMPLES / "filter_duckdb.py", "ExampleBot", images, urls / "*.parquet") == "".join(
        f"{answer} {counts[answer]}\n" for answer in sorted(counts)
    )


def test_dask(tables: tuple[Path, Path, dict[str, str]], tmp_path: Path) -> None:
    images, urls, wanted = tables
    said = run(EXAMPLES / "filter_dask.py", "ExampleBot", images, urls, tmp_path / "allowed")
    assert len(said.splitlines()) == 2
    kept = pq.read_table(tmp_path / "allowed")
    assert set(kept["url"].to_pylist()) == {url for url, answer in wanted.items() if answer == "allowed"}
