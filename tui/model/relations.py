"""Which cards block which, over all boards.

A card is blocked while a card that it names is open, or while it has the label for that. Cards that
are closed, archived or deleted block nothing, and neither do those that are not known.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import pairwise

from tui.model.blocked_by import Blocker, in_words, name_of_board
from tui.model.board import Board
from tui.model.ids import numbered
from tui.model.task import Task, blocked_labels


class Standing(StrEnum):
    """How it stands with a card that another one names."""

    OPEN = "open"
    CLOSED = "closed"
    ARCHIVED = "archived"
    DELETED = "deleted"
    UNKNOWN = "not found"

    @property
    def is_lost(self) -> bool:
        """Whether the card is nowhere any more, as far as is known."""
        return self in (Standing.DELETED, Standing.UNKNOWN)


class Relations:
    """The known cards that block others or are blocked, by id; two are compared by these.

    Of cards that are named and not known, `deleted` are those that are known to be deleted.

    Several cards may block each other in a circle, when each was blocked by somebody else at the
    same time: every question here ends all the same.
    """

    def __init__(self, cards: Mapping[int, Task], deleted: Collection[int] = frozenset()) -> None:
        self.cards = cards
        self.deleted = frozenset(deleted)
        self._held_up = defaultdict[int, list[int]](list)
        for card in cards.values():
            if card.is_open:
                for blocker in card.blockers:
                    self._held_up[blocker.id].append(card.id)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Relations):
            return False
        return (self.cards, self.deleted) == (other.cards, other.deleted)

    def __hash__(self) -> int:
        return hash(tuple(self.cards))

    def standing(self, card_id: int) -> Standing:
        """How it stands with a card."""
        card = self.cards.get(card_id)
        if card is None:
            return Standing.DELETED if card_id in self.deleted else Standing.UNKNOWN
        if card.is_closed:
            return Standing.CLOSED
        return Standing.OPEN if card.archived_at is None else Standing.ARCHIVED

    def has_blockers_of(self, task: Task) -> bool:
        """Whether the cards that a card names are known here; those of closed ones are not."""
        is_active = task.is_open and task.archived_at is None
        return is_active and task.id in self.cards

    def named(self, task: Task, blocker: Blocker, boards: Iterable[Board]) -> tuple[str, str]:
        """What a card calls one that blocks it, and what there is to say of that one.

        For example “Support #801” and “now on Platform, closed”. The board differs if either of
        the two was moved; nothing is said of an open card on the board that is named.
        """
        card = self.cards.get(blocker.id)
        titles = {board.id: name_of_board(board.title) for board in boards}
        name, facts = in_words(blocker), list[str]()
        current = titles.get(card.board_id, "") if card is not None else ""
        if card is not None and blocker.board:
            is_elsewhere = current.casefold() != blocker.board.casefold()
            known = {title.casefold() for title in titles.values()}
            if is_elsewhere and current and blocker.board.casefold() not in known:
                # The board has another title now.
                name, is_elsewhere = in_words(Blocker(blocker.id, current)), False
        else:
            is_elsewhere = card is not None and card.board_id != task.board_id
        if is_elsewhere and current:
            facts.append(f"now on {current}")
        standing = self.standing(blocker.id)
        if standing is not Standing.OPEN:
            facts.append(standing.value)
        return name, ", ".join(facts)

    def blocking(self, task: Task) -> tuple[Task, ...]:
        """The open cards that block a card, in the order in which it names them."""
        if not task.blockers or not task.is_open:
            return ()
        return tuple(
            self.cards[blocker.id]
            for blocker in task.blockers
            if self.standing(blocker.id) is Standing.OPEN and blocker.id != task.id
        )

    def is_blocked(self, task: Task) -> bool:
        """Whether a card that is to be done is blocked, by an open card or by its label."""
        return task.is_open and bool(blocked_labels(task.labels) or self.blocking(task))

    def what_blocks(self, task: Task) -> str:
        """What blocks a card, in few words: “#412 +1”, or “blocked”; empty if nothing does."""
        blocking = self.blocking(task)
        if blocking:
            more = f" +{len(blocking) - 1}" if len(blocking) > 1 else ""
            return f"{numbered(blocking[0].id)}{more}"
        return "blocked" if blocked_labels(task.labels) and not task.is_closed else ""

    def held_up(self, task: Task) -> tuple[Task, ...]:
        """The open cards that wait for an open card, those that name it first, then the others."""
        if not task.is_open or task.id not in self._held_up:
            return ()
        seen = {task.id: task}
        waiting = [task.id]
        for card_id in waiting:  # which grows
            for next_id in self._held_up.get(card_id, ()):
                if next_id not in seen:
                    seen[next_id] = self.cards[next_id]
                    waiting.append(next_id)
        return tuple(seen[card_id] for card_id in waiting[1:])

    def chain(self, card_id: int, blocker_id: int) -> tuple[int, ...]:
        """The cards from a blocker to a card that it waits for already; empty if it does not.

        With such a blocker the card would block itself.
        """
        previous: dict[int, int] = {blocker_id: blocker_id}
        waiting = [blocker_id]
        for current in waiting:  # which grows
            if current == card_id:
                return tuple(_back(previous, card_id))
            for blocker in self.blockers_of(current):
                if blocker not in previous:
                    previous[blocker] = current
                    waiting.append(blocker)
        return ()

    def blockers_of(self, card_id: int) -> Sequence[int]:
        """The cards that an open card names."""
        card = self.cards.get(card_id)
        return () if card is None or not card.is_open else [blocker.id for blocker in card.blockers]

    def blocked_on(self, board_id: int) -> int:
        """How many cards of a board are blocked by open cards, and have no label that says so."""
        return sum(
            card.board_id == board_id
            and card.archived_at is None
            and not blocked_labels(card.labels)
            and bool(self.blocking(card))
            for card in self.cards.values()
        )

    def unblocked_since(self, previous: "Relations") -> Iterator[tuple[Task, Task]]:
        """The open cards that no card blocks any more, with the one that did so last."""
        for card in previous.cards.values():
            blocking, now = previous.blocking(card), self.cards.get(card.id)
            if blocking and (now is None or (now.is_open and not self.blocking(now))):
                yield now or card, blocking[-1]


def circle_in_words(relations: Relations, tasks: Sequence[Task], blocker_id: int) -> str:
    """Why a card cannot block these: it waits for one of them already; empty if it can."""
    for task in tasks:
        path = relations.chain(task.id, blocker_id)
        if len(path) > 1:
            steps = pairwise(path)
            waits = (f"{_called(card)} waits for {_called(other)}" for card, other in steps)
            return f"{_called(task.id)} would block itself: {', '.join(waits)}"
        if path:
            return f"{_called(task.id)} cannot block itself"
    return ""


def _called(card_id: int) -> str:
    return f"#{card_id}" if card_id > 0 else "new card"


def _back(previous: Mapping[int, int], card_id: int) -> list[int]:
    path = [card_id]
    while previous[path[-1]] != path[-1]:
        path.append(previous[path[-1]])
    return path[::-1]


def related(cards: Iterable[Task]) -> Relations:
    """The relations among these cards, and to no others."""
    by_id = {card.id: card for card in cards}
    named = {blocker.id for card in by_id.values() for blocker in card.blockers}
    return Relations(
        {card_id: card for card_id, card in by_id.items() if card.blockers or card_id in named}
    )


NO_RELATIONS = Relations({})
"""No card blocks another."""
