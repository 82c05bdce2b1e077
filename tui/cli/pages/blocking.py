"""What blocks a card and what waits for it, with the signs of boards and words for readers."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tui.cli.pages.markup import Markup, element, joined, link
from tui.model.blocked_by import Blocker, in_words
from tui.model.board import Board
from tui.model.ids import numbered
from tui.model.relations import Relations, Standing
from tui.model.task import Task
from tui.text.clean import counted, listed

BLOCKED = "⊘"
_HOLDS_UP = "»"
_DONE = "✓"


def blocked_sign(task: Task, relations: Relations) -> Markup:
    """The sign of a card that is blocked, such as “⊘ #12”; empty for any other."""
    what = relations.what_blocks(task)
    if not what:
        return Markup()
    cards = listed([*map(_called, relations.blocking(task))])
    words = f"blocked by {cards}" if cards else "blocked"
    return _sign(f"{BLOCKED} {what}", words, "blocked")


def holding_sign(task: Task, relations: Relations) -> Markup:
    """The sign of a card that others wait for, such as “»2”; empty for any other."""
    waiting = relations.held_up(task)
    if not waiting:
        return Markup()
    wait = "waits" if len(waiting) == 1 else "wait"
    cards = listed([*map(_called, waiting)])
    words = f"{counted(len(waiting), 'card')} {wait} for this one: {cards}"
    return _sign(f"{_HOLDS_UP}{len(waiting)}", words, "holding")


def signs(task: Task, relations: Relations) -> Iterator[str]:
    """The signs of a card, each behind a blank."""
    for sign in (blocked_sign(task, relations), holding_sign(task, relations)):
        if sign:
            yield " "
            yield sign


class RelatedCards(NamedTuple):
    """Which cards block which, on which boards; `card_url` is the address of cards."""

    relations: Relations
    boards: Sequence[Board] = ()
    card_url: str = ""

    def fields(self, task: Task) -> Iterator[tuple[str, Markup]]:
        """The cards that a card names, with how it stands with each, and those that wait for it."""
        if named := [*self._blockers(task)]:
            yield "Blocked by", _in_a_row(named)
        if held_up := [*self._waiting(task)]:
            yield "Blocks", _in_a_row(held_up)

    def _blockers(self, task: Task) -> Iterator[Markup]:
        for blocker in task.blockers:
            name, fact = in_words(blocker), ""
            if self.relations.has_blockers_of(task):
                name, fact = self.relations.named(task, blocker, self.boards)
            is_closed = self.relations.standing(blocker.id) is Standing.CLOSED
            card = self.relations.cards.get(blocker.id)
            linked = joined(name) if card is None else self._link(card, name)
            yield joined(f"{_DONE} " if is_closed else "", linked, f" ({fact})" if fact else "")

    def _waiting(self, task: Task) -> Iterator[Markup]:
        titles = {board.id: board.title for board in self.boards}
        for card in self.relations.held_up(task):
            board = "" if card.board_id == task.board_id else titles.get(card.board_id, "")
            yield self._link(card, in_words(Blocker(card.id, board)))

    def _link(self, card: Task, name: str) -> Markup:
        linked = joined(name) if card.is_local else link(card.web_address(self.card_url), name)
        return joined(linked, " ", element("span", card.title, dir="auto"))


def _in_a_row(pieces: Sequence[Markup]) -> Markup:
    first, *following = pieces
    return joined(first, *(joined(", ", piece) for piece in following))


def _called(card: Task) -> str:
    return f"{numbered(card.id)} {card.title}".strip()


def _sign(text: str, words: str, class_: str) -> Markup:
    return element("span", text, class_=class_, role="img", title=words, aria_label=words)
