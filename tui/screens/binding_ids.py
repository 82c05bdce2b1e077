"""All bindings with their ids, to check and change the user's keys."""

import re
from collections import defaultdict
from importlib import import_module

from textual.binding import Binding
from textual.dom import DOMNode

from tui.actions.lists import LISTS
from tui.dialogs.address import AddressDialog
from tui.dialogs.clone import CloneDialog
from tui.dialogs.confirm import ConfirmDialog
from tui.dialogs.conflict import ConflictDialog, EvenSoDialog
from tui.dialogs.details import DetailsDialog
from tui.dialogs.editor.attach import AttachDialog
from tui.dialogs.editor.comment import CommentEditor
from tui.dialogs.editor.preview import Preview
from tui.dialogs.editor.text import TextEditor
from tui.dialogs.filter import FilterDialog
from tui.dialogs.form import FormDialog
from tui.dialogs.help import HelpDialog
from tui.dialogs.move_to import MoveToDialog
from tui.dialogs.pick.find import FindDialog
from tui.dialogs.pick.labels import PickLabels
from tui.dialogs.pick.many import PickLine, PickMany
from tui.dialogs.picture import PictureDialog
from tui.dialogs.write import PasteLines, WriteDialog
from tui.screens.base import CallboardScreen
from tui.screens.board.deck import Deck
from tui.screens.board.screen import BoardScreen
from tui.screens.boards.folder_pane import FolderPane
from tui.screens.boards.screen import BoardsScreen
from tui.screens.lists.cards import CardListScreen
from tui.screens.lists.row_list import RowList
from tui.screens.lists.screen import ListScreen
from tui.screens.pending.screen import PendingScreen
from tui.screens.settings.key_map import BoundKey, KeyMap
from tui.screens.settings.screen import SettingsScreen
from tui.screens.standup.screen import StandupScreen
from tui.screens.task.activity_list import ActivityList
from tui.screens.task.comment_extract import CommentExtract
from tui.screens.task.field_list import FieldList
from tui.screens.task.screen import TaskScreen
from tui.screens.task.subtask_list import SubtaskList
from tui.screens.thread.screen import ThreadScreen
from tui.widgets.line_input import LineInput
from tui.widgets.pick_list import PickList

HOLDERS: tuple[type[DOMNode], ...] = (
    ActivityList,
    AddressDialog,
    AttachDialog,
    BoardScreen,
    BoardsScreen,
    CardListScreen,
    CloneDialog,
    CommentEditor,
    CommentExtract,
    ConfirmDialog,
    ConflictDialog,
    Deck,
    DetailsDialog,
    EvenSoDialog,
    FieldList,
    FilterDialog,
    FindDialog,
    FolderPane,
    FormDialog,
    HelpDialog,
    LineInput,
    MoveToDialog,
    PasteLines,
    PickLabels,
    PickLine,
    PickList,
    PickMany,
    PictureDialog,
    Preview,
    RowList,
    SubtaskList,
    TaskScreen,
    TextEditor,
    ThreadScreen,
    PendingScreen,
    SettingsScreen,
    StandupScreen,
    WriteDialog,
    *(import_module(f"tui.screens.lists.{name}").SCREEN for name in LISTS),
)


_WITHIN: dict[type[DOMNode], type[DOMNode]] = {
    ActivityList: TaskScreen,
    CommentExtract: TaskScreen,
    Deck: BoardScreen,
    FieldList: TaskScreen,
    FolderPane: BoardsScreen,
    RowList: ListScreen,
    SubtaskList: TaskScreen,
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
    CallboardScreen: "Every screen",
    ListScreen: "Lists",
    RowList: "Lists",
    Deck: "Board",
}


def key_map() -> KeyMap:
    """All actions of this program that have keys."""
    first: dict[str, tuple[str, str, str]] = {}
    places: defaultdict[str, set[str]] = defaultdict(set)
    for holder in (*_FIRST, *(one for one in HOLDERS if one not in _FIRST)):
        names = _places(holder)
        for base in holder.__mro__:
            if base.__module__.startswith("tui."):
                for binding in base.__dict__.get("BINDINGS", ()):
                    if isinstance(binding, Binding) and binding.id:
                        label = binding.tooltip or binding.description
                        section = _SECTIONS.get(base) or _in_words(holder.__name__)
                        first.setdefault(binding.id, (label, binding.key, section))
                        places[binding.id] |= names
    sections = list(dict.fromkeys(section for _, _, section in first.values()))
    actions = [BoundKey(name, *said, frozenset(places[name])) for name, said in first.items()]
    return KeyMap(sorted(actions, key=lambda one: sections.index(one.section)))


def _places(holder: type[DOMNode]) -> set[str]:
    """Where the keys of a class work: a screen as such, and with each part of it in focus."""
    if holder in _WITHIN:
        around = [one for one in HOLDERS if issubclass(one, _WITHIN[holder])]
        return {f"{one.__name__} {holder.__name__}" for one in around}
    parts = [part.__name__ for part, screen in _WITHIN.items() if issubclass(holder, screen)]
    return {holder.__name__, *(f"{holder.__name__} {part}" for part in parts)}


def _in_words(name: str) -> str:
    """The name of a class, in words: `TaskScreen` is “Task”."""
    words = re.findall("[A-Z][a-z]*", name.removesuffix("Screen").removesuffix("Dialog"))
    return " ".join(words).capitalize()


def binding_ids() -> frozenset[str]:
    """The ids of all bindings of this program."""
    return key_map().ids
