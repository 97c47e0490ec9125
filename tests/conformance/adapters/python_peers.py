"""Adapters for robots.txt parsers that Python has: python_peers.py NAME."""

import importlib.metadata
import platform
import sys

from wire import Unsupported, serve, value, word

BOTH, NOW = ("rfc9309", "google"), ("rfc9309",)


def delay(seconds):
    """Return the answer with a crawl-delay."""
    return value("none" if seconds is None else "%g" % seconds)


def protego():
    from protego import Protego

    return NOW, {
        "check": lambda case: word(Protego.parse(case.text("robots")).can_fetch(case.absolute(), case.agent())),
        "crawl-delay": lambda case: delay(Protego.parse(case.text("robots")).crawl_delay(case.agent())),
        "sitemaps": lambda case: value(*Protego.parse(case.text("robots")).sitemaps),
    }


def robotparser():
    from urllib.robotparser import RobotFileParser

    def parse(case):
        rules = RobotFileParser("https://example.com/robots.txt")
        rules.parse(case.text("robots").splitlines())  # as its read() does
        return rules

    return ("rfc9309", "koster1996"), {
        "check": lambda case: word(parse(case).can_fetch(case.agent(), case.absolute())),
        "crawl-delay": lambda case: delay(parse(case).crawl_delay(case.agent())),
        "sitemaps": lambda case: value(*parse(case).site_maps() or ()),
    }


def robotexclusionrulesparser():
    import robotexclusionrulesparser as engine

    syntax = {"rfc9309": engine.GYM2008, "koster1996": engine.MK1996}

    def parse(case):
        rules = engine.RobotExclusionRulesParser()
        rules.parse(case.bytes("robots") if case["robots"] is None else case["robots"])
        return rules

    return tuple(syntax), {
        "check": lambda case: word(parse(case).is_allowed(case.agent(), case.absolute(), syntax[case["dialect"]])),
        "crawl-delay": lambda case: delay(parse(case).get_crawl_delay(case.agent())),
        "sitemaps": lambda case: value(*parse(case).sitemaps),
    }


def robotspy():
    from robots import RobotsParser

    def parse(case):
        return RobotsParser.from_string(case.text("robots"))

    return NOW, {
        "check": lambda case: word(parse(case).can_fetch(case.agent(), case.absolute())),
        "sitemaps": lambda case: value(*parse(case).sitemaps or ()),
    }


def merged_agents(case):
    """Return the agents, for Google's matcher and its ports: they merge the groups of several."""
    if case.get("options", {"merge_tokens": 1}) != {"merge_tokens": 1} or ("options" in case) != (len(case["agents"]) > 1):
        raise Unsupported("options")
    return case["agents"]


def given(case):
    """Return the URL: with a host, or in `google` as it is, because that is what was recorded."""
    return case.text("url") if case["dialect"] == "google" else case.absolute()


def gpyrobotstxt():
    from gpyrobotstxt.robots_cc import RobotsMatcher

    def check(case):
        return word(RobotsMatcher().allowed_by_robots(case.bytes("robots"), merged_agents(case), given(case)))

    return BOTH, {"check": check}


def jwm():
    from jwm.robotstxt.googlebot import RobotsMatcher

    def check(case):
        matcher, url = RobotsMatcher(), case.bytes("url") if case["url"] is None else given(case)
        allowed = matcher.AllowedByRobots(case.bytes("robots"), merged_agents(case), url)
        return word(allowed, matcher.matching_line())

    return BOTH, {"check": check}


def fast():
    from robotstxt import RobotsMatcher

    def check(case):
        matcher = RobotsMatcher()
        allowed = matcher.is_allowed(case.text("robots"), case.agent(), given(case))
        return word(allowed, matcher.matching_line)

    def crawl_delay(case):
        matcher = RobotsMatcher()
        matcher.is_allowed(case.text("robots"), case.agent(), "/")
        return delay(matcher.crawl_delay)

    return BOTH, {"check": check, "crawl-delay": crawl_delay}


def reppy2():
    from reppy.parser import Rules

    def parse(case):
        return Rules("https://example.com/robots.txt", 200, case.text("robots"), 0)

    return NOW, {
        "check": lambda case: word(parse(case).allowed(case.absolute(), case.agent())),
        "crawl-delay": lambda case: delay(parse(case).delay(case.agent())),
        "sitemaps": lambda case: value(*parse(case).sitemaps),
    }


def chrisevans():
    from robotstxt.processor import RobotsFile

    def check(case):
        return word(not RobotsFile(case.text("robots")).test_url(case.absolute(), case.agent())["disallowed"])

    return NOW, {"check": check}


# Name: function, and the package whose version is said.
ENGINES = {
    "protego": (protego, "protego"),
    "urllib.robotparser": (robotparser, None),
    "robotexclusionrulesparser": (robotexclusionrulesparser, "robotexclusionrulesparser"),
    "robotspy": (robotspy, "robotspy"),
    "gpyrobotstxt": (gpyrobotstxt, "gpyrobotstxt"),
    "jwm.robotstxt": (jwm, "jwm.robotstxt"),
    "fast-robotstxt": (fast, "fast-robotstxt"),
    "reppy2": (reppy2, "reppy2"),
    "robotstxt.py": (chrisevans, "robotstxt"),
}

if __name__ == "__main__":
    make, package = ENGINES[sys.argv[1]]
    version = importlib.metadata.version(package) if package else "of Python " + platform.python_version()
    serve(sys.argv[1], version, *make())
