"""The second judge: at every step a board is drawn as the naive model has it, and undo restores it.

A program draws what it last read with what waits. What it read is taken from the documents in its
cache, what waits from its outbox. While it takes a reply in, or puts off drawing one, it is not
judged; and what it has read since it was judged last need not be drawn until all is still.
"""

import sqlite3
from collections.abc import Collection
from typing import NamedTuple

from tests.store.machine.agreement import check_same
from tests.store.machine.naive import carry_out, hide_made
from tests.store.machine.plain import Plain, Row, drawn_board, known_board
from tests.store.machine.player import Player
from tui.model.board import BoardView
from tui.store.store import LocalStore

_ROWS = """select kind, body from section
           where kind = 'board' and id = :board or kind = 'task' and parent = :board"""
_STEPS = "select seq from step where board_id = ? and stack = 'undo' and body <> '[]'"
_LOST = ("comments_count", "subtasks_total", "subtasks_done", "attachments_count", "created_at")


class Moment(NamedTuple):
    """A board that is drawn right: what was `read`, what is `stuck`, and the `steps` to undo."""

    store: LocalStore
    board_id: int
    read: list[Row]
    stuck: list[int]
    pending: frozenset[int]
    """The pending changes, and those that became one with them."""
    steps: set[int]
    view: BoardView
    revision: int
    seen: Plain

    def is_like(self, other: "Moment") -> bool:
        """Whether nothing happened in between but what a person did themselves."""
        is_same_board = (self.store, self.board_id) == (other.store, other.board_id)
        return is_same_board and (self.read, self.stuck) == (other.read, other.stuck)


