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

This page has the classes of the engine. The enumerations have pages of their own, such as ``help(librobots.Reason)``:
Action, Cause, Control, Dialect, DifferenceResult, Failure, FetchOption, LineKind, MatchResult, OutcomeKind,
PageSource, Purpose, Reason, Severity, Step, Use, UseSource, Zone. All exceptions are :class:`RobotsError`;
``help(librobots.RobotsError)`` lists them. Records, such as Diagnostic, are named tuples.

Tables: :func:`filter_table` filters a table of URLs by a table of robots.txt; :func:`check_table` checks a column of
URLs by a column of rules. Further modules: :mod:`librobots.warc` for archives; :mod:`librobots.scrapy`,
:mod:`librobots.httpx` and :mod:`librobots.aiohttp` for these clients; :mod:`librobots.protego` and
:mod:`librobots.robotparser` with the names of those modules.
"""

from ._enums import (
    Action as Action,
)
from ._enums import (
    Cause as Cause,
)
from ._enums import (
    Control as Control,
)
from ._enums import (
    Dialect as Dialect,
)
from ._enums import (
    DifferenceResult as DifferenceResult,
)
from ._enums import (
    Failure as Failure,
)
from ._enums import (
    FetchOption as FetchOption,
)
from ._enums import (
    LineKind as LineKind,
)
from ._enums import (
    MatchResult as MatchResult,
)
from ._enums import (
    OutcomeKind as OutcomeKind,
)
from ._enums import (
    PageSource as PageSource,
)
from ._enums import (
    Purpose as Purpose,
)
from ._enums import (
    Reason as Reason,
)
from ._enums import (
    Severity as Severity,
)
from ._enums import (
    Step as Step,
)
from ._enums import (
    Use as Use,
)
from ._enums import (
    UseSource as UseSource,
)
from ._enums import (
    Zone as Zone,
)
from ._errors import (
    ArgumentError as ArgumentError,
)
from ._errors import (
    ImageError as ImageError,
)
from ._errors import (
    ImageFormatError as ImageFormatError,
)
from ._errors import (
    InternalError as InternalError,
)
from ._errors import (
    OutOfMemoryError as OutOfMemoryError,
)
from ._errors import (
    RobotsError as RobotsError,
)
from ._errors import (
    SchemeError as SchemeError,
)
from ._errors import (
    StateError as StateError,
)
from ._errors import (
    TokenError as TokenError,
)
from ._errors import (
    UrlError as UrlError,
)
from ._librobots import (
    Cache as Cache,
)
from ._librobots import (
    CacheDecision as CacheDecision,
)
from ._librobots import (
    Crawler as Crawler,
)
from ._librobots import (
    Difference as Difference,
)
from ._librobots import (
    DifferentPath as DifferentPath,
)
from ._librobots import (
    Explanation as Explanation,
)
from ._librobots import (
    Extensions as Extensions,
)
from ._librobots import (
    Fetch as Fetch,
)
from ._librobots import (
    Origin as Origin,
)
from ._librobots import (
    Outcome as Outcome,
)
from ._librobots import (
    PageControls as PageControls,
)
from ._librobots import (
    Report as Report,
)
from ._librobots import (
    Rules as Rules,
)
from ._librobots import (
    Sites as Sites,
)
from ._librobots import (
    TableAnswers as TableAnswers,
)
from ._librobots import (
    Ticket as Ticket,
)
from ._librobots import (
    Uses as Uses,
)
from ._librobots import (
    Verdict as Verdict,
)
from ._librobots import (
    Verdicts as Verdicts,
)
from ._librobots import (
    __version__ as __version__,
)
from ._librobots import (
    body_doubt as body_doubt,
)
from ._librobots import (
    format as format,
)
from ._librobots import (
    presets as presets,
)
from ._librobots import (
    url_to_send as url_to_send,
)
from ._refusals import (
    DeferError as DeferError,
)
from ._refusals import (
    ForbiddenError as ForbiddenError,
)
from ._refusals import (
    RefusedError as RefusedError,
)
from ._tables import (
    FilteredTable as FilteredTable,
)
from ._tables import (
    check_table as check_table,
)
from ._tables import (
    compile_table as compile_table,
)
from ._tables import (
    filter_table as filter_table,
)
from ._tables import (
    filter_tables as filter_tables,
)
from ._types import (
    CacheCounts as CacheCounts,
)
from ._types import (
    Diagnostic as Diagnostic,
)
from ._types import (
    EffectiveRule as EffectiveRule,
)
from ._types import (
    Extension as Extension,
)
from ._types import (
    Fix as Fix,
)
from ._types import (
    Fixed as Fixed,
)
from ._types import (
    Line as Line,
)
from ._types import (
    LoadedRecords as LoadedRecords,
)
from ._types import (
    Match as Match,
)
from ._types import (
    PageRule as PageRule,
)
from ._types import (
    Preset as Preset,
)
from ._types import (
    Quote as Quote,
)
from ._types import (
    RequestRate as RequestRate,
)
from ._types import (
    SiteCounts as SiteCounts,
)
from ._types import (
    TableCounts as TableCounts,
)
from ._types import (
    UseAnswer as UseAnswer,
)
from ._types import (
    UseSignal as UseSignal,
)

# `help(librobots)` shows what has the name of this module: the classes of the native part, and these functions. With a list
# `__all__` it would show everything, and most lines would be what the enumerations inherit from int.
for _function in (check_table, compile_table, filter_table, filter_tables, FilteredTable):
    _function.__module__ = __name__
del _function
