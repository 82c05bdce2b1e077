"""The store as a whole: what is drawn, what is sent and what comes of it."""

import asyncio
from dataclasses import replace

import pytest

from tests.store.faults import Fault
from tests.store.party import Party, new_board, step_of
from tests.store.service import BOARD, DOING, DONE, OPEN, Service
from tui.client.decoding import decode
from tui.client.documents import BoardChanges, Document
from tui.errors import CallboardError
from tui.model.board import Place
from tui.model.task import Priority, Status
from tui.schema.tasks import Task
from tui.store.core import LAST_BOARD
from tui.store.events import BoardChanged, BoardsChanged, PendingState, StatusChanged
from tui.store.operations import (
    ArchiveTask,
    CreateBoard,
    CreateStage,
    CreateTask,
    DeleteBoard,
    DeleteTask,
    MoveTask,
    rename_board,
    set_priority,
    set_status,
    set_title,
)
from tui.store.protocol import Store


async def test_a_change_is_drawn_before_the_service_answers(started: Party) -> None:
    started.remote.fail_next("set_task", *[Fault.UNREACHABLE] * 9)
    await started.store.submit(set_title(started.task("Alpha"), "Omega"))
    assert started.titles(OPEN) == ["Omega", "Beta", "Gamma"]
    assert started.view.pending == {started.task("Omega").id}


async def test_a_change_reaches_the_service(started: Party, service: Service) -> None:
    await started.store.submit(set_title(started.task("Alpha"), "Omega"))
    await started.delivered()
    assert service.titles(OPEN) == ["Omega", "Beta", "Gamma"]
    assert started.titles(OPEN) == ["Omega", "Beta", "Gamma"]
    assert started.view.pending == frozenset()


async def test_what_is_on_the_way_is_counted(started: Party) -> None:
    await started.store.submit(
        set_title(started.task("Alpha"), "Omega"), set_status(started.task("Beta"), Status.OPEN)
    )
    assert started.store.status(BOARD).pending == 2
    await started.delivered()
    assert started.store.status(BOARD).pending == 0


async def test_a_new_task_gets_the_id_of_the_service(started: Party, service: Service) -> None:
    made = CreateTask.new(BOARD, OPEN, "New", Priority.HIGH)
    drawn = made.apply(started.view).task(made.task_id)
    assert drawn is not None
    place = Place(below=started.task("Alpha").id)
    await started.store.submit(made, MoveTask.on(drawn, OPEN, place))
    assert started.titles(OPEN) == ["New", "Alpha", "Beta", "Gamma"]
    await started.delivered()
    assert service.titles(OPEN) == ["New", "Alpha", "Beta", "Gamma"]
    renames = [
        dict(event.renamed)
        for event in started.events
        if isinstance(event, BoardChanged) and event.renamed
    ]
    assert renames == [{made.task_id: started.task("New").id}]


async def test_a_change_that_still_names_the_local_id_finds_its_task(
    started: Party, service: Service
) -> None:
    made = CreateTask.new(BOARD, OPEN, "New")
    await started.store.submit(made)
    drawn = started.task("New")
    await started.delivered()
    await started.store.submit(set_title(drawn, "Newer"))
    await started.delivered()
    assert service.titles(OPEN)[-1] == "Newer"


async def test_changes_go_out_in_the_order_they_were_made(started: Party) -> None:
    alpha = started.task("Alpha")
    for title in ("One", "Two", "Three"):
        await started.store.submit(set_title(alpha, title))
    await started.delivered()
    assert started.service.titles(OPEN)[0] == "Three"


async def test_a_move_is_computed_against_the_present_order(
    started: Party, service: Service
) -> None:
    service.add("Epsilon", DOING)
    service.move(service.lane(DOING)[1]["id"], DOING, 1)
    await started.store.refresh(BOARD)
    await started.store.submit(
        MoveTask.on(started.task("Alpha"), DOING, Place(above=started.task("Delta").id))
    )
    await started.delivered()
    assert service.titles(DOING) == ["Epsilon", "Delta", "Alpha"]


async def test_undo_takes_a_step_back_on_the_service_too(started: Party, service: Service) -> None:
    await started.store.submit(
        set_title(started.task("Alpha"), "Omega"),
        set_priority(started.task("Alpha"), Priority.HIGH),
    )
    await started.delivered()
    said = await started.store.undo(BOARD)
    assert step_of(said) == "Rename “Alpha” to “Omega” and 1 more change"
    assert started.titles(OPEN)[0] == "Alpha"
    await started.delivered()
    assert service.titles(OPEN)[0] == "Alpha"
    assert service.lane(OPEN)[0]["priority"] == "low"


