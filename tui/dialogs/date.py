"""Asks for a date as text, beside it what is typed often and a calendar."""

from collections.abc import Callable, Iterable, Sequence
from datetime import date, datetime
from typing import ClassVar, NamedTuple

from textual import events
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget
from textual.widgets import Input

from tui.dialogs.base import Dialog, DialogMessage
from tui.errors import CallboardError
from tui.model.fields.values import Tense, moment, says_time
from tui.text.dates import NotADate, parse_when
from tui.widgets import glyphs
from tui.widgets.calendar import Calendar
from tui.widgets.keys import quiet_keys
from tui.widgets.painted import Line, PaintedLines, line_width
from tui.widgets.text_input import TextInput

_CALENDAR_WIDTH, _CALENDAR_HEIGHT = 100, 20
"""The least size of a terminal in which the calendar is shown."""
_PRESETS_HEIGHT = 12
_NONE_KEY = "0"


class Preset(NamedTuple):
    """A text that is typed often, without a day to remove the date; `key` alone means the same."""

    key: str
    text: str
    day: str


class Presets(PaintedLines):
    """The presets, one a line, or all `in_row`; `choose` is called with the place of one."""

    ground = "raised"

    def __init__(self, presets: Sequence[Preset], choose: Callable[[int], None]) -> None:
        super().__init__()
        self.presets = tuple(presets)
        self._choose = choose
        self._is_row = False
        self._lit: int | None = None

    def light(self, place: int | None) -> None:
        """Highlight the preset at a place."""
        if place != self._lit:
            self._lit = place
            self.redraw()

    def set_row(self, *, is_row: bool) -> None:
        """Draw all in one row, or each on a line."""
        if is_row != self._is_row:
            self._is_row = is_row
            self.draw_anew()

    def find(self, typed: str) -> int | None:
        """The place of the preset that is typed, by its key or in full."""
        text = " ".join(typed.casefold().split())
        found = (place for place, preset in enumerate(self.presets) if text in preset[:2])
        return next(found, None) if text else None

    def on_click(self, event: events.Click) -> None:
        place = self._column_at(event.x) if self._is_row else event.y
        if place is not None and place < len(self.presets):
            self._choose(place)

    def lines_now(self, size: Size) -> list[Line]:
        if not self._is_row:
            return [self._line(place, size.width) for place in range(len(self.presets))]
        row: Line = ()
        for place in range(len(self.presets)):
            wider = (*row, *self._line(place, 0), ("  ", "text"))
            if line_width(wider) <= size.width:
                row = wider
        return [row]

    def _line(self, place: int, width: int) -> Line:
        # Without a width, as wide as the preset is.
        key, text, day = self.presets[place]
        name = f" {text or 'none'}"
        gap = " " * (width - len(name) - len(day) - 3) if width else ""
        end = f"{gap}{day} " if width else ""
        if place == self._lit:
            return ((f"{glyphs.BAR}{key}{name}{end}", "cursor"),)
        return ((" ", "text"), (key, "key"), (name, "text"), (end, "quiet"))

    def _column_at(self, x: int) -> int | None:
        for place in range(len(self.presets)):
            x -= line_width(self._line(place, 0)) + 2
            if x < 0:
                return place
        return None


