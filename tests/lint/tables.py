"""What to edit in a table that must name everything of a kind, as the test of the table says it.

A test collects all that is missing and all that is obsolete before it calls `check`, so that one
run tells every line.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[2]


class Edit(NamedTuple):
    """What is to be done in which place, and the lines that it is about."""

    instruction: str
    lines: list[str]


def missing(lines: Iterable[str], table: str, file: str) -> Edit:
    """The lines to add to a table; a file of tests is named by its `__file__`."""
    return Edit(f"Add to {table} in {_from_root(file)}:", sorted(lines))


def obsolete(lines: Iterable[str], table: str, file: str) -> Edit:
    """The lines to remove from a table, as what they name is gone."""
    return Edit(f"Remove from {table} in {_from_root(file)}:", sorted(lines))


def check(*edits: Edit) -> None:
    """Fail with all edits that have lines, as a text that can be followed without the source."""
    due = [edit for edit in edits if edit.lines]
    if due:
        texts = ["\n    ".join([instruction, *lines]) for instruction, lines in due]
        pytest.fail("\n\n".join(texts), pytrace=False)


def _from_root(file: str) -> str:
    path = Path(file)
    return str(path.relative_to(ROOT) if path.is_absolute() else path)
