"""What the service asks of a database, whichever it is, and what follows a transaction.

One request is one transaction, and SQL is written once, with named `:params` and tokens where
databases differ: `{pk}`, `{real}`, `{json}`, `{ilike}` and `{in_ids}`, which is true of the ids in
the list `:ids`. What goes wrong with the storage leaves here as `ServiceError` with words that a
person can act on; nothing half-written stays.

Nothing outside of the database happens before the database has kept what it belongs to; what was
written outside beforehand is taken back when the database keeps nothing. A step that fails is
logged and stops neither the others nor the reply.
"""

import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any, ClassVar, TypeVar

from tui.service.database.schema import Migration
from tui.service.errors import ServiceError

Row = dict[str, Any]
Result = TypeVar("Result")
Step = Callable[[], None]
_log = logging.getLogger(__name__)


class Collision(ServiceError):
    """503: two transactions were in each other's way; this one is undone and may be done again.

    With `needs_all` that makes sense only while others keep still.
    """

    def __init__(self, *, needs_all: bool = False) -> None:
        super().__init__(503, "busy", "Others are writing to the boards; try again.")
        self.needs_all = needs_all


class Transaction(ABC):
    """What a handler may ask of the database until its transaction ends, and what follows it.

    The steps of `after_commit` are taken once what was done is kept, those of `after_rollback` once
    it is undone.
    """

    def __init__(self, link: Any) -> None:
        self._link = link
        self.after_commit: list[Step] = []
        self.after_rollback: list[Step] = []

    @abstractmethod
    def run(self, sql: str, **params: object) -> int:
        """Carry out a statement; says how many rows it changed."""

    @abstractmethod
    def many(self, sql: str, rows: Iterable[Mapping[str, object]]) -> None:
        """Carry out a statement once for each of `rows`."""

    @abstractmethod
    def all(self, sql: str, **params: object) -> list[Row]:
        """Every row of an answer."""

    @abstractmethod
    def tuples(self, sql: str, **params: object) -> list[tuple[Any, ...]]:
        """Every row of an answer by position, which is quicker where there are many."""

    def one(self, sql: str, **params: object) -> Row | None:
        """The only row of an answer, or None."""
        rows = self.all(sql, **params)
        return rows[0] if rows else None

    def value(self, sql: str, **params: object) -> Any:
        """The only column of the only row of an answer, or None."""
        rows = self.tuples(sql, **params)
        return rows[0][0] if rows else None

    def select(self, table: str, order: str = "id", /, **columns: object) -> list[Row]:
        """The rows with these values in columns, of which one may be a list of ids to be among."""
        statement = f"select * from {table} {_where(columns)} order by {order}"  # noqa: S608 - ours
        return self.all(statement, **_bound(columns))

    def find(self, table: str, /, **columns: object) -> Row | None:
        """The only row with these values in columns, or None."""
        statement = f"select * from {table} {_where(columns)}"  # noqa: S608 - names of ours
        return self.one(statement, **_bound(columns))

    def delete(self, table: str, /, **columns: object) -> int:
        """Delete the rows with these values in columns; says how many there were."""
        return self.run(f"delete from {table} {_where(columns)}", **_bound(columns))  # noqa: S608 - ours

    def insert(self, table: str, /, **columns: object) -> Row:
        """Add a row, and return all of it."""
        return self.all(_insert(table, columns) + " returning *", **columns)[0]

    def insert_missing(self, table: str, /, **columns: object) -> int:
        """Add a row unless there is one with the same key; says how many were added."""
        return self.run(_insert(table, columns) + " on conflict do nothing", **columns)

    def insert_all(self, table: str, rows: Sequence[Mapping[str, object]]) -> None:
        """Add rows, which all give the same columns."""
        if rows:
            self.many(_insert(table, rows[0]), rows)

    def update(self, table: str, row_id: int, /, **columns: object) -> Row:
        """Change columns of a row that is there, and return all of it."""
        changed = ", ".join(f"{name} = :{name}" for name in columns)
        statement = f"update {table} set {changed} where id = :id returning *"  # noqa: S608 - ours
        return self.all(statement, **columns, id=row_id)[0]


def _insert(table: str, columns: Iterable[str]) -> str:
    names, marks = ", ".join(columns), ", ".join(f":{name}" for name in columns)
    return f"insert into {table} ({names}) values ({marks})"  # noqa: S608 - names of ours


def _where(columns: Mapping[str, object]) -> str:
    """A condition for values, None being no value; a list is bound as `:ids`."""
    terms = []
    for name, value in columns.items():
        if value is None:
            terms.append(f"{name} is null")
        else:
            terms.append(f"{name} {{in_ids}}" if isinstance(value, list) else f"{name} = :{name}")
    return f"where {' and '.join(terms)}" if terms else ""


def _bound(columns: Mapping[str, object]) -> dict[str, object]:
    return {"ids" if isinstance(value, list) else name: value for name, value in columns.items()}


class Database(ABC):
    """Where the boards are kept; many threads may use it."""

    tries_beside_others: ClassVar[int] = 0
    """How often to try what may collide before it is given the database for itself."""
    tries_alone: ClassVar[int] = 1

    @contextmanager
    def transaction(self, *, writing: bool, board_id: int | None = None) -> Iterator[Transaction]:
        """One transaction: everything in the block is kept, or, if it raises, nothing is.

        `board_id` is the only board that is written to; None, that others may not write at all.
        Raises `ServiceError` when the storage or another program is in the way, `Collision` when
        the whole may be done again. The steps that follow are taken when it is over.
        """
        steps: list[Step] = []
        try:
            with self.begun(writing, board_id) as db:
                steps = db.after_rollback
                yield db
            steps = db.after_commit
        finally:
            for step in steps:
                try:
                    step()
                except Exception:  # noqa: BLE001 - whatever a step trips over, the reply is decided
                    _log.exception("A step after a change failed")

    @abstractmethod
    def begun(self, writing: bool, board_id: int | None) -> AbstractContextManager[Transaction]:
        """A transaction without what follows it."""

    @abstractmethod
    def migrate(self, migrations: tuple[Migration, ...]) -> None:
        """Bring the tables up to date, all steps or none; the version is kept beside them."""

    @abstractmethod
    def close(self) -> None:
        """Wait for the transactions that are running; later ones are refused with 503."""

    def settled(self, work: Callable[[bool], Result]) -> Result:
        """The result of `work`, which makes one transaction and is done again if that collides.

        It is told whether others must keep still; they do from some try on, so that it ends.
        """
        tries = self.tries_beside_others + self.tries_alone
        alone = self.tries_beside_others == 0
        for number in range(1, tries):
            try:
                return work(alone)
            except Collision as collision:
                alone = alone or collision.needs_all or number >= self.tries_beside_others
        return work(alone)
