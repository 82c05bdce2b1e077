"""Dialogs that compare conflicting values: resolving a conflict, and confirming an undo."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import zip_longest
from typing import ClassVar

from textual import events
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget

from tui.dialogs.base import Dialog, DialogMessage
from tui.store.events import PendingChange, UndoNeedsConfirmation
from tui.store.operations.base import FieldDifference
from tui.store.protocol import Resolution
from tui.text.cells import cut, width as cell_width
from tui.text.dates import elapsed, local, spoken
from tui.text.keyed import keyed
from tui.text.spans import Span, wrap
from tui.widgets import glyphs
from tui.widgets.keys import hinted_keys
from tui.widgets.painted import Line, PaintedLines, fitted, on_ground

NARROW = 66
"""Below this width the cards are one above the other."""
_GAP, _LONGEST_LABEL = 2, 14
_LEAST = 24
"""With less room than this beside the names of fields, values are below them."""
_MINE: Resolution = "mine"
_THEIRS: Resolution = "theirs"
_SCROLLING = (
    ("down", "j,down", "scroll(1)", "Down", ""),
    ("up", "k,up", "scroll(-1)", "Up", ""),
)
_THINGS = {
    "board": "the board",
    "comment": "a comment",
    "field": "a custom field",
    "label": "a label",
    "member": "a member",
    "stage": "a stage",
    "subtask_group": "a group",
}
"""What both changed, by its kind; a card has a number instead."""


class Sides(PaintedLines):
    """The values of both sides on two cards, and below them the original ones.

    The cards are side by side, or one above the other where it is narrow; one may be `lit`. `heads`
    are the names of my side, theirs and the original, `notes` are at their right. With `says_rest`
    the cards say that nothing else differs.
    """

    ground = "raised"

    def __init__(
        self,
        differences: Sequence[FieldDifference],
        heads: tuple[str, str, str],
        *,
        notes: tuple[str, str] = ("", ""),
        says_rest: bool = False,
        lit: Resolution | None = None,
    ) -> None:
        super().__init__()
        self._differences, self._heads = tuple(differences), heads
        self._notes, self._says_rest = (*notes, ""), says_rest
        self.lit = lit

    def lines_now(self, size: Size) -> list[Line]:
        is_beside = size.width >= NARROW
        width = (size.width - _GAP) // 2 if is_beside else size.width
        own_lines, their_lines = self._block("ours", width), self._block("current", width)
        if is_beside:
            cards = [
                (*self._painted(left, _MINE, width), (" " * _GAP, "text"),
                 *self._painted(right, _THEIRS, width))
                for left, right in zip_longest(own_lines, their_lines, fillvalue=())
            ]  # fmt: skip
        else:
            cards = [self._painted(line, _MINE, width) for line in own_lines]
            cards += [self._painted(line, _THEIRS, width) for line in their_lines]
        return [*cards, (), *self._block("base", size.width)]

    def side_at(self, x: int, y: int) -> Resolution:
        """The card at a cell of this widget, or the nearest one."""
        width = self.size.width
        is_theirs = x >= width // 2 if width >= NARROW else y >= len(self._block("ours", width))
        return _THEIRS if is_theirs else _MINE

    def _block(self, name: str, width: int) -> list[Line]:
        # The fields of a difference are its name, ours, current, base; heads begin with ours.
        at = FieldDifference._fields.index(name) - 1
        role, head, note = "quiet" if name == "base" else "strong", self._heads[at], self._notes[at]
        head = cut(head, max(1, width - cell_width(note) - 4))
        gap = " " * max(1, width - cell_width(head) - cell_width(note) - 3)
        lines: list[Line] = [((f"  {head}{gap}", role), (note, "quiet"))]
        labels = [cut(difference.field, _LONGEST_LABEL) for difference in self._differences]
        room = max(map(cell_width, labels), default=0) + _GAP
        is_inline = width - room - _GAP > _LEAST
        for label, difference in zip(labels, self._differences, strict=True):
            begin = f"  {label}{' ' * (room - cell_width(label))}"
            if not is_inline:
                lines.append(((begin, "quiet"),))
                begin = " " * 2 * _GAP
            value = getattr(difference, name) or "none"
            weight = role if difference.ours != difference.current else "quiet"
            for spans in wrap([Span(value)], width - cell_width(begin) - 1):
                lines.append(((begin, "quiet"), ("".join(span.text for span in spans), weight)))
                begin = " " * cell_width(begin)
        if self._says_rest and name != "base":
            lines.append((("  everything else is unchanged", "quiet"),))
        return lines

    def _painted(self, line: Line, side: Resolution, width: int) -> Line:
        if side != self.lit:
            return on_ground(fitted(line, width, "text"), "card")
        (begin, first), *remaining = line or (("  ", "quiet"),)
        spans = ((f"{glyphs.BAR}{begin[1:]}", first), *remaining)
        styles = {"strong": "cursor", "quiet": "cursor-plain"}
        return fitted(((text, styles[role]) for text, role in spans), width, "cursor-plain")


class ConflictDialog(Dialog[Resolution]):
    """Shows my value and that of another person side by side, and asks which to keep.

    `other` is the name of the other person, if it is known, and `at` when they changed it; `now` is
    local time without a zone. With `is_only` nothing else differs. The answer “text” means that the
    user wants to merge both texts.
    """

    frame_class = "-wide"
    VERTICAL_BREAKPOINTS = [(0, "-low"), (24, "-high")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = [
        *hinted_keys(
            "conflict",
            ("choose-mine", "h,left", "choose('mine')", "Choose yours", ""),
            ("choose-theirs", "l,right", "choose('theirs')", "Choose theirs", ""),
            ("other", "tab,shift+tab", "choose_other", "Choose the other side", ""),
            ("keep", "enter", "keep", "Keep the selected side", "keep"),
            priority=True,
        ),
        *hinted_keys(
            "conflict",
            ("mine", "m", "answer('mine')", "Keep mine", "mine"),
            ("theirs", "t", "answer('theirs')", "Keep theirs", "theirs"),
            ("edit", "e", "edit", "Merge both texts", "edit"),
            *_SCROLLING,
        ),
    ]

    def __init__(
        self,
        waiting: PendingChange,
        now: datetime,
        *,
        other: str = "",
        at: datetime | None = None,
        is_text: bool,
        is_only: bool,
    ) -> None:
        kind, own_id = waiting.operation.subject
        thing = f"#{own_id}" if kind == "task" else _THINGS.get(kind, "this")
        title = f"You and {other or 'someone else'} both changed {thing}"
        super().__init__(title, waiting.operation.describe())
        self._is_text = is_text
        self._sides = Sides(
            waiting.differences,
            ("Yours", f"{other}’s" if other else "Theirs", "original"),
            notes=(
                elapsed(local(waiting.since), now),
                "" if at is None else elapsed(local(at), now),
            ),
            says_rest=is_only,
            lit=_MINE,
        )
        self._result = DialogMessage(classes="dialog-text")

    def body(self) -> Iterable[Widget]:
        yield VerticalScroll(self._sides, classes="sides dialog-scrolled")
        yield self._result

    def on_mount(self) -> None:
        self.action_choose(_MINE)

    def action_choose(self, side: Resolution) -> None:
        self._sides.lit = side
        self._sides.redraw()
        name, result = (
            "yours",
            "Nothing is lost: undo ({board.undo:u}) on its board restores theirs.",
        )
        if side == _THEIRS:
            name, result = "theirs", "Your change will be discarded."
            result += " {conflict.edit:e} to combine both." if self._is_text else ""
        self._result.show(keyed(result))
        edit = "{conflict.edit:e} edit both   " if self._is_text else ""
        # Another choice ends the reminder of `_explain`.
        self.query_one(".dialog-keys").remove_class("-reminded")
        self.say_keys(
            f"{{conflict.keep:↵}} keep {name}   {{conflict.mine:m}} mine   "
            f"{{conflict.theirs:t}} theirs   {edit}{{dialog.cancel:esc}} cancel   "
            "{conflict.choose-mine:h} {conflict.choose-theirs:l} choose   "
            "{conflict.down:j} {conflict.up:k} scroll"
        )

    def action_choose_other(self) -> None:
        self.action_choose(_MINE if self._sides.lit == _THEIRS else _THEIRS)

    def on_click(self, event: events.Click) -> None:
        if event.widget is self._sides:
            self.action_choose(self._sides.side_at(event.x, event.y))

    def action_keep(self) -> None:
        self.dismiss(self._sides.lit)

    def on_key(self, event: events.Key) -> None:
        if event.is_printable and event.key not in self.active_bindings:
            event.prevent_default()
            keys = "{conflict.mine:m} mine, {conflict.theirs:t} theirs, {dialog.cancel:esc} cancel"
            self._explain(f"‘{event.character}’ does nothing here: {keys}")

    def action_answer(self, how: Resolution) -> None:
        self.dismiss(how)

    def action_edit(self) -> None:
        if self._is_text:
            self.dismiss("text")
        else:
            keys = "{conflict.mine:m} to keep mine, {conflict.theirs:t} to keep theirs"
            self._explain(f"only text can be merged: {keys}")

    def _explain(self, text: str) -> None:
        self.say_keys(text)
        self.action_remind()


class EvenSoDialog(Dialog[bool]):
    """Asks whether to undo or redo despite later changes; answers True after `y`.

    `now` is local time without a zone.
    """

    frame_class = "-wide"
    reminds = True
    BINDINGS: ClassVar[list[BindingType]] = hinted_keys(
        "even-so",
        ("confirm", "y", "confirm", "Do it anyway", "do it"),
        ("leave", "n", "cancel", "Leave it unchanged", "leave it"),
        *_SCROLLING,
    )

    def __init__(self, asked: UndoNeedsConfirmation, now: datetime, *, back: bool) -> None:
        verb = "Undo" if back else "Redo"
        when = [] if asked.at is None else [spoken(local(asked.at), now, past="ago")]
        super().__init__(
            f"{verb} anyway?" if asked.differences else f"{verb} this?",
            "\n".join([asked.step, *when, *asked.why]),
        )
        self._differences = asked.differences
        self.keys_text = Content.from_markup(
            "[b $refused]$yes[/] $verb   [b]$esc[/] cancel",
            yes=keyed("{even-so.confirm:y}"),
            verb=verb.lower(),
            esc=keyed("{dialog.cancel:esc}"),
        )

    def body(self) -> Iterable[Widget]:
        if self._differences:
            sides = Sides(self._differences, ("would become", "current", "yours"))
            yield VerticalScroll(sides, classes="sides dialog-scrolled")

    def action_confirm(self) -> None:
        self.dismiss(True)
