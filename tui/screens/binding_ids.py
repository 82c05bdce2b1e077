"""The ids of all bindings, to check the key remappings in the user's configuration."""

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
from tui.dialogs.paste_lines import PasteLines
from tui.dialogs.pick.find import FindDialog
from tui.dialogs.pick.labels import PickLabels
from tui.dialogs.pick.many import PickLine, PickMany
from tui.dialogs.picture import PictureDialog
from tui.dialogs.write import WriteDialog
from tui.screens.board.deck import Deck
from tui.screens.board.screen import BoardScreen
from tui.screens.boards.folder_pane import FolderPane
from tui.screens.boards.screen import BoardsScreen
from tui.screens.lists.cards import CardListScreen
from tui.screens.lists.row_list import RowList
from tui.screens.pending.screen import PendingScreen
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
    StandupScreen,
    WriteDialog,
    *(import_module(f"tui.screens.lists.{name}").SCREEN for name in LISTS),
)


def binding_ids() -> frozenset[str]:
    """The ids of all bindings of this program."""
    return frozenset(
        binding.id
        for holder in HOLDERS
        for base in holder.__mro__
        if base.__module__.startswith("tui.")
        for binding in base.__dict__.get("BINDINGS", ())
        if isinstance(binding, Binding) and binding.id
    )
