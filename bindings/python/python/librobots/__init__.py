r"""librobots reads robots.txt for crawlers.

Create one crawler, parse each robots.txt with it, then check each URL::

    >>> from librobots import Crawler
    >>> rules = Crawler("ExampleBot").parse("User-agent: *\nDisallow: /private/\n")
    >>> rules.is_allowed("https://example.com/private/diary")
    False
    >>> rules.check("https://example.com/private/diary")
    <Verdict allowed=False reason=RULE_DISALLOWED line=2>

All classes may be used from many threads at once, with or without the global interpreter lock. Times are seconds since
1970-01-01 UTC; where ``now`` is not given, ``time.time()`` is called. Text of a file is ``str`` in UTF-8; bytes that are no
UTF-8 are surrogates, as with ``errors="surrogateescape"``.

Tables: :func:`filter_table` filters a table of URLs by a table of robots.txt; :func:`check_table` checks a column of
URLs by a column of rules. Further modules: :mod:`librobots.warc` for archives; :mod:`librobots.scrapy`,
:mod:`librobots.httpx` and :mod:`librobots.aiohttp` for these clients; :mod:`librobots.protego` and
:mod:`librobots.robotparser` with the names of those modules.
"""

from ._enums import (
    Action,
    Cause,
    Choice,
    Control,
    Dialect,
    Failure,
    FetchOption,
    LineKind,
    MatchResult,
    OutcomeKind,
    PageSource,
    Purpose,
    Reason,
    Severity,
    Step,
    Vocabulary,
    Zone,
)
from ._errors import (
    ArgumentError,
    ImageError,
    ImageFormatError,
    InternalError,
    OutOfMemoryError,
    RobotsError,
    SchemeError,
    StateError,
    TokenError,
    UrlError,
)
from ._librobots import (
    Cache,
    CacheDecision,
    Crawler,
    Explanation,
    Extensions,
    Fetch,
    Origin,
    Outcome,
    PageControls,
    Report,
    Rules,
    Sites,
    TableAnswers,
    Ticket,
    Verdict,
    Verdicts,
    __version__,
    format,
    presets,
)
from ._refusals import DeferError, ForbiddenError, RefusedError
from ._tables import FilteredTable, check_table, compile_table, filter_table, filter_tables
from ._types import (
    CacheCounts,
    Diagnostic,
    EffectiveRule,
    Extension,
    Fix,
    Fixed,
    Line,
    LoadedRecords,
    Match,
    PageRule,
    Preference,
    Preset,
    Quote,
    RequestRate,
    SiteCounts,
    TableCounts,
)

__all__ = [
    "Action",
    "ArgumentError",
    "Cache",
    "CacheCounts",
    "CacheDecision",
    "Cause",
    "Choice",
    "Control",
    "Crawler",
    "DeferError",
    "Diagnostic",
    "Dialect",
    "EffectiveRule",
    "Explanation",
    "Extension",
    "Extensions",
    "Failure",
    "Fetch",
    "FetchOption",
    "FilteredTable",
    "Fix",
    "Fixed",
    "ForbiddenError",
    "ImageError",
    "ImageFormatError",
    "InternalError",
    "Line",
    "LineKind",
    "LoadedRecords",
    "Match",
    "MatchResult",
    "Origin",
    "OutOfMemoryError",
    "Outcome",
    "OutcomeKind",
    "PageControls",
    "PageRule",
    "PageSource",
    "Preference",
    "Preset",
    "Purpose",
    "Quote",
    "Reason",
    "RefusedError",
    "Report",
    "RequestRate",
    "RobotsError",
    "Rules",
    "SchemeError",
    "Severity",
    "SiteCounts",
    "Sites",
    "StateError",
    "Step",
    "TableAnswers",
    "TableCounts",
    "Ticket",
    "TokenError",
    "UrlError",
    "Verdict",
    "Verdicts",
    "Vocabulary",
    "Zone",
    "__version__",
    "check_table",
    "compile_table",
    "filter_table",
    "filter_tables",
    "format",
    "presets",
]
