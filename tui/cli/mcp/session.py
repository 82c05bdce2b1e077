"""What the tools of one agent work with: the profile, opened for as long as the agent runs."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from tui.cli.mcp.answers import Document, card_row, part
from tui.cli.scripts.chosen import chosen
from tui.cli.scripts.opened import Opened
from tui.cli.scripts.progress import interrupted
from tui.cli.scripts.writing import Plan, Stopped, WriteResult, carried_out
from tui.errors import CallboardError
from tui.model.board import Board
from tui.store.events import StoreEvent
from tui.text.agent_marks import origin_of
from tui.text.dates import wall_clock

ORIGIN = "mcp"
"""What changes of agents without a name are marked with."""
PATIENCE = 5.0
"""Seconds that a call waits for updates from the service."""
_SECONDS_TO_SEND = 10.0
_SECONDS_TO_RETRY = 0.5


class McpSession:
    """Gives each call an opened profile of its own, so that its problems are those of the call.

    Calls run one at a time. After a call without a connection the next one briefly tries to
    connect, and otherwise uses the cache.
    """

    def __init__(self, opened: Opened, board: str = "", agent: str = "") -> None:
        self._opened = opened
        self.agent = agent
        self.store = opened.store
        self.board: Board | None = chosen(board, opened.boards(), "board") if board else None
        self._renamed: dict[int, int] = {}
        self._one_at_a_time = asyncio.Lock()
        self._problem: CallboardError | None = next(iter(opened.problems), None)
        self._retry: asyncio.Task[None] | None = None
        self._in_call: Opened | None = None
        self._is_stopped = False
        self._reported: set[Path] = set()
        self.store.subscribe(self._hear)

    def _hear(self, event: StoreEvent) -> None:
        self._renamed.update(getattr(event, "renamed", {}))

    def _current(self, words: str) -> str:
        # For the local id of a card that is sent by now, the one that the service assigned.
        try:
            return str(self._renamed.get(int(words.removeprefix("#")), words))
        except ValueError:
            return words

    @asynccontextmanager
    async def call(self) -> AsyncIterator[Opened]:
        """The profile for one call."""
        async with self._one_at_a_time:
            of_start = self._opened
            opened = Opened(of_start.workspace, of_start.settings, of_start.how, of_start.card_url)
            opened.only = self.board.id if self.board else None
            opened.current = self._current
            self._in_call = opened
            if self._is_stopped:
                opened.stop()
            if problem := await self._lasting_problem():
                opened.problems.append(problem)
            try:
                yield opened
            finally:
                self._in_call = None
                self._problem = next(iter(opened.problems), None)
                self.store.close_task()

    def named(self, name: str) -> str:
        """The agent that a call names, else that of the start; later changes are marked with it."""
        if name:
            self.store.act_as(origin_of(name))
        return name or self.agent

    def stop(self) -> None:
        """Make running and later calls end soon: the program ends."""
        self._is_stopped = True
        if self._in_call:
            self._in_call.stop()

    def interrupted(self) -> str:
        """What an interrupted call has added, once; empty if there is none."""
        workspace = self._opened.workspace
        for path, added in interrupted(workspace.preferences.parent, workspace.store.has_local_id):
            if path not in self._reported:
                self._reported.add(path)
                return f"{added} by a call that was interrupted; the same call adds the rest."
        return ""

    async def _lasting_problem(self) -> CallboardError | None:
        if self._problem is None:
            return None
        if self._retry is None or self._retry.done():
            # One attempt at a time, which goes on if it takes longer than this call waits for it.
            self._retry = asyncio.create_task(self._try_again())
        await asyncio.wait([self._retry], timeout=_SECONDS_TO_RETRY)
        return self._problem

    async def _try_again(self) -> None:
        with suppress(CallboardError):
            await self.store.refresh()
            if not self.store.status().problem:
                self._problem = None

    async def carry_out(self, opened: Opened, plan: Plan) -> Document:
        """Carry out a plan; returns its outcome, and the cards as they are now.

        What the service does not accept at once is kept; what it refuses is dropped.
        """
        # Older changes may be held up, and must not delay the answer to this call.
        pending_ids = {change.id for change in self.store.pending()}
        try:
            result = await carried_out(opened, plan, _SECONDS_TO_SEND, pending_ids)
        except Stopped as error:
            words = f"only {plan.progress}: the server was ended."
            raise CallboardError(words, hint="The same call adds the rest.") from error
        return await self.outcome(opened, plan, result)

    async def outcome(self, opened: Opened, plan: Plan, result: WriteResult) -> Document:
        """What became of a plan, and the cards as they are now."""
        tasks, rows = result.tasks_of(plan), list[Document]()
        for planned in plan.views:
            view = await self.store.load_board(planned.board.id)
            cards = [view.task(result.id_of(task)) for task in tasks] if view else []
            rows += [
                card_row(card, view, wall_clock(), has_board=True)
                for card in cards
                if card and view
            ]
        document: Document = {"state": result.state}
        if result.operations and tasks:
            document["did"] = plan.in_words(tasks, result.renamed)
        if labels := result.labels_of(plan):
            document["created_labels"] = [label.title for label in labels]
        if reasons := [*result.reasons()]:
            document["not_accepted"] = reasons
        if result.waiting:
            problem = result.problem(opened)
            document["problem"] = f"{problem} Kept; will be sent when online."
        if plan.notes:
            document["notes"] = [*plan.notes]
        return document | part("cards", rows, 1, lambda row: row)
