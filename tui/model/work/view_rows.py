"""The rows of a view: cards of several boards in groups, sorted within each.

Each card is in one group. Where it could be in several, as it has several people or labels, the
user's own group counts, else the first by name.
"""

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, time, timedelta
from enum import StrEnum
from functools import cached_property
from itertools import groupby
from operator import attrgetter, itemgetter
from typing import Any, NamedTuple, overload

from tui.model.board import BoardView
from tui.model.lane import Chunk
from tui.model.people import Account
from tui.model.query.language import name_of_label
from tui.model.task import Label, Person, Priority, Task
from tui.model.work.ordering import in_order
from tui.model.work.saved_view import SavedView, ViewGroup, ViewSort
from tui.text.dates import end_of_week
from tui.text.fuzzy import fold

_PRIORITIES = {Priority.HIGH: 0, Priority.MEDIUM: 1, Priority.LOW: 2}
UNTITLED = "(no title)"
UNASSIGNED = "Unassigned"
UNLABELLED = "No label"


class DueGroup(StrEnum):
    """The groups by due date, in order; `EARLIER` are closed cards whose date has passed."""

    OVERDUE = "Overdue"
    TODAY = "Today"
    WEEK = "This week"
    LATER = "Later"
    NONE = "No date"
    EARLIER = "Earlier"


class ViewRow(NamedTuple):
    """A card with the names of its board and stage, and the heading of its group, if any."""

    task: Task
    board: str
    stage: str
    group: str = ""


class _Part:
    """Successive cards of a stage; `start` is the number of cards before them."""

    def __init__(self, view: BoardView, stage: str, chunk: Chunk, start: int) -> None:
        self.view = view
        self.board = view.board.title
        self.stage = stage
        self.chunk = chunk
        self.start = start
        self._values: dict[str, Sequence[Any]] = {}

    def values(self, name: str) -> Sequence[Any]:
        """An attribute of each card, read once."""
        if name not in self._values:
            self._values[name] = self.chunk.values(name)
        return self._values[name]

    def forget(self) -> None:
        """Forget what was read."""
        self._values.clear()


class ViewRows(Sequence[ViewRow]):
    """The rows of a view. One is made when it is asked for: of a large view few are ever seen."""

    def __init__(
        self,
        parts: Sequence[_Part] = (),
        ids: Sequence[int] = (),
        groups: Iterable[tuple[str, Sequence[int]]] = (),
    ) -> None:
        self._parts = parts
        self._ids = ids
        """The ids of all cards of the parts."""
        self._groups: list[tuple[int, int, str]] = []
        """The groups, each from a row to before another, with its heading."""
        self._cards: list[int] = []
        """For each row, which of all cards of the parts it shows."""
        self._few: dict[int, ViewRow] = {}
        self._all: list[ViewRow] | None = None
        for heading, cards in groups:
            start = len(self._cards)
            self._cards += cards
            self._groups.append((start, len(self._cards), heading))

    @overload
    def __getitem__(self, index: int) -> ViewRow: ...
    @overload
    def __getitem__(self, index: slice) -> list[ViewRow]: ...
    def __getitem__(self, index: int | slice) -> ViewRow | list[ViewRow]:
        if isinstance(index, slice):
            return [self[at] for at in range(*index.indices(len(self)))]
        at = range(len(self))[index]
        if at not in self._few:
            card = self._cards[at]
            part = self._parts[bisect_right(self._parts, card, key=attrgetter("start")) - 1]
            _, _, heading = self._groups[bisect_right(self._groups, at, key=itemgetter(0)) - 1]
            task = part.chunk.task(card - part.start)
            self._few[at] = ViewRow(task, part.board, part.stage, heading)
        return self._few[at]

    def __len__(self) -> int:
        return len(self._cards)

    def __iter__(self) -> Iterator[ViewRow]:
        if self._all is None:
            every = [(task, part) for part in self._parts for task in part.chunk.tasks]
            self._all = [
                ViewRow(task, part.board, part.stage, heading)
                for start, end, heading in self._groups
                for task, part in map(every.__getitem__, self._cards[start:end])
            ]
        return iter(self._all)

    @cached_property
    def ids(self) -> list[int]:
        """The ids of the cards."""
        return list(map(self._ids.__getitem__, self._cards))

    @cached_property
    def in_group(self) -> Counter[str]:
        """How many rows are below each heading."""
        counts = Counter[str]()
        for start, end, heading in self._groups:
            counts[heading] += end - start
        return counts


