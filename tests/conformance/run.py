#!/usr/bin/env python3
"""Runs the robots.txt conformance suite against adapters: run.py [OPTIONS] [NAME=]COMMAND...

An adapter is a program that reads a case per line and answers with a line; README.md describes both. A COMMAND that begins
with "fields:" reads the simple form of a case instead of JSON. Needs Python 3.8, and nothing else.
"""

import argparse
import base64
import collections
import datetime
import json
import os
import pathlib
import queue
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
from xml.sax.saxutils import escape, quoteattr

HERE = pathlib.Path(__file__).resolve().parent
# A release has the cases beside this file; in the repository of librobots `make conformance-cases` writes them.
CASES = HERE if any(HERE.glob("*.jsonl")) else pathlib.Path(os.environ.get("CONFORMANCE", str(HERE.parent.parent / "target" / "conformance"))) / "cases"
CHAPTERS = ("rfc9309", "encodings", "groups", "limits", "lines", "google", "koster1996", "fetch", "origins", "page-controls",
            "uses", "hostile")
BYTES = ("robots", "tdm", "url")
START, REPLY, LIMIT = 30.0, 10.0, 200  # seconds until the first line, seconds for an answer, restarts
PATIENCE = 5  # as many times these seconds are waited for, while the adapter has had no processor for them


def expand(value):
    """Return the bytes of a text, of {"base64"}, of {"repeat", "of"}, or of a list of these."""
    if isinstance(value, str):
        return value.encode("utf-8")
    if isinstance(value, list):
        return b"".join(map(expand, value))
    if "repeat" in value:
        return expand(value["of"]) * value["repeat"]
    return base64.b64decode(value["base64"], validate=True)


def percent(data):
    """Return bytes with each escaped that is not between "!" and "~", or is "%"."""
    return "".join(chr(byte) if 0x21 <= byte <= 0x7E and byte != 0x25 else "%%%02X" % byte for byte in data)


def encoded(url):
    """Return a URL with a host and percent-encoded as RFC 3986 writes it: what it has of that already stays."""
    url = b"https://example.com" + url if url.startswith(b"/") else url
    return re.sub(rb"%(?![0-9A-Fa-f]{2})|[^!#-;=?-Z\[\]_a-z~]", lambda found: b"%%%02X" % found[0][0], url).decode("ascii")


def attempts(case):
    """Return the attempts of a case one by one."""
    for attempt in case.get("attempts", ()):
        for turn in range(attempt.get("times", 1)):
            yield attempt["at"] + turn * attempt.get("every", 0), attempt["responses"]


def as_json(case):
    """Return a case as the line that an adapter reads: bytes are text, and always base64 as well."""
    question = {name: value for name, value in case.items() if name not in ("expect", "why", "source", "level", "spec", "limit")}

    def put(into, name, value):
        data = expand(value)
        into[name + "_base64"] = base64.b64encode(data).decode("ascii")
        try:
            into[name] = data.decode("utf-8")
        except UnicodeDecodeError:
            into[name] = None

    def response(source):
        made = {name: value for name, value in source.items() if name != "body"}
        if "body" in source:
            put(made, "body", source["body"])
        made["headers"] = pairs(source.get("headers", ()))
        return made

    def pairs(source):
        return [[percent(expand(one)) for one in pair] for pair in source]

    for name in BYTES:
        if name in case:
            put(question, name, case[name])
    if "url" in case:
        question["url_encoded"] = encoded(expand(case["url"]))
    if "agents" in case:
        agents = [expand(agent) for agent in case["agents"]]
        question["agents"] = [agent.decode("utf-8", "replace") for agent in agents]
        question["agents_base64"] = [base64.b64encode(agent).decode("ascii") for agent in agents]
    if "attempts" in case:
        question["attempts"] = [{"at": at, "responses": list(map(response, responses))} for at, responses in attempts(case)]
    for name in ("headers", "metas"):
        if name in case:
            question[name] = pairs(case[name])
    return json.dumps(question)


