"""The day leaves out no key of the README."""

import re
from pathlib import Path

from tests.day.steps import STEPS

_README = Path(__file__).parents[2] / "README.md"
_KEYS_TABLE = re.compile(r"^\| keys \|.*?(?=^$)", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"`([^`]+)`")


def _keys(text: str) -> set[str]:
    """The keys named in a text, chords as they stand, and arrows as one key."""
    return {key for code in _CODE.findall(text) for key in re.findall(r"g [a-z,]|\S+", code)}


def test_every_key_of_the_readme_is_pressed() -> None:
    tables = _KEYS_TABLE.findall(_README.read_text("utf-8"))
    named = [_keys(line.split("|")[1]) for table in tables for line in table.splitlines()[2:]]
    assert len(named) > 20
    pressed = _keys(" ".join(f"`{step.keys}`" for step in STEPS))
    undo_and_redo, modifiers = {"u", "U"}, {"Shift"}
    assert set().union(*named) - pressed - undo_and_redo - modifiers == set()
