"""Runs the tests of other parsers with the modules of librobots that have their names.

Usage: run.py FOLDER

Protego's and Scrapy's tests come from their source distributions, which pip downloads to FOLDER; those of urllib.robotparser
from the standard library. They must fail exactly as expected-failures.txt says.
"""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
import tarfile
import unittest
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from xml.etree import ElementTree

HERE = Path(__file__).parent
WORK = Path(sys.argv[1]).resolve()

PROTEGO = """
import sys, types
import librobots.protego
# The tests of these private functions are left out.
private = types.ModuleType("protego._utils")
for name in ("_parse_time_period", "_quote_path", "_quote_pattern"):
    setattr(private, name, None)
sys.modules.update({"protego": librobots.protego, "protego._utils": private})
"""

SCRAPY = """
from librobots.scrapy import RobotParser
from tests.test_downloadermiddleware_robotstxt import TestRobotsTxtMiddleware as _Middleware
from tests.test_robotstxt_interface import BaseRobotParserTest


class TestLibrobots(BaseRobotParserTest):
    def setup_method(self):
        super()._setUp(RobotParser)


class TestLibrobotsMiddleware(_Middleware):
    def setup_method(self):
        super().setup_method()
        self.crawler.settings.set("ROBOTSTXT_PARSER", "librobots.scrapy.RobotParser")
"""


def expected(suite: str) -> dict[str, str]:
    """Return the names of the tests of a suite that fail, with the reasons."""
    lines = (HERE / "expected-failures.txt").read_text().splitlines()
    rows = (re.match(r"(\S+) (\S+) (.+)", line) for line in lines if line and not line.startswith("#"))
    return {row[2]: row[3] for row in rows if row and row[1] == suite}


def source(package: str) -> Path:
    """Return the folder of the source distribution of an installed package."""
    release = version(package)
    folder = WORK / f"{package}-{release}"
    if not folder.exists():
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", package, "--dest", WORK]
        subprocess.run([*pip, f"{package}=={release}"], check=True)
        with tarfile.open(WORK / f"{package}-{release}.tar.gz") as archive:
            archive.extractall(WORK, **({"filter": "data"} if hasattr(tarfile, "data_filter") else {}))
    return folder


def pytest(folder: Path, *arguments: str) -> tuple[set[str], set[str], str]:
    """Run pytest. Return the names of the tests that passed, of those that failed, and the output."""
    report = folder / "report.xml"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--junitxml={report}", *arguments]
    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    passed, failed = set(), set()
    for case in ElementTree.parse(report).iter("testcase"):
        name = f"{case.get('classname', '').split('.')[-1]}.{case.get('name')}"
        bad = case.find("failure") is not None or case.find("error") is not None
        if case.find("skipped") is None:
            (failed if bad else passed).add(name.replace(" ", "_"))
    return passed, failed, ran.stdout


def protego() -> tuple[set[str], set[str], str]:
    """Run protego's tests of its class; test_unquote.py tests private functions alone."""
    folder = source("protego") / "tests"
    (folder / "conftest.py").write_text(PROTEGO)
    (folder / "pytest.ini").write_text("[pytest]\n")
    names = ("test_protego.py", "test_on_google_spec.py")
    return pytest(folder, *names, "-k", "not test_quoting and not test_parse_time_period")


def scrapy() -> tuple[set[str], set[str], str]:
    """Run Scrapy's tests of its parsers, and of the middleware that asks them."""
    folder = source("scrapy")
    (folder / "conftest.py").write_text("")
    (folder / "pytest.ini").write_text("[pytest]\nasyncio_mode = strict\n")
    (folder / "test_librobots.py").write_text(SCRAPY)
    return pytest(folder, "test_librobots.py")


def robotparser() -> tuple[set[str], set[str], str]:
    """Run the tests of the standard library, without those that need the Internet."""
    import urllib.robotparser

    import librobots.robotparser

    if find_spec("test.test_robotparser") is None:
        print("SKIP the standard library comes without its tests: install libpython3-testsuite (Debian)")
        return set(), set(expected("robotparser")), ""
    from test import support, test_robotparser  # type: ignore[attr-defined]

    support.use_resources = []
    urllib.robotparser.RobotFileParser = librobots.robotparser.RobotFileParser  # type: ignore[assignment,misc]
    urllib.robotparser.RequestRate = librobots.robotparser.RequestRate  # type: ignore[assignment,misc]
    tests = unittest.defaultTestLoader.loadTestsFromModule(test_robotparser)
    output = io.StringIO()
    result = unittest.TextTestRunner(output, verbosity=2).run(tests)

    def name(test: object) -> str:
        owner = getattr(test, "test_case", test)  # a failed subtest names its test
        return ".".join(owner.id().split(".")[-2:])

    failed = {name(test) for test, _ in result.failures + result.errors}
    lines = re.findall(
        r"^(\w+) \((?:test\.)?test_robotparser\.(\w+)[^\n]*? \.\.\. ok$", output.getvalue(), re.MULTILINE
    )
    return {f"{owner}.{test}" for test, owner in lines} - failed, failed, output.getvalue()


def main() -> int:
    """Run the suites; return 1 if one fails in another way than expected."""
    WORK.mkdir(parents=True, exist_ok=True)
    os.environ.pop("PYTEST_ADDOPTS", None)
    bad = 0
    for suite in (protego, scrapy, robotparser):
        passed, failed, output = suite()
        name, wanted = suite.__name__, expected(suite.__name__)
        if failed == set(wanted) and (passed or not output):
            print(f"python-{name}: {len(passed)} passed, 0 failed")
            print(f"python-{name}: {len(failed)} tests fail as expected-failures.txt says")
            continue
        bad = 1
        print(output)
        for test in sorted(failed - set(wanted)):
            print(f"FAIL {name} {test}")
        for test in sorted(set(wanted) - failed):
            print(f"FAIL {name} {test} does not fail, or is gone")
    return bad


if __name__ == "__main__":
    sys.exit(main())
