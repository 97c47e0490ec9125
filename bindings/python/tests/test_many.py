"""Many URLs in one call: lists, NumPy, Arrow of several libraries; what is no URL; other threads run."""

from __future__ import annotations

import itertools
import pickle
import threading
import time
from collections.abc import Callable

import numpy as np
import pyarrow as pa
import pytest

from librobots import Crawler, compile_table, filter_table

RULES = Crawler("ExampleBot").parse("User-agent: *\nDisallow: /private/\nDisallow: /caf\u00e9\nDisallow: /*.pdf$\n")
LONG = "https://example.com/private/" + "x" * 50
URLS = ["/", "/private/a", "no-url", "/caf\u00e9/1", LONG, "https://example.com/a.pdf", "", "/b"] * 20
CODES = [1, 0, 2, 0, 0, 0, 2, 1] * 20
ALLOWED = [code == 1 for code in CODES]


def codes(urls) -> list[int]:
    return list(RULES.check_many(urls).codes)


@pytest.mark.parametrize("count", [0, 1, 63, 64, 160])
@pytest.mark.parametrize("kind", [list, tuple, iter, lambda urls: (url.encode() for url in urls), dict.fromkeys])
def test_iterables(kind, count: int) -> None:
    urls = URLS[:count]
    wanted = CODES[:count]
    if kind == dict.fromkeys:
        urls, wanted = list(dict.fromkeys(urls)), wanted[: len(set(urls))]
    assert codes(kind(urls)) == wanted


@pytest.mark.parametrize(
    "make",
    [
        np.array,
        lambda urls: np.array(urls, dtype=object),
        lambda urls: np.array(urls, dtype="T"),
        lambda urls: np.array([url.encode() for url in urls]),
        lambda urls: np.array(urls).astype(">U90"),
        pa.array,
        lambda urls: pa.array(urls, pa.large_string()),
        lambda urls: pa.array(urls, pa.string_view()),
        lambda urls: pa.array([url.encode() for url in urls], pa.binary()),
        lambda urls: pa.array([url.encode() for url in urls], pa.large_binary()),
        lambda urls: pa.array([url.encode() for url in urls], pa.binary_view()),
        lambda urls: pa.chunked_array([urls[:7], [], urls[7:]], pa.string()),
        lambda urls: pa.table({"url": urls})["url"],
    ],
)
def test_arrays(make) -> None:
    array = make(URLS)
    assert codes(array) == CODES
    assert codes(array[3:50]) == CODES[3:50]
    assert codes(array[:0]) == []
    if isinstance(array, np.ndarray):
        assert codes(array[::-1]) == CODES[::-1]
        assert codes(array[::3]) == CODES[::3]


@pytest.mark.parametrize(
    "make",
    [
        list,
        iter,
        np.array,
        lambda urls: np.array(urls, dtype="S"),
        pa.array,
        lambda urls: pa.array(urls, pa.string_view()),
    ],
)
def test_sorted(make) -> None:
    """URLs that share their start with the one before get their own verdicts."""
    starts = [
        "/a",
        "/private",
        "/private/",
        "/privat",
        "/shop/",
        "https://example.com/private/x",
        "https://example.com/p",
    ]
    urls = sorted(
        start + "abcdefghij"[:end] + more for start in starts for end in range(11) for more in ("", ".pdf", "?q", "#")
    )
    assert codes(make(urls)) == [int(RULES.is_allowed(url)) for url in urls]


def test_none_is_no_url_in_any_dialect() -> None:
    """In the dialect google the empty text is one."""
    rules = Crawler("ExampleBot", dialect="google").parse("User-agent: *\nDisallow: /private/\n")
    assert list(rules.check_many([None, "", None]).codes) == [2, 1, 2]
    assert list(rules.check_many(pa.array([None, "", None], pa.string_view())).codes) == [2, 1, 2]


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.string_view()])
def test_nulls(kind) -> None:
    array = pa.array(["/", None, "/private/", None, LONG], kind)
    assert codes(array) == [1, 2, 0, 2, 0]
    assert codes(array[1:]) == [2, 0, 2, 0]
    assert codes(pa.nulls(3, kind)) == [2, 2, 2]
    assert codes(["/", None]) == [1, 2]


def test_what_is_no_column() -> None:
    dictionary = pa.array(["/", "/a"]).dictionary_encode()
    for wrong in (pa.array([1, 2]), dictionary, pa.table({"url": URLS}), pa.chunked_array([[1]])):
        with pytest.raises(TypeError, match="pass one column"):
            RULES.check_many(wrong)
    with pytest.raises(ValueError, match="one dimension, not 2"):
        RULES.check_many(np.array([["/", "/a"]]))
    for wrong in ("/", b"/", 5, None, np.array([1, 2]), [5], ["/", object()] * 100):
        with pytest.raises(TypeError):
            RULES.check_many(wrong)
    with pytest.raises(TypeError, match="URL 1 is int"):
        RULES.check_many(["/", 5])


