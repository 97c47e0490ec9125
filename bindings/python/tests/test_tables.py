"""Tables of URLs and of robots.txt: every kind of table, what is counted, and mistakes. No mistake is silent.

What a capture means is in tests/data/captures.jsonl.
"""

from __future__ import annotations

import base64
import contextlib
import datetime
import gzip
import itertools
import pickle
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest
from test_examples import write

import librobots
from librobots import ArgumentError, Crawler, ImageError, check_table, compile_table, filter_table, filter_tables
from librobots.warc import read_captures

BODY = b"User-agent: *\nDisallow: /private\n"
CLOSED = b"User-agent: *\nDisallow: /\n"
CAPTURES = {
    "url": [f"https://{site}.example/robots.txt" for site in "abc"],
    "status": [200, 503, 404],
    "body": [BODY, None, b"<html>"],
}
# The answer to a URL, its line and origin; "-": none.
TABLE = """\
allowed 0 https://a.example https://a.example/
disallowed 2 https://a.example https://a.example/private/x
unreachable 0 https://b.example https://b.example/
allowed 0 https://c.example https://c.example/x
no_capture 0 https://d.example https://d.example/long/long/long/long/long/
bad_url 0 - no url
bad_url 0 - -
disallowed 2 https://a.example HTTPS://user@A.example:443/private
allowed 0 https://a.example https://a.example/caf\u00e9
no_capture 0 http://a.example http://a.example/
bad_url 0 - https://a.example\\@b.example/
bad_url 0 - mailto:joe@a.example
"""
CELLS = [[None if cell == "-" else cell for cell in line.split(" ", 3)] for line in TABLE.splitlines()]
ANSWERS, LINES, ORIGINS, URLS = map(list, zip(*CELLS))
SITES = compile_table(CAPTURES, "ExampleBot")
KEPT = [row for row, answer in enumerate(ANSWERS) if answer == "allowed"]
MAKERS = [dict, pa.table, pd.DataFrame, pl.DataFrame]  # polars exports views
TABLES = [
    *MAKERS,
    pa.RecordBatch.from_pydict,
    lambda columns: pa.concat_tables([pa.table(columns)[:5], pa.table(columns)[5:5], pa.table(columns)[5:]]),
    lambda columns: pa.table(columns).set_column(0, "url", pa.array(columns["url"], pa.large_string())),
    lambda columns: pa.table(columns).set_column(0, "url", pa.array(columns["url"]).dictionary_encode()),
    lambda columns: pa.table({name: [None, *column] for name, column in columns.items()})[1:],
    lambda columns: pa.table(pl.DataFrame(columns)),  # has views
]


def rows(table) -> list[int]:
    return list(table["n"].to_pylist() if hasattr(table["n"], "to_pylist") else table["n"])


def answers(table, column: str = "answer") -> list[object]:
    return pa.table(table)[column].to_pylist()


def answer(sites: librobots.Sites, *urls: str) -> list[object]:
    return answers(filter_table(list(urls), sites, None, "disallow").answers)


@pytest.mark.parametrize("make", TABLES)
@pytest.mark.parametrize("on_missing", ["allow", "disallow"])
def test_tables(make, on_missing: str) -> None:
    table = make({"url": URLS, "n": list(range(len(URLS)))})
    found = filter_table(table, SITES, None, on_missing)
    assert type(found.table) is type(table)
    missing = on_missing == "allow"
    wanted = {"allowed": True, "disallowed": False, "unreachable": False, "no_capture": missing, "bad_url": None}
    allowed = [wanted[answer] for answer in ANSWERS]
    assert rows(found.table) == [row for row, is_kept in enumerate(allowed) if is_kept]
    assert answers(found.answers) == ANSWERS
    assert answers(found.answers, "origin") == ORIGINS
    assert answers(found.answers, "line") == list(map(int, LINES))
    assert answers(found.answers, "allowed") == allowed
    reasons = answers(found.answers, "reason")
    assert reasons[:5] == ["NO_RULE", "RULE_DISALLOWED", "UNREACHABLE", "ALLOW_ALL", None]
    assert found.counts == (12, allowed.count(True), *(ANSWERS.count(answer) for answer in wanted), 5, 2)
    assert found.answers.mask.tolist() == list(map(bool, allowed))


@pytest.mark.parametrize(
    "make",
    [
        *(list, tuple, iter, pa.array, pd.Series, pl.Series),
        lambda urls: pa.array(urls, pa.string_view()),
        lambda urls: pa.chunked_array([pa.array(urls, pa.string_view())]),
        lambda urls: pa.chunked_array([urls[:3], urls[3:]]),
        lambda urls: pd.Series(urls, dtype="category"),
        lambda urls: pl.Series(urls, dtype=pl.Categorical),
        lambda urls: [url if url is None else url.encode() for url in urls],
        *(lambda urls, kind=kind: np.array(urls, dtype=kind) for kind in (object, "U90", ">U90", "S90", "T")),
    ],
)
def test_columns(make) -> None:
    # Other arrays of NumPy have no null, and bytes no letter beyond ASCII.
    urls = [url for url in URLS if url and url.isascii()]
    for given in ([*URLS], urls):
        with contextlib.suppress(UnicodeEncodeError):
            column = make(given)
            found = filter_table(column, SITES, None, "disallow")
            kept = [url.as_py() if hasattr(url, "as_py") else url for url in found.table]
            assert [url.decode() if isinstance(url, bytes) else url for url in kept] == [
                URLS[row] for row in KEPT if URLS[row] in given
            ]
            assert getattr(found.table, "dtype", None) == getattr(column, "dtype", None)
            assert found.counts.kept == len(kept)


