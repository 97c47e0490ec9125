"""What the package does without any other package, on the oldest and the newest Python alike."""

from __future__ import annotations

import pickle
import sys
import threading
import urllib.error

import librobots
from librobots.protego import Protego
from librobots.robotparser import RobotFileParser

BODY = "User-agent: *\nDisallow: /private/\nDisallow: /caf\u00e9\n"

crawler = librobots.Crawler("ExampleBot", dialect=librobots.Dialect.RFC9309)
rules = crawler.parse(BODY)
assert rules.check("https://example.com/private/diary").line == 2
assert not rules.is_allowed("/caf\u00e9")
assert not rules.is_allowed("/caf\udcc3\udca9")
assert list(rules.check_many(["/", b"/private/", None, "x"] * 50)) == [True, False, False, False] * 50
assert rules.check_many([f"/private/{number}" for number in range(40_000)]).allowed_count == 0
assert pickle.loads(pickle.dumps(rules)) == rules
assert librobots.Crawler.preset("Googlebot-Image").tokens == ("Googlebot-Image", "Googlebot")
assert crawler.lint("user-agent: *\ndisalow: /\n").apply_fixes("user-agent: *\ndisalow: /\n").applied
assert crawler.explain(BODY, "/private/").winner.result == librobots.MatchResult.WON
assert not Protego.parse(BODY).can_fetch("/private/", "ExampleBot")
parser = RobotFileParser("http://127.0.0.1:9/robots.txt")
try:
    parser.read()
    raise AssertionError
except urllib.error.URLError:
    assert not parser.can_fetch("ExampleBot", "/")

cache = librobots.Cache(crawler)
results = []


def crawl() -> None:
    """Ask until the cache decides."""
    while True:
        decision = cache.check("https://example.com/private/")
        if decision.action == librobots.Action.DECIDED:
            results.append(bool(decision))
            return
        if decision.ticket is not None:
            decision.ticket.finish(crawler.outcome_from_status("https://example.com/", 200, BODY))


threads = [threading.Thread(target=crawl) for _ in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert results == [False] * 4
print("Python", sys.version.split()[0], "librobots", librobots.__version__)
