"""The cards of each view, as they were found last, and what has to be looked through again."""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime

from tui.model.board import Board, BoardView
from tui.model.query.language import QueryContext, parse
from tui.model.work.saved_view import SavedView, ViewGroup
from tui.model.work.view_rows import DueGroup, ViewRows, view_rows
from tui.store.protocol import Store

_Key = tuple[str, tuple[int, ...]]


class _Found:
    """The boards of a view by id, each with the cards of the view alone."""

    def __init__(self) -> None:
        self.boards: dict[int, BoardView] = {}
        self.missing: frozenset[int] = frozenset()
        self.about: QueryContext | None = None
        self.counts: dict[int, int] = {}
        self.is_counted = False
        self.due: set[int] | None = None
        """The boards to look through again; None for all of them."""
        self.uncounted: set[int] | None = None
        """The boards whose cards are to be counted again; None for all of them."""

    def note(self, board_ids: set[int] | None) -> None:
        """Boards changed, or with None anything may have."""
        self.due = _joined(self.due, board_ids)
        self.uncounted = _joined(self.uncounted, board_ids)


class ViewResults:
    """Finds the cards of views, and of a board that changed those of this board alone."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._found: dict[_Key, _Found] = {}
        self._rows: tuple[object, ViewRows] | None = None

    def boards_of(self, view: SavedView) -> list[Board]:
        """The boards that a view is about: those of them that are there and not archived."""
        return [
            board
            for board in self._store.boards()
            if board.archived_at is None and (not view.boards or board.id in view.boards)
        ]

    def note(self, board_ids: Iterable[int] | None = None) -> None:
        """Boards changed, or anything may have: they are looked through when `look` is called."""
        board_ids = None if board_ids is None else set(board_ids)
        for found in self._found.values():
            found.note(board_ids)

    async def look(self, view: SavedView, now: datetime) -> None:
        """Find the cards of a view, as far as anything may have changed."""
        found = self._found.setdefault(_key(view), _Found())
        board_ids = [board.id for board in self.boards_of(view)]
        due = {*board_ids} if found.due is None else found.due & {*board_ids}
        # Taken before the wait: what changes meanwhile is due again.
        found.due = found.uncounted = set()
        try:
            cards = await self._store.find_cards(parse(view.query), board_ids, now, due)
        except BaseException:
            found.note(None)
            raise
        found.about = cards.about
        fresh = {board.board.id: board for board in cards.views}
        known = {**found.boards, **fresh}
        found.boards = {board_id: known[board_id] for board_id in board_ids if board_id in known}
        found.counts = {
            board_id: sum(len(board.in_stage(stage.id)) for stage in board.stages)
            for board_id, board in found.boards.items()
        }
        found.missing = (found.missing - fresh.keys()) | frozenset(cards.missing)
        self._rows = None

    async def look_for_count(self, view: SavedView, now: datetime) -> None:
        """Count the cards of a view without finding them, as far as anything may have changed."""
        found = self._found.setdefault(_key(view), _Found())
        board_ids = [board.id for board in self.boards_of(view)]
        uncounted = {*board_ids}
        if found.uncounted is not None:
            uncounted &= found.uncounted
        found.uncounted = set()
        try:
            counts = await self._store.count_cards(parse(view.query), board_ids, now, uncounted)
        except BaseException:
            found.note(None)
            raise
        known = {**found.counts, **counts}
        found.counts = {board_id: known[board_id] for board_id in board_ids if board_id in known}
        found.is_counted = True

    def is_uncounted(self, view: SavedView) -> bool:
        """Whether `look_for_count` would find anything new."""
        found = self._found.get(_key(view))
        return found is None or found.uncounted is None or bool(found.uncounted)

    def is_due(self, view: SavedView) -> bool:
        """Whether `look` would find anything new."""
        found = self._found.get(_key(view))
        return found is None or found.due is None or bool(found.due)

    def cards(self, view: SavedView) -> Sequence[BoardView] | None:
        """The boards with the cards of a view; None if they were not looked through yet."""
        found = self._found.get(_key(view))
        return None if found is None or found.about is None else [*found.boards.values()]

    def rows(self, view: SavedView, now: datetime) -> ViewRows:
        """The rows of a view; the same list while nothing changes."""
        cards = self.cards(view)
        if cards is None:
            return ViewRows()
        minute = now.replace(second=0, microsecond=0)
        key = (view, minute, self._store.me)
        if self._rows is None or self._rows[0] != key:
            self._rows = key, view_rows(cards, view, self._store.me, now)
        return self._rows[1]

    def count(self, view: SavedView) -> int | None:
        """How many cards a view has; None if that is not known yet."""
        found = self._found.get(_key(view))
        is_known = found is not None and (found.is_counted or found.about is not None)
        return sum(found.counts.values()) if found is not None and is_known else None

    def overdue(self, view: SavedView, now: datetime) -> int:
        """How many cards of a view are overdue."""
        if view.group is ViewGroup.DUE:
            return self.rows(view, now).in_group[DueGroup.OVERDUE]
        boards = self.cards(view) or ()
        return sum(board.in_stage(stage.id).late[now] for board in boards for stage in board.stages)

    def boards_with_cards(self, view: SavedView) -> list[int]:
        """The boards on which a view has cards, in order."""
        found = self._found.get(_key(view))
        return (
            [] if found is None else [board_id for board_id, count in found.counts.items() if count]
        )

    def about(self, view: SavedView) -> QueryContext | None:
        """What names mean on the boards of a view; None if that is not known yet."""
        found = self._found.get(_key(view))
        return None if found is None else found.about

    def missing(self, view: SavedView) -> Collection[int]:
        """The boards of a view that are not cached."""
        found = self._found.get(_key(view))
        return () if found is None else found.missing

    def keep(self, views: Iterable[SavedView]) -> None:
        """Forget what was found for other views."""
        keys = set(map(_key, views))
        self._found = {key: found for key, found in self._found.items() if key in keys}


def _joined(due: set[int] | None, more: set[int] | None) -> set[int] | None:
    return None if due is None or more is None else due | more


def _key(view: SavedView) -> _Key:
    return view.query, view.boards
