"""What can be found anywhere, and finding it by words, numbers and people.

What was opened or changed lately comes first.
"""

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from heapq import nlargest
from typing import NamedTuple

from tui.model.people import mention_name
from tui.model.task import Person
from tui.text.fuzzy import Index, fold


class Thing(StrEnum):
    """What can be found; the values are the words for it."""

    BOARD = "board"
    CARD = "card"
    SUBTASK = "subtask"
    COMMENT = "comment"
    PERSON = "person"


class Found(NamedTuple):
    """Something that can be found, with what its row shows.

    `title` is the text that is searched: a title, a name, or the text of a comment in one line.
    `place` is the title of a card's stage, of the task of a comment or subtask, and of the boards
    of a person; `task_id` is the id of that task. `people` are assignees, the author, or the
    person. `at` is when it was changed last, `due_at` a wall-clock time.
    """

    thing: Thing
    id: int
    title: str
    board_id: int = 0
    board: str = ""
    place: str = ""
    task_id: int = 0
    people: tuple[Person, ...] = ()
    at: datetime | None = None
    is_closed: bool = False
    is_archived: bool = False
    due_at: datetime | None = None

    @property
    def key(self) -> str:
        """What identifies it among everything that can be found."""
        return key_of(self.thing, self.id)


def key_of(thing: Thing, own_id: int) -> str:
    """The key of a thing, see `Found.key`."""
    return f"{thing} {own_id}"


_TASKS = (Thing.CARD, Thing.SUBTASK)
_OPENED, _CHANGED, _CLOSED, _ARCHIVED, _COMMENT = 45, 15, -5, -15, -5
"""What is added to the score of a match, see `Index.rank`."""
_LATELY = timedelta(days=14)
_LONG_AGO = datetime.min.replace(tzinfo=UTC)
_LONGEST_NUMBER, _LONGEST_NAME = 18, 100


class FindIndex:
    """Everything that can be found; `opened` are the keys of what was opened last, latest first.

    `now` is a local time without a zone. `count` says how many things of each kind there are, and
    `count_open` how many open cards are on a board or assigned to a person, by its key.
    """

    def __init__(self, opened: Sequence[str], now: datetime) -> None:
        self.count: Counter[Thing] = Counter()
        self.count_open: Counter[str] = Counter()
        self._opened: dict[str, Found | None] = dict.fromkeys(opened)
        self._lately = now.astimezone() - _LATELY
        self._all: list[Found] = []
        self._bonus: list[int] = []
        self._numbers: dict[int, int] = {}
        self._ids_of_names: dict[str, set[int]] = {}
        self._index = Index()

    def __len__(self) -> int:
        return len(self._all)

    def add(self, things: Sequence[Found]) -> None:
        """Add new things; those that match equally well are found in the order added."""
        self._index.extend(map(_words, things))
        for item in things:
            self.count[item.thing] += 1
            bonus = _CLOSED * item.is_closed + _ARCHIVED * item.is_archived
            bonus += _COMMENT * (item.thing is Thing.COMMENT)
            if item.key in self._opened:
                self._opened[item.key] = item
                bonus += _OPENED
            elif item.at is not None and item.at > self._lately:
                bonus += _CHANGED
            self._bonus.append(bonus)
            if item.thing is Thing.CARD and not (item.is_closed or item.is_archived):
                people = (key_of(Thing.PERSON, person.id) for person in item.people)
                self.count_open.update((key_of(Thing.BOARD, item.board_id), *people))
            if item.thing in _TASKS:
                self._numbers[item.id] = len(self._all)
            elif item.thing is Thing.PERSON:
                name = fold(mention_name(item.people[0]))
                self._ids_of_names.setdefault(name, set()).add(item.id)
            self._all.append(item)

    def was_opened(self, item: Found) -> bool:
        """Whether a thing is among those that were opened last."""
        return item.key in self._opened

    def find(self, words: str, most: int | None = None, *, is_strict: bool = False) -> list[Found]:
        """The things that match, best first, or the first `most` of them.

        If `is_strict`, scattered letters count only where nothing has them together.

        `#12` or `12` finds the card with this number first. `@login` finds the cards of a person,
        further words narrow them. Without words it is what was opened, then what was changed last.
        """
        person_ids, remaining = self._people_named(words)
        if person_ids:
            return self._cards_of(person_ids, remaining, most)
        if not words.strip():
            return self._latest(most)
        ranked: Sequence[int] = self._index.rank(words, self._bonus)
        if is_strict:
            ranked = self._index.together(words, ranked)
        at_number = self._numbers.get(number_of(words))
        if at_number is not None:
            ranked = [at_number, *(index for index in ranked if index != at_number)]
        return [self._all[index] for index in ranked[:most]]

    def _latest(self, most: int | None) -> list[Found]:
        most = len(self) if most is None else most
        opened = [item for item in self._opened.values() if item is not None][:most]
        candidates = (
            (item.at, number)
            for number, item in enumerate(self._all)
            if item.thing is Thing.CARD
            and item.at is not None
            and not item.is_archived
            and item.key not in self._opened
        )
        changed = nlargest(most - len(opened), candidates)
        return [*opened, *(self._all[number] for _, number in changed)]

    def _people_named(self, words: str) -> tuple[set[int], str]:
        """The ids of the people with the name after an `@`, and the words after it."""
        if not words.startswith("@"):
            return set(), words
        typed = words[1:_LONGEST_NAME]
        ends = [end for end, sign in enumerate(f"{typed} ") if sign == " "]
        # The longest name first, as names may contain blanks.
        for end in reversed(ends):
            if ids := self._ids_of_names.get(fold(typed[:end])):
                return ids, words[end + 1 :].strip()
        return set(), words

    def _cards_of(self, person_ids: set[int], words: str, most: int | None) -> list[Found]:
        """The cards and subtasks that people are assigned to, open ones first."""
        indices = (
            index
            for index in (self._index.rank(words, self._bonus) if words else range(len(self)))
            if self._all[index].thing in _TASKS
            and any(person.id in person_ids for person in self._all[index].people)
        )
        cards = [self._all[index] for index in indices]
        if not words:
            cards.sort(key=lambda card: card.at or _LONG_AGO, reverse=True)
        # Sorting is stable: within these groups the order stays.
        cards.sort(key=lambda card: (card.is_archived, card.is_closed))
        return cards[:most]


def _words(item: Found) -> str:
    if item.thing in _TASKS and item.id > 0:
        return f"{item.title} #{item.id}"
    if item.thing is Thing.PERSON:
        return f"{item.title} {item.people[0].login}"
    return item.title


def number_of(words: str) -> int:
    """The number that words name; 0 for none."""
    digits = words.strip().removeprefix("#")
    is_one = digits.isascii() and digits.isdecimal() and len(digits) <= _LONGEST_NUMBER
    return int(digits) if is_one else 0
