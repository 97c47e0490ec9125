"""The Python driver: README.md has the protocol."""
# ruff: noqa: D102, D103

from __future__ import annotations

import pickle
import re
import sys
from collections.abc import Callable, Iterable
from datetime import timedelta
from typing import Any
from urllib.parse import unquote_to_bytes

import pyarrow as pa

import librobots
from librobots import (
    Action,
    Cache,
    Control,
    Crawler,
    Failure,
    Fetch,
    FetchOption,
    Origin,
    Outcome,
    PageControls,
    Reason,
    RobotsError,
    Rules,
    StateError,
    Step,
    Ticket,
    TokenError,
    UrlError,
    Use,
    UseAnswer,
    Uses,
    Verdict,
    Verdicts,
)

Fields = list[tuple[str, bytes]]

DEFAULT = Crawler("*")
# ROBOTS_E_TOKEN and ROBOTS_E_URL, because a Python exception has no number.
TOKEN, URL = 2, 3
ERRORS = {"OutOfMemoryError": "memory", "InternalError": "panic", "ImageFormatError": "image_format"}
# Settings of a cache: what they are called here.
SETTINGS = {"default_delay_ms": "default_delay", "max_delay_ms": "max_delay", "horizon_ms": "horizon"}


def escaped(text: bytes | str) -> str:
    """Return text with each byte escaped that is not between `!` and `~`, or is `%`."""
    data = text.encode("utf-8", "surrogateescape") if isinstance(text, str) else text
    return re.sub(rb"[^!-$&-~]", lambda found: b"%%%02X" % found[0][0], data).decode()


def as_word(text: bytes | str) -> str:
    """Return a word of an answer: the empty one is `~`."""
    return {"": "~", "~": "~~"}.get(escaped(text), escaped(text))


def name(member: Any) -> str:
    """Return the word of a member of an enumeration."""
    return str(member.name).lower()


def error_name(error: BaseException) -> str:
    of = type(error).__name__
    return ERRORS.get(of, of.removesuffix("Error").lower())


class Question:
    """The fields of a question, in their order."""

    def __init__(self, fields: Fields) -> None:
        self.fields = fields

    def all(self, wanted: str) -> list[bytes]:
        return [value for field, value in self.fields if field == wanted]

    def __getitem__(self, wanted: str) -> bytes:
        return self.all(wanted)[0]

    def text(self, wanted: str) -> str:
        return self[wanted].decode()

    def settings(self, wanted: str) -> dict[str, int]:
        texts = (value.decode().split(":") for value in self.all(wanted))
        return {key: int(number) for key, number in texts}

    def crawler(self) -> Crawler:
        options: dict[str, Any] = {"fetch_options": {}}
        for key, number in self.settings("option").items():
            if key.upper() in FetchOption.__members__:
                options["fetch_options"][key] = number
            else:
                # Of the type that the property with its name has.
                options[key] = type(getattr(DEFAULT, key))(number)
        return Crawler(*self.all("agent"), dialect=self.text("dialect"), **options)

    def parse(self) -> Rules:
        return self.crawler().parse(self["robots"])

    def sides(self) -> list[Question]:
        """Return the fields of each crawler."""
        groups: list[Fields] = [[]]
        for field in self.fields:
            if field[0] == "next":
                groups.append([])
            groups[-1].append(field)
        return [Question(fields) for fields in groups]


def judged(verdict: Verdict) -> str:
    if verdict.error is not None:
        raise verdict.error
    if verdict.reason in (Reason.DEFER, Reason.UNREACHABLE):
        return "defer"
    return "allow" if verdict.allowed else "deny"


def verdict_words(verdict: Verdict) -> str:
    return f"{judged(verdict)} {name(verdict.reason)} {verdict.line}"


# --- rules


