"""An input of one line within a screen: a title typed in place, a filter, a stage's name.

Enter submits what was typed; Esc cancels, and hands it over too; no other key leaves it. What is
typed may be kept as a draft meanwhile.
"""

from dataclasses import dataclass
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import Input

from tui.config.drafts import DraftOfOne


class LineInput(Input):
    """An input that knows what it is for by its `purpose`.

    What is typed is kept in the `draft`, from which it starts if there is something; whoever takes
    the text forgets it. Where it `takes_lines`, several lines that are pasted are not made one.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "give_up", "cancel", id="input.cancel", tooltip="Stop typing"),
    ]

    @dataclass(eq=False, repr=False)
    class Done(Message):
        """The user pressed Enter."""

        input: "LineInput"
        text: str

    @dataclass(eq=False, repr=False)
    class GivenUp(Message):
        """The user pressed Esc; `text` is what had been typed."""

        input: "LineInput"
        text: str

    @dataclass(eq=False, repr=False)
    class Typed(Message):
        """What is typed has changed."""

        input: "LineInput"
        text: str

    @dataclass(eq=False, repr=False)
    class LinesPasted(Message):
        """Several lines were pasted; `text` is what was typed, with them in it."""

        input: "LineInput"
        text: str

    def __init__(
        self,
        purpose: str,
        value: str = "",
        *,
        placeholder: str = "",
        draft: DraftOfOne | None = None,
        takes_lines: bool = False,
    ) -> None:
        left = None if draft is None else draft.text()
        super().__init__(
            value if left is None else left,
            placeholder=placeholder,
            compact=True,
            select_on_focus=False,
        )
        self.purpose = purpose
        self.draft = draft
        self.is_from_draft = left is not None
        self._takes_lines = takes_lines

    def forget_draft(self) -> None:
        """What was typed was handed over, or given up."""
        if self.draft is not None:
            self.draft.forget()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Hand over what was typed."""
        event.stop()
        self.post_message(self.Done(self, event.value))

    def on_input_changed(self, event: Input.Changed) -> None:
        """Keep it, and say that it changed; an input that was emptied is no draft of its own."""
        event.stop()
        if self.draft is not None and event.value:
            self.draft.keep(event.value)
        self.post_message(self.Typed(self, event.value))

    def on_paste(self, event: events.Paste) -> None:
        """Insert several lines as one, or hand them over; Textual would drop all but the first."""
        lines = event.text.splitlines()
        if len(lines) <= 1:
            return
        event.prevent_default()
        event.stop()
        start, end = sorted(self.selection)
        if self._takes_lines and sum(bool(line.strip()) for line in lines) > 1:
            pasted = "\n".join(lines)  # terminals send carriage returns in a paste
            text = f"{self.value[:start]}{pasted}{self.value[end:]}"
            self.post_message(self.LinesPasted(self, text))
        else:
            self.replace(" ".join(event.text.split()), start, end)

    def action_give_up(self) -> None:
        """Stop typing."""
        self.post_message(self.GivenUp(self, self.value))
