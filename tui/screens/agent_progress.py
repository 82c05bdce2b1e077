"""What agents said last on the cards of a board, which is read when such a card has changed.

Nothing is asked about cards without the mark of an agent, nor while nothing happens.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from typing import NamedTuple

from tui.actions.action import action
from tui.actions.tasks.cards import Cards
from tui.errors import CallboardError
from tui.model.board import BoardView
from tui.model.comment import Thread
from tui.model.task import Task
from tui.model.work.agents import agents_of, claimed_on, progress_of
from tui.navigation import AgentLogRequested
from tui.text import clean
from tui.text.agent_marks import origin_of
from tui.text.dates import ago, elapsed, local
from tui.widgets import glyphs
from tui.widgets.bars import Notice, key_line
from tui.widgets.painted import Span

_Stamp = tuple[datetime | None, int]
"""It changes when a card, or what is said on it, is changed."""


class _Said(NamedTuple):
    text: str
    at: datetime


class AgentsOnBoard:
    """The progress of agents on the board of the cards, which `redraw` draws once it is read."""

    def __init__(self, cards: Cards, redraw: Callable[[], None]) -> None:
        self._cards = cards
        self._redraw = redraw
        self._said: dict[int, _Said] = {}
        self._read_for: dict[int, _Stamp] = {}

    @action("board.agents", "O", "List what agents did", words="log history undo")
    def show_log(self) -> None:
        current = next(iter(self._cards.tasks), None)
        agent = next(iter(agents_of(current)), "") if current is not None else ""
        self._cards.host.post_message(AgentLogRequested(self._cards.board_id, origin_of(agent)))

    def progress(self, now: datetime) -> Mapping[int, tuple[Span, Span]]:
        """What agents said last, by card, and its age, which warns once that is too long."""
        return {
            task_id: (
                (said.text, "text"),
                (ago(said.at, now), self._role(said, now)),
            )
            for task_id, said in self._said.items()
        }

    def notice(self, task: Task | None) -> Notice | None:
        """The line of the card at the cursor, if agents work on it."""
        names = agents_of(task) if task is not None and task.is_open else ()
        if task is None or not names:
            return None
        text: list[Span] = [
            (f" {glyphs.AGENT} {', '.join(names)}", "strong"),
            (f" on {f'#{task.id}' if task.id > 0 else 'this card'}", "text"),
        ]
        said = self._said.get(task.id)
        if said is not None:
            now = self._cards.now()
            age = f"  {elapsed(said.at, now)}", self._role(said, now)
            text += [(f"  {said.text}", "text"), age]
        return Notice(
            tuple(text), key_line("{board.agents:O} log  {task.release:X} release"), is_low=True
        )

    def _role(self, said: _Said, now: datetime) -> str:
        silence = timedelta(minutes=self._cards.context.settings.agent_minutes)
        return "warn" if now - said.at >= silence else "quiet"

    def follow(self, whole: BoardView) -> None:
        """Read what is new on the cards that agents have claimed."""
        claimed = [task for task in claimed_on(whole) if not task.is_local]
        for task_id in self._read_for.keys() - {task.id for task in claimed}:
            del self._read_for[task_id]
            self._said.pop(task_id, None)
        due = [task for task in claimed if self._read_for.get(task.id) != _stamp(task)]
        if due:
            self._read_for |= {task.id: _stamp(task) for task in due}
            self._cards.host.run_worker(partial(self._read, due), group="agents", exclusive=False)

    async def _read(self, tasks: Sequence[Task]) -> None:
        from tui.store.online.comments import latest

        store, board_id = self._cards.store, self._cards.board_id
        threads = await store.comments(board_id)
        for task in tasks:
            thread: Thread = threads.get(task.id, ())
            with suppress(CallboardError):  # without a connection it is what is cached
                thread = await latest(await store.service(), board_id, task.id)
            self._take(task, thread)
        self._redraw()

    def _take(self, task: Task, thread: Thread) -> None:
        found = progress_of(thread)
        self._said.pop(task.id, None)
        if found is not None:
            at = task.updated_at or found.comment.created_at
            text = clean.line(found.text) or f"claimed by {found.agent or 'someone'}"
            if at is not None:
                self._said[task.id] = _Said(text, local(at))


def _stamp(task: Task) -> _Stamp:
    return task.updated_at, task.comments_count
