"""A one-line input within a screen: for a title edited in place, a filter or the name of a stage.

Enter submits and Esc cancels; both post the text. No other key leaves the input. The text can be
saved as a draft while it is typed, and its words can be completed.
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
from tui.text.keyed import keyed
from tui.widgets.keys import quiet_keys
from tui.widgets.text_input import TextInput

_WORD = re.compile(r"\S+")

Completions = Callable[[str], Sequence[str]]
"""Gives the completions of a word, best first."""


class _Completed(NamedTuple):
    """The last completion: the text after it, the end of the word, and all candidates."""

    text: str
    end: int
    words: Sequence[str]
    chosen: int


@dataclass(eq=False, repr=False)
class _Text(Message):
    """The text of an input."""

    input: "LineInput"
    text: str


class LineInput(TextInput):
    """A one-line input; `purpose` tells its owner what the text is for.

    The text is saved to `draft`, and starts with a saved one; the owner deletes it. With
    `takes_lines`, a paste of several lines is posted instead of being joined to one line.
    Tab completes the word at the cursor, which is what `words` matches there; pressing it again
    takes the next completion. `enter` and `leave` say what Enter and Esc do, `offers` what Tab
    offers in an empty input, if anything.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "give_up", "cancel", id="input.cancel", tooltip="Cancel typing"),
        *quiet_keys(
            "input",
            ("complete", "tab", "complete(1)", "Complete word"),
            ("complete-back", "shift+tab", "complete(-1)", "Complete word, previous match"),
        ),
    ]

    class Done(_Text):
        """The user pressed Enter."""

    class GivenUp(_Text):
        """The user pressed Esc; `text` is the text so far."""

    class Typed(_Text):
        """The text changed."""

    class Blank(_Text):
        """The user pressed Tab in an empty input that offers something then."""

    class LinesPasted(_Text):
        """Several lines were pasted; `text` is the whole text with these lines inserted."""

    def __init__(
        self,
        purpose: str,
        value: str = "",
        *,
        placeholder: str = "",
        draft: DraftOfOne | None = None,
        takes_lines: bool = False,
        completions: Completions | None = None,
        words: re.Pattern[str] = _WORD,
        enter: str = "save",
        leave: str = "cancel",
        offers: str = "",
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
        self.takes_lines = takes_lines
        self.enter, self.leave, self.offers = enter, leave, offers
        self.completions = completions
        self._words = words
        self._completed: _Completed | None = None

    @property
    def hints(self) -> list[tuple[str, str]]:
        """The keys that do something while the input has the focus, and what they do."""
        word = "complete" if self.value.strip() or not self.offers else self.offers
        tab = [(keyed("{input.complete:tab}"), word)] if self.completions else []
        return [("↵", self.enter), *tab, (keyed("{input.cancel:esc}"), self.leave)]

    def forget_draft(self) -> None:
        """Delete the draft, because the text was submitted or discarded."""
        if self.draft is not None:
            self.draft.forget()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.post_message(self.Done(self, event.value))

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        # An empty input keeps the last draft: clearing it is not submitting it.
        if self.draft is not None and event.value:
            self.draft.keep(event.value)
        self.post_message(self.Typed(self, event.value))

    def on_paste(self, event: events.Paste) -> None:
        # Textual's input would keep the first line alone.
        lines = event.text.splitlines()
        if len(lines) <= 1:
            return
        event.prevent_default()
        event.stop()
        start, end = sorted(self.selection)
        if self.takes_lines and sum(bool(line.strip()) for line in lines) > 1:
            # Terminals send carriage returns in a paste.
            pasted = "\n".join(lines)
            text = f"{self.value[:start]}{pasted}{self.value[end:]}"
            self.post_message(self.LinesPasted(self, text))
        else:
            self.replace(" ".join(event.text.split()), start, end)

    def action_give_up(self) -> None:
        self.post_message(self.GivenUp(self, self.value))

    def action_complete(self, step: int) -> None:
        # Pressed again, the next candidate replaces the last one. A single candidate is completed
        # further: a key of the filter by its values.
        if self.offers and not self.value.strip():
            self.post_message(self.Blank(self, self.value))
            return
        previous = self._completed
        start, end = self._word
        is_again = previous is not None and (self.value, end) == previous[:2]
        if previous is not None and is_again and len(previous.words) > 1:
            words, index = previous.words, (previous.chosen + step) % len(previous.words)
        else:
            words = self.completions(self.value[start:end]) if self.completions else ()
            index = min(step, 0)
        if words:
            self.replace(words[index], start, end)
            self._completed = _Completed(self.value, self.cursor_position, words, index)

    @property
    def word(self) -> str:
        start, end = self._word
        return self.value[start:end]

    @property
    def _word(self) -> tuple[int, int]:
        at = self.cursor_position
        words = (match.span() for match in self._words.finditer(self.value))
        return next(((start, end) for start, end in words if start <= at <= end), (at, at))