class Judge:
    """Looks at the board that one player looks at."""

    def __init__(self, player: Player) -> None:
        self._player = player
        self._store: LocalStore | None = None
        self._files: list[sqlite3.Connection] = []
        self._last: Moment | None = None
        self._done: dict[tuple[int, int], tuple[Plain, Plain, set[int]]] = {}
        """Steps: the board before and after each, and the cards that it may have changed more."""

    def close(self) -> None:
        """Close the files that are read."""
        while self._files:
            self._files.pop().close()

    def look(self, *, is_still: bool = False) -> Moment | None:
        """What is drawn is what was read with what waits; None if that cannot be judged now."""
        player, board_id = self._player, self._player.board_id
        view, state = player.view, player.store._parts.boards.state(board_id)
        is_busy = state.lock.locked() or state.is_behind or state.truth is None
        if player.is_dead or view is None or is_busy:
            return None
        cache, outbox = self._open()
        read = cache.execute(_ROWS, {"board": board_id}).fetchall()
        if not any(kind == "board" for kind, _ in read):  # somebody deleted it
            return None
        steps = {seq for (seq,) in outbox.execute(_STEPS, (board_id,))}
        queue, last = player.store._core.queue, self._last
        if last and last.view is view and (last.read, last.revision) == (read, queue.revision):
            return last._replace(steps=steps)
        stuck = [one.seq for one in queue.of(board_id) if not one.is_drawn]
        pending = frozenset(seq for one in queue.of(board_id) for seq in (one.seq, *one.stands_for))
        now = (player.store, board_id, read, stuck, pending, steps, view, queue.revision)
        moment, wanted = Moment(*now, drawn_board(view)), self._wanted(read)
        if moment.seen == wanted:
            self._last = moment
            return moment
        has_read_more = last is None or (last.store, last.board_id, last.read) != now[:3]
        if is_still or not has_read_more:
            check_same(f"{player.number} at {board_id} now", moment.seen, wanted)
        return None

    def _open(self) -> list[sqlite3.Connection]:
        """The files of the program that runs now: the cache and the outbox."""
        store = self._player.store
        if self._store is not store:
            self.close()
            paths = (store._core.cache_path, store._core.data_dir / "outbox.sqlite3")
            self._files = [sqlite3.connect(path, isolation_level=None) for path in paths]
            self._store = store
        return self._files

    def _wanted(self, read: list[Row]) -> Plain:
        """What must be seen of a board that was read."""
        board = known_board(read)
        queue = self._player.store._core.queue.of(self._player.board_id)
        drawn = [one for one in queue if one.is_drawn]
        for entry in drawn:
            if entry.is_outstanding and not entry.is_accepted:
                hide_made(board, entry.operation, entry.newest_id)
        for entry in drawn:
            carry_out(board, entry.operation)
        return board

    def judge_step(self, before: Moment | None, *, is_undo: bool) -> None:
        """Remember what a step did, or judge what undoing one did, if nothing else happened."""
        now = self.look()
        if before is None or now is None or not now.is_like(before):
            return
        new, gone = now.steps - before.steps, before.steps - now.steps
        if len(new) == 1 and not gone:
            # A change that has no effect any more is dropped before the step is planned, and then
            # what was read is seen without it.
            if not before.pending <= now.pending:
                return
            self._done[now.board_id, new.pop()] = (before.seen, now.seen, self._refused_cards())
        elif is_undo and len(gone) == 1 and not new:
            step = self._done.pop((now.board_id, gone.pop()), None)
            if step is not None:
                self._check_undone(*step, before.seen, now.seen)

    def _refused_cards(self) -> set[int]:
        # Moves that followed a change of such a card become one with the next move, which need not
        # go through the stage that closed it.
        queue = self._player.store._core.queue
        apart = (entry.operation.task_id for entry in queue.all() if not entry.is_drawn)
        return {queue.renames.get(one, one) for one in apart if one is not None}

    def _check_undone(
        self, before: Plain, after: Plain, refused: set[int], then: Plain, now: Plain
    ) -> None:
        """What a step changed, and was still so then, is as before it.

        What was deleted has another id, and is found by what it is like.
        """
        old, new, was, cards = (self._by_id(one, now) for one in (before, after, then, now))
        gone = self._lanes(after, ()).keys() - self._lanes(then, ()).keys()
        for task_id in old.keys() | new.keys():
            if task_id in old and old[task_id]["stage_id"] in gone:
                continue  # somebody archived its stage meanwhile
            if task_id in refused:
                continue
            if task_id in old and task_id in new and task_id in was:
                for name, value in old[task_id].items():
                    if value != new[task_id][name] == was[task_id][name]:
                        there = cards.get(task_id, {}).get(name)
                        assert there == value, f"undone {name} of {task_id}: {there}, not {value}"
            elif task_id not in {*new, *was}:
                assert old[task_id] in cards.values(), f"not back: {old[task_id]}"
            elif task_id in new and task_id not in old:
                assert task_id not in cards, f"still there: {new[task_id]}"
        if self._lanes(then, was) == self._lanes(after, was):
            both = old.keys() & cards.keys()
            assert self._lanes(now, both) == self._lanes(before, both), "undone in another order"

    def _by_id(self, board: Plain, now: Plain) -> dict[int, Plain]:
        """The cards of a board as far as undo restores them, by their present ids.

        Labels that the board does not have `now` are left out, as somebody deleted them. Cards
        that block others are named by their titles, as one that was deleted comes back under
        another id.
        """
        ids, cards = self._player.store._core.queue.renames, {}
        titles = {
            ids.get(card["id"], card["id"]): card["title"]
            for lanes in (board["cards"], now["cards"])
            for lane in lanes.values()
            for card in lane
        }
        labels = {(label["title"], label["color"]) for label in now["labels"]}
        for card in (card for lane in board["cards"].values() for card in lane):
            kept = {name: value for name, value in card.items() if name not in (*_LOST, "id")}
            own = {(label["title"], label["color"]) for label in card["labels"]}
            kept["labels"] = sorted(own & labels)
            kept["assignees"] = sorted(card["assignees"])
            blockers = (ids.get(one, one) for one in card["blockers"])
            kept["blockers"] = sorted(titles.get(one, f"#{one}") for one in blockers)
            kept["stage_id"] = ids.get(card["stage_id"], card["stage_id"])
            cards[ids.get(card["id"], card["id"])] = kept
        return cards

    def _lanes(self, board: Plain, meant: Collection[int]) -> dict[int, list[int]]:
        """The order of the cards that are meant, by stage, in present ids."""
        ids = self._player.store._core.queue.renames
        lanes = {
            ids.get(stage_id, stage_id): [ids.get(card["id"], card["id"]) for card in lane]
            for stage_id, lane in board["cards"].items()
        }
        return {stage_id: [one for one in lane if one in meant] for stage_id, lane in lanes.items()}
