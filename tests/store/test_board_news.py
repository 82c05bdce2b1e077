"""What a service says has changed is taken over without fetching the board again."""

import asyncio
from collections import deque
from typing import cast

import pytest

from tests.store.faults import Fault, FaultyRemote
from tests.store.party import Party
from tests.store.service import BOARD, DOING, DONE, OPEN, Service
from tui.client.documents import BoardChanges, Document
from tui.model.board import Place
from tui.store.cache.freshness import Cost, Freshness
from tui.store.operations import CreateTask, DeleteTask, MoveStage, edit_label, set_title
from tui.store.remote import Remote

_AT = "T1"


class Telling(FaultyRemote):
    """Tells what it is given to tell, once each; then that nothing changed, or nothing at all."""

    def __init__(self, service: Service, *told: BoardChanges, is_brief: bool = False) -> None:
        super().__init__(service.remote())
        self.told = deque(told)
        self.nothing: BoardChanges | None = BoardChanges("" if is_brief else _AT)

    async def changes_since(self, board_id: int, since: str) -> BoardChanges | None:
        self.calls.append("changes_since")
        del board_id, since
        return self.told.popleft() if self.told else self.nothing


async def hear(party: Party, service: Service, *told: BoardChanges) -> Telling:
    """Let the person hear this; returns the connection, with what was asked for."""
    remote = Telling(service, *told)
    party.store.connect(cast("Remote", remote))
    for _ in told:
        await party.store.refresh(BOARD, only_changes=True)
    return remote


async def test_tasks_are_taken_over_as_they_are_told(started: Party, service: Service) -> None:
    alpha, beta = (service.task(started.task(name).id) for name in ("Alpha", "Beta"))
    new = {**alpha, "id": 900, "title": "New", "position": 9.0}
    gone = started.task("Gamma").id
    told = BoardChanges(
        _AT,
        tasks=[{**alpha, "title": "Omega"}, {**beta, "archived_at": "2026-11-20 09:00:00"}, new],
        gone=frozenset({gone, 12345}),
    )
    remote = await hear(started, service, told)
    assert remote.calls == ["changes_since", "board_activities"]
    assert started.titles(OPEN) == ["Omega", "New"]
    assert {one.kind.value for one in started.store.changed_by_others(BOARD).values()} >= {"new"}


async def test_tasks_told_in_part_are_read_one_by_one(started: Party, service: Service) -> None:
    alpha, beta, gamma = (started.task(name).id for name in ("Alpha", "Beta", "Gamma"))
    service.set(alpha, "title", "Omega")
    service.delete(beta)
    told = BoardChanges(
        _AT,
        tasks=[
            {"id": alpha, "title": "Omega"},
            {"id": beta, "title": "Gone"},
            {"id": gamma, "title": "Gamma"},
        ],
    )
    remote = await hear(started, service, told)
    assert remote.calls.count("task") == 2
    assert "tasks" not in remote.calls
    assert started.titles(OPEN) == ["Omega", "Gamma"]


async def test_too_many_tasks_told_in_part_are_read_with_the_board(
    started: Party, service: Service
) -> None:
    service.add_many(30, DOING)
    new = [one["id"] for one in service.lane(DOING)[1:]]
    nothing = BoardChanges(_AT)
    remote = await hear(
        started, service, BoardChanges(_AT, tasks=[{"id": one} for one in new]), nothing
    )
    assert remote.calls[:4] == ["changes_since", "board", "tasks", "board_activities"]
    assert len(started.titles(DOING)) == 31


async def test_a_label_that_others_changed_is_changed_on_its_cards(
    started: Party, service: Service
) -> None:
    label = service.add_label("bug")
    service.attach_label(started.task("Alpha").id, label["id"])
    await started.store.refresh(BOARD)
    service.rename_label(label["id"], "defect")
    told = {**label, "title": "defect"}
    remote = await hear(started, service, BoardChanges(_AT, parts={"labels": [told]}))
    assert remote.calls == ["changes_since", "board"]
    assert [one.title for one in started.task("Alpha").labels] == ["defect"]
    service.delete_label(label["id"])
    remote = await hear(started, service, BoardChanges(_AT, is_frame_outdated=True))
    assert remote.calls == ["changes_since", "board"]
    assert started.task("Alpha").labels == ()


async def test_an_own_label_is_changed_on_its_cards_at_once(
    started: Party, service: Service
) -> None:
    label = service.add_label("bug")
    service.attach_label(started.task("Alpha").id, label["id"])
    await started.store.refresh(BOARD)
    started.remote.calls.clear()
    await started.store.submit(edit_label(BOARD, started.view.labels[0], title="defect"))
    await started.delivered()
    assert [one.title for one in started.task("Alpha").labels] == ["defect"]
    assert "tasks" not in started.remote.calls


@pytest.mark.parametrize("is_own", [False, True])
async def test_a_deletion_that_is_not_told_means_the_whole_board(
    started: Party, service: Service, *, is_own: bool
) -> None:
    gamma = started.task("Gamma")
    if is_own:
        await started.store.submit(DeleteTask(gamma, started.place("Gamma")))
        await started.delivered()
    else:
        service.delete(gamma.id)
    remote = await hear(started, service, BoardChanges(_AT, has_gone=True))
    assert remote.calls.count("tasks") == (0 if is_own else 1)
    assert started.titles(OPEN) == ["Alpha", "Beta"]


