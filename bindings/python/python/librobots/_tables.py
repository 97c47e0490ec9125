"""Tables of URLs: of pyarrow, pandas, polars, NumPy, lists, and what exports Arrow. The native part reads the columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, Callable, Generic, NamedTuple, Optional, TypeVar, Union, overload

from ._enums import Purpose
from ._errors import ArgumentError
from ._librobots import Crawler, Sites, TableAnswers, _check_table, _filter_table, _SitesReader

if TYPE_CHECKING:
    from typing import Literal

    from ._types import TableCounts

    Agent = Union[str, tuple[str, ...], Crawler]
    OnMissing = Literal["allow", "disallow"]

T = TypeVar("T")

#: The columns of captures, and those of images.
CAPTURES = ("url", "origin", "status", "body", "date", "failure", "target")
IMAGES = ("origin", "image")
AGENT = "agent"


class FilteredTable(Generic[T]):
    """A table of URLs that a crawler may fetch, and the answers to all URLs of the table it comes from."""

    def __init__(self, table: T, answers: TableAnswers, sites: Sites) -> None:
        self._table = table
        self._answers = answers
        self._sites = sites

    @property
    def table(self) -> T:
        """The rows that are kept, with their columns, of the type that was passed."""
        return self._table

    @property
    def answers(self) -> TableAnswers:
        """The answer to each row that was passed."""
        return self._answers

    @property
    def counts(self) -> TableCounts:
        """How many URLs have each answer."""
        return self.answers.counts

    @property
    def sites(self) -> Sites:
        """The rules of the sites. ``sites.counts`` says which rows of the table of robots.txt gave none."""
        return self._sites

    def __repr__(self) -> str:
        return f"<FilteredTable for {self.sites.agent}: {self.counts!r}>"


def check_table(urls: object, images: object, *, use_threads: bool = True) -> TableAnswers:
    """Return the answer to each URL of a column by the image in the same row of another: what :attr:`Rules.image` returned.

    ``urls``: a column of text, of pyarrow, pandas, polars, NumPy or any library with the Arrow PyCapsule interface, or
    an iterable of str, bytes or None. ``images``: a column of bytes, likewise; a null gives the answer ``no_capture``. An
    image names neither its site nor its crawler: that each row has the image of its own site is the caller's care.
    Text and bytes in a layout of Arrow are not copied. All CPUs work, without the global interpreter lock;
    ``use_threads=False`` prevents that.

    Raises ``TypeError`` for a column of another type, ``ArgumentError`` for columns of different lengths, ``ImageError``
    for a damaged image. For a table of URLs and one of sites, use :func:`filter_table`.
    """
    return _check_table(_exported(urls), _exported(images), use_threads)


@overload
def compile_table(
    robots: object,
    agent: Agent,
    *,
    use_threads: bool = True,
    strict: bool = False,
    keep_files: bool = False,
    progress: Optional[Callable[[int], object]] = None,
) -> Sites: ...
@overload
def compile_table(
    robots: object,
    agent: None,
    *,
    use_threads: bool = True,
    strict: bool = False,
    keep_files: bool = False,
    progress: Optional[Callable[[int], object]] = None,
) -> Sites: ...
def compile_table(
    robots: object,
    agent: Optional[Agent] = None,
    *,
    use_threads: bool = True,
    strict: bool = False,
    keep_files: bool = False,
    progress: Optional[Callable[[int], object]] = None,
) -> Sites:
    """Compile a table of captures of robots.txt for a crawler, and return the rules of each site.

    ``robots``: a table, a mapping of columns, or an iterable of tables, such as batches of a Parquet data set or
    :func:`librobots.warc.read_captures`. Captures have these columns; others are ignored:

    - ``url``: the URL of the robots.txt; or ``origin``: the site, such as ``https://example.com``, which has priority where
      it is not null, and is an error with the path of a page. Rows that name no site are counted as ``unusable``.
    - ``status``: integers, null for no response, which means that the site is unreachable. ``body``: bytes or text; null
      for a success, other than 204, means that the body is lost: the site is unreachable.
    - ``date`` (optional): the newest capture of a site decides; if the site was unreachable then, the file before it stays
      in use (SPEC 11.4); ``after_outage`` counts these sites. Several captures of a site are an error if one has no
      date. Dates are times, seconds since 1970, or text of ISO 8601 (without a zone: UTC); dates of several units are an
      error. Of captures with equal dates one decides, in any order of the rows; ``ties`` counts those that differ.
    - ``failure`` (optional): not null if the response is not whole.
    - ``target`` (optional): the absolute URL that a redirect names. Redirects are followed to other captures: 5, 20 in
      koster1996, or as many as the option says (SPEC 11.7). Null: not known, the site is unreachable. Empty text: the
      response named none that can be used, which allows all (SPEC 2.3), so write null where nothing is known.

    A table with the columns ``origin`` and ``image`` has rules that are compiled already. If it has the column ``agent``, as
    the tables of ``pyarrow.table(sites)`` have, pass the same ``agent``: other product tokens or another dialect are an
    error; other options of a :class:`Crawler` change nothing. Without the column pass None.

    ``agent``: a product token, a tuple of them in order of preference, or a :class:`Crawler`, with its dialect and options.
    ``strict``: a body that is the text of bytes, ``str(b"...")`` or base64, is an error; otherwise it is one of
    ``without_group``. ``keep_files``: keeps all captures with their bodies in memory, for the ``purpose`` of
    :func:`filter_table`. ``progress``: called after each table with the number of rows so far.

    Raises ``ArgumentError`` for tables without a site, ``TypeError`` for a column of another type, ``TokenError`` for an
    agent that is no product token, ``ImageError`` for a damaged image.
    """
    reader: Optional[_SitesReader] = None
    has_images, rows = False, 0
    for table in _tables(robots, "robots"):
        names = _names(table)
        is_compiled = set(IMAGES) <= set(names)
        if reader is None:
            has_images = is_compiled
            reader = _SitesReader(None if is_compiled else _crawler(agent), keep_files and not is_compiled)
        if is_compiled and {"status", "body"} & set(names):
            raise ArgumentError("the table has images and captures in the same rows: keep image, or status and body")
        if is_compiled != has_images:
            raise ArgumentError("some tables have images and some have captures: compile them one after the other")
        wanted = (*IMAGES, AGENT) if is_compiled else CAPTURES
        if not is_compiled:
            _require_captures(names)
        columns = {name: _exported(_column(table, name)) for name in wanted if name in names}
        reader.add(columns, use_threads)
        rows += _length(table)
        if progress is not None:
            progress(rows)
    if reader is None:
        raise ArgumentError("there is no table of robots.txt: without any, on_missing alone would decide on every URL")
    sites = reader.finish(strict)
    if has_images and agent is not None:
        sites._require(_crawler(agent))
    elif has_images and sites.agent is not None:
        raise ArgumentError(f"the images were compiled for {sites.agent}: pass that crawler as agent")
    return sites


# Of compiled rules only on_missing is required; of a table also the agent, or None for images that do not name theirs.
@overload
def filter_table(
    urls: T,
    robots: Sites,
    agent: Optional[Agent] = None,
    *,
    on_missing: OnMissing,
    url_column: str = "url",
    purpose: Optional[Union[Purpose, str]] = None,
    headers_column: Optional[str] = None,
    date_column: Optional[str] = None,
    keep_licensed: bool = False,
    keep_unstated: bool = False,
    use_threads: bool = True,
    strict: bool = False,
) -> FilteredTable[T]: ...
@overload
def filter_table(
    urls: T,
    robots: object,
    agent: Optional[Agent],
    on_missing: OnMissing,
    *,
    url_column: str = "url",
    purpose: Optional[Union[Purpose, str]] = None,
    headers_column: Optional[str] = None,
    date_column: Optional[str] = None,
    keep_licensed: bool = False,
    keep_unstated: bool = False,
    use_threads: bool = True,
    strict: bool = False,
) -> FilteredTable[T]: ...
def filter_table(
    urls: T,
    robots: object,
    agent: Optional[Agent] = None,
    on_missing: Optional[OnMissing] = None,
    *,
    url_column: str = "url",
    purpose: Optional[Union[Purpose, str]] = None,
    headers_column: Optional[str] = None,
    date_column: Optional[str] = None,
    keep_licensed: bool = False,
    keep_unstated: bool = False,
    use_threads: bool = True,
    strict: bool = False,
) -> FilteredTable[T]:
    """Return the rows of a table whose URLs a crawler may fetch, and the answer to each row.

    ``urls``: a table of pyarrow, pandas or polars with a column ``url_column``; a column of these or of NumPy; a list of
    URLs. The rows that are kept have the same type. A table of another library that exports Arrow, such as a relation of
    DuckDB, becomes one of pyarrow.

    ``robots``: what :func:`compile_table` takes, or its result, which is better for more than one table. ``agent``: as
    there; for a result None, or the agent that it was compiled for. ``strict``: as there. ``on_missing``: ``"allow"`` or
    ``"disallow"`` the URLs of sites without rules. It has no default. It decides on no site that is unreachable, and on
    nothing that is no URL: these rows are never kept.

    ``purpose``: only rows that may also be used for this :class:`Purpose`, or its name, are kept (SPEC 13): those that are
    ALLOWED; with ``keep_licensed`` and ``keep_unstated`` also LICENSED and UNSTATED ones. ``robots`` must be captures, or
    what :func:`compile_table` returns with ``keep_files=True``. ``date_column``: when each page was captured, as ``date`` of
    the captures; the robots.txt that was current then decides, on the fetch, too. Without it the newest does.
    ``headers_column``: the header lines of each page as text, or its names and values as a mapping or as pairs. Where they
    are null or no header lines, and without the column, the page is not known, and no row is ALLOWED. ``<meta>`` elements
    and tdmrep.json are not read. With ``on_missing="allow"`` a site without a capture is one without a robots.txt.

    Text in a layout of Arrow is not copied. All CPUs work, without the global interpreter lock; ``use_threads=False``
    prevents that.

    Raises ``ArgumentError`` for an unknown column or ``on_missing``, ``TypeError`` for a column that is no text, and what
    :func:`compile_table` raises.
    """
    missing_allowed = _missing_allowed(on_missing)
    wanted = _wanted(purpose, headers_column, date_column, keep_licensed, keep_unstated)
    sites = _sites(robots, agent, use_threads, strict, wanted is not None)
    return _filtered(urls, sites, missing_allowed, url_column, use_threads, wanted=wanted)


@overload
def filter_tables(
    tables: Iterable[T],
    robots: Sites,
    agent: Optional[Agent] = None,
    *,
    on_missing: OnMissing,
    url_column: str = "url",
    purpose: Optional[Union[Purpose, str]] = None,
    headers_column: Optional[str] = None,
    date_column: Optional[str] = None,
    keep_licensed: bool = False,
    keep_unstated: bool = False,
    use_threads: bool = True,
    strict: bool = False,
    progress: Optional[Callable[[TableCounts], object]] = None,
) -> Iterator[FilteredTable[T]]: ...
@overload
def filter_tables(
    tables: Iterable[T],
    robots: object,
    agent: Optional[Agent],
    on_missing: OnMissing,
    *,
    url_column: str = "url",
    purpose: Optional[Union[Purpose, str]] = None,
    headers_column: Optional[str] = None,
    date_column: Optional[str] = None,
    keep_licensed: bool = False,
    keep_unstated: bool = False,
    use_threads: bool = True,
    strict: bool = False,
    progress: Optional[Callable[[TableCounts], object]] = None,
) -> Iterator[FilteredTable[T]]: ...
def filter_tables(
    tables: Iterable[T],
    robots: object,
    agent: Optional[Agent] = None,
    on_missing: Optional[OnMissing] = None,
    *,
    url_column: str = "url",
    purpose: Optional[Union[Purpose, str]] = None,
    headers_column: Optional[str] = None,
    date_column: Optional[str] = None,
    keep_licensed: bool = False,
    keep_unstated: bool = False,
    use_threads: bool = True,
    strict: bool = False,
    progress: Optional[Callable[[TableCounts], object]] = None,
) -> Iterator[FilteredTable[T]]:
    """As :func:`filter_table`, for more URLs than the memory holds: a generator that reads one table at a time.

    ``tables``: an iterable of tables; a data set of pyarrow (``pyarrow.dataset.dataset("urls/")``), whose batches are
    read; a ``pyarrow.parquet.ParquetFile``; or a reader of batches, such as DuckDB and ADBC return. Arguments are
    checked, and ``robots`` is compiled, before the function returns. ``progress``: called after each table with the sum
    of the counts so far, in which ``sites`` and ``missing_sites`` are those of the last table.
    """
    missing_allowed = _missing_allowed(on_missing)
    wanted = _wanted(purpose, headers_column, date_column, keep_licensed, keep_unstated)
    source = _tables(tables, "tables")
    sites = _sites(robots, agent, use_threads, strict, wanted is not None)

    def filtered() -> Iterator[FilteredTable[T]]:
        total: Optional[TableCounts] = None
        for table in source:
            one = _filtered(table, sites, missing_allowed, url_column, use_threads, wanted=wanted)
            yield one
            if progress is not None:
                counts = one.counts
                if total is not None:
                    sums = [old + new for old, new in zip(total, counts)]
                    counts = type(counts)(*sums)._replace(sites=counts.sites, missing_sites=counts.missing_sites)
                total = counts
                progress(total)

    return filtered()


class _Wanted(NamedTuple):
    """A purpose, the columns of the pages, and whether each :class:`Use` is kept."""

    purpose: Purpose
    headers_column: Optional[str]
    date_column: Optional[str]
    kept: list[bool]


def _wanted(
    purpose: Optional[Union[Purpose, str]],
    headers_column: Optional[str],
    date_column: Optional[str],
    keep_licensed: bool,
    keep_unstated: bool,
) -> Optional[_Wanted]:
    if purpose is None:
        if headers_column or date_column or keep_licensed or keep_unstated:
            raise ArgumentError("columns and answers about uses need a purpose: pass a member of Purpose, or its name")
        return None
    name = purpose.upper() if isinstance(purpose, str) else purpose
    if name not in Purpose.__members__ and name not in list(Purpose):
        raise ArgumentError(f"unknown purpose {purpose!r}: pass a member of Purpose, or its name")
    known = Purpose[name] if isinstance(name, str) else Purpose(name)
    return _Wanted(known, headers_column, date_column, [False, keep_licensed, True, keep_unstated])


def _header_lines(column: Any) -> Any:
    """Return the headers of each page as text."""
    if _library(column) == "pandas":
        rows = column.astype(object).where(column.notna(), None).tolist()
    elif hasattr(column, "to_pylist"):
        rows = column.to_pylist()
    else:
        rows = list(column)
    return [headers if headers is None or isinstance(headers, (str, bytes)) else _lines(headers) for headers in rows]


def _lines(headers: Any) -> str:
    lines = []
    try:
        for pair in headers.items() if isinstance(headers, Mapping) else headers:
            name, value = pair.values() if isinstance(pair, Mapping) else pair
            # A line end in a value would begin another header.
            lines.append(f"{name}: {' '.join(value.splitlines())}")
    except (AttributeError, TypeError, ValueError):
        raise ArgumentError(
            f"headers={headers!r}: pass the header lines as text, or names and values as a mapping or as pairs of text"
        ) from None
    return "\n".join(lines)


def _filtered(
    urls: Any,
    sites: Sites,
    missing_allowed: bool,
    url_column: str,
    use_threads: bool,
    *,
    wanted: Optional[_Wanted],
) -> FilteredTable[Any]:
    _require_rows(urls, "urls")
    if _library(urls) is None and hasattr(urls, "__arrow_c_stream__"):
        urls = _pyarrow(urls)
    if isinstance(urls, Mapping):
        _require_equal_lengths(urls)
    column = _column(urls, url_column) if _is_table(urls) else urls
    if isinstance(urls, Iterator):
        urls = column = list(urls)
    asked = None
    if wanted is not None:
        headers = None if wanted.headers_column is None else _header_lines(_column(urls, wanted.headers_column))
        dates = None if wanted.date_column is None else _exported(_column(urls, wanted.date_column))
        asked = (wanted.purpose, headers, dates, wanted.kept)
    answers = _filter_table(_exported(column), sites, missing_allowed, use_threads, asked)
    return FilteredTable(_kept(urls, answers), answers, sites)


def _kept(urls: Any, answers: TableAnswers) -> Any:
    """Return the rows that may be fetched, of the type of the table."""
    mask, library = answers.mask, _library(urls)
    if library == "pyarrow":
        return _kept_by_pyarrow(urls, import_module("pyarrow").array(mask))
    if library == "polars":
        polars = import_module("polars")
        return urls.filter(polars.Series(mask.tolist(), dtype=polars.Boolean))
    if library == "pandas":
        return urls.loc[mask.__array__()]
    if library == "numpy":
        return urls[mask.__array__()]
    if isinstance(urls, Mapping):
        return {name: _kept(column, answers) for name, column in urls.items()}
    return [url for url, keep in zip(urls, mask) if keep]


def _kept_by_pyarrow(urls: Any, mask: Any) -> Any:
    if hasattr(urls, "columns"):
        columns = [_kept_by_pyarrow(column, mask) for column in urls.columns]
        return type(urls).from_arrays(columns, schema=urls.schema)
    plain = _without_views(urls.type)
    return urls.filter(mask) if plain is urls.type else urls.cast(plain).filter(mask).cast(urls.type)


def _without_views(kind: Any) -> Any:
    """Return a type of pyarrow without views, which it cannot filter; the same object if it has none."""
    pyarrow = import_module("pyarrow")
    if str(kind) in ("string_view", "binary_view"):
        return pyarrow.large_string() if str(kind) == "string_view" else pyarrow.large_binary()
    fields = [kind.field(n) for n in range(kind.num_fields)]
    plain = [field.with_type(_without_views(field.type)) for field in fields]
    if all(new.type == old.type for new, old in zip(plain, fields)):
        return kind
    if pyarrow.types.is_struct(kind):
        return pyarrow.struct(plain)
    return pyarrow.large_list(plain[0]) if pyarrow.types.is_large_list(kind) else pyarrow.list_(plain[0])


def _sites(robots: object, agent: Optional[Agent], use_threads: bool, strict: bool, keep_files: bool) -> Sites:
    if not isinstance(robots, Sites):
        return compile_table(robots, agent, use_threads=use_threads, strict=strict, keep_files=keep_files)
    if agent is not None:
        robots._require(_crawler(agent))
    return robots


def _missing_allowed(on_missing: Optional[str]) -> bool:
    if on_missing in ("allow", "disallow"):
        return on_missing == "allow"
    raise ArgumentError(
        f'on_missing={on_missing!r}: pass "allow" or "disallow", for sites without a robots.txt in the table'
    )


def _crawler(agent: Optional[Agent]) -> Crawler:
    if isinstance(agent, Crawler):
        return agent
    if isinstance(agent, str):
        return Crawler(agent)
    if isinstance(agent, tuple) and agent:
        return Crawler(*agent)
    raise ArgumentError(f"agent={agent!r}: pass a product token such as ExampleBot, a tuple of them, or a Crawler")


def _require_captures(names: list[str]) -> None:
    lacking = [name for name in ("status", "body") if name not in names]
    if not {"url", "origin"} & set(names):
        lacking.insert(0, "url or origin")
    if lacking:
        raise ArgumentError(
            f"the table of robots.txt has no column {', '.join(lacking)}; its columns are {', '.join(names) or 'none'}. "
            "Captures have url or origin, status and body; images have origin and image: rename the columns"
        )


def _library(table: object) -> Optional[str]:
    """Return the library of a table or a column whose methods are used."""
    name = type(table).__module__.partition(".")[0]
    return name if name in ("pyarrow", "pandas", "polars", "numpy") else None


def _is_table(urls: object) -> bool:
    return isinstance(urls, Mapping) or (_library(urls) is not None and bool(hasattr(urls, "columns")))


def _names(table: Any) -> list[str]:
    if isinstance(table, Mapping):
        return [str(name) for name in table]
    if not _is_table(table):
        raise ArgumentError(
            f"a {type(table).__name__} is no table: pass one of pyarrow, pandas or polars, or a dict of columns"
        )
    names = table.column_names if _library(table) == "pyarrow" else table.columns
    return [str(name) for name in names]


def _column(table: Any, name: str) -> Any:
    names = _names(table)
    if name not in names:
        raise ArgumentError(
            f"the table has no column {name!r}; its columns are {', '.join(names) or 'none'}: name one of them"
        )
    return table[name]


def _length(table: Any) -> int:
    if isinstance(table, Mapping):
        return max((len(column) for column in table.values()), default=0)
    return len(table)


def _exported(column: Any) -> Any:
    """Return a column that exports Arrow, or one that the native part iterates."""
    if hasattr(column, "__arrow_c_array__") or hasattr(column, "__arrow_c_stream__"):
        return column
    if _library(column) == "pandas":  # before version 3
        return column.astype(object).where(column.notna(), None).tolist()
    if _library(column) == "numpy" and column.dtype.kind not in "SU":
        if column.ndim != 1:
            raise ArgumentError(f"the array has {column.ndim} dimensions: pass one column")
        return column.astype("datetime64[us]").tolist() if column.dtype.kind == "M" else column.tolist()
    return column


def _pyarrow(table: Any) -> Any:
    try:
        pyarrow = import_module("pyarrow")
    except ImportError:
        raise ArgumentError(
            f"a {type(table).__name__} exports Arrow, but only pyarrow can filter it: install pyarrow, or pass another table"
        ) from None
    return pyarrow.table(table)


def _require_rows(source: object, argument: str) -> None:
    """Refuse what has no rows yet."""
    if type(source).__name__ == "LazyFrame":
        raise ArgumentError(f"{argument} is a LazyFrame: call collect(), or collect_batches() for a generator")


def _require_equal_lengths(table: Mapping[Any, Any]) -> None:
    lengths = {}
    for name, column in table.items():
        if isinstance(column, (str, bytes)) or not hasattr(column, "__len__"):
            raise ArgumentError(
                f"the column {name!r} is a {type(column).__name__}: pass a list or an array, one item a row"
            )
        lengths[name] = len(column)
    if len(set(lengths.values())) > 1:
        raise ArgumentError(f"the columns have different numbers of rows: {lengths}")


def _tables(source: Any, argument: str) -> Iterator[Any]:
    """Return the tables of what was passed: itself, its batches, or its items."""
    if isinstance(source, (str, bytes)) or hasattr(source, "__fspath__"):
        raise ArgumentError(
            f"{argument}={source!r}: open the files, such as with pyarrow.dataset.dataset({str(source)!r})"
        )
    _require_rows(source, argument)
    if isinstance(source, Mapping):
        return iter((source,))
    if hasattr(source, "iter_batches") and _library(source) == "pyarrow":  # a Parquet file
        return iter(source.iter_batches())
    if hasattr(source, "to_batches") and not hasattr(source, "columns"):  # a data set or a scanner
        return iter(source.to_batches())
    if _library(source) is not None and not isinstance(source, Iterator):
        return iter((source,))
    if hasattr(source, "__arrow_c_stream__") and not hasattr(source, "read_next_batch"):
        return iter((_pyarrow(source),))
    try:
        return iter(source)
    except TypeError:
        raise ArgumentError(
            f"{argument} is a {type(source).__name__}: pass a table, or an iterable of tables"
        ) from None
