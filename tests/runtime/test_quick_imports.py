"""Importing Textual quickly: its classes are as it makes them itself, and nothing is lost."""

import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.long

CHECK = """
import sys
from tui.cli import program
from tui.runtime.quick_imports import POSTPONED
from textual.dom import DOMNode
from textual.reactive import Reactive

def classes(of):
    for kind in of.__subclasses__():
        yield kind
        yield from classes(kind)

print(*sorted(name for name in POSTPONED if name in sys.modules))
for kind in classes(DOMNode):
    whole = {}
    for base in reversed(kind.__mro__):
        whole |= {name: each for name, each in vars(base).items() if isinstance(each, Reactive)}
    assert list(kind._reactives.items()) == list(whole.items()), kind
    names = {name for name in dir(kind) if name.startswith(("_compute_", "compute_"))}
    assert kind._computes == {name.lstrip("_")[8:] for name in names}, kind
print(vars(DOMNode)["__init_subclass__"].__func__.__module__)
"""
LATER = """
from tui.cli import program
import ast, pickle, uuid
import textual.app, textual.command, textual.css.stylesheet, textual.notifications
from rich.style import Style

print(ast.literal_eval("[1]"))
print(Style.from_meta({"a": 1}).meta)
print(len(textual.notifications.Notification("text").identity) == len(str(uuid.uuid4())))
print(textual.css.stylesheet.parse_style("bold").bold)
print(textual.app.SimpleProvider(None, []).__class__ is textual.command.SimpleProvider)
"""
ACTIONS = """
import sys
from tui.cli import program
from textual.actions import parse
for action in ("app.run('card.new')", "end(-1)", "step(0, -1)", "plain", "plain()"):
    print(*parse(action))
print("ast" in sys.modules)
print(*parse('set({"a": [1]}, "x, y")'), "ast" in sys.modules)
"""


CHANGED = """
from textual.dom import DOMNode

original = vars(DOMNode)["__init_subclass__"].__func__

@classmethod
def changed(cls, **options):
    original(cls, **options)
    {change}

DOMNode.__init_subclass__ = changed
from tui.cli import program
print(vars(DOMNode)["__init_subclass__"].__func__.__module__)
"""


def test_a_textual_that_sets_more_on_its_classes_is_left_alone() -> None:
    assert printed(CHANGED.format(change="cls._more = 1")) == ["__main__"]
    assert printed(CHANGED.format(change="pass")) == ["tui.runtime.quick_imports"]


def test_what_is_postponed_is_not_imported_and_classes_are_as_textual_makes_them() -> None:
    assert printed(CHECK) == ["", "tui.runtime.quick_imports"]


def test_what_is_postponed_is_imported_when_it_is_called() -> None:
    assert printed(LATER) == ["[1]", "{'a': 1}", "True", "True", "True"]


def test_arguments_of_actions_are_read_without_importing_ast() -> None:
    assert printed(ACTIONS) == [
        "app run ('card.new',)",
        " end (-1,)",
        " step (0, -1)",
        " plain ()",
        " plain ()",
        "False",
        " set ({'a': [1]}, 'x, y') True",
    ]


def printed(code: str) -> list[str]:
    """The lines that a program prints in a fresh interpreter."""
    ran = subprocess.run(  # noqa: S603 (our own interpreter and program)
        [sys.executable, "-W", "error", "-c", code],
        env={**os.environ, "TERM": "xterm-256color"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout.removesuffix("\n").split("\n")
