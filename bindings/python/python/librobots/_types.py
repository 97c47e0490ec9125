"""The enumerations and records that the native part returns.

The numbers are those of the C API. They never change.
"""

from __future__ import annotations

from enum import Enum, IntEnum
from typing import NamedTuple, Optional


class _Number(IntEnum):
    """A member is a number of the C API. As text it is its name, in every version of Python."""

    def __str__(self) -> str:
        return self.name

    def __format__(self, spec: str) -> str:
        # A specification for numbers, such as `d` or `04x`, formats the number.
        is_number = spec[-1:] in tuple("bcdoxXneEfFgG%")
        return format(int(self), spec) if is_number else format(self.name, spec)


class Dialect(str, Enum):
    """The interpretation of the protocol."""

    RFC9309 = "rfc9309"
    GOOGLE = "google"
    KOSTER1996 = "koster1996"

    __str__ = str.__str__


class Reason(_Number):
    """The reason of a verdict."""

    NONE = 0  #: no decision: see ``Verdict.error``
    RULE_ALLOWED = 1  #: an allow rule won
    RULE_DISALLOWED = 2  #: a disallow rule won: drop the URL
    NO_RULE = 3  #: a group applies to the crawler, but none of its rules matches
    NO_GROUP = 4  #: no group applies to the crawler
    ROBOTS_TXT = 5  #: the URL is the robots.txt itself
    ALLOW_ALL = 6  #: every URL of the site is allowed
    DISALLOW_ALL = 7  #: every URL of the site is disallowed: drop the URL
    DEFER = 8  #: no verdict for now: keep the URL
    UNREACHABLE = 9  #: the robots.txt cannot be reached, which is no ban: keep the URL


class OutcomeKind(_Number):
    """The result of a fetch: rules, or one rule for the whole site. Also the value of the options ``ON_...``."""

    RULES = 0
    ALLOW_ALL = 1
    DISALLOW_ALL = 2
    DEFER = 3
    UNREACHABLE = 4


class Cause(_Number):
    """Why an outcome is what it is."""

    FOUND = 1
    NOT_MODIFIED = 2
    MISSING = 3
    FORBIDDEN = 4
    TOO_MANY_REQUESTS = 5
    SERVER_ERROR = 6
    ODD_STATUS = 7
    TOO_MANY_REDIRECTS = 8
    REDIRECT_LOOP = 9
    BAD_REDIRECT = 10
    DNS = 11
    CONNECT = 12
    TLS = 13
    TIMEOUT = 14
    RESET = 15
    TRUNCATED = 16
    OTHER_FAILURE = 17
    UNREACHABLE_LONG = 18
    PARTIAL_CONTENT = 19
    SHORT_BODY = 20
    ENCODED_BODY = 21
    REDIRECT_NOT_FOLLOWED = 22
    NON_GLOBAL_REDIRECT = 23


class FetchOption(_Number):
    """An option for fetches of a robots.txt. Times are in seconds; ``ON_...`` take an :class:`OutcomeKind`."""

    MAX_REDIRECTS = 16  #: redirects in a row, 0 to 20; default: 5, koster1996: 20
    ON_FORBIDDEN = 17  #: 401 and 403; default: ALLOW_ALL, koster1996: DISALLOW_ALL
    ON_TOO_MANY_REQUESTS = 18  #: 429; default: UNREACHABLE, koster1996: DEFER
    ON_SERVER_ERROR = 19  #: 500 to 599; default: UNREACHABLE, koster1996: DEFER
    ON_UNREACHABLE = 20  #: other failures; default: UNREACHABLE, koster1996: DEFER
    SERVER_ERROR_IS_MISSING = 21  #: 1: treat 500 to 599 as 404; default: 0
    DEFAULT_TTL = 22  #: TTL without freshness headers; default: a day, koster1996: 7 days
    MIN_TTL = 23  #: lower bound of a TTL from headers; default: 300
    MAX_TTL = 24  #: upper bound of a TTL from headers; default: a day, google and koster1996: 30 days
    FAILURE_TTL = 25  #: time from the first failure to the next attempt; default: 600
    MAX_RETRY_AFTER = 26  #: upper bound of a wait from Retry-After; default: a day
    UNREACHABLE_TTL = 27  #: time after which a site without a copy is allowed; default: 30 days, koster1996: never
    MISSING_KEEPS_COPY = 28  #: 1: keep a copy for up to 24 h after the file is missing; default: 0
    MISSING_TTL = 29  #: upper bound of the TTL of an answer without a file; default: 6 hours
    ON_BAD_REDIRECT = 30  #: a redirect that leads nowhere, without a copy; default: ALLOW_ALL
    NON_GLOBAL_REDIRECTS = 31  #: 1: follow redirects to addresses that are not global; default: 0
    UNREACHABLE_OVERRIDES_COPY = 32  #: 1: nothing is allowed during an outage, also with a copy; default: 0