def test_other_libraries_read_the_answers() -> None:
    found = filter_table(URLS, SITES, None, "disallow").answers
    assert pl.DataFrame(found)["answer"].to_list() == ANSWERS
    assert pd.DataFrame.from_arrow(found)["answer"].tolist() == ANSWERS
    assert duckdb.sql("SELECT count(*) FROM found WHERE answer = 'bad_url'").fetchall() == [(4,)]
    with pytest.raises(ValueError, match="ambiguous"):
        bool(found)
    for _ in range(100):
        found.__arrow_c_array__()
    pa.record_batch(found).validate(full=True)
    pa.record_batch(SITES).validate(full=True)
    assert pa.table(filter_table([], SITES, None, "allow").answers).num_rows == 0
    relation = duckdb.from_arrow(pa.table({"link": URLS}))
    of_relation = filter_table(relation, SITES, None, "disallow", url_column="link").table
    assert of_relation["link"].to_pylist() == [URLS[row] for row in KEPT]


def test_views_of_pyarrow_in_any_column() -> None:
    """The tables of polars have them, also in lists and structures."""
    table = pl.DataFrame({"url": URLS, "n": [[{"text": "long " * 5, "raw": b"x", "n": n}] for n in range(len(URLS))]})
    for of_table in (pa.table(table), pa.table(table).to_batches()[0]):
        assert "string_view" in str(of_table.schema)
        found = filter_table(of_table, SITES, None, "disallow").table
        found.validate(full=True)
        assert (type(found), found.schema) == (type(of_table), of_table.schema)
        assert found.to_pylist() == [of_table.to_pylist()[row] for row in KEPT]


def test_many_rows_by_several_threads() -> None:
    """As one thread, in order, with runs of a site and without; sites that the table lacks are counted once."""
    sites = (f"https://{'abcdxyz'[row * row % 7]}{row % 3 or ''}.example" for row in range(70_001))
    urls = [f"{site}/{'private' if row % 5 == 0 else row}" for row, site in enumerate(sites)]
    urls[40_000] = "no url"
    found, one = (filter_table(pa.array(urls), SITES, None, "allow", use_threads=many) for many in (True, False))
    assert pa.table(found.answers).equals(pa.table(one.answers))
    assert found.counts == one.counts
    origins = [None if url == "no url" else url[: url.index("/", 8)] for url in urls]
    assert answers(found.answers, "origin") == origins
    missing = {origin for origin in origins if origin and SITES.rules(origin + "/") is None}
    assert found.counts.missing_sites == len(missing)


def origin(url: str) -> str | None:
    try:
        return librobots.Origin(url).key
    except librobots.UrlError:
        return None


def test_raw_forms_of_hosts() -> None:
    """Each form of a host is looked up once, so one that ends elsewhere must not be taken for it."""
    hosts = ["t\u00ea.example", "T\u00ca.example:443", "joe@t\u00ea.example", "[2001:db8::1]", "[2001:DB8:0::1]"]
    hosts += ["joe:x@[2001:db8::1]:443", "t\u00ea.example.", "t\u00ea.example:1"]
    ends = [
        "",
        "/private/x",
        "\\private",
        "\t/private",
        "?private",
        "#private",
        "\\@t\u00ea.example/private",
        "@other.example/",
    ]
    urls = [f"https://{host}{end}" for host in hosts for end in ends] * 3
    sites = {"origin": ["https://t\u00ea.example", "https://[2001:db8::1]"], "status": [200] * 2, "body": [BODY] * 2}
    found = answers(filter_table(urls, sites, "ExampleBot", "disallow").answers, "origin")
    assert found == list(map(origin, urls))
    assert 30 < found.count("https://xn--t-dga.example") < len(found) - 30


def test_images_in_the_same_row() -> None:
    rules = [SITES.rules(f"https://{site}.example/") for site in "abc"]
    images = [rules[row % 3].image if row % 4 else None for row in range(4_000)]
    urls = [("/private/x", "https://a.example/", "no url", None)[row * row % 11 % 4] for row in range(4_000)]
    found = check_table(urls, images)
    plain = pa.table(found).to_pylist()
    for row, (url, image, answer) in enumerate(zip(urls, images, plain)):
        verdict = rules[row % 3].check(url or "no url")
        if url is None:
            assert answer["answer"] == "bad_url"
        elif image is None:
            assert answer == {"answer": "no_capture", "allowed": None, "reason": None, "line": 0}
        else:
            wanted = (None, None) if verdict.error else (verdict.allowed, verdict.reason.name)
            assert (answer["allowed"], answer["reason"], answer["line"]) == (*wanted, verdict.line)
    assert found.counts.sites == 0
    assert found.counts.kept == found.counts.allowed == found.mask.allowed_count
    dictionary, large = pa.array(images).dictionary_encode(), pa.array(images, pa.large_binary())
    for column in (pa.array(images), pl.Series(images), large, dictionary):
        assert pa.table(check_table(pa.array(urls), column)).to_pylist() == plain


