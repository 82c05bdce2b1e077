"""Hearing of what others did: how often the service is asked, and what is told."""

from datetime import timedelta

from tests.store.fake_remote import BOARD, DOING, OPEN, FakeService, Fault
from tests.store.party import Party, until
from tui.store.operations import SetTitle
from tui.store.protocol import BoardChanged, BoardsChanged, StatusChanged


async def pass_time(party: Party, seconds: float) -> None:
    """Let time pass, with everything that happens in it."""
    end = party.clock.now() + timedelta(seconds=seconds)
    await party.until(lambda: party.clock.now() >= end and not party.store.status(BOARD).busy)


async def test_what_others_did_is_drawn(started: Party, service: FakeService) -> None:
    started.events.clear()
    service.add("Theirs", DOING)
    await started.until(lambda: "Theirs" in started.titles(DOING))
    assert BoardChanged(BOARD) in started.events
    service.delete(started.task("Theirs").id)
    await started.until(lambda: "Theirs" not in started.titles(DOING))


async def test_nothing_is_told_when_nothing_differs(started: Party) -> None:
    await pass_time(started, 30)
    started.events.clear()
    await pass_time(started, 120)
    assert BoardChanged(BOARD) not in started.events
    assert BoardsChanged() not in started.events
    assert StatusChanged(BOARD) in started.events


async def test_the_whole_board_is_fetched_rarely_while_nothing_changes(started: Party) -> None:
    started.remote.calls.clear()
    await pass_time(started, 290)
    assert started.remote.calls.count("has_changed") >= 20
    assert started.remote.calls.count("tasks") <= 1


async def test_a_service_that_cannot_tell_is_asked_for_the_whole(
    started: Party, service: FakeService
) -> None:
    started.remote.tells_changes = False
    await started.store.refresh(BOARD)
    service.add("Theirs", DOING)
    await started.until(lambda: "Theirs" in started.titles(DOING))


async def test_a_question_that_is_refused_means_the_whole(
    started: Party, service: FakeService
) -> None:
    started.remote.trouble = lambda name: Fault.REFUSED if name == "has_changed" else None
    service.add("Theirs", DOING)
    await started.until(lambda: "Theirs" in started.titles(DOING))
    assert started.store.status(BOARD).problem == ""


async def test_a_board_left_alone_is_asked_for_less_often(started: Party) -> None:
    await pass_time(started, 700)
    started.remote.calls.clear()
    await pass_time(started, 600)
    assert started.remote.calls.count("has_changed") <= 11
    await started.store.submit(SetTitle.on(started.task("Alpha"), "Omega"))
    await pass_time(started, 70)
    started.remote.calls.clear()
    await pass_time(started, 100)
    assert started.remote.calls.count("has_changed") >= 8


async def test_a_problem_is_told_and_asked_about_less_and_less(started: Party) -> None:
    started.remote.trouble = lambda _: Fault.UNREACHABLE
    await started.until(lambda: started.store.status(BOARD).problem)
    assert started.store.status(BOARD).problem == "The service cannot be reached."
    await pass_time(started, 120)
    started.remote.calls.clear()
    await pass_time(started, 600)
    assert len(started.remote.calls) <= 24
    assert started.titles(OPEN) == ["Alpha", "Beta", "Gamma"]
    started.remote.trouble = lambda _: None
    await started.until(lambda: not started.store.status(BOARD).problem)


async def test_an_answer_sends_what_waits_at_once(started: Party, service: FakeService) -> None:
    started.remote.trouble = lambda _: Fault.UNREACHABLE
    await started.store.submit(SetTitle.on(started.task("Alpha"), "Omega"))
    await pass_time(started, 200)
    started.remote.trouble = lambda _: None
    before = started.clock.now()
    await started.store.refresh(BOARD)
    await until(started.store, lambda: not started.store.waiting())
    assert service.titles(OPEN)[0] == "Omega"
    assert started.clock.now() == before


async def test_news_does_not_undo_what_is_on_its_way(started: Party, service: FakeService) -> None:
    started.remote.trouble = lambda name: Fault.UNREACHABLE if name == "set_task" else None
    await started.store.submit(SetTitle.on(started.task("Alpha"), "Omega"))
    service.add("Theirs", OPEN)
    await started.until(lambda: "Theirs" in started.titles(OPEN))
    assert started.titles(OPEN) == ["Omega", "Beta", "Gamma", "Theirs"]


async def test_a_list_older_than_a_reply_does_not_take_it_back(
    started: Party, service: FakeService
) -> None:
    real = started.remote.tasks

    async def slow(board_id: int) -> list[dict[str, object]]:
        stale = await real(board_id)
        await started.store.submit(SetTitle.on(started.task("Alpha"), "Omega"))
        await started.until(lambda: not started.store.waiting())
        return stale

    started.remote.tasks = slow  # type: ignore[method-assign]  # the fake is ours
    await started.store.refresh(BOARD)
    assert service.titles(OPEN)[0] == started.titles(OPEN)[0] == "Omega"


async def test_a_closed_board_is_not_asked_for(started: Party) -> None:
    await started.store.close_board()
    await pass_time(started, 30)
    started.remote.calls.clear()
    await pass_time(started, 300)
    assert set(started.remote.calls) == {"boards"}


async def test_the_list_of_boards_is_kept_fresh(started: Party, service: FakeService) -> None:
    service.boards[2] = {"id": 2, "title": "Theirs", "type": "to-do", "archived_at": None}
    await started.until(lambda: len(started.store.boards()) == 2)
    assert BoardsChanged() in started.events
    del service.boards[2]
    await started.store.refresh()
    assert [board.title for board in started.store.boards()] == ["Relaunch"]


async def test_a_large_board_is_taken_over_whole(started: Party, service: FakeService) -> None:
    for number in range(600):
        service.add(f"Task {number}", DOING)
    await started.store.refresh(BOARD)
    assert started.view.complete
    assert started.view.count(DOING) == 601
    assert started.titles(DOING)[-1] == "Task 599"
