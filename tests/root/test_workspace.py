"""The workspace: the first run, later runs, and boards that cannot be used."""

import asyncio
from pathlib import Path

import pytest

from tests.fakes.boards import NOW, task, titles_of
from tests.store.party import until
from tui.config.paths import Places
from tui.context import Density
from tui.errors import CannotGoOn
from tui.screens.board.card import CardLook, CardState, card_lines
from tui.screens.board.column import LEAST_WIDTH
from tui.store.operations import DeleteBoard
from tui.store.store import LocalStore
from tui.tour import ALL_LESSONS, LESSONS, OVER_THERE, STAGES, TITLE
from tui.workspace import Workspace


def places(home: Path) -> Places:
    """The places below a folder."""
    return Places.find({"CALLBOARD_HOME": str(home)})


async def run(home: Path) -> tuple[int | None, list[str]]:
    """Open and connect once; the board to show, and the titles of all boards then."""
    workspace = Workspace.open(places(home))
    try:
        board_id = await workspace.connect()
        await workspace.store.refresh()
        return board_id, [board.title for board in workspace.store.boards()]
    finally:
        await workspace.aclose()


async def tour_of(store: LocalStore, board_id: int) -> list[list[str]]:
    """The titles on the tour board, stage by stage."""
    await store.refresh(board_id)
    await store.open_board(board_id)
    view = store.board(board_id)
    assert view is not None
    assert [stage.title for stage in view.stages] == list(STAGES)
    return titles_of(view)


async def test_the_first_run_makes_the_tour(tmp_path: Path) -> None:
    workspace = Workspace.open(places(tmp_path))
    board_id = await workspace.connect()
    assert board_id is not None
    titles = await tour_of(workspace.store, board_id)
    assert titles == [[each.title for each in LESSONS], [each.title for each in OVER_THERE], []]
    await workspace.aclose()


@pytest.mark.long
async def test_later_runs_make_nothing(tmp_path: Path) -> None:
    assert (await run(tmp_path))[1] == [TITLE]
    assert await run(tmp_path) == (None, [TITLE])


@pytest.mark.long
async def test_a_tour_that_is_gone_stays_gone(tmp_path: Path) -> None:
    workspace = Workspace.open(places(tmp_path))
    board_id = await workspace.connect()
    assert board_id is not None
    store = workspace.store
    await store.refresh()
    (board,) = store.boards()
    await store.submit(DeleteBoard.on(board))
    await until(store, lambda: not store.pending())
    await workspace.aclose()
    assert await run(tmp_path) == (None, [])


async def test_a_tour_that_was_cut_short_is_made_anew(tmp_path: Path) -> None:
    await run(tmp_path)
    (tmp_path / "data" / "tour").write_text("begun", encoding="utf-8")
    board_id, titles = await run(tmp_path)
    assert board_id is not None
    assert titles == [TITLE]


async def test_without_its_mark_no_tour_is_made_and_the_program_goes_on(tmp_path: Path) -> None:
    (tmp_path / "data" / "tour").mkdir(parents=True)
    workspace = Workspace.open(places(tmp_path))
    await workspace.aclose()
    assert not workspace.is_first_run
    assert await run(tmp_path) == (None, [])


async def test_who_quits_while_the_boards_are_opened_leaves_none_of_their_files_open(
    tmp_path: Path,
) -> None:
    workspace = Workspace.open(places(tmp_path))
    connecting = asyncio.create_task(workspace.connect())
    await asyncio.sleep(0)
    connecting.cancel()
    await asyncio.gather(connecting, return_exceptions=True)
    await workspace.aclose()  # every test fails that leaves one open


async def test_boards_that_are_there_are_never_touched(tmp_path: Path) -> None:
    await run(tmp_path)
    (tmp_path / "data" / "tour").unlink()
    assert await run(tmp_path) == (None, [TITLE])


async def test_damaged_boards_are_left_as_they_are(tmp_path: Path) -> None:
    workspace = Workspace.open(places(tmp_path))
    workspace.database.write_bytes(b"not a database" * 100)
    with pytest.raises(CannotGoOn) as refused:
        await workspace.connect()
    await workspace.aclose()
    assert str(workspace.database) in refused.value.message
    assert workspace.database.read_bytes() == b"not a database" * 100


def test_the_titles_of_the_tour_are_whole_in_the_narrowest_column() -> None:
    look = CardLook(Density.ROOMY, NOW)
    for number, lesson in enumerate(ALL_LESSONS, 1):
        card = task(number, lesson.title)
        lines = card_lines(card, LEAST_WIDTH - 2, look, CardState())
        assert "…" not in "".join(text for line in lines for text, _ in line), lesson.title