def ways(made: Crawler, body: bytes, rules: Rules, urls: list[bytes]) -> dict[tuple[str, str], Iterable[int]]:
    """Return the answers of each function, by its name and the kind of its answers."""
    strings = [url.decode("utf-8", "surrogateescape") for url in urls]
    again, unpickled = Rules.from_image(rules.image), pickle.loads(pickle.dumps(rules))

    def bits(check: Callable[[Any], Verdict]) -> Iterable[int]:
        return (check(url).bits for url in urls)

    def codes(verdicts: Verdicts) -> bytes:
        assert list(map(int, verdicts)) == [code & 1 for code in verdicts.codes]
        return verdicts.codes

    def explained(url: bytes) -> int:
        try:
            return made.explain(body, url).verdict.bits
        except UrlError:
            return URL << 16

    binary = pa.array(urls, pa.binary())
    order = sorted(range(len(urls)), key=urls.__getitem__)
    in_order = dict(zip(order, codes(rules.check_many(binary.take(pa.array(order, pa.int64()))))))
    return {
        ("Rules.check(bytes)", "word"): bits(rules.check),
        ("Rules.check(str)", "word"): (rules.check(string).bits for string in strings),
        ("Rules.check, from an image", "word"): bits(again.check),
        ("Rules.check, from a pickle", "word"): bits(unpickled.check),
        ("Crawler.check_once", "word"): bits(lambda url: made.check_once(body, url)),
        ("Crawler.explain", "word"): map(explained, urls),
        ("Rules.is_allowed(bytes)", "allowed"): map(int, map(rules.is_allowed, urls)),
        ("Rules.is_allowed(str)", "allowed"): map(int, map(rules.is_allowed, strings)),
        ("Rules.check_many(list of bytes)", "batch"): codes(rules.check_many(urls)),
        ("Rules.check_many(list of str)", "batch"): codes(rules.check_many(strings)),
        ("Rules.check_many(Arrow)", "batch"): codes(rules.check_many(binary)),
        ("Rules.check_many(Arrow, sorted)", "batch"): [in_order[at] for at in range(len(urls))],
        ("Rules.check_many(Arrow, large)", "batch"): codes(rules.check_many(binary.cast(pa.large_binary()))),
        ("Rules.check_many(Arrow, views)", "batch"): codes(rules.check_many(pa.array(urls, pa.binary_view()))),
    }


def rules(it: Question) -> str:
    """Return everything that the rules of a file say."""
    try:
        made = it.crawler()
    except TokenError:
        return f"status={TOKEN}"
    rules = made.parse(it["robots"])
    delay = "none" if rules.crawl_delay is None else repr(rules.crawl_delay)
    fields = ["status=0", f"delay={delay}"]
    fields += [f"sitemap={escaped(sitemap)}" for sitemap in rules.sitemaps]
    fields.append(f"image={escaped(rules.image)}")
    for (way, kind), answers in ways(made, it["robots"], rules, it.all("url")).items():
        numbers = ",".join(f"{number:x}" for number in answers)
        fields.append("way=" + escaped(f"{escaped(way)} {kind} {numbers}"))
    return "\t".join(fields)


def check(it: Question) -> str:
    verdict = it.parse().check(it["url"])
    return f"{judged(verdict)} {verdict.line}"


def crawl_delay(it: Question) -> str:
    seconds = it.parse().crawl_delay
    return "value none" if seconds is None else f"value {seconds:.15g}"


def values(all_of: Iterable[str]) -> str:
    return " ".join(["value", *map(escaped, all_of)])


# --- fetches