@pytest.mark.parametrize("make", MAKERS)
def test_tables_of_images(make, tmp_path: Path) -> None:
    image, names = (
        SITES.rules("https://a.example/").image,
        ["https://a.example", "HTTPS://A.example:443/x", "https://b.example"],
    )
    table = make({name: column.to_pylist() for name, column in zip(("origin", "image"), pa.table(SITES).columns)})
    assert pa.table(compile_table(table)).equals(pa.table(SITES).drop_columns("agent"))
    pq.write_table(pa.table(SITES), tmp_path / "images.parquet")
    again = compile_table(pq.ParquetFile(tmp_path / "images.parquet"), "ExampleBot")
    assert filter_table(URLS, again, None, "allow").counts == filter_table(URLS, SITES, None, "allow").counts
    with pytest.raises(ArgumentError, match="the images do not name the crawler"):
        compile_table(table, "ExampleBot")
    same = compile_table(make({"origin": names, "image": [image, image, None]}))
    assert (len(same), same.counts.repeated, same.counts.unusable) == (1, 1, 1)
    assert answer(same, "https://b.example/") == ["no_capture"]


@pytest.mark.parametrize("make", [pa.table, lambda sites: pd.DataFrame(pa.table(sites).to_pandas()), pl.DataFrame])
def test_images_name_their_crawler(make) -> None:
    images, kept = make(SITES), filter_table(URLS, SITES, None, "allow").table
    sites = compile_table(images, "ExampleBot")
    assert repr(filter_table([], sites, None, "allow")).startswith("<FilteredTable for ExampleBot: ")
    assert (sites.agent, SITES.agent, pickle.loads(pickle.dumps(sites)).agent) == ("ExampleBot",) * 3
    assert compile_table(CAPTURES, Crawler("*")).agent == "*"
    for source in (images, sites, SITES):
        for agent in ("ExampleBot", "examplebot", Crawler("ExampleBot")):
            assert filter_table(URLS, source, agent, "allow").table == kept
        for agent, message in (
            ("Other", "not for Other"),
            (("ExampleBot", "Other"), "not for ExampleBot,Other"),
            (Crawler("*"), r"not for \*"),
            (Crawler("ExampleBot", dialect="google"), "in the dialect rfc9309, not google"),
        ):
            with pytest.raises(ArgumentError, match=message):
                filter_table(URLS, source, agent, "allow")
    with pytest.raises(ArgumentError, match="compiled for ExampleBot: pass that crawler as agent"):
        filter_table(URLS, images, on_missing="allow")
    with pytest.raises(ArgumentError, match=r"images for ExampleBot and for \*: keep those of one crawler"):
        compile_table([images, make(compile_table(CAPTURES, Crawler("*")))])


UTC, NOW = datetime.timezone.utc, 1_769_941_800  # 2026-02-01 10:30
DAYS = [
    lambda day: day,
    lambda day: day + 0.5,
    lambda day: f"2026-02-{day + 10}",
    lambda day: datetime.datetime(2026, 2, day + 10),
    lambda day: datetime.datetime(2026, 2, day + 10, tzinfo=UTC),
]


def of_dates(*dates: object, **more: list) -> dict[str, list]:
    """Return captures of a site: a file that closes it, one that opens it, an outage, and the first again."""
    site = {"origin": ["https://a.example/"] * 4, "status": [200, 200, 503, 200], "body": [CLOSED, BODY, None, CLOSED]}
    return {name: column[: len(dates)] for name, column in {**site, "date": list(dates), **more}.items()}


@pytest.mark.parametrize("date", DAYS)
@pytest.mark.parametrize("make", MAKERS)
def test_dates(make, date) -> None:
    found = compile_table(make(of_dates(*map(date, (1, 5, 9, 3)))), "ExampleBot")
    # The newest was an outage, so the one before it holds (SPEC 2.11).
    assert answer(found, "https://a.example/", "https://a.example/private") == ["allowed", "disallowed"]
    assert found.counts == (1, 0, 0, 4, 3, 0, 0, 0, 1, 0, 0, 0)
    # One without a date may be the newest: nothing says that a dated one is.
    undated = {name: column for name, column in of_dates(*[None] * 4).items() if name != "date"}
    for tables, message in (
        (make(undated), r"https://a\.example/robots\.txt has 4 captures, 4 without a date"),
        (make(of_dates(date(1), None, date(1), date(1))), "has 4 captures, 1 without a date"),
        ([make(of_dates(date(1))), make(of_dates(None))], "has 2 captures, 1 without a date"),
    ):
        with pytest.raises(ArgumentError, match=message):
            compile_table(tables, "ExampleBot")
    one_each = of_dates(date(1), None, None, None, origin=[f"https://{name}.example" for name in "abcd"])
    assert len(compile_table(make(one_each), "ExampleBot")) == 4


def order(first: object, second: object) -> str:
    """Return which of two dates is the later one: "=", if none is."""
    found = compile_table(of_dates(first, second), "ExampleBot")
    return "=" if found.counts.ties else {"allowed": "<", "disallowed": ">"}[answer(found, "https://a.example/")[0]]


