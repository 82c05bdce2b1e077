"""The rows of a view: cards of several boards in groups, sorted within each.

Each card is in one group. Where it could be in several, as it has several people or labels, the
user's own group counts, else the first by name.
"""

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, time, timedelta
from enum import StrEnum
from functools import cached_property
from itertools import chain, groupby, pairwise
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


class _Part(NamedTuple):
    """Successive cards of a stage; `start` is the number of cards before them."""

    view: BoardView
    board: str
    stage: str
    chunk: Chunk
    start: int


class _Cards:
    """The cards of several boards, one after another, and their attributes."""

    def __init__(self, views: Iterable[BoardView]) -> None:
        self.parts: list[_Part] = []
        self.ids: list[int] = []
        for view in views:
            for stage in view.stages:
                for chunk in view.in_stage(stage.id).chunks:  # most stages have none
                    title = stage.title or UNTITLED
                    part = _Part(view, view.board.title, title, chunk, len(self.ids))
                    self.parts.append(part)
                    self.ids += chunk.ids
        self._columns: dict[str, list[Any]] = {}

    def column(self, name: str) -> list[Any]:
        """An attribute of each card, read once."""
        if name not in self._columns:
            of_parts = (part.chunk.values(name) for part in self.parts)
            self._columns[name] = list(chain.from_iterable(of_parts))
        return self._columns[name]


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
    """The rows of boards that have only the cards of the view, at the wall-clock time `now`.

    Cards with the same value are in order of their numbers; of their due dates in groups by these.
    """
    views = tuple(views)
    cards = _Cards(views)
    attribute, value = _VALUES[how.sort]
    values = cards.column(attribute)
    if value is not None:
        values = list(map(value, values))
    if how.group is ViewGroup.DUE:
        groups = _by_due(cards, now)
    else:
        groups = _by_place(how.group, cards, views, me)
    ordered = sorted(groups, key=lambda place: (place[0], fold(place[1]), place[1]))
    return ViewRows(
        cards.parts,
        cards.ids,
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


def _by_due(cards: _Cards, now: datetime) -> Mapping[_Place, list[int]]:
    """The cards of each group by due date, in order of these dates.

    The dates are sorted and cut, which is cheaper than finding the group of each.
    """
    dues, is_open = cards.column("due_at"), cards.column("is_open")
    by_number = sorted(range(len(dues)), key=cards.ids.__getitem__)
    dated = sorted((card for card in by_number if dues[card] is not None), key=dues.__getitem__)
    midnight = datetime.combine(now.date(), time())
    ends = (midnight, now, midnight + timedelta(days=1), end_of_week(now))
    cuts = [bisect_left(dated, end, key=dues.__getitem__) for end in ends]
    days_ago, hours_ago, later_today, this_week, later = (
        dated[start:end] for start, end in pairwise((0, *cuts, len(dated)))
    )
    # What is closed is not overdue.
    groups = {
        DueGroup.OVERDUE: [card for card in days_ago + hours_ago if is_open[card]],
        DueGroup.TODAY: [card for card in hours_ago if not is_open[card]] + later_today,
        DueGroup.WEEK: this_week,
        DueGroup.LATER: later,
        DueGroup.NONE: [card for card in by_number if dues[card] is None],
        DueGroup.EARLIER: [card for card in days_ago if not is_open[card]],
    }
    return {(place, due.value): groups[due] for place, due in enumerate(DueGroup) if groups[due]}


def _by_place(
    group: ViewGroup, cards: _Cards, views: Sequence[BoardView], me: Account
) -> Mapping[_Place, list[int]]:
    """The cards of each other group, in order of their numbers."""
    groups = defaultdict[_Place, list[int]](list)
    if group is ViewGroup.PERSON:
        for card, people in enumerate(cards.column("assignees")):
            groups[_person_place(people, me)].append(card)
    elif group is ViewGroup.LABEL:
        for card, labels in enumerate(cards.column("labels")):
            groups[_label_place(labels)].append(card)
    else:
        place_of = _place_of_parts(group, views)
        for part in cards.parts:
            groups[place_of(part)] += range(part.start, part.start + len(part.chunk))
    for in_group in groups.values():
        in_group.sort(key=cards.ids.__getitem__)
    return groups


def _place_of_parts(group: ViewGroup, views: Sequence[BoardView]) -> Callable[[_Part], _Place]:
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
    return lambda _: (0, "")


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
