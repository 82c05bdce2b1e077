"""Two players, one service, and a loop of events that waits for nobody's time.

A history comes out the same whenever it is played. Nothing happens by itself:
time passes only where everybody waits for it.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any, TypeVar, cast

from tests.store.machine import agreement
from tests.store.machine.choices import INSTEAD, Choices
from tests.store.machine.disk import AtOnce
from tests.store.machine.expectations import Expectations
from tests.store.machine.fake_remote import BOARD, DOING, OPEN, FakeService
from tests.store.machine.judge import Judge
from tests.store.machine.ledger import Key, Ledger
from tests.store.machine.player import PLAYING, Player
from tests.store.machine.quirks import Quirky
from tests.store.machine.strict import StrictRemote
from tests.store.machine.wire import Keyed, Recorder, Wire, Write
from tui.errors import CallboardError
from tui.model.ids import Kind
from tui.store.events import PendingChange, PendingState, UndoNeedsConfirmation
from tui.store.operations.base import Operation
from tui.store.remote import Remote

_T = TypeVar("_T")
_TURNS = 20_000
_ROUNDS = 400
_A_WHILE = 3.0


class Mistakes(logging.Handler):
    """Whatever is logged as a mistake of the program."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.found: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        self.found.append(f"{record.getMessage()}: {error!r}")