def test_dates_compare_by_their_time() -> None:
    """Text of any form, in any zone: by its characters 09:30-01 is before 10:00Z."""
    forms = ("T10:30:00Z", " 10:30", "T12:30:00.000+02:00", "T05:00:00,0-0530", "T09:30-01")
    times = [*(f"2026-02-01{form}" for form in forms), " 20260201103000 "]
    times += [datetime.datetime(2026, 2, 1, 10, 30, tzinfo=UTC), NOW]
    for time in times:
        for later in ("2026-02-01T10:30:00.000000001Z", "2026-02-02", "20260202", datetime.date(2026, 2, 2)):
            assert (order(time, later), order(later, time)) == ("<", ">"), (time, later)
        assert {order(time, same) for same in times} == {"="}
    # Numbers of several units are a mistake; the last is a capture of the year 2000.
    numbers = [NOW, NOW * 1000, NOW * 10**6, NOW * 10**9, 20_260_201, 20_260_201_103_000, 0, -1]
    for number, later in [*((number, number + 1) for number in numbers), (950_000_000, NOW)]:
        assert order(number, later) == "<"
    mixed = [pair for pair in itertools.permutations(numbers, 2) if set(pair) != {0, -1}]
    # A date that stands for none is no date of a capture.
    for first, other in (*mixed, (datetime.datetime(1970, 1, 1, tzinfo=UTC), NOW), ("1970-01-01", NOW)):
        shown = first if isinstance(first, int) else 0
        with pytest.raises(
            ArgumentError, match=f"the dates {shown} and {other}, in seconds since 1970, are not of one unit"
        ):
            order(first, other)


NO_DATES = (
    "|now|2026-02-29|2026-13-01|01.02.2026|2026-2-1|202602|0000-01-01|2026-02-01X10:00|Sun, 01 Feb 2026 10:00:00 GMT|"
)
NO_DATES += "2026-02-01T24:00|2026-02-01T10|2026-02-01T10:00.Z|2026-02-01T10:00+2"


@pytest.mark.parametrize("make", [list, pa.array, pl.Series])
def test_text_that_is_no_date(make) -> None:
    for text in NO_DATES.split("|"):
        table = {**CAPTURES, "date": make(["2026-02-01", text, None])}
        with pytest.raises(TypeError, match=r"in row 1 is no date of ISO 8601: pass times, seconds, or text such as"):
            compile_table(table, "ExampleBot")


HOSTS = [f"https://{name}.example" for name in "abcdefghijkl"]
PAGES = [f"{HOSTS[0]}/{n}" for n in range(5)]
TIES = [(0, 2, 200, BODY), (0, 2, 200, CLOSED), (0, 2, 200, BODY), (1, 1, 200, BODY), (1, 1, 200, CLOSED)]
TIES += [(1, 2, 200, BODY), (1, 2, 200, BODY), (2, 2, 200, BODY), (2, 2, 503, None)]
DOUBTS = {
    "no_group": [b"/data/a.txt", repr(BODY).encode(), base64.b64encode(BODY), b"", gzip.compress(BODY)],
    "damaged": [b"User-agent: *Disallow: /private/", b"User-agent: *\nDisallow: /a/\nDisal", b"Disallow: /a/\n" + BODY],
    None: [BODY, b"\xef\xbb\xbfUSER-AGENT:x", b"User-Agent *"],
}
FILES = [body for bodies in DOUBTS.values() for body in bodies]
NOTHING = [None, 0, 200, 206, 200, 70_000, -1, float("nan")]
# fmt: off
# The columns, and the counts that are not 0. What allows every URL, as a file without a group does, must not be silent.
COUNTS = [
    # What an older or an unreachable capture says is no tie.
    *((dict(zip(("origin", "date", "status", "body"), map(list, zip(*((HOSTS[row[0]], *row[1:]) for row in rows))))),
       {"sites": 3, "repeated": 6, "ties": 1}) for rows in (TIES, TIES[::-1], TIES[1:] + TIES[:1])),
    # The page of another URL is the robots.txt of the site then.
    ({"url": [*(f"{host}/robots.txt" for host in HOSTS[:5]), *PAGES, *PAGES[2:4]],
      "status": [301] * 5 + [200] * 5 + [503, 404], "target": [*PAGES[:4], f"{HOSTS[1]}/", *[None] * 7],
      "date": [1] * 10 + [2, 1],
      "body": [None] * 5 + [b"<html>", b"User-agent: * Disallow: /", BODY, CLOSED, b"<html>", None, None]},
     {"sites": 4, "without_group": 1, "damaged": 1, "after_outage": 1, "ties": 1, "redirects_lost": 1,
      "other_pages": 7, "repeated": 2}),
    # A status that is none never permits.
    ({"origin": HOSTS[:8], "body": [BODY, BODY, None, *[BODY] * 5], "status": NOTHING,
      "failure": [*[None] * 4, "CUT", *[None] * 3]},
     {"sites": 8, "unreachable": 8}),
    # A compressed body is that of an outage.
    *(({"origin": HOSTS[:11], "status": [status] * 11, "body": FILES}, {"sites": 11, **counts})
      for status, counts in ((404, {"without_file": 11}), (503, {"unreachable": 11}),
                             (200, {"unreachable": 1, "without_group": 4, "damaged": 3}))),
    ({"origin": HOSTS[:7], "status": [404, 401, 403, 301, 200, 204, 503], "body": [CLOSED] * 5 + [None] * 2,
      "target": [None] * 3 + [""] + [None] * 3},
     {"sites": 7, "without_file": 4, "unreachable": 1, "without_group": 1}),
    ({"url": ["a.example/robots.txt", "https://a.example/robots.txt", None], "status": [200] * 3, "body": [CLOSED] * 3},
     {"sites": 1, "unusable": 2}),
]
# fmt: on


