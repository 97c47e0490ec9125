"""Adapters for robots.txt parsers that Python has, and for the C++ ones: python_peers.py NAME [LIBRARY VERSION]."""

import base64
import ctypes
import importlib.metadata
import platform
import sys

from wire import Unsupported, serve, value, word

BOTH, NOW = ("rfc9309", "google"), ("rfc9309",)


def delay(seconds):
    """Return the answer with a crawl-delay."""
    return value("none" if seconds is None else "%.15g" % seconds)


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
    """Return the URL: percent-encoded, as the matcher's documentation asks, or in `google` as it is, because that was recorded."""
    return case.text("url") if case["dialect"] == "google" else case["url_encoded"]


def cpp():
    """Google's matcher or its fork: ../../../benches/peers/shim.cc in a library."""
    library = ctypes.CDLL(sys.argv[2])
    sitemap = ctypes.CFUNCTYPE(None, ctypes.POINTER(ctypes.c_char), ctypes.c_size_t)

    def ask(case, url):
        agents, robots = [base64.b64decode(agent) for agent in case["agents_base64"]], case.bytes("robots")
        merged_agents(case)
        pointers, lengths = (ctypes.c_char_p * len(agents))(*agents), (ctypes.c_size_t * len(agents))(*map(len, agents))
        line, seconds = ctypes.c_int(), ctypes.c_double(-1)
        allowed = library.peer_check(robots, ctypes.c_size_t(len(robots)), pointers, lengths, ctypes.c_size_t(len(agents)),
                                     url, ctypes.c_size_t(len(url)), ctypes.byref(line), ctypes.byref(seconds))
        return allowed, line.value, None if seconds.value < 0 else seconds.value

    def check(case):
        allowed, line, _ = ask(case, case.bytes("url") if case["dialect"] == "google" else given(case).encode())
        return "error no product token" if allowed < 0 else word(allowed, line)

    def sitemaps(case):
        found, robots = [], case.bytes("robots")
        library.peer_each_sitemap(robots, ctypes.c_size_t(len(robots)), sitemap(lambda text, size: found.append(text[:size])))
        return value(*found)

    kinds = {"check": check, "sitemaps": sitemaps}
    if sys.argv[1] == "nzrsky/robotstxt":  # It knows three content signals, for no URL: `preferences` asks for more.
        kinds["crawl-delay"] = lambda case: delay(ask(case, b"/")[2])
    return BOTH, kinds


def gpyrobotstxt():
    from gpyrobotstxt.robots_cc import RobotsMatcher

    def check(case):
        return word(RobotsMatcher().allowed_by_robots(case.bytes("robots"), merged_agents(case), given(case)))

    return BOTH, {"check": check}


def jwm():
    from jwm.robotstxt.googlebot import RobotsMatcher

    def check(case):
        matcher = RobotsMatcher()
        allowed = matcher.AllowedByRobots(case.bytes("robots"), merged_agents(case), given(case))
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
    "google/robotstxt": (cpp, None),
    "nzrsky/robotstxt": (cpp, None),
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
    if len(sys.argv) > 2:
        version = sys.argv[3]
    else:
        version = importlib.metadata.version(package) if package else "of Python " + platform.python_version()
    serve(sys.argv[1], version, *make())