class Transfers:
    """A fetch whose transfers end by one event, as those of the C API do."""

    def __init__(self, fetch: Fetch) -> None:
        self.fetch, self.is_open = fetch, False

    def status(self, number: int, now: float) -> None:
        self.fetch.status(number, now=now)
        self.is_open = True

    def ftp(self, reply: int, now: float) -> None:
        self.fetch.ftp_reply(reply, now=now)
        self.is_open = True

    def body(self, piece: bytes) -> None:
        """Pass the body, if the fetch wants it."""
        self.headers_end()
        if self.fetch.step == Step.BODY:
            self.fetch.body(piece)

    def headers_end(self) -> None:
        if self.fetch.step == Step.HEADERS:
            self.fetch.headers_end()

    def end(self, failure: str, now: float) -> None:
        """End a transfer, well or by a failure. One that already led to a redirect or an outcome has said all."""
        if not (self.is_open and self.fetch.step in (Step.GET, Step.DONE)):
            if failure not in ("", "none"):
                self.fetch.fail(failure.replace("encodedbody", "encoded_body"), now=now)
            elif self.fetch.step == Step.HEADERS:
                self.fetch.fail(Failure.OTHER, now=now)
            else:
                self.fetch.end()
        self.is_open = False

    def words(self) -> str:
        if self.fetch.step != Step.GET:
            return name(self.fetch.step)
        headers = (text for pair in self.fetch.request_headers.items() for text in pair)
        return " ".join(map(as_word, ("get", self.fetch.url, *headers)))


def played(it: Question) -> tuple[Outcome, int]:
    """Play the attempts, and return the last outcome and the time of its attempt."""
    made, last, now = it.crawler(), None, 0
    for at, (field, value) in enumerate(it.fields):
        if field == "attempt":
            now = int(value)
            transfers = Transfers(Fetch(made, it["site"], now=now))
            if last is not None:
                transfers.fetch.set_previous(last)
        elif field == "status":
            transfers.status(int(value), now)
        elif field == "header":
            transfers.fetch.header(value, it.fields[at + 1][1])
        elif field == "body":
            transfers.body(value)
        elif field == "end":
            transfers.end(value.decode(), now)
            last = transfers.fetch.outcome or last
    if last is None:
        raise StateError("no outcome")
    return last, now


def outcome_words(outcome: Outcome) -> str:
    """Return the parts of an outcome."""
    since = outcome.unreachable_since
    words = [
        name(outcome.kind),
        name(outcome.cause),
        outcome.http_status,
        outcome.hops,
        int(outcome.downgraded),
        int(outcome.stale),
    ]
    words += [
        outcome.fetched_at,
        outcome.fresh_until,
        outcome.usable_until,
        outcome.retry_at,
        "-" if since is None else since,
    ]
    return " ".join(map(str, ["value", *words, as_word(outcome.final_url)]))


def due(it: Question) -> str:
    """Return how long after the last attempt the next one is due."""
    outcome, now = played(it)
    return f"value {outcome.retry_at - now}"


# --- pages


def page(it: Question) -> PageControls:
    controls = it.crawler().page_controls()
    for (field, name), (_, value) in zip(it.fields, it.fields[1:]):
        if field == "header":
            controls.add_header(name, value)
        elif field == "meta":
            controls.add_meta(name, value)
    return controls


def page_rule(it: Question) -> str:
    """Return a control and the rule that decides it."""
    controls, control = page(it), Control[it.text("control").upper()]
    value, rule = controls.get(control), controls.decided_by(control)
    until = controls.unavailable_after
    properties = {
        Control.INDEX: int(controls.may_index),
        Control.FOLLOW: int(controls.may_follow),
        Control.UNAVAILABLE_AFTER: -1 if until is None else until,
    }
    assert properties.get(control, value) == value
    if rule is None:
        return f"value {value} none 0 - - known"
    agent = escaped(rule.agent or "-")
    return f"value {value} {name(rule.source)} {rule.number} {escaped(rule.text)} {agent} {name(rule.zone)}"


def page_unknown(it: Question) -> str:
    rules = (f"{name(rule.source)} {rule.number} {escaped(rule.text)}" for rule in page(it).unknown)
    return " ".join(["value", *rules])


# --- uses


def use_question(it: Question) -> tuple[Uses, tuple[bytes, str, PageControls | None]]:
    """Return the uses, and what they are asked about."""
    robots, tdm_file = ((it.all(field) or [None])[0] for field in ("robots", "tdm"))
    asked = None if it.all("page") else page(it)
    return it.crawler().uses(it["site"], robots, tdm_file), (it["url"], it.text("purpose"), asked)