@pytest.mark.long
async def test_a_service_that_looks_back_a_minute_is_asked_in_time(
    started: Party, service: Service
) -> None:
    remote = Telling(service, is_brief=True)
    started.store.connect(cast("Remote", remote))
    start = started.clock.now()
    await started.until(lambda: (started.clock.now() - start).total_seconds() > 1_500)
    assert remote.calls.count("changes_since") >= 33
    assert remote.calls.count("tasks") <= 5
    remote.calls.clear()
    started.clock.advance(3_600)
    service.add("Theirs", DOING)
    await started.until(lambda: "Theirs" in started.titles(DOING))
    assert remote.calls.count("tasks") == 1


async def test_a_service_that_tells_no_changes_shows_them_by_its_activities(
    started: Party, service: Service
) -> None:
    remote = Telling(service)
    remote.nothing = None
    started.store.connect(cast("Remote", remote))
    await started.store.refresh(BOARD, only_changes=True)
    await started.store.submit(CreateTask.new(BOARD, DOING, "Mine"))
    await started.delivered()
    await started.store.refresh(BOARD, only_changes=True)
    assert "tasks" not in remote.calls
    service.add("Theirs", DOING)
    await started.store.refresh(BOARD, only_changes=True)
    assert remote.calls.count("tasks") == 1
    assert started.titles(DOING) == ["Delta", "Mine", "Theirs"]


async def test_a_service_that_is_busy_is_not_asked_for_the_whole_board(
    started: Party, service: Service
) -> None:
    started.remote.trouble = lambda name: Fault.BUSY if name == "changes_since" else None
    started.remote.calls.clear()
    await started.until(lambda: started.store.status(BOARD).problem)
    assert "tasks" not in started.remote.calls
    service.add("Theirs", DOING)
    started.remote.trouble = lambda _: None
    await started.until(lambda: "Theirs" in started.titles(DOING))


async def test_an_answer_older_than_a_reply_does_not_take_it_back(
    started: Party, service: Service
) -> None:
    stale = service.task(started.task("Alpha").id) | {"priority": "high"}
    remote = Telling(service)
    real = remote.changes_since

    async def slow(board_id: int, since: str) -> BoardChanges | None:
        await started.store.submit(set_title(started.task("Alpha"), "Omega"))
        await started.delivered()
        remote.told.append(BoardChanges(_AT, tasks=[stale]))
        return await real(board_id, since)

    remote.changes_since = slow  # type: ignore[method-assign]  # the fake is ours
    started.store.connect(cast("Remote", remote))
    await started.store.refresh(BOARD, only_changes=True)
    assert started.titles(OPEN)[0] == "Omega"


async def test_a_board_older_than_a_reply_does_not_take_a_label_back(
    started: Party, service: Service
) -> None:
    label = service.add_label("bug")
    await started.store.refresh(BOARD)
    (shown,) = started.view.labels
    remote = Telling(service)
    real = remote.changes_since

    async def slow(board_id: int, since: str) -> BoardChanges | None:
        stale = await remote.board(board_id)
        await started.store.submit(edit_label(BOARD, shown, title="defect"))
        await started.delivered()
        remote.told.append(BoardChanges(_AT, frame=stale))
        return await real(board_id, since)

    remote.changes_since = slow  # type: ignore[method-assign]  # the fake is ours
    started.store.connect(cast("Remote", remote))
    await started.store.refresh(BOARD, only_changes=True)
    assert [(each.id, each.title) for each in started.view.labels] == [(label["id"], "defect")]


class Slow(FaultyRemote):
    """Keeps the reply to a setting back, once it is carried out, until it `goes_on`."""

    def __init__(self, service: Service) -> None:
        super().__init__(service.remote())
        self.written = asyncio.Event()
        self.goes_on = asyncio.Event()

    async def set_task(self, board_id: int, task_id: int, name: str, value: object) -> Document:
        reply: Document = await self.call("set_task", board_id, task_id, name, value)
        self.written.set()
        await self.goes_on.wait()
        return reply


async def test_what_a_late_reply_takes_back_is_told_again(started: Party, service: Service) -> None:
    remote = Slow(service)
    started.store.connect(cast("Remote", remote))
    alpha = started.task("Alpha")
    await started.store.submit(set_title(alpha, "Mine"))
    await remote.written.wait()
    service.set(alpha.id, "title", "Theirs")
    await started.store.refresh(BOARD)
    remote.goes_on.set()
    await started.delivered()
    await started.store.refresh(BOARD, only_changes=True)
    assert started.titles(OPEN) == ["Theirs", "Beta", "Gamma"]


async def test_a_board_fetched_for_the_first_time_beside_a_late_reply_is_asked_about(
    started: Party, service: Service
) -> None:
    remote = Slow(service)
    started.store.connect(cast("Remote", remote))
    await started.store.submit(set_title(started.task("Alpha"), "Mine"))
    await remote.written.wait()
    core = started.store._core
    another = Freshness(core.cache, core.cache, core.disk, core.clock)
    await another.mark_fetched(BOARD, 0.0, started.clock.now(), "", Cost())
    await started.store.refresh(BOARD)
    remote.goes_on.set()
    await started.delivered()
    remote.calls.clear()
    await started.store.refresh(BOARD, only_changes=True)
    assert remote.calls == ["changes_since"]


async def test_a_board_that_was_asked_for_before_does_not_put_a_stage_back(
    started: Party, service: Service
) -> None:
    asked_before = started.remote.held["board"] = asyncio.Event()
    refreshing = asyncio.create_task(started.store.refresh(BOARD))
    await started.until(lambda: "board" not in started.remote.held)
    await started.store.submit(MoveStage.on(started.view.stages[0], Place(DONE)))
    await started.delivered()
    drawn = [stage.title for stage in started.view.stages]
    assert drawn == list(service.stages())
    asked_before.set()
    await refreshing
    assert [stage.title for stage in started.view.stages] == drawn