def as_fields(case):
    """Return a case as NAME=VALUE with tabs between, in the order in which an adapter needs them."""
    fields = [("id", case["id"].encode()), ("kind", case["kind"].encode()), ("dialect", case["dialect"].encode())]
    fields += [("option", ("%s:%d" % option).encode()) for option in case.get("options", {}).items()]
    fields += [("agent", expand(agent)) for agent in case.get("agents", ())]
    for name in ("robots", "tdm", "robots_url", "site", "control"):
        if name in case:
            fields.append((name, expand(case[name])))

    def add_pairs(name, source):
        for first, second in source:
            fields.append((name, expand(first)))
            fields.append(("value", expand(second)))

    for at, responses in attempts(case):
        fields.append(("attempt", str(at).encode()))
        for response in responses:
            if "status" in response:
                fields.append(("status", str(response["status"]).encode()))
                add_pairs("header", response.get("headers", ()))
                fields.append(("body", expand(response.get("body", ""))))
            fields.append(("end", response.get("failure", "").encode()))
    add_pairs("header", case.get("headers", ()))
    add_pairs("meta", case.get("metas", ()))
    for name in ("at", "page"):
        if name in case:
            fields.append((name, str(case[name]).encode()))
    if "url" in case:
        fields += [("url", expand(case["url"])), ("url_encoded", encoded(expand(case["url"])).encode())]
    if "purpose" in case:
        fields.append(("purpose", case["purpose"].encode()))
    return "\t".join("%s=%s" % (name, percent(value)) for name, value in fields)


def processor_time(process):
    """Return the seconds for which a process had a processor; where the system has no /proc, those of the clock."""
    try:
        stat = pathlib.Path("/proc/%d/stat" % process).read_text().rpartition(")")[2].split()
        return (int(stat[11]) + int(stat[12])) / os.sysconf("SC_CLK_TCK")
    except OSError:
        return time.monotonic()


class Adapter:
    """An adapter that is started when it is needed, and again when it has crashed or hung."""

    def __init__(self, command, reply):
        self.in_fields = command.startswith("fields:")
        self.command = shlex.split(command[7:] if self.in_fields else command)
        self.reply, self.process, self.restarts, self.engine = reply, None, 0, None

    def start(self):
        """Start the program and read what engine it is. Return an error, or None."""
        try:
            self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                            start_new_session=os.name == "posix")
        except OSError as error:
            return "does not start: %s" % error
        self.lines, self.questions = queue.Queue(), queue.Queue()
        threading.Thread(target=self.read, args=(self.process.stdout, self.lines), daemon=True).start()
        threading.Thread(target=self.write, args=(self.process.stdin, self.questions), daemon=True).start()
        first, problem = self.line(START)
        words = (first or "").split(None, 2)
        if problem is None and (len(words) < 2 or words[0] != "engine"):
            problem = "its first line is not `engine NAME VERSION`: %r" % first
        if problem is None:
            self.engine = (words[1], words[2] if len(words) > 2 else "")
        else:
            self.stop()
        return problem

    @staticmethod
    def read(source, lines):
        for line in source:
            lines.put(line.decode("utf-8", "replace").rstrip("\r\n"))
        lines.put(None)

    @staticmethod
    def write(target, questions):
        """Write in a thread: an adapter that does not read must not stop the runner."""
        try:
            for question in iter(questions.get, None):
                target.write(question.encode("utf-8") + b"\n")
                target.flush()
            target.close()
        except OSError:
            pass

    def line(self, seconds):
        """Return the next line and None, or None and what went wrong. On a busy machine it waits longer: see processor_time."""
        before = processor_time(self.process.pid)
        for _ in range(PATIENCE):
            try:
                line = self.lines.get(timeout=seconds)
                return (line, None) if line is not None else (None, "crash")
            except queue.Empty:
                if processor_time(self.process.pid) - before >= 0.8 * seconds:
                    break
        return None, "hang"

    def ask(self, case):
        """Return the answer to a case; `crash` and `hang` are answers, too."""
        if self.process is None:
            if self.restarts > LIMIT:
                return "crash not asked: it was restarted %d times" % LIMIT
            problem = self.start()
            if problem:
                self.restarts = LIMIT + 1
                return "crash " + problem
        limit = case.get("limit", {}).get("seconds", self.reply)
        self.questions.put(as_fields(case) if self.in_fields else as_json(case))
        answer, problem = self.line(limit)
        if problem is None:
            return answer
        self.stop()
        self.restarts += 1
        return problem + (" after %g s" % limit if problem == "hang" else "")

    def stop(self):
        """End the program, with all that it started."""
        if self.process is None:
            return
        self.questions.put(None)
        try:
            self.process.wait(0.5)
        except subprocess.TimeoutExpired:
            if os.name == "posix":
                os.killpg(self.process.pid, signal.SIGKILL)
            else:
                self.process.kill()
            self.process.wait()
        self.process = None


