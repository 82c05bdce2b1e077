"""Choices that are all on screen, wrapped to the width: one of them, or any number."""

from collections.abc import Callable, Sequence
from typing import ClassVar, NamedTuple

from textual import events
from textual.binding import BindingType
from textual.geometry import Size

from tui.text.cells import cut
from tui.widgets import glyphs
from tui.widgets.keys import quiet_keys
from tui.widgets.painted import Line, PaintedLines, Span, line_width

_LONGEST = 28
_GAP = 1


class Option(NamedTuple):
    """A value with its name."""

    value: str
    name: str


class Choices(PaintedLines, can_focus=True):
    """Options of which the chosen ones are chips, or have a tick; a change calls `changed`.

    Without `are_many`, exactly one is chosen; choosing it again reverses it unless `is_reversed` is
    None. With `first_alone`, the first stands for all others and is chosen when no other is. With
    `in_order`, the chosen ones come first, in an order that can be changed. At most `most` lines
    are shown.
    """

    ground = "raised"
    BINDINGS: ClassVar[list[BindingType]] = quiet_keys(
        "choices",
        ("next", "right,l", "step(1)", "Next choice"),
        ("previous", "left,h", "step(-1)", "Previous choice"),
        ("select", "space", "select", "Select or clear choice"),
        ("earlier", "left_square_bracket", "shift(-1)", "Move choice to the left"),
        ("later", "right_square_bracket", "shift(1)", "Move choice to the right"),
    )

    def __init__(
        self,
        options: Sequence[Option],
        chosen: Sequence[str],
        changed: Callable[[], None],
        *,
        are_many: bool = False,
        first_alone: bool = False,
        in_order: bool = False,
        is_reversed: bool | None = None,
        most: int = 3,
    ) -> None:
        super().__init__()
        self._options = list(options)
        self._are_many = are_many
        self._first_alone = first_alone
        self._in_order = in_order
        self._changed = changed
        self._most = most
        self.is_reversed = is_reversed
        """Whether the chosen one is in reverse; None where that makes no sense."""
        self.chosen = list(chosen)
        if first_alone and not self.chosen:
            self.chosen = [self._options[0].value]
        self._sort()
        values = [option.value for option in self._options]
        self._at = values.index(self.chosen[0]) if self.chosen and not in_order else 0

    def show_at_most(self, lines: int) -> None:
        """Show no more lines than these; the others are scrolled to."""
        if lines != self._most:
            self._most = lines
            self.draw_anew()

    def on_focus(self) -> None:
        self.redraw()

    def on_blur(self) -> None:
        self.redraw()

    def action_step(self, by: int) -> None:
        self._at = (self._at + by) % len(self._options)
        self.redraw()

    def action_select(self) -> None:
        value = self._options[self._at].value
        is_chosen = value in self.chosen
        if not self._are_many:
            if is_chosen and self.is_reversed is None:
                return
            if self.is_reversed is not None:
                self.is_reversed = is_chosen and not self.is_reversed
            self.chosen = [value]
        elif self._first_alone:
            self._select_beside_all(value)
        elif is_chosen:
            self.chosen.remove(value)
        else:
            self.chosen.append(value)
        self._sort()
        self._keep_at(value)

    def _select_beside_all(self, value: str) -> None:
        everything = self._options[0].value
        if value == everything:
            self.chosen = [everything]
            return
        self.chosen = [other for other in self.chosen if other not in (everything, value)] + (
            [] if value in self.chosen else [value]
        )
        self.chosen = self.chosen or [everything]

    def action_shift(self, by: int) -> None:
        value = self._options[self._at].value
        if not self._in_order or value not in self.chosen:
            return
        at = self.chosen.index(value)
        to = max(0, min(at + by, len(self.chosen) - 1))
        self.chosen.insert(to, self.chosen.pop(at))
        self._sort()
        self._keep_at(value)

    def _sort(self) -> None:
        if self._in_order:
            places = {value: place for place, value in enumerate(self.chosen)}
            self._options.sort(key=lambda option: places.get(option.value, len(places)))

    def _keep_at(self, value: str) -> None:
        self._at = [option.value for option in self._options].index(value)
        self.redraw()
        self._changed()

    def on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset(self)
        if offset is None:
            return
        row = self._first_row(self.size.width) + offset.y
        for index, (line, column, width) in enumerate(self._places(self.size.width)):
            if line == row and column <= offset.x < column + width:
                self._at = index
                self.action_select()
                return

    def lines_now(self, size: Size) -> list[Line]:
        lines: list[list[Span]] = []
        for index, (row, _, _) in enumerate(self._places(size.width)):
            if row == len(lines):
                lines.append([])
            lines[row] += self._piece(index)
        first = self._first_row(size.width)
        return [tuple(line) for line in lines[first : first + self._most]]

    def _first_row(self, width: int) -> int:
        # The first row that is shown, so that the option at the cursor is in sight.
        rows = [row for row, _, _ in self._places(width)]
        return max(0, min(rows[self._at], rows[-1] - self._most + 1)) if rows else 0

    def _places(self, width: int) -> list[tuple[int, int, int]]:
        places, row, column = [], 0, 0
        for index in range(len(self._options)):
            wide = line_width(self._piece(index))
            if column and column + wide > width:
                row, column = row + 1, 0
            places.append((row, column, wide))
            column += wide
        return places

    def _piece(self, index: int) -> list[Span]:
        value, name = self._options[index]
        is_chosen = value in self.chosen
        lead = glyphs.HERE if self.has_focus and index == self._at else " "
        name = cut(name, _LONGEST)
        if self._in_order:
            sign: Span = (f"{glyphs.DONE} ", "good") if is_chosen else (f"{glyphs.DUE} ", "quiet")
            return [(lead, "accent"), sign, (f"{name} ", "text" if is_chosen else "quiet")]
        if not is_chosen:
            return [(lead, "accent"), (f"{name} ", "text"), (" " * _GAP, "text")]
        arrow = ""
        if self.is_reversed is not None:
            arrow = f"{glyphs.SORTED_DOWN if self.is_reversed else glyphs.HIGH} "
        return [(f"{lead}{arrow}{name} ", "cursor"), (" " * _GAP, "text")]
