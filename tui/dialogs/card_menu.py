"""The menu of a card: what is done with it most, in groups, beside the card or at the pointer."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from textual import events
from textual.app import ComposeResult
from textual.content import Content
from textual.geometry import Offset, Region, Size
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets.option_list import Option

from tui.dialogs.base import Dialog, Frame
from tui.dialogs.commands import ASKS, MENU, OWN_COMMAND, Command
from tui.dialogs.one_line import TwoSided
from tui.dialogs.questions import PickList
from tui.model.task import Task, blocked_labels
from tui.text.clean import counted
from tui.widgets.bars import key_name, pressed_name
from tui.widgets.painted import DrawnLines

_OF_ONE = ("Open", "Edit title")
"""What is done with one card only."""
_DELETING = "Delete"
_WIDE = 100
"""From this width of the terminal on, the menu is as wide as the first number, else the second."""
_WIDTHS = 30, 26
_LOW = 20
"""From so many rows of the terminal on there are rules between the groups."""
_AROUND = 3
"""The lines of the menu beside its rows: the frame and the keys."""
_ENTER = key_name("enter")


class MenuEntry(NamedTuple):
    """An action of the menu, with the word for it."""

    command: Command
    word: str


def menu_entries(commands: Mapping[str, Command], tasks: Sequence[Task]) -> list[list[MenuEntry]]:
    """The groups of the menu, without what the screen does not have.

    The user's own commands come before what puts the card away.
    """
    groups = []
    for group in MENU:
        found = (
            (next(filter(None, map(commands.get, ids)), None), word)
            for word, *ids in group
            if len(tasks) == 1 or word not in _OF_ONE
        )
        groups.append(
            [
                MenuEntry(command, _word(word, command, tasks))
                for command, word in found
                if command is not None
            ]
        )
    own = (command for name, command in commands.items() if name.startswith(OWN_COMMAND))
    groups.insert(-1, [MenuEntry(command, command.label) for command in own])
    return [group for group in groups if group]


def _word(word: str, command: Command, tasks: Sequence[Task]) -> str:
    if word == "Close" and all(task.is_closed for task in tasks):
        return "Reopen"
    if word == "Archive" and all(task.archived_at is not None for task in tasks):
        return "Restore"
    if word == "Block" and all(blocked_labels(task.labels) and not task.blockers for task in tasks):
        return "Unblock"  # at once, without a question
    return f"{word}{ASKS}" if command.label.endswith(ASKS) else word


def menu_offset(anchor: Region, menu: Size, room: Size) -> Offset:
    """Where a menu opens, so that it is on the screen and its first entry is beside the anchor.

    At the right of the anchor, else at the left of it, else as far to the right as there is room.
    """
    furthest = room - menu
    x = anchor.right
    if x > furthest.width and anchor.x >= menu.width:
        x = anchor.x - menu.width
    return Offset(min(x, furthest.width), max(0, min(anchor.y - 1, furthest.height)))


class LitLines(Widget):
    """Lines of the screen behind a dialog, which are not dimmed."""

    def __init__(self, lines: DrawnLines) -> None:
        super().__init__()
        self._strips = lines.strips
        self.styles.width, self.styles.height = lines.region.size
        self.styles.offset = lines.region.offset

    def on_mount(self) -> None:
        self.watch(self.app, "theme", self._hide, init=False)

    def _hide(self) -> None:
        self.display = False  # the lines have the colours of the theme before

    def render_lines(self, crop: Region) -> list[Strip]:
        return [self._strips[y].crop(crop.x, crop.right) for y in crop.line_range]


class CardMenu(Dialog[str]):
    """Answers with the id of an action, even of one that is unavailable.

    The keys of the actions work while it is open. It opens beside the `card`, which stays lit, or
    `at` a point.
    """

    keys_text = "↵ select   {dialog.cancel:esc} close"

    def __init__(
        self,
        commands: Mapping[str, Command],
        tasks: Sequence[Task],
        *,
        card: DrawnLines | None = None,
        at: Offset | None = None,
    ) -> None:
        super().__init__(_title(tasks))
        self._groups = menu_entries(commands, tasks)
        self._lit = LitLines(card) if card is not None else None
        self._anchor = card.region if card is not None else None
        if at is not None:
            self._anchor = Region(*at, 1, 1)
        self._keys = {entry.command.key: entry.command.id for entry in self.entries}
        self._begun = ""
        """The first key of a chord, and a blank."""
        self._room = Size(0, 0)

    @property
    def entries(self) -> Iterable[MenuEntry]:
        return chain.from_iterable(self._groups)

    def body(self) -> Iterable[Widget]:
        yield PickList()

    def compose(self) -> ComposeResult:
        if self._lit is not None:
            yield self._lit
        yield from super().compose()

    def on_resize(self) -> None:
        super().on_resize()
        if self._room and self._room != self.app.size and self._lit is not None:
            self._lit.display = False  # the card is elsewhere now
        self._room = self.app.size
        rows = [_row(entry) for entry in self.entries]
        longest = max((row.left.cell_length + row.right.cell_length for row in rows), default=0)
        is_high = self._room.height >= _LOW
        # With the frame, the padding of rows, and a blank between both sides of a row.
        width = max(_WIDTHS[self._room.width < _WIDE], longest + 6)
        rules = len(self._groups) - 1 if is_high else 0
        height = len(rows) + rules + _AROUND
        room = self._room - (0, 1)  # without the footer
        menu = Size(min(width, room.width), min(height, room.height))
        frame = self.query_one(Frame)
        frame.styles.width, frame.styles.height = menu
        middle = Region((room.width - menu.width) // 2, (room.height - menu.height) // 2 + 1, 0, 0)
        frame.styles.offset = menu_offset(self._anchor or middle, menu, room)
        self._list(is_high=is_high)

    def _list(self, *, is_high: bool) -> None:
        shown = self.query_one(PickList)
        at = shown.highlighted or 0
        options: list[Option | None] = []
        for group in self._groups:
            if options and is_high:
                options.append(None)
            options += [Option(_row(entry), entry.command.id) for entry in group]
        shown.set_options(options)
        shown.highlighted = at

    def on_option_list_option_selected(self, event: PickList.OptionSelected) -> None:
        self.dismiss(event.option.id)

    def knows_key(self, key: str) -> bool:
        return super().knows_key(key) or key_name(key) in self._keys

    def on_click(self, event: events.Click) -> None:
        if not self.query_one(Frame).region.contains_point(event.screen_offset):
            self.dismiss(None)

    def on_key(self, event: events.Key) -> None:
        names = {f"{self._begun}{name}" for name in (pressed_name(event), key_name(event.key))}
        chosen = next((self._keys[name] for name in names if name in self._keys), None)
        begun = next((f"{name} " for name in names if _begins(name, self._keys)), "")
        was_begun, self._begun = self._begun, begun
        if not (chosen or begun or was_begun) or names == {_ENTER}:
            super().on_key(event)
            return
        event.stop()
        event.prevent_default()
        if chosen is not None:
            self.dismiss(chosen)
        elif begun:
            self.tell(f"{begun}… one more key")
        elif event.key == "escape":
            self._say_footer()
        else:
            self.tell(f"‘{min(names)}’ does nothing here")


def _begins(name: str, keys: Iterable[str]) -> bool:
    return any(key.startswith(f"{name} ") for key in keys)


def _title(tasks: Sequence[Task]) -> str:
    if len(tasks) != 1:
        return counted(len(tasks), "card")
    return "new" if tasks[0].is_local else f"#{tasks[0].id}"


def _row(entry: MenuEntry) -> TwoSided:
    command = entry.command
    if command.reason:
        word = Content.styled(f" {entry.word}  {command.short}", "$quiet")
        return TwoSided(word, Content.styled(command.key, "$quiet"))
    style = "$refused" if entry.word.startswith(_DELETING) else ""
    return TwoSided(
        Content.styled(f" {entry.word}", style), Content.styled(command.key, "bold $primary")
    )