async def test_redo_does_it_again_and_a_new_change_forgets_it(
    started: Party, service: Service
) -> None:
    await started.store.submit(set_title(started.task("Alpha"), "Omega"))
    await started.store.undo(BOARD)
    assert step_of(await started.store.redo(BOARD)) == "Rename “Alpha” to “Omega”"
    await started.store.undo(BOARD)
    await started.store.submit(set_title(started.task("Beta"), "Other"))
    assert await started.store.redo(BOARD) is None
    await started.delivered()
    assert service.titles(OPEN) == ["Alpha", "Other", "Gamma"]


async def test_there_may_be_nothing_to_take_back(started: Party) -> None:
    assert await started.store.undo(BOARD) is None
    assert await started.store.redo(BOARD) is None


async def test_history_outlives_the_program(started: Party, service: Service) -> None:
    await started.store.submit(set_title(started.task("Alpha"), "Omega"))
    await started.delivered()
    await started.restart()
    assert step_of(await started.store.undo(BOARD, force=True)) == "Rename “Alpha” to “Omega”"
    await started.start()
    await started.delivered()
    assert service.titles(OPEN)[0] == "Alpha"


async def test_history_follows_a_task_that_was_made_twice(started: Party, service: Service) -> None:
    made = CreateTask.new(BOARD, OPEN, "New")
    await started.store.submit(made)
    await started.delivered()
    await started.store.submit(set_title(started.task("New"), "Newer"))
    await started.delivered()
    for _ in range(2):
        await started.store.undo(BOARD)
        await started.delivered()
    assert service.titles(OPEN) == ["Alpha", "Beta", "Gamma"]
    for _ in range(2):
        await started.store.redo(BOARD)
        await started.delivered()
    assert service.titles(OPEN) == ["Alpha", "Beta", "Gamma", "Newer"]
    assert not started.store.pending()


async def test_an_archived_task_is_brought_back_to_its_place(
    started: Party, service: Service
) -> None:
    await started.store.submit(ArchiveTask.on(started.task("Beta"), started.place("Beta")))
    await started.delivered()
    assert service.titles(OPEN) == ["Alpha", "Gamma"]
    await started.store.undo(BOARD)
    assert started.titles(OPEN) == ["Alpha", "Beta", "Gamma"]
    await started.delivered()
    assert service.titles(OPEN) == ["Alpha", "Beta", "Gamma"]


async def test_deleting_and_taking_it_back_while_offline(started: Party, service: Service) -> None:
    started.remote.trouble = lambda _: Fault.UNREACHABLE
    await started.store.submit(DeleteTask(started.task("Beta"), started.place("Beta")))
    await started.store.undo(BOARD)
    assert started.titles(OPEN) == ["Alpha", "Beta", "Gamma"]
    started.remote.trouble = lambda _: None
    await started.delivered()
    assert service.titles(OPEN) == started.titles(OPEN) == ["Alpha", "Beta", "Gamma"]


async def test_work_goes_on_offline_and_is_sent_later(party: Party, service: Service) -> None:
    await party.start()
    await party.restart()
    await party.store.submit(CreateTask.new(BOARD, DOING, "Offline"))
    await party.store.submit(set_title(party.task("Offline"), "Made offline"))
    await party.restart()
    assert party.titles(DOING) == ["Delta", "Made offline"]
    await party.start()
    await party.delivered()
    assert service.titles(DOING) == ["Delta", "Made offline"]


@pytest.mark.parametrize("text", ["none", "9" * 30])
async def test_a_last_board_that_cannot_be_read_is_forgotten_and_the_cache_stays(
    started: Party, text: str
) -> None:
    core = started.store._core
    await core.disk.run(core.outbox.set_setting, LAST_BOARD, text)
    await started.restart()
    assert started.store.last_board_id is None
    assert started.store.messages == ()
    assert [board.title for board in started.store.boards()] == ["Relaunch"]


