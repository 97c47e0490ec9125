"""Structures of the Arrow C data interface that no library exports: malformed, misaligned, failing; each is released once."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable

import pyarrow as pa
import pytest

from librobots import ArgumentError, Crawler, compile_table
from librobots._librobots import _filter_table

RULES = Crawler("ExampleBot").parse("User-agent: *\nDisallow: /private/\n")
SITES = compile_table({"origin": ["https://a.example"], "status": [200], "body": [b""]}, "ExampleBot")
LONG = "https://b.example/private/"


class Schema(ctypes.Structure):
    """struct ArrowSchema."""


class Array(ctypes.Structure):
    """struct ArrowArray."""


class Stream(ctypes.Structure):
    """struct ArrowArrayStream."""


RELEASE = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
GET = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
LAST_ERROR = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)
Schema._fields_ = [
    *((name, ctypes.c_char_p) for name in ("format", "name", "metadata")),
    *((name, ctypes.c_int64) for name in ("flags", "n_children")),
    ("children", ctypes.c_void_p),
    ("dictionary", ctypes.POINTER(Schema)),
    ("release", ctypes.c_void_p),
    ("private_data", ctypes.c_void_p),
]
Array._fields_ = [
    *((name, ctypes.c_int64) for name in ("length", "null_count", "offset", "n_buffers", "n_children")),
    *((name, ctypes.c_void_p) for name in ("buffers", "children")),
    ("dictionary", ctypes.POINTER(Array)),
    ("release", ctypes.c_void_p),
    ("private_data", ctypes.c_void_p),
]
Stream._fields_ = [
    *((name, ctypes.c_void_p) for name in ("get_schema", "get_next", "get_last_error", "release", "private_data")),
]
KEPT: list[object] = []
LIVE: list[int] = []  # a number for each structure that is not released
NEW_CAPSULE = ctypes.pythonapi.PyCapsule_New
NEW_CAPSULE.restype = ctypes.py_object
NEW_CAPSULE.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
NAMES = {Schema: b"arrow_schema", Array: b"arrow_array", Stream: b"arrow_array_stream"}


def function(kind, call: Callable) -> int:
    """Return the address of a C function."""
    made = kind(call)
    KEPT.append(made)
    return ctypes.cast(made, ctypes.c_void_p).value


def memory(data: bytes, shift: int = 0) -> int:
    """Return the address of a copy of data: a multiple of 64, and `shift` bytes more."""
    block = ctypes.create_string_buffer(len(data) + 128 + shift)
    KEPT.append(block)
    address = -(-ctypes.addressof(block) // 64) * 64 + shift
    ctypes.memmove(address, data, len(data))
    return address


def made(kind: type, dictionary: ctypes.Structure | None = None, **fields: object) -> ctypes.Structure:
    """Return a structure that is live until it is released, once, where it was moved to."""
    number, offset = len(KEPT), kind.release.offset

    def release(at: int) -> None:
        LIVE.remove(number)
        ctypes.c_void_p.from_address(at + offset).value = None

    LIVE.append(number)
    structure = kind(release=function(RELEASE, release), **fields)
    if dictionary is not None:
        structure.dictionary = ctypes.pointer(dictionary)
    KEPT.append(structure)
    return structure


def schema(kind: bytes | None, values: bytes | None = None) -> ctypes.Structure:
    """Return the schema of a format, perhaps of a dictionary with values of a format."""
    return made(Schema, None if values is None else Schema(format=values), format=kind)


def array(
    length: int, *buffers: int | None, dictionary: ctypes.Structure | None = None, **fields: int | None
) -> ctypes.Structure:
    """Return an array of buffers. `fields` may contradict them."""
    pointers = (ctypes.c_void_p * len(buffers))(*buffers)
    KEPT.append(pointers)
    fields = {"n_buffers": len(buffers), "buffers": ctypes.addressof(pointers), **fields}
    return made(Array, dictionary, length=length, **fields)


class Exported:
    """An object with structures. Each is moved into a capsule."""

    def __init__(self, schema: ctypes.Structure, *arrays: ctypes.Structure) -> None:
        """Export one array; many are a stream."""
        self.structures = [schema, *arrays]
        if len(arrays) == 1:
            self.__arrow_c_array__ = lambda: tuple(map(capsule, self.structures))
        else:
            rest = iter([*self.structures, Array()])
            get = function(GET, lambda _, out: move(next(rest), out))
            stream = made(Stream, get_schema=get, get_next=get)
            self.__arrow_c_stream__ = lambda: capsule(stream)

    def __len__(self) -> int:
        """Return the rows of the columns of this module."""
        return 1


def move(structure: ctypes.Structure, out: int) -> int:
    """Move a structure, and return that it did not fail."""
    ctypes.memmove(out, ctypes.addressof(structure), ctypes.sizeof(structure))
    return 0


def capsule(structure: ctypes.Structure) -> object:
    """Return a capsule with a structure."""
    return NEW_CAPSULE(ctypes.addressof(structure), NAMES[type(structure)], None)


def offsets(texts: list[str], code: str = "i") -> bytes:
    ends = [0]
    for text in texts:
        ends.append(ends[-1] + len(text))
    return struct.pack(f"={len(ends)}{code}", *ends)


def views(texts: list[str]) -> bytes:
    """Return views of texts, one after the other in the first data buffer if they are long."""
    made, end = [], 0
    for text in texts:
        if len(text) <= 12:
            made.append(struct.pack("=i12s", len(text), text.encode()))
        else:
            made.append(struct.pack("=i4sii", len(text), text[:4].encode(), 0, end))
            end += len(text)
    return b"".join(made)


def codes(exported: object) -> list[int]:
    return list(RULES.check_many(exported).codes)


def answers(exported: object) -> list[object]:
    return pa.table(_filter_table(exported, SITES, True, False))["answer"].to_pylist()


URLS = ["/", LONG]
DATA = memory("".join(URLS).encode())
VIEWS, LENGTHS = memory(views(URLS)), memory(struct.pack("=q", len(LONG)))
ENDS, WIDE = memory(offsets(URLS)), memory(offsets(URLS, "q"))
NEGATIVE = memory(struct.pack("=3i", 0, 1, -1))
ZEROS = memory(bytes(64))
LACKS, LENGTH, MEMORY = "lacks buffers", "has a negative length", "has more rows than memory holds"
VALUES = Array(length=2, n_buffers=3, buffers=memory(struct.pack("=3q", 0, ENDS, DATA)))
MALFORMED = {
    "negative length": (b"u", None, lambda: array(-1, None, ENDS, DATA), LENGTH),
    "negative offset": (b"u", None, lambda: array(2, None, ENDS, DATA, offset=-1), LENGTH),
    "length": (b"u", None, lambda: array(1 << 62, None, ENDS, DATA), MEMORY),
    "largest length": (b"U", None, lambda: array((1 << 63) - 1, None, ENDS, DATA), MEMORY),
    "offset": (b"u", None, lambda: array(2, None, ENDS, DATA, offset=(1 << 63) - 1), MEMORY),
    "no buffers": (b"u", None, lambda: array(2), LACKS),
    "negative buffers": (b"u", None, lambda: array(2, None, ENDS, DATA, n_buffers=-1), LACKS),
    "two buffers": (b"z", None, lambda: array(2, None, ENDS), LACKS),
    "null buffers": (b"u", None, lambda: array(2, None, ENDS, DATA, buffers=None), LACKS),
    "four buffers": (b"u", None, lambda: array(2, None, ENDS, DATA, DATA), "is malformed"),
    "null offsets": (b"u", None, lambda: array(2, None, None, DATA), "position 1 is null"),
    "null text": (b"U", None, lambda: array(2, None, WIDE, None), "position 2 is null"),
    "last offset": (b"u", None, lambda: array(2, None, NEGATIVE, DATA), "has a negative offset"),
    "views of two buffers": (b"vu", None, lambda: array(2, None, VIEWS), LACKS),
    "views, no lengths": (b"vu", None, lambda: array(2, None, VIEWS, DATA, None), LACKS),
    "views, misaligned lengths": (b"vu", None, lambda: array(2, None, VIEWS, DATA, LENGTHS + 1), LACKS),
    "views, negative length": (
        b"vz",
        None,
        lambda: array(2, None, VIEWS, DATA, memory(struct.pack("=q", -1))),
        "negative offset or buffer length",
    ),
    "dictionary of no schema": (b"u", None, lambda: array(2, None, ENDS, DATA, dictionary=VALUES), "is malformed"),
    "no dictionary": (b"i", b"u", lambda: array(2, None, ZEROS), "is malformed"),
    "dictionary of one buffer": (b"i", b"u", lambda: array(2, None, dictionary=VALUES), LACKS),
    "values of one buffer": (b"i", b"u", lambda: array(2, None, ZEROS, dictionary=Array(length=1, n_buffers=1)), LACKS),
    "values of negative length": (b"i", b"u", lambda: array(2, None, ZEROS, dictionary=Array(length=-1)), LENGTH),
}


@pytest.fixture(autouse=True)
def each_is_released():
    LIVE.clear()
    yield
    assert LIVE == []


@pytest.mark.parametrize("name", MALFORMED)
@pytest.mark.parametrize("count", [1, 2])
def test_malformed_arrays(name: str, count: int) -> None:
    """As an array, and as the first one of a stream."""
    kind, values, make, error = MALFORMED[name]
    calls = [answers] if values else [codes, answers]
    for call in calls:
        with pytest.raises(ArgumentError, match=f"^the Arrow array .*{error}"):
            call(Exported(schema(kind, values), make(), *[Array()] * (count - 1)))


SCHEMAS = {
    "null": (None, None, 'of the Arrow format ""'),
    "empty": (b"", None, 'of the Arrow format ""'),
    "not UTF-8": (b"\xff", None, "of the Arrow format"),
    "zone": (b"tsu:\xff", None, "of times"),
    "unit": (b"tsx:", None, "of times"),
    "structure": (b"+s", None, "a whole table"),
    "map": (b"+m", None, "of lists"),
    "indices of text": (b"u", b"u", "text"),
    "times of a day": (b"ttu", None, "of times"),
    "values without a format": (b"i", b"", 'of the Arrow format ""'),
}


@pytest.mark.parametrize("name", SCHEMAS)
def test_malformed_schemas(name: str) -> None:
    kind, values, words = SCHEMAS[name]
    for call, error in ((answers, words), (codes, "expected strings, but the Arrow array is")):
        with pytest.raises(TypeError, match=error):
            call(Exported(schema(kind, values), array(2, None, ENDS)))


def test_text_outside_its_buffer() -> None:
    """One call answers all URLs or none; a table has an answer in each row."""
    far = struct.pack("=i4sii", 20, b"http", 0, 20) + struct.pack("=i4sii", 20, b"http", 7, 0)
    back = memory(struct.pack("=4i", 0, 1, 0, len(LONG) + 1))
    for kind, make in (
        (b"vu", lambda: array(2, None, memory(far), DATA, LENGTHS)),
        (b"u", lambda: array(3, None, back, DATA)),
    ):
        with pytest.raises(ArgumentError):
            codes(Exported(schema(kind), make()))
        assert "bad_url" in answers(Exported(schema(kind), make()))


def test_what_is_empty_may_lack_buffers() -> None:
    for kind in (b"u", b"U", b"z", b"vu"):
        assert codes(Exported(schema(kind), array(0, buffers=None))) == []
        assert answers(Exported(schema(kind), array(0, None, None, None))) == []
    values = Array(length=0, n_buffers=3, buffers=ZEROS)
    nulls = array(2, ZEROS, ZEROS, dictionary=values, null_count=2)
    assert answers(Exported(schema(b"i", b"u"), nulls)) == ["bad_url"] * 2
    assert answers(Exported(schema(b"n"), array(2))) == ["bad_url"] * 2
    assert codes(Exported(schema(b"u"), array(2, None, memory(bytes(12)), None))) == [2, 2]


@pytest.mark.parametrize("shift", [1, 2, 4, 8, 12])
def test_misaligned_buffers(shift: int) -> None:
    for kind, buffers in {
        b"u": (memory(offsets(URLS), shift), DATA),
        b"Z": (memory(offsets(URLS, "q"), shift), DATA),
        b"vu": (memory(views(URLS), shift), memory(LONG.encode(), shift), LENGTHS),
    }.items():
        assert codes(Exported(schema(kind), array(2, None, *buffers))) == [1, 0]
        assert codes(Exported(schema(kind), array(1, memory(b"\x02", shift), *buffers, offset=1, null_count=-1))) == [0]
        assert codes(Exported(schema(kind), array(2, memory(b"\x02", shift), *buffers, null_count=1))) == [2, 0]
    site = {"origin": ["https://a.example"], "body": [b""]}
    for code, kind in zip("bBhHiIqQfd", "cCsSiIlLfg"):
        status = memory(struct.pack(f"={code}", 100 if code == "b" else 200 if code == "B" else 404), shift)
        found = compile_table({**site, "status": Exported(schema(kind.encode()), array(1, None, status))}, "ExampleBot")
        assert found.counts.captures == 1
    indices = memory(struct.pack("=2i", 1, 0), shift)
    assert answers(Exported(schema(b"i", b"u"), array(2, None, indices, dictionary=VALUES))) == [
        "no_capture",
        "bad_url",
    ]


def test_streams() -> None:
    parts = [array(2, None, ENDS, DATA), array(0, None, None, None), array(1, None, ENDS, DATA, offset=1)]
    assert codes(Exported(schema(b"u"), *parts)) == [1, 0, 0]
    assert codes(Exported(schema(b"u"))) == []


def test_streams_that_fail() -> None:
    text = memory(b"out of \xff tape\0")
    failing = {"get_schema": function(GET, lambda *_: 5), "get_next": function(GET, lambda *_: 5)}
    schema_only = {**failing, "get_schema": function(GET, lambda _, out: move(schema(b"u"), out))}
    for fields, error in (
        ({}, "has no functions"),
        ({"get_schema": schema_only["get_schema"]}, "has no functions"),
        (failing, "failed: error 5"),
        (schema_only, "failed: error 5"),
        ({**failing, "get_last_error": function(LAST_ERROR, lambda _: None)}, "failed: error 5"),
        ({**failing, "get_last_error": function(LAST_ERROR, lambda _: text)}, "failed: out of \ufffd tape"),
        ({**schema_only, "get_last_error": function(LAST_ERROR, lambda _: text)}, "failed: out of \ufffd tape"),
    ):
        exported = Exported(schema(b"u"), array(0))
        LIVE.clear()
        del exported.__arrow_c_array__
        stream = made(Stream, **fields)
        exported.__arrow_c_stream__ = lambda stream=stream: capsule(stream)
        with pytest.raises(ValueError, match=f"^the Arrow stream {error}"):
            codes(exported)


def test_capsules_that_were_taken() -> None:
    exported = Exported(schema(b"u"), array(2, None, ENDS, DATA))
    assert codes(exported) == [1, 0]
    with pytest.raises(TypeError, match="expected strings"):
        codes(exported)
    released = Exported(schema(b"u"), Array())
    assert codes(released) == []
    for wrong in (lambda: (1, 2), lambda: (), lambda: tuple(map(capsule, exported.structures[::-1]))):
        exported.__arrow_c_array__ = wrong
        with pytest.raises((TypeError, IndexError, ValueError)):
            codes(exported)
