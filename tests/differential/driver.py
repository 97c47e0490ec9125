"""The Python driver of the differential test; wire.rs documents its input and output."""

from __future__ import annotations

import pickle
import struct
import sys
from collections.abc import Callable, Iterable
from typing import Any

import pyarrow as pa

from librobots import Crawler, Dialect, Rules, TokenError, Verdicts

WORD, BATCH_VERDICT, ALLOWED = 0, 1, 2
NONE = (1 << 64) - 1
# ROBOTS_E_TOKEN, because a Python exception has no number.
TOKEN = 2
DIALECTS = tuple(Dialect)
DEFAULT = Crawler()

source, target = sys.stdin.buffer, sys.stdout.buffer


def read(length: int) -> bytes:
    """Return so many bytes of the question."""
    data = source.read(length)
    if len(data) < length:
        raise EOFError("the request ends early")
    return data


def number() -> int:
    """Read a number."""
    return int(struct.unpack("<I", read(4))[0])


def texts() -> list[bytes]:
    """Read a list of texts."""
    return [read(number()) for _ in range(number())]


def write_number(value: int) -> None:
    """Write a number."""
    target.write(struct.pack("<I", value))


def write_text(text: bytes) -> None:
    """Write a text."""
    write_number(len(text))
    target.write(text)


def options() -> dict[str, Any]:
    """Read the options: each has the type that the property of a crawler with its name has."""
    read_options: dict[str, Any] = {}
    for _ in range(number()):
        name = read(number()).decode()
        value = struct.unpack("<Q", read(8))[0]
        read_options[name] = DIALECTS[value] if name == "dialect" else type(getattr(DEFAULT, name))(value)
    return read_options


def crawler(settings: dict[str, Any], tokens: list[bytes]) -> Crawler:
    """Create the crawler of a question."""
    if not tokens:
        raise TokenError("no token")
    return Crawler(*([] if tokens == [b"*"] else tokens), **settings)


def ways(made: Crawler, body: bytes, rules: Rules, urls: list[bytes]) -> dict[tuple[str, int], Iterable[int]]:
    """Return the answers of each function, by its name and the kind of its answers."""
    strings = [url.decode("utf-8", "surrogateescape") for url in urls]
    again, unpickled = Rules.from_image(rules.image), pickle.loads(pickle.dumps(rules))

    def bits(check: Callable[[bytes], object]) -> Iterable[int]:
        return (check(url).bits for url in urls)  # type: ignore[attr-defined]

    def codes(verdicts: Verdicts) -> bytes:
        assert list(map(int, verdicts)) == [code & 1 for code in verdicts.codes]
        return verdicts.codes

    binary = pa.array(urls, pa.binary())
    order = sorted(range(len(urls)), key=urls.__getitem__)
    in_order = dict(zip(order, codes(rules.check_many(binary.take(pa.array(order, pa.int64()))))))
    return {
        ("Rules.check(bytes)", WORD): bits(rules.check),
        ("Rules.check(str)", WORD): (rules.check(string).bits for string in strings),
        ("Rules.check, from an image", WORD): bits(again.check),
        ("Rules.check, from a pickle", WORD): bits(unpickled.check),
        ("Crawler.check_once", WORD): bits(lambda url: made.check_once(body, url)),
        ("Rules.is_allowed(bytes)", ALLOWED): map(int, map(rules.is_allowed, urls)),
        ("Rules.is_allowed(str)", ALLOWED): map(int, map(rules.is_allowed, strings)),
        ("Rules.check_many(list of bytes)", BATCH_VERDICT): codes(rules.check_many(urls)),
        ("Rules.check_many(list of str)", BATCH_VERDICT): codes(rules.check_many(strings)),
        ("Rules.check_many(Arrow)", BATCH_VERDICT): codes(rules.check_many(binary)),
        ("Rules.check_many(Arrow, sorted)", BATCH_VERDICT): [in_order[at] for at in range(len(urls))],
        ("Rules.check_many(Arrow, large)", BATCH_VERDICT): codes(rules.check_many(binary.cast(pa.large_binary()))),
        ("Rules.check_many(Arrow, views)", BATCH_VERDICT): codes(rules.check_many(pa.array(urls, pa.binary_view()))),
    }


def respond() -> None:
    """Answer one question."""
    settings = options()
    tokens, body, urls = texts(), read(number()), texts()
    try:
        made = crawler(settings, tokens)
    except TokenError:
        write_number(TOKEN)
        return
    write_number(0)
    rules = made.parse(body)
    delay = rules.crawl_delay
    target.write(struct.pack("<Q", NONE) if delay is None else struct.pack("<d", delay))
    write_number(len(rules.sitemaps))
    for sitemap in rules.sitemaps:
        write_text(sitemap.encode("utf-8", "surrogateescape"))
    write_text(rules.image)
    all_ways = ways(made, body, rules, urls)
    write_number(len(all_ways))
    for (name, kind), numbers in all_ways.items():
        write_text(name.encode())
        write_number(kind)
        target.write(struct.pack(f"<{len(urls)}Q", *numbers))


def main() -> None:
    """Answer questions until the input ends."""
    while source.peek(1):
        respond()
        target.flush()


if __name__ == "__main__":
    main()