def judge(case, answer, lines=False):
    """Return `passed`, `failed` or `unsupported`, and what was expected. Lines count in `google`, or everywhere."""
    expect = case["expect"]
    words = answer.split()
    word = words[0] if words else ""
    if word == "unsupported":
        return "unsupported", ""
    wanted = expect["answer"]
    if wanted == "value":
        values = expect["values"] if "values" in expect else [expect["value"]]
        texts = [percent(expand(value)) for value in values]
        wanted = " ".join(["value"] + texts)
        return ("passed" if words == wanted.split() else "failed"), wanted
    # An outage is no ban, but an adapter that knows only one word for both forbids as well.
    is_right = word == wanted or (wanted == "defer" and word == "deny")
    line = expect.get("line")
    if line is not None and (lines or case["dialect"] == "google"):
        wanted += " %d" % line
        if len(words) > 1 and words[1] != "-":
            is_right = is_right and words[1] == str(line)
    most = case.get("limit", {}).get("steps")
    if most is not None and len(words) > 2:
        is_right = is_right and int(words[2]) <= most
    return ("passed" if is_right else "failed"), wanted


def read_cases(folder, chapters, pattern):
    """Return the cases by chapter."""
    cases = collections.OrderedDict()
    for chapter in chapters:
        with open(str(folder / (chapter + ".jsonl")), encoding="utf-8") as lines:
            cases[chapter] = [case for case in map(json.loads, lines) if pattern in case["id"]]
    return cases


def run(name, command, cases, reply, lines=False):
    """Run all cases on one adapter and return the report."""
    adapter = Adapter(command, reply)
    report = {"adapter": name, "engine": name, "version": "", "date": datetime.date.today().isoformat(), "chapters": {},
              "differences": [], "crashes": 0, "hangs": 0}
    problem = adapter.start()
    if problem:
        report["problem"] = problem
        return report
    report["engine"], report["version"] = adapter.engine
    for chapter, of_chapter in cases.items():
        count = collections.Counter()
        for case in of_chapter:
            answer = adapter.ask(case)
            result, wanted = judge(case, answer, lines)
            count["cases"] += 1
            count[result] += 1
            if result != "unsupported":
                count["applicable_" + case["level"]] += 1
                count["passed_" + case["level"]] += result == "passed"
            report["crashes"] += answer.startswith("crash")
            report["hangs"] += answer.startswith("hang")
            if result == "failed":
                report["differences"].append({"id": case["id"], "chapter": chapter, "level": case["level"], "dialect": case["dialect"],
                                              "expected": wanted, "answered": answer, "why": case["why"], "source": case["source"]})
        report["chapters"][chapter] = dict(count)
    adapter.stop()
    return report


def cell(count):
    """Return `passed/applicable` of what the sources ask for, and of our readings: `12/13 + 4/9`."""
    passed = count.get("passed_must", 0) + count.get("passed_should", 0)
    applicable = count.get("applicable_must", 0) + count.get("applicable_should", 0)
    readings = count.get("applicable_reading", 0)
    if not applicable and not readings:
        return "-"
    text = "%d/%d" % (passed, applicable) if applicable else ""
    if readings:
        text += (" + " if text else "+ ") + "%d/%d" % (count.get("passed_reading", 0), readings)
    return text


