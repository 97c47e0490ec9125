"""Tables of URLs and of robots.txt: every kind of table, the choice of captures, and mistakes. No mistake is silent."""

from __future__ import annotations

import base64
import datetime
import gzip
import io
import itertools
import pickle
import threading
import time
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

import librobots
from librobots import (
    ArgumentError,
    Crawler,
    ImageError,
    Reason,
    check_table,
    compile_table,
    filter_table,
    filter_tables,
)
from librobots.warc import read_captures

BODY = b"User-agent: *\nDisallow: /private\n"
CLOSED = b"User-agent: *\nDisallow: /\n"
CAPTURES = {
    "url": [f"https://{site}.example/robots.txt" for site in ("a", "b", "c")],
    "status": [200, 503, 404],
    "body": [BODY, None, b"<html>"],
}
URLS = [
    "https://a.example/",
    "https://a.example/private/x",
    "https://b.example/",
    "https://c.example/x",
    "https://d.example/" + "long/" * 5,
    "no url",
    None,
    "HTTPS://user@A.example:443/private",
    "https://a.example/caf\u00e9",
    "http://a.example/",
    "https://a.example\\@b.example/",
    "mailto:joe@a.example",
]
ORIGINS = [
    *(f"https://{site}.example" for site in "aabcd"),
    None,
    None,
    "https://a.example",
    "https://a.example",
    "http://a.example",
]
ORIGINS += [None, None]
ANSWERS = [
    "allowed",
    "disallowed",
    "unreachable",
    "allowed",
    "no_capture",
    "bad_url",
    "bad_url",
    "disallowed",
    "allowed",
    "no_capture",
]
ANSWERS += ["bad_url", "bad_url"]
LINES = [0, 2, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0]
SITES = compile_table(CAPTURES, "ExampleBot")
KEPT = [row for row, answer in enumerate(ANSWERS) if answer == "allowed"]
TABLES = [
    pa.table,
    pa.RecordBatch.from_pydict,
    lambda columns: pa.concat_tables([pa.table(columns)[:5], pa.table(columns)[5:5], pa.table(columns)[5:]]),
    lambda columns: pa.table(columns).set_column(0, "url", pa.array(columns["url"], pa.large_string())),
    lambda columns: pa.table(columns).set_column(0, "url", pa.array(columns["url"]).dictionary_encode()),
    lambda columns: pa.table({name: [None, *column] for name, column in columns.items()})[1:],
    lambda columns: pa.table(pl.DataFrame(columns)),  # has views
    pd.DataFrame,
    pl.DataFrame,  # exports views
    dict,
]


def rows(table) -> list[int]:
    return list(table["n"].to_pylist() if hasattr(table["n"], "to_pylist") else table["n"])


def answers(table, column: str) -> list[object]:
    return pa.table(table)[column].to_pylist()


def test_expected_answers_are_those_of_single_checks() -> None:
    """The list above is not taken from the function that it tests."""
    rules = {f"https://{site}.example": SITES.rules(f"https://{site}.example/") for site in "abc"}
    for url, origin, answer, line in zip(URLS, ORIGINS, ANSWERS, LINES):
        if origin not in rules:
            assert answer == ("bad_url" if origin is None else "no_capture")
            continue
        verdict = rules[origin].check(url)
        assert verdict.line == line
        assert answer == (
            "allowed" if verdict else "unreachable" if verdict.reason == Reason.UNREACHABLE else "disallowed"
        )


@pytest.mark.parametrize("make", TABLES)
@pytest.mark.parametrize("on_missing", ["allow", "disallow"])
def test_tables(make, on_missing: str) -> None:
    table = make({"url": URLS, "n": list(range(len(URLS)))})
    found = filter_table(table, SITES, None, on_missing)
    assert type(found.table) is type(table)
    kept = [
        row
        for row, answer in enumerate(ANSWERS)
        if answer == "allowed" or (answer, on_missing) == ("no_capture", "allow")
    ]
    assert rows(found.table) == kept
    assert answers(found.answers, "answer") == ANSWERS
    assert answers(found.answers, "origin") == ORIGINS
    assert answers(found.answers, "line") == LINES
    missing = on_missing == "allow"
    wanted = {"allowed": True, "disallowed": False, "unreachable": False, "no_capture": missing, "bad_url": None}
    assert answers(found.answers, "allowed") == [wanted[answer] for answer in ANSWERS]
    reasons = answers(found.answers, "reason")
    assert reasons[:5] == ["NO_RULE", "RULE_DISALLOWED", "UNREACHABLE", "ALLOW_ALL", None]
    assert found.counts == (12, len(kept), *(ANSWERS.count(answer) for answer in wanted), 5, 2)
    assert found.answers.mask.tolist() == [row in kept for row in range(len(URLS))]