@pytest.mark.parametrize(("columns", "counts"), COUNTS)
@pytest.mark.parametrize("make", [dict, pd.DataFrame])
def test_captures_are_counted(make, columns: dict[str, list], counts: dict[str, int]) -> None:
    found = compile_table(make(columns), "ExampleBot")
    assert found.counts == SITES.counts._replace(
        **{**dict.fromkeys(SITES.counts._fields, 0), "captures": len(columns["body"]), **counts}
    )
    answered = answer(found, *(f"{host}/" for host in HOSTS[: counts["sites"]]))
    assert answered.count("unreachable") == counts.get("unreachable", 0)
    # The rules show it, so images do, too.
    assert compile_table(pa.table(found), "ExampleBot").counts.without_file == counts.get("without_file", 0)


def test_what_is_no_robots_txt() -> None:
    for doubt, bodies in DOUBTS.items():
        assert [librobots.body_doubt(body) for body in bodies] == [doubt] * len(bodies)


@pytest.mark.parametrize(
    "body", [repr(BODY), repr(BODY).encode(), base64.b64encode(BODY), base64.encodebytes(BODY).decode()]
)
def test_text_of_bytes(body) -> None:
    table = {"origin": ["https://a.example"], "status": [200], "body": [body]}
    assert compile_table(table, "ExampleBot").counts.without_group == 1
    with pytest.raises(ArgumentError, match="1 of the bodies are the text of bytes"):
        compile_table(table, "ExampleBot", strict=True)
    with pytest.raises(ArgumentError, match="1 of the bodies are the text of bytes"):
        filter_table(["https://a.example/"], table, "ExampleBot", "allow", strict=True)


def test_other_bodies_are_strict() -> None:
    bodies = [BODY, b"", b"<html>", b"/robots.txt", b"b'", base64.b64encode(b"an image")]
    table = {
        "origin": [f"https://{n}.example" for n in range(len(bodies))],
        "status": [200] * len(bodies),
        "body": bodies,
    }
    assert compile_table(table, "ExampleBot", strict=True).counts.sites == len(bodies)


NULLS = [(make, null) for make in MAKERS for null in (None, float("nan"))]


@pytest.mark.parametrize(("make", "null"), [*NULLS, (dict, pd.NaT), (pd.DataFrame, pd.NaT)])
def test_columns_of_nulls_alone(make, null) -> None:
    """In pandas such a column has floats or times."""
    table = {**CAPTURES, **dict.fromkeys(("failure", "target", "date", "origin"), [null] * 3)}
    assert pa.table(compile_table(make(table), "ExampleBot")).equals(pa.table(SITES))


def test_crawlers() -> None:
    body = b"User-agent: Other\nDisallow: /\n\nUser-agent: *\nDisallow: /p*q\n"
    table = {"url": ["https://a.example/robots.txt"], "status": [200], "body": [body]}
    koster = Crawler("ExampleBot", dialect="koster1996")
    for agent, kept in (("Other", 0), (("Other", "ExampleBot"), 0), ("ExampleBot", 1), (Crawler("*"), 1), (koster, 2)):
        assert len(filter_table(["https://a.example/", "https://a.example/pxq"], table, agent, "allow").table) == kept


IMAGE, OTHER = (SITES.rules(f"https://{site}.example/").image for site in "ac")
DAMAGED = IMAGE[:-1] + bytes([IMAGE[-1] ^ 1])
ONE = {"origin": ["https://a.example"], "status": [200], "body": [CLOSED]}
TWO = ["https://a.example/", "https://b.example/"]
LINKS = {"link": URLS, "n": list(range(len(URLS)))}
TWO_FILES = {"url": ["https://b.example/robots.txt"] * 2, "status": [404, 200], "body": [None, BODY]}
LAZY = pl.LazyFrame({"url": URLS})


def filtered(urls: object, sites: object = SITES, agent: object = None, **more: object) -> None:
    filter_table(urls, sites, agent, "allow", **more)


def compiled(columns: dict) -> None:
    compile_table(columns, "ExampleBot")


