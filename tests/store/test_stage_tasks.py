"""Sorting and archiving all tasks of a stage: what is drawn is what the service does."""

from itertools import product

import pytest

from tests.harness.cases import mostly_long
from tests.store.faults import Fault
from tests.store.party import Party
from tests.store.service import BOARD, DOING, OPEN, Service
from tests.store.wire import Wire
from tui.model.board import BoardView
from tui.store import operations as change
from tui.store.operations import SortBy

_TASKS = (
    ("banana", "high", "2026-12-05 10:00:00"),
    ("Apple", "low", None),
    ("cherry", "medium", "2026-12-01 10:00:00"),
    ("apple", "high", "2026-12-05 10:00:00"),
    ("Écru", "low", None),
)


@pytest.fixture
def wire(service: Service) -> Wire:
    """A service with tasks in a stage whose order by each field differs."""
    for task in service.lane(DOING):
        service.delete(task["id"])
    for title, priority, due_at in _TASKS:
        task = service.add(title, DOING)
        service.set(task["id"], "priority", priority)
        service.set(task["id"], "due_at", due_at)
    return Wire(service)


@mostly_long("by, descending", product(SortBy, (False, True)), every=3)
async def test_a_stage_is_drawn_sorted_as_the_service_sorts_it(
    wire: Wire, by: SortBy, *, descending: bool
) -> None:
    before = wire.view
    stage = before.stages[1]
    sort = change.SortStage.on(stage, by, descending=descending).named(before)
    await wire.send([sort], merging=False)
    assert titles(wire.view) == titles(sort.apply(before))
    await wire.send(sort.inverse(before), merging=False)
    assert titles(wire.view) == titles(before)


async def test_undoing_before_anything_was_sent_sends_nothing(wire: Wire) -> None:
    before = wire.view
    archive = change.ArchiveTasks.on(before, before.stages[1])
    await wire.send([archive, *archive.inverse(before)], merging=True)
    assert not {"archive_tasks", "set_task"} & set(wire.remote.calls)


async def test_what_was_retitled_offline_is_sorted_by_its_last_title_before(
    started: Party, service: Service
) -> None:
    """A later title does not change the order that was drawn."""
    first, second, _ = started.view.in_stage(OPEN)
    stage = started.view.stages[0]
    started.remote.trouble = lambda _: Fault.UNREACHABLE
    await started.store.submit(change.set_title(first, "First"))
    await started.store.submit(change.set_title(second, "Zebra"))
    await started.store.submit(change.SortStage.on(stage, SortBy.TITLE))
    await started.store.submit(change.set_title(started.view.in_stage(OPEN)[-1], "Aardvark"))
    drawn = titles(started.view, OPEN)
    started.remote.trouble = lambda _: None
    await started.store.refresh()
    await started.delivered()
    assert service.titles(OPEN) == drawn == ["First", "Gamma", "Aardvark"]


async def test_a_card_of_which_only_the_place_is_known_is_not_drawn_yet(
    started: Party, service: Service
) -> None:
    """Somebody added it meanwhile; a reply with all places of the stage comes before its title."""
    stage, drawn = started.view.stages[0], set[str]()
    await started.store.submit(change.SortStage.on(stage, SortBy.TITLE, descending=True))
    await started.delivered()
    started.store.subscribe(lambda _: drawn.update(titles(started.view, OPEN)))
    service.add("New", OPEN)
    await started.store.undo(BOARD)
    await started.delivered()
    assert "" not in drawn
    await started.store.refresh(BOARD)
    await started.until(lambda: "New" in drawn)


async def test_tasks_deleted_meanwhile_are_left_in_the_archive(wire: Wire) -> None:
    before = wire.view
    archive = change.ArchiveTasks.on(before, before.stages[1])
    await wire.send([archive], merging=False)
    gone = before.in_stage(DOING)[2]
    wire.service.delete(gone.id)
    await wire.send(archive.inverse(before), merging=False)
    assert titles(wire.view) == [title for title in titles(before) if title != gone.title]


def titles(view: BoardView, stage_id: int = DOING) -> list[str]:
    """The tasks of a stage, from top to bottom."""
    return [task.title for task in view.in_stage(stage_id)]