def table(reports, chapters):
    """Return the table of engine and chapter, as lines of Markdown."""
    lines = ["| engine | " + " | ".join(chapters) + " | crashes, hangs |", "|---" * (len(chapters) + 2) + "|"]
    for report in reports:
        title = ("%s %s" % (report["engine"], report["version"])).strip()
        if "problem" in report:
            lines.append("| %s | not run: %s |" % (title, report["problem"]) + " |" * len(chapters))
            continue
        cells = [cell(report["chapters"].get(chapter, {})) for chapter in chapters]
        lines.append("| %s | %s | %d, %d |" % (title, " | ".join(cells), report["crashes"], report["hangs"]))
    return lines


def junit(reports):
    """Return the reports as JUnit's XML."""
    out = ['<?xml version="1.0" encoding="UTF-8"?>', "<testsuites>"]
    for report in reports:
        failed = len(report["differences"]) + ("problem" in report)
        total = sum(count["cases"] for count in report["chapters"].values()) or failed
        skipped = sum(count.get("unsupported", 0) for count in report["chapters"].values())
        out.append('<testsuite name=%s tests="%d" failures="%d" skipped="%d">' % (quoteattr(report["adapter"]), total, failed, skipped))
        if "problem" in report:
            out.append('<testcase name="start"><failure>%s</failure></testcase>' % escape(report["problem"]))
        for one in report["differences"]:
            text = "expected %(expected)s, answered %(answered)s: %(why)s (%(level)s, %(source)s)" % one
            out.append("<testcase classname=%s name=%s><failure>%s</failure></testcase>"
                       % (quoteattr(one["chapter"]), quoteattr(one["id"]), escape(text)))
        passed = sum(count.get("passed", 0) for count in report["chapters"].values())
        out.append("<system-out>%d passed</system-out></testsuite>" % passed)
    return "\n".join(out + ["</testsuites>", ""])


SELF_TEST = '''
import sys, time
print("engine self-test 1", flush=True)
for number, line in enumerate(sys.stdin):
    if number % 7 == 3:
        sys.exit(1)
    if number % 7 == 5:
        time.sleep(60)
    print(["allow", "deny 2", "unsupported", "nonsense"][number % 4], flush=True)
'''


def self_test():
    """Check the runner: crashes, hangs, answers, and both forms of a case."""
    bad = {"id": "x", "kind": "check", "dialect": "rfc9309", "level": "must", "why": "w", "source": "s", "agents": ["a"],
           "robots": [{"repeat": 3, "of": "a\n"}, {"base64": "/w=="}], "url": "/%", "expect": {"answer": "deny", "line": 2}}
    assert expand(bad["robots"]) == b"a\na\na\n\xff"
    assert json.loads(as_json(bad))["robots"] is None
    assert as_fields(bad).endswith("agent=a\trobots=a%0Aa%0Aa%0A%FF\turl=/%25\turl_encoded=https://example.com/%2525")
    assert encoded(b"/a b%2g%2f\xff\\{x}[~]?\"#") == "https://example.com/a%20b%252g%2f%FF%5C%7Bx%7D[~]?%22#"
    for answer, result in (("deny 2", "passed"), ("deny", "passed"), ("deny -", "passed"), ("deny 3", "failed"), ("allow", "failed"),
                           ("", "failed"), ("unsupported x", "unsupported"), ("hang after 1 s", "failed")):
        assert judge(bad, answer, True)[0] == result, answer
    assert judge(bad, "deny 3")[0] == "passed" and judge(dict(bad, dialect="google"), "deny 3")[0] == "failed"
    assert judge(dict(bad, expect={"answer": "defer"}), "deny")[0] == "passed"
    assert judge(dict(bad, expect={"answer": "deny"}), "defer")[0] == "failed"
    assert judge(dict(bad, expect={"answer": "value", "values": ["a b", "c"]}), "value a%20b c")[0] == "passed"
    times = {"attempts": [{"at": 5, "every": 2, "times": 3, "responses": []}]}
    assert [at for at, _ in attempts(times)] == [5, 7, 9]
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "adapter.py"
        path.write_text(SELF_TEST)
        command = " ".join(map(shlex.quote, (sys.executable, str(path))))
        report = run("self", command, {"one": [bad] * 8}, 0.5)
        # Started anew after its 4th question, and after that again.
        expected = {"cases": 8, "failed": 4, "passed": 2, "unsupported": 2, "applicable_must": 6, "passed_must": 2}
        assert report["chapters"]["one"] == expected, report
        assert (report["crashes"], report["hangs"], report["version"]) == (2, 0, "1"), report
        path.write_text(SELF_TEST.replace("== 3", "== 8"))
        assert run("self", command, {"one": [bad] * 6}, 0.5)["hangs"] == 1
        path.write_text("import time; print('engine slow', flush=True); time.sleep(60)")
        assert run("self", command, {"one": [dict(bad, url={"repeat": 9999999, "of": "a"})]}, 0.3)["hangs"] == 1
        path.write_text("print('hello')")
        assert "first line" in run("self", command, {"one": [bad]}, 0.5)["problem"]
    assert "does not start" in run("none", "/no/such/program", {"one": [bad]}, 1)["problem"]
    assert "<failure>" in junit([report]) and table([report], ["one"])[2].startswith("| self-test 1 | 2/6 |")
    print("run.py: 1 passed, 0 failed")


