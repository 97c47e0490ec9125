"""Writes a Parquet file with robots.txt files as CSV, for `robots filter --robots -`.

Usage: parquet_to_csv.py ROBOTS.parquet | robots filter -a TOKEN --robots - -u URLS

The columns `origin`, `url`, `status`, `date`, `target`, `failure` and `body` are written, as far as there are. A body may be
text or bytes. A body that is null is lost, so its row ends before it. Needs pyarrow.
"""

from __future__ import annotations

import csv
import sys

import pyarrow.parquet as pq

NAMES = ("origin", "url", "status", "date", "target", "failure", "body")


def main() -> None:
    """Write the rows, some at a time."""
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    file = pq.ParquetFile(sys.argv[1])
    names = [name for name in NAMES if name in file.schema_arrow.names]
    # Bytes that are not UTF-8 stay as they are.
    sys.stdout.reconfigure(encoding="utf-8", errors="surrogateescape", newline="")
    out = csv.writer(sys.stdout)
    out.writerow(names)
    for batch in file.iter_batches(1000, columns=names):
        for row in zip(*(batch[name].to_pylist() for name in names)):
            cells = [value.decode("utf-8", "surrogateescape") if isinstance(value, bytes) else value for value in row]
            out.writerow(cells[:-1] if cells[-1] is None else cells)


if __name__ == "__main__":
    main()