@pytest.mark.parametrize(
    "make",
    [
        list,
        tuple,
        iter,
        pa.array,
        lambda urls: pa.array(urls, pa.string_view()),
        lambda urls: pa.chunked_array([pa.array(urls, pa.string_view())]),
        pd.Series,
        pl.Series,
        lambda urls: pa.chunked_array([urls[:3], urls[3:]]),
        lambda urls: np.array(urls, dtype=object),
        lambda urls: pd.Series(urls, dtype="category"),
        lambda urls: pl.Series(urls, dtype=pl.Categorical),
        lambda urls: [url if url is None else url.encode() for url in urls],
    ],
)
def test_columns(make) -> None:
    found = filter_table(make(URLS), SITES, None, "disallow")
    kept = [
        url.decode() if isinstance(url, bytes) else url
        for url in (x.as_py() if hasattr(x, "as_py") else x for x in found.table)
    ]
    assert kept == [URLS[row] for row in KEPT]
    assert found.counts.kept == len(KEPT)


@pytest.mark.parametrize("kind", ["U90", ">U90", "S90", "T"])
def test_arrays_of_numpy(kind: str) -> None:
    urls = [url for url in URLS if url and url.isascii()]
    array = np.array(urls, dtype=kind)
    found = filter_table(array, SITES, None, "disallow")
    assert found.table.dtype == array.dtype
    assert [x.decode() if isinstance(x, bytes) else x for x in found.table.tolist()] == [
        url for url in urls if SITES.rules(url) and SITES.rules(url).is_allowed(url)
    ]


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


def test_views_of_pyarrow_in_any_column() -> None:
    """The tables of polars have them, also in lists and structures."""
    table = pl.DataFrame({"url": URLS, "n": [[{"text": "long " * 5, "raw": b"x", "n": n}] for n in range(len(URLS))]})
    for of_table in (pa.table(table), pa.table(table).to_batches()[0]):
        assert "string_view" in str(of_table.schema)
        found = filter_table(of_table, SITES, None, "disallow").table
        found.validate(full=True)
        assert (type(found), found.schema) == (type(of_table), of_table.schema)
        assert found.to_pylist() == [of_table.to_pylist()[row] for row in KEPT]


def test_relations_of_duckdb() -> None:
    relation = duckdb.from_arrow(pa.table({"link": URLS}))
    found = filter_table(relation, SITES, None, "disallow", url_column="link")
    assert found.table["link"].to_pylist() == [URLS[row] for row in KEPT]


def test_many_rows_by_several_threads() -> None:
    """As one thread, in order, with runs of a site and without; sites that the table lacks are counted once."""
    urls = [
        f"https://{'abcdxyz'[row * row % 7]}{row % 3 or ''}.example/{'private' if row % 5 == 0 else row}"
        for row in range(70_001)
    ]
    urls[40_000] = "no url"
    column = pa.array(urls)
    found = filter_table(column, SITES, None, "allow")
    one = filter_table(column, SITES, None, "allow", use_threads=False)
    for name in ("origin", "answer", "line", "reason", "allowed"):
        assert answers(found.answers, name) == answers(one.answers, name)
    assert found.counts == one.counts
    origins = [None if url == "no url" else url[: url.index("/", 8)] for url in urls]
    assert answers(found.answers, "origin") == origins
    assert found.counts.missing_sites == len(
        {origin for origin in origins if origin and SITES.rules(origin + "/") is None}
    )
    for row in range(0, len(urls), 997):
        rules = SITES.rules(urls[row])
        assert found.answers.mask[row] == (urls[row] != "no url" and (rules is None or rules.is_allowed(urls[row])))


def test_raw_forms_of_hosts() -> None:
    """Each form of a host is looked up once, so one that ends elsewhere must not be taken for it."""
    hosts = [
        "https://t\u00ea.example",
        "https://T\u00ca.example:443",
        "https://joe@t\u00ea.example",
        "https://[2001:db8::1]",
    ]
    hosts += [
        "https://[2001:DB8:0::1]",
        "https://joe:x@[2001:db8::1]:443",
        "https://t\u00ea.example.",
        "https://t\u00ea.example:1",
    ]
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
    urls = [host + end for host in hosts for end in ends] * 3
    origins = ["https://t\u00ea.example", "https://[2001:db8::1]"]
    sites = compile_table({"origin": origins, "status": [200] * 2, "body": [BODY] * 2}, "ExampleBot")
    found = answers(filter_table(urls, sites, None, "disallow").answers, "origin")
    for url, origin in zip(urls, found):
        try:
            wanted = librobots.Origin(url).key
        except librobots.UrlError:
            wanted = None
        assert origin == wanted, url
    assert 30 < found.count("https://xn--t-dga.example") < len(found) - 30