async def test_the_board_is_there_at_once_after_a_restart(started: Party) -> None:
    await started.restart()
    view = started.view
    assert not view.complete
    assert [view.count(stage) for stage in (OPEN, DOING, DONE)] == [3, 1, 0]
    assert started.titles(OPEN) == ["Alpha", "Beta", "Gamma"]
    assert [board.title for board in started.store.boards()] == ["Relaunch"]
    assert started.store.last_board_id == BOARD
    assert started.store.status(BOARD).checked_at is not None
    await started.store.open_board(BOARD)
    assert started.view.complete
    assert BoardChanged(BOARD) in started.events


async def test_after_a_restart_it_is_known_when_changes_were_read_last(started: Party) -> None:
    fetched_at = started.store.status(BOARD).checked_at
    assert fetched_at is not None
    started.clock.advance(60)
    await started.store.refresh(BOARD, only_changes=True)
    read_at = started.store.status(BOARD).checked_at
    assert read_at is not None
    assert read_at > fetched_at
    await started.restart()
    assert started.store.status(BOARD).checked_at == read_at


async def test_a_board_that_is_only_looked_at_is_read_later(started: Party) -> None:
    await started.restart()
    read = asyncio.Event()

    async def looked_at() -> None:
        await read.wait()

    started.store.connect(started.remote)
    opening = asyncio.create_task(started.store.open_board(BOARD, after=looked_at))
    checked_before = started.store.status(BOARD).checked_at
    await started.until(lambda: started.store.status(BOARD).checked_at != checked_before)
    assert not started.view.complete
    read.set()
    await opening
    assert started.view.complete


async def test_news_of_a_board_that_is_only_looked_at_are_drawn(
    started: Party, service: Service
) -> None:
    await started.restart()
    service.set(started.task("Alpha").id, "title", "Omega")
    started.store.connect(started.remote)
    opening = asyncio.create_task(started.store.open_board(BOARD, after=asyncio.Event().wait))
    await started.until(lambda: started.titles(OPEN) == ["Omega", "Beta", "Gamma"])
    opening.cancel()


async def test_an_unknown_board_is_none_and_takes_no_changes(party: Party) -> None:
    assert party.store.board(BOARD) is None
    with pytest.raises(CallboardError, match="not been loaded"):
        await party.store.submit(CreateTask.new(BOARD, OPEN, "New"))
    assert party.store.pending() == ()


async def test_it_is_what_screens_know_as_the_store(started: Party) -> None:
    store: Store = started.store
    assert store.board(BOARD) == started.view


async def test_listeners_hear_until_they_end(started: Party) -> None:
    heard: list[object] = []

    def fail(_: object) -> None:
        raise RuntimeError("a listener's own mistake")

    started.store.subscribe(fail)
    end = started.store.subscribe(heard.append)
    await started.store.submit(set_title(started.task("Alpha"), "Omega"))
    assert BoardChanged(BOARD) in heard
    assert StatusChanged(BOARD) in heard
    end()
    heard.clear()
    await started.store.submit(set_title(started.task("Omega"), "Alpha"))
    assert heard == []


async def test_boards_are_made_and_changed(started: Party, service: Service) -> None:
    store = started.store
    made_here = CreateBoard.new("Second")
    board_id = made_here.board_id
    await store.submit(made_here)
    assert [board.title for board in store.boards()] == ["Second", "Relaunch"]
    assert BoardsChanged() in started.events
    await store.submit(CreateStage.new(board_id, "Later"))
    await store.submit(rename_board(made_here.board, "Renamed"))
    await started.until(lambda: store.boards()[0].title == "Renamed")  # it may have its id by now
    await started.delivered()
    made = service.boards()["Renamed"]
    assert BoardsChanged({board_id: made}) in started.events
    view = store.board(board_id)
    assert view is not None
    assert view.board.id == made
    assert [stage.title for stage in view.stages] == ["Open", "In Progress", "Completed", "Later"]
    await store.submit(DeleteBoard.on(view.board))
    assert [board.title for board in store.boards()] == ["Relaunch"]
    await started.delivered()
    assert made not in service.boards().values()
    assert [board.title for board in store.boards()] == ["Relaunch"]


