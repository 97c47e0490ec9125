from collections.abc import Callable, Iterable, Iterator, Mapping
from types import TracebackType
from typing import Any, Optional, Protocol, Union, final

from ._enums import (
    Action,
    Cause,
    Choice,
    Dialect,
    OutcomeKind,
    Reason,
    Step,
)
from ._errors import RobotsError
from ._types import (
    Diagnostic,
    EffectiveRule,
    Extension,
    Fixed,
    Line,
    Match,
    PageRule,
    Preference,
    Preset,
    Quote,
)

class _ArrowArray(Protocol):
    def __arrow_c_array__(self, requested_schema: Any = ...) -> tuple[Any, Any]: ...

class _ArrowStream(Protocol):
    def __arrow_c_stream__(self, requested_schema: Any = ...) -> Any: ...

class _Array(Protocol):
    @property
    def __array_interface__(self) -> dict[str, Any]: ...

class _MultiItems(Protocol):
    def multi_items(self) -> Iterable[tuple[str, str]]: ...

class _Items(Protocol):
    def items(self) -> Iterable[tuple[str, str]]: ...

_Text = Union[str, bytes]
_Body = Union[str, bytes, bytearray, memoryview]
_Urls = Union[Iterable[Optional[_Text]], _ArrowArray, _ArrowStream, _Array]
_Headers = Union[Iterable[tuple[_Text, _Text]], _MultiItems, _Items]
_Crawlers = Union[Crawler, Iterable[Crawler]]

__all__ = [
    "Cache",
    "CacheDecision",
    "Crawler",
    "Explanation",
    "Extensions",
    "Fetch",
    "Origin",
    "Outcome",
    "PageControls",
    "Report",
    "Rules",
    "Ticket",
    "Verdict",
    "Verdicts",
    "__version__",
    "_codes",
    "format",
    "presets",
]
__version__: str

@final
class Crawler:
    """A crawler: its product tokens, its dialect, its limits. Immutable; threads may share it.

    `tokens`: bare names such as `"ExampleBot"`, in order of preference; without one only `*` groups apply. `dialect`:
    "rfc9309", "google" or "koster1996". `max_bytes`: how many bytes of a robots.txt are read, 512,000 to 1 GiB.
    `fetch_options`: a mapping from `FetchOption` to numbers.

    Raises `TokenError` for what is no product token, `ArgumentError` for a value out of range.
    """
    def __new__(
        cls,
        *tokens: _Text,
        dialect: str = "rfc9309",
        max_bytes: int = 512_000,
        ignore_star: bool = False,
        merge_tokens: bool = False,
        crawl_delay_ends_agents: bool = False,
        fetch_options: Optional[Mapping[int, int]] = None,
    ) -> Crawler: ...
    @staticmethod
    def token_from_user_agent(header: _Text, /) -> str:
        """Returns the product token in a User-Agent header: the first product that is not a browser's.

        In a comment only the products after `compatible;` count. Raises `TokenError` if there is none.
        """
    @staticmethod
    def preset(name: _Text, /) -> Crawler:
        """Creates a well-known crawler, such as "Googlebot-Image", as its operator describes it. `presets()` lists them.

        Operators change such things: verify them if it matters. Raises `TokenError` for a name that is not listed.
        """
    @property
    def tokens(self) -> tuple[str, ...]:
        """The product tokens, in order of preference."""
    @property
    def dialect(self) -> Dialect:
        """The dialect."""
    @property
    def max_bytes(self) -> int:
        """How many bytes of a robots.txt are read."""
    @property
    def ignore_star(self) -> bool:
        """Whether `*` groups are ignored."""
    @property
    def merge_tokens(self) -> bool:
        """Whether the groups of all tokens are merged."""
    @property
    def crawl_delay_ends_agents(self) -> bool:
        """Whether a crawl-delay line ends a run of user-agent lines."""
    def fetch_option(self, option: int, /) -> int:
        """Returns the value of a fetch option: the one that was set, or the default of the dialect."""
    def parse(self, body: _Body, /) -> Rules:
        """Compiles a robots.txt for this crawler. No content is an error: invalid lines are skipped.

        `body`: the content of the file, not its name or address: str, bytes, bytearray or memoryview. A long file is parsed
        without the global interpreter lock. Undo its content coding first: the rules of bytes that are still compressed by gzip
        or zstd are those of an unreachable site. A fetch that failed has no file, which is not an empty one: pass its status
        to `outcome_from_status`.
        """
    def check_once(self, body: _Body, url: _Text, /) -> Verdict:
        """Returns the verdict on one URL by a robots.txt, and keeps nothing. For more than one URL, parse."""
    def explain(self, body: _Body, url: _Text, /) -> Explanation:
        """Explains the verdict on a URL: the group obeyed, every matching rule, and what other dialects say.

        Raises `UrlError` for what is no URL.
        """
    def lint(self, body: _Body, /) -> Report:
        """Returns the meaning of every line of a robots.txt, and its faults. All groups are checked."""
    def extensions(self, body: _Body, /) -> Extensions:
        """Returns the records other than groups and rules, such as request-rate and content-signal."""
    def page_controls(self, headers: Optional[_Headers] = None) -> PageControls:
        """Returns what the crawler may do with a response, by its headers: pairs, or a mapping of an HTTP client."""
    def outcome_from_status(
        self, url: _Text, status: int, body: Optional[_Body] = None, *, now: Optional[float] = None
    ) -> Outcome:
        """Returns the outcome of a complete response, for a client that follows redirects itself.

        `url`: any URL of the site of the first request. `body`: needed for a status of 200 to 299 except 204; `b""` is an empty
        file, which allows everything. `now`: seconds since 1970-01-01 UTC; default: `time.time()`.
        """
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __getnewargs_ex__(self) -> tuple[tuple[str, ...], dict[str, Any]]: ...