def test_other_threads_run() -> None:
    """With the GIL held, this thread would run in the first and the last milliseconds of the call alone."""
    column = pa.array(["https://a.example/private/x", "https://c.example/"] * 600_000)
    times, ran, ended = [], set(), threading.Event()

    def check() -> None:
        times.append(time.monotonic())
        filter_table(pa.chunked_array([column]), SITES, None, "allow", use_threads=False)
        times.append(time.monotonic())
        ended.set()

    thread = threading.Thread(target=check)
    thread.start()
    while not ended.is_set():
        ran.add(time.monotonic_ns() // 1_000_000)
    thread.join()
    start, end = (int(at * 1000) for at in times)
    assert end - start > 40
    assert len(ran.intersection(range(start + 8, end - 8))) > (end - start - 16) / 20


def test_images_in_the_same_row() -> None:
    rules = [SITES.rules(f"https://{site}.example/") for site in "abc"]
    images = [rules[row % 3].image if row % 4 else None for row in range(20_000)]
    urls = [("/private/x", "https://a.example/", "no url", None)[row * row % 11 % 4] for row in range(20_000)]
    found = check_table(urls, images)
    plain = pa.table(found).to_pylist()
    for row in range(0, 20_000, 7):
        if urls[row] is None:
            assert plain[row]["answer"] == "bad_url"
        elif images[row] is None:
            assert plain[row] == {"answer": "no_capture", "allowed": None, "reason": None, "line": 0}
        else:
            verdict = rules[row % 3].check(urls[row])
            assert plain[row]["allowed"] == (None if verdict.error else verdict.allowed)
            assert plain[row]["line"] == verdict.line
            assert plain[row]["reason"] == (None if verdict.error else verdict.reason.name)
    assert found.counts.sites == 0
    assert found.counts.kept == found.counts.allowed == found.mask.allowed_count
    for make in (
        pa.array,
        pl.Series,
        lambda images: pa.array(images, pa.large_binary()),
        lambda images: pa.array(images).dictionary_encode(),
    ):
        assert pa.table(check_table(pa.array(urls), make(images))).to_pylist() == plain


def test_images_that_are_damaged() -> None:
    image = bytearray(SITES.rules("https://a.example/").image)
    image[-1] ^= 1
    good = SITES.rules("https://a.example/").image
    with pytest.raises(ImageError, match="row 1"):
        check_table(["/", "/"], [good, bytes(image)])
    with pytest.raises(ImageError, match=r"https://a\.example"):
        compile_table({"origin": ["https://a.example"], "image": [bytes(image)]})
    with pytest.raises(ArgumentError, match="2 URLs, but 1 images"):
        check_table(["/", "/"], [good])
    with pytest.raises(TypeError, match=r'column "images" is text: pass bytes'):
        check_table(["/"], pa.array(["image"]))


@pytest.mark.parametrize("make", [pa.table, pd.DataFrame, pl.DataFrame, dict])
def test_tables_of_images(make, tmp_path: Path) -> None:
    table = make({name: column.to_pylist() for name, column in zip(("origin", "image"), pa.table(SITES).columns)})
    assert pa.table(compile_table(table)).equals(pa.table(SITES).drop_columns("agent"))
    pq.write_table(pa.table(SITES), tmp_path / "images.parquet")
    again = compile_table(pq.ParquetFile(tmp_path / "images.parquet"), "ExampleBot")
    assert filter_table(URLS, again, None, "allow").counts == filter_table(URLS, SITES, None, "allow").counts
    with pytest.raises(ArgumentError, match="the images do not name the crawler"):
        compile_table(table, "ExampleBot")


@pytest.mark.parametrize("make", [pa.table, lambda sites: pd.DataFrame(pa.table(sites).to_pandas()), pl.DataFrame])
def test_images_name_their_crawler(make) -> None:
    images = make(SITES)
    with pytest.raises(ArgumentError, match="compiled for ExampleBot: pass that crawler as agent"):
        filter_table(URLS, images, on_missing="allow")
    sites = compile_table(images, "ExampleBot")
    assert filter_table(URLS, sites, on_missing="allow").table == filter_table(URLS, SITES, None, "allow").table
    assert repr(filter_table([], sites, None, "allow")).startswith("<FilteredTable for ExampleBot: ")
    assert (sites.agent, SITES.agent, pickle.loads(pickle.dumps(sites)).agent) == ("ExampleBot",) * 3
    for source in (images, sites, SITES):
        for agent in ("ExampleBot", "examplebot", Crawler("ExampleBot")):
            assert filter_table(URLS, source, agent, "allow").table == filter_table(URLS, SITES, None, "allow").table
        for agent, named in (("Other", "Other"), (("ExampleBot", "Other"), "ExampleBot,Other"), (Crawler(), r"\*")):
            with pytest.raises(ArgumentError, match=f"compiled for ExampleBot, not for {named}"):
                filter_table(URLS, source, agent, "allow")
        with pytest.raises(ArgumentError, match="in the dialect rfc9309, not google"):
            filter_table(URLS, source, Crawler("ExampleBot", dialect="google"), "allow")
    others = make(compile_table(CAPTURES, Crawler()))
    with pytest.raises(ArgumentError, match=r"images for ExampleBot and for \*: keep those of one crawler"):
        compile_table([images, others])
    assert compile_table(CAPTURES, Crawler()).agent == "*"


def test_images_of_one_site() -> None:
    image, other = SITES.rules("https://a.example/").image, SITES.rules("https://c.example/").image
    same = compile_table(
        {"origin": ["https://a.example", "HTTPS://A.example:443/x", "https://b.example"], "image": [image, image, None]}
    )
    assert (len(same), same.counts.repeated, same.counts.unusable) == (1, 1, 1)
    assert answers(filter_table(["https://b.example/"], same, None, "disallow").answers, "answer") == ["no_capture"]
    with pytest.raises(ArgumentError, match=r"two images of https://a\.example"):
        compile_table({"origin": ["https://a.example", "https://a.example/"], "image": [image, other]})
    with pytest.raises(ArgumentError, match=r'names no site, but "a\.example": an origin is a URL'):
        compile_table({"origin": ["a.example"], "image": [image]})
    with pytest.raises(ArgumentError, match="empty"):
        compile_table({"origin": [], "image": []})


@pytest.mark.parametrize(
    "date",
    [
        lambda day: day,
        lambda day: day + 0.5,
        lambda day: f"2026-02-{day + 10}",
        lambda day: datetime.datetime(2026, 2, day + 10),
        lambda day: datetime.datetime(2026, 2, day + 10, tzinfo=datetime.timezone.utc),
    ],
)
@pytest.mark.parametrize("make", [dict, pa.table, pd.DataFrame, pl.DataFrame])
def test_the_newest_capture_decides(make, date) -> None:
    site = {
        "origin": ["https://a.example/"] * 4,
        "status": [200, 200, 503, 200],
        "body": [CLOSED, BODY, None, CLOSED],
    }
    found = compile_table(make({**site, "date": [date(day) for day in (1, 5, 9, 3)]}), "ExampleBot")
    # The newest was an outage, so the one before it holds (SPEC 2.11).
    assert found.rules("https://a.example/").is_allowed("/")
    assert not found.rules("https://a.example/").is_allowed("/private")
    assert found.counts == (1, 0, 0, 4, 3, 0, 0, 0, 1, 0, 0, 0)
    with pytest.raises(ArgumentError, match=r"https://a\.example/robots\.txt has 4 captures, 4 without a date"):
        compile_table(make(site), "ExampleBot")


@pytest.mark.parametrize("make", [dict, pa.table, pd.DataFrame, pl.DataFrame])
@pytest.mark.parametrize("date", [1_769_941_800, "2026-02-01", datetime.datetime(2026, 2, 1)])
def test_a_capture_without_a_date_among_others(make, date) -> None:
    """It may be the newest: nothing says that the dated one is."""
    site = {"origin": ["https://a.example"] * 3, "status": [200, 200, 200], "body": [BODY, CLOSED, BODY]}
    for dates in ([date, None, date], [None, date, date]):
        with pytest.raises(ArgumentError, match="has 3 captures, 1 without a date"):
            compile_table(make({**site, "date": dates}), "ExampleBot")
    dated, undated = ({name: column[at : at + 1] for name, column in site.items()} for at in (0, 1))
    with pytest.raises(ArgumentError, match="has 2 captures, 1 without a date"):
        compile_table([make({**dated, "date": [date]}), make(undated)], "ExampleBot")
    one_each = {**site, "origin": ["https://a.example", "https://b.example", "https://c.example"]}
    assert len(compile_table(make({**one_each, "date": [date, None, None]}), "ExampleBot")) == 3


TIMES = [
    "2026-02-01T10:30:00Z",
    "2026-02-01 10:30",
    "2026-02-01T12:30:00.000+02:00",
    "2026-02-01T05:00:00,0-0530",
    "2026-02-01T09:30-01",
    " 20260201103000 ",
    datetime.datetime(2026, 2, 1, 10, 30, tzinfo=datetime.timezone.utc),
    1_769_941_800,
]


@pytest.mark.parametrize("time", TIMES)
@pytest.mark.parametrize(
    "other", ["2026-02-01T10:30:00.000000001Z", "2026-02-02", "20260202", datetime.date(2026, 2, 2)]
)
def test_dates_compare_by_their_time(time, other) -> None:
    """Text of any form, in any zone: by its characters 09:30-01 is before 10:00Z."""
    site = {"origin": ["https://a.example"] * 2, "status": [200] * 2, "body": [CLOSED, BODY]}
    assert compile_table({**site, "date": [time, other]}, "ExampleBot").rules("https://a.example/").is_allowed("/")
    assert not compile_table({**site, "date": [other, time]}, "ExampleBot").rules("https://a.example/").is_allowed("/")
    for same in TIMES:
        assert compile_table({**site, "date": [time, same]}, "ExampleBot").counts.ties == 1


NO_DATES = ["", "now", "2026-02-29", "2026-13-01", "01.02.2026", "2026-2-1", "202602", "0000-01-01", "2026-02-01X10:00"]
NO_DATES += [
    "Sun, 01 Feb 2026 10:00:00 GMT",
    "2026-02-01T24:00",
    "2026-02-01T10",
    "2026-02-01T10:00.Z",
    "2026-02-01T10:00+2",
]


@pytest.mark.parametrize("text", NO_DATES)
@pytest.mark.parametrize("make", [list, pa.array, pl.Series])
def test_text_that_is_no_date(make, text: str) -> None:
    table = {**CAPTURES, "date": make(["2026-02-01", text, None])}
    with pytest.raises(TypeError, match=r"in row 1 is no date of ISO 8601: pass times, seconds, or text such as"):
        compile_table(table, "ExampleBot")


def test_dates_of_several_units() -> None:
    site = {"origin": ["https://a.example"] * 2, "status": [200] * 2, "body": [CLOSED, BODY]}
    now = 1_769_941_800
    numbers = [now, now * 1000, now * 10**6, now * 10**9, 20_260_201, 20_260_201_103_000, 0, -1]
    for first, other in itertools.permutations(numbers, 2):
        if {first, other} == {0, -1}:
            continue
        with pytest.raises(
            ArgumentError, match=f"the dates {first} and {other}, in seconds since 1970, are not of one unit"
        ):
            compile_table({**site, "date": [first, other]}, "ExampleBot")
    # A date that stands for none is no date of a capture.
    for date in (datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc), "1970-01-01"):
        with pytest.raises(ArgumentError, match=f"the dates 0 and {now}"):
            compile_table({**site, "date": [date, now]}, "ExampleBot")
    for date in numbers:
        assert (
            compile_table({**site, "date": [date, date + 1]}, "ExampleBot").rules("https://a.example/").is_allowed("/")
        )
    # A capture of the year 2000, and one of today.
    assert compile_table({**site, "date": [950_000_000, now]}, "ExampleBot").rules("https://a.example/").is_allowed("/")


