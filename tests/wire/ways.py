"""The table of misbehaviour: a server that answers a request for a robots.txt in each of these ways.

Each way is an origin of its own, with a port of its own. Where a way serves a body, the body is FILE, or the part before CUT
of it: then the line that forbids /private is missing. So a client that takes a cut file for a whole one shows.
"""

from __future__ import annotations

import functools
import gzip
import selectors
import socket
import struct
import threading
import time
import zlib
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import NamedTuple, Union

FILE = b"user-agent: *\nallow: /open\ndisallow: /private\n"
CUT = FILE.index(b"disallow")
PART, REST = FILE[:CUT], FILE[CUT:]

SECONDS = 3.0
"""The timeout of each client, for one fetch of a robots.txt. It leaves room for a busy machine."""

PAGES = ("/open", "/private")

RESET, HOLD, KEEP = "reset", "hold", "keep"
"""What a script ends with: the connection is reset, stays open and silent, or serves the next request. Else the server closes it."""

EITHER = (
    *("length-twice", "length-list", "length-zeros", "transfer-*identity*", "transfer-and-*", "transfer-in-1.0"),
    *("chunk-zeros", "chunk-line-feeds", "chunk-space", "chunk-*extension", "chunk-bad-trailer", "chunk-text-after"),
    *("line-*", "header-*", "before-*", "status-199", "redirect-cut"),
)
"""Patterns of ways with the whole file that a reader of HTTP may take or refuse: it allows what the file allows, or nothing."""

Script = tuple[Union[bytes, float, str], ...]
"""What the server does: it sends bytes, and waits for seconds."""

_LATE = 3 * SECONDS


