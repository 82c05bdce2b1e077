"""The line of facts below the title of a task, in the roles of a card; a click edits a fact."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from textual import events
from textual.message import Message
from textual.strip import Strip

from tui.model.board import BoardView
from tui.model.events.history import Age, age_in_words
from tui.model.people import Account
from tui.model.relations import Relations
from tui.model.task import Priority, Task, blocked_labels
from tui.model.urgency import is_overdue, is_upcoming
from tui.text.dates import relative
from tui.widgets import glyphs
from tui.widgets.painted import Line, Painted, fitted, line_width

GAP = "  "


class Fact(NamedTuple):
    """A fact as drawn, with the id of the action that changes or shows it."""

    action_id: str
    line: Line


class FactsLine(Painted):
    """The most important facts of a task on one line, cut to the width."""

    @dataclass(eq=False, repr=False)
    class Clicked(Message):
        """The user clicked a fact."""

        fact: Fact

    def __init__(self) -> None:
        super().__init__()
        self._facts: tuple[Fact, ...] = ()

    def show(self, facts: Sequence[Fact]) -> None:
        if tuple(facts) != self._facts:
            self._facts = tuple(facts)
            self.refresh()

    def render_line(self, y: int) -> Strip:
        del y
        spans = (span for fact in self._facts for span in (*fact.line, (GAP, "text")))
        return self.strip(fitted(spans, self.size.width, "text"))

    def on_click(self, event: events.Click) -> None:
        offset, end = event.get_content_offset(self), 0
        if offset is None:
            return
        for fact in self._facts:
            end += line_width(fact.line)
            if offset.x < end:
                self.post_message(self.Clicked(fact))
                return
            end += len(GAP)


def facts_of(
    view: BoardView,
    task: Task,
    now: datetime,
    me: Account,
    age: Age | None,
    *,
    is_stale: bool,
    relations: Relations,
) -> list[Fact]:
    """The facts of a task at `now`, wall-clock time; `age` is that in its stage, if known."""
    facts: list[Fact] = []
    blocking = () if task.is_closed else blocked_labels(task.labels)
    if (stage := view.stage(task.stage_id)) is not None:
        age_words = f" {age_in_words(age, now.astimezone())}" if age and not task.is_closed else ""
        stale = f" {glyphs.STALE} stale" if is_stale and age_words else ""
        line = ((stage.title, "text"), (age_words, "quiet"), (stale, "warn"))
        facts.append(Fact("task.move-to", line))
    if task.is_closed:
        facts.append(Fact("task.close", ((f"closed {glyphs.DONE}", "good"),)))
    else:
        if what_blocks := relations.what_blocks(task):
            chip = (f" {glyphs.BLOCKED} {what_blocks} ", "blocked")
            facts.append(Fact("task.block", (chip,)))
        if held_up := relations.held_up(task):
            count = (f"{glyphs.HOLDS_UP}{len(held_up)}", "strong")
            facts.append(Fact("task.block", (count,)))
        if task.due_at is not None:
            is_late, when = is_overdue(task, now), relative(task.due_at, now)
            role = "bad" if is_late else "warn" if is_upcoming(task, now) else "quiet"
            facts.append(Fact("task.due", ((when if is_late else f"due {when}", role),)))
    if task.priority is Priority.HIGH:
        facts.append(Fact("task.priority", ((f"{glyphs.HIGH} high", "strong"),)))
    facts += [
        Fact("task.labels", ((glyphs.CHIP, label.color), (label.title, "text")))
        for label in task.labels
        if label not in blocking
    ]
    facts += [
        Fact("task.assign", ((person.name, "accent" if me.is_of(person) else "text"),))
        for person in task.assignees
    ]
    if task.subtasks_total:
        done = f"{task.subtasks_done}/{task.subtasks_total}"
        facts.append(Fact("task.part-subtasks", ((f"{glyphs.SUBTASKS}{done}", "quiet"),)))
    if task.comments_count:
        facts.append(Fact("task.thread", ((f"{glyphs.COMMENTS}{task.comments_count}", "quiet"),)))
    return facts
