"""A dialog with several fields: texts, choices, toggles and lines."""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import ClassVar, NamedTuple

from textual import events
from textual.binding import BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input, Static, TextArea
from textual.worker import WorkType

from tui.dialogs.base import Dialog, DialogMessage
from tui.dialogs.pick.find import Choice
from tui.errors import CallboardError
from tui.model.colors import drawable
from tui.runtime.key_queue import Opening, await_opening, await_worker, drop_keys
from tui.text.fuzzy import rank
from tui.widgets import glyphs
from tui.widgets.keys import hinted_keys, quiet_keys
from tui.widgets.text_input import TextInput

__all__ = ("Answers", "Check", "Choice", "FormDialog", "FormField", "Send")

_SENDING = "form"
_NO_YES = (Choice("", "no"), Choice("yes", "yes"))


class FormField(NamedTuple):
    """A field of a form.

    Its kind follows from its values: a bool is a toggle, `choices` make a choice, `many` is for any
    number of choices, which are picked in a dialog of their own and separated by commas in the
    value, `is_lines` a text of several lines, anything else is one line of text, which `is_hidden`
    shows as dots. For a date, `calendar` makes a dialog from what is typed, to choose another one.
    One that `is_required` cannot be empty, one with a reason in `why_not` cannot be changed.
    """

    name: str
    label: str
    value: str | bool = ""
    choices: Sequence[Choice[str]] = ()
    many: Sequence[Choice[str]] | None = None
    is_lines: bool = False
    is_hidden: bool = False
    is_required: bool = False
    placeholder: str = ""
    why_not: str = ""
    calendar: Callable[[str], Dialog[str]] | None = None


Answers = Mapping[str, str]
"""The answer of a form by name of field; a toggle that is on is `yes`, else empty.

In one line of text that is not hidden, white space is folded.
"""

Check = Callable[[Answers], object]
"""Raises `CallboardError` for answers that are not valid."""

Send = Callable[[Answers], Awaitable[object]]
"""Sends the answers to the service. Raises `CallboardError`."""


class Chooser(Static, can_focus=True):
    """A choice or a toggle: changed by arrows, space, or typing the start of an option."""

    def __init__(self, field: FormField) -> None:
        super().__init__()
        self._choices = tuple(field.choices) or _NO_YES
        self._why_not = field.why_not
        self._typed = ""
        value = "yes" if field.value is True else field.value or ""
        values = [choice.value for choice in self._choices]
        self._at = values.index(value) if value in values else 0

    @property
    def value(self) -> str:
        return self._choices[self._at].value

    def on_mount(self) -> None:
        self._draw()

    def on_focus(self) -> None:
        self._typed = ""
        self._draw()

    def on_blur(self) -> None:
        self._draw()

    def turn(self, by: int) -> None:
        if not self._why_not:
            self._at = (self._at + by) % len(self._choices)
            self._draw()

    def find(self, letter: str) -> None:
        """Select the option that fits what was typed best."""
        labels = [choice.label for choice in self._choices]
        # If no option begins like all that was typed, the last letter begins another search.
        for typed in () if self._why_not else (self._typed + letter, letter):
            self._typed = typed
            if ranked := rank(typed, labels):
                self._at = ranked[0]
                self._draw()
                return

    def _draw(self) -> None:
        choice = self._choices[self._at]
        if self._why_not:
            self.update(Content.styled(f"{choice.label}  {self._why_not}", "$quiet"))
            return
        chip = Content.styled(f"{glyphs.CHIP * 2} ", drawable(choice.color)) if choice.color else ""
        self.update(Content.assemble("‹ ", chip, choice.label, " ›"))


class Picker(Static, can_focus=True):
    """Any number of choices: Space opens the dialog in which they are picked."""

    def __init__(self, field: FormField) -> None:
        super().__init__()
        self._label = field.label
        self._choices = {choice.value: choice for choice in field.many or ()}
        self.value = str(field.value)

    def on_mount(self) -> None:
        self._draw()

    async def pick(self) -> None:
        from tui.dialogs.pick.many import PickMany

        chosen = frozenset(filter(None, self.value.split(",")))
        dialog = PickMany(self._label, tuple(self._choices.values()), chosen)
        picked = await self.app.push_screen_wait(dialog)
        if picked is not None:
            self.value = ",".join(value for value in self._choices if value in picked.chosen)
            self._draw()

    def _draw(self) -> None:
        values = filter(None, self.value.split(","))
        labels = (self._choices.get(value, Choice(value, value)).label for value in values)
        self.update(Content(", ".join(labels) or "none"))


class MultilineInput(TextArea):
    """Several lines, with the cursor at their end; Tab leaves the field."""

    def __init__(self, text: str) -> None:
        super().__init__(text, tab_behavior="focus", compact=True)
        self.move_cursor(self.document.end)

    @property
    def value(self) -> str:
        return self.text


