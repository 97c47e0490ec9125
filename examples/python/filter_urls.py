"""Filters a table of URLs by the robots.txt captures that compile_robots.py compiled.

Usage: filter_urls.py ROBOTS.parquet URLS.parquet ALLOWED.parquet

URLS.parquet has a column `url`. The rows that the crawler may fetch go to ALLOWED.parquet. A site without a capture, or one
that could not be reached, is unknown: its rows are counted, and left out. Needs pyarrow.
"""

from __future__ import annotations

import sys

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

import librobots
from librobots import Rules


def rules_by_origin(path: str) -> dict[str, Rules]:
    """Return the rules of each site that could be reached."""
    table = pq.read_table(path, columns=["origin", "image", "kind"])
    table = table.filter(pc.is_in(table["kind"], pa.array(["RULES", "ALLOW_ALL", "DISALLOW_ALL"])))
    images = zip(table["origin"].to_pylist(), table["image"].to_pylist())
    return {origin: Rules.from_image(image) for origin, image in images}


def key_of(authority: str | None) -> str | None:
    """Return the key of the origin that the start of a URL names, None if it is no URL of the web."""
    try:
        return librobots.Origin(authority).key if authority else None
    except librobots.UrlError:
        return None


def allowed(table: pa.Table, sites: dict[str, Rules]) -> tuple[pa.Table, int]:
    """Return the rows that may be fetched, and how many are unknown."""
    # Equal sites lie side by side, and each is checked in one call. Each raw form of a site is made canonical once.
    start = pc.struct_field(pc.extract_regex(table["url"], r"^(?P<start>[A-Za-z]+://[^/?#]*)"), "start")
    table = table.append_column(
        "_start",
        start.combine_chunks() if isinstance(start, pa.ChunkedArray) else start,
    )
    table = table.sort_by("_start").combine_chunks()
    runs = pc.run_end_encode(table["_start"].combine_chunks())
    masks, unknown, begin = [], 0, 0
    for value, end in zip(runs.values.to_pylist(), runs.run_ends.to_pylist()):
        rules = sites.get(key_of(value) or "")
        urls = table["url"].slice(begin, end - begin)
        unknown += 0 if rules else len(urls)
        masks.append(pa.array(rules.check_many(urls)) if rules else pa.array([False] * len(urls)))
        begin = end
    mask = pa.chunked_array(masks, pa.bool_())
    return table.filter(mask).drop_columns("_start"), unknown


def main() -> None:
    """Filter."""
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    robots, urls, target = sys.argv[1:]
    table = pq.read_table(urls)
    kept, unknown = allowed(table, rules_by_origin(robots))
    pq.write_table(kept, target, compression="zstd")
    print(f"{table.num_rows} URLs: {kept.num_rows} allowed, {unknown} of unknown sites")


if __name__ == "__main__":
    main()