def drip(data: bytes, seconds: float, most: int = 40) -> Script:
    """Send data in pieces, in so many seconds."""
    size = -(-len(data) // most)
    pieces = [data[at : at + size] for at in range(0, len(data), size)]
    return tuple(part for piece in pieces for part in (piece, seconds / len(pieces)))


def head(*lines: str, status: str = "HTTP/1.1 200 OK") -> bytes:
    own = [status, "Content-Type: text/plain", "Connection: close", *lines, "", ""]
    return "\r\n".join(own).encode("latin-1")


def plain(body: bytes, *lines: str, status: str = "HTTP/1.1 200 OK") -> bytes:
    """A response that is framed as it should be."""
    return head(f"Content-Length: {len(body)}", *lines, status=status) + body


def chunk(data: bytes, size: str = "") -> bytes:
    return f"{size or format(len(data), 'x')}\r\n".encode() + data + b"\r\n"


CHUNKED, LAST = "Transfer-Encoding: chunked", b"0\r\n\r\n"
LENGTH = f"Content-Length: {len(FILE)}"
OK10 = "HTTP/1.0 200 OK"
CHUNKS = chunk(PART) + chunk(REST)


def framings() -> Iterable[tuple[str, Script]]:
    """Each framing, and each way in which its body can end."""
    for name, start, first, second in (
        ("length", head(LENGTH), PART, REST),
        ("chunked", head(CHUNKED), chunk(PART), chunk(REST) + LAST),
        ("closed", head(), PART, REST),
        ("closed-1.0", head(status=OK10), PART, REST),
    ):
        yield name, (start, first, second)
        if not name.startswith("closed"):  # else nobody sees that it is whole or cut
            yield f"{name}-kept", (start.replace(b"Connection: close\r\n", b""), first, second, KEEP)
            yield f"{name}-cut", (start, first)
        yield f"{name}-cut-reset", (start, first, 0.1, RESET)
        yield f"{name}-cut-held", (start, first, HOLD)
        yield f"{name}-slow", (start, *drip(first + second, 0.3))
        yield f"{name}-late", (start, *drip(first + second, _LATE))
    yield "closed-reset", (head(), FILE, 0.1, RESET)
    yield "closed-empty", (head(),)


def lengths() -> Iterable[tuple[str, Script]]:
    """FILE under each Content-Length."""
    size, cut = len(FILE), CUT
    for name, values in {
        "short": [cut],
        "long": [size + 100],
        "twice": [size, size],
        "twice-different": [size, cut],
        "twice-different-reversed": [cut, size],
        "list": [f"{size}, {size}"],
        "list-different": [f"{size}, {cut}"],
        "list-different-reversed": [f"{cut}, {size}"],
        "letters": ["abc"],
        "empty": [""],
        "negative": [-cut],
        "plus": [f"+{cut}"],
        "hexadecimal": [f"0x{cut:x}"],
        "fraction": [f"{cut}.0"],
        "two-words": [f"{cut} 0"],
        "2-to-the-64": [2**64 + cut],
        "99-digits": ["9" * 99],
        "zeros": [f"{size:099}"],
    }.items():
        yield f"length-{name}", (head(*(f"Content-Length: {value}" for value in values)), FILE)
    yield "length-zero", (head("Content-Length: 0"),)


def transfer_codings() -> Iterable[tuple[str, Script]]:
    packed = gzip.compress(FILE, mtime=0)
    for name, value, body in (
        ("upper-case", "Chunked", CHUNKS + LAST),
        ("identity", "identity", FILE),
        ("deflate-chunked", "deflate, chunked", chunk(zlib.compress(FILE)) + LAST),
        ("gzip-chunked", "gzip, chunked", chunk(packed) + LAST),
        ("gzip-chunked-plain", "gzip, chunked", CHUNKS + LAST),
        ("gzip", "gzip", packed),
        ("chunked-gzip", "chunked, gzip", packed),
        ("identity-chunked", "identity, chunked", CHUNKS + LAST),
        ("chunked-identity", "chunked, identity", CHUNKS + LAST),
        ("chunked-chunked", "chunked, chunked", chunk(CHUNKS + LAST) + LAST),
        ("unknown", "x-unknown", FILE),
        ("xchunked", "xchunked", CHUNKS + LAST),
    ):
        yield f"transfer-{name}", (head(f"Transfer-Encoding: {value}"), body)
    yield "transfer-two-headers", (head("Transfer-Encoding: gzip", CHUNKED), chunk(packed), LAST)
    yield "transfer-in-1.0", (head(CHUNKED, status=OK10), CHUNKS, LAST)
    yield "transfer-and-length", (head(CHUNKED, LENGTH), CHUNKS, LAST)
    yield "transfer-and-short-length", (head(f"Content-Length: {len(chunk(PART))}", CHUNKED), CHUNKS, LAST)
    yield "transfer-and-long-length", (head(CHUNKED, "Content-Length: 9999"), CHUNKS, LAST)


def chunks() -> Iterable[tuple[str, Script]]:
    first, cut = chunk(PART), len(PART)
    for name, body in (
        ("empty", LAST),
        ("no-last", CHUNKS),
        ("no-end", CHUNKS + b"0\r\n"),
        ("half-end", CHUNKS + b"0\r\n\r"),
        ("cut-inside", first + chunk(REST)[:9]),
        ("cut-in-size", first + b"1"),
        ("cut-after-size", first + b"13\r\n"),
        ("no-size", first + chunk(REST, " ") + LAST),
        ("bad-size", first + chunk(REST, "zz") + LAST),
        ("negative-size", first + chunk(REST, "-13") + LAST),
        ("prefixed-size", first + chunk(REST, "0x13") + LAST),
        ("huge-size", first + chunk(REST, "f" * 15 + "3") + LAST),
        ("2-to-the-64", first + chunk(b"", "1" + "0" * 16) + LAST),
        ("zeros", first + chunk(REST, f"{len(REST):032x}") + LAST),
        ("too-small", first + chunk(REST, "5") + LAST),
        ("too-large", first + chunk(REST, "18") + LAST),
        ("no-line-end", b"%x\r\n%s%x\r\n%s\r\n0\r\n\r\n" % (cut, PART, len(REST), REST)),
        ("line-feeds", (CHUNKS + LAST).replace(b"\r", b"")),
        ("space", first + chunk(REST, f"{len(REST):x} ") + LAST),
        ("extension", chunk(PART, f"{cut:x};a=b") + chunk(REST) + LAST),
        ("quoted-extension", chunk(PART, f'{cut:x};a="b;\\"c"') + chunk(REST) + LAST),
        ("long-extension", chunk(PART, f"{cut:x};a={'b' * 20_000}") + chunk(REST) + LAST),
        ("bytes", b"".join(chunk(FILE[at : at + 1]) for at in range(len(FILE))) + LAST),
        ("trailers", CHUNKS + b"0\r\nX-Check: 1\r\nContent-Length: 3\r\n\r\n"),
        ("cut-trailers", CHUNKS + b"0\r\nX-Check: 1\r\n"),
        ("bad-trailer", CHUNKS + b"0\r\nno colon\r\n\r\n"),
        ("text-after", CHUNKS + LAST + b"more"),
    ):
        yield f"chunk-{name}", (head(CHUNKED), body)
    yield "chunk-late-size", (head(CHUNKED), first, *drip(b"0" * 38 + b"13", _LATE), b"\r\n", REST, b"\r\n", LAST)
    yield "chunk-late-extension", (head(CHUNKED), first, b"13;", *drip(b"a" * 40, _LATE), b"\r\n", REST, b"\r\n", LAST)
    yield "chunk-late-trailer", (head(CHUNKED), CHUNKS, b"0\r\nX: ", *drip(b"a" * 40, _LATE), b"\r\n\r\n")


def statuses() -> Iterable[tuple[str, Script]]:
    for status in (*(0, 99, 101, 199, 200, 201, 203, 206, 226, 299, 300, 304, 306, 400, 401, 403, 404, 410, 429, 451, 499)
                   , *(500, 503, 599, 600, 999)):  # fmt: skip
        body = b"" if status in (101, 199, 304) else FILE
        yield f"status-{status:03}", (plain(body, status=f"HTTP/1.1 {status:03} Words"),)
    for name, line in (("one-digit", "2"), ("four-digits", "2000"), ("letters", "2OO"), ("negative", "-200"), ("none", "")):
        yield f"status-{name}", (plain(FILE, status=f"HTTP/1.1 {line} OK"),)
    yield "status-204", (head(status="HTTP/1.1 204 No Content"),)
    yield "status-404-cut", (head("Content-Length: 500", status="HTTP/1.1 404 Not Found"), PART)
    yield "status-404-late", (head("Content-Length: 40", status="HTTP/1.1 404 Not Found"), *drip(b"x" * 40, _LATE))
    for status in (429, 503):
        yield f"status-{status}-later", (plain(b"", "Retry-After: 7200", status=f"HTTP/1.1 {status} Busy"),)
    hint = b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
    for name, before in (
        ("100", b"HTTP/1.1 100 Continue\r\n\r\n"),
        ("102", b"HTTP/1.1 102 Processing\r\n\r\n"),
        ("103", hint),
        ("103-twice", hint + hint),
        ("103-length", b"HTTP/1.1 103 Early Hints\r\nContent-Length: 9\r\n\r\n"),
        ("199", b"HTTP/1.1 199 Words\r\n\r\n"),
        ("8-of-100", b"HTTP/1.1 100 Continue\r\n\r\n" * 8),
    ):
        yield f"before-{name}", (before + plain(FILE),)
    yield "before-103-pause", (hint, 0.2, plain(FILE))
    yield "before-103-closed", (hint,)
    yield "before-103-404", (hint + plain(b"", status="HTTP/1.1 404 Not Found"),)
    yield "before-late", (*drip(hint * 20, _LATE, 20), plain(FILE))


def heads() -> Iterable[tuple[str, Script]]:
    whole = plain(FILE)
    line, ends = b"HTTP/1.1 200 OK\r\n", whole.index(b"\r\n\r\n")
    for name, part in (
        ("at-once", b""),
        ("in-status", line[:6]),
        ("after-status", line),
        ("in-header", whole[: ends - 3]),
        ("before-end", whole[: ends + 2]),
        ("after-headers", whole[: ends + 4]),
    ):
        yield f"cut-{name}", (part,)
        yield f"reset-{name}", (part, 0.1, RESET)
    yield "silent", (HOLD,)
    yield "late-status", (*drip(line, _LATE), whole[len(line) :])
    yield "late-headers", (*drip(whole[: ends + 4], _LATE), FILE)
    yield "late-answer", (_LATE, whole)
    yield "slow-headers", (*drip(whole[: ends + 4], 0.3), FILE)
    for name, start in (
        ("1.9", "HTTP/1.9 200 OK"),
        ("2.0", "HTTP/2.0 200 OK"),
        ("9.9", "HTTP/9.9 200 OK"),
        ("other", "HTTX/1.1 200 OK"),
        ("icy", "ICY 200 OK"),
        ("lower-case", "http/1.1 200 OK"),
        ("no-reason", "HTTP/1.1 200"),
        ("empty-reason", "HTTP/1.1 200 "),
        ("latin-reason", "HTTP/1.1 200 Tr\u00e8s bien"),
        ("two-spaces", "HTTP/1.1  200 OK"),
        ("tab", "HTTP/1.1\t200\tOK"),
    ):
        yield f"line-{name}", (plain(FILE, status=start),)
    yield "line-0.9", (FILE,)
    yield "line-empty-before", (b"\r\n" + whole,)
    for name, header in (
        ("64-kib", "X-Long: " + "a" * 65_536),
        ("8-kib", "X-Long: " + "a" * 8_000),
        ("300", "\r\n".join(f"X-{number}: a" for number in range(300))),
        ("folded", "X-Folded: a\r\n b"),
        ("no-colon", "X-No-Colon"),
        ("no-name", ": a"),
        ("no-value", "X-None:"),
        ("space-before-colon", "X-Space : a"),
        ("space-in-name", "X Space: a"),
        ("nul", "X-Nul: a\0b"),
        ("nul-in-name", "X-N\0l: a"),
        ("control", "X-Control: a\x01b"),
        ("return", "X-Return: a\rb"),
        ("latin", "X-Latin: caf\u00e9"),
        ("not-ascii-name", "X-Caf\u00e9: a"),
    ):
        yield f"header-{name}", (plain(FILE, header),)
    yield "header-line-feeds", (whole[: ends + 4].replace(b"\r", b"") + FILE,)
    yield "header-lower-case", (b"HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: %d\r\n\r\n%s" % (len(FILE), FILE),)
    yield "header-folded-length", (head(f"Content-Length:\r\n {len(FILE)}"), FILE)
    yield "header-space-before-length", (head(f"Content-Length : {len(FILE)}"), FILE)
    yield "header-only-line-feeds-cut", (whole[: ends + 4].replace(b"\r", b"") + PART,)


def compress(data: bytes) -> bytes:
    """Return data in the format of compress(1): a code of nine bits for each byte."""
    bits = sum(byte << 9 * at for at, byte in enumerate(data))
    return b"\x1f\x9d\x90" + bits.to_bytes(-(-9 * len(data) // 8), "little")


def brotli(data: bytes) -> bytes:
    """A stream of brotli with one block that is not compressed."""
    return ((len(data) - 1) << 4 | 1 << 20).to_bytes(3, "little") + data + b"\x03"


def zstd(data: bytes) -> bytes:
    """A frame of zstd with one block that is not compressed."""
    return b"\x28\xb5\x2f\xfd\x20%c" % len(data) + (len(data) << 3 | 1).to_bytes(3, "little") + data


def deflated(data: bytes, bits: int) -> tuple[bytes, bytes]:
    """A stream by zlib, split where PART ends."""
    packer = zlib.compressobj(9, zlib.DEFLATED, bits)
    start = packer.compress(data[:CUT]) + packer.flush(zlib.Z_SYNC_FLUSH)
    return start, packer.compress(data[CUT:]) + packer.flush()


def codings() -> Iterable[tuple[str, Script]]:
    start, rest = deflated(FILE, 31)
    packed = start + rest
    flipped = bytes([rest[-8] ^ 1])
    for name, coding, body in (
        ("gzip", "gzip", packed),
        ("x-gzip", "x-gzip", packed),
        ("gzip-upper-case", "GZIP", packed),
        ("gzip-cut", "gzip", start),
        ("gzip-cut-in-head", "gzip", packed[:5]),
        ("gzip-no-trailer", "gzip", packed[:-8]),
        ("gzip-cut-trailer", "gzip", packed[:-3]),
        ("gzip-bad-check", "gzip", packed[:-8] + flipped + packed[-7:]),
        ("gzip-bad-size", "gzip", packed[:-4] + b"\x01" + packed[-3:]),
        ("gzip-damaged", "gzip", start[:-1] + b"\x00" + rest),
        ("gzip-two", "gzip", gzip.compress(PART, mtime=0) + gzip.compress(REST, mtime=0)),
        ("gzip-two-cut", "gzip", gzip.compress(PART, mtime=0) + gzip.compress(REST, mtime=0)[:-12]),
        ("gzip-two-cut-in-head", "gzip", gzip.compress(PART, mtime=0) + b"\x1f\x8b\x08"),
        ("gzip-zeros-after", "gzip", packed + b"\0" * 8),
        ("gzip-text-after", "gzip", gzip.compress(PART, mtime=0) + REST),
        ("gzip-empty-file", "gzip", gzip.compress(b"", mtime=0)),
        ("gzip-empty-body", "gzip", b""),
        ("gzip-plain", "gzip", FILE),
        ("gzip-twice", "gzip, gzip", gzip.compress(packed, mtime=0)),
        ("gzip-second-header", "identity\r\nContent-Encoding: gzip", packed),
        ("gzip-twice-two-headers", "gzip\r\nContent-Encoding: gzip", gzip.compress(packed, mtime=0)),
        ("gzip-unsaid", "", packed),
        ("identity", "identity", FILE),
        ("identity-gzip", "identity, gzip", packed),
        ("zlib", "deflate", zlib.compress(FILE)),
        ("zlib-cut", "deflate", deflated(FILE, 15)[0]),
        ("zlib-unsaid", "", zlib.compress(FILE)),
        ("raw-deflate", "deflate", b"".join(deflated(FILE, -15))),
        ("raw-deflate-cut", "deflate", deflated(FILE, -15)[0]),
        ("deflate-plain", "deflate", FILE),
        ("deflate-gzip", "deflate, gzip", gzip.compress(zlib.compress(FILE), mtime=0)),
        ("br", "br", brotli(FILE)),
        ("br-plain", "br", FILE),
        ("br-empty-body", "br", b""),
        ("br-gzip", "br, gzip", gzip.compress(brotli(FILE), mtime=0)),
        ("zstd", "zstd", zstd(FILE)),
        ("compress", "compress", compress(FILE)),
        ("unknown", "x-unknown", bytes(byte ^ 0x80 for byte in FILE)),
        ("unknown-plain", "x-unknown", FILE),
    ):
        yield f"coding-{name}", (plain(body, f"Content-Encoding: {coding}"),)
    coded = head(CHUNKED, "Content-Encoding: gzip")
    yield "coding-gzip-chunked", (coded, chunk(start), chunk(rest), LAST)
    yield "coding-gzip-chunked-cut", (coded, chunk(start))
    yield "coding-gzip-chunked-cut-stream", (coded, chunk(start), LAST)
    yield "coding-gzip-cut-after-headers", (head("Content-Encoding: gzip", "Content-Length: 40"),)
    yield "coding-gzip-closed", (head("Content-Encoding: gzip"), packed)
    yield "coding-gzip-closed-cut", (head("Content-Encoding: gzip"), start)
    yield "coding-gzip-reset", (head("Content-Encoding: gzip"), start, 0.1, RESET)
    yield "coding-gzip-bomb", (plain(gzip.compress(FILE + b"#" * 50_000_000, 9, mtime=0), "Content-Encoding: gzip"),)


def bodies() -> Iterable[tuple[str, Script]]:
    big = FILE + b"#" * 700_000
    page = b"<!DOCTYPE html>\n<html><head><title>Please wait</title></head><body>Checking your browser</body></html>\n"
    for name, body in (
        ("page", page),
        ("empty", b""),
        ("512-kib", (FILE + b"#" * 512_000)[:512_000]),
        ("700-kib", big),
        ("rule-at-the-end", PART + b"#" * 511_000 + b"\n" + REST),
        ("rule-beyond", PART + b"#" * 513_000 + b"\n" + REST),
        ("utf-16", b"\xff\xfe" + FILE.decode().encode("utf-16-le")),
        ("utf-8-mark", b"\xef\xbb\xbf" + FILE),
        ("nul", FILE.replace(b"\n", b"\n\0\n", 1)),
        ("returns", FILE.replace(b"\n", b"\r")),
    ):
        yield f"body-{name}", (plain(body),)
    yield "body-700-kib-chunked", (head(CHUNKED), b"".join(chunk(big[at : at + 9_999]) for at in range(0, len(big), 9_999)), LAST)
    yield "body-700-kib-held", (head(), big, HOLD)
    yield "body-fresh-by-second-header", (plain(FILE, "Cache-Control: public\r\nCache-Control: max-age=7200"),)
    yield "body-700-kib-cut", (head("Content-Length: 900000"), big)
    yield "body-300-kib-cut", (head("Content-Length: 900000"), PART + b"#" * 300_000)


def redirect(location: bytes, *lines: str, status: str = "HTTP/1.1 301 Moved") -> bytes:
    return plain(b"", *lines, status=status).replace(b"Content-Type", b"Location: %s\r\nContent-Type" % location, 1)


def moved(port: int, other: int) -> Iterable[tuple[str, dict[str, Script]]]:
    """Redirects by path. What is not here is answered by 404, so a client that requests another path allows /private."""
    base = b"http://127.0.0.1:%d" % port
    there = "/moved.txt"
    found: Script = (plain(FILE),)
    for name, location, path in (
        ("path", b"/moved.txt", there),
        ("relative", b"moved.txt", there),
        ("absolute", base + b"/moved.txt", there),
        ("no-scheme", base[5:] + b"/moved.txt", there),
        ("dot-segments", b"/a/./b/../../moved.txt", there),
        ("encoded-dots", b"/a/%2e%2E/moved.txt", there),
        ("backslash", b"\\moved.txt", there),
        ("backslashes", base.replace(b"/", b"\\") + b"\\moved.txt", there),
        ("backslashes-host", base[5:].replace(b"/", b"\\") + b"/moved.txt", there),
        ("fragment", b"/moved.txt#part", there),
        ("user", b"http://user:word@" + base[7:] + b"/moved.txt", there),
        ("query", b"/moved.txt?a=b%26c", "/moved.txt?a=b%26c"),
        ("utf-8", "/caf\u00e9.txt".encode(), "/caf%C3%A9.txt"),
        ("latin-1", "/caf\u00e9.txt".encode("latin-1"), "/caf%E9.txt"),
        ("percent", b"/caf%c3%a9.txt", "/caf%C3%A9.txt"),
        ("space", b"/a b.txt", "/a%20b.txt"),
        ("tab", b"/mo\tved.txt", there),
        ("percent-alone", b"/100%.txt", "/100%25.txt"),
        ("8-kib-less", b"/" + b"a" * 7_000, "/" + "a" * 7_000),
    ):
        yield f"redirect-{name}", {"/robots.txt": (redirect(location),), path: found}
    for status in (300, 302, 303, 305, 307, 308, 399):
        yield f"redirect-{status}", {"/robots.txt": (redirect(b"/moved.txt", status=f"HTTP/1.1 {status} Moved"),), there: found}
    for name, script in (
        ("none", (plain(b"", status="HTTP/1.1 301 Moved"),)),
        ("empty", (redirect(b""),)),
        ("huge", (redirect(b"/" + b"a" * 60_000),)),
        ("self", (redirect(b"/robots.txt"),)),
        ("bad-port", (redirect(b"http://127.0.0.1:99999/"),)),
        ("ftp", (redirect(b"ftp://127.0.0.1/robots.txt"),)),
        ("script", (redirect(b"javascript:alert(1)"),)),
        ("nowhere", (redirect(b"http://127.0.0.1:9/moved.txt"),)),
        ("no-host", (redirect(b"http:///moved.txt"),)),
        ("cut", (redirect(b"/moved.txt").replace(b"Content-Length: 0", b"Content-Length: 9"), b"part")),
        ("two", (redirect(b"/moved.txt", "Location: /other.txt"),)),
        ("two-equal", (redirect(b"/moved.txt", "Location: /moved.txt"),)),
        ("refresh", (plain(b"", "Refresh: 0; url=/moved.txt"),)),
    ):
        yield f"redirect-{name}", {"/robots.txt": script, there: found}
    yield "redirect-loop", {"/robots.txt": (redirect(b"/b"),), "/b": (redirect(b"/robots.txt"),)}
    for count in (5, 6):
        steps = ["/robots.txt", *(f"/{number}" for number in range(1, count)), there]
        answers = {path: (redirect(after.encode()),) for path, after in zip(steps, steps[1:])}
        yield f"redirect-{count}-in-a-row", {**answers, there: found}
    # Each response is in time, and the last one ends after the timeout of the fetch.
    yield "redirect-late", {"/robots.txt": (_LATE / 5, redirect(b"/moved.txt")), there: (_LATE / 5, *found)}
    yield "redirect-other-host", {"/robots.txt": (redirect(b"http://127.0.0.1:%d/moved.txt" % other),)}
    yield "redirect-cut-target", {"/robots.txt": (redirect(b"/moved.txt"),), there: (head(LENGTH), PART)}


def pages() -> Iterable[tuple[str, dict[str, Script]]]:
    """A page that asks to wait for longer than a request waits for its slot. All pages are allowed."""
    for status in (200, 429, 503):
        busy = plain(b"", "Retry-After: 120", status=f"HTTP/1.1 {status} Words")
        yield f"page-{status}-later", {"/robots.txt": (plain(b""),), "/open": (busy,)}


@functools.cache
def unmoved() -> dict[str, dict[str, Script]]:
    parts = (framings, lengths, transfer_codings, chunks, statuses, heads, codings, bodies)
    return {**{name: {"/robots.txt": script} for part in parts for name, script in part()}, **dict(pages())}


def ways(port: int = 0, other: int = 0) -> dict[str, dict[str, Script]]:
    """Return the ways by their names: what is answered to each path. ``port`` is that of the way's origin, ``other`` another one."""
    return {**unmoved(), **dict(moved(port, other))}


class Request(NamedTuple):
    """What a server got."""

    way: str
    host: str
    method: str
    path: str
    headers: dict[str, str]


class Server:
    """Serves each way on a port of its own, and FILE on that of another site. ``requests`` is what all got."""

    def __init__(self, names: Iterable[str]) -> None:
        self.requests: list[Request] = []
        self.at: dict[str, str] = {}
        self._selector = selectors.DefaultSelector()
        other = self._listen("", lambda _: {"/moved.txt": (plain(FILE),)})
        for name in names:
            self.at[name] = f"http://127.0.0.1:{self._listen(name, lambda port, name=name: ways(port, other)[name])}"
        self._is_open = True
        threading.Thread(target=self._accept, daemon=True).start()

    def _listen(self, name: str, answers: Callable[[int], dict[str, Script]]) -> int:
        listener = socket.create_server(("127.0.0.1", 0), backlog=16)
        port = listener.getsockname()[1]
        self._selector.register(listener, selectors.EVENT_READ, (name, port, answers(port)))
        return port

    def close(self) -> None:
        self._is_open = False

    def _accept(self) -> None:
        while self._is_open:
            for key, _ in self._selector.select(1):
                connection = key.fileobj.accept()[0]  # type: ignore[union-attr]
                threading.Thread(target=self._serve, args=(connection, *key.data), daemon=True).start()
        for key in list(self._selector.get_map().values()):
            key.fileobj.close()  # type: ignore[union-attr]

    def _serve(self, connection: socket.socket, name: str, port: int, answers: dict[str, Script]) -> None:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        with connection, suppress(OSError):
            connection.settimeout(60)
            script: Script = (KEEP,)
            while script[-1] == KEEP:
                request = b""
                while b"\r\n\r\n" not in request:
                    piece = connection.recv(65_536)
                    if not piece:
                        return
                    request += piece
                start, *lines = request.decode("latin-1").split("\r\n")[:-2]
                method, path, _ = start.split(" ")
                headers = {line.partition(":")[0].lower(): line.partition(":")[2].strip() for line in lines}
                self.requests.append(Request(name, f"127.0.0.1:{port}", method, path, headers))
                missing = plain(b"page") if path in PAGES else plain(b"", status="HTTP/1.1 404 Not Found")
                script = answers.get(path, (missing,))
                self._play(connection, script)

    @staticmethod
    def _play(connection: socket.socket, script: Script) -> None:
        for act in script:
            if isinstance(act, bytes):
                connection.sendall(act)
            elif isinstance(act, float):
                time.sleep(act)
            elif act == RESET:
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                return
            elif act == KEEP:
                return
            else:
                connection.settimeout(2 * _LATE)
                connection.recv(1)
        # What the client did not read would make the end a reset.
        connection.shutdown(socket.SHUT_WR)
        connection.settimeout(2 * _LATE)
        while connection.recv(65_536):
            pass
