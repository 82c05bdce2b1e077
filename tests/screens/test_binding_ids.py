"""Every key there is: known by its id, and meaning one thing wherever it works."""

import pkgutil
from collections import defaultdict
from collections.abc import Iterator
from importlib import import_module

import pytest
from textual.binding import Binding
from textual.dom import DOMNode

import tui.dialogs
import tui.screens
import tui.widgets
from tests.lint import tables
from tui.screens import binding_ids
from tui.screens.binding_ids import key_map
from tui.screens.board.deck import Deck
from tui.screens.board.screen import BoardScreen
from tui.screens.task.screen import TaskScreen
from tui.widgets.keys import HOW_TO_QUIT


def ours() -> Iterator[type[DOMNode]]:
    """Every class of screens, dialogs and widgets."""
    for package in (tui.screens, tui.dialogs, tui.widgets):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            found = vars(import_module(module.name)).values()
            yield from (
                each
                for each in found
                if isinstance(each, type)
                and issubclass(each, DOMNode)
                and each.__module__ == module.name
            )


def bindings(holder: type[DOMNode]) -> Iterator[Binding]:
    """The bindings that a class has of its own."""
    found = (each for each in holder.__dict__.get("BINDINGS", ()))
    return (each for each in found if isinstance(each, Binding))


@pytest.mark.long
def test_a_person_can_remap_every_key() -> None:
    every = {
        each.id: holder.__name__
        for holder in ours()
        for each in bindings(holder)
        if each is not HOW_TO_QUIT  # Textual has it on all screens, as a key that it fixes
    }
    unknown = (
        f"{where}: {name or 'a Binding without an id'}"
        for name, where in every.items()
        if name not in key_map().ids
    )
    tables.check(tables.missing(unknown, "the bindings of the key map", binding_ids.__file__))


@pytest.mark.parametrize("screen", [BoardScreen, TaskScreen])
def test_no_key_means_two_things_on_a_screen(screen: type[DOMNode]) -> None:
    together = [*screen.__mro__, *(Deck.__mro__ if screen is BoardScreen else ())]
    meant: defaultdict[str, set[str]] = defaultdict(set)
    for holder in together:
        if holder.__module__.startswith("tui."):
            for each in bindings(holder):
                for key in each.key.split(","):
                    meant[key].add(each.action)
    twice = [f"{key}: {', '.join(sorted(each))}" for key, each in meant.items() if len(each) > 1]
    tables.check(tables.Edit(f"Give these actions of {screen.__name__} other keys:", twice))
