"""Importing Textual quickly: its classes are as it makes them itself, and nothing is lost."""

import os
import subprocess
import sys

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

print(*sorted(name for name in (*POSTPONED, "ssl") if name in sys.modules))
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
INPUT = """
import asyncio, re, sys
from tui.cli import program
from textual.app import App
from tui.widgets.line_input import LineInput

class Program(App):
    def compose(self):
        yield LineInput("name", draft=None)

async def type_words():
    app = Program()
    async with app.run_test() as pilot:
        typed = app.query_one(LineInput)
        typed.value = "one two three four"
        await pilot.press("end", "ctrl+left", "ctrl+w", "home", "ctrl+right", "ctrl+f", "ctrl+k")
        print(typed.value)

asyncio.run(type_words())
late = [
    f"{name}.{key}"
    for name, module in sorted(sys.modules.items())
    for key, value in vars(module).items()
    if type(value).__name__ == "_LatePattern"
]
print(*late)
"""
LATE = """
import re, sys
from tui.cli import program
from textual.actions import parse
from textual.color import Color
from textual.css.parse import parse_selectors
from textual.css.tokenize import expect_selector_continue

print("_pattern" in vars(expect_selector_continue._regex), type(re.compile("a")).__name__)
print(parse_selectors("Deck > Column.-wide, #bar")[1].selectors[0].name)
print(Color.parse("#123").hex, "_pattern" in vars(expect_selector_continue._regex))
for action in ("app.run('card.new')", "end(-1)", "step(0, -1)", "plain", "plain()"):
    print(*parse(action))
print("ast" in sys.modules)
print(*parse('set({"a": [1]}, "x, y")'), "ast" in sys.modules)
"""


def test_what_is_postponed_is_not_imported_and_classes_are_as_textual_makes_them() -> None:
    assert printed(CHECK) == ["", "tui.runtime.quick_imports"]


def test_what_is_postponed_is_imported_when_it_is_called() -> None:
    assert printed(LATER) == ["[1]", "{'a': 1}", "True", "True", "True"]


def test_keys_of_inputs_work_and_functions_get_no_pattern_that_they_do_not_take() -> None:
    assert printed(INPUT) == ["one ", ""]


def test_patterns_are_compiled_and_arguments_are_read_when_they_are_used() -> None:
    assert printed(LATE) == [
        "False Pattern",
        "bar",
        "#112233 True",
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
        timeout=50,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout.removesuffix("\n").split("\n")