@final
class Verdict:
    """Whether a URL may be fetched, and why. It is true if the URL may be fetched."""

    __match_args__: tuple[str, str, str]
    @property
    def allowed(self) -> bool:
        """Whether the URL may be fetched."""
    @property
    def reason(self) -> Reason:
        """The reason, a member of `Reason`."""
    @property
    def line(self) -> int:
        """The line of the deciding rule, from 1; 0 if no rule decided."""
    @property
    def error(self) -> Optional[RobotsError]:
        """The exception that says why there is no decision, or None. It is not raised."""
    @property
    def bits(self) -> int:
        """The verdict as one 64-bit word, the `robots_verdict` of the C API."""
    def __bool__(self) -> bool: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Verdicts:
    """The verdicts on many URLs: a sequence of bool, True if the URL may be fetched.

    `pyarrow.array(verdicts)` and `numpy.asarray(verdicts)` return arrays of booleans, for filters.
    """
    @property
    def codes(self) -> bytes:
        """A byte for each URL: 0 disallowed, 1 allowed, 2 no URL."""
    @property
    def allowed_count(self) -> int:
        """How many URLs are allowed."""
    @property
    def bad_url_count(self) -> int:
        """How many items are no URLs; they are not allowed."""
    def tolist(self) -> list[bool]:
        """Returns the verdicts as a list of bool."""
    def __len__(self) -> int: ...
    def __getitem__(self, index: int, /) -> bool: ...
    def __iter__(self) -> Iterator[bool]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> Any: ...
    def __arrow_c_array__(self, requested_schema: Any = None) -> tuple[Any, Any]: ...

