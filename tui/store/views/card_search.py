"""Finds the cards of many boards that a query matches, without loading the boards.

Boards in memory, and those with pending changes, are looked through as drawn. Of the others the
rows of the cache are read that a sieve lets through, on the disk thread.
"""

import logging
import sqlite3
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple, TypeVar

from tui.model.board import BoardView
from tui.model.lane import Chunk, Lane
from tui.model.query.language import Query, QueryContext
from tui.model.query.matching import filtered, matcher
from tui.model.query.terms import TermKind
from tui.runtime.input_priority import INPUT_PRIORITY
from tui.runtime.slices import Slicer
from tui.store.cache.sieve import Meanings, Sieve
from tui.store.core import Core
from tui.store.documents.assemble import Assembler
from tui.store.outbox.marks import Unseen
from tui.store.protocol import FoundCards
from tui.store.views.board_updates import BoardUpdates
from tui.store.views.relations import RelationViews

logger = logging.getLogger(__name__)

Found = TypeVar("Found")
_NO_CARDS = Lane()


class CardSearch:
    """Finds cards; frames of boards are kept until the cache has newer ones."""

    def __init__(
        self, core: Core, updates: BoardUpdates, unseen: Unseen, relations: RelationViews
    ) -> None:
        self._core = core
        self._disk = core.disk
        self._queue = core.queue
        self._updates = updates
        self._boards = updates.boards
        self._unseen = unseen
        self._relations = relations
        # Of its own, as it works on the disk thread.
        self._assembler = Assembler()
        self._frames: dict[int, tuple[int, BoardView]] = {}

    async def find(
        self, query: Query, board_ids: Sequence[int], now: datetime, within: Collection[int]
    ) -> FoundCards:
        """See `tui.store.protocol.Store.find_cards`."""
        place = await self._place(query, board_ids, now, within)
        found = await self._looked_for(self._matching, place, query)
        slicer = Slicer()
        for view in place.drawn:
            found[view.board.id] = filtered(view, query, place.about)
            await slicer.yield_if_over()
        views = tuple(found[board_id] for board_id in board_ids if board_id in found)
        return FoundCards(views, place.missing, place.about)

    async def count(
        self, query: Query, board_ids: Sequence[int], now: datetime, within: Collection[int]
    ) -> Mapping[int, int]:
        """See `tui.store.protocol.Store.count_cards`."""
        place = await self._place(query, board_ids, now, within)
        counts = await self._looked_for(self._counted, place, query)
        slicer = Slicer()
        for view in place.drawn:
            cards = filtered(view, query, place.about)
            counts[view.board.id] = sum(len(cards.in_stage(stage.id)) for stage in view.stages)
            await slicer.yield_if_over()
        return counts

    async def _place(
        self, query: Query, board_ids: Sequence[int], now: datetime, within: Collection[int]
    ) -> "_Place":
        changed = set[int]()
        if any(term.kind is TermKind.CHANGED for term in query.terms):
            changed = {task_id for board_id in board_ids for task_id in self._unseen.of(board_id)}
        pending = self._queue.board_ids()
        drawn = {
            board_id: view
            for board_id in board_ids
            if (
                view := await self._drawn(
                    board_id, board_id in pending, catches_up=board_id in within
                )
            )
            is not None
        }
        cached = [board_id for board_id in board_ids if board_id not in drawn and board_id > 0]
        try:
            frames = await self._disk.run(self._frames_of, cached)
            await self._remember_freshness(cached)
        except sqlite3.Error as error:  # a damaged cache is set aside and filled again
            logger.info("Boards could not be looked through: %s", error)
            frames = {}
        views = {**frames, **drawn}
        in_order = [views[board_id] for board_id in board_ids if board_id in views]
        return _Place(
            [view for board_id, view in drawn.items() if board_id in within],
            [frame for board_id, frame in frames.items() if board_id in within],
            tuple(
                board_id for board_id in board_ids if board_id in within and board_id not in views
            ),
            QueryContext.of(
                in_order, self._core.me, now, changed, relations=self._relations.current()
            ),
        )

    async def _looked_for(
        self,
        look: Callable[["_Place", Query], dict[int, Found]],
        place: "_Place",
        query: Query,
    ) -> dict[int, Found]:
        try:
            return await self._disk.run(look, place, query)
        except sqlite3.Error as error:
            logger.info("Cards could not be found: %s", error)
            return {}

    async def _remember_freshness(self, board_ids: Sequence[int]) -> None:
        # As for a board that is loaded: an earlier run may have asked for it a moment ago.
        known = self._core.status_tracker.checked_at
        if others := [board_id for board_id in board_ids if board_id not in known]:
            for board_id, at in (await self._core.freshness.last_reads(others)).items():
                known.setdefault(board_id, at)

    async def _drawn(
        self, board_id: int, is_pending: bool, *, catches_up: bool
    ) -> BoardView | None:
        if is_pending or board_id < 0:
            return await self._updates.load(board_id)
        if self._boards.truth(board_id) is None:
            return None
        # Only the open board, and those that are followed, are kept up to date with the cache.
        if catches_up and await self._updates.catch_up(board_id):
            self._boards.redraw(board_id)
        return self._boards.view(board_id)

    def _frames_of(self, board_ids: Sequence[int]) -> Mapping[int, BoardView]:
        # Runs on the disk thread, and so do `_matching` and `_counted`.
        known = {board_id: kept[0] for board_id, kept in self._frames.items()}
        for board_id, revision, document in self._core.cache.newer_boards(board_ids, known):
            if document is None:
                self._frames.pop(board_id, None)
            else:
                self._frames[board_id] = revision, self._assembler.empty_view(document)
            INPUT_PRIORITY.block_after_input()
        return {
            board_id: self._frames[board_id][1]
            for board_id in board_ids
            if board_id in self._frames
        }

    def _matching(self, place: "_Place", query: Query) -> dict[int, BoardView]:
        lanes: dict[int, dict[int, Lane]] = {
            frame.board.id: dict.fromkeys((stage.id for stage in frame.stages), _NO_CARDS)
            for frame in place.frames
        }
        matches = matcher(query, place.about)
        for sieve, board_ids in _sieves(place, query).items():
            for cards in self._core.cache.cards.matching(board_ids, sieve.condition, sieve.values):
                own = lanes[cards.board_id]
                # A stage that is gone may have left cards behind.
                if cards.stage_id in own:
                    # Packed, as few of the cards of a large view are ever seen.
                    found = cards if sieve.is_exact else tuple(filter(matches, cards.unpacked()))
                    # One chunk, as most of these are a few cards.
                    own[cards.stage_id] = Lane([Chunk(found)])
                INPUT_PRIORITY.block_after_input()
        return {
            frame.board.id: replace(frame, tasks=lanes[frame.board.id]) for frame in place.frames
        }

    def _counted(self, place: "_Place", query: Query) -> dict[int, int]:
        counts = dict.fromkeys((frame.board.id for frame in place.frames), 0)
        stages = {(frame.board.id, stage.id) for frame in place.frames for stage in frame.stages}
        matches, rows = matcher(query, place.about), self._core.cache.cards
        for sieve, board_ids in _sieves(place, query).items():
            if sieve.is_exact:
                counted = rows.counts(board_ids, sieve.condition, sieve.values)
                for board_id, stage_id, count in counted:
                    counts[board_id] += count if (board_id, stage_id) in stages else 0
                INPUT_PRIORITY.block_after_input()
                continue
            for cards in rows.matching(board_ids, sieve.condition, sieve.values):
                if (cards.board_id, cards.stage_id) in stages:
                    counts[cards.board_id] += sum(map(matches, cards.unpacked()))
                INPUT_PRIORITY.block_after_input()
        return counts


class _Place(NamedTuple):
    """The boards that are looked through: as drawn, or frames whose cards are in the cache."""

    drawn: Sequence[BoardView]
    frames: Sequence[BoardView]
    missing: tuple[int, ...]
    about: QueryContext


def _sieves(place: _Place, query: Query) -> Mapping[Sieve, Sequence[int]]:
    # Boards with the same sieve are read by one statement; labels and stages differ by board.
    boards: dict[Sieve, list[int]] = {}
    meanings = Meanings()
    for frame in place.frames:
        sieve = Sieve.of(query, place.about, frame, meanings)
        boards.setdefault(sieve, []).append(frame.board.id)
    return boards