@pytest.mark.parametrize("make", [dict, pa.table, pd.DataFrame, pl.DataFrame])
def test_origins_of_pages(make) -> None:
    """The response to a page says nothing about the robots.txt of its site."""
    table = {"status": [404, 200], "body": [None, BODY]}
    for page in ("https://a.example/index.html", " https://a.example/robots.txt?x", "http://a.example:80/x/robots.txt"):
        with pytest.raises(ArgumentError, match=r'the origin ".*a\.example.*" in row 1 has a path'):
            compile_table(
                make({"origin": [None, page], "url": ["https://b.example/robots.txt"] * 2, **table}), "ExampleBot"
            )
    origins = ["https://a.example/robots.txt", "HTTPS://B.example:443/"]
    assert len(compile_table(make({"origin": origins, **table}), "ExampleBot")) == 2


def test_captures_of_the_same_date() -> None:
    """The rows may have any order. What an older or an unreachable capture says is no tie."""
    rows = [("a", 2, 200, BODY), ("a", 2, 200, CLOSED), ("a", 2, 200, BODY), ("b", 1, 200, BODY), ("b", 1, 200, CLOSED)]
    rows += [("b", 2, 200, BODY), ("b", 2, 200, BODY), ("c", 2, 200, BODY), ("c", 2, 503, None)]
    found = []
    for order in (rows, rows[::-1], rows[1:] + rows[:1]):
        site, date, status, body = zip(*order)
        table = {"origin": [f"https://{name}.example" for name in site], "date": date, "status": status, "body": body}
        found.append(compile_table(table, "ExampleBot"))
        assert found[-1].counts.ties == 1
        assert pa.table(found[-1]).equals(pa.table(found[0]))
    assert filter_table(["https://a.example/"], found[0], None, "allow").sites is found[0]