def use(it: Question) -> UseAnswer:
    uses, asked = use_question(it)
    answer = uses.use_for(*asked)
    assert bool(answer) == (answer.says == Use.ALLOWED)
    assert answer.terms == (answer.signals[0].text if answer.says == Use.LICENSED else None)
    return answer


def use_signals(it: Question) -> str:
    answer = use(it)
    words = [name(answer.says), str(int(answer.decided_by is not None))]
    assert answer.decided_by in (None, *answer.signals[:1])
    for one in answer.signals:
        words += [name(one.source), name(one.says), str(one.line), as_word(one.token), as_word(one.text)]
    return " ".join(["value", *words])


def use_receipt(it: Question) -> str:
    uses, asked = use_question(it)
    return values([uses.receipt(*asked, fetched_at=1_795_000_000)])


# --- scripts


class Stage:
    """A cache, the tickets that are not finished, the oldest first, and the fetch of a ticket."""

    def __init__(self, it: Question) -> None:
        self.crawlers = [side.crawler() for side in it.sides()]
        settings: dict[str, Any] = {}
        for key, number in it.settings("cache").items():
            if key in SETTINGS:
                settings[SETTINGS[key]] = timedelta(milliseconds=number)
            else:
                settings["ticket_ttl"] = number // 1000
        self.cache = Cache(self.crawlers, max_bytes=int(it["bytes"]), **settings)
        self.tickets: list[Ticket] = []
        self.transfers: Transfers | None = None

    def act(self, event: bytes) -> str:
        first, *words = event.decode().split(" ")
        texts = [unquote_to_bytes({"~": "", "~~": "~"}.get(word, word)) for word in words]
        try:
            return str(getattr(self, "on_" + first.replace("-", "_"))(*texts) or "ok")
        except RobotsError as error:
            return f"error {error_name(error)}"

    def decided(self, decision: librobots.CacheDecision) -> str:
        """Return a decision as words, and keep its ticket."""
        action = name(decision.action)
        if decision.ticket is not None:
            self.tickets.append(decision.ticket)
            action = "refresh" if decision.action == Action.DECIDED else action
        # A cache that waits for a robots.txt decides nothing yet.
        verdict = "defer defer 0" if decision.verdict is None else verdict_words(decision.verdict)
        return f"{action} {verdict} {'-' if decision.until is None else decision.until * 1000}"

    def on_check(self, crawler: bytes, url: bytes, at: bytes) -> str:
        return self.decided(self.cache.check(url, now=int(at) / 1000, crawler=int(crawler)))

    def on_request(self, crawler: bytes, url: bytes, slot: bytes, at: bytes) -> str:
        earliest = int(slot) / 1000 if int(slot) else None
        decision = self.cache.request(url, slot=earliest, now=int(at) / 1000, crawler=int(crawler))
        reserved = "-" if decision.request_at is None else round(decision.request_at * 1000)
        return (
            f"{self.decided(decision)} {reserved} {round(decision.crawl_delay * 1000)} {int(decision.crawl_delay_cut)}"
        )

    def on_outcome(self, url: bytes) -> str:
        outcome = self.cache.outcome(url)
        return "none" if outcome is None else outcome_words(outcome)

    def on_outcome_check(self, crawler: bytes, url: bytes, at: bytes) -> str:
        outcome = self.cache.outcome(url)
        if outcome is None:
            return "none"
        return verdict_words(outcome.check(url, now=int(at) / 1000, crawler=int(crawler)))

    def on_record_check(self, crawler: bytes, url: bytes, at: bytes) -> str:
        outcome = self.cache.outcome(url)
        if outcome is None:
            return "none"
        return verdict_words(Outcome.check_record(outcome.encode(), url, now=int(at) / 1000, crawler=int(crawler)))

    def current(self) -> Transfers:
        assert self.transfers is not None
        return self.transfers

    def on_start(self, at: bytes) -> str:
        self.transfers = Transfers(self.tickets[0].fetch(now=int(at) / 1000))
        return self.transfers.words()

    def on_status(self, number: bytes, at: bytes) -> str:
        self.current().status(int(number), int(at) / 1000)
        return self.current().words()

    def on_ftp(self, reply: bytes, at: bytes) -> str:
        self.current().ftp(int(reply), int(at) / 1000)
        return self.current().words()

    def on_header(self, header: bytes, value: bytes) -> str:
        self.current().fetch.header(header, value)
        return self.current().words()

    def on_body(self, piece: bytes) -> str:
        self.current().body(piece)
        return self.current().words()

    def on_end(self, failure: bytes, at: bytes) -> str:
        if failure == b"none":
            self.current().headers_end()
        self.current().end(failure.decode(), int(at) / 1000)
        return self.current().words()

    def on_finish(self, at: bytes) -> None:
        outcome = None if self.transfers is None else self.transfers.fetch.outcome
        if outcome is None:
            raise StateError("no outcome")
        self.tickets.pop(0).finish(outcome, now=int(at) / 1000)

    def on_answer(self, status: bytes, body: bytes, at: bytes) -> None:
        ticket, now = self.tickets.pop(0), int(at) / 1000
        ticket.finish(self.crawlers[0].outcome_from_status(f"{ticket.origin}/", int(status), body, now=now), now=now)

    def on_abandon(self) -> None:
        if not self.tickets:
            raise StateError("no ticket")
        self.tickets.pop(0).release()

    def on_retry_after(self, url: bytes, status: bytes, value: bytes, at: bytes) -> None:
        self.cache.retry_after(url, int(status), value, now=int(at) / 1000)

    def on_move(self, max_bytes: bytes) -> str:
        records = self.cache.export_records()
        self.cache = Cache(self.crawlers, max_bytes=int(max_bytes))
        for record in records:
            self.cache.import_record(record)
        return f"records {len(records)}"

    def on_counts(self) -> str:
        counts = self.cache.counts()
        return (
            f"sites {counts.sites} hits {counts.hits} stale {counts.stale_hits} fetches {counts.fetches} "
            f"waits {counts.waits} deferred {counts.deferred} evicted {counts.evicted}"
        )

    def on_remove(self, url: bytes) -> None:
        self.cache.remove(url)

    def on_clear(self) -> None:
        self.cache.clear()


