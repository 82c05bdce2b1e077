"""The tally of a board: the same from memory and from the cache, and none that is too old."""

from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, strategies as st

from tests.store.opened_board import Opened
from tests.store.service import BOARD
from tui.client.documents import Document
from tui.model.lane import Tally
from tui.store import operations as change
from tui.store.cache.file import open_cache
from tui.store.documents.assemble import Assembler
from tui.store.views.board_state import Truth

NOW = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)
FRAME = {
    "id": 1, "title": "Relaunch",
    "stages": [{"id": 1}, {"id": 2}, {"id": 3, "archived_at": "2026-01-01 00:00:00"}],
}  # fmt: skip
LABELS = st.lists(
    st.sampled_from(["Blocked", " blocked\x1b ", "BLOCKED", "not blocked", "blocked: why?", "bug"])
    .map(lambda title: {"id": 1, "title": title, "bg_color": "#ff0000"}),
    max_size=2,
)  # fmt: skip
CARDS = st.lists(
    st.fixed_dictionaries(
        {
            "id": st.integers(1, 90),
            "board_id": st.sampled_from([1, 1, 1, 2]),
            "stage_id": st.sampled_from([1, 2, 3, None]),
            "status": st.sampled_from(["open", "closed", None]),
            "due_at": st.sampled_from([None, "2026-11-19 17:00:00", "2026-12-01 17:00:00", "soon"]),
            "archived_at": st.sampled_from([None, None, "2026-01-01 00:00:00"]),
            "parent_id": st.sampled_from([None, None, 5]),
            "labels": LABELS,
            "description": st.sampled_from(["", '"status":"closed"', "x" * 2000]),
        }
    ),
    max_size=12,
    unique_by=lambda card: str(card["id"]),
)


def tallies(cards: list[Document]) -> tuple[Tally, Tally]:
    """The tally of the board as loaded, and as counted in the cache."""
    with TemporaryDirectory() as folder:
        cache, _ = open_cache(Path(folder) / "cache.sqlite3", NOW)
        with closing(cache):
            cache.put_board(FRAME)
            cache.put_tasks(cards)
            assembler = Assembler()
            truth = Truth(assembler.empty_view(FRAME))
            for task in filter(None, map(assembler.task, cards)):
                truth.put(task)
            counted = [cache.cards.tally(1, stage.id) for stage in truth.view.stages]
            return truth.view.tally(), Tally.sum_of(counted)


@given(CARDS)
def test_the_cache_counts_what_the_loaded_board_counts(cards: list[Document]) -> None:
    loaded, counted = tallies(cards)
    assert counted == loaded


async def test_a_board_is_counted_as_drawn_and_after_a_restart_without_loading_it(
    opened: Opened,
) -> None:
    party = opened.party
    before = await party.store.tally(BOARD)
    assert before is not None
    due = change.set_due(opened.task, datetime(2020, 1, 1))  # noqa: DTZ001  wall-clock
    await party.store.submit(due)
    drawn = await party.store.tally(BOARD)
    assert drawn is not None
    assert drawn.late(datetime(2020, 1, 2)) == 1  # noqa: DTZ001
    await party.until(lambda: not party.store.pending())
    await party.restart()
    assert await party.store.tally(BOARD) == drawn
    assert party.store._parts.boards.in_memory() == set()
    assert await party.store.tally(999) is None


async def test_what_was_read_more_than_a_week_ago_is_not_counted(opened: Opened) -> None:
    party = opened.party
    await party.restart()
    party.clock.set(timedelta(days=6).total_seconds())
    assert await party.store.tally(BOARD) is not None
    party.clock.set(timedelta(days=2).total_seconds())
    assert await party.store.tally(BOARD) is None
