"""The programs of examples/python, on an archive as Common Crawl publishes it."""

from __future__ import annotations

import csv
import gzip
import io
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from site_of_tests import OUTAGES, ROOT, served
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

import librobots

EXAMPLES = ROOT / "examples" / "python"
BODY = (ROOT / "examples" / "data" / "robots.txt").read_bytes()
CLOSED = b"User-agent: *\nDisallow: /\nCrawl-delay: 3\n"


def write(path: Path) -> None:
    """Write the captures of seven sites."""
    captures = [
        ("https://tea.example/robots.txt", "200 OK", [("Content-Encoding", "gzip")], gzip.compress(BODY)),
        ("https://closed.example/robots.txt", "200 OK", [], CLOSED),
        ("http://old.example/robots.txt", "301 Moved", [("Location", "https://new.example/robots.txt")], b""),
        ("https://new.example/robots.txt", "200 OK", [("Content-Length", str(len(CLOSED)))], CLOSED),
        ("https://lost.example/robots.txt", "302 Found", [("Location", "https://elsewhere.example/")], b""),
        ("https://none.example/robots.txt", "404 Not Found", [], b"<html>"),
        ("https://down.example/robots.txt", "503 Busy", [("Retry-After", "60")], b""),
    ]
    with path.open("wb") as file:
        writer = WARCWriter(file, gzip=True)
        for url, status, headers, body in captures:
            head = StatusAndHeaders(status, headers, protocol="HTTP/1.1")
            writer.write_record(writer.create_warc_record(url, "response", payload=io.BytesIO(body), http_headers=head))
        writer.write_record(
            writer.create_warc_record("https://x.example/", "request", payload=io.BytesIO(b"GET /\r\n"))
        )


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
    """Redirects, codings and outages of a robots.txt, by the HTTP client that most programs use."""
    kinds = ("plain", "moved", "missing", "encoded", "endless", "closed", *OUTAGES)
    with served(*kinds) as site:
        urls = [site.at[kind] + path for kind in kinds for path in ("about.html", "x/../private/", "private/x")]
        command = [sys.executable, EXAMPLES / "fetch_pages.py", "ExampleBot", *urls, "gopher://a/", "no-url"]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 1
    for kind in ("plain", "moved", "encoded", "endless"):
        assert site.pages(kind) == {"/about.html"}, done.stderr
        assert len(site.robots(kind)) == 1
    assert site.pages("missing") == {"/about.html", "/private/", "/private/x"}
    for kind in ("closed", *OUTAGES):
        assert site.pages(kind) == set(), kind
    for kind in OUTAGES:
        assert f"{site.at[kind]}about.html: not before " in done.stderr
        assert f"{site.at[kind]}about.html: forbidden" not in done.stderr


def test_common_crawl(tmp_path: Path) -> None:
    warc, robots, urls, allowed = (
        tmp_path / name for name in ("a.warc.gz", "robots.parquet", "urls.parquet", "ok.parquet")
    )
    write(warc)
    assert run(EXAMPLES / "compile_robots.py", "ExampleBot", robots, warc).startswith("7 captures, 7 sites, ")
    sites = {row["origin"]: row for row in pq.read_table(robots).to_pylist()}
    assert {origin: row["kind"] for origin, row in sites.items()} == {
        "https://tea.example": "RULES",
        "https://closed.example": "RULES",
        "http://old.example": "RULES",
        "https://new.example": "RULES",
        "https://lost.example": "UNREACHABLE",
        "https://none.example": "ALLOW_ALL",
        "https://down.example": "UNREACHABLE",
    }
    assert sites["http://old.example"]["image"] == sites["https://new.example"]["image"]
    assert (sites["https://closed.example"]["crawl_delay"], sites["https://none.example"]["crawl_delay"]) == (3.0, None)

    data = ROOT / "examples" / "data"
    tea = [
        f"https://tea.example{line}" if line.startswith("/") else line
        for line in (data / "urls.txt").read_text().split()
    ]
    rules = librobots.Crawler("ExampleBot").parse(BODY)
    others = [
        "HTTPS://None.example:443/a",
        "https://closed.example/",
        "https://down.example/",
        "http://old.example/",
        "no-url",
        None,
    ]
    pq.write_table(pa.table({"url": tea + others, "row": range(len(tea) + len(others))}), urls)
    said = run(EXAMPLES / "filter_urls.py", robots, urls, allowed)
    expected = {url for url in tea if url.startswith("https://tea.example") and rules.is_allowed(url)} | {others[0]}
    assert len(expected) > 5
    kept = pq.read_table(allowed)
    assert set(kept["url"].to_pylist()) == expected
    assert kept.column_names == ["url", "row"]
    unknown = sum(not url.startswith("https://tea.example") for url in tea) + 3
    assert said == f"{len(tea) + len(others)} URLs: {kept.num_rows} allowed, {unknown} of unknown sites\n"
