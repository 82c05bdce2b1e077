"""The chosen cards of several boards, for what can be done to all of them at once."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from tui.actions.tasks.cards import Cards
from tui.model.board import BoardView
from tui.model.people import Role
from tui.model.task import Task


class CardsOnBoards(Cards):
    """The chosen tasks of several boards; a change of them is one undo step.

    What is about one card or one board says that the cards are on several.
    """

    def need_tasks(self) -> tuple[Task, ...]:
        if self.tasks:
            self.say("the marked cards are on several boards", hint="mark cards of one board")
            return ()
        return super().need_tasks()

    def need_tasks_anywhere(self) -> tuple[Task, ...]:
        return self.tasks or super().need_tasks()

    def by_board(self, tasks: Sequence[Task]) -> list[tuple[BoardView, tuple[Task, ...]]]:
        own: dict[int, list[Task]] = {}
        for task in tasks:
            own.setdefault(self.called(task.board_id), []).append(task)
        views = ((self.store.board(board_id), tasks) for board_id, tasks in own.items())
        return [(view, tuple(tasks)) for view, tasks in views if view is not None]

    @property
    def view(self) -> BoardView | None:
        """The boards of the chosen tasks as if they were one."""
        views = [self.store.board(board_id) for board_id in self._board_ids]
        return joined(view for view in views if view is not None)

    @property
    def role(self) -> Role:
        boards = (self.store.board(board_id) for board_id in self._board_ids)
        roles = [view.board.role_of(self.store.me) for view in boards if view is not None]
        return min(roles, default=Role.MANAGER)

    @property
    def _board_ids(self) -> list[int]:
        return [*dict.fromkeys(self.called(task.board_id) for task in self.tasks)]


def joined(views: Iterable[BoardView]) -> BoardView | None:
    """The stages of several boards with their tasks, and the people who are on any of them."""
    views = tuple(views)
    if not views:
        return None
    people = {person.id: person for view in views for person in view.people}
    return replace(
        views[0],
        stages=tuple(stage for view in views for stage in view.stages),
        tasks={stage_id: lane for view in views for stage_id, lane in view.tasks.items()},
        people=tuple(people.values()),
        labels=(),
        fields=(),
        pending=frozenset().union(*(view.pending for view in views)),
        complete=all(view.complete for view in views),
        totals={stage_id: number for view in views for stage_id, number in view.totals.items()},
    )