class DateDialog(Dialog[str]):
    """Asks for a date; answers with a text that `read` accepts, empty for none.

    What is typed is explained, and followed by the calendar. The text keeps the focus, so that
    letters are always typed: a preset is chosen with the arrows up and down, by a click, or by its
    number alone, which is no date. Typing replaces the old value. Presets that are refused are left
    out; the others keep their numbers, which fingers know.

    `read` returns the time that is meant, and `explain` says it; both raise `CallboardError`. The
    text `none` removes the date. `now` is the wall clock, `is_working` says which days are not off,
    `is_due` on which cards are due.
    """

    BINDINGS: ClassVar[list[BindingType]] = quiet_keys(
        "date",
        ("save", "enter", "save", "Save the date"),
        ("next-preset", "down", "preset(1)", "Next suggested date"),
        ("previous-preset", "up", "preset(-1)", "Previous suggested date"),
        ("next-month", "pagedown", "month(1)", "A month later"),
        ("previous-month", "pageup", "month(-1)", "A month earlier"),
        ("calendar", "tab,shift+tab", "switch", "Calendar or text"),
    )

    def __init__(
        self,
        title: str,
        value: str = "",
        *,
        read: Callable[[str], datetime | None],
        explain: Callable[[str], str],
        now: Callable[[], datetime],
        presets: Iterable[str] = (),
        placeholder: str = "",
        none: str = "",
        is_working: Callable[[date], bool] = lambda _: True,
        is_due: Callable[[date], bool] = lambda _: False,
    ) -> None:
        super().__init__(title)
        self._value = value
        self._read = read
        self._explain = explain
        self._now = now
        self._none = none
        self._input = TextInput(value, placeholder=placeholder, compact=True, select_on_focus=False)
        self._message = DialogMessage(classes="dialog-text", id="reading")
        self._presets = Presets(tuple(self._accepted(presets)), self._choose_preset)
        self._calendar = Calendar(
            now().date(), self._choose_day, is_working=is_working, is_due=is_due
        )
        previous = self._when(value)
        self._previous = self._short(value, previous) if previous else ""
        self._filled = value
        self._typed = value
        self._place: int | None = None

    def body(self) -> Iterable[Widget]:
        typed = Vertical(self._presets, self._input, self._message, classes="date-text")
        yield Horizontal(typed, Vertical(self._calendar, classes="date-days"), classes="date-sides")

    def on_mount(self) -> None:
        self._fit()
        self._draw(self._value)
        self._input.select_all()

    def on_resize(self) -> None:
        self._fit()

    def on_descendant_focus(self) -> None:
        self._show_keys()

    def on_input_changed(self, event: Input.Changed) -> None:
        if event.value != self._filled:
            self._place = None
            self._filled = event.value
            self._draw(event.value)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self._save(event.value)

    def on_key(self, event: events.Key) -> None:
        if self.focused is self._calendar and event.is_printable and event.character:
            # A blank adds a time to the day; anything else is another date.
            event.stop()
            event.prevent_default()
            self._type(f"{self._input.value} " if event.key == "space" else event.character)

    def on_paste(self, event: events.Paste) -> None:
        # Of what is pasted while the calendar has the focus; else it does not come here.
        if self.focused is self._calendar and event.text:
            self._type(event.text.splitlines()[0])

    def action_preset(self, by: int) -> None:
        last = len(self._presets.presets) - 1
        place = self._place
        if place is None:
            self._typed = self._input.value
            place = self._presets.find(self._typed)
        place = by - 1 if place is None else place + by
        if place < 0:
            self._place = None
            self._fill(self._typed)
        else:
            self._choose_preset(min(place, last))

    def action_month(self, by: int) -> None:
        self._calendar.move_months(by)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        # Where there is no calendar, the dialog says that its key does nothing.
        if action == "switch" and not self.has_class("-wide"):
            return False
        return super().check_action(action, parameters)

    def action_switch(self) -> None:
        self.set_focus(self._input if self.focused is self._calendar else self._calendar)

    def action_save(self) -> None:
        self._save(self._input.value)

    def _accepted(self, texts: Iterable[str]) -> Iterable[Preset]:
        for number, text in enumerate(texts, 1):
            try:
                when = self._read(text)
            except CallboardError:
                continue
            if when is not None:
                yield Preset(str(number), text, self._short(text, when))
        yield Preset(_NONE_KEY, self._none, "")

    def _short(self, text: str, when: datetime) -> str:
        now = self._now()
        return moment(when, now, Tense.EVENT if says_time(text, now) else Tense.DAY)

    def _choose_preset(self, place: int) -> None:
        self._place = place
        self._fill(self._presets.presets[place].text)

    def _choose_day(self, day: date) -> None:
        self._place = None
        typed = self._meant(self._input.value)
        when = self._when(typed)
        at = f" {when:%H:%M}" if when is not None and says_time(typed, self._now()) else ""
        self._fill(f"{day:%Y-%m-%d}{at}")

    def _fill(self, text: str) -> None:
        self._filled = self._input.value = text
        self._input.cursor_position = len(text)
        self._draw(text)

    def _type(self, text: str) -> None:
        """Go back to the text, which is this one now, to type what follows it."""
        self.set_focus(self._input)
        self._place = None
        self._fill(text)

    def _meant(self, typed: str) -> str:
        """The typed text, or that of the preset with this number."""
        place = self._presets.find(typed)
        return typed if place is None else self._presets.presets[place].text

    def _when(self, text: str) -> datetime | None:
        # A day that is refused because it is past still is a place in the calendar.
        try:
            return self._read(text)
        except CallboardError:
            pass
        try:
            return parse_when(text, self._now())
        except NotADate:
            return None

    def _draw(self, typed: str) -> bool:
        text = self._meant(typed)
        when = self._when(text)
        self._calendar.show(when.date() if when else None)
        self._presets.light(self._presets.find(typed) if self._place is None else self._place)
        try:
            words = self._explain(text)
        except CallboardError as error:
            self._message.explain(error)
            return False
        previous = f"\nwas {self._previous}" if text != self._value and self._previous else ""
        self._message.show(Content.assemble((words, "bold $success"), (previous, "$quiet")))
        return True

    def _save(self, typed: str) -> None:
        if self._draw(typed):
            self.dismiss(self._meant(typed))

    def _fit(self) -> None:
        width, height = self.app.size
        is_wide = width >= _CALENDAR_WIDTH and height >= _CALENDAR_HEIGHT
        self.set_class(is_wide, "-wide")
        self._presets.set_row(is_row=not is_wide)
        self._presets.display = height >= _PRESETS_HEIGHT
        if not is_wide and self.focused is self._calendar:
            self._type(self._input.value)
        self._show_keys()

    def _show_keys(self) -> None:
        if self.focused is self._calendar:
            keys = (
                "{date.save:↵} save   {calendar.previous-day:←} {calendar.next-day:→}"
                " {calendar.previous-week:↑} {calendar.next-week:↓} day"
                "   {date.previous-month:pgup} {date.next-month:pgdn} month"
                "   {date.calendar:tab} text"
            )
        else:
            keys = "↵ save   {date.next-preset:↓} choose"
            if self.has_class("-wide"):
                keys += "   {date.calendar:tab} calendar"
        self.say_keys(f"{keys}   {{dialog.cancel:esc}} cancel")
