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

from librobots import Crawler, Rules, compile_table, filter_table

RULES = Crawler("ExampleBot").parse("User-agent: *\nDisallow: /private/\nDisallow: /caf\u00e9\nDisallow: /*.pdf$\n")
LONG = "https://example.com/private/" + "x" * 50
URLS = ["/", "/private/a", "no-url", "/caf\u00e9/1", LONG, "https://example.com/a.pdf", "", "/b"] * 20
CODES = [1, 0, 2, 0, 0, 0, 2, 1] * 20
# Lengths at which the ways of the engine end, with a URL that starts as the one before and ends otherwise.
STARTS = ["/a", "/private", "/private/", "/privat", "/shop/", "https://example.com/private/x", "https://example.com/p"]
SHARED = sorted(
    start + "abcdefghij"[:end] + more for start in STARTS for end in range(11) for more in ("", ".pdf", "?q", "#")
)


def codes(urls, rules: Rules = RULES, **options) -> list[int]:
    return list(rules.check_many(urls, **options).codes)


def encoded(urls) -> list[bytes]:
    return [url.encode() for url in urls]


TEXTS = [lambda urls, kind=kind: pa.array(urls, kind) for kind in (pa.string(), pa.large_string(), pa.string_view())]
ITERABLES = [list, tuple, iter, lambda urls: iter(encoded(urls))]
ARRAYS = [
    np.array,
    *(lambda urls, kind=kind: np.array(urls, dtype=kind) for kind in (object, "T")),
    lambda urls: np.array(encoded(urls)),
    lambda urls: np.array(urls).astype(">U90"),
    *TEXTS,
    *(
        lambda urls, kind=kind: pa.array(encoded(urls), kind)
        for kind in (pa.binary(), pa.large_binary(), pa.binary_view())
    ),
    lambda urls: pa.chunked_array([urls[:7], [], urls[7:]], pa.string()),
    lambda urls: pa.table({"url": pa.array(urls, pa.string())})["url"],
]


@pytest.mark.parametrize("make", ITERABLES + ARRAYS)
def test_each_kind_of_column(make) -> None:
    for count in (0, 1, 63, 64, 160):
        assert codes(make(URLS[:count])) == CODES[:count]
    assert codes(make(SHARED)) == [int(RULES.is_allowed(url)) for url in SHARED]


@pytest.mark.parametrize("make", ARRAYS)
def test_slices(make) -> None:
    array = make(URLS)
    assert codes(array[3:50]) == CODES[3:50]
    assert codes(array[:0]) == []
    if isinstance(array, np.ndarray):
        assert codes(array[::-3]) == CODES[::-3]


@pytest.mark.parametrize("make", [list, tuple, dict.fromkeys, iter, *ARRAYS[3:4], *ARRAYS[5:8], *ARRAYS[-2:]])
def test_many_are_checked_in_order(make) -> None:
    """By several threads, as by one."""
    urls = [f"/{'private' if number % 7 == 0 else 'open'}/{number}" for number in range(100_001)]
    urls[50_000] = "no-url"
    wanted = [2 if number == 50_000 else int(number % 7 != 0) for number in range(100_001)]
    assert codes(make(urls)) == codes(make(urls), use_threads=False) == wanted


@pytest.mark.parametrize("make", [list, *TEXTS])
def test_none_is_no_url_in_any_dialect(make) -> None:
    array = make(["/", None, "/private/", None, LONG])
    assert codes(array) == [1, 2, 0, 2, 0]
    assert codes(array[1:]) == [2, 0, 2, 0]
    assert codes(make([None] * 3)) == [2, 2, 2]
    # So is the empty text.
    google = Crawler("ExampleBot", dialect="google").parse("User-agent: *\nDisallow: /private/\n")
    assert codes(make([None, "", None]), google) == [2, 2, 2]


def fails(count: int):
    yield from ["/"] * count
    raise KeyError("gone")