def main():
    """Parse the command line, run, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("adapters", nargs="*", metavar="[NAME=]COMMAND")
    parser.add_argument("--chapters", default=",".join(CHAPTERS), help="some chapters, with commas between")
    parser.add_argument("--case", default="", help="only cases whose id has this text")
    parser.add_argument("--seconds", type=float, default=REPLY, help="for an answer (default: %(default)g)")
    parser.add_argument("--level", choices=("none", "must", "should", "reading"), default="must",
                        help="fail on differences of this level and of stronger ones; none: only if an adapter does not run (default: %(default)s)")
    parser.add_argument("--lines", action="store_true", help="compare the lines of rules in every dialect, not in google alone")
    parser.add_argument("--json", metavar="FILE", help="write all results")
    parser.add_argument("--junit", metavar="FILE", help="write JUnit's XML")
    parser.add_argument("--markdown", metavar="FILE", help="write the table")
    parser.add_argument("--quiet", action="store_true", help="no differences, only the table")
    parser.add_argument("--self-test", action="store_true", help="check this program")
    options = parser.parse_args()
    if options.self_test:
        return self_test()
    if not options.adapters:
        parser.error("name an adapter, as: run.py 'python3 my_adapter.py'")
    chapters = options.chapters.split(",")
    unknown = sorted(set(chapters) - set(CHAPTERS))
    if unknown:
        parser.error("no chapter %s; there are: %s" % (", ".join(unknown), ",".join(CHAPTERS)))
    if not CASES.is_dir():
        parser.error("no cases in %s: `make conformance-cases` writes them" % CASES)
    cases = read_cases(CASES, chapters, options.case)
    reports = []
    for adapter in options.adapters:
        name, equals, command = adapter.partition("=")
        if not equals or " " in name or "/" in name:
            name, command = adapter.split()[0], adapter
        reports.append(run(name, command, cases, options.seconds, options.lines))
        if not options.quiet:
            for one in reports[-1]["differences"]:
                print("%(id)s: expected %(expected)s, answered %(answered)s: %(why)s (%(level)s, %(source)s)" % one)
    for path, text in ((options.json, json.dumps(reports, indent=1) + "\n"), (options.junit, junit(reports)),
                       (options.markdown, "\n".join(table(reports, chapters)) + "\n")):
        if path:
            pathlib.Path(path).write_text(text, encoding="utf-8")
    print("\n".join(table(reports, chapters)))
    levels = ("none", "must", "should", "reading")
    strong = levels[: levels.index(options.level) + 1]
    wrong = sum(one["level"] in strong for report in reports for one in report["differences"])
    passed = sum(count.get("passed", 0) for report in reports for count in report["chapters"].values())
    not_run = sum("problem" in report for report in reports)
    print("conformance: %d passed, %d failed" % (passed, wrong + not_run))
    return 1 if wrong or not_run else 0


if __name__ == "__main__":
    sys.exit(main())