async def test_a_board_made_offline_is_there_after_a_restart_and_arrives_with_all_on_it(
    started: Party, service: Service
) -> None:
    started.remote.trouble = lambda _: Fault.UNREACHABLE
    made_here = CreateBoard.new("Second")
    board_id = made_here.board_id
    await started.store.submit(made_here)
    stage = CreateStage.new(board_id, "Mine")
    await started.store.submit(stage)
    await started.store.submit(CreateTask.new(board_id, stage.stage_id, "First"))
    await started.restart()
    view = started.store.board(board_id)
    assert view is not None
    assert [task.title for task in view.in_stage(stage.stage_id)] == ["First"]
    await started.store.open_board(board_id)
    started.remote.trouble = lambda _: None
    started.store.connect(started.remote)
    await started.delivered()
    made = service.boards()["Second"]
    there = service.stages(made)["Mine"]
    assert service.titles(there) == ["First"]
    view = started.store.board(board_id)
    assert view is not None
    assert view.board.id == made
    assert [task.title for task in view.in_stage(there)] == ["First"]
    assert started.store.last_board_id == made
    assert step_of(await started.store.undo(board_id, force=True)) == "Add “First”"


async def test_a_board_made_offline_is_polled_once_it_is_there_unless_it_was_closed(
    started: Party,
) -> None:
    started.remote.trouble = lambda _: Fault.UNREACHABLE
    made_here = CreateBoard.new("Second")
    await started.store.submit(made_here)
    await started.store.open_board(made_here.board_id)
    await started.store.close_board()
    started.remote.trouble = lambda _: None
    await started.store.refresh()
    await started.delivered()
    made = started.store.last_board_id
    assert made is not None
    assert made > 0
    assert started.store._parts.poller._opened is None
    await started.store.open_board(made_here.board_id)
    assert started.store._parts.poller._opened == made


async def test_several_boards_are_delivered_side_by_side(started: Party, service: Service) -> None:
    other = await new_board(started.store, "Second")
    view = started.store.board(other)
    assert view is not None
    made = [CreateTask.new(other, view.stages[0].id, "There"), CreateTask.new(BOARD, OPEN, "Here")]
    await started.store.submit(*made)
    await started.delivered()
    assert service.titles(OPEN)[-1] == "Here"
    assert service.titles(view.stages[0].id) == ["There"]


async def test_an_odd_task_does_not_cost_the_board(started: Party, service: Service) -> None:
    odd: dict[str, dict[str, object]] = {
        "Zeta": {"title": "\x1b]0;evil\x07Zeta\x1b[2J"},
        "Odd": {"settings": 7, "labels": [{"id": None}, 5], "due_at": "soon"},
        "Odder": {"priority": ["urgent"], "assignees": "nobody", "created_at": "yesterday"},
    }

    def oddly(task: Document) -> Document:
        given = odd.get(task["title"], {})
        said = decode(Task, {"id": 1, **given})
        return task | {name: said[name] for name in given if name in said}

    def told(news: BoardChanges) -> BoardChanges:
        return replace(news, tasks=[oddly(task) for task in news.tasks])

    started.remote.retold["changes_since"] = told
    for title in odd:
        service.add(title, OPEN)
    await started.store.refresh(BOARD)
    assert sorted(started.titles(OPEN)) == ["Alpha", "Beta", "Gamma", "Odd", "Odder", "Zeta"]


async def test_what_a_person_sees_is_not_moved_by_a_frozen_view(started: Party) -> None:
    before = started.view
    await started.store.submit(set_title(started.task("Alpha"), "Omega"))
    assert [task.title for task in before.in_stage(OPEN)] == ["Alpha", "Beta", "Gamma"]
    assert replace(before) == before


async def test_waiting_changes_are_listed_oldest_first(started: Party) -> None:
    started.remote.trouble = lambda _: Fault.UNREACHABLE
    await started.store.submit(set_title(started.task("Alpha"), "One"))
    await started.store.submit(set_title(started.task("Beta"), "Two"))
    waiting = started.store.pending(BOARD)
    assert [one.operation.describe() for one in waiting] == [
        "Rename “Alpha” to “One”",
        "Rename “Beta” to “Two”",
    ]
    assert started.store.pending(99) == ()
    assert all(one.state is not PendingState.REFUSED for one in waiting)


async def test_what_was_made_is_known_before_and_after_the_service_has_it(started: Party) -> None:
    made = CreateTask.new(BOARD, OPEN, "New")
    assert not started.store.has_local_id(made.task_id)
    started.remote.fail_next("create_task", Fault.UNREACHABLE)
    await started.store.submit(made)
    assert started.store.has_local_id(made.task_id)
    await started.delivered()
    assert started.store.has_local_id(made.task_id)
