# pyright: strict
"""Calls that type checkers must refuse, each with the comment `refused`, and others beside them. Nobody runs them."""

from typing import Optional

from librobots import Cache, Crawler, Purpose, compile_table, filter_table, filter_tables

CAPTURES = {"url": ["https://a.example/robots.txt"], "status": [200], "body": [b""]}
URLS = ["https://a.example/"]

sites = compile_table(CAPTURES, "ExampleBot")
compile_table({"origin": ["https://a.example"], "image": [b""]}, None)
compile_table(CAPTURES, ("ExampleBot", "Other"), strict=True)
compile_table(CAPTURES)  # refused
compile_table(CAPTURES, strict=True)  # refused
compile_table(CAPTURES, ["ExampleBot"])  # refused

kept: list[str] = filter_table(URLS, CAPTURES, "ExampleBot", "allow").table
filter_table(URLS, CAPTURES, Crawler("ExampleBot"), on_missing="disallow")
filter_table(URLS, sites, None, "allow")
filter_table(URLS, sites, on_missing="allow")
filter_table(URLS, CAPTURES)  # refused
filter_table(URLS, CAPTURES, "ExampleBot")  # refused
filter_table(URLS, CAPTURES, on_missing="allow")  # refused
filter_table(URLS, CAPTURES, "ExampleBot", "Allow")  # refused
filter_table(URLS, CAPTURES, "ExampleBot", None)  # refused
filter_table(URLS, CAPTURES, b"ExampleBot", "allow")  # refused
filter_table(URLS, sites)  # refused
filter_table(URLS, sites, "ExampleBot")  # refused

filter_table(URLS, CAPTURES, "ExampleBot", "allow", purpose="training", headers_column="headers", keep_licensed=True)
filter_table(URLS, CAPTURES, "ExampleBot", "allow", purpose=None)
filter_table(URLS, CAPTURES, "ExampleBot", "allow", purpose=b"training")  # refused

found = [one.table for one in filter_tables([URLS], sites, on_missing="allow")]
filter_tables([URLS], CAPTURES, "ExampleBot", "allow", progress=lambda counts: print(counts.kept))
filter_tables([URLS], CAPTURES, on_missing="allow")  # refused
filter_tables([URLS], CAPTURES, "ExampleBot")  # refused
filter_tables([URLS], sites)  # refused

uses = Crawler("ExampleBot").uses("https://a.example/", None)
terms: Optional[str] = uses.use_for("/", Purpose.TRAINING, None).terms
uses.use_for("/", "training")  # refused
uses.use_for("/", None, None)  # refused
uses.use_for("/", "training", {})  # refused
uses.receipt("/", "training", None)  # refused
uses.receipt("/", "training", None, fetched_at=5)
Crawler("ExampleBot").uses("https://a.example/")  # refused

rules = Crawler("ExampleBot", "Other", dialect="google").parse(b"")
verdict: bool = rules.check(b"/").is_site_wide
allowed: list[bool] = rules.check_many(["/", None]).tolist()
Cache([Crawler("*")]).check("https://a.example/", now=5.0)
Crawler()  # refused
Crawler(dialect="google")  # refused
Crawler(["ExampleBot"])  # refused
rules.check(5)  # refused
rules.check(None)  # refused
rules.check_many(None)  # refused
Cache("ExampleBot")  # refused
