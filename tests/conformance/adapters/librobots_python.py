"""The adapter for librobots in Python: all kinds of cases."""

import base64
from urllib.parse import unquote_to_bytes

import librobots
from librobots import Control, Crawler, Failure, Fetch, Origin, Reason, RobotsError, Step, Vocabulary

from wire import serve, value

FAILURES = {"dns": "DNS", "connect": "CONNECT", "tls": "TLS", "timeout": "TIMEOUT", "reset": "RESET", "truncated": "TRUNCATED",
            "other": "OTHER", "encodedbody": "ENCODED_BODY"}


def crawler(case):
    # Each has the type that the property of a crawler with its name has.
    options = {name: type(getattr(Crawler(), name))(number) for name, number in case.get("options", {}).items()}
    return Crawler(*map(base64.b64decode, case["agents_base64"]), dialect=case["dialect"], **options)


def said(verdict):
    if verdict.error is not None:
        return "error %s" % verdict.error
    if not verdict.allowed and verdict.reason in (Reason.DEFER, Reason.UNREACHABLE):
        return "defer %d" % verdict.line
    return "%s %d" % ("allow" if verdict.allowed else "deny", verdict.line)


def parse(case):
    return crawler(case).parse(case.bytes("robots"))


def delay(case):
    seconds = parse(case).crawl_delay
    return value("none" if seconds is None else "%.15g" % seconds)


def origin(case):
    try:
        return value(Origin(case.bytes("url")).robots_url)
    except RobotsError as error:
        return "error %s" % error


def governs(case):
    return value("yes" if Origin(case["robots_url"]).governs(case.bytes("url")) else "no")


def outcome(case):
    """Play the attempts, and return the last outcome and its time."""
    made, last = crawler(case), None
    for attempt in case["attempts"]:
        now = attempt["at"]
        fetch = Fetch(made, case["site"], now=now)
        if last is not None:
            fetch.set_previous(last)
        for response in attempt["responses"]:
            if "status" in response:
                fetch.status(response["status"], now=now)
                for name, field in response["headers"]:
                    fetch.header(unquote_to_bytes(name), unquote_to_bytes(field))
                if fetch.headers_end() == Step.BODY:
                    fetch.body(base64.b64decode(response["body_base64"]))
            if fetch.step != Step.DONE and "failure" in response:
                fetch.fail(Failure[FAILURES[response["failure"]]], now=now)
            elif fetch.step == Step.BODY:
                fetch.end()
        last = fetch.outcome
    return last, now


def page(case):
    controls = crawler(case).page_controls()
    for name, field in case["headers"]:
        controls.add_header(unquote_to_bytes(name), unquote_to_bytes(field))
    for name, field in case["metas"]:
        controls.add_meta(unquote_to_bytes(name), unquote_to_bytes(field))
    return controls


def preferences(case):
    shown = []
    for one in crawler(case).extensions(case.bytes("robots")).preferences(case.bytes("url")):
        vocabulary = "content-usage" if one.vocabulary == Vocabulary.CONTENT_USAGE else "content-signal"
        shown.append("%s:%s=%s" % (vocabulary, one.label, {"NO": "n", "YES": "y", "UNKNOWN": "?"}[one.choice.name]))
    return value(*shown)


def due(case):
    last, now = outcome(case)
    return value(str(last.retry_at - now))


serve("librobots-python", librobots.__version__, ("rfc9309", "google", "koster1996"), {
    "check": lambda case: said(parse(case).check(case.bytes("url"))),
    "crawl-delay": delay,
    "sitemaps": lambda case: value(*parse(case).sitemaps),
    "preferences": preferences,
    "origin": origin,
    "governs": governs,
    "fetch": lambda case: said(outcome(case)[0].check(case.bytes("url"), now=case["at"])).split()[0],
    "due": due,
    "page": lambda case: value(str(page(case).get(Control[case["control"].upper()]))),
    "page-usage": lambda case: value(page(case).usage_choice(case["control"]).name.lower()),
})