def test_redirects_lead_to_other_captures() -> None:
    hops = [f"https://hop{n}.example/robots.txt" for n in range(8)]
    captures = {
        "url": [
            "http://old.example/robots.txt",
            *(f"https://{site}.example/robots.txt" for site in ("new", "lost", "vague", "plain")),
            *hops,
            "https://elsewhere.example/page",
        ],
        "target": [
            "HTTPS://New.example/robots.txt#top\n",
            None,
            "https://gone.example/x",
            "",
            None,
            *hops[1:],
            "https://new.example/robots.txt",
            None,
        ],
        "status": [301, 200, 302, 301, 301, *[301] * 8, 200],
        "body": [None, CLOSED, *[None] * 11, b"<html>"],
    }
    found = compile_table(captures, "ExampleBot")

    def answer(site: str) -> str:
        return str(answers(filter_table([f"{site}/"], found, None, "disallow").answers, "answer")[0])

    assert answer("http://old.example") == answer("https://new.example") == "disallowed"
    assert answer("https://lost.example") == "no_capture"
    assert answer("https://vague.example") == "allowed"  # a redirect that leads nowhere (SPEC 2.3)
    assert answer("https://plain.example") == "unreachable"  # one that nobody followed (SPEC 2.16)
    # Up to five redirects are followed; more count as a missing file (SPEC 2.3).
    assert [answer(f"https://hop{n}.example") for n in (0, 2, 3, 7)] == [
        "allowed",
        "allowed",
        "disallowed",
        "disallowed",
    ]
    assert (found.counts.redirects_lost, found.counts.other_pages) == (1, 1)


def test_files_that_redirects_lead_to_are_counted() -> None:
    """The page of another URL is the robots.txt of the site then."""
    pages = [f"https://a.example/{n}" for n in range(5)]
    table = {
        "url": [*(f"https://{n}.example/robots.txt" for n in range(5)), *pages, pages[2], pages[3]],
        "target": [*pages[:4], "https://b.example/", *[None] * 7],
        "status": [301] * 5 + [200] * 5 + [503, 404],
        "body": [None] * 5 + [b"<html>", b"User-agent: * Disallow: /", BODY, CLOSED, b"<html>", None, None],
        "date": [1] * 10 + [2, 1],
    }
    counts = compile_table(table, "ExampleBot").counts
    assert (counts.without_group, counts.damaged, counts.after_outage, counts.ties) == (1, 1, 1, 1)
    assert (counts.sites, counts.redirects_lost, counts.other_pages) == (4, 1, 7)


