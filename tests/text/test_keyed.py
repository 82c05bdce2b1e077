"""Hints and empty texts name the keys that the user has."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import tui
from tests.lint import tables
from tui.screens.binding_ids import key_map
from tui.text.keyed import keyed, use_keys
from tui.widgets.bars import key_name

MARK = re.compile(r"\{([^{}: ]+[.][a-z][^{}: ]+):([^{}]+)\}")


@pytest.fixture(autouse=True)
def default_keys() -> Iterator[None]:
    """The keys belong to the process: give them back."""
    yield
    use_keys({})


def marks() -> Iterator[tuple[str, str, str]]:
    """The keys that texts of the program name: where, the id of the action and its key."""
    for path in sorted(Path(tui.__path__[0]).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                for name, key in MARK.findall(node.value):
                    yield f"{path.name}:{node.lineno}", name, key


@pytest.mark.long
def test_every_key_in_a_text_is_the_one_of_its_action() -> None:
    defaults = {
        action.id: {key_name(key) for key in action.defaults.split(",")}
        for action in key_map().actions
    }
    found = list(marks())
    assert len(found) > 100
    wrong = [
        f"{where}: {{{name}:{key}}} is {' or '.join(sorted(defaults.get(name, ['no action'])))}"
        for where, name, key in found
        if key not in defaults.get(name, ())
    ]
    tables.check(tables.Edit("Name the key of the action in these texts:", wrong))
    use_keys(dict.fromkeys(defaults, "f9"))
    assert [one for one in found if keyed(f"{{{one[1]}:{one[2]}}}") != "f9"] == []


def hints() -> Iterator[tuple[str, str]]:
    """What is said about keys beside messages: where, and the text."""
    for path in sorted(Path(tui.__path__[0]).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.keyword) and node.arg == "hint":
                for text in ast.walk(node.value):
                    if isinstance(text, ast.Constant) and isinstance(text.value, str):
                        yield f"{path.name}:{text.lineno}", text.value


@pytest.mark.long
def test_no_hint_names_a_key_without_its_action() -> None:
    plain = re.compile(r"(?<!\S)([A-Za-z?/]|[gSFy] [A-Za-z]|esc|↵|space|tab) [a-z]+s\b")
    plainly = [f"{where}: {text}" for where, text in hints() if plain.search(text)]
    tables.check(tables.Edit("Write {ID OF ACTION:KEY} for the keys of these hints:", plainly))


def test_a_default_key_is_named_until_another_is_chosen() -> None:
    text = "{task.new:n} makes one · {stage.new-right:S n} a stage · {cursor.next-news:]} goes on"
    assert keyed(text) == "n makes one · S n a stage · ] goes on"
    use_keys({"task.new": "+", "stage.new-right": "S +"})
    assert keyed(text) == "+ makes one · S + a stage · ] goes on"


@pytest.mark.parametrize("text", ["{", "{}", "{n}", "{task.new}", "{task.new:}", "{Task: new:n}"])
def test_other_braces_stay(text: str) -> None:
    assert keyed(text) == text
