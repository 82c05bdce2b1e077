"""The ids of every key there is, for checking those that a person remaps.

The rule it keeps: it is gathered from the bindings themselves; nobody keeps a list.
"""

from textual.binding import Binding
from textual.dom import DOMNode

from tui.screens.board import BoardScreen
from tui.screens.boards import BoardsScreen
from tui.screens.dialogs.confirm import ConfirmDialog
from tui.screens.dialogs.conflict import ConflictDialog
from tui.screens.dialogs.even_so import EvenSoDialog
from tui.screens.dialogs.help import HelpDialog
from tui.screens.dialogs.write import WriteDialog
from tui.screens.task import TaskScreen
from tui.screens.waiting import WaitingScreen
from tui.widgets.deck import Deck
from tui.widgets.line_input import LineInput

HOLDERS: tuple[type[DOMNode], ...] = (
    BoardScreen,
    BoardsScreen,
    ConfirmDialog,
    ConflictDialog,
    Deck,
    EvenSoDialog,
    HelpDialog,
    LineInput,
    TaskScreen,
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
