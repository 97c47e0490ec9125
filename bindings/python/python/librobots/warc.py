"""Reads captures of robots.txt from WARC files, plain or compressed, such as the folders ``robotstxt/`` of Common Crawl.

Needs the package ``warcio``::

    import librobots
    from librobots.warc import read_captures

    sites = librobots.compile_table(read_captures(["a.warc.gz", "b.warc.gz"]), "ExampleBot")
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import TYPE_CHECKING, Any, Callable, NamedTuple, Optional

from warcio.archiveiterator import ArchiveIterator  # type: ignore[import-not-found, import-untyped, unused-ignore]
from warcio.exceptions import ArchiveLoadFailed  # type: ignore[import-not-found, import-untyped, unused-ignore]

from ._enums import Cause
from ._errors import ArgumentError
from ._librobots import _read_response

if TYPE_CHECKING:
    import os

    from warcio.recordloader import ArcWarcRecord  # type: ignore[import-not-found, import-untyped, unused-ignore]

__all__ = ["read_captures"]

#: The type of a record with an HTTP response; a record of another type is that of DNS or FTP.
HTTP = "application/http"


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
    """Return the HTTP responses and the resources of WARC files as tables for :func:`librobots.compile_table`: a generator.

    Each table is a dict with the columns ``url``, ``date``, ``status``, ``target`` (the absolute URL of a redirect,
    empty for one that leads nowhere), ``body`` and ``failure`` (why the body is not the whole file), of ``batch_rows``
    rows at most. Chunks, gzip and deflate are undone (SPEC 11.8). ``max_bytes``: the size limit of a robots.txt, 512,000
    to 1 GiB (SPEC 4.5); more of a body is not kept. ``progress``: called after each file with its path and the number of
    captures so far.

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
        # warcio ends where a compressed block is damaged, without an error. The module gzip compares the checksum of each.
        is_gzip = file.read(2) == b"\x1f\x8b"
        file.seek(0)
        records = ArchiveIterator(gzip.GzipFile(fileobj=file) if is_gzip else file, no_record_parse=True)
        while True:
            try:
                record = next(records, None)
                capture = None if record is None else _capture(record, max_bytes)
            except (ArchiveLoadFailed, EOFError, ValueError, gzip.BadGzipFile, zlib.error) as error:
                raise OSError(f"{path}: damaged WARC file: {error}") from error
            if record is None:
                return
            if capture is not None:
                yield capture


def _capture(record: ArcWarcRecord, max_bytes: int) -> Optional[_Capture]:
    """Return the row of a record; None if it is neither an HTTP response nor a resource."""
    head = record.rec_headers
    is_response = record.rec_type == "response"
    kind = head.get_header("Content-Type") or HTTP
    if not (is_response and kind.startswith(HTTP)) and record.rec_type != "resource":
        return None
    url = (head.get_header("WARC-Target-URI") or "").strip("<>")
    date = datetime.fromisoformat((head.get_header("WARC-Date") or "").replace("Z", "+00:00"))
    block = record.raw_stream.read()
    is_cut = bool(head.get_header("WARC-Truncated")) or len(block) < int(head.get_header("Content-Length") or 0)
    message = block if is_response else b"HTTP/1.1 200 OK\r\n\r\n" + block
    status, target, body, failure = _read_response(url, message, max_bytes, is_cut)
    return _Capture(url, date, status, target, body, None if failure is None else Cause(failure).name)
