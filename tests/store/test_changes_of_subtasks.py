"""Whatever is done to a subtask of an opened task: drawn at once, delivered, and taken back."""

from collections.abc import Callable
from datetime import datetime

import pytest

from tests.store.faults import Fault
from tests.store.opened_board import ANN_MILLER, Opened
from tests.store.service import BOARD, DOING, OPEN, Service
from tui.model.board import Place
from tui.model.comment import Thread
from tui.model.detail import TaskDetail
from tui.model.task import Label, Priority, Status, Task
from tui.store import operations as change
from tui.store.events import StoreEvent
from tui.store.operations.base import Operation

AT = datetime(2026, 12, 1, 17, 0)  # noqa: DTZ001  wall clock
Make = Callable[[Opened, Task], Operation]

SETTINGS: dict[str, tuple[Make, Callable[[Task], object], object]] = {
    "title": (lambda _, task: change.set_title(task, "New"), lambda task: task.title, "New"),
    "description": (
        lambda _, task: change.set_description(task, "<p>New</p>"),
        lambda task: task.description,
        "<p>New</p>",
    ),
    "due date": (lambda _, task: change.set_due(task, AT), lambda task: task.due_at, AT),
    "start date": (lambda _, task: change.set_start(task, AT), lambda task: task.started_at, AT),
    "status": (
        lambda _, task: change.set_status(task, Status.CLOSED),
        lambda task: task.status,
        Status.CLOSED,
    ),
    "priority": (
        lambda _, task: change.set_priority(task, Priority.HIGH),
        lambda task: task.priority,
        Priority.HIGH,
    ),
    "people": (
        lambda _, task: change.set_assignees(task, [ANN_MILLER]),
        lambda task: task.assignees,
        (ANN_MILLER,),
    ),
    "labels": (
        lambda opened, task: change.add_label(task, opened.label(opened.things.label)),
        lambda task: task.labels[:1] and Label(task.labels[0].id, task.labels[0].title),
        None,
    ),
}


def _at_service(service: Service, opened: Opened) -> list[str]:
    return [one["title"] for one in service.line(opened.things.groups[0])]


@pytest.mark.parametrize("name", SETTINGS)
async def test_what_is_set_on_a_subtask(opened: Opened, name: str) -> None:
    make, seen, expected = SETTINGS[name]
    party, before = opened.party, seen(opened.subtask(1))
    await party.store.submit(make(opened, opened.subtask(1)))
    drawn = seen(opened.subtask(1))
    assert drawn != before
    assert drawn == expected or name == "labels"
    assert opened.subtask(1).id in opened.detail.pending_of("task")
    await party.delivered()
    await party.store.refresh_task(opened.things.task)
    assert seen(opened.subtask(1)) == drawn
    await party.store.undo(BOARD)
    await party.delivered()
    await party.store.refresh_task(opened.things.task)
    assert seen(opened.subtask(1)) == before
    assert party.titles(OPEN) == ["Alpha", "Beta", "Gamma"]


@pytest.mark.parametrize(
    "make",
    [
        lambda opened, task: change.DeleteSubtask.on(opened.detail, task),
        lambda _, task: change.DeleteTask(task, Place()),
        lambda _, task: change.ArchiveTask.on(task, Place(), at=AT),
    ],
    ids=["delete", "delete as a task", "archive"],
)
async def test_a_subtask_taken_away(opened: Opened, service: Service, make: Make) -> None:
    party = opened.party
    await party.store.submit(make(opened, opened.subtask(1)))
    assert opened.titles(0) == ["X", "Z"]
    await party.delivered()
    await party.store.refresh_task(opened.things.task)
    assert opened.titles(0) == ["X", "Z"] == _at_service(service, opened)
    party.remote.trouble = lambda _: Fault.UNREACHABLE
    assert await party.store.undo(BOARD)
    assert opened.titles(0) == ["X", "Y", "Z"]
    party.remote.trouble = lambda _: None
    await party.store.refresh(BOARD)
    await party.delivered()
    await party.store.refresh_task(opened.things.task)
    assert opened.titles(0) == ["X", "Y", "Z"] == _at_service(service, opened)
    assert party.titles(OPEN) == ["Alpha", "Beta", "Gamma"]


