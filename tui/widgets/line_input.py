"""An input of one line within a screen: a title typed in place, a filter, a stage's name.

Enter submits what was typed; Esc cancels, and hands it over too; no other key leaves it. What is
typed may be kept as a draft meanwhile, and its words may be completed.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import Input

from tui.config.drafts import DraftOfOne

_WORD = re.compile(r"\S+")

Completions = Callable[[str], Sequence[str]]
"""What a word may become, the best first."""


class _Completed(NamedTuple):
    """A word that was completed: the text since, where the word ends, and what comes next."""

    text: str
    end: int
    words: Sequence[str]
    chosen: int


class LineInput(Input):
    """An input that knows what it is for by its `purpose`.

    What is typed is kept in the `draft`, from which it starts if there is something; the owner
    clears it. Where it `takes_lines`, several lines that are pasted are not made one.
    Tab completes the word at the cursor by `completions`, again with the next one.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "give_up", "cancel", id="input.cancel", tooltip="Cancel typing"),
        Binding(
            "tab",
            "complete(1)",
            "Complete",
            id="input.complete",
            show=False,
            tooltip="Complete word",
        ),
        Binding(
            "shift+tab",
            "complete(-1)",
            "Complete back",
            id="input.complete-back",
            show=False,
            tooltip="Complete word, previous match",
        ),
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
        completions: Completions = lambda word: (),  # noqa: ARG005  nothing is completed
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
        self._completions = completions
        self._completed: _Completed | None = None

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

    def action_complete(self, step: int) -> None:
        """Complete the word at the cursor; right after that, with its next completion."""
        before = self._completed
        start, end = self._word
        if before is not None and (self.value, end) == before[:2]:
            words, index = before.words, (before.chosen + step) % len(before.words)
        else:
            words, index = self._completions(self.value[start:end]), min(step, 0)
        if words:
            self.replace(words[index], start, end)
            self._completed = _Completed(self.value, self.cursor_position, words, index)

    @property
    def _word(self) -> tuple[int, int]:
        """Where the word at the cursor begins and ends."""
        at = self.cursor_position
        words = (found.span() for found in _WORD.finditer(self.value))
        return next(((start, end) for start, end in words if start <= at <= end), (at, at))
