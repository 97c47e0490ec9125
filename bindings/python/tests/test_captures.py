"""The cases of captures (SPEC 11), which the command and the package for Spark read, too: tests/data/captures.jsonl."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from librobots import Crawler, filter_table
from librobots.warc import read_captures

DATA = Path(__file__).resolve().parents[3] / "tests" / "data" / "captures.jsonl"
CASES = [json.loads(line) for line in DATA.read_text(encoding="ascii").splitlines()]
COLUMNS = ("url", "date", "status", "target", "failure", "body")


def crawler(options: dict[str, Any]) -> Crawler:
    fetch = {name: value for name, value in options.items() if name != "dialect"}
    return Crawler("ExampleBot", dialect=options.get("dialect", "rfc9309"), fetch_options=fetch)


def archive(records: list[dict[str, Any]]) -> bytes:
    """Return a WARC file."""
    parts = []
    for record in records:
        block = record["block"].encode("latin-1")
        cut = f"WARC-Truncated: {record['truncated']}\r\n" if "truncated" in record else ""
        kind = "" if record["type"] == "resource" else "Content-Type: application/http; msgtype=response\r\n"
        head = (
            f"WARC/1.0\r\nWARC-Type: {record['type']}\r\nWARC-Target-URI: {record['url']}\r\nWARC-Date: {record['date']}\r\n"
            f"WARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-{len(parts):012}>\r\n"
            f"{kind}{cut}Content-Length: {len(block)}\r\n\r\n"
        )
        parts += [head.encode(), block, b"\r\n\r\n"]
    return b"".join(parts)


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_captures(case: dict[str, Any], tmp_path: Path) -> None:
    if "records" in case:
        (tmp_path / "a.warc").write_bytes(archive(case["records"]))
        table = list(read_captures([tmp_path / "a.warc"]))
    else:
        table = {name: [row.get(name) for row in case["captures"]] for name in COLUMNS}
    found = filter_table(list(case["expect"]), table, crawler(case["options"]), "disallow")
    assert pa.table(found.answers)["answer"].to_pylist() == list(case["expect"].values())
