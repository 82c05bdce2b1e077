"""The words that people and engineers read: labels of actions, and terms that are retired."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from textual.binding import Binding

from tui.screens.binding_ids import holders

ROOT = Path(__file__).parent.parent
LONGEST = 40

RETIRED = (
    "The rule it keeps",
    r"\bbrothers\b",
    r"\bcourtesy\b",
    r"\bdeeds?\b",
    r"\beasel\b",
    r"\bmurmur",
    r"\bshelf\b",
    "an ear on",
    "answer that is not understood",
    "be taken back",
    "changes that wait",
    "done again",
    "in (the|your|its) hand",
    "puts? back",
    "says why not",
    "waiting changes",
    "way home",
    "what others (changed|did)",
    "what was (said|done)",
    "who works on",
    "whoever",
)
"""Words of our own, for which architecture.md has the field's terms."""


def labels() -> Iterator[tuple[str, str]]:
    """What each binding is called in help and palette, by its id."""
    for holder in holders():
        for base in holder.__mro__:
            if base.__module__.startswith("tui."):
                for binding in base.__dict__.get("BINDINGS", ()):
                    if isinstance(binding, Binding):
                        yield binding.id or "", binding.tooltip or binding.description


def test_labels_are_short_and_begin_with_a_capital() -> None:
    found = dict(labels())
    assert len(found) > 150
    wrong = {
        name: label
        for name, label in found.items()
        if not re.fullmatch(r"[A-Z][^.()]*", label) or len(label) > LONGEST
    }
    assert wrong == {}


def texts() -> Iterator[Path]:
    """Everything that is read: the program, its styles and the README."""
    yield ROOT / "README.md"
    for folder in ("tui", "styles"):
        yield from sorted(
            path for path in (ROOT / folder).rglob("*") if path.suffix in {".py", ".tcss"}
        )


@cache
def read_texts() -> list[tuple[Path, list[str]]]:
    """All of them with their lines."""
    return [(path, path.read_text("utf-8").splitlines()) for path in texts()]


@pytest.mark.parametrize("words", RETIRED)
def test_retired_words_are_nowhere(words: str) -> None:
    looked_for = re.compile(words, re.IGNORECASE)
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path, lines in read_texts()
        for number, line in enumerate(lines, start=1)
        if looked_for.search(line)
    ]
    assert found == []
