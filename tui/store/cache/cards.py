"""The cards of boards: a row for each active task, in the order in which boards show them.

A row is written in the same transaction as its task. Rows are clustered in the order of reading, by
board, stage and position, so that a board of 100,000 cards is read in a fraction of a second.
"""

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import lru_cache

from tui.model.lane import CHUNK_SIZE, Chunk, Lane, Tally
from tui.model.task import Task
from tui.store.documents.cards import (
    NO_STAGE,
    SEPARATOR,
    CardGroup,
    CardRow,
    CardUnpacker,
    MatchGroup,
    PackedCards,
    PackedMatches,
    row_of,
)

_COLUMNS = ", ".join(CardRow._fields)
_SEPARATOR = f"cast(x'{SEPARATOR.hex()}' as text)"
# The conflict has no target: a card that moved collides by its id, any other by the primary key.
_PUT = f"""
    insert into card ({_COLUMNS}, seen_since) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    on conflict do update set
        seen_since = iif(stage_id = excluded.stage_id, seen_since, excluded.seen_since),
        {", ".join(f"{name} = excluded.{name}" for name in CardRow._fields)}"""

_GROUP = f"""
    select group_concat(id), min(position), max(position), sum(is_open),
        sum(is_open and is_blocked), group_concat(iif(is_open, due_at, null)),
        cast(group_concat(body, {_SEPARATOR}) as blob)
    from (
        select position, id, is_open, is_blocked, due_at, body from card
        where board_id = ? and stage_id = ? and (position, id) > (?, ?)
        order by position, id limit ?)"""
_MATCHES = f"""
    select board_id, stage_id, group_concat(id),
        group_concat(iif(is_open, iif(is_blocked, '2', '1'), '0'), ''),
        group_concat(ifnull(due_at, '')),
        cast(group_concat(body, {_SEPARATOR}) as blob)
    from card
    where board_id in (select value from json_each(?)) and stage_id <> ? and {{condition}}
    group by board_id, stage_id"""
_RELATED = 2_048
"""How many cards that block others or are blocked are kept unpacked."""
_BEFORE_ALL = float("-inf"), 0