class World:
    """One history.

    `hears_every_write` says whether all that the service does is known by what it is asked for,
    `tells_every_change` whether the service tells all that changed on a board since a time,
    `dates_reopen` whether it reopens a closed task that gets a date.
    """

    hears_every_write = True
    tells_every_change = True
    dates_reopen = False
    waits = False
    logins = ("me", "me")

    def __init__(self, folder: Path, seed: int = 0) -> None:
        self.loop = asyncio.new_event_loop()
        self.loop.set_default_executor(AtOnce())
        self.loop.set_task_factory(cast("Any", _owned))
        self.loop.set_exception_handler(self._complained)
        self.mistakes = Mistakes()
        logging.getLogger("tui").addHandler(self.mistakes)
        self.writes: list[Write] = []
        self.ledger = Ledger(self.writes)
        self.expectations = Expectations(self.ledger, dates_reopen=self.dates_reopen)
        self.words = (f"w{number}" for number in range(1, 100_000))
        self.board_id, far_ends, self.witness = self.build(folder)
        chance = Random(seed)  # noqa: S311  chance, not secrets
        self.players: list[Player] = []
        for number, far_end in enumerate(far_ends):
            wire = Wire(far_end, chance)
            wire.waits = self.waits
            player = Player(number, folder / str(number), wire, self.board_id, self.logins[number])
            self.players.append(player)
        self.judges = [Judge(player) for player in self.players]
        for player in self.players:
            self.do(player, player.start())
        self.settle()
        self._initial = set(self._there())

    def build(self, folder: Path) -> tuple[int, Sequence[object], Remote]:
        """The service with its first tasks: the board, a remote for each player, and one more."""
        del folder
        service = self.first_tasks()
        far_ends = [Recorder(StrictRemote(service), who, self.writes) for who in (0, 1)]
        return BOARD, far_ends, cast("Remote", StrictRemote(service))

    def first_tasks(self) -> FakeService:
        """The fake service."""
        return first_tasks()

    def witness_of(self, who: int) -> Remote:
        """Who sees the boards that somebody sees."""
        del who
        return self.witness

    def close(self) -> None:
        """Everybody goes home."""
        try:
            for judge in self.judges:
                judge.close()
            for player in self.players:
                if not player.is_dead:
                    player.disk.kill_after(0)
                self.loop.run_until_complete(player.bury())
        finally:
            logging.getLogger("tui").removeHandler(self.mistakes)
            self.loop.close()

    def _complained(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        del loop
        self.mistakes.found.append(f"{context.get('message')}: {context.get('exception')!r}")

    # What people do

    def submit(self, who: int, name: str, a: int, b: int, task_id: int | None = None) -> None:
        """Somebody changes something; of the tasks, only the one with this id if it is given."""
        player = self.players[who]
        free = self._is_free_for(player)

        def is_free(kind: Kind, some_id: int) -> bool:
            is_other = kind == "task" and task_id not in (None, some_id)
            return not is_other and free(kind, some_id)

        choices = Choices(player, self.words, is_free)
        operations = choices.pick(name, a, b)
        if not operations:  # then make something that it can be done to next time
            operations = choices.pick(INSTEAD.get(name, "create_task"), a, b)
        if operations:
            self.submit_these(who, operations)

    def submit_these(self, who: int, operations: Sequence[Operation]) -> None:
        """Somebody makes these changes."""
        player = self.players[who]
        self._noting(player, player.store.submit(*operations))

    def undo(self, who: int, *, redo: bool = False, force: bool = False) -> None:
        """Somebody takes the last step back, or does it again."""
        player = self.players[who]
        go = player.store.redo if redo else player.store.undo
        self._noting(player, self._gone_back(go(player.board_id, force=force)), is_undo=not redo)

    async def _gone_back(self, going: Awaitable[object]) -> None:
        with suppress(UndoNeedsConfirmation):  # and so nothing is taken back
            await going

    def decide(self, who: int, number: int, how: str) -> None:
        """Somebody decides about something that is stuck."""
        player = self.players[who]
        stuck = [one for one in player.store.pending() if one.state in _STUCK]
        if not stuck:
            return
        waiting = stuck[number % len(stuck)]
        self._noting(player, self._decided(player, waiting, how))

    async def _decided(self, player: Player, waiting: PendingChange, how: str) -> None:
        queue = player.store._core.queue
        entry = queue.get(waiting.id)
        if entry is None:
            return
        is_conflict = waiting.state is PendingState.CONFLICT
        if how == "discard" or (how == "theirs" and is_conflict):
            self.ledger.gives_up(player, [entry, *queue.dependants(entry)])
            await player.store.discard(waiting.id)
            return
        if is_conflict:
            self.ledger.gives_up(player, [entry])
            await player.store.resolve(waiting.id, "mine")
            return
        self.ledger.sends_again(queue.family(entry))
        await player.store.retry(waiting.id)

    def open_task(self, who: int, number: int) -> None:
        """Somebody opens a task."""
        player = self.players[who]
        view = player.view
        cards = [] if view is None else list(view.all_tasks())
        if not cards:
            return
        task = cards[number % len(cards)]
        player.task_id = task.id
        self.do(player, player.store.open_task(player.board_id, task.id))

    def open_board(self, who: int, number: int) -> None:
        """Somebody looks at a board."""
        player = self.players[who]
        boards = player.store.boards()
        if boards:
            player.board_id = boards[number % len(boards)].id
            player.task_id = None
            self.do(player, player.store.open_board(player.board_id))

    def refresh(self, who: int) -> None:
        """Somebody asks for what is new."""
        player = self.players[who]
        self.do(player, player.store.refresh(player.board_id))
        self.do(player, player.store.refresh())

    def restart(self, who: int, *, loses_cache: bool = False) -> None:
        """Somebody ends the program and starts it again."""
        player = self.players[who]
        store = player.store
        self.do(player, store.aclose())
        if player.store is store:  # it was not killed meanwhile, and started again
            self._start_again(player, loses_cache=loses_cache)

    def kill(self, who: int, jobs: int) -> None:
        """Somebody's program is killed when so many more things were written."""
        player = self.players[who]
        player.disk.kill_after(jobs)
        if player.is_dead:
            self._revive(player)

    # How it goes on

    def do(self, player: Player, work: Coroutine[Any, Any, _T]) -> _T | None:
        """Let somebody's program do this, as far as it lives."""
        return self.loop.run_until_complete(self._do(player, work))

    async def _do(self, player: Player, work: Coroutine[Any, Any, _T]) -> _T | None:
        token = PLAYING.set(player)
        task = self.loop.create_task(work)
        PLAYING.reset(token)
        await self._until(lambda: task.done() or player.is_dead)
        if task.done():
            return task.result()
        await player.bury()
        self._open_again(player)
        await self._connected(player)
        return None

    def _noting(
        self, player: Player, work: Coroutine[Any, Any, None], *, is_undo: bool = False
    ) -> None:
        """Do it, note at once what it wrote down, and judge what it did."""
        is_done = False

        async def noting() -> None:
            nonlocal is_done
            with suppress(CallboardError):  # it says in words why nothing was changed
                await work
                is_done = True
            self.expectations.note(player, self.ledger.look_at(player))

        judge = self.judges[player.number]
        before = judge.look()
        self.do(player, noting())
        judge.judge_step(before, is_undo=is_undo and is_done)

    def go_on(self, turns: int) -> None:
        """Let what is under way go on for a while."""

        async def going() -> None:
            for _ in range(turns):
                await asyncio.sleep(0)

        self.loop.run_until_complete(going())
        self._revive_all()
        self._judge()

    def rest(self) -> None:
        """Let everything go on until all wait for time to pass."""
        self.loop.run_until_complete(self._until(self._is_still, passes=False))
        for player in self.players:
            self._draw_late(player)
        self._revive_all()
        # A program that was started again may still be reading.
        self._judge(is_still=self._is_still())

    def _draw_late(self, player: Player) -> None:
        """What a program draws a moment later, by the clock of the system, is drawn now."""
        boards = player.store._parts.boards
        if boards.state(player.board_id).is_behind and not player.is_dead:

            async def drawing() -> None:
                boards.catch_up_drawing(player.board_id)

            self.do(player, drawing())

    def _judge(self, *, is_still: bool = False) -> None:
        """Everybody sees what they must."""
        for judge in self.judges:
            judge.look(is_still=is_still)

    def pass_time(self, seconds: float) -> None:
        """Time passes for everybody."""
        for player in self.players:
            player.clock.advance(seconds)
        self.rest()

    def settle(self) -> None:
        """Let time pass until nothing more can be delivered before a person decides."""
        for _ in range(_ROUNDS):
            self.rest()
            if not any(self._has_something_to_send(player) for player in self.players):
                return
            self._let_time_pass()
        raise AssertionError(f"Never delivered: {self.mistakes.found} {self._what_waits()}")

    def _has_something_to_send(self, player: Player) -> bool:
        queue = player.store._core.queue
        return any(queue.next_of(board_id) for board_id in queue.board_ids())

    def _what_waits(self) -> list[PendingChange]:
        return [waiting for player in self.players for waiting in player.store.pending()]

    async def _until(self, condition: Callable[[], bool], *, passes: bool = True) -> None:
        for _ in range(_TURNS):
            await asyncio.sleep(0)
            if condition():
                return
            if self._is_still() and passes:
                self._let_time_pass()
            elif self._is_on_the_wire():
                await asyncio.sleep(0.0002)
        raise AssertionError(f"it never ends: {self.mistakes.found} {self._what_waits()}")

    def _is_still(self) -> bool:
        """Whether all wait for time to pass."""
        loop: Any = self.loop
        return not loop._ready and not self._is_on_the_wire()

    def _is_on_the_wire(self) -> bool:
        return any(player.wire.in_flight and not player.is_dead for player in self.players)

    def _let_time_pass(self) -> None:
        """Go to when the first one wakes."""
        wakes = [
            (wake - player.clock._now).total_seconds()
            for player in self.players
            if (wake := player.clock.next_wake) is not None
        ]
        assert wakes, f"Nobody waits for time to pass: {self._what_waits()}"
        for player in self.players:
            player.clock.advance(min(wakes))

    def _revive_all(self) -> None:
        for player in self.players:
            if player.is_dead:
                self._revive(player)

    def _revive(self, player: Player) -> None:
        self.loop.run_until_complete(player.bury())
        self._start_again(player)

    def _start_again(self, player: Player, *, loses_cache: bool = False) -> None:
        self._open_again(player, loses_cache=loses_cache)
        self.do(player, self._connected(player))

    def _open_again(self, player: Player, *, loses_cache: bool = False) -> None:
        if loses_cache:
            player.lose_cache()
        player.open()
        player.board_id = player.store.current_id(player.board_id)
        self.expectations.note(player, self.ledger.look_at(player))
        assert not player.store.messages, player.store.messages

    async def _connected(self, player: Player) -> None:
        token = PLAYING.set(player)
        await player.start()
        if player.task_id is not None:
            await player.store.open_task(player.board_id, player.task_id)
        PLAYING.reset(token)

    def _is_free_for(self, player: Player) -> Callable[[Kind, int], bool]:
        """Nobody can tell what is new by its words once somebody else has changed them."""
        other = self.players[1 - player.number]
        if self.hears_every_write:
            return lambda kind, some_id: not self.ledger.is_being_made(other, kind, some_id)
        known = {some_id for _, some_id in self._initial}
        for one in self.players:
            known.update(one.store._core.queue.renames.values())
        return lambda _, some_id: some_id < 0 or some_id in known

    # How it ends

    def calm_down(self) -> None:
        """No more trouble: what can be delivered is, and nothing is lost."""
        self.pass_time(_A_WHILE)  # so that the trouble that was planned befalls somebody
        for player in self.players:
            player.disk.spare()
            player.wire.faults.clear()
            player.wire.storm = None
            player.wire.is_cut = False
        self.settle()
        self.ledger.check_reasons(self.players)
        self.ledger.check_written(self.players, set(self._there()))
        self.expectations.check_conflicts(self.players)
        for player in self.players:
            while unsure := [one for one in player.store.pending() if one.state in _DRAWN]:
                self._noting(player, self._decided(player, unsure[0], "discard"))
                self.settle()
        for player in self.players:
            self.do(player, player.store.refresh())
        self._compare()

    def _compare(self) -> None:
        there = self._there()
        if self.hears_every_write:
            self.ledger.check_made(self.players, set(there))
            self.ledger.check_arranged()
        else:
            self.ledger.check_tasks(self.players, set(there) - self._initial)
        self.expectations.check(self.players, there)
        for player in self.players:
            boards = self._witnessed(agreement.boards_at(self.witness_of(player.number)))
            agreement.check_same("boards", agreement.boards_seen(player), boards)
            for board_id in {player.home, player.board_id} & boards.keys():
                self._compare_board(player, board_id)
        assert not self.mistakes.found, self.mistakes.found

    def _compare_board(self, player: Player, board_id: int) -> None:
        self.do(player, player.store.open_board(board_id))
        there = self._witnessed(agreement.board_at(self.witness, board_id))
        if self.tells_every_change:
            self.do(player, player.store._parts.reloading.sync_board(board_id))
            view = player.store.board(board_id)
            assert view is not None, f"{player.number} does not have the board {board_id}"
            agreement.check_same(f"{player.number} told", agreement.board_seen(view), there)
        self.do(player, player.store.refresh(board_id))
        view = player.store.board(board_id)
        assert view is not None, f"{player.number} does not have the board {board_id}"
        agreement.check_same(f"{player.number} at {board_id}", agreement.board_seen(view), there)
        for task in view.all_tasks():
            there = self._witnessed(agreement.detail_at(self.witness, board_id, task.id))
            if any(there.values()) or player.store.detail(task.id) is not None:
                self._compare_task(player, board_id, task.id, there)

    def _compare_task(
        self, player: Player, board_id: int, task_id: int, there: agreement.Picture
    ) -> None:
        self.do(player, player.store.open_task(board_id, task_id))
        self.rest()
        while (detail := player.store.detail(task_id)) is not None and not detail.all_comments:
            self.do(player, player.store.older_comments(task_id))
        assert detail is not None, f"{player.number} does not have the task {task_id}"
        agreement.check_same(f"{player.number} at {task_id}", agreement.detail_seen(detail), there)

    def _there(self) -> dict[Key, agreement.Picture]:
        """Everything at the service, as it is now."""

        async def looking() -> dict[Key, agreement.Picture]:
            boards = await agreement.boards_at(self.witness)
            return await agreement.everything_at(self.witness, list(boards))

        return self._witnessed(looking())

    def _witnessed(self, question: Coroutine[Any, Any, _T]) -> _T:
        return self.loop.run_until_complete(question)


class KeyedWorld(World):
    """A history with a service that keeps its replies: nobody is asked what arrived.

    Changes are waited for.
    """

    waits = True

    def build(self, folder: Path) -> tuple[int, Sequence[object], Remote]:
        """The same tasks, at a service that keeps its replies."""
        board_id, far_ends, witness = super().build(folder)
        return board_id, [Keyed(far_end, {}) for far_end in far_ends], witness

    async def _decided(self, player: Player, waiting: PendingChange, how: str) -> None:
        assert waiting.state is not PendingState.UNSURE, waiting
        await super()._decided(player, waiting, how)


class QuirkyWorld(World):
    """A history with a service that misbehaves."""

    tells_every_change = False
    dates_reopen = True

    def build(self, folder: Path) -> tuple[int, Sequence[object], Remote]:
        """The same tasks, at a service with quirks."""
        del folder
        service = first_tasks()
        far_ends = [
            Quirky(service, Recorder(StrictRemote(service), who, self.writes)) for who in (0, 1)
        ]
        return BOARD, far_ends, cast("Remote", StrictRemote(service))


def first_tasks(kind: type[FakeService] = FakeService) -> FakeService:
    """A service with a board of four tasks, of which two have something around them."""
    service = kind()
    service.boards[BOARD]["custom_fields"] = [
        {
            "id": 41,
            "title": "Customer",
            "position": 1.0,
            "settings": {"custom_field_type": "text"},
        },
        {"id": 42, "title": "Place", "position": 2.0, "settings": {"custom_field_type": "text"}},
    ]
    for title in ("Alpha", "Beta", "Gamma"):
        service.add(title, OPEN)
    service.add("Delta", DOING)
    label = service.add_label(BOARD, "bug", "#ff0000")
    alpha, beta, *_ = service.by_id.values()
    alpha["labels"] = [label]
    for task in (alpha, beta):
        group = service.add_group(task["id"], "Steps")
        for title in ("One", "Two"):
            service.add_subtask(task["id"], group["id"], f"{title} of {task['title']}")
        for number in range(5):
            service.add_comment(task["id"], f"{number} about {task['title']}")
    return service


_STUCK = (PendingState.UNSURE, PendingState.CONFLICT, PendingState.REFUSED)
_DRAWN = (PendingState.UNSURE,)


def _owned(
    loop: asyncio.AbstractEventLoop, work: Coroutine[Any, Any, Any], **more: Any
) -> asyncio.Task[Any]:
    """A task that is known to the player whose program it is of."""
    task: asyncio.Task[Any] = asyncio.Task(work, loop=loop, **more)
    player = PLAYING.get()
    if player is not None:
        player.tasks.add(task)
    return task
