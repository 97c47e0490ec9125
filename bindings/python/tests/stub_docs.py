"""The stubs have the docstrings of the module.

Editors show those of the stubs, `help` those of the module. Both come from the comments in `src/`. `stub_docs.py --write`
writes the stubs anew; without the option a difference is an error.
"""

from __future__ import annotations

import ast
import inspect
import sys
from pathlib import Path

import librobots._librobots as module

STUBS = Path(__file__).parent.parent / "python/librobots/_librobots.pyi"


def docstring(name: str, owner: object) -> str | None:
    """Return the docstring of an attribute that the module itself documents."""
    if name.startswith("__") or not hasattr(owner, name):
        return None
    return inspect.getdoc(getattr(owner, name))


def quoted(text: str, indent: str) -> list[str]:
    """Return a docstring as lines of source."""
    raw = "r" if "\\" in text else ""
    lines = text.splitlines()
    if len(lines) == 1 and not text.endswith('"'):
        return [f'{indent}{raw}"""{text}"""']
    return [f'{indent}{raw}"""{lines[0]}', *((indent + line).rstrip() for line in lines[1:]), f'{indent}"""']


def documented(source: str) -> str:
    """Return the stubs with the docstrings of the module in place of theirs."""
    lines = source.splitlines()
    edits: list[tuple[int, int, list[str]]] = []

    def edit(node: ast.ClassDef | ast.FunctionDef, text: str | None) -> None:
        if text is None:
            return
        first = node.body[0]
        new = quoted(text, " " * (node.col_offset + 4))
        if ast.get_docstring(node) is not None:
            edits.append((first.lineno - 1, first.end_lineno or first.lineno, new))
        elif isinstance(node, ast.ClassDef):
            edits.append((first.lineno - 1 - len(getattr(first, "decorator_list", [])), -1, new))
        else:  # `def name(): ...` on one line, or its last line
            end = (first.end_lineno or first.lineno) - 1
            edits.append((end, end + 1, [lines[end].removesuffix(" ..."), *new]))

    for node in ast.parse(source).body:
        if isinstance(node, ast.ClassDef) and hasattr(module, node.name):
            owner = getattr(module, node.name)
            edit(node, inspect.getdoc(owner))
            for part in node.body:
                if isinstance(part, ast.FunctionDef):
                    edit(part, docstring(part.name, owner))
        elif isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            edit(node, docstring(node.name, module))
    for start, end, new in sorted(edits, reverse=True):
        lines[start : start if end == -1 else end] = new
    return "\n".join(lines) + "\n"


def main() -> None:
    """Write or compare."""
    source = STUBS.read_text(encoding="utf-8")
    wanted = documented(source)
    if sys.argv[1:] == ["--write"]:
        STUBS.write_text(wanted, encoding="utf-8")
    elif wanted != source:
        sys.exit("FAIL the stubs lack docstrings of the module: run tests/stub_docs.py --write")


main()
