"""The enumerations have the numbers of the C API."""

from __future__ import annotations

import json
from enum import IntEnum

from site_of_tests import ROOT

import librobots
from librobots import Purpose

# Where the name of the class is not that of the enum of C.
NAMES = {"Action": "cache_action", "Severity": "lint_severity"}


def test_numbers_are_those_of_the_c_api() -> None:
    api = json.loads((ROOT / "tests" / "data" / "api.json").read_text())
    of_c = {enum["c"]: {value["name"].upper(): value["number"] for value in enum["values"]} for enum in api["enums"]}
    public = [one for one in vars(librobots).values() if isinstance(one, type) and issubclass(one, IntEnum)]
    classes = [one for one in public if one is not Purpose]  # no enum of C
    assert len(classes) >= 10
    for one in classes:
        snake = "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in one.__name__)
        numbers = of_c[f"robots_{NAMES[one.__name__]}" if one.__name__ in NAMES else f"robots{snake}"]
        for value in one:
            assert numbers.get(value.name) == value, (
                f"{one.__name__}.{value.name} is not as api.json says: run `make api`"
            )