@final
class Rules:
    """A robots.txt compiled for one crawler. Immutable, hashable, and it can be pickled; threads may share it."""
    @staticmethod
    def allow_all() -> Rules:
        """Returns rules that allow every URL."""
    @staticmethod
    def disallow_all() -> Rules:
        """Returns rules that disallow every URL except /robots.txt."""
    @staticmethod
    def from_image(image: _Body, /) -> Rules:
        """Validates and copies an image that `Rules.image` returned, perhaps on another machine.

        Raises `ImageError` if it is damaged, `ImageFormatError` if it has another format version.
        """
    def is_allowed(self, url: _Text, /) -> bool:
        """Returns whether `url` may be fetched: an absolute URL, or a path that starts with `/`.

        Only path and query count: ask the rules of the URL's own site. Returns False for what is no URL.
        """
    def check(self, url: _Text, /) -> Verdict:
        """Returns the verdict on `url`, with reason and line. What is no URL gives a verdict with an error, which is not
        allowed.

        Pass the URL that the client sends. One that clients rewrite, such as `/a/../b`, is allowed only if each reading
        is (SPEC 8.11).
        """
    def check_many(self, urls: _Urls, /, *, use_threads: bool = True) -> Verdicts:
        """Returns the verdicts on many URLs, checked without the global interpreter lock.

        `urls`: a list or another iterable of str, bytes or None; an array of NumPy; an array, chunked array or column of
        pyarrow, polars or any library with the Arrow PyCapsule interface. Text in Arrow's layout is not copied. Do not change a
        list or an array of NumPy during the call. None, a null and what is no URL are not allowed. `use_threads`: 32,768 URLs
        and more are checked by several threads, one for each CPU that the process may use.
        """
    def effective_rules(self) -> list[EffectiveRule]:
        """Returns the rules that can decide, in file order: a list of `EffectiveRule`. Each call builds it.

        Rules that never decide are left out. Those of a site that is disallowed or unreachable are `Disallow: /` on line 0.
        """
    @property
    def crawl_delay(self) -> Optional[float]:
        """The crawl-delay of the groups that the crawler obeys, in seconds; None if there is none."""
    @property
    def sitemaps(self) -> tuple[str, ...]:
        """The sitemaps, in file order, as they are written."""
    @property
    def image(self) -> bytes:
        """The compiled rules as one block of bytes, to store or send. `Rules.from_image` reads it."""
    @property
    def dialect(self) -> Dialect:
        """The dialect that the rules were compiled in."""
    @property
    def has_group(self) -> bool:
        """Whether a group of the file applies to the crawler."""
    @property
    def allows_all(self) -> bool:
        """Whether every URL of the site is allowed, because there is no file to obey."""
    @property
    def disallows_all(self) -> bool:
        """Whether every URL of the site is disallowed, except /robots.txt."""
    @property
    def unreachable(self) -> bool:
        """Whether the site is unreachable: no URL is allowed for now, except /robots.txt. This is no ban."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Origin:
    """The site that one robots.txt governs: scheme, host and port."""
    def __new__(cls, url: _Text, /) -> Origin: ...
    @property
    def key(self) -> str:
        """The origin as text, such as `https://example.com`: lower case, punycode, no default port."""
    @property
    def robots_url(self) -> str:
        """The URL of the robots.txt of this origin."""
    def governs(self, url: _Text, /) -> bool:
        """Returns whether the robots.txt of this origin governs `url`; False for what is no URL."""
    def __eq__(self, other: object, /) -> bool: ...
    def __lt__(self, other: Origin, /) -> bool: ...
    def __le__(self, other: Origin, /) -> bool: ...
    def __gt__(self, other: Origin, /) -> bool: ...
    def __ge__(self, other: Origin, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __getnewargs__(self) -> tuple[str]: ...

@final
class Explanation:
    """Why a verdict is what it is."""
    @property
    def verdict(self) -> Verdict:
        """The verdict."""
    @property
    def dialect(self) -> Dialect:
        """The dialect of the crawler."""
    @property
    def url(self) -> str:
        """The URL."""
    @property
    def path(self) -> str:
        """Path and query of the URL, as they are compared."""
    @property
    def token(self) -> Optional[str]:
        """The product token of the groups that the crawler obeys; `*` for everyone; None without a group."""
    @property
    def agents(self) -> list[Quote]:
        """The user-agent lines of these groups: a list of `Quote`."""
    @property
    def rule_count(self) -> int:
        """How many rules these groups have."""
    @property
    def matches(self) -> list[Match]:
        """The rules that match, the deciding rule first: a list of `Match`."""
    @property
    def winner(self) -> Optional[Match]:
        """The rule that decides, a `Match`; None if no rule does."""
    @property
    def others(self) -> dict[Dialect, Verdict]:
        """The verdicts of the other dialects, by `Dialect`."""
    def verdict_in(self, dialect: str, /) -> Verdict:
        """Returns the verdict of a dialect."""

@final
class Report:
    """The meaning of each line of a file, and its faults."""
    @property
    def diagnostics(self) -> list[Diagnostic]:
        """The faults, in file order: a list of `Diagnostic`, at most 100 of each code."""
    @property
    def totals(self) -> dict[str, int]:
        """How many diagnostics there are by code, with those that were not kept."""
    @property
    def line_count(self) -> int:
        """How many lines were read."""
    @property
    def group_count(self) -> int:
        """How many groups there are."""
    @property
    def lines(self) -> list[Line]:
        """The lines and their meaning: a list of `Line`."""
    def apply_fixes(self, body: _Body, /, wanted: Optional[Callable[[Diagnostic], bool]] = None) -> Fixed:
        """Returns the file with its faults removed: a `Fixed`. `body`: the file of this report.

        `wanted`: a function that gets a `Diagnostic` and returns whether to apply its fix; default: whether the fix is safe. Of
        two fixes that overlap only the first is applied: lint the result again for the others.
        """
    def render(self, name: str = "robots.txt") -> str:
        """Returns the report as text in the style of a compiler. `name`: the file name to show."""
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Diagnostic]: ...

@final
class Extensions:
    """The records other than groups and rules, for one crawler."""
    @property
    def lines(self) -> list[Extension]:
        """The records, in file order: a list of `Extension`."""
    def preferences(self, url: _Text, /) -> list[Preference]:
        """Returns the usage preferences for a URL: a list of `Preference`. A disallowed URL has none.

        Raises `UrlError` for what is no URL.
        """

@final
class PageControls:
    """What one crawler may do with one response: X-Robots-Tag, Robots-Tag, Content-Usage and `<meta>` elements.

    Of several rules the most restrictive one decides. Threads may share it.
    """
    def add_header(self, name: _Text, value: _Text, /) -> None:
        """Adds a header of the response; headers other than X-Robots-Tag, Robots-Tag and Content-Usage have no effect.

        Add repeated headers one by one.
        """
    def add_meta(self, name: _Text, content: _Text, /) -> None:
        """Adds a `<meta>` element of the page: its name and content."""
    def get(self, control: int, /) -> int:
        """Returns the value of a `Control`."""
    @property
    def may_index(self) -> bool:
        """Whether the page may be indexed."""
    @property
    def may_follow(self) -> bool:
        """Whether links of the page may be followed."""
    @property
    def unavailable_after(self) -> Optional[int]:
        """The time after which the page is not to be shown, in seconds since 1970-01-01 UTC; None if there is none."""
    def decided_by(self, control: int, /) -> Optional[PageRule]:
        """Returns the rule that decides a control, a `PageRule`; None if no rule does."""
    @property
    def unknown(self) -> list[PageRule]:
        """The rules for this crawler that are unknown or invalid: a list of `PageRule`."""
    @property
    def unknown_omitted(self) -> int:
        """How many unknown rules were not kept."""
    @property
    def usage(self) -> list[Preference]:
        """The preferences of the Content-Usage headers: a list of `Preference`."""
    def usage_choice(self, label: _Text, /) -> Choice:
        """Returns the `Choice` of the Content-Usage headers for a label."""

@final
class Outcome:
    """The outcome of fetching the robots.txt of an origin: rules, or one rule for the whole site. Immutable."""
    @staticmethod
    def decode(record: _Body, crawlers: _Crawlers, /) -> Outcome:
        """Reads a record that `encode` returned, for the same crawlers in the same order.

        Raises `ImageError` for a damaged record, `ImageFormatError` for another version or other crawlers.
        """
    def encode(self) -> bytes:
        """Returns the outcome as one block of bytes, to store or send."""
    @property
    def origin(self) -> str:
        """The key of the origin."""
    @property
    def kind(self) -> OutcomeKind:
        """The kind, an `OutcomeKind`."""
    @property
    def cause(self) -> Cause:
        """Why it is of this kind, a `Cause`."""
    @property
    def http_status(self) -> int:
        """The status of the last response; 0 if there was none."""
    @property
    def hops(self) -> int:
        """How many redirects were followed."""
    @property
    def downgraded(self) -> bool:
        """Whether a redirect led from https to http."""
    @property
    def stale(self) -> bool:
        """Whether these are the rules of an earlier fetch that stay in use."""
    @property
    def fetched_at(self) -> int:
        """When the rules were fetched or last confirmed, in seconds since 1970-01-01 UTC."""
    @property
    def fresh_until(self) -> int:
        """The end of the freshness lifetime, in seconds since 1970-01-01 UTC."""
    @property
    def usable_until(self) -> int:
        """Until when it decides if there is nothing newer, in seconds since 1970-01-01 UTC."""
    @property
    def retry_at(self) -> int:
        """When the next attempt is due, in seconds since 1970-01-01 UTC."""
    @property
    def unreachable_since(self) -> Optional[int]:
        """The start of the outage, in seconds since 1970-01-01 UTC; None after a usable response."""
    @property
    def final_url(self) -> str:
        """The URL of the last request, after all redirects."""
    @property
    def etag(self) -> Optional[bytes]:
        """The ETag of the rules."""
    @property
    def last_modified(self) -> Optional[bytes]:
        """The Last-Modified of the rules."""
    def rules(self, crawler: int = 0) -> Optional[Rules]:
        """Returns the rules for the crawler of this index; None if there is no such crawler."""
    def check(self, url: _Text, *, now: Optional[float] = None, crawler: int = 0) -> Verdict:
        """Returns whether the crawler of this index may fetch `url` at the time `now`.

        Not allowed with the reason DEFER if the site is deferred, or the outcome expired or is of a later time; with an error
        for a URL of another site.
        """

@final
class Fetch:
    """One retrieval of a robots.txt, without I/O: the caller reports what its HTTP client receives.

    It expects one event at a time, its `step`, and each event returns the next step. Any other event raises `StateError`
    and changes nothing. `url`: any URL of the site. Times are seconds since 1970-01-01 UTC; default: `time.time()`.
    """
    def __new__(cls, crawlers: _Crawlers, url: _Text, *, now: Optional[float] = None) -> Fetch: ...
    def set_previous(self, previous: Outcome, /) -> None:
        """Sets an earlier outcome of the same origin and crawlers. Call it before the first event.

        The request becomes conditional, and the earlier rules stay in use while the file cannot be reached.
        """
    def set(self, option: int, value: int, /) -> None:
        """Sets an option for this fetch alone."""
    @property
    def step(self) -> Step:
        """The event that it expects, a `Step`."""
    @property
    def url(self) -> str:
        """The URL to request. A redirect changes it."""
    @property
    def origin(self) -> str:
        """The key of the origin that the robots.txt governs."""
    @property
    def request_headers(self) -> dict[str, str]:
        """The headers to send with the request, as a dict."""
    def status(self, status: int, *, now: Optional[float] = None) -> Step:
        """Reports the status of the response. Returns the next step. Raises `StateError` unless the step is GET."""
    def ftp_reply(self, reply: int, *, now: Optional[float] = None) -> Step:
        """Reports the final reply of an FTP server instead of a status. Returns the next step: BODY after a success (2yz).

        Raises `StateError` unless the step is GET and the URL is an ftp URL.
        """
    def header(self, name: _Text, value: _Text, /) -> Step:
        """Reports a header of the response. Report all, in their order."""
    def headers_end(self) -> Step:
        """Reports the end of the headers. Returns the next step: GET again after a redirect."""
    def body(self, piece: _Body, /) -> Step:
        """Passes a piece of the body, decoded from any content coding. At the size limit the fetch is done."""
    def end(self) -> Step:
        """Reports the regular end of the body."""
    def fail(self, failure: int, *, now: Optional[float] = None) -> Step:
        """Reports that the response is missing or broke off: a `Failure`."""
    @property
    def outcome(self) -> Optional[Outcome]:
        """The outcome; None until the step is DONE."""

@final
class Cache:
    """The outcomes of many sites, by origin, for one crawler or several. Any number of threads may use it at once.

    `crawlers`: a `Crawler`, or an iterable of 1 to 16. `max_bytes`: the memory limit, at least 65,536; a small robots.txt
    takes about 800 bytes. `ticket_ttl`: how many seconds a ticket is valid, more than the longest retrieval takes.

    A forked child must not use the cache of its parent: there every call raises `StateError`. Create a cache in the child
    and import records.
    """
    def __new__(cls, crawlers: _Crawlers, *, max_bytes: int = 67_108_864, ticket_ttl: int = 120) -> Cache: ...
    def check(self, url: _Text, *, now: Optional[float] = None, crawler: int = 0) -> CacheDecision:
        """Returns what the crawler of this index does next with `url`, an absolute URL, at the time `now`.

        A decision from the cache takes no lock. Raises `UrlError` or `SchemeError` for a bad URL, `OutOfMemoryError` for a site
        that does not fit into the cache, `StateError` in a forked child.
        """
    def outcome(self, url: _Text, /) -> Optional[Outcome]:
        """Returns the outcome of the site of `url`, however old; None if the cache has none."""
    def remove(self, url: _Text, /) -> None:
        """Removes the outcome of the site of `url`."""
    def clear(self) -> None:
        """Removes the outcomes of all sites. Tickets stay valid."""
    @property
    def crawlers(self) -> tuple[Crawler, ...]:
        """The crawlers that the cache decides for, by index."""
    def export_records(self) -> list[bytes]:
        """Returns the outcomes as a list of records, to store or send."""
    def import_record(self, record: _Body, /) -> None:
        """Imports a record of `export_records` or `Outcome.encode`, unless the cache has an outcome as new."""
    @property
    def bytes(self) -> int:
        """How many bytes the sites take; never more than max_bytes."""
    def __len__(self) -> int: ...
    def __bool__(self) -> bool: ...

@final
class CacheDecision:
    """What the crawler does next with a URL. It is true if the URL may be fetched now."""
    @property
    def action(self) -> Action:
        """What to do, an `Action`."""
    @property
    def verdict(self) -> Optional[Verdict]:
        """The verdict for DECIDED and DEFER, else None."""
    @property
    def ticket(self) -> Optional[Ticket]:
        """The right to fetch the robots.txt: for FETCH, and for DECIDED if a refresh is due. Else None."""
    @property
    def until(self) -> Optional[int]:
        """When to check again at the latest (WAIT) or at the earliest (DEFER), in seconds since 1970-01-01 UTC."""
    @property
    def allowed(self) -> bool:
        """Whether the URL may be fetched now."""
    def __bool__(self) -> bool: ...

@final
class Ticket:
    """The right to fetch the robots.txt of one origin: no other caller of the cache fetches it in the meantime.

    A context manager: at its end, a ticket that is not finished returns to the cache.
    """
    @property
    def origin(self) -> str:
        """The key of the origin whose robots.txt is to be fetched."""
    def fetch(self, *, now: Optional[float] = None) -> Fetch:
        """Starts the retrieval. It knows the outcome in the cache."""
    def finish(self, outcome: Outcome, *, now: Optional[float] = None) -> None:
        """Submits the outcome and returns the ticket.

        Raises `ArgumentError` for the outcome of another origin or of other crawlers, `OutOfMemoryError` for an outcome that does
        not fit into the cache, `StateError` for a ticket that is finished.
        """
    def release(self) -> None:
        """Returns the ticket without an outcome; the next caller gets one. Does nothing for a finished ticket."""
    def __enter__(self) -> Ticket: ...
    def __exit__(
        self,
        kind: Optional[type[BaseException]] = None,
        error: Optional[BaseException] = None,
        trace: Optional[TracebackType] = None,
        /,
    ) -> None: ...

def format(body: _Body, /) -> bytes:
    """Rewrites a robots.txt in canonical layout, without a change of any verdict. Returns bytes.

    Raises `ArgumentError` for a file that cannot be rewritten safely: too long, or UTF-16.
    """

def presets() -> list[Preset]:
    """Returns the well-known crawlers that `Crawler.preset` creates: a list of `Preset`, those of an operator together."""

def _codes() -> dict[str, list[Any]]: ...
