"""The day leaves out no key of the help."""

import re

from tests.day.steps import STEPS
from tests.lint import tables
from tui.cli.help import _keys

_CODE = re.compile(r"`([^`]+)`")
_NAMES = {"g g": "gg", "space": "Space", "↵": "Enter", "tab": "Tab", "esc": "Esc"}
_SECTIONS = (
    *("Board", "Every screen", "Boards", "Lists", "Task", "Subtask list", "Thread", "Standup"),
    *("Labels", "Custom fields", "Members", "Activity", "Insight", "Forecast", "Webhooks"),
)
_ELSEWHERE = {"u", "U", "ctrl+z", "ctrl+l", "shift+tab", "."}
"""Undo and redo follow every step; tests of their own press the others, such as redrawing."""


def _keys_in(text: str) -> set[str]:
    """The keys named in a text, chords with g as they stand, and arrows as one key."""
    return {key for code in _CODE.findall(text) for key in re.findall(r"g [a-z,]|\S+", code)}


def test_every_key_of_the_help_is_pressed() -> None:
    pressed = _keys_in(" ".join(f"`{step.keys}`" for step in STEPS)) | set("123456789")
    actions = [
        (label, keys)
        for section in _SECTIONS
        for labels in _keys()[section].values()
        for label, keys in labels.items()
    ]
    assert len(actions) > 100
    unpressed = [
        f'Step("{keys[0]}", "{label.lower()}", "KEYS TO PRESS", HOLDS),'
        for label, keys in actions
        if not any(_keys_in(f"`{_NAMES.get(key, key)}`") <= pressed | _ELSEWHERE for key in keys)
    ]
    tables.check(tables.missing(unpressed, "the steps of its screen", "tests/day/steps.py"))
