"""The interface of databases, and the steps that follow a transaction.

One request is one transaction, and SQL is written once, with named `:params` and tokens where
databases differ: `{pk}`, `{real}`, `{json}`, `{ilike}` and `{in_ids}`, which is true of the ids in
the list `:ids`. Storage errors become `ServiceError` with a message for the user.

Side effects outside of the database run after the commit. A failing step is logged and stops
neither the others nor the reply.
"""

import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any, ClassVar, TypeVar

from tui.service.database.schema import Migration
from tui.service.database.waiters import Waiters
from tui.service.errors import ServiceError

Row = dict[str, Any]
Result = TypeVar("Result")
Step = Callable[[], None]
_log = logging.getLogger(__name__)


class Collision(ServiceError):
    """503: two transactions collided; this one was rolled back and may be retried.

    With `needs_all` a retry makes sense only with all locks.
    """

    def __init__(self, *, needs_all: bool = False) -> None:
        super().__init__(503, "busy", "Others are writing to the boards; try again.")
        self.needs_all = needs_all


class Transaction(ABC):
    """A transaction, and the steps that follow it.

    `after_commit` runs after a commit. `changed_boards` are the boards whose change is told to
    those who wait for one. `is_alone` says whether nobody else can write before the end.
    """

    def __init__(self, link: Any) -> None:
        self._link = link
        self.is_alone = True
        self.changed_boards: set[int] = set()
        self.after_commit: list[Step] = []

    @abstractmethod
    def run(self, sql: str, **params: object) -> int:
        """Execute a statement; returns the number of changed rows."""

    @abstractmethod
    def many(self, sql: str, rows: Iterable[Mapping[str, object]]) -> None:
        """Execute a statement for each of `rows`."""

    @abstractmethod
    def all(self, sql: str, **params: object) -> list[Row]:
        """All rows of a query."""

    @abstractmethod
    def tuples(self, sql: str, **params: object) -> list[tuple[Any, ...]]:
        """All rows of a query as tuples, which is faster for many."""

    def value(self, sql: str, **params: object) -> Any:
        """The only column of the only row of a query, or None."""
        rows = self.tuples(sql, **params)
        return rows[0][0] if rows else None

    def select(self, table: str, order: str = "id", /, **columns: object) -> list[Row]:
        """The rows with these column values, one of which may be a list of ids."""
        condition, params = _matching(columns)
        return self.all(f"select * from {table} {condition} order by {order}", **params)

    def find(self, table: str, /, **columns: object) -> Row | None:
        """The only row with these column values, or None."""
        condition, params = _matching(columns)
        rows = self.all(f"select * from {table} {condition}", **params)
        return rows[0] if rows else None

    def delete(self, table: str, /, **columns: object) -> int:
        """Delete the rows with these column values; returns how many."""
        condition, params = _matching(columns)
        return self.run(f"delete from {table} {condition}", **params)

    def insert(self, table: str, /, **columns: object) -> Row:
        """Insert a row, and return it."""
        return self.all(_insert(table, columns) + " returning *", **columns)[0]

    def insert_missing(self, table: str, /, **columns: object) -> int:
        """Insert a row unless its key exists; returns the number of inserted rows."""
        return self.run(_insert(table, columns) + " on conflict do nothing", **columns)

    def insert_all(self, table: str, rows: Sequence[Mapping[str, object]]) -> None:
        """Insert rows with the same columns."""
        if rows:
            self.many(_insert(table, rows[0]), rows)

    def update(self, table: str, row_id: int, /, **columns: object) -> Row:
        """Update columns of an existing row, and return it."""
        changed = ", ".join(f"{name} = :{name}" for name in columns)
        statement = f"update {table} set {changed} where id = :id returning *"
        return self.all(statement, **columns, id=row_id)[0]


def _insert(table: str, columns: Iterable[str]) -> str:
    names, marks = ", ".join(columns), ", ".join(f":{name}" for name in columns)
    return f"insert into {table} ({names}) values ({marks})"


def _matching(columns: Mapping[str, object]) -> tuple[str, dict[str, object]]:
    """The condition for column values, with its parameters.

    None means null, a list is bound as `:ids`.
    """
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
        with self.begun(writing, board_id) as db:
            db.is_alone = board_id is None
            yield db
        steps: list[Step] = [*db.after_commit, lambda: self.waiters.wake(db.changed_boards)]
        for step in steps:
            try:
                step()
            except Exception:  # noqa: BLE001 - whatever a step trips over, the reply is decided
                _log.exception("A step after a change failed")

    @abstractmethod
    def begun(self, writing: bool, board_id: int | None) -> AbstractContextManager[Transaction]:
        """A transaction without the steps that follow it."""

    @abstractmethod
    def migrate(self, migrations: tuple[Migration, ...]) -> None:
        """Run missing migrations, all or none; the version is stored."""

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
                takes_all |= collision.needs_all or tries >= self.tries_beside_others
