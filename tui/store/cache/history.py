"""The history of boards: activities as the service told them, and changes seen by the cache.

An activity that `has_gap_below` may have older ones directly below it that are not stored. Those
above the newest such gap are all that the service had when the log was last read.
"""

import json
import sqlite3
from collections.abc import Sequence, Set as AbstractSet
from datetime import datetime, timedelta
from typing import NamedTuple

from tui.store.documents.assemble import instant
from tui.store.documents.assemble_detail import task_of_activity
from tui.store.documents.shapes import Document

_MOVES = frozenset({"moved", "changed", "updated"})
_RESOLUTION = timedelta(seconds=1)
"""Resolution of activity time stamps: activities of the same second may be below a gap."""


class Reach(NamedTuple):
    """How far back a log is stored without a gap: to the activity `down_to`, and all since `since`.

    `stored` is the number of activities from there on; without a gap all are None or 0.
    """

    down_to: int | None = None
    since: datetime | None = None
    stored: int = 0

    def is_back_to(self, since: datetime) -> bool:
        """Whether everything since then is stored."""
        return self.down_to is None or (self.since is not None and self.since <= since)


class LogPage(NamedTuple):
    """A page of a log, asked for at `asked_at`.

    `follows` is the oldest activity of the previous page if this one directly continues it; a page
    `is_end` if the service has nothing older. Our own service `records_moves`; for others that is
    inferred from a page that has a move.
    """

    documents: Sequence[Document]
    asked_at: datetime | None = None
    follows: int | None = None
    total: int | None = None
    is_end: bool = False
    records_moves: bool = False


class Observed(NamedTuple):
    """A row of `observed`: a change that happened later than `after` and was seen `at`."""

    task_id: int
    kind: str
    old: str
    new: str
    title: str
    after: str | None
    at: str


