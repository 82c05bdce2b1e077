"""The tasks of a stage in order, as an immutable sequence.

It consists of chunks. A changed lane shares all chunks but the changed ones with the lane before,
so that changes, look-ups and counts take about as long in a stage of 20,000 tasks as in one of 20.
The tasks of a chunk may be packed until they are needed, which for most chunks is never.
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import (
    Callable,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
    Set as AbstractSet,
)
from datetime import date, datetime, time, timedelta
from functools import cached_property
from itertools import accumulate, chain, count, repeat
from operator import attrgetter
from typing import Any, NamedTuple, Protocol, TypeVar, overload

from tui.model.task import Task, blocked_labels

CHUNK_SIZE = 256
"""The number of tasks in a new chunk; one of more than twice as many is divided."""

_TIMES_KEPT = 4
_FIRST = attrgetter("first")
_ID = attrgetter("id")
_POSITION = attrgetter("position")
_SIZE = attrgetter("size")

T = TypeVar("T")


def order(task: Task) -> tuple[float, int]:
    """The key by which the service orders the tasks of a stage."""
    return (task.position, task.id)


class Tally(NamedTuple):
    """The numbers of open and of blocked tasks, and the due dates of the open ones in order.

    A sum has the dates of its parts in `dues`: putting all of a large board in order would take
    long.
    """

    open: int
    blocked: int
    due: Sequence[datetime] = ()
    dues: tuple[Sequence[datetime], ...] = ()

    @classmethod
    def sum_of(cls, parts: Iterable["Tally"]) -> "Tally":
        """The tally of all the tasks of which there are these."""
        # Only open cards count as blocked or due, so parts without any add nothing.
        with_open = [part for part in parts if part.open]
        dues = (dues for part in with_open for dues in (part.due, *part.dues) if dues)
        numbers = sum(part.open for part in with_open), sum(part.blocked for part in with_open)
        return cls(*numbers, dues=tuple(dues))

    def late(self, now: datetime) -> int:
        """How many are due before this wall-clock time."""
        return bisect_left(self.due, now) + sum(map(bisect_left, self.dues, repeat(now)))

    def is_due_on(self, day: date) -> bool:
        """Whether an open task is due on this day."""
        begin = datetime.combine(day, time())
        end = begin + timedelta(days=1)
        dues = (self.due, *self.dues)
        return any(bisect_left(times, begin) < bisect_left(times, end) for times in dues)


class Late(dict[datetime, int]):
    """The number of late tasks by wall-clock time; the last few are cached."""

    def __init__(self, count: Callable[[datetime], int]) -> None:
        super().__init__()
        self._count = count

    def __missing__(self, now: datetime) -> int:
        # Callers ask by the minute, so older times do not come back.
        if len(self) >= _TIMES_KEPT:
            self.clear()
        self[now] = late = self._count(now)
        return late


class PackedTasks(Protocol):
    """Successive tasks of a lane, of which this is known before they are unpacked."""

    def __len__(self) -> int: ...
    @property
    def first(self) -> tuple[float, int]: ...
    @property
    def ids(self) -> Sequence[int]: ...
    @property
    def positions(self) -> Sequence[float]: ...
    def tally(self) -> Tally: ...
    def task(self, row: int) -> Task: ...
    def values(self, name: str) -> Sequence[Any]: ...
    def may_have(self, some_id: int) -> bool: ...
    def may_name(self, card_id: int) -> bool: ...
    def unpacked(self) -> tuple[Task, ...]: ...


class Chunk:
    """Some successive tasks of a lane, and what is computed about them once."""

    def __init__(self, tasks: tuple[Task, ...] | PackedTasks) -> None:
        self._source = tasks
        self.size = len(tasks)

    def __len__(self) -> int:
        return self.size

    @property
    def is_packed(self) -> bool:
        """Whether no task of it was needed yet."""
        return not isinstance(self._source, tuple)

    @property
    def tasks(self) -> tuple[Task, ...]:
        """The tasks in order."""
        return self._source if isinstance(self._source, tuple) else self.unpack()

    def may_have(self, some_id: int) -> bool:
        """Whether a task may have this person or label, as far as that is known without them."""
        return isinstance(self._source, tuple) or self._source.may_have(some_id)

    def may_name(self, card_id: int) -> bool:
        """Whether a task may name this one as its blocker, as far as that is known without them."""
        return isinstance(self._source, tuple) or self._source.may_name(card_id)

    def unpack(self) -> tuple[Task, ...]:
        """Make the tasks, if that was not done yet; returns them."""
        if not isinstance(self._source, tuple):
            self._source = self._source.unpacked()
        return self._source

    def task(self, row: int) -> Task:
        """One of the tasks, without unpacking the others."""
        source = self._source
        return source[row] if isinstance(source, tuple) else source.task(row)

    def values(self, name: str) -> Sequence[Any]:
        """An attribute of each task in order, without unpacking them."""
        source = self._source
        if isinstance(source, tuple):
            return tuple(map(attrgetter(name), source))
        return source.values(name)

    @cached_property
    def first(self) -> tuple[float, int]:
        """Where the first task is in the order of the service."""
        source = self._source
        return order(source[0]) if isinstance(source, tuple) else source.first

    @cached_property
    def ids(self) -> Sequence[int]:
        """The ids of the tasks in order."""
        source = self._source
        return tuple(map(_ID, source)) if isinstance(source, tuple) else source.ids

    @cached_property
    def rows(self) -> Mapping[int, int]:
        """The index of each task by its id."""
        return dict(zip(self.ids, count(), strict=False))

    @cached_property
    def positions(self) -> Sequence[float]:
        """The positions of the tasks, which are in order if the service ordered them."""
        source = self._source
        return tuple(map(_POSITION, source)) if isinstance(source, tuple) else source.positions

    @cached_property
    def tally(self) -> Tally:
        if not isinstance(self._source, tuple):
            return self._source.tally()
        still_open = [task for task in self._source if task.is_open]
        labelled = [task.labels for task in still_open if task.labels]
        blocked = sum(bool(blocked_labels(labels)) for labels in labelled)
        due = [task.due_at for task in still_open if task.due_at is not None]
        return Tally(len(still_open), blocked, sorted(due))


class Lane(Sequence[Task]):
    """The tasks of a stage in order; compares equal to a tuple of the same tasks."""

    def __init__(self, chunks: Iterable[Chunk] = ()) -> None:
        self.chunks = tuple(chunks)
        self._starts: list[int] = list(accumulate(map(_SIZE, self.chunks), initial=0))

    def __len__(self) -> int:
        return self._starts[-1]

    def __iter__(self) -> Iterator[Task]:
        return chain.from_iterable(chunk.tasks for chunk in self.chunks)

    @overload
    def __getitem__(self, index: int) -> Task: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Task, ...]: ...
    def __getitem__(self, index: int | slice) -> Task | tuple[Task, ...]:
        if isinstance(index, slice):
            return tuple(self[position] for position in range(*index.indices(len(self))))
        chunk, row = self.spot(index)
        return chunk.tasks[row]

    def spot(self, index: int) -> tuple[Chunk, int]:
        """The chunk of the task at an index, and its index there."""
        size = self._starts[-1]
        row = index + size if index < 0 else index
        if not 0 <= row < size:
            raise IndexError(index)
        number = bisect_right(self._starts, row) - 1
        return self.chunks[number], row - self._starts[number]

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Lane) and self._starts == other._starts:
            pairs = zip(self.chunks, other.chunks, strict=True)
            # Lanes share unchanged chunks, so most pairs are identical.
            return all(
                chunk is other_chunk or chunk.tasks == other_chunk.tasks
                for chunk, other_chunk in pairs
            )
        if not isinstance(other, Lane | tuple):
            return NotImplemented
        return len(self) == len(other) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"Lane({list(self)})"

    @cached_property
    def tally(self) -> Tally:
        return Tally.sum_of(chunk.tally for chunk in self.chunks)

    @cached_property
    def late(self) -> Late:
        """How many tasks are late."""
        return Late(self.tally.late)

    @property
    def ids(self) -> "LaneIds":
        """The ids of the tasks in order."""
        return LaneIds(self)

    @property
    def positions(self) -> Sequence[tuple[int, float]]:
        """The ids of the tasks in order, each with its position."""
        return _Column(self, lambda chunk, row: (chunk.ids[row], chunk.positions[row]))

    def row_of(self, task_id: int | None) -> int | None:
        """The index of the task with this id; None if it is not there."""
        if task_id is not None:
            for start, chunk in zip(self._starts, self.chunks, strict=False):
                if task_id in chunk.rows:
                    return start + chunk.rows[task_id]
        return None

    def task(self, task_id: int) -> Task | None:
        """The task with this id, if it is there."""
        row = self.row_of(task_id)
        return None if row is None else self[row]

    def among(self, ids: AbstractSet[int]) -> Iterator[Task]:
        """The tasks with these ids, in order."""
        for chunk in self.chunks if ids else ():
            if not chunk.rows.keys().isdisjoint(ids):
                yield from (task for task in chunk.tasks if task.id in ids)

    def inserted(self, row: int, task: Task) -> "Lane":
        """The lane with one more task at an index."""
        number = max(0, bisect_left(self._starts, row, hi=len(self.chunks)) - 1)
        start = self._starts[number]
        tasks = self.chunks[number].tasks if self.chunks else ()
        longer = _chunked((*tasks[: row - start], task, *tasks[row - start :]))
        return Lane([*self.chunks[:number], *longer, *self.chunks[number + 1 :]])

    def merged(self, tasks: Iterable[Task]) -> "Lane":
        """The lane, which is ordered by `order`, with more tasks at their places."""
        added: defaultdict[int, list[Task]] = defaultdict(list)
        following = 0
        for task in sorted(tasks, key=order):
            # Only the first position of each chunk is read, so that the chunks stay packed.
            following = bisect_right(self.chunks, order(task), following, key=_FIRST)
            added[max(0, following - 1)].append(task)
        if not added:
            return self
        chunks: list[Chunk] = []
        for number, chunk in enumerate(self.chunks or [Chunk(())]):
            if number in added:
                chunks += _chunked(tuple(sorted((*chunk.tasks, *added[number]), key=order)))
            else:
                chunks.append(chunk)
        return Lane(chunks)

    def replaced(self, task: Task) -> "Lane":
        """The lane with the new values of a task; unchanged if it is not there."""
        chunks = list(self.chunks)
        for number, chunk in enumerate(chunks):
            if (row := chunk.rows.get(task.id)) is not None:
                chunks[number] = Chunk((*chunk.tasks[:row], task, *chunk.tasks[row + 1 :]))
        return Lane(chunks)

    def without(self, ids: AbstractSet[int]) -> "Lane":
        """The lane without the tasks with these ids."""
        chunks = []
        for chunk in self.chunks:
            if chunk.rows.keys().isdisjoint(ids):
                chunks.append(chunk)
                continue
            staying = list(chunk.tasks)
            rows = (chunk.rows[task_id] for task_id in chunk.rows.keys() & ids)
            for row in sorted(rows, reverse=True):
                del staying[row]
            if staying:
                chunks.append(Chunk(tuple(staying)))
        # Chunks compare by identity: this looks at no task.
        return self if tuple(chunks) == self.chunks else Lane(chunks)


class _Column(Sequence[T]):
    """Something of each task of a lane, in order, without unpacking them."""

    def __init__(self, lane: Lane, value: Callable[[Chunk, int], T]) -> None:
        self._lane = lane
        self._value = value

    def __len__(self) -> int:
        return len(self._lane)

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[T, ...]: ...
    def __getitem__(self, index: int | slice) -> T | tuple[T, ...]:
        if isinstance(index, slice):
            return tuple(self[position] for position in range(*index.indices(len(self))))
        return self._value(*self._lane.spot(index))


class LaneIds(_Column[int]):
    """The ids of the tasks of a lane."""

    def __init__(self, lane: Lane) -> None:
        super().__init__(lane, lambda chunk, row: chunk.ids[row])

    def __iter__(self) -> Iterator[int]:
        return chain.from_iterable(chunk.ids for chunk in self._lane.chunks)

    def __contains__(self, task_id: object) -> bool:
        return isinstance(task_id, int) and self._lane.row_of(task_id) is not None

    def index(self, task_id: int | None, start: int = 0, stop: int | None = None) -> int:
        row = self._lane.row_of(task_id)
        if row is None or not start <= row < (len(self) if stop is None else stop):
            raise ValueError(f"{task_id} is not in the lane")
        return row


def lane_of(tasks: Iterable[Task]) -> Lane:
    """These tasks as a lane; themselves if they are one."""
    return tasks if isinstance(tasks, Lane) else Lane(_chunked(tuple(tasks)))


def _chunked(tasks: tuple[Task, ...]) -> list[Chunk]:
    """Tasks in chunks of the usual size, the last of which may be up to twice as long."""
    starts = range(0, max(1, len(tasks) - CHUNK_SIZE), CHUNK_SIZE)
    ends = [*starts[1:], len(tasks)]
    return [Chunk(tasks[start:end]) for start, end in zip(starts, ends, strict=True) if tasks]