class FormDialog(Dialog[Answers]):
    """Asks for several values; invalid ones are explained and can be corrected.

    With `send` it stays open until the service has accepted the answers.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        *hinted_keys("form", ("take", "enter", "take", "Save the form", "ok")),
        *quiet_keys("form", ("save", "ctrl+s", "take", "Save the form"), priority=True),
        *quiet_keys(
            "form",
            ("next", "down,tab", "go(1)", "Next field"),
            ("previous", "up,shift+tab", "go(-1)", "Previous field"),
            ("next-option", "right,space", "turn(1)", "Next option"),
            ("previous-option", "left", "turn(-1)", "Previous option"),
            ("calendar", "ctrl+o", "calendar", "Choose date in a calendar"),
        ),
    ]

    def __init__(
        self,
        title: str,
        fields: Sequence[FormField],
        *,
        verb: str = "save",
        check: Check | None = None,
        send: Send | None = None,
    ) -> None:
        super().__init__(title)
        self._verb = verb
        self._check = check
        self._send = send
        self._is_sending = False
        self._fields = tuple(fields)
        self._inputs = {field.name: _input(field) for field in fields}
        self._problem = DialogMessage(classes="dialog-text", id="problem")
        self._problem.display = False

    def body(self) -> Iterable[Widget]:
        rows = []
        width = max(len(field.label) for field in self._fields) + 2
        for field in self._fields:
            label = Static(Content(field.label), classes="form-label")
            label.styles.width = width
            row = Horizontal(label, self._inputs[field.name], classes="form-row")
            row.set_class(field.is_lines, "-lines")
            rows.append(row)
        return VerticalScroll(*rows, classes="form-rows", can_focus=False), self._problem

    def on_descendant_focus(self) -> None:
        self._show_keys()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.action_take()

    def on_key(self, event: events.Key) -> None:
        is_letter = event.is_printable and event.key != "space"
        if isinstance(self.focused, Chooser) and is_letter and event.character:
            event.stop()
            event.prevent_default()
            self.focused.find(event.character)

    def action_go(self, by: int) -> None:
        inputs = list(self._inputs.values())
        at = inputs.index(self.focused) if self.focused in inputs else 0
        inputs[(at + by) % len(inputs)].focus()

    def action_turn(self, by: int) -> None:
        if isinstance(self.focused, Chooser):
            self.focused.turn(by)
        elif isinstance(self.focused, Picker):
            await_worker(self.app, self, self.run_worker(self.focused.pick, exclusive=True))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        # Where the key has no effect, the dialog says so.
        if action == "calendar" and self._calendar is None:
            return False
        return super().check_action(action, parameters)

    @property
    def _calendar(self) -> Callable[[str], Dialog[str]] | None:
        fields = (field for field in self._fields if self._inputs[field.name] is self.focused)
        return next((field.calendar for field in fields), None)

    def action_calendar(self) -> None:
        if self._calendar is not None and isinstance(self.focused, Input):
            deliver: WorkType[None] = partial(self._choose_date, self.focused, self._calendar)
            await_worker(self.app, self, self.run_worker(deliver, exclusive=True))

    async def _choose_date(self, typed: Input, calendar: Callable[[str], Dialog[str]]) -> None:
        chosen = await self.app.push_screen_wait(calendar(typed.value))
        if chosen is not None:
            typed.value = chosen
            typed.cursor_position = len(chosen)

    def action_take(self) -> None:
        if self._is_sending:
            return
        # Blanks in a password may be part of it.
        answers = {
            name: " ".join(widget.value.split())
            if isinstance(widget, Input) and not widget.password
            else widget.value
            for name, widget in self._inputs.items()
        }
        for field in self._fields:
            if field.is_required and not answers[field.name]:
                self._explain(CallboardError(f"{field.label} is required."))
                return
        try:
            if self._check is not None:
                self._check(answers)
        except CallboardError as error:
            self._explain(error)
            return
        if self._send is None:
            self.dismiss(answers)
        else:
            self._is_sending = True
            self.say_keys("sending …")
            # Keys that are typed meanwhile wait, as they are meant for what comes after the form.
            await_opening(self.app, Opening(lambda: self._is_sending, cancel=self._stop_sending))
            deliver: WorkType[None] = partial(self._deliver, self._send, answers)
            self.run_worker(deliver, group=_SENDING)

    async def _deliver(self, send: Send, answers: Answers) -> None:
        try:
            await send(answers)
        except CallboardError as error:
            self._is_sending = False
            self._explain(error)
            self._show_keys()
            # The form stays: what was typed ahead is not meant for it.
            drop_keys(self.app)
        else:
            self._is_sending = False
            self.dismiss(answers)

    def _stop_sending(self) -> bool:
        # What was typed stays: the service may have it, or may not.
        self.workers.cancel_group(self, _SENDING)
        self._is_sending = False
        self._explain(CallboardError("Stopped waiting: it may still have been sent."))
        self._show_keys()
        return True

    def _explain(self, error: CallboardError) -> None:
        self._problem.show(f"{error.message} {error.hint}".strip(), is_problem=True)
        self._problem.display = True
        self.add_class("-explained")
        # The message takes room from the rows, once it is laid out.
        if self.focused is not None:
            self.call_after_refresh(self.focused.scroll_visible, animate=False)

    def _show_keys(self) -> None:
        is_text = isinstance(self.focused, TextArea)
        keys = f"{'{form.save:ctrl+s}' if is_text else '{form.take:↵}'} {self._verb}"
        if len(self._inputs) > 1:
            keys += "   tab next" if is_text else "   {form.next:↓} next"
        if isinstance(self.focused, Chooser):
            keys += "   {form.previous-option:←} {form.next-option:→} choose"
        if isinstance(self.focused, Picker):
            keys += "   space select"
        if self._calendar is not None:
            keys += "   {form.calendar:ctrl+o} calendar"
        self.say_keys(f"{keys}   {{dialog.cancel:esc}} cancel")


def _input(field: FormField) -> MultilineInput | Picker | Chooser | TextInput:
    if field.is_lines:
        return MultilineInput(str(field.value))
    if field.many is not None:
        return Picker(field)
    if field.choices or isinstance(field.value, bool):
        return Chooser(field)
    return TextInput(
        field.value,
        placeholder=field.why_not or field.placeholder,
        compact=True,
        password=field.is_hidden,
        select_on_focus=False,
        disabled=bool(field.why_not),
    )