COLUMN_ERROR = (TypeError, "pass one column")
WRONG = [
    *((wrong, COLUMN_ERROR) for wrong in (pa.array([1]), pa.array(["/"]).dictionary_encode(), pa.table({"url": URLS}))),
    (pa.chunked_array([[1]]), COLUMN_ERROR),
    (np.array([["/", "/a"]]), (ValueError, "the array has 2 dimensions: pass one column")),
    (pa.array([1]), (TypeError, "the Arrow array is of integers")),
    *((wrong, (TypeError, f"^urls={wrong}: pass a list, another iterable or a column")) for wrong in (5, None)),
    *((wrong, (TypeError, None)) for wrong in ("/", b"/", np.array([1, 2]), ["/", object()] * 100)),
    *((["/"] * count + [5], (TypeError, f"URL {count} is int")) for count in (0, 1, 100_000)),
    *((fails(count), (KeyError, "gone")) for count in (1, 100_000)),
]


@pytest.mark.parametrize(("wrong", "error"), WRONG)
def test_what_is_no_column(wrong, error: tuple[type[Exception], str | None]) -> None:
    with pytest.raises(error[0], match=error[1]):
        RULES.check_many(wrong)


def test_a_list_that_changes_meanwhile() -> None:
    """Python frees its strings while the call reads them, unless the call keeps them."""
    urls, ended = [f"/private/{number}" for number in range(200_000)], threading.Event()

    def change() -> None:
        while not ended.is_set():
            urls[:] = [f"/private/{number}" for number in range(200_000)]

    thread = threading.Thread(target=change)
    thread.start()
    for _ in range(10):
        assert RULES.check_many(urls).allowed_count == 0
    ended.set()
    thread.join()

    class Sized(list):
        __iter__ = None

    assert codes(Sized(["/"])) == [1]


def test_verdicts() -> None:
    verdicts, allowed = RULES.check_many(URLS), [code == 1 for code in CODES]
    assert list(verdicts) == verdicts.tolist() == allowed
    assert (len(verdicts), verdicts.allowed_count, verdicts.bad_url_count) == (160, 40, 40)
    assert [verdicts[index] for index in (0, 1, -1)] == [True, False, True]
    for index in (160, -161):
        with pytest.raises(IndexError):
            verdicts[index]
    with pytest.raises(ValueError, match="ambiguous"):
        bool(verdicts)
    assert pickle.loads(pickle.dumps(verdicts)) == verdicts != RULES.check_many(["/"])
    assert repr(verdicts) == "<Verdicts on 160 URLs: 40 allowed, 40 bad URLs>"
    mask, array = pa.array(verdicts), np.asarray(verdicts)
    mask.validate(full=True)
    assert (mask.type, mask.to_pylist()) == (pa.bool_(), allowed)
    assert pa.table({"url": URLS}).filter(mask)["url"].to_pylist() == ["/", "/b"] * 20
    assert (array.dtype, array.tolist()) == (bool, allowed)
    array[0] = False  # it is a copy
    assert np.array(URLS)[np.asarray(verdicts)].tolist() == ["/", "/b"] * 20
    assert np.asarray(verdicts, dtype="u1").tolist() == list(map(int, allowed))
    assert pa.array(RULES.check_many([])).to_pylist() == []
    for _ in range(1000):  # capsules that nobody takes
        verdicts.__arrow_c_array__()


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


MANY = URLS * 10_000
FILE = b"User-agent: *\n" + b"".join(b"Disallow: /%d*b/\n" % number for number in range(500_000))
COLUMN = pa.array(MANY)
SITES = compile_table({"origin": ["https://example.com"], "status": [200], "body": [b""]}, "ExampleBot")
CALLS = {
    "check_many of a list": lambda: RULES.check_many(MANY),
    "check_many of an array": lambda: RULES.check_many(COLUMN),
    "check_many by one thread": lambda: RULES.check_many(COLUMN, use_threads=False),
    "filter_table": lambda: filter_table(COLUMN, SITES, None, "allow", use_threads=False),
    "parse": lambda: Crawler("ExampleBot", max_bytes=1 << 24).parse(FILE),
}


@pytest.mark.parametrize("name", CALLS)
def test_other_threads_run(name: str) -> None:
    # A thread of a busy machine may wake late.
    assert any(other_threads_run(CALLS[name]) for _ in range(10))


def test_the_lock_is_seen() -> None:
    """As it is held by a call that does not let other threads run."""
    assert not any(other_threads_run(lambda: sum(range(3_000_000))) for _ in range(3))
