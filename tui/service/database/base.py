"""The interface of databases, and the steps that follow a transaction.

One request is one transaction. A statement is sent when it is run, and its rows are awaited when
somebody looks at them, so statements that do not depend on each other's rows share a round trip to
the server if all are run before the rows of one are looked at. SQL is written once, with named
`:params` and tokens where databases differ: `{pk}`, `{real}`, `{json}`, `{ilike}`, `{in_ids}`,
which is true of the ids in the list `:ids`, and `{pairs}` and `{other_pairs}`, tables with the
columns `place`, `one` and `other` of what `listed` makes of pairs. Storage errors become
`ServiceError` with a message for the user.

What concerns many rows is one statement, so that a big board keeps nobody waiting for long.

Side effects outside of the database run after the commit. A failing step is logged and stops
neither the others nor the reply.
"""

import json
import logging
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any, ClassVar, TypeVar

from tui.service.database.schema import Migration
from tui.service.database.waiters import Waiters
from tui.service.errors import BUSY, ServiceError

Row = dict[str, Any]
Rows = Sequence[Row]
Written = Mapping[str, Any]
"""An inserted or updated row; reading a column awaits it."""
Result = TypeVar("Result")
Item = TypeVar("Item")
Later = Callable[[], Item]
"""Builds a value from rows whose query is already collected; calling it awaits them.

So several queries can be collected before the first one is awaited, in one round trip.
"""
Step = Callable[[], None]
LARGEST_STEP = 1_000
"""How many rows of a table a change writes before it lets others in; it takes about 20 ms."""
_PART_DONE = "Only a part was changed before it failed; do it again."
_log = logging.getLogger(__name__)


class Collision(ServiceError):
    """503: two transactions collided; this one was rolled back and may be retried.

    With `needs_all` a retry makes sense only with all locks.
    """

    def __init__(self, *, needs_all: bool = False) -> None:
        super().__init__(503, BUSY, "Others are writing to the boards; try again.")
        self.needs_all = needs_all


class Transaction(ABC):
    """A transaction, and the steps that follow it.

    `after_release` runs when others may write again, `after_commit` when the change is on the disk.
    `changed_boards` are the boards whose change is told to those who wait for one. `is_alone` says
    whether nobody else can write before the end. `undo` removes the steps that were taken already,
    if a later one fails; see `let_others_in`.
    """

    def __init__(self, link: Any) -> None:
        self._link = link
        self.is_alone = True
        self.changed_boards: set[int] = set()
        self.after_release: list[Step] = []
        self.after_commit: list[Step] = []
        self.undo: list[Step] = []
        self.has_steps = False

    @abstractmethod
    def let_others_in(self) -> None:
        """Commit a step of a long change, where writers of other boards have to wait for it.

        What was written is kept, even if the program ends now. Call it between parts of at most
        `LARGEST_STEP` rows.
        """

    def release(self) -> None:
        """Run the steps that follow the commit but need not wait for the disk."""
        for step in self.after_release:
            step()

    @abstractmethod
    def run(self, sql: str, **params: object) -> None:
        """Execute a statement; its failure is raised by a later one, or by the commit."""

    @abstractmethod
    def many(self, sql: str, rows: Iterable[Mapping[str, object]]) -> None:
        """Execute a statement for each of `rows`; as `run`."""

    @abstractmethod
    def all(self, sql: str, **params: object) -> Rows:
        """All rows of a query."""

    @abstractmethod
    def tuples(self, sql: str, **params: object) -> Sequence[tuple[Any, ...]]:
        """All rows of a query as tuples, which is faster for many."""

    def value(self, sql: str, **params: object) -> Any:
        """The only column of the only row of a query, or None."""
        rows = self.tuples(sql, **params)
        return rows[0][0] if rows else None

    def select(self, table: str, order: str = "id", /, **columns: object) -> Rows:
        """The rows with these column values, one of which may be a list of ids."""
        condition, params = _matching(columns)
        return self.all(f"select * from {table} {condition} order by {order}", **params)

    def find(self, table: str, /, **columns: object) -> Row | None:
        """The only row with these column values, or None."""
        condition, params = _matching(columns)
        return first(self.all(f"select * from {table} {condition}", **params))

    def delete(self, table: str, /, **columns: object) -> Sequence[object]:
        """Delete the rows with these column values; returns something for each."""
        condition, params = _matching(columns)
        return self.tuples(f"delete from {table} {condition} returning 1", **params)

    def insert(self, table: str, /, **columns: object) -> Written:
        """Insert a row, and return it."""
        # Read with the insertion: a separate query for the new row would be another round trip.
        return _OnlyRow(self.all(_insert(table, columns) + " returning *", **columns))

    def insert_missing(self, table: str, /, **columns: object) -> Sequence[object]:
        """Insert a row unless its key exists; returns something for an inserted row."""
        statement = _insert(table, columns) + " on conflict do nothing returning 1"
        return self.tuples(statement, **columns)

    def insert_all(self, table: str, rows: Sequence[Mapping[str, object]]) -> None:
        """Insert rows with the same columns."""
        if rows:
            self.many(_insert(table, rows[0]), rows)

    def update(self, table: str, row_id: int, /, **columns: object) -> Written:
        """Update columns of an existing row, and return it."""
        changed = ", ".join(f"{name} = :{name}" for name in columns)
        statement = f"update {table} set {changed} where id = :id returning *"
        return _OnlyRow(self.all(statement, **columns, id=row_id))


