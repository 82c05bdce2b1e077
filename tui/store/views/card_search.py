"""Finds the cards of many boards that a query matches, without loading the boards.

Boards in memory, and those with pending changes, are looked through as drawn. Of the others the
rows of the cache are read that a sieve lets through, on the disk thread.
"""

import logging
import sqlite3
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

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

logger = logging.getLogger(__name__)

_NO_CARDS = Lane()


class CardSearch:
    """Finds cards; frames of boards are kept until the cache has newer ones."""

    def __init__(self, core: Core, updates: BoardUpdates, unseen: Unseen) -> None:
        self._core = core
        self._disk = core.disk
        self._queue = core.queue
        self._updates = updates
        self._boards = updates.boards
        self._unseen = unseen
        # Of its own, as it works on the disk thread.
        self._assembler = Assembler()
        self._frames: dict[int, tuple[int, BoardView]] = {}

    async def find(
        self, query: Query, board_ids: Sequence[int], now: datetime, within: Collection[int]
    ) -> FoundCards:
        """See `tui.store.protocol.Store.find_cards`."""
        changed = set[int]()
        if any(term.kind is TermKind.CHANGED for term in query.terms):
            changed = {task_id for one in board_ids for task_id in self._unseen.of(one)}
        drawn = {
            one: view
            for one in board_ids
            if (view := await self._drawn(one, catches_up=one in within)) is not None
        }
        cached = [one for one in board_ids if one not in drawn and one > 0]
        try:
            frames = await self._disk.run(self._frames_of, cached)
            await self._remember_freshness(cached)
        except sqlite3.Error as error:  # a damaged cache is set aside and filled again
            logger.info("Boards could not be looked through: %s", error)
            frames = {}
        views = {**frames, **drawn}
        in_order = [views[one] for one in board_ids if one in views]
        about = QueryContext.of(in_order, self._core.me, now, changed)
        wanted = [frame for one, frame in frames.items() if one in within]
        found = dict[int, BoardView]()
        try:
            found |= await self._disk.run(self._matching, wanted, query, about)
        except sqlite3.Error as error:
            logger.info("Cards could not be found: %s", error)
        slicer = Slicer()
        for board_id, view in drawn.items():
            if board_id in within:
                found[board_id] = filtered(view, query, about)
                await slicer.yield_if_over()
        missing = tuple(one for one in board_ids if one in within and one not in views)
        return FoundCards(tuple(found[one] for one in board_ids if one in found), missing, about)

    async def _remember_freshness(self, board_ids: Sequence[int]) -> None:
        # As for a board that is loaded: an earlier run may have asked for it a moment ago.
        known = self._core.status_tracker.checked_at
        if others := [one for one in board_ids if one not in known]:
            for board_id, at in (await self._core.freshness.last_reads(others)).items():
                known.setdefault(board_id, at)

    async def _drawn(self, board_id: int, *, catches_up: bool) -> BoardView | None:
        is_changed = board_id in self._queue.board_ids()
        if is_changed or board_id < 0:
            return await self._updates.load(board_id)
        if self._boards.truth(board_id) is None:
            return None
        # Only the open board, and those that are followed, are kept up to date with the cache.
        if catches_up and await self._updates.catch_up(board_id):
            self._boards.redraw(board_id)
        return self._boards.view(board_id)

    def _frames_of(self, board_ids: Sequence[int]) -> Mapping[int, BoardView]:
        # Runs on the disk thread, and so does what follows.
        documents = self._core.cache.newer_boards(
            board_ids, {one: kept[0] for one, kept in self._frames.items()}
        )
        for board_id, (revision, document) in documents.items():
            if document is None:
                self._frames.pop(board_id, None)
            else:
                self._frames[board_id] = revision, self._assembler.empty_view(document)
            INPUT_PRIORITY.block_after_input()
        return {one: self._frames[one][1] for one in board_ids if one in self._frames}

    def _matching(
        self, frames: Sequence[BoardView], query: Query, about: QueryContext
    ) -> dict[int, BoardView]:
        found, matches, meanings = dict[int, BoardView](), matcher(query, about), Meanings()
        for frame in frames:
            sieve = Sieve.of(query, about, frame, meanings)
            cards = self._core.cache.cards.matching(frame.board.id, *sieve)
            lanes = dict.fromkeys((stage.id for stage in frame.stages), _NO_CARDS)
            for stage_id in lanes.keys() & cards.keys():
                # One chunk, as most of these are a few cards.
                lanes[stage_id] = Lane([Chunk(tuple(filter(matches, cards[stage_id])))])
            found[frame.board.id] = replace(frame, tasks=lanes)
            INPUT_PRIORITY.block_after_input()
        return found
