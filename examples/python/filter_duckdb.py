"""Answers SQL of DuckDB about URLs, by the images that compile_robots.py wrote.

Usage: filter_duckdb.py TOKEN IMAGES.parquet URLS.parquet

`robots_answer(url)` is a function of SQL over Arrow: DuckDB passes columns, not rows. Needs pyarrow.
"""

from __future__ import annotations

import sys

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

import librobots


def main() -> None:
    """Count the URLs of each answer."""
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    token, images, urls = sys.argv[1:]
    sites = librobots.compile_table(pq.read_table(images), token)

    def answer(column: pa.ChunkedArray) -> pa.ChunkedArray:
        found = librobots.filter_table(column, sites, on_missing="disallow")
        return pa.table(found.answers)["answer"].cast(pa.string())

    with duckdb.connect() as sql:
        # "special": a URL that is NULL has an answer, too.
        sql.create_function(
            "robots_answer",
            answer,
            ["VARCHAR"],
            "VARCHAR",
            type="arrow",
            null_handling="special",
        )
        sql.execute("CREATE VIEW urls AS SELECT * FROM read_parquet($1)".replace("$1", f"'{urls}'"))
        rows = sql.execute(
            "SELECT robots_answer(url) AS answer, count(*) FROM urls GROUP BY ALL ORDER BY ALL"
        ).fetchall()
    for name, count in rows:
        print(f"{name} {count}")


if __name__ == "__main__":
    main()
