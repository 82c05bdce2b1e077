"""The saved views of a profile, and the cards of one, on the command line."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from tui.cli.scripts.chosen import named_boards
from tui.config.paths import Places
from tui.config.preferences import Preferences
from tui.config.profiles import EMBEDDED
from tui.config.saved_views import StoredViews, ViewStore
from tui.config.settings import chosen_name, load_settings
from tui.model.board import Board, BoardView
from tui.model.people import Account
from tui.model.task import Task
from tui.model.work.saved_view import SavedView, view_named
from tui.model.work.view_rows import ViewRow, view_rows
from tui.text.dates import wall_clock

Card = tuple[Task, BoardView]
InOrder = Callable[[Sequence[Card], Account], Sequence[Card]]
"""Puts cards, each with its board, in order for the user of this account."""


class Wanted(NamedTuple):
    """The cards of a view, or all, that match words of a filter too, on the boards named."""

    view: SavedView | None
    words: str
    boards: Sequence[str]

    @classmethod
    def of(cls, stored: StoredViews, view: str, words: str, boards: Sequence[str]) -> "Wanted":
        """What was asked for. Raises `CallboardError` if there is no view of this name."""
        if not view:
            return cls(None, words, boards)
        found = view_named(stored.views, view)
        return cls(found, f"{found.query} {words}".strip(), boards)

    @property
    def parts(self) -> tuple[str, Callable[[Sequence[Board]], list[Board]], InOrder]:
        """The query, what chooses boards, and what puts cards in order."""
        return self.words, self.among, self.in_order

    def among(self, boards: Sequence[Board]) -> list[Board]:
        """The boards that are named, else those of the view that are there, else all."""
        named = named_boards(self.boards, boards)
        if self.view is None or self.boards or not self.view.boards:
            return named
        return [board for board in named if board.id in self.view.boards]

    def in_order(self, cards: Sequence[Card], me: Account) -> Sequence[Card]:
        """The cards in the order of the view."""
        if self.view is None:
            return cards
        boards = {view.board.id: view for _, view in cards}
        return [(row.task, boards[row.task.board_id]) for row in self.rows(cards, me)]

    def rows(self, cards: Sequence[Card], me: Account) -> Sequence[ViewRow]:
        """The rows of the view with these cards; none without a view."""
        if self.view is None:
            return ()
        boards = {view.board.id: view for _, view in cards}
        stages: dict[int, dict[int, list[Task]]] = {board_id: {} for board_id in boards}
        for task, view in cards:
            stages[view.board.id].setdefault(task.stage_id or 0, []).append(task)
        found = [view.holding(stages[board_id]) for board_id, view in boards.items()]
        return view_rows(found, self.view, me, wall_clock())


def stored_views(profile: str) -> ViewStore:
    """The saved views of a profile. Raises what `load_settings` raises."""
    places = Places.find()
    name = chosen_name(profile, load_settings(places.settings))
    folder = places.data if name == EMBEDDED else places.data / name
    return ViewStore(Preferences(folder / "preferences.json"))
