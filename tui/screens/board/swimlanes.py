"""Swimlanes of a board: the choice of a grouping, and what a drop in another lane changes."""

from collections.abc import Callable

from tui.actions.action import action
from tui.actions.tasks.cards import Cards
from tui.model.board import BoardView
from tui.model.moving import lift
from tui.model.moving.grid import Grid
from tui.model.moving.lanes import Grouping
from tui.model.moving.lift import Lift
from tui.model.task import Task
from tui.screens.board.deck import Deck
from tui.store import operations as change
from tui.store.operations.base import Operation

_NONE = "none"
_CHOICES = (
    ("p", "Person", Grouping.PERSON),
    ("r", "Priority", Grouping.PRIORITY),
    ("l", "Label", Grouping.LABEL),
    ("d", "Due date", Grouping.DUE),
    ("n", "No swimlanes", _NONE),
)


class Swimlanes:
    """The grouping of a deck, kept for its board; `redraw` draws it again."""

    def __init__(self, cards: Cards, deck: Deck, redraw: Callable[[], None]) -> None:
        self._cards = cards
        self._deck = deck
        self._redraw = redraw
        preferences = cards.context.preferences
        grouping = preferences.text(cards.board_id, "lanes")
        if grouping in list(Grouping):
            deck.group(Grouping(grouping), preferences.numbers(cards.board_id, "folded-lanes"))

    @action("board.swimlanes", "B", "Group cards in swimlanes", asks=True)
    async def choose(self) -> None:
        from tui.dialogs.questions import Choice, ChooseDialog

        current = self._deck.grouping or _NONE
        choices = [Choice(*choice) for choice in _CHOICES]
        answer = await self._cards.ask(ChooseDialog("Swimlanes by …", choices, current))
        if answer is None or answer == current:
            return
        self._deck.group(None if answer == _NONE else Grouping(answer))
        folds = {"folded-lanes": self._deck.folded_lanes}
        self._cards.context.preferences.keep(self._cards.board_id, lanes=answer, **folds)
        self._redraw()


def drop(lifted: Lift, grid: Grid, whole: BoardView) -> list[Operation]:
    """What a drop changes: places if they are others, and the fields that decide on the lane."""
    stage = grid.stage_of(lifted)
    operations: list[Operation] = []
    if not lift.is_at_home(lifted, grid.cells, whole.in_stage(stage.id)):
        operations += [
            change.MoveTask.on(task, stage.id, place, stage_title=stage.title)
            for task, place in lift.places(lifted, grid.cells)
        ]
    lane = grid.lane_of(lifted)
    if grid.by is not None and lane is not None:
        for task in lifted.tasks:
            operations += field_changes(task, grid.by.moved(task, lane.id) or task)
    return operations


def drop_words(lifted: Lift, grid: Grid) -> str:
    """What becomes of the lifted cards in the lane they are over; empty if they come from it."""
    lane = grid.lane_of(lifted)
    if grid.by is None or lane is None:
        return ""
    words = {
        grid.by.words(task, lane.id) for task in lifted.tasks if grid.by.lane_of(task) != lane.id
    }
    return words.pop() if len(words) == 1 else lane.title if words else ""


def field_changes(before: Task, after: Task) -> list[Operation]:
    """The operations that change the fields of a task that decide on its lane."""
    operations: list[Operation] = []
    if before.priority is not after.priority:
        operations.append(change.set_priority(before, after.priority))
    if before.due_at != after.due_at:
        operations.append(change.set_due(before, after.due_at))
    if before.assignees != after.assignees:
        operations.append(change.SetAssignees.on(before, after.assignees))
    removed = [label for label in before.labels if label not in after.labels]
    added = [label for label in after.labels if label not in before.labels]
    operations += [change.RemoveLabel.on(before, label) for label in removed]
    operations += [change.AddLabel.on(before, label) for label in added]
    return operations