async def test_a_task_becomes_a_subtask_on_the_board_and_in_its_parent_at_once(
    opened: Opened, service: Service
) -> None:
    party, seen = opened.party, set[tuple[bool, bool]]()

    def look(_: StoreEvent) -> None:
        is_below = opened.detail.find(opened.things.other) is not None
        seen.add(("Beta" in party.titles(OPEN), is_below))

    await party.store.submit(change.ConvertToSubtask.on(opened.other, opened.task))
    party.store.subscribe(look)
    look(party.events[-1])
    await party.delivered()
    await party.store.refresh_task(opened.things.task)
    assert seen == {(False, True)}
    below = opened.detail.find(opened.things.other)
    assert below is not None
    seen.clear()
    await party.store.submit(change.ConvertToTask.on(opened.detail, below, DOING))
    await party.delivered()
    assert party.titles(DOING) == ["Delta", "Beta"] == service.titles(DOING)
    assert seen == {(False, False)}


async def test_a_subtask_that_somebody_made_a_card_stays_when_its_former_group_is_deleted(
    opened: Opened, service: Service
) -> None:
    party = opened.party
    party.remote.trouble = lambda _: Fault.UNREACHABLE
    await party.store.submit(change.DeleteGroup.on(opened.task, opened.group(0)))
    await service.client("ann").subtask_to_task(BOARD, opened.things.subtasks[0], DOING)
    party.remote.trouble = lambda _: None
    await party.store.refresh(BOARD)
    await party.delivered()
    assert party.titles(DOING) == ["Delta", "X"] == service.titles(DOING)
    assert [group.title for group in opened.detail.groups or ()] == ["After"]


async def test_the_subtasks_of_a_deleted_group_are_not_there_after_a_restart(
    opened: Opened,
) -> None:
    party = opened.party
    party.remote.trouble = lambda _: Fault.UNREACHABLE
    await party.store.submit(change.DeleteGroup.on(opened.task, opened.group(0)))
    await party.restart()
    party.remote.trouble = lambda _: None
    await party.start()
    await party.delivered()
    party.remote.trouble = lambda _: Fault.UNREACHABLE
    await party.store.open_task(BOARD, opened.things.task)
    assert _groups(opened.detail) == [("After", [])]


async def test_the_first_subtask_of_all_makes_the_group_it_is_in(
    opened: Opened, service: Service
) -> None:
    party, parent = opened.party, opened.party.task("Gamma")
    await party.store.open_task(BOARD, parent.id)
    await party.until(lambda: (found := party.store.detail(parent.id)) and found.values is not None)
    party.remote.trouble = lambda _: Fault.UNREACHABLE
    await party.store.submit(change.ConvertToSubtask.on(opened.other, parent))
    assert _groups(party.store.detail(parent.id)) == [("", ["Beta"])]
    party.remote.trouble = lambda _: None
    await party.store.refresh(BOARD)
    await party.delivered()
    assert _groups(party.store.detail(parent.id)) == [("Default Subtask Group", ["Beta"])]
    assert [one["title"] for one in service.line(service.groups(parent.id)[0]["id"])] == ["Beta"]


def _groups(detail: TaskDetail | None) -> list[tuple[str, list[str]]]:
    groups = (detail.groups if detail is not None else None) or ()
    return [(group.title, [one.title for one in group.subtasks]) for group in groups]


async def test_a_subtask_is_opened_as_a_task_also_where_nobody_answers(
    opened: Opened, service: Service
) -> None:
    party, known = opened.party, opened.things.subtasks[0]
    party.remote.trouble = lambda _: Fault.UNREACHABLE
    new = change.CreateSubtask.new(opened.task, opened.group(0), "New")
    await party.store.submit(new)
    for subtask_id, title in ((known, "X"), (new.subtask_id, "New")):
        await party.store.open_task(BOARD, subtask_id)
        detail = party.store.detail(subtask_id)
        assert detail is not None
        assert (detail.task.title, detail.task.parent_id) == (title, opened.things.task)
    drawn = party.store.detail(new.subtask_id)
    assert drawn is not None
    await party.store.submit(change.CreateComment.new(drawn.task, "Below"))
    assert [one.text for one in _comments(party.store.detail(new.subtask_id))] == ["Below"]
    party.remote.trouble = lambda _: None
    await party.store.refresh(BOARD)
    await party.delivered()
    made = service.line(opened.things.groups[0])[-1]["id"]
    assert service.said(made) == ["Below"]
    renamed = party.store.detail(new.subtask_id)
    assert renamed is not None
    assert (renamed.task.id, [one.text for one in _comments(renamed)]) == (made, ["Below"])


def _comments(detail: TaskDetail | None) -> Thread:
    return (detail.comments if detail is not None else None) or ()