def test_columns_of_a_dict_have_one_item_a_row() -> None:
    captures = {"origin": ["https://a.example"], "status": [200], "body": [CLOSED]}
    for urls in (
        {"id": [1], "url": ["https://a.example/", "https://b.example/"]},
        {"id": "ab", "url": ["https://a.example/", "https://b.example/"]},
        {"url": (url for url in ["https://a.example/"])},
    ):
        with pytest.raises(ArgumentError, match=r"rows|one item a row"):
            filter_table(urls, captures, "ExampleBot", "disallow")


def test_what_a_capture_lacks_never_permits() -> None:
    table = {
        "url": [f"https://{n}.example/robots.txt" for n in range(8)],
        "body": [BODY, BODY, None, None, CLOSED, BODY, b"", b""],
    }
    table["status"] = [None, 0, 200, 206, 200, 70_000, -1, float("nan")]
    table["failure"] = [None, None, None, None, "TRUNCATED", None, None, None]
    found = compile_table(table, "ExampleBot")
    urls = [f"https://{n}.example/" for n in range(8)]
    assert answers(filter_table(urls, found, None, "allow").answers, "answer") == ["unreachable"] * 8
    assert found.counts.unreachable == 8
    assert filter_table(urls, pd.DataFrame(table), "ExampleBot", "allow").counts.unreachable == 8
    # 204 is a response without a body, which is an empty file.
    table["status"][3] = 204
    assert compile_table(table, "ExampleBot").counts.unreachable == 7


def test_what_is_no_robots_txt_is_counted() -> None:
    """A file without a group allows every URL, so a column of other text must not be silent."""
    bodies = [b"<!DOCTYPE html><p>user-agent: x", b"/data/a.txt", repr(BODY), base64.b64encode(BODY), "# User-agent: *"]
    files = [
        BODY,
        b"\xef\xbb\xbfUSER-AGENT:x",
        b"\n\r  user agent: x",
        b"useragent: *",
        b"User-Agent *",
    ]
    blank = [b"", b" \n", None]
    bodies += [gzip.compress(BODY), b"Sitemap: https://a.example/map.xml"]
    lost = [
        "User-agent: *Disallow: /private/",
        b"User-agent: * Disallow: /private/",
        "User-agent: *\\nDisallow: /private/",
        "User-agent: *&#10;Disallow: /private/",
        b"User-agent: *\nDisallow: /a/\nDisal",
        b"User-agent: *\nDisallow: /a/Disallow: /b/\n",
        *(
            first + b"User-agent: x\nDisallow: /a/\n\nUser-agent: *\nDisallow: /b/"
            for first in (b'"', b"<pre>", b"\xe2\x80\x8b")
        ),
        b"Disallow: /a/\n\nUser-agent: *\nDisallow: /b/",
    ]
    all_bodies = bodies + lost + files + blank
    assert [librobots.body_doubt(body or b"") for body in all_bodies] == (
        ["no_group"] * len(bodies) + ["damaged"] * len(lost) + [None] * len(files) + ["no_group"] * 3
    )
    # A compressed body is that of an outage, and so is a body that is lost.
    for status, wanted in ((200, (0, len(bodies) + 1, len(lost))), (404, (len(all_bodies), 0, 0)), (503, (0, 0, 0))):
        table = {
            "origin": [f"https://{n}.example" for n in range(len(all_bodies))],
            "status": [status] * len(all_bodies),
            "body": all_bodies,
        }
        counts = compile_table(table, "ExampleBot").counts
        assert (counts.without_file, counts.without_group, counts.damaged) == wanted


def test_sites_without_a_file_are_counted() -> None:
    """They allow every URL: a column of wrong statuses must not be silent."""
    table = {"origin": [f"https://{n}.example" for n in range(7)], "status": [404, 401, 403, 301, 200, 204, 503]}
    table |= {"body": [CLOSED] * 5 + [None] * 2, "target": [None] * 3 + [""] + [None] * 3}
    sites = compile_table(table, "ExampleBot")
    assert (sites.counts.without_file, sites.counts.unreachable) == (4, 1)
    # The rules show it, so images do, too.
    assert compile_table(pa.table(sites), "ExampleBot").counts.without_file == 4


NULLS = [(make, null) for make in (dict, pa.table, pd.DataFrame, pl.DataFrame) for null in (None, float("nan"))]


@pytest.mark.parametrize(("make", "null"), [*NULLS, (dict, pd.NaT), (pd.DataFrame, pd.NaT)])
def test_columns_of_nulls_alone(make, null) -> None:
    """In pandas such a column has floats or times."""
    table = {**CAPTURES, "failure": [null] * 3, "target": [null] * 3, "date": [null] * 3, "origin": [null] * 3}
    assert pa.table(compile_table(make(table), "ExampleBot")).equals(pa.table(SITES))