# fmt: off
# The function, a table that each kind of table is made of, and what the error says.
WRONG_COLUMNS = [
    (filtered, LINKS, "no column 'url'; its columns are link, n"),
    (lambda table: filtered(table, url_column="n"), LINKS, 'column "urls" is .*: pass one column of text'),
    (compiled, LINKS, "no column url or origin, status, body; its columns are link, n"),
    (compiled, {**CAPTURES, "status": ["200", "503", "404"]}, 'column "status" is .*: pass integers'),
    (compiled, {**CAPTURES, "body": [1, 2, 3]}, 'column "body" is .*: pass bytes or text'),
    (compiled, {**CAPTURES, "url": [1.5, 2.5, 3.5]}, 'column "url" is .*: pass text'),
    # The response to a page says nothing about the robots.txt of its site.
    *((compiled, {"origin": [None, f"{site}.example{page}"], **TWO_FILES}, r'the origin ".*a\.example.*" in row 1 has a path')
      for site, page in (("https://a", "/index.html"), (" https://a", "/robots.txt?x"), ("http://a", ":80/x/robots.txt"))),
]
MISTAKES = [
    *((lambda call=call, wrong=wrong: call(URLS, SITES, None, wrong), f'on_missing={wrong!r}: pass "allow" or "disallow"')
      for wrong in ("maybe", None, "ALLOW", True, 0) for call in (filter_table, filter_tables)),
    (lambda: filter_table(URLS, CAPTURES, "ExampleBot"), "on_missing=None"),
    *((lambda agent=agent: filtered(URLS, CAPTURES, agent), "agent=") for agent in (None, 5, ["ExampleBot"], ())),
    (lambda: filtered(URLS, CAPTURES, "ExampleBot/1.0 (+https://example.com)"), "is not a product token|User-Agent"),
    (lambda: check_table(["/", "/"], [IMAGE, DAMAGED]), "row 1"),
    (lambda: compile_table({"origin": ["https://a.example"], "image": [DAMAGED]}), r"https://a\.example"),
    (lambda: check_table(["/", "/"], [IMAGE]), "2 URLs, but 1 images"),
    (lambda: check_table(["/"], pa.array(["image"])), 'column "images" is text: pass bytes'),
    (lambda: compile_table({"origin": TWO[:1] * 2, "image": [IMAGE, OTHER]}), r"two images of https://a\.example"),
    (lambda: compile_table({"origin": ["a.example"], "image": [IMAGE]}), r'names no site, but "a\.example": an origin'),
    (lambda: compile_table({"origin": [], "image": []}), "empty"),
    (lambda: compiled({**CAPTURES, "url": ["a.example"] * 3}), "no capture is that of a site: captures=3"),
    (lambda: compiled({**CAPTURES, "url": [*TWO, None]}), "no capture is that of a site: captures=3"),
    (lambda: filtered({"id": [1], "url": TWO}, ONE, "ExampleBot"), "rows|one item a row"),
    (lambda: filtered({"id": "ab", "url": TWO}, ONE, "ExampleBot"), "rows|one item a row"),
    (lambda: filtered({"url": iter(TWO)}, ONE, "ExampleBot"), "rows|one item a row"),
    (lambda: filtered(LAZY), "LazyFrame"),
    (lambda: compile_table([], "ExampleBot"), "no table of robots"),
    (lambda: compiled({**CAPTURES, "url": CAPTURES["url"][:1]}), "rows, but others have"),
    (lambda: compiled({**CAPTURES, "origin": CAPTURES["url"], "image": [b""] * 3}), "images and captures in the same rows"),
    (lambda: compile_table([CAPTURES, pa.table(SITES)], "ExampleBot"), "some tables have images and some have captures"),
    *((lambda wrong=wrong: filter_tables(wrong, SITES, None, "allow"), None) for wrong in ("x", Path("x"), 5, LAZY)),
    *((lambda wrong=wrong: compile_table(wrong, "ExampleBot"), None) for wrong in ("x", Path("x"), 5, LAZY)),
    *((lambda wrong=wrong: filtered(wrong), None) for wrong in (5, object(), "/", b"x", pa.array([1]), np.array([[b"a"]]))),
    *((lambda wrong=wrong: read_captures(**wrong), "pass") for wrong in ({"paths": "a.warc"}, {"paths": [], "batch_rows": 0})),
    (lambda: read_captures([], max_bytes=511_999), "pass"),
]
# fmt: on


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize(("call", "columns", "message"), WRONG_COLUMNS)
def test_wrong_columns(make, call, columns: dict, message: str) -> None:
    with pytest.raises((ArgumentError, TypeError), match=message):
        call(make(columns))


@pytest.mark.parametrize(("call", "message"), MISTAKES)
def test_mistakes(call, message: str) -> None:
    with pytest.raises((ArgumentError, ImageError, TypeError, ValueError), match=message):
        call()


def test_more_than_the_memory_holds(tmp_path: Path) -> None:
    """A data set, a Parquet file, a reader of batches and a generator give what one table gives, in the same order."""
    table = pa.table({"n": range(2400), "url": URLS * 200})
    pq.write_table(table, tmp_path / "urls.parquet", row_group_size=500)
    wanted = filter_table(table, SITES, None, "allow")
    seen: list[librobots.TableCounts] = []
    for source in (
        ds.dataset(tmp_path / "urls.parquet"),
        pq.ParquetFile(tmp_path / "urls.parquet"),
        pa.RecordBatchReader.from_batches(table.schema, table.to_batches(max_chunksize=100)),
        (table[start : start + 7] for start in range(0, 2400, 7)),
        pl.from_arrow(table).iter_slices(1000),
        table,
        pl.from_arrow(table),
    ):
        found = list(filter_tables(source, SITES, None, "allow", progress=seen.append))
        assert [row for one in found for row in rows(one.table)] == rows(wanted.table)
        assert seen[-1][:7] == wanted.counts[:7]
    assert seen[-2].urls == 2400
    # One table at a time.
    read = []
    source = (read.append(n) or table[:5] for n in range(10))
    first = next(filter_tables(source, SITES, None, "allow"))
    assert (len(read), first.table.num_rows) == (1, 3)


def test_captures_in_many_tables() -> None:
    table = pa.table(CAPTURES)
    seen: list[int] = []
    found = compile_table((table[n : n + 1] for n in range(3)), "ExampleBot", progress=seen.append)
    assert pa.table(found).equals(pa.table(SITES))
    assert seen == [1, 2, 3]
    files = [b"User-agent: *\nDisallow: /%d\n" % n for n in range(1500)]
    many = {"origin": [f"https://{n}.example" for n in range(1500)], "status": [200] * 1500, "body": files}
    found = compile_table(many, "ExampleBot")
    assert not any(found.rules(f"https://{n}.example/").is_allowed(f"/{n}") for n in range(1500))
    assert pa.table(compile_table(many, "ExampleBot", use_threads=False)).equals(pa.table(found))


