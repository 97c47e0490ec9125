"""The records that the native part returns."""

from __future__ import annotations

from typing import NamedTuple, Optional

from ._enums import Dialect, LineKind, MatchResult, PageSource, Purpose, Severity, Use, UseSource, Zone


class CacheCounts(NamedTuple):
    """What a cache holds (``sites``, ``bytes``), and what it did since it was created.

    URLs that a fresh outcome decided (``hits``) and that one past its freshness lifetime did (``stale_hits``); tickets
    (``fetches``); answers WAIT and DEFER; outcomes and slots that were evicted for others. Sites with equal rules share one
    image, which saves ``saved_bytes``.
    """

    sites: int
    bytes: int
    hits: int
    stale_hits: int
    fetches: int
    waits: int
    deferred: int
    evicted: int
    images: int
    saved_bytes: int


class LoadedRecords(NamedTuple):
    """How many records of a file a cache imported, and how many it did not.

    ``foreign``: of other crawlers or another format version; ``no_room``: the cache was full.
    """

    imported: int
    foreign: int
    damaged: int
    no_room: int


class SiteCounts(NamedTuple):
    """What the tables of captures or of images held that :func:`compile_table` read.

    ``sites`` with rules, and among them: ``unreachable`` ones; those ``without_file``, which allow every URL, because the
    response was one such as 404, or a redirect that leads nowhere. ``captures``: all rows; ``repeated``: rows of a site that
    had one before; ``unusable``: rows that name no site, or images that are null; ``other_pages``: captures that are no
    robots.txt, such as targets of redirects.

    ``redirects_lost``: sites without rules, because their redirect leads to no capture. The rest counts files, also those
    that redirects lead to. ``after_outage``: unreachable when they were captured last, so that an older capture holds (SPEC
    11.4). ``ties``: with several newest captures of the same date and other rules; one of them decides, always the same.
    ``without_group``: without a user-agent line, such as an empty file, HTML or a path: they allow every URL. ``damaged``:
    they lost line ends or the first line, or were cut within the name of a field. :func:`body_doubt` finds the rows of
    the last two.

    A table of images has none of these files: its counts are those of its rows and of its rules.
    """

    sites: int
    unreachable: int
    without_file: int
    captures: int
    repeated: int
    unusable: int
    other_pages: int
    redirects_lost: int
    after_outage: int
    ties: int
    without_group: int
    damaged: int


class TableCounts(NamedTuple):
    """How many URLs of a table have each answer.

    ``kept``: those that may be fetched, with ``on_missing="allow"`` also those of sites without rules (``no_capture``).
    ``unreachable`` is no ban: check these again later. ``sites``: sites of the URLs; ``missing_sites``: those without rules.
    """

    urls: int
    kept: int
    allowed: int
    disallowed: int
    unreachable: int
    no_capture: int
    bad_url: int
    sites: int
    missing_sites: int


class Preset(NamedTuple):
    """A well-known crawler, as its operator describes it. ``tokens`` are in order of preference; the first is the name.

    A control token fetches nothing: it controls what may be done with pages that other crawlers fetch. ``may_ignore``: the
    operator says that requests of users may ignore the robots.txt.
    """

    name: str
    tokens: tuple[str, ...]
    dialect: Dialect
    ignores_star: bool
    purpose: Purpose
    is_control_token: bool
    may_ignore: bool
    documentation: Optional[str]


class EffectiveRule(NamedTuple):
    """A rule that can decide. ``pattern`` is its path in canonical form, with a final ``$`` for the end of the URL."""

    line: int
    allow: bool
    pattern: str


class Quote(NamedTuple):
    """A line of the file."""

    line: int
    text: str


class Match(NamedTuple):
    """A rule that matches the URL. ``pattern`` is its path in canonical form, whose length decides."""

    line: int
    text: str
    allow: bool
    path: str
    pattern: str
    result: MatchResult


class Fix(NamedTuple):
    """An edit that removes a fault: a range of bytes, and the text in its place. A safe one changes no verdict."""

    span: tuple[int, int]
    replacement: str
    safe: bool


class Diagnostic(NamedTuple):
    """A fault of the file. Line and column count from 1 (0: the whole file); ``span`` is a range of bytes."""

    code: str
    severity: Severity
    line: int
    column: int
    message: str
    suggestion: Optional[str]
    other_line: int
    span: tuple[int, int]
    fix: Optional[Fix]


class Fixed(NamedTuple):
    """A file after some fixes, and the diagnostics whose fixes were applied, in file order."""

    body: bytes
    applied: list[Diagnostic]


class Line(NamedTuple):
    """A line and its meaning. ``span``, ``field`` and ``value`` are ranges of bytes; ``group`` is 0 outside of groups."""

    number: int
    kind: LineKind
    span: tuple[int, int]
    field: tuple[int, int]
    value: tuple[int, int]
    group: int


class RequestRate(NamedTuple):
    """At most ``requests`` in ``seconds``; ``hours``: in these minutes since midnight UTC, or always."""

    requests: int
    seconds: int
    hours: Optional[tuple[int, int]]


class Extension(NamedTuple):
    """A record that decides nothing. ``visit_time`` is in minutes since midnight UTC."""

    field: str
    value: str
    line: int
    in_group: bool
    request_rate: Optional[RequestRate]
    visit_time: Optional[tuple[int, int]]


class UseSignal(NamedTuple):
    """What one statement says about a URL and a purpose. ``line`` is that of the robots.txt; 0 for another source.

    ``text`` is as it is written; the address of the terms if it ``says`` LICENSED, which a ``Link`` header may give relative
    to the page. ``token``: the policy token or control token of a TOKEN_RULE, such as ``Google-Extended``; empty otherwise.
    """

    source: UseSource
    says: Use
    line: int
    text: str
    token: str


class UseAnswer(NamedTuple):
    """Whether a page may be used for a purpose. It is true only if it ``says`` ALLOWED.

    ``decided_by`` is None if nothing is stated, and nothing was left unread. ``terms``: the address of the terms if it says
    LICENSED. ``signals``: each statement about the purpose, the deciding one first, unknown labels last.
    """

    says: Use
    decided_by: Optional[UseSignal]
    terms: Optional[str]
    signals: list[UseSignal]

    def __bool__(self) -> bool:
        return self.says == Use.ALLOWED


class PageRule(NamedTuple):
    """A rule of a page. ``agent`` is None if the rule is for every crawler."""

    text: str
    agent: Optional[str]
    source: PageSource
    number: int
    value: int
    zone: Zone