def test_captures_that_name_no_site() -> None:
    table = {
        "url": ["a.example/robots.txt", "https://a.example/robots.txt", None],
        "status": [200] * 3,
        "body": [CLOSED] * 3,
    }
    assert compile_table(table, "ExampleBot").counts.unusable == 2
    for urls in (["a.example"] * 3, ["https://a.example/page", "https://b.example/page", None]):
        with pytest.raises(ArgumentError, match="no capture is that of a site: captures=3"):
            compile_table({**table, "url": urls}, "ExampleBot")


def test_crawlers() -> None:
    body = b"User-agent: Other\nDisallow: /\n\nUser-agent: *\nDisallow: /p*q\n"
    table = {"url": ["https://a.example/robots.txt"], "status": [200], "body": [body]}

    def kept(agent: object) -> list[str]:
        return filter_table(["https://a.example/", "https://a.example/pxq"], table, agent, "allow").table

    assert kept("Other") == kept(("Other", "ExampleBot")) == []
    assert kept("ExampleBot") == kept(Crawler()) == ["https://a.example/"]
    assert len(kept(Crawler("ExampleBot", dialect="koster1996"))) == 2
    with pytest.raises(librobots.TokenError):
        kept("ExampleBot/1.0 (+https://example.com)")
    for wrong in (None, 5, ["ExampleBot"], ()):
        with pytest.raises(ArgumentError, match="agent="):
            kept(wrong)


@pytest.mark.parametrize("wrong", ["maybe", None, "ALLOW", True, 0])
def test_on_missing_has_no_default(wrong: object) -> None:
    for call in (filter_table, filter_tables):
        with pytest.raises(ArgumentError, match=f'on_missing={wrong!r}: pass "allow" or "disallow"'):
            call(URLS, SITES, None, wrong)
    with pytest.raises(ArgumentError, match="on_missing=None"):
        filter_table(URLS, CAPTURES, "ExampleBot")


@pytest.mark.parametrize("make", [pa.table, pd.DataFrame, pl.DataFrame, dict])
def test_wrong_columns(make) -> None:
    table = make({"link": URLS, "n": list(range(len(URLS)))})
    with pytest.raises(ArgumentError, match="no column 'url'; its columns are link, n"):
        filter_table(table, SITES, None, "allow")
    with pytest.raises(TypeError, match=r'column "urls" is .*: pass one column of text'):
        filter_table(table, SITES, None, "allow", url_column="n")
    with pytest.raises(ArgumentError, match="no column url or origin, status, body; its columns are link, n"):
        compile_table(table, "ExampleBot")
    captures = {**CAPTURES, "status": ["200", "503", "404"]}
    with pytest.raises(TypeError, match=r'column "status" is .*: pass integers'):
        compile_table(make(captures), "ExampleBot")
    with pytest.raises(TypeError, match=r'column "body" is .*: pass bytes or text'):
        compile_table(make({**CAPTURES, "body": [1, 2, 3]}), "ExampleBot")
    with pytest.raises(TypeError, match=r'column "url" is .*: pass text'):
        compile_table(make({**CAPTURES, "url": [1.5, 2.5, 3.5]}), "ExampleBot")


def test_what_is_no_table() -> None:
    for wrong in (5, object(), "https://a.example/", b"x", pa.array([1]), np.array([[b"a"]]), np.array([1.5])):
        with pytest.raises((TypeError, ValueError)):
            filter_table(wrong, SITES, None, "allow")
    for wrong in ("urls.parquet", Path("urls"), 5, pl.LazyFrame({"url": URLS})):
        with pytest.raises(ArgumentError):
            filter_tables(wrong, SITES, None, "allow")
        with pytest.raises(ArgumentError):
            compile_table(wrong, "ExampleBot")
    with pytest.raises(ArgumentError, match="LazyFrame"):
        filter_table(pl.LazyFrame({"url": URLS}), SITES, None, "allow")
    with pytest.raises(ArgumentError, match="no table of robots"):
        compile_table([], "ExampleBot")
    with pytest.raises(ArgumentError, match=r"rows, but others have"):
        compile_table({**CAPTURES, "url": ["https://a.example/robots.txt"]}, "ExampleBot")
    with pytest.raises(ArgumentError, match="images and captures in the same rows"):
        compile_table({**CAPTURES, "origin": CAPTURES["url"], "image": [b""] * 3}, "ExampleBot")
    with pytest.raises(ArgumentError, match="some tables have images and some have captures"):
        compile_table([CAPTURES, pa.table(SITES)], "ExampleBot")


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
    many = {"url": [f"https://{n}.example/robots.txt" for n in range(1500)], "status": [200] * 1500}
    many["body"] = [f"User-agent: *\nDisallow: /{n}\n".encode() for n in range(1500)]
    found = compile_table(many, "ExampleBot")
    for n in range(1500):
        assert not found.rules(f"https://{n}.example/").is_allowed(f"/{n}")
    assert pa.table(compile_table(many, "ExampleBot", use_threads=False)).equals(pa.table(found))


