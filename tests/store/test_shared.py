"""Two programs on one profile: each hears of what the other did."""

from pathlib import Path

from tests.store.fake_clock import FakeClock
from tests.store.fake_remote import BOARD, DOING, FakeService
from tests.store.party import Party
from tui.model.board import Place
from tui.store.operations import MoveTask


async def test_a_move_of_one_program_is_seen_in_the_other(
    tmp_path: Path, service: FakeService, clock: FakeClock
) -> None:
    one, other = Party(tmp_path, service, clock), Party(tmp_path, service, clock)
    await one.start()
    await other.start()
    task = next(one.view.all_tasks())
    await one.store.submit(MoveTask.on(task, DOING, Place()))
    await one.delivered()
    await other.store.refresh(BOARD)
    moved = other.view.task(task.id)
    assert moved is not None
    assert moved.stage_id == DOING
    await one.store.aclose()
    await other.store.aclose()