class HistoryTable:
    """The tables on the connection of a cache; callers open the transaction for every write."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def activities(self, board_id: int, decoded: AbstractSet[int]) -> dict[int, str]:
        """The activities of a board by id: their bodies, or "" for those already `decoded`."""
        run = self._connection.execute
        ids = run("select id from activity where board_id = ?", (board_id,)).fetchall()
        bodies = dict.fromkeys((id_ for (id_,) in ids), "")
        return bodies | dict(
            run(
                """select id, body from activity
                   where board_id = ? and id in (select value from json_each(?))""",
                (board_id, json.dumps([id_ for id_ in bodies if id_ not in decoded])),
            ).fetchall()
        )

    def observed(self, board_id: int) -> list[Observed]:
        """The changes that were seen on a board."""
        rows = self._connection.execute(
            """select task_id, kind, old, new, title, after, at from observed
               where board_id = ? order by rowid""",
            (board_id,),
        )
        return [Observed(*row) for row in rows]

    def seen_since(self, board_id: int, task_id: int | None) -> list[tuple[int, str]]:
        """When the cards of a board, or one of them, were first seen in their present stages."""
        only = "" if task_id is None else "and id = :task"
        return self._connection.execute(
            f"select id, seen_since from card where board_id = :board {only}",
            {"board": board_id, "task": task_id},
        ).fetchall()

    def deleted(self, task_ids: AbstractSet[int]) -> frozenset[int]:
        """Those of these tasks that were deleted, as far as the stored activities tell."""
        rows = self._connection.execute("select body from activity where body like '%delete%'")
        activities = (json.loads(body) for (body,) in rows)
        deleted = {task_of_activity(activity) for activity in activities if _is_deletion(activity)}
        return frozenset(task_id for task_id in task_ids if task_id in deleted)

    def read_at(self, board_id: int) -> datetime | None:
        """When the log of a board was read last."""
        log = self._connection.execute(
            "select read_at from activity_log where board_id = ?", (board_id,)
        ).fetchone()
        return instant(log[0]) if log else None

    def records_moves(self) -> bool:
        """Whether the service records moves in its logs."""
        (moves,) = self._connection.execute(
            "select max(records_moves) from activity_log"
        ).fetchone()
        return bool(moves)

    def reach(self, board_id: int) -> Reach:
        """How far back the log of a board is stored."""
        row = self._connection.execute(
            """select id, at, (select count(*) from activity as newer
                               where newer.board_id = activity.board_id and newer.id >= activity.id)
               from activity where board_id = ? and has_gap_below order by id desc limit 1""",
            (board_id,),
        ).fetchone()
        if row is None:
            return Reach()
        at = instant(row[1])
        return Reach(row[0], None if at is None else at + _RESOLUTION, row[2])

    def put_page(self, board_id: int, page: LogPage) -> Reach:
        """Store a page; returns how far back the log is stored now."""
        ids = sorted((int(activity["id"]) for activity in page.documents), reverse=True)
        if ids:
            lowest = ids[-1]
            # What the service lacks within the page is on another board now.
            self._connection.execute(
                """delete from activity where board_id = ? and id >= ? and id < ?
                   and id not in (select value from json_each(?))""",
                (board_id, lowest, page.follows or ids[0], json.dumps(ids)),
            )
            # The oldest one on a page has a gap below until another page closes it; a closed gap
            # stays closed when the page is read again.
            self._connection.executemany(
                """insert into activity values (?, ?, ?, ?, ?)
                   on conflict do update set
                   has_gap_below = min(has_gap_below, excluded.has_gap_below)""",
                [
                    (board_id, item["id"], item.get("created_at") or "", item["id"] == lowest,
                     json.dumps(item, ensure_ascii=False, separators=(",", ":")))
                    for item in page.documents
                ],
            )  # fmt: skip
        if page.follows is not None and ids and ids[-1] < page.follows:
            self._close_gap(board_id, page.follows)
        # Activities that were added or deleted while pages were read shift the others. The gap
        # stays unless as many are stored as the service has.
        if page.is_end and self._count(board_id) >= (page.total or 0):
            self._close_gap(board_id, ids[-1] if ids else page.follows)
        self._note(board_id, page)
        return self.reach(board_id)

    def _close_gap(self, board_id: int, activity_id: int | None) -> None:
        self._connection.execute(
            "update activity set has_gap_below = 0 where board_id = ? and id = ?",
            (board_id, activity_id),
        )

    def _count(self, board_id: int) -> int:
        (count,) = self._connection.execute(
            "select count(*) from activity where board_id = ?", (board_id,)
        ).fetchone()
        return int(count)

    def _note(self, board_id: int, page: LogPage) -> None:
        moves = page.records_moves or any(
            str(activity.get("action")).strip().casefold() in _MOVES
            and str(activity.get("column")).strip().casefold() == "stage"
            and activity.get("object_type") == "task_activity"
            for activity in page.documents
        )
        if page.asked_at is not None:
            self._connection.execute(
                """insert into activity_log values (?, ?, ?) on conflict do update set
                   read_at = max(read_at, excluded.read_at)""",
                (board_id, page.asked_at.isoformat(), moves),
            )
        if moves:
            self._connection.execute(
                "update activity_log set records_moves = 1 where board_id = ?", (board_id,)
            )

    def forget_board(self, board_id: int) -> None:
        """Remove the history of a board that no longer exists."""
        for table in ("activity", "activity_log", "observed"):
            self._connection.execute(f"delete from {table} where board_id = ?", (board_id,))

    def forget_observed(self, moment: datetime) -> None:
        """Remove observations from before that time that the log of their board records too."""
        # The log is complete only above its newest gap: older observations stay.
        self._connection.execute(
            """delete from observed where at < ?
               and board_id in (select board_id from activity_log where records_moves)
               and after >= ifnull((select max(at) from activity
                                    where board_id = observed.board_id and has_gap_below), '')""",
            (moment.isoformat(),),
        )

    def forget_before(self, moment: datetime) -> None:
        """Remove what happened before that time; the log then begins with a gap."""
        cutoff = moment.isoformat()
        self._connection.execute("delete from observed where at < ?", (cutoff,))
        rows = self._connection.execute(
            "delete from activity where at < ? returning board_id", (cutoff,)
        ).fetchall()
        for (board_id,) in set(rows):
            self._connection.execute(
                """update activity set has_gap_below = 1 where (board_id, id) =
                   (select board_id, min(id) from activity where board_id = ? group by board_id)""",
                (board_id,),
            )
        self._connection.execute(
            "delete from activity_log where board_id not in (select board_id from activity)"
        )


def _is_deletion(activity: Document) -> bool:
    words = (str(activity.get(name) or "").strip().casefold() for name in ("action", "column"))
    return tuple(words) in (("deleted", "task"), ("delete", "task"))
