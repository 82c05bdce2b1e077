"""Cards made from templates: cards of the board that are templates, each with what is on it.

The service makes the copy, so that subtasks and fields come along that were never read here.
"""

from collections.abc import Iterable
from dataclasses import replace

from tui.actions.availability import missing
from tui.actions.tasks.cards import Cards
from tui.client.capabilities import Feature
from tui.model.board import BoardView, Place
from tui.model.task import Task
from tui.store import operations as change
from tui.store.operations.base import Operation
from tui.text.clean import counted


def templates_of(view: BoardView) -> list[Task]:
    """The templates of a board, stage by stage."""
    return [task for task in view.all_tasks() if task.is_template]


async def pick_template(cards: Cards, templates: Iterable[Task]) -> Task | None:
    """Ask for a template; says why there is none to choose."""
    from tui.dialogs.pick.find import MOST, Choice, Pick

    if why := missing(cards.store, Feature.TASK_COPIES):
        cards.say(why)
        return None
    choices = [Choice(task, task.title, _hint(task)) for task in templates]
    if not choices:
        hint = "{app.palette::}, then “template” to make the card at the cursor one"
        cards.say("this board has no templates", hint=hint)
        return None
    picked = await cards.ask(
        Pick("New card from a template", choices, most=MOST, nothing="no template")
    )
    return next(iter(cards.as_now([picked])), None) if picked is not None else None


def _hint(task: Task) -> str:
    subtasks = counted(task.subtasks_total, "subtask") if task.subtasks_total else ""
    labels = ", ".join(label.title for label in task.labels if label.title)
    return " · ".join(filter(None, (subtasks, labels)))


def card_from(template: Task, stage_id: int, place: Place) -> tuple[int, list[Operation]]:
    """The id of a card to make from a template at a place of a stage, and how to make it."""
    copy = change.CloneTask.of(template, stage_id=stage_id)
    created = replace(copy.copy, stage_id=stage_id)
    return copy.task_id, [copy, change.MoveTask.on(created, stage_id, place)]
