"""A new card with all its fields, asked for in a form."""

from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from tui.actions.tasks.cards import Cards
from tui.model.board import BoardView, Place
from tui.model.task import Priority, Task
from tui.runtime.key_queue import keys_held
from tui.screens.board.deck import Deck
from tui.screens.board.swimlanes import field_changes
from tui.store import operations as change
from tui.store.operations.base import Operation
from tui.text.clean import quoted
from tui.text.dates import parse_when

if TYPE_CHECKING:
    from tui.dialogs.form import Answers, FormDialog, Send


async def ask_for_card(tasks: Cards, deck: Deck) -> None:
    """Ask for the fields of a card, and create it: below the cursor, or last in another stage.

    The form begins with what the lane at the cursor gives.
    """
    from tui.text.markdown import to_html

    if deck.stage_id is None:
        why, hint = deck.why_no_card
        tasks.say(why, hint=hint)
        return
    here, above, by, lane = deck.stage_id, deck.current, deck.grid.by, deck.lane
    start = Task(0, tasks.board_id, here, "")
    if by is not None and lane is not None:
        start = by.moved(start, lane.id) or start

    async def keep(answers: "Answers") -> None:
        view = tasks.view
        if view is None:
            return
        stage_id, title = int(answers["stage"]), answers["title"]
        priority = Priority(answers["priority"])
        made = change.CreateTask.new(tasks.board_id, stage_id, title, priority)
        task = Task(made.task_id, made.board_id, stage_id, title, priority=priority)
        people, labels = (set(answers[name].split(",")) for name in ("people", "labels"))
        wanted = replace(
            task,
            due_at=parse_when(answers["due"], tasks.now()) if answers["due"] else None,
            assignees=tuple(one for one in view.people if str(one.id) in people),
            labels=tuple(one for one in view.labels if str(one.id) in labels),
        )
        operations: list[Operation] = [made]
        ids = [one.id for one in view.in_stage(stage_id)]
        if stage_id == here and above is not None and above.id in ids[:-1]:
            below = ids[ids.index(above.id) + 1]
            operations.append(change.MoveTask.on(task, stage_id, Place(above.id, below)))
        operations += field_changes(task, wanted)
        if description := answers["description"].strip():
            operations.append(change.set_description(task, to_html(description)))
        with keys_held(tasks.host.app):
            is_added = await tasks.keep(operations, f"added {quoted(title)}")
        if is_added:
            deck.go_to_task(tasks.called(task.id))

    await tasks.ask(_form(deck.whole, start, tasks.now(), keep))


def _form(view: BoardView, start: Task, now: datetime, keep: "Send") -> "FormDialog":
    """The form with the fields of `start`."""
    from tui.dialogs.form import Choice, Field, FormDialog

    def check(answers: "Answers") -> None:
        if answers["due"]:
            parse_when(answers["due"], now)

    stages = [Choice(str(one.id), one.title or "(no title)") for one in view.stages]
    people = [Choice(str(one.id), one.name or one.login) for one in view.people]
    labels = [Choice(str(one.id), one.title or one.color, one.color) for one in view.labels]
    due = f"{start.due_at:%Y-%m-%d %H:%M}" if start.due_at else ""
    assigned = ",".join(str(one.id) for one in start.assignees)
    labelled = ",".join(str(one.id) for one in start.labels)
    fields = (
        Field("title", "Title", is_required=True),
        Field("stage", "Stage", str(start.stage_id), stages),
        Field("due", "Due date", due, placeholder="fri, +3d, 1 dec 17:00"),
        Field("people", "Assignees", assigned, many=people),
        Field("labels", "Labels", labelled, many=labels),
        Field("priority", "Priority", start.priority.value, [Choice(one, one) for one in Priority]),
        Field("description", "Description", is_lines=True),
    )
    return FormDialog("New card", fields, verb="add", check=check, send=keep)
