"""The ids of every binding, gathered from the bindings, for checking those that a person remaps."""

from textual.binding import Binding
from textual.dom import DOMNode

from tui.screens.board.screen import BoardScreen
from tui.screens.boards.screen import BoardsScreen
from tui.screens.dialogs.address import AddressDialog
from tui.screens.dialogs.clone import CloneDialog
from tui.screens.dialogs.confirm import ConfirmDialog
from tui.screens.dialogs.conflict import ConflictDialog, EvenSoDialog
from tui.screens.dialogs.editor.attach import AttachDialog
from tui.screens.dialogs.editor.comment import CommentEditor
from tui.screens.dialogs.editor.preview import Preview
from tui.screens.dialogs.editor.text import TextEditor
from tui.screens.dialogs.help import HelpDialog
from tui.screens.dialogs.move_to import MoveToDialog
from tui.screens.dialogs.paste_lines import PasteLines
from tui.screens.dialogs.pick.find import FindDialog
from tui.screens.dialogs.pick.labels import PickLabels
from tui.screens.dialogs.pick.many import PickLine, PickMany
from tui.screens.dialogs.picture import PictureDialog
from tui.screens.dialogs.write import WriteDialog
from tui.screens.pending.screen import WaitingScreen
from tui.screens.task.screen import TaskScreen
from tui.screens.thread.screen import ThreadScreen
from tui.widgets.board.deck import Deck
from tui.widgets.line_input import LineInput
from tui.widgets.pick_list import PickList
from tui.widgets.task.activity_list import ActivityList
from tui.widgets.task.comment_extract import CommentExtract
from tui.widgets.task.field_list import FieldList
from tui.widgets.task.subtask_list import SubtaskList

HOLDERS: tuple[type[DOMNode], ...] = (
    ActivityList,
    AddressDialog,
    AttachDialog,
    BoardScreen,
    BoardsScreen,
    CloneDialog,
    CommentEditor,
    CommentExtract,
    ConfirmDialog,
    ConflictDialog,
    Deck,
    EvenSoDialog,
    FieldList,
    FindDialog,
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
    SubtaskList,
    TaskScreen,
    TextEditor,
    ThreadScreen,
    WaitingScreen,
    WriteDialog,
)


def binding_ids() -> frozenset[str]:
    """The id of every binding of ours."""
    return frozenset(
        binding.id
        for holder in HOLDERS
        for base in holder.__mro__
        if base.__module__.startswith("tui.")
        for binding in base.__dict__.get("BINDINGS", ())
        if isinstance(binding, Binding) and binding.id
    )
