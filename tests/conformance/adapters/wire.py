"""What the Python adapters share: reading cases, writing answers (../README.md)."""

import base64
import json
import sys


class Unsupported(Exception):
    """The engine cannot express the case."""


def percent(data):
    """Return bytes with each escaped that is not between "!" and "~", or is "%"."""
    return "".join(chr(byte) if 0x21 <= byte <= 0x7E and byte != 0x25 else "%%%02X" % byte for byte in data)


def value(*values):
    """Return the answer with values, each text or bytes."""
    return " ".join(["value"] + [percent(one.encode("utf-8", "surrogateescape") if isinstance(one, str) else one) for one in values])


def word(allowed, line=None):
    """Return `allow` or `deny`, with a line if it is known."""
    return ("allow" if allowed else "deny") + ("" if line is None else " %d" % line)


class Case(dict):
    """A case; bytes and text of its fields."""

    def bytes(self, name):
        """Return the bytes of a field."""
        return base64.b64decode(self[name + "_base64"])

    def text(self, name):
        """Return a field as text, for an engine that takes nothing else."""
        if self[name] is None:
            raise Unsupported("not UTF-8: " + name)
        return self[name]

    def agent(self):
        """Return the one agent, for an engine without options that takes one."""
        if len(self["agents"]) != 1 or "options" in self:
            raise Unsupported("several agents, or options")
        return self["agents"][0]

    def absolute(self):
        """Return the URL as text, for an engine that needs a host."""
        url = self.text("url")
        return "https://example.com" + url if url.startswith("/") else url


def serve(name, version, dialects, kinds):
    """Answer cases until the input ends. `kinds` has a function for each kind of case."""
    print("engine", name, version, flush=True)
    for line in sys.stdin:
        case = Case(json.loads(line))
        try:
            if case["dialect"] not in dialects or case["kind"] not in kinds:
                raise Unsupported(case["dialect"] + " " + case["kind"])
            answer = kinds[case["kind"]](case)
        except Unsupported as error:
            answer = "unsupported %s" % error
        except Exception as error:  # noqa: BLE001 whatever an engine raises is its answer
            answer = "error " + " ".join(repr(error).split())[:200]
        print(answer, flush=True)
