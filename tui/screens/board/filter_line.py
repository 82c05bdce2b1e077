"""The panel that a filter is typed in: what is wrong beside it, and below it what it may become."""

from collections.abc import Sequence

from rich.highlighter import Highlighter
from rich.text import Text
from textual import events
from textual.geometry import Size
from textual.message import Message

from tui import theme
from tui.model.query.language import TERM, QueryProblem
from tui.model.query.terms import KEYS, TERMS
from tui.text.cells import cut, width as cell_width
from tui.text.clean import line
from tui.text.keyed import keyed
from tui.widgets import glyphs
from tui.widgets.bars import Notice, aligned, hint_line, ways_line
from tui.widgets.line_input import Completions, LineInput
from tui.widgets.painted import Line, PaintedLines, line_width

_SIGN = " / "
_LEAST_INPUT = 20
"""So many cells of the input are kept free of what is wrong; else that is said below it."""
_SHORT_KEYS = tuple(min(form.keys, key=len) for form in TERMS.values() if form.keys)
"""The shortest key of each kind of term, which the line below the input offers."""


class FilterInput(LineInput):
    """The input of a filter, which underlines what is wrong; `?` before a term asks for help."""

    class HelpRequested(Message):
        """The user wants to read which terms there are."""

    def __init__(self, purpose: str, value: str, completions: Completions) -> None:
        super().__init__(
            purpose,
            value,
            placeholder="words  #12  label:bug  @name  p:high  due:overdue  -is:open",
            completions=completions,
            words=TERM,
        )
        self._wrong = _Wrong()
        self.highlighter = self._wrong

    @property
    def hints(self) -> list[tuple[str, str]]:
        """None of its own: the filter knows what is wrong, see `filter_hints`."""
        return []

    def mark(self, problem: QueryProblem | None) -> None:
        """Underline where a problem is."""
        self._wrong.problem = problem
        style = theme.style_of("bad", self.app.theme_variables, "raised")
        self._wrong.style = f"{style} underline"
        self.refresh()

    def on_key(self, event: events.Key) -> None:
        if event.character == "?" and not self.word:
            event.stop()
            event.prevent_default()
            self.post_message(self.HelpRequested())


class _Wrong(Highlighter):
    """Underlines the place of a problem."""

    problem: QueryProblem | None = None
    style = "underline"

    def highlight(self, text: Text) -> None:
        if self.problem is not None:
            text.stylize(self.style, self.problem.start, self.problem.end)


class FilterPanel(PaintedLines):
    """A rule, and the line with the input, at whose right it says what is wrong."""

    ground = "raised"

    def __init__(self, line_input: FilterInput) -> None:
        super().__init__()
        self.input = line_input
        self._why = ""

    def say(self, problem: QueryProblem | None) -> bool:
        """Mark and say what is wrong, if something is; False if there is no room for it here."""
        self.input.mark(problem)
        needed = max(_LEAST_INPUT, cell_width(self.input.value) + 2)
        room = self.app.size.width - len(_SIGN) - needed
        why = f"! {problem.why}" if problem is not None else ""
        words = (f"{why} (ignored) ", f"{why} ") if why else ()
        self._why = next((text for text in words if cell_width(text) <= room), "")
        left = self.app.size.width - len(_SIGN) - cell_width(self._why)
        self.input.styles.width = max(1, left)
        self.redraw()
        return not why or self._why != ""

    def lines_now(self, size: Size) -> list[Line]:
        rule = ((glyphs.FRAME.across * size.width, "accent"),)
        return [rule, aligned(((_SIGN, "accent"),), ((self._why, "bad"),), size.width)]


def below_input(words: Sequence[str], note: str, query: str, width: int) -> Notice:
    """The line below the input: the terms that the word may become, and keys of others.

    `note` stands before them, or alone. The first one is what Tab takes.
    """
    left: list[tuple[str, str]] = [(cut(f" {note}", width - 1) if note else "", "quiet")]
    for index, word in enumerate(words):
        piece = (f" {line(word)} ", "cursor" if index == 0 else "text")
        if line_width((*left, (" ", "text"), piece)) > width - 1:
            break
        left += [(" ", "text"), piece]
    also: Line = ()
    for key in _SHORT_KEYS:
        more = (*(also or (("also", "quiet"),)), (f"  {key}:", "quiet"))
        is_used = any(
            KEYS[key] is KEYS.get(term.lstrip("-").partition(":")[0]) for term in query.split()
        )
        if not is_used and line_width((*left, *more)) + 4 <= width:
            also = more
    return Notice(tuple(left), also)


def filter_hints(width: int, *, is_wrong: bool) -> tuple[Line, Line]:
    """The keys of the input, for the footer; what is wrong cannot be kept."""
    keep = ("↵", "keep")
    keys = ((keyed("{input.complete:tab}"), "complete"), (keyed("{input.cancel:esc}"), "clear"))
    ways = ways_line((("?", "terms"),), width)
    return hint_line(keys if is_wrong else (keep, *keys), width - line_width(ways)), ways
