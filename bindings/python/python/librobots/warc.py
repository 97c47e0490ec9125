"""Reads captures of robots.txt from WARC files, plain or compressed, such as the folders ``robotstxt/`` of Common Crawl.

Needs the package ``warcio``::

    import librobots
    from librobots.warc import read_captures

    sites = librobots.compile_table(read_captures(["a.warc.gz", "b.warc.gz"]), "ExampleBot")
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import TYPE_CHECKING, Any, Callable, NamedTuple, Optional
from urllib.parse import urldefrag, urljoin

from warcio.archiveiterator import ArchiveIterator  # type: ignore[import-not-found, import-untyped, unused-ignore]
from warcio.exceptions import ArchiveLoadFailed  # type: ignore[import-not-found, import-untyped, unused-ignore]

from ._errors import ArgumentError, UrlError
from ._librobots import Origin

if TYPE_CHECKING:
    import os

    from warcio.recordloader import ArcWarcRecord  # type: ignore[import-not-found, import-untyped, unused-ignore]

__all__ = ["read_captures"]

REDIRECTS = (301, 302, 303, 307, 308)


class _Capture(NamedTuple):
    """A row."""

    url: str
    date: datetime
    status: int
    target: Optional[str]
    body: bytes
    failure: Optional[str]


def read_captures(
    paths: Iterable[str | os.PathLike[str]],
    *,
    batch_rows: int = 4096,
    max_bytes: int = 512_000,
    progress: Optional[Callable[[str, int], object]] = None,
) -> Iterator[dict[str, list[Any]]]:
    """Return the HTTP responses of WARC files as tables for :func:`librobots.compile_table`: a generator.

    Each table is a dict with the columns ``url``, ``date``, ``status``, ``target`` (the absolute URL of a redirect,
    empty for one that leads nowhere), ``body`` and ``failure`` (why the body is not the whole file), of ``batch_rows``
    rows at most. Chunks, gzip and deflate are undone. ``max_bytes``: the size limit of a robots.txt, 512,000 to 1 GiB
    (SPEC 4.5); more of a body is not kept. ``progress``: called after each file with its path and the number of captures
    so far.

    Raises ``OSError`` for a file that cannot be read or is damaged, with its name.
    """
    if isinstance(paths, (str, bytes)) or hasattr(paths, "__fspath__"):
        raise ArgumentError(f"paths={paths!r}: pass a list of paths, such as glob.glob('robotstxt/*.warc.gz')")
    for name, value, least, most in (
        ("batch_rows", batch_rows, 1, 1 << 20),
        ("max_bytes", max_bytes, 512_000, 1 << 30),
    ):
        if not least <= value <= most:
            raise ArgumentError(f"{name}={value}: pass {least:,} to {most:,}")
    return _tables(paths, batch_rows, max_bytes, progress)


def _tables(paths: Any, batch_rows: int, max_bytes: int, progress: Any) -> Iterator[dict[str, list[Any]]]:
    captures: list[_Capture] = []
    count = 0
    for path in paths:
        for capture in _captures(path, max_bytes):
            captures.append(capture)
            if len(captures) == batch_rows:
                yield _table(captures)
                count += len(captures)
                captures = []
        if progress is not None:
            progress(str(path), count + len(captures))
    if captures:
        yield _table(captures)


def _table(captures: list[_Capture]) -> dict[str, list[Any]]:
    return {name: list(column) for name, column in zip(_Capture._fields, zip(*captures))}


def _captures(path: Any, max_bytes: int) -> Iterator[_Capture]:
    with open(path, "rb") as file:
        records = ArchiveIterator(file)
        while True:
            try:
                record = next(records, None)
                capture = None if record is None else _capture(record, max_bytes)
            except (ArchiveLoadFailed, EOFError, ValueError, zlib.error) as error:
                raise OSError(f"{path}: damaged WARC file: {error}") from error
            if record is None:
                return
            if capture is not None:
                yield capture


def _capture(record: ArcWarcRecord, max_bytes: int) -> Optional[_Capture]:
    """Return the row of a record; None if it is no HTTP response."""
    head = record.rec_headers
    if record.rec_type != "response" or not (head.get_header("Content-Type") or "").startswith("application/http"):
        return None
    url = (head.get_header("WARC-Target-URI") or "").strip("<>")
    date = datetime.fromisoformat((head.get_header("WARC-Date") or "").replace("Z", "+00:00"))
    http = record.http_headers
    status = http.get_statuscode() if http is not None else ""
    if not status.isdigit():
        return _Capture(url, date, 0, None, b"", "OTHER_FAILURE")
    raw, most = record.raw_stream.read(), max_bytes + 1
    failure = None
    try:
        if "chunked" in (http.get_header("Transfer-Encoding") or "").lower():
            raw = _joined(raw)
        coding = (http.get_header("Content-Encoding") or "").strip().lower()
        is_coded = bool(raw) and coding not in ("", "identity")
        body = _decoded(coding, raw, most) if is_coded else raw[:most]
        is_whole = len(body) < most
        length = (http.get_header("Content-Length") or "").strip()
        if body and not is_coded and is_whole and length.isdigit() and int(length) > len(body):
            failure = "SHORT_BODY"
        if is_whole and head.get_header("WARC-Truncated"):
            failure = "TRUNCATED"
    except LookupError:
        body, failure = b"", "ENCODED_BODY"
    except (zlib.error, ValueError):
        body, failure = b"", "TRUNCATED"
    target = _target(url, http.get_header("Location") or "") if int(status) in REDIRECTS else None
    return _Capture(url, date, int(status), target, body, failure)


def _joined(raw: bytes) -> bytes:
    """Return a body without its chunks. Raises ``ValueError`` if they are invalid or incomplete."""
    body, at = bytearray(), 0
    while True:
        end = raw.index(b"\n", at)
        size = int(raw[at:end].split(b";")[0].strip(), 16)
        if size == 0:
            return bytes(body)
        at = end + 1 + size
        if size < 0 or len(raw) < at:
            raise ValueError("a chunk is incomplete")
        body += raw[end + 1 : at]
        at = raw.index(b"\n", at) + 1


def _decoded(coding: str, raw: bytes, most: int) -> bytes:
    """Undo a content coding, up to ``most`` bytes: ``LookupError`` for an unknown one, ``zlib.error`` for a bad body."""
    if coding in ("gzip", "x-gzip"):
        if raw[:2] != b"\x1f\x8b":
            return raw[:most]  # the archive undid the coding and kept the header
        window = 31
    elif coding == "deflate":  # with a zlib header or, as some servers send it, without
        has_header = len(raw) >= 2 and (raw[0] << 8 | raw[1]) % 31 == 0 and raw[0] & 0x0F == 8
        window = 15 if has_header else -15
    else:
        raise LookupError(coding)
    decoder = zlib.decompressobj(window)
    body = decoder.decompress(raw, most)
    if len(body) < most and not decoder.eof:
        raise zlib.error("the compressed body is incomplete")
    return body


def _target(url: str, location: str) -> str:
    """Return the absolute URL that a redirect names, without fragment; empty if there is none that can be used."""
    try:
        target = urldefrag(urljoin(url, location.strip().replace(" ", "%20"))).url if location.strip() else ""
        return target if target and Origin(target).key else ""
    except (UrlError, ValueError):
        return ""