def test_sites_are_pickled() -> None:
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(SITES, protocol))
        assert pa.table(again).equals(pa.table(SITES))
        assert again.counts == SITES.counts
    assert (len(again), repr(again)) == (3, "<Sites: 3, for ExampleBot>")
    make, (state, *counts) = SITES.__reduce__()
    for end in range(1, len(state)):
        with pytest.raises(ImageError):
            make(state[:end], *counts) if end not in ends(state) else make(b"\xff" * 9, *counts)
    assert SITES.rules("https://d.example/") is None
    assert SITES.rules("no url") is None


def ends(state: bytes) -> set[int]:
    """Return where a record of a pickle ends: a pickle that is cut there is whole."""
    at, found, parts = 0, set(), 0
    while at < len(state):
        at += 8 + int.from_bytes(state[at : at + 8], "little")
        parts += 1
        if parts % 2 == 0:
            found.add(at)
    return found


def write_warc(path: Path, captures: list[tuple[str, str, list[tuple[str, str]], bytes]], **head: str) -> None:
    with path.open("wb") as file:
        writer = WARCWriter(file, gzip=path.suffix == ".gz")
        for url, status, headers, body in captures:
            http = StatusAndHeaders(status, headers, protocol="HTTP/1.1")
            record = writer.create_warc_record(
                url, "response", payload=io.BytesIO(body), http_headers=http, warc_headers_dict=head
            )
            writer.write_record(record)
        writer.write_record(
            writer.create_warc_record("https://x.example/", "request", payload=io.BytesIO(b"GET /\r\n"))
        )


def test_archives(tmp_path: Path) -> None:
    chunks = b"5;x=1\r\nUser-\r\n%x\r\n%s\r\n0\r\n\r\n" % (len(CLOSED) - 5, CLOSED[5:])
    packed = gzip.compress(CLOSED)
    captures = [
        ("plain", "200 OK", [("Content-Length", str(len(CLOSED)))], CLOSED),
        ("chunks", "200 OK", [("Transfer-Encoding", "chunked")], chunks),
        ("cut-chunks", "200 OK", [("Transfer-Encoding", "chunked")], chunks[:-9]),
        ("gzip", "200 OK", [("Content-Encoding", "gzip")], packed),
        ("cut-gzip", "200 OK", [("Content-Encoding", "gzip")], packed[:-9]),
        ("undone", "200 OK", [("Content-Encoding", "gzip")], CLOSED),
        ("brotli", "200 OK", [("Content-Encoding", "br")], b"\x00"),
        ("short", "200 OK", [("Content-Length", "999")], CLOSED),
        ("missing", "404 Not Found", [], b"<html>"),
        ("moved", "301 Moved", [("Location", "//plain.example/robots.txt#top")], b""),
        ("nowhere", "301 Moved", [("Location", "mailto:joe@example.com")], b""),
        ("down", "503 Busy", [], b""),
        ("large", "200 OK", [], CLOSED + b"#" * 600_000),
    ]
    paths = [tmp_path / "a.warc.gz", tmp_path / "b.warc"]
    for path, part in zip(paths, (captures[:5], captures[5:])):
        write_warc(path, [(f"https://{site}.example/robots.txt", *rest) for site, *rest in part])
    seen: list[tuple[str, int]] = []
    tables = list(read_captures(paths, batch_rows=4, progress=lambda *done: seen.append(done)))
    assert [len(table["url"]) for table in tables] == [4, 4, 4, 1]
    assert seen == [(str(paths[0]), 5), (str(paths[1]), 13)]
    failures = {
        url[8 : url.index(".")]: failure for table in tables for url, failure in zip(table["url"], table["failure"])
    }
    assert {site: failure for site, failure in failures.items() if failure} == {
        "cut-chunks": "TRUNCATED",
        "cut-gzip": "TRUNCATED",
        "brotli": "ENCODED_BODY",
        "short": "SHORT_BODY",
    }
    assert len(tables[3]["body"][0]) == 512_001
    found = compile_table(read_captures(paths), "ExampleBot")
    urls = [f"https://{site}.example/" for site, *_ in captures]
    by_site = dict(
        zip((site for site, *_ in captures), answers(filter_table(urls, found, None, "disallow").answers, "answer"))
    )
    assert {site for site, answer in by_site.items() if answer == "disallowed"} == {
        "plain",
        "chunks",
        "gzip",
        "undone",
        "moved",
        "large",
    }
    assert {site for site, answer in by_site.items() if answer == "allowed"} == {"missing", "nowhere"}

    write_warc(
        tmp_path / "cut.warc", [("https://a.example/robots.txt", "200 OK", [], BODY)], **{"WARC-Truncated": "length"}
    )
    assert next(read_captures([tmp_path / "cut.warc"]))["failure"] == ["TRUNCATED"]
    data = paths[0].read_bytes()
    (tmp_path / "damaged.warc.gz").write_bytes(data[:300] + b"\x00" * 20 + data[320:])
    for path in (tmp_path / "damaged.warc.gz", tmp_path / "none.warc"):
        with pytest.raises(OSError, match=path.name):
            list(read_captures([path]))
    for wrong in ({"paths": "a.warc"}, {"paths": [], "batch_rows": 0}, {"paths": [], "max_bytes": 511_999}):
        with pytest.raises(ArgumentError, match="pass"):
            read_captures(**wrong)
