"""A list to choose from, with the keys of this program.

Enter is one of our bindings, so that the key hints can show it.
"""

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import OptionList

from tui.widgets.keys import quiet_keys


class PickList(OptionList, inherit_bindings=False):
    """An `OptionList` whose keys appear in hints and help like all others."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "select", "open", id="list.open", tooltip="Open"),
        *quiet_keys(
            "list",
            ("cursor-down", "j,down", "cursor_down", "Next row"),
            ("cursor-up", "k,up", "cursor_up", "Previous row"),
            ("first", "g g,home", "first", "First row"),
            ("last", "G,end", "last", "Last row"),
            ("page-down", "ctrl+d,pagedown", "page_down", "Half a page down"),
            ("page-up", "ctrl+u,pageup", "page_up", "Half a page up"),
        ),
    ]

    class NothingThere(Message):
        """Enter was pressed while no option was highlighted."""

    def action_select(self) -> None:
        if self.highlighted is None:
            self.post_message(self.NothingThere())
        else:
            super().action_select()
