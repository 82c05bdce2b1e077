"""Carrying cards in time: lifted until they are dropped, or moved by keys in quick succession."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import ClassVar, Protocol

from textual.timer import Timer

from tui.actions.action import board_action
from tui.actions.host import Host
from tui.actions.tasks.cards import Cards, named
from tui.model.task import Task
from tui.screens.status_line import StatusLine
from tui.screens.timeline.days import TimelineDays
from tui.screens.timeline.moving import DateMoves
from tui.screens.timeline.timeline_list import LIFT, TimelineList
from tui.text.dates import FIRST_YEAR, LAST_YEAR

_KEEPS_MOVING = frozenset(("timeline.earlier", "timeline.later", "list.back"))
"""The actions before which what is moved without lifting is not sent."""


class CarryingHost(Host, Protocol):
    """The screen of a timeline."""

    pause_seconds: ClassVar[float]
    """After which pause dates that were moved without lifting are sent."""
    status: StatusLine
    timeline_list: TimelineList

    @property
    def chosen_cards(self) -> Cards:
        """The chosen cards on their boards."""

    @property
    def chosen_tasks(self) -> Sequence[Task]:
        """The chosen cards."""

    def say_why_empty(self) -> None:
        """Say why there is no card."""

    def set_timer(self, delay: float, callback: Callable[[], None]) -> Timer:
        """Call something later."""


class DateCarrying:
    """Moves the dates of the chosen cards, and sends them as one change."""

    def __init__(self, host: CarryingHost, days: TimelineDays) -> None:
        self._host = host
        self._days = days
        self._pause: Timer | None = None
        self.moves = DateMoves(lambda: host.chosen_cards)

    @property
    def _list(self) -> TimelineList:
        return self._host.timeline_list

    @board_action("timeline.earlier", "H,shift+left", "Move dates a day earlier",
            while_moving=True, arguments=(-1,))  # fmt: skip
    @board_action("timeline.later", "L,shift+right", "Move dates a day later",
            while_moving=True, arguments=(1,))  # fmt: skip
    def move_dates(self, by: int) -> None:
        if not self.moves.is_moving and not self._begin():
            return
        self.carry(by)
        if self._list.lifted is None:
            self._stop_pause()
            self._pause = self._host.set_timer(self._host.pause_seconds, self.send_soon)

    def _begin(self) -> frozenset[int]:
        """Begin to move the chosen cards that have dates; say so if there is none."""
        tasks = self._host.chosen_tasks
        ids = self.moves.begin(tasks)
        if not tasks:
            self._host.say_why_empty()
        elif not ids:
            hint = "{task.due:d} to set a due date, {task.start:s} a start date"
            self._host.say("no dates to move", hint=hint)
        return ids

    @LIFT
    def lift_or_drop(self) -> None:
        if self._list.lifted is not None:
            self.drop()
            return
        ids, rows = self._begin(), self._list.rows
        if not ids:
            return
        # With marked cards the cursor may be on another one.
        if self._list.row is None or self._list.row.task.id not in ids:
            self._list.go_to([row.task.id in ids for row in rows].index(True))
        self._list.lifted = self._list.row
        self.bring_into_sight(0)
        self._draw()

    def drop(self) -> None:
        """Drop what is lifted, and send where it is."""
        self._host.dialogs.run(self._drop, asks=False)

    async def _drop(self) -> None:
        tasks, days = self.moves.tasks, self.moves.days
        await self._send()
        if tasks and not days:
            self._host.say(f"nothing was moved: {named(tasks)}")

    def carry(self, days: int) -> None:
        """Carry what moves on by days."""
        if self.moves.carry(days):
            self.bring_into_sight(days)
            self._draw()
        else:
            self._host.say(f"dates can be in the years {FIRST_YEAR} to {LAST_YEAR}")

    def bring_into_sight(self, direction: int) -> None:
        """Scroll to the bar at the cursor."""
        row = self._list.row
        if row is not None:
            self._days.bring_into_sight(self.moves.of(row.task), direction)

    def _draw(self) -> None:
        self._host.status.make_room()
        self._list.redraw()
        self._host.status.draw()

    def put_down(self) -> None:
        """Leave the dates as they were."""
        self.moves.end()
        self._stop_pause()
        self._list.put_down()
        self._host.status.draw()

    def _stop_pause(self) -> None:
        if self._pause is not None:
            self._pause.stop()
            self._pause = None

    async def _send(self) -> None:
        # What is carried is dropped.
        if self.moves.is_moving:
            self._stop_pause()
            sending = self.moves.send()
            self._list.put_down()
            await sending

    def send_soon(self) -> None:
        """Send what was moved without lifting."""
        if self.moves.is_moving and self._list.lifted is None:
            self._host.dialogs.run(self._send, asks=False)

    async def send_at_end(self) -> None:
        """Send what was moved without lifting, before the screen is gone."""
        if self._list.lifted is None:
            await self._send()

    async def send_before(self, action_id: str | None) -> None:
        """Send what was moved without lifting before what another action does."""
        if self.moves.is_moving and self._list.lifted is None and action_id not in _KEEPS_MOVING:
            await self._send()

    def follow_ids(self, ids: Mapping[int, int]) -> None:
        """Follow new cards to the ids that the service has given them."""
        lifted = self._list.lifted
        self.moves.renamed(ids)
        if lifted is not None and lifted.task.id in ids:
            task = replace(lifted.task, id=ids[lifted.task.id])
            self._list.lifted = lifted._replace(task=task)