@pytest.mark.parametrize("count", [1, 100_000])
def test_what_fails_while_it_is_read(count: int) -> None:
    def urls():
        yield from ["/"] * count
        raise KeyError("gone")

    class Sized(list):
        __iter__ = None

    with pytest.raises(KeyError):
        RULES.check_many(urls())
    with pytest.raises(TypeError, match=f"URL {count} is int"):
        RULES.check_many(["/"] * count + [5])
    assert codes(Sized(["/"] * count)) == [1] * count


@pytest.mark.parametrize(
    "make",
    [
        list,
        tuple,
        dict.fromkeys,
        iter,
        lambda urls: np.array(urls, dtype="S"),
        pa.array,
        lambda urls: pa.array(urls, pa.string_view()),
        lambda urls: pa.chunked_array([urls[:5], urls[5:]]),
    ],
)
def test_many_are_checked_in_order(make) -> None:
    """By several threads, as by one."""
    urls = [f"/{'private' if number % 7 == 0 else 'open'}/{number}" for number in range(100_001)]
    urls[50_000] = "no-url"
    wanted = bytes(2 if number == 50_000 else number % 7 != 0 for number in range(100_001))
    assert RULES.check_many(make(urls)).codes == wanted
    assert RULES.check_many(make(urls), use_threads=False).codes == wanted


def test_a_list_that_changes_meanwhile() -> None:
    """Python frees its strings while the call reads them, unless the call keeps them."""
    urls = [f"/private/{number}" for number in range(200_000)]
    ended = threading.Event()

    def change() -> None:
        while not ended.is_set():
            urls[:] = [f"/private/{number}" for number in range(200_000)]

    thread = threading.Thread(target=change)
    thread.start()
    for _ in range(10):
        assert RULES.check_many(urls).allowed_count == 0
    ended.set()
    thread.join()


def test_verdicts() -> None:
    verdicts = RULES.check_many(URLS)
    assert list(verdicts) == verdicts.tolist() == ALLOWED
    assert (len(verdicts), verdicts.allowed_count, verdicts.bad_url_count) == (160, 40, 40)
    assert verdicts[0] is True
    assert verdicts[1] is False
    assert verdicts[-1] is True
    for index in (160, -161):
        with pytest.raises(IndexError):
            verdicts[index]
    with pytest.raises(ValueError, match="ambiguous"):
        bool(verdicts)
    assert pickle.loads(pickle.dumps(verdicts)) == verdicts != RULES.check_many(["/"])
    assert repr(verdicts) == "<Verdicts on 160 URLs: 40 allowed, 40 bad URLs>"


def test_filters() -> None:
    verdicts = RULES.check_many(URLS)
    mask = pa.array(verdicts)
    assert mask.type == pa.bool_()
    mask.validate(full=True)
    assert mask.to_pylist() == ALLOWED
    table = pa.table({"url": URLS})
    assert table.filter(mask)["url"].to_pylist() == ["/", "/b"] * 20
    array = np.asarray(verdicts)
    assert array.dtype == bool
    assert array.tolist() == ALLOWED
    array[0] = False
    assert np.array(URLS)[np.asarray(verdicts)].tolist() == ["/", "/b"] * 20
    assert np.asarray(verdicts, dtype="u1").tolist() == [int(allowed) for allowed in ALLOWED]
    assert pa.array(RULES.check_many([])).to_pylist() == []


def test_capsules_that_nobody_takes() -> None:
    for _ in range(1000):
        RULES.check_many(URLS).__arrow_c_array__()


def other_threads_run(call: Callable[[], object]) -> bool:
    """Return whether another thread runs during a call, not at its start and end alone."""
    times, ended = [], threading.Event()

    def tick() -> None:
        while not ended.wait(0.001):
            times.append(time.monotonic())

    thread = threading.Thread(target=tick)
    thread.start()
    begin = time.monotonic()
    call()
    end = time.monotonic()
    ended.set()
    thread.join()
    inside = [begin, *(at for at in times if begin < at < end), end]
    return max(second - first for first, second in itertools.pairwise(inside)) < (end - begin) / 2


CALLS = {
    "check_many of a list": lambda: RULES.check_many(MANY),
    "check_many of an array": lambda: RULES.check_many(COLUMN),
    "check_many by one thread": lambda: RULES.check_many(COLUMN, use_threads=False),
    "filter_table": lambda: filter_table(COLUMN, SITES, None, "allow", use_threads=False),
    "parse": lambda: Crawler("ExampleBot", max_bytes=1 << 24).parse(FILE),
}
MANY = URLS * 10_000
FILE = b"User-agent: *\n" + b"".join(b"Disallow: /%d*b/\n" % number for number in range(500_000))
COLUMN = pa.array(MANY)
SITES = compile_table({"origin": ["https://example.com"], "status": [200], "body": [b""]}, "ExampleBot")


@pytest.mark.parametrize("name", CALLS)
def test_other_threads_run(name: str) -> None:
    # A thread of a busy machine may wake late.
    assert any(other_threads_run(CALLS[name]) for _ in range(10))


def test_the_lock_is_seen() -> None:
    """As it is held by a call that does not let other threads run."""
    assert not any(other_threads_run(lambda: sum(range(10_000_000))) for _ in range(3))
