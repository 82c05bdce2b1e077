"""What is lifted on a board: what is said of it, its keys, and what its drop changes."""

from tui.actions.tasks.cards import named
from tui.model.board import BoardView
from tui.model.moving import lift
from tui.model.moving.grid import Grid
from tui.model.moving.lift import Lift
from tui.model.moving.stage_lift import StageLift
from tui.model.task import Task
from tui.screens.board.deck import CARRY_KEYS, Deck
from tui.screens.board.stages import StageActions
from tui.screens.board_lines import moving_notice, moving_stage_notice
from tui.screens.status_line import StatusLine
from tui.store import operations as change
from tui.store.operations.base import Operation
from tui.text.keyed import keyed
from tui.widgets.bars import Notice, hint_line
from tui.widgets.painted import Line, line_width


class Carrying:
    """Cards, or a column, that are carried over a deck until the move ends or is cancelled."""

    def __init__(self, deck: Deck, stages: StageActions, status: StatusLine) -> None:
        self._cards, self._deck = deck.cards, deck
        self._stages = stages
        self._status = status

    @property
    def waits_for(self) -> str:
        """What the user must do before most keys work again; empty if nothing is lifted."""
        if not self._deck.is_lifting:
            return ""
        lifted = "column" if self._deck.stage_lift is not None else "card"
        return f"drop the {lifted} first, {keyed('or press {board.back:esc}')}"

    def notice(self, width: int) -> Notice | None:
        """What is lifted, and where it would be dropped; None if nothing is."""
        lifted, column, grid = self._deck.lift, self._deck.stage_lift, self._deck.grid
        if column is not None:
            return moving_stage_notice(column, self._deck.shown)
        if lifted is None:
            return None
        return moving_notice(lifted, grid, self._deck.whole, drop_words(lifted, grid), width)

    def hints(self, ways: Line, width: int) -> tuple[Line, Line]:
        """The keys that carry, drop and cancel, and those `ways` on that work meanwhile."""
        lifted = self._deck.lift
        ways = (*ways[:1], *ways[-2:])  # only the list of keys works now
        keys, back = keyed(CARRY_KEYS), "cancel"
        if lifted is not None:
            keys = keyed("{cursor.left:h} {cursor.down:j} {cursor.up:k} {cursor.right:l}")
            home = self._deck.grid.cells.stage(lifted.home_stage_id)
            back = f"back to {home.title} {lifted.home_row + 1}" if home is not None else back
        room = width - line_width(ways)
        drops, cancel = keyed("{task.open:↵}"), keyed("{board.back:esc}")
        line = hint_line(((keys, "carry"), (drops, "drop"), (cancel, back)), room)
        if not line or back not in line[-1][0]:
            line = hint_line(((keys, "carry"), (drops, "drop"), (cancel, "cancel")), room)
        return line, ways

    def lift_changed(self, lost: str) -> None:
        """Clear the message about what was lifted; say so if a remote change removed it."""
        self._status.clear()
        if lost:
            why = f"the lifted {lost} is no longer on the board"
            self._cards.say(f"{why}: nothing was moved", error=True)

    async def drop(self, lifted: Lift | StageLift) -> None:
        """Submit what a drop changes; the lift has ended already."""
        if isinstance(lifted, StageLift):
            await self._stages.move(lifted)
            return
        deck, grid = self._deck, self._deck.grid
        changes = drop(lifted, grid, deck.whole)
        if not changes:
            self._cards.say(f"nothing was moved: {named(lifted.tasks)}")
            return
        becomes, first, lane = drop_words(lifted, grid), lifted.tasks[0].id, grid.lane_of(lifted)
        # The board is redrawn while the change is submitted; the cursor goes to the card then.
        deck.follow = first
        deck.follow_lane = lane.id if lane is not None else None
        moved = moved_words(lifted, grid, deck.whole)
        message = f"{becomes}: {named(lifted.tasks)}" if becomes else moved
        is_moved = await self._cards.submit(changes, message)
        # The service may have assigned an id to the card meanwhile.
        if is_moved and (hidden := deck.why_hidden(self._cards.called(first))):
            self._cards.say(f"{message}: {hidden[0]}", hint=hidden[1])
        deck.follow = deck.follow_lane = None


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
            moved = grid.by.moved(task, lifted.lane_id, lane.id)
            operations += field_changes(task, moved or task)
    return operations


def drop_words(lifted: Lift, grid: Grid) -> str:
    """What becomes of the lifted cards in the lane they are over; empty if they come from it."""
    lane = grid.lane_of(lifted)
    if grid.by is None or lane is None:
        return ""
    words = {
        grid.by.words(task, lifted.lane_id, lane.id)
        for task in lifted.tasks
        if grid.by.moved(task, lifted.lane_id, lane.id) != task
    }
    return words.pop() if len(words) == 1 else lane.title if words else ""


def moved_words(lifted: Lift, grid: Grid, whole: BoardView) -> str:
    """What a drop did: the number of one card, or how many, and the stages it left and came to."""
    first, to = lifted.tasks[0], grid.stage_of(lifted)
    cards = named(lifted.tasks)
    if len(lifted.tasks) == 1 and first.id > 0:
        cards = f"#{first.id}"
    homes = {task.stage_id for task in lifted.tasks}
    if homes == {to.id}:
        return f"moved {cards} within {to.title}"
    home = whole.stage(homes.pop() or 0) if len(homes) == 1 else None
    origin = f" from {home.title}" if home is not None else ""
    return f"moved {cards}{origin} to {to.title}"


def field_changes(task: Task, target: Task) -> list[Operation]:
    """The operations that change the status and the fields that decide on the lane of a task."""
    operations: list[Operation] = []
    if task.status is not target.status:
        operations.append(change.set_status(task, target.status))
    if task.priority is not target.priority:
        operations.append(change.set_priority(task, target.priority))
    if task.due_at != target.due_at:
        operations.append(change.set_due(task, target.due_at))
    if task.assignees != target.assignees:
        operations.append(change.set_assignees(task, target.assignees))
    removed = [label for label in task.labels if label not in target.labels]
    added = [label for label in target.labels if label not in task.labels]
    operations += [change.remove_label(task, label) for label in removed]
    operations += [change.add_label(task, label) for label in added]
    return operations
