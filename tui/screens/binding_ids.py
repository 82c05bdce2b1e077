"""All bindings with their ids, to check and change the user's keys."""

import pkgutil
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from importlib import import_module

from textual.binding import Binding
from textual.dom import DOMNode

import tui.dialogs
import tui.screens
from tui.config.own_commands import OwnCommand
from tui.dialogs.base import Dialog
from tui.dialogs.date import DateDialog
from tui.dialogs.editor.area import WritingArea
from tui.dialogs.editor.text import TextEditor
from tui.screens.base import CallboardScreen
from tui.screens.board.deck import Deck
from tui.screens.board.screen import BoardScreen
from tui.screens.boards.folder_pane import FolderPane
from tui.screens.boards.screen import BoardsScreen
from tui.screens.lists.table import TableScreen
from tui.screens.lists.timeline import TimelineScreen
from tui.screens.settings.key_map import BoundKey, KeyMap
from tui.screens.standup.screen import StandupScreen
from tui.screens.standup.standup_list import StandupList
from tui.screens.task.activity import ActivityList
from tui.screens.task.field_list import FieldList
from tui.screens.task.panes import CommentExtract
from tui.screens.task.screen import TaskScreen
from tui.screens.task.subtask_list import SubtaskList
from tui.screens.thread.screen import ThreadScreen
from tui.screens.timeline.timeline_list import TimelineList
from tui.widgets.calendar import Calendar
from tui.widgets.row_list import RowList

_WITHIN: dict[type[DOMNode], type[DOMNode]] = {
    ActivityList: TaskScreen,
    Calendar: DateDialog,
    CommentExtract: TaskScreen,
    Deck: BoardScreen,
    FieldList: TaskScreen,
    FolderPane: BoardsScreen,
    RowList: TableScreen,
    StandupList: StandupScreen,
    SubtaskList: TaskScreen,
    TimelineList: TimelineScreen,
    WritingArea: TextEditor,
}
"""Parts of screens; the keys of the focused one work together with those of the screen."""

_FIRST: tuple[type[DOMNode], ...] = (
    BoardScreen,
    Deck,
    BoardsScreen,
    TaskScreen,
    FieldList,
    SubtaskList,
    ThreadScreen,
)
"""The screens and parts that come first in the list of keys."""

_SECTIONS: dict[type, str] = {
    Dialog: "Dialogs",
    CallboardScreen: "Every screen",
    TableScreen: "Lists",
    RowList: "Lists",
    StandupList: "Standup",
    TimelineList: "Timeline",
    Deck: "Board",
}


def holders() -> list[type[DOMNode]]:
    """The screens, dialogs and widgets of this program that have bindings of their own."""
    # `__subclasses__` knows a class only once its module is imported.
    for package in (tui.dialogs, tui.screens):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            import_module(module.name)
    remaining = {
        holder
        for holder in _subclasses(DOMNode)
        if holder.__module__.startswith("tui.") and "BINDINGS" in vars(holder)
    }
    remaining.difference_update(_FIRST)
    return [*_FIRST, *sorted(remaining, key=lambda holder: (holder.__module__, holder.__name__))]


def _subclasses(base: type[DOMNode]) -> Iterator[type[DOMNode]]:
    for subclass in base.__subclasses__():
        yield subclass
        yield from _subclasses(subclass)


def key_map(commands: Iterable[OwnCommand] = ()) -> KeyMap:
    """All actions of this program that have keys, and the user's own commands."""
    first: dict[str, tuple[str, str, str]] = {}
    places: defaultdict[str, set[str]] = defaultdict(set)
    every = holders()
    for holder in every:
        names = _places(holder, every)
        for base in holder.__mro__:
            if base.__module__.startswith("tui."):
                for binding in base.__dict__.get("BINDINGS", ()):
                    if isinstance(binding, Binding) and binding.id:
                        label = binding.tooltip or binding.description
                        section = _SECTIONS.get(base) or _in_words(holder.__name__)
                        first.setdefault(binding.id, (label, binding.key, section))
                        places[binding.id] |= names
    sections = list(dict.fromkeys(section for _, _, section in first.values()))
    actions = [BoundKey(name, *texts, frozenset(places[name])) for name, texts in first.items()]
    actions.sort(key=lambda action: sections.index(action.section))
    # They are where the menu of a card is.
    where = frozenset(places["task.menu"])
    own = (
        BoundKey(command.id, command.title, command.key, "Own commands", where, is_own=True)
        for command in commands
    )
    return KeyMap([*actions, *own])


def _places(holder: type[DOMNode], every: list[type[DOMNode]]) -> set[str]:
    if holder in _WITHIN:
        screens = [candidate for candidate in every if issubclass(candidate, _WITHIN[holder])]
        return {f"{screen.__name__} {holder.__name__}" for screen in screens}
    parts = [part.__name__ for part, screen in _WITHIN.items() if issubclass(holder, screen)]
    return {holder.__name__, *(f"{holder.__name__} {part}" for part in parts)}


def _in_words(name: str) -> str:
    words = re.findall("[A-Z][a-z]*", name.removesuffix("Screen").removesuffix("Dialog"))
    return " ".join(words).capitalize()