def first(rows: Sequence[Item]) -> Item | None:
    """The first of the rows, if there is one."""
    return rows[0] if rows else None


def steps_of(items: Sequence[Item]) -> Iterator[Sequence[Item]]:
    """Parts of `LARGEST_STEP` items."""
    for begin in range(0, len(items), LARGEST_STEP):
        yield items[begin : begin + LARGEST_STEP]


def listed(pairs: Iterable[tuple[int, int]]) -> str:
    """Pairs of integers as the parameter of `{pairs}`; their places count from 1."""
    return json.dumps(list(pairs))


def grouped(
    rows: Iterable[Row], column: str, make: Callable[[Row], Item]
) -> defaultdict[int, list[Item]]:
    """What is made of rows, in their order, by a column that holds ids."""
    groups: defaultdict[int, list[Item]] = defaultdict(list)
    for row in rows:
        groups[row[column]].append(make(row))
    return groups


class _OnlyRow(Written):
    """The only one of some rows."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    def __getitem__(self, name: str) -> Any:
        return self._rows[0][name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows[0])

    def __len__(self) -> int:
        return len(self._rows[0])


def _insert(table: str, columns: Iterable[str]) -> str:
    names, marks = ", ".join(columns), ", ".join(f":{name}" for name in columns)
    return f"insert into {table} ({names}) values ({marks})"


def _matching(columns: Mapping[str, object]) -> tuple[str, dict[str, object]]:
    # None means null, a list is bound as `:ids`.
    terms: list[str] = []
    params: dict[str, object] = {}
    for name, value in columns.items():
        if value is None:
            terms.append(f"{name} is null")
        elif isinstance(value, list):
            terms.append(f"{name} {{in_ids}}")
            params["ids"] = value
        else:
            terms.append(f"{name} = :{name}")
            params[name] = value
    return f"where {' and '.join(terms)}" if terms else "", params


def _take(steps: Iterable[Step]) -> None:
    for step in steps:
        try:
            step()
        except Exception:  # noqa: BLE001 - whatever a step trips over, the reply is decided
            _log.exception("A step after a change failed")


class Database(ABC):
    """A database, used by many threads."""

    waiters: Waiters
    tries_beside_others: ClassVar[int] = 0
    """How often to try a colliding transaction before taking all locks."""
    tries_alone: ClassVar[int] = 1

    def __init__(self) -> None:
        self.on_gone: Step = lambda: None
        """What to do when the database was deleted or replaced; every request is refused then."""

    @contextmanager
    def transaction(self, *, writing: bool, board_id: int | None = None) -> Iterator[Transaction]:
        """A transaction, committed after the block or rolled back if it raises.

        `board_id` is the only board that is written to; None takes all locks. Raises `ServiceError`
        for storage errors, `Collision` if it may be retried. The steps that follow run at the end.
        """
        db: Transaction | None = None
        try:
            with self.begun(writing, board_id) as begun:
                db = begun
                db.is_alone = board_id is None
                yield db
        except BaseException as error:
            # Earlier steps are committed, so the rollback of the last one does not undo the change.
            if db is not None and db.has_steps:
                _take(db.undo)
                if not db.undo and isinstance(error, ServiceError):
                    raise ServiceError(error.status, error.code, _PART_DONE) from error
            raise
        # The change is on the disk here. Requests that wait for it are woken only now, so that they
        # never report what a power cut could still undo.
        steps: list[Step] = [*db.after_commit, lambda: self.waiters.wake(db.changed_boards)]
        _take(steps)

    @abstractmethod
    def begun(self, writing: bool, board_id: int | None) -> AbstractContextManager[Transaction]:
        """A transaction without the steps that follow it."""

    @abstractmethod
    def rows(self, sql: str, **params: object) -> Rows:
        """All rows of one query, which needs no transaction."""

    @abstractmethod
    def version(self, db: Transaction) -> int:
        """The number of migrations run; 0 if there are no tables of ours."""

    @abstractmethod
    def set_version(self, db: Transaction, version: int) -> None:
        """Store the number of migrations run."""

    def migrate(self, migrations: tuple[Migration, ...]) -> None:
        """Run missing migrations while nobody else writes, all or none."""
        # Most starts have nothing to migrate, and then need not wait for writers.
        with self.transaction(writing=False) as db:
            if self.version(db) == len(migrations):
                return
        with self.transaction(writing=True) as db:
            # Another process may have migrated since.
            version = self.version(db)
            for migration in migrations[version:]:
                for statement in migration:
                    db.run(statement)
            if version < len(migrations):
                self.set_version(db, len(migrations))

    @abstractmethod
    def close(self) -> None:
        """Wait for running transactions; later ones raise 503."""

    def settled(
        self, work: Callable[[Transaction], Result], *, writing: bool, board_id: int | None = None
    ) -> Result:
        """The result of `work` in a transaction, which is tried again after collisions.

        Later tries take all locks, so that it ends; see `transaction`.
        """
        tries = 0
        takes_all = self.tries_beside_others == 0
        while True:
            tries += 1
            try:
                locked = None if takes_all else board_id
                with self.transaction(writing=writing, board_id=locked) as db:
                    return work(db)
            except Collision as collision:
                if tries == self.tries_beside_others + self.tries_alone:
                    raise
                # A request that writes beyond its board would collide again with only its own lock.
                takes_all |= collision.needs_all or tries >= self.tries_beside_others