def view_rows(views: Iterable[BoardView], how: SavedView, me: Account, now: datetime) -> ViewRows:
    """The rows of boards that have only the cards of the view, at the wall-clock time `now`."""
    views = tuple(views)
    places_of = _grouping(how.group, views, me, now)
    attribute, value = _VALUES[how.sort]
    parts, values, ids = list[_Part](), list[Any](), list[int]()
    groups = defaultdict[_Place, list[int]](list)
    for view in views:
        for stage in view.stages:
            for chunk in view.in_stage(stage.id).chunks:  # most stages have none
                start = len(ids)
                part = _Part(view, stage.title or UNTITLED, chunk, start)
                parts.append(part)
                ids += chunk.ids
                values += map(value, part.values(attribute)) if value else part.values(attribute)
                places = places_of(part)
                if isinstance(places, tuple):
                    groups[places] += range(start, len(ids))
                else:
                    for card, place in enumerate(places, start):
                        groups[place].append(card)
                part.forget()
    for cards in groups.values():
        # By number first, so that the order of cards with the same value does not depend on how
        # they were read.
        cards.sort(key=ids.__getitem__)
    ordered = sorted(groups, key=lambda place: (place[0], fold(place[1]), place[1]))
    return ViewRows(
        parts,
        ids,
        (
            (place[1], in_order(groups[place], values.__getitem__, is_reversed=how.is_reversed))
            for place in ordered
        ),
    )


def grouped(rows: Iterable[ViewRow]) -> list[tuple[str, list[Task]]]:
    """The cards of rows below the headings of their groups."""
    return [
        (name, [row.task for row in in_group])
        for name, in_group in groupby(rows, key=attrgetter("group"))
    ]


def due_group(task: Task, now: datetime, week: datetime) -> DueGroup:
    """The group of a card by its due date; the week that `now` is in ends at `week`."""
    if task.due_at is None:
        return DueGroup.NONE
    ends, groups = _due_groups(now, week)[task.is_open]
    return groups[bisect_right(ends, task.due_at)]


def _due_groups(
    now: datetime, week: datetime
) -> Mapping[bool, tuple[Sequence[datetime], Sequence[DueGroup]]]:
    """The ends of the groups by due date and the groups, of cards that are open and closed."""
    today = datetime.combine(now.date(), time())
    tomorrow = today + timedelta(days=1)
    coming = (DueGroup.TODAY, DueGroup.WEEK, DueGroup.LATER)
    # What is closed is not overdue.
    return {
        True: ((now, tomorrow, week), (DueGroup.OVERDUE, *coming)),
        False: ((today, tomorrow, week), (DueGroup.EARLIER, *coming)),
    }


def _latest_first(moment: datetime | None) -> float | None:
    return None if moment is None else -moment.timestamp()


_VALUES: Mapping[ViewSort, tuple[str, Callable[[Any], Any] | None]] = {
    ViewSort.DUE: ("due_at", None),
    ViewSort.PRIORITY: ("priority", _PRIORITIES.__getitem__),
    ViewSort.AGE: ("created_at", _latest_first),
    ViewSort.UPDATED: ("updated_at", _latest_first),
    ViewSort.TITLE: ("title", fold),
}
"""By which attribute cards are sorted, and what makes a value of it; None for one without."""


_Place = tuple[int, str]
"""The place of a group among the others, and its heading."""
_Places = _Place | Iterable[_Place]
"""The place of all cards of a part, or that of each."""


def _grouping(
    group: ViewGroup, views: Sequence[BoardView], me: Account, now: datetime
) -> Callable[[_Part], _Places]:
    if group is ViewGroup.NONE:
        return lambda _: (0, "")
    if group is ViewGroup.DUE:
        places = {due: (place, due.value) for place, due in enumerate(DueGroup)}
        undated, groups = places[DueGroup.NONE], _due_groups(now, end_of_week(now))
        ends = {is_open: ends for is_open, (ends, _) in groups.items()}
        # Places and not groups, whose hashes are computed by Python for each card.
        dated = {is_open: [places[due] for due in row] for is_open, (_, row) in groups.items()}
        return lambda part: [
            undated if due is None else dated[is_open][bisect_right(ends[is_open], due)]
            for due, is_open in zip(part.values("due_at"), part.values("is_open"), strict=True)
        ]
    if group is ViewGroup.BOARD:
        boards = {view.board.id: place for place, view in enumerate(views)}
        return lambda part: (boards[part.view.board.id], part.board or UNTITLED)
    if group is ViewGroup.STAGE:
        stages: dict[str, int] = {}
        for view in views:
            for place, stage in enumerate(view.stages):
                title = stage.title or UNTITLED
                stages[title] = max(place, stages.get(title, 0))
        return lambda part: (stages[part.stage], part.stage)
    if group is ViewGroup.PERSON:
        return lambda part: (_person_place(people, me) for people in part.values("assignees"))
    return lambda part: map(_label_place, part.values("labels"))


def _person_place(people: Sequence[Person], me: Account) -> _Place:
    if not people:
        return 2, UNASSIGNED
    own = me.among(people)
    if own is not None:
        return 0, own.in_words
    return 1, min((person.in_words for person in people), key=lambda name: (fold(name), name))


def _label_place(labels: Sequence[Label]) -> _Place:
    if not labels:
        return 1, UNLABELLED
    return 0, min(map(name_of_label, labels), key=lambda name: (fold(name), name))