class CardCache:
    """The cards on one connection; callers open the transaction for every write."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._unpacker = CardUnpacker()
        # Relations are read after each change, and most of their cards are as they were.
        self._card = lru_cache(_RELATED)(self._unpacked_card)

    def put(self, tasks: Mapping[int, Task | None], seen_at: str) -> None:
        """Write the cards of tasks by id; remove those of tasks that are on no board any more.

        A card that is new in its stage is seen there since `seen_at`.
        """
        rows, gone = [], []
        for task_id, task in tasks.items():
            if task is None or (row := row_of(task)) is None:
                gone.append((task_id,))
            else:
                rows.append((*row, seen_at))
        self._connection.executemany("delete from card where id = ?", gone)
        self._connection.executemany(_PUT, rows)

    def ids(self, board_id: int) -> set[int]:
        """The ids of the active tasks of a board, also of those in no stage."""
        rows = self._connection.execute("select id from card where board_id = ?", (board_id,))
        return {task_id for (task_id,) in rows}

    def among(self, board_id: int, ids: Iterable[int]) -> set[int]:
        """Those of these tasks that are active on a board."""
        rows = self._connection.execute(
            """select id from card
               where board_id = ? and id in (select value from json_each(?))""",
            (board_id, json.dumps([*ids])),
        )
        return {task_id for (task_id,) in rows}

    def totals(self, board_id: int) -> dict[int, int]:
        """The number of cards in each stage that has any."""
        return dict(
            self._connection.execute(
                """select stage_id, tasks from total
                   where board_id = ? and stage_id <> ? and tasks > 0""",
                (board_id, NO_STAGE),
            ).fetchall()
        )

    def first(self, board_id: int, stage_id: int, limit: int) -> tuple[Task, ...]:
        """The first cards of a stage."""
        rows = self._connection.execute(
            """select body from card where board_id = ? and stage_id = ?
               order by position, id limit ?""",
            (board_id, stage_id, limit),
        )
        return self.unpacked(board_id, stage_id, b",".join(body for (body,) in rows))

    def matching(
        self, board_ids: Sequence[int], condition: str, values: Sequence[object]
    ) -> Iterator[PackedMatches]:
        """The cards of boards that meet a condition on their rows, each stage by itself.

        Nothing of a card is read but what rows are sorted and grouped by.
        """
        # Joined by SQLite, as the interpreter's lock changes hands for each row that is fetched.
        # Rows are grouped as they are clustered, so that they come in order without being sorted.
        rows = self._connection.execute(
            _MATCHES.format(condition=condition), (json.dumps([*board_ids]), NO_STAGE, *values)
        )
        return (PackedMatches(self._unpacker, MatchGroup(*row)) for row in rows.fetchall())

    def counts(
        self, board_ids: Sequence[int], condition: str, values: Sequence[object]
    ) -> Sequence[tuple[int, int, int]]:
        """How many cards of boards meet a condition: by board and stage, those that have any."""
        return self._connection.execute(
            f"""select board_id, stage_id, count(*) from card
                where board_id in (select value from json_each(?)) and stage_id <> ?
                    and {condition}
                group by board_id, stage_id""",
            (json.dumps([*board_ids]), NO_STAGE, *values),
        ).fetchall()

    def blocked(self) -> list[Task]:
        """The open cards of all boards that name cards which block them."""
        return self._of_all_boards("blockers is not null and is_open")

    def with_ids(self, ids: Iterable[int]) -> list[Task]:
        """Those of these cards that are active, on whatever boards."""
        condition = "id in (select value from json_each(?))"
        return self._of_all_boards(condition, json.dumps([*ids]))

    def _of_all_boards(self, condition: str, *values: object) -> list[Task]:
        rows = self._connection.execute(
            f"select board_id, stage_id, body from card where {condition}", values
        )
        return [self._card(*row) for row in rows]

    def _unpacked_card(self, board_id: int, stage_id: int, body: bytes) -> Task:
        return self.unpacked(board_id, stage_id, body)[0]

    def unpacked(self, board_id: int, stage_id: int, bodies: bytes) -> tuple[Task, ...]:
        """The cards of a stage with these bodies, which commas separate."""
        return self._unpacker.tasks(board_id, stage_id if stage_id != NO_STAGE else None, bodies)

    def lanes(
        self, board_id: int, pause: Callable[[], object] = lambda: None
    ) -> Mapping[int, Lane]:
        """All cards of a board by stage, packed.

        Runs on the disk thread: SQLite groups the cards without holding the interpreter's lock,
        and `pause` is called between the groups, for more urgent work.
        """
        lanes = dict[int, Lane]()
        for stage_id in self.totals(board_id):
            chunks, last = list[Chunk](), _BEFORE_ALL
            while group := self._group_after(board_id, stage_id, last):
                cards = PackedCards(self._unpacker, board_id, stage_id, group)
                chunks.append(Chunk(cards))
                last = cards.last
                pause()
            lanes[stage_id] = Lane(chunks)
        return lanes

    def _group_after(
        self, board_id: int, stage_id: int, last: tuple[float, int]
    ) -> CardGroup | None:
        rows = self._connection.execute(_GROUP, (board_id, stage_id, *last, CHUNK_SIZE))
        row = rows.fetchone()
        # An aggregate over no rows is a row too, of nulls.
        return CardGroup(*row) if row[-1] is not None else None

    def tally(self, board_id: int, stage_id: int) -> Tally:
        """The tally of the cards of a stage, without reading them whole."""
        rows = self._connection.execute(
            """select due_at, is_blocked from card
               where board_id = ? and stage_id = ? and is_open""",
            (board_id, stage_id),
        ).fetchall()
        due = sorted(datetime.fromisoformat(due_at) for due_at, _ in rows if due_at)
        return Tally(len(rows), sum(is_blocked for _, is_blocked in rows), due)