def test_sites_are_pickled() -> None:
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(SITES, protocol))
        assert pa.table(again).equals(pa.table(SITES))
        assert again.counts == SITES.counts
    assert (len(again), repr(again)) == (3, "<Sites: 3, for ExampleBot>")
    make, (state, *counts) = SITES.__reduce__()
    # Where a record ends, which is two parts with their lengths, a pickle that is cut is whole.
    ends, at = {0}, 0
    while at < len(state):
        for _ in range(2):
            at += 8 + int.from_bytes(state[at : at + 8], "little")
        ends.add(at)
    for cut in (state[:end] for end in range(len(state)) if end not in ends):
        with pytest.raises(ImageError):
            make(cut, *counts)
    with pytest.raises(ImageError):
        make(b"\xff" * 9, *counts)


def test_archives(tmp_path: Path) -> None:
    """Files in turn, in tables of some rows; what a record means: captures.jsonl."""
    captures = [
        (f"https://{number}.example/robots.txt", "200 OK", [], CLOSED + b"#" * number * 50_000) for number in range(13)
    ]
    captures[10] = (captures[10][0], "200 OK", [("Content-Length", "9999999")], CLOSED)
    captures[11] = (captures[11][0], "200 OK", [("Content-Encoding", "br")], b"\x00")
    paths = [tmp_path / "a.warc.gz", tmp_path / "b.warc"]
    write(paths[0], captures[:5])
    write(paths[1], captures[5:])
    seen: list[tuple[str, int]] = []
    tables = list(read_captures(paths, batch_rows=4, progress=lambda *done: seen.append(done)))
    assert [len(table["url"]) for table in tables] == [4, 4, 4, 1]
    assert seen == [(str(paths[0]), 5), (str(paths[1]), 13)]
    assert [len(table["body"][0]) for table in tables] == [26, 200_026, 400_026, 512_001]
    assert tables[2]["failure"] == [None, None, "SHORT_BODY", "ENCODED_BODY"]
    assert answer(
        compile_table(read_captures(paths), "ExampleBot"), *(url.replace("robots.txt", "x") for url, *_ in captures)
    ) == [*["disallowed"] * 10, "unreachable", "unreachable", "disallowed"]
    data = paths[0].read_bytes()
    damaged = tmp_path / "damaged.warc.gz"
    for at in range(20, len(data) - 40, 20):
        damaged.write_bytes(data[:at] + bytes(byte ^ 0x55 for byte in data[at : at + 20]) + data[at + 20 :])
        with pytest.raises(OSError, match=damaged.name):
            list(read_captures([damaged]))
    with pytest.raises(OSError, match=r"none\.warc"):
        list(read_captures([tmp_path / "none.warc"]))


# The site changed its mind on the 5th, was out on the 9th, and moved the file on the 12th.
USE_CAPTURES = {
    "url": [*["https://a.example/robots.txt"] * 4, "https://b.example/robots.txt", "https://c.example/robots.txt"],
    "status": [200, 200, 503, 301, 200, 404],
    "body": [
        "Content-Signal: ai-train=yes",
        "Content-Signal: ai-train=no",
        "",
        "",
        "License: https://b.example/terms",
        "",
    ],
    "date": [f"2026-02-{day:02}" for day in (1, 5, 9, 12, 1, 1)],
    "target": [None, None, None, "https://b.example/robots.txt", None, None],
}
# A page, the day of its capture, its headers, and what it may be used for.
USE_PAGES = [
    ("https://a.example/x", "2026-02-01", "", "allowed"),
    ("https://a.example/x", "2026-02-04", "HTTP/1.1 200 OK\r\nX-Robots-Tag: noarchive,\r\n noai\r\n", "denied"),
    ("https://a.example/x", "2026-02-04", None, "unstated"),
    ("https://a.example/x", "2026-02-05", "", "denied"),
    ("https://a.example/x", "2026-02-10", "", "denied"),
    ("https://a.example/x", "2026-02-12", "", "licensed"),
    ("https://a.example/x", "2026-01-31", "", None),
    ("https://a.example/x", None, "", None),
    ("https://c.example/x", "2026-02-04", "", "unstated"),
    ("https://c.example/x", "2026-02-04", "content-signal: ai-train=yes", "allowed"),
    ("https://d.example/x", "2026-02-04", "content-signal: ai-train=yes", None),
    (None, "2026-02-04", "content-signal: ai-train=yes", None),
    ("no-url", "2026-02-04", "content-signal: ai-train=yes", None),
]
USE_COLUMNS = {"date_column": "day", "headers_column": "headers"}


def use_table(make=dict):
    urls, days, headers, _ = zip(*USE_PAGES)
    return make({"url": list(urls), "day": list(days), "headers": list(headers), "n": list(range(len(urls)))})