class Step(_Number):
    """The event that a fetch expects."""

    GET = 0  #: send a GET for ``url`` with ``request_headers``, and report the status
    HEADERS = 1  #: report each header, then their end
    BODY = 2  #: pass the body, then report its end
    DONE = 3  #: there is an outcome


class Failure(_Number):
    """Why a response is missing or incomplete."""

    DNS = 1
    CONNECT = 2
    TLS = 3
    TIMEOUT = 4
    RESET = 5
    TRUNCATED = 6
    OTHER = 7
    ENCODED_BODY = 8


class Action(_Number):
    """What to do next, as a cache decides."""

    DECIDED = 0  #: obey the verdict; with a ticket beside it, refresh the robots.txt soon
    FETCH = 1  #: the ticket is yours: fetch the robots.txt, finish the ticket, check again
    WAIT = 2  #: another thread has the ticket: check again later
    DEFER = 3  #: keep the URL until the time ``until``


class Control(_Number):
    """What a page can restrict. A lower value is more restrictive, except that -1 is no limit."""

    INDEX = 0
    FOLLOW = 1
    ARCHIVE = 2
    SNIPPET = 3
    TRANSLATE = 4
    IMAGE_INDEX = 5
    INDEX_IF_EMBEDDED = 6
    MAX_SNIPPET = 7  #: characters
    MAX_IMAGE_PREVIEW = 8  #: 0: none, 1: standard, 2: large
    MAX_VIDEO_PREVIEW = 9  #: seconds
    UNAVAILABLE_AFTER = 10  #: seconds since 1970-01-01 UTC


class PageSource(_Number):
    """Where a rule of a page is."""

    X_ROBOTS_TAG = 1
    ROBOTS_TAG = 2
    META = 3


class Zone(_Number):
    """What a date says about its time zone."""

    KNOWN = 0
    MISSING = 1
    UNKNOWN = 2


class Choice(_Number):
    """The value of a usage preference."""

    NO = 0
    YES = 1
    UNKNOWN = 2


class Vocabulary(_Number):
    """The vocabulary of a usage preference."""

    CONTENT_USAGE = 0
    CONTENT_SIGNAL = 1


class Severity(_Number):
    """The severity of a diagnostic."""

    NOTE = 1
    WARNING = 2
    ERROR = 3


class Purpose(_Number):
    """What a crawler fetches pages for."""

    SEARCH = 0  #: an index of a search engine
    TRAINING = 1  #: data to train models
    USER_REQUEST = 2  #: a request of a user: to read, to summarize or to show a page
    COMMERCE = 3  #: advertisements and shops
    OTHER = 4  #: archives, tests, research and all else


class LineKind(_Number):
    """What a line of a robots.txt is."""

    BLANK = 0
    COMMENT = 1
    USER_AGENT = 2
    ALLOW = 3
    DISALLOW = 4
    SITEMAP = 5
    CRAWL_DELAY = 6
    EXTENSION = 7
    UNKNOWN = 8
    NOT_UNDERSTOOD = 9


class MatchResult(_Number):
    """Why a matching rule won or lost."""

    WON = 0
    SHORTER = 1
    TIE_LOST_TO_ALLOW = 2
    LATER_EQUAL = 3
    AFTER_FIRST_MATCH = 4
    EMPTY = 5


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


class Preference(NamedTuple):
    """A usage preference; ``line`` is 0 for a header."""

    vocabulary: Vocabulary
    label: str
    choice: Choice
    line: int


class PageRule(NamedTuple):
    """A rule of a page. ``agent`` is None if the rule is for every crawler."""

    text: str
    agent: Optional[str]
    source: PageSource
    number: int
    value: int
    zone: Zone