def script(it: Question) -> str:
    stage = Stage(it)
    return "\t".join(map(stage.act, it.all("do")))


def difference(it: Question) -> str:
    rules, other = (side.parse() for side in it.sides())
    found = rules.difference(other)
    paths = (f" {escaped(it.path)} {' '.join(map(verdict_words, it.verdicts))}" for it in found.paths)
    return f"value {name(found.result)}{''.join(paths)}"


KINDS: dict[str, Callable[[Question], str]] = {
    "check": check,
    "rules": rules,
    "crawl-delay": crawl_delay,
    "sitemaps": lambda it: values(it.parse().sitemaps),
    "origin": lambda it: values([Origin(it["url"]).robots_url]),
    "governs": lambda it: "value yes" if Origin(it["robots_url"]).governs(it["url"]) else "value no",
    "fetch": lambda it: judged(played(it)[0].check(it["url"], now=int(it["at"]))),
    "due": due,
    "outcome": lambda it: outcome_words(played(it)[0]),
    "page": lambda it: f"value {page(it).get(Control[it.text('control').upper()])}",
    "page-rule": page_rule,
    "page-unknown": page_unknown,
    "use": lambda it: f"value {name(use(it).says)}",
    "use-signals": use_signals,
    "use-receipt": use_receipt,
    "script": script,
    "difference": difference,
}


def answer(line: str) -> str:
    pairs = (field.partition("=") for field in line.rstrip("\n").split("\t"))
    it = Question([(field, unquote_to_bytes(value)) for field, _, value in pairs])
    try:
        return KINDS[it.text("kind")](it)
    except RobotsError as error:
        return f"error {error_name(error)}"


def main() -> None:
    print("engine librobots-python", librobots.__version__, flush=True)
    for line in sys.stdin:
        print(answer(line), flush=True)


if __name__ == "__main__":
    main()