@pytest.mark.parametrize("make", [dict, pa.table, pl.DataFrame, pd.DataFrame])
def test_what_pages_may_be_used_for(make) -> None:
    table = use_table(make)
    found = filter_table(table, USE_CAPTURES, "ExampleBot", "disallow", purpose="training", **USE_COLUMNS)
    assert answers(found.answers, "use") == [use for *_, use in USE_PAGES]
    assert rows(found.table) == [0, 9]
    assert found.counts.kept == 2
    more = filter_table(
        table, USE_CAPTURES, "ExampleBot", "disallow", purpose=2, keep_licensed=True, keep_unstated=True, **USE_COLUMNS
    )
    assert rows(more.table) == [0, 2, 5, 8, 9]
    decided = {column: answers(more.answers, column)[5] for column in ("use_source", "use_text", "reason")}
    assert decided == {"use_source": "LICENSE_LINE", "use_text": "https://b.example/terms", "reason": "NO_GROUP"}
    # A site without captures counts as one without a robots.txt.
    allowed = filter_table(table, USE_CAPTURES, "ExampleBot", "allow", purpose="training", **USE_COLUMNS)
    assert rows(allowed.table) == [0, 9, 10]
    # The newest robots.txt decides where pages have no dates; without headers no page is known.
    sites = compile_table(USE_CAPTURES, "ExampleBot", keep_files=True)
    (newest,) = filter_tables([table], sites, None, "disallow", purpose="training", headers_column="headers")
    assert answers(newest.answers, "use")[:4] == ["licensed", "denied", "licensed", "licensed"]
    assert rows(filter_table(table, sites, None, "disallow", purpose="training").table) == []


@pytest.mark.parametrize(
    "headers",
    [
        {"a": "b", "Content-Signal": "search=yes,\nai-train=no"},
        [("Content-Signal", "ai-train=no")],
        [{"name": "Content-Signal", "value": "ai-train=no"}],
    ],
)
def test_headers_as_names_and_values(headers) -> None:
    table = {"url": ["https://c.example/x"], "headers": [headers]}
    found = filter_table(table, USE_CAPTURES, "ExampleBot", "disallow", purpose="training", headers_column="headers")
    assert answers(found.answers, "use") == ["denied"]


@pytest.mark.parametrize("headers", [{"Content-Signal": ["ai-train=no"]}, [("a", "b", "c")], [("a", None)], [5], 5])
def test_headers_of_other_types(headers) -> None:
    table = {"url": ["https://c.example/x"], "headers": [headers]}
    with pytest.raises(ArgumentError, match=r"^headers=.*: pass the header lines as text"):
        filter_table(table, USE_CAPTURES, "ExampleBot", "disallow", purpose="training", headers_column="headers")


@pytest.mark.parametrize(
    ("headers", "use"),
    [
        ("HTTP/2 200\r\n:status: 200\r\nContent-Signal: ai-train=yes\r\nx: a\r\n b\r\n\r\n", "allowed"),
        ('{"content-signal": "ai-train=yes"}', "unstated"),
        ('{"content-signal": "ai-train=no"}\ncontent-signal: ai-train=yes', "unstated"),
        ("[('content-signal', 'ai-train=no')]\ncontent-signal: ai-train=yes", "unstated"),
        ("content signal: ai-train=no\ncontent-signal: ai-train=yes", "unstated"),
    ],
)
def test_text_that_is_no_header_lines_is_not_known(headers: str, use: str) -> None:
    table = {"url": ["https://c.example/x"], "headers": [headers]}
    found = filter_table(table, USE_CAPTURES, "ExampleBot", "disallow", purpose="training", headers_column="headers")
    assert answers(found.answers, "use") == [use]


def test_headers_as_a_map_of_arrow() -> None:
    kind = pa.map_(pa.string(), pa.string())
    headers = pa.array([[("Content-Signal", "ai-train=yes")], [("Content-Signal", "ai-train=no")]], kind)
    table = pa.table({"url": ["https://c.example/x", "https://c.example/y"], "headers": headers})
    found = filter_table(table, USE_CAPTURES, "ExampleBot", "disallow", purpose="training", headers_column="headers")
    assert answers(found.answers, "use") == ["allowed", "denied"]
    assert found.table["headers"].to_pylist() == [[("Content-Signal", "ai-train=yes")]]


def test_pages_that_may_not_be_fetched_are_not_kept() -> None:
    captures = {"url": ["https://a.example/robots.txt"], "status": [503], "body": [""]}
    table = {"url": ["https://a.example/x"], "headers": ["content-signal: ai-train=yes"]}
    options = {"purpose": "training", "headers_column": "headers", "keep_unstated": True, "keep_licensed": True}
    found = filter_table(table, captures, "ExampleBot", "allow", **options)
    assert (answers(found.answers), found.table["url"]) == (["unreachable"], [])


USE_MISTAKES = [
    ({"purpose": "trainig"}, "unknown purpose 'trainig'"),
    ({"purpose": 99}, "unknown purpose 99"),
    ({"headers_column": "headers"}, "need a purpose"),
    ({"keep_unstated": True}, "need a purpose"),
    ({"purpose": "training", "headers_column": "header"}, "no column 'header'"),
    ({"purpose": "training", "headers_column": "n"}, "headers=0: pass the header lines"),
    ({"purpose": "training", "date_column": "headers"}, "no date of ISO 8601"),
]


@pytest.mark.parametrize(("options", "message"), USE_MISTAKES)
def test_mistakes_about_uses(options: dict, message: str) -> None:
    with pytest.raises((ArgumentError, TypeError), match=message):
        filter_table(use_table(), USE_CAPTURES, "ExampleBot", "disallow", **options)


def test_uses_need_files() -> None:
    with pytest.raises(ArgumentError, match="keep_files=True"):
        filter_table(use_table(), SITES, None, "disallow", purpose="training")
    with pytest.raises(ArgumentError, match="without keep_files"):
        pickle.dumps(compile_table(USE_CAPTURES, "ExampleBot", keep_files=True))
