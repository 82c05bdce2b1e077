"""Hearing of what others did: how often the service is asked, and what is told."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from datetime import timedelta
from pathlib import Path
from typing import cast

import pytest

from tests.store.fake_clock import FakeClock
from tests.store.faults import Fault, FaultyRemote
from tests.store.party import Party, rest, until
from tests.store.service import BOARD, DOING, OPEN, Service
from tui.client.documents import BoardChanges, TasksArrived
from tui.store.cache.freshness import Cost
from tui.store.cache.polling_turns import claim
from tui.store.documents.shapes import Document
from tui.store.events import BoardChanged, BoardsChanged, StatusChanged
from tui.store.operations import CreateBoard, set_title
from tui.store.operations.base import ReplyPart
from tui.store.remote import Remote


async def pass_time(party: Party, seconds: float) -> None:
    """Let time pass, with everything that happens in it."""
    end = party.clock.now() + timedelta(seconds=seconds)
    await party.until(lambda: party.clock.now() >= end and not party.store.status(BOARD).busy)


async def let_pass(party: Party, seconds: int) -> None:
    """Let time pass in which maybe nothing happens."""
    for _ in range(seconds // 10):
        party.clock.advance(10)
        await rest()


async def test_who_connects_asks_once(party: Party) -> None:
    await party.store.open_board(BOARD)
    party.store.connect(party.remote)
    await party.until(lambda: party.store.status(BOARD).checked_at)
    for _ in range(20):
        await rest()
    assert party.remote.calls.count("boards") == 1
    assert party.remote.calls.count("changes_since") + party.remote.calls.count("board") <= 1


async def test_a_change_is_drawn_and_sent_though_who_waited_for_it_has_gone(
    started: Party, service: Service
) -> None:
    submitting = asyncio.ensure_future(
        started.store.submit(set_title(started.task("Alpha"), "Omega"))
    )
    await asyncio.sleep(0)  # the disk writes now
    submitting.cancel()
    await started.until(lambda: "Omega" in started.titles(OPEN))
    await started.until(lambda: "Omega" in service.titles(OPEN))


async def test_what_others_did_is_drawn(started: Party, service: Service) -> None:
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


@pytest.mark.long
async def test_the_whole_board_is_fetched_rarely_while_nothing_changes(started: Party) -> None:
    started.remote.calls.clear()
    await pass_time(started, 290)
    assert started.remote.calls.count("changes_since") >= 20
    assert started.remote.calls.count("tasks") <= 1


async def test_a_service_that_cannot_tell_is_asked_for_the_whole(
    started: Party, service: Service
) -> None:
    async def untold(*_: object) -> None:
        """It does not know."""

    started.remote.changes_since = untold
    await started.store.refresh(BOARD)
    service.add("Theirs", DOING)
    await started.until(lambda: "Theirs" in started.titles(DOING))


async def test_a_full_fetch_that_has_to_wait_is_made_as_soon_as_it_may(
    started: Party, service: Service
) -> None:
    async def reset(*_: object) -> BoardChanges:
        return BoardChanges("T", must_reload=True)

    await started.store.refresh(BOARD)
    freshness, now = started.store._core.freshness, started.clock.now()
    await freshness.mark_fetched(BOARD, started.clock.elapsed(), now, "T", Cost(seconds=0.14))
    started.remote.changes_since = reset
    service.add("Theirs", DOING)
    await started.until(lambda: "Theirs" in started.titles(DOING))
    assert 14 <= (started.clock.now() - now).total_seconds() < 18  # of polls every ten


async def test_a_question_that_is_refused_means_the_whole(started: Party, service: Service) -> None:
    started.remote.trouble = lambda name: Fault.REFUSED if name == "changes_since" else None
    service.add("Theirs", DOING)
    await started.until(lambda: "Theirs" in started.titles(DOING))
    assert started.store.status(BOARD).problem == ""


@pytest.mark.long
async def test_a_board_left_alone_is_asked_for_less_often(started: Party) -> None:
    await pass_time(started, 700)
    started.remote.calls.clear()
    await pass_time(started, 600)
    assert started.remote.calls.count("changes_since") <= 11
    await started.store.submit(set_title(started.task("Alpha"), "Omega"))
    await pass_time(started, 70)
    started.remote.calls.clear()
    await pass_time(started, 100)
    assert started.remote.calls.count("changes_since") >= 8


async def test_a_problem_is_told_and_asked_about_less_and_less_when_nobody_is_there(
    started: Party,
) -> None:
    started.remote.trouble = lambda _: Fault.UNREACHABLE
    await started.until(lambda: started.store.status(BOARD).problem)
    assert started.store.status(BOARD).problem == "The service cannot be reached."
    await pass_time(started, 720)
    started.remote.calls.clear()
    await pass_time(started, 600)
    assert len(started.remote.calls) <= 24
    assert started.titles(OPEN) == ["Alpha", "Beta", "Gamma"]
    started.remote.trouble = lambda _: None
    await started.until(lambda: not started.store.status(BOARD).problem)


@pytest.mark.parametrize(
    ("fault", "is_reached"),
    [
        (Fault.UNREACHABLE, False),
        (Fault.REQUEST_LOST, False),
        (Fault.BUSY, False),
        (Fault.PAGE, False),
        (Fault.FAULT_BEFORE, True),
        (Fault.REFUSED, True),
        (Fault.LOCKED_OUT, True),
    ],
)
async def test_a_request_that_fails_at_the_service_does_not_mean_that_it_is_away(
    started: Party, fault: Fault, is_reached: bool
) -> None:
    started.remote.trouble = lambda _: fault
    await started.store.refresh(BOARD)
    status = started.store.status(BOARD)
    assert status.problem
    assert status.is_reached is is_reached


@pytest.mark.parametrize("fault", [Fault.FAULT_BEFORE, Fault.UNREACHABLE])
async def test_whether_the_service_is_reached_is_told_of_changes_too(
    started: Party, fault: Fault
) -> None:
    started.remote.trouble = lambda name: fault if name == "set_task" else None
    await started.store.submit(set_title(started.task("Alpha"), "Omega"))
    await started.until(lambda: started.store.status(BOARD).problem)
    assert started.store.status(BOARD).is_reached is (fault is Fault.FAULT_BEFORE)


@pytest.mark.long
async def test_an_answer_sends_what_waits_at_once(started: Party, service: Service) -> None:
    started.remote.trouble = lambda _: Fault.UNREACHABLE
    await started.store.submit(set_title(started.task("Alpha"), "Omega"))
    await pass_time(started, 200)
    started.remote.trouble = lambda _: None
    before = started.clock.now()
    await started.store.refresh(BOARD)
    await until(started.store, lambda: not started.store.pending())
    assert service.titles(OPEN)[0] == "Omega"
    assert started.clock.now() == before


async def test_news_does_not_undo_what_is_on_its_way(started: Party, service: Service) -> None:
    started.remote.trouble = lambda name: Fault.UNREACHABLE if name == "set_task" else None
    await started.store.submit(set_title(started.task("Alpha"), "Omega"))
    service.add("Theirs", OPEN)
    await started.until(lambda: "Theirs" in started.titles(OPEN))
    assert started.titles(OPEN) == ["Omega", "Beta", "Gamma", "Theirs"]


async def test_a_list_older_than_a_reply_does_not_take_it_back(
    started: Party, service: Service
) -> None:
    real = started.remote.tasks

    async def slow(board_id: int, arrived: TasksArrived | None = None) -> object:
        del arrived
        stale = await real(board_id)
        await started.store.submit(set_title(started.task("Alpha"), "Omega"))
        await started.until(lambda: not started.store.pending())
        return stale

    started.remote.tasks = slow
    await started.store.refresh(BOARD)
    assert service.titles(OPEN)[0] == started.titles(OPEN)[0] == "Omega"


async def test_what_waits_to_be_merged_while_changes_are_compared_is_asked_about_again(
    started: Party, service: Service
) -> None:
    alpha = started.task("Alpha")
    stale = service.task(alpha.id)
    await started.store.submit(set_title(alpha, "Omega"))
    await started.delivered()
    updates = started.store._parts.reloading._updates
    lock = updates.boards.state(BOARD).lock
    await lock.acquire()
    part = ReplyPart("task", alpha.id, stale)
    merging = asyncio.create_task(updates.apply_reply(BOARD, [part]))
    await rest()
    refreshing = asyncio.create_task(started.store.refresh(BOARD, only_changes=True))
    await rest()
    lock.release()
    await asyncio.gather(merging, refreshing)
    await started.store.refresh(BOARD, only_changes=True)
    assert started.titles(OPEN)[0] == "Omega"


async def test_a_closed_board_is_not_asked_for(started: Party) -> None:
    await started.store.close_board()
    await pass_time(started, 30)
    started.remote.calls.clear()
    await pass_time(started, 300)
    assert set(started.remote.calls) == {"boards"}


@pytest.mark.long
async def test_the_list_of_boards_is_kept_fresh(started: Party, service: Service) -> None:
    board = service.add_board("Theirs")
    await started.until(lambda: len(started.store.boards()) == 2)
    assert BoardsChanged() in started.events
    service.ask("DELETE", f"/projects/{board['id']}")
    await started.store.refresh()
    assert [board.title for board in started.store.boards()] == ["Relaunch"]


async def test_news_of_a_board_that_is_not_open_are_asked_for_cheaply(
    started: Party, service: Service
) -> None:
    board_id = service.add_board("Theirs")["id"]
    assert await started.store.load_board(board_id) is None
    await started.store.refresh(board_id, only_changes=True)
    started.remote.calls.clear()
    await started.store.refresh(board_id, only_changes=True)
    assert set(started.remote.calls) == {"changes_since"}
    checked_at = started.store.status(board_id).checked_at

    await started.restart()
    assert started.store.status(board_id).checked_at is None
    assert await started.store.load_board(board_id) is not None
    assert started.store.status(board_id).checked_at == checked_at is not None


async def test_a_large_board_is_taken_over_whole(started: Party, service: Service) -> None:
    service.add_many(600, DOING)
    await started.store.refresh(BOARD)
    assert started.view.complete
    assert started.view.count(DOING) == 601
    assert started.titles(DOING)[-1] == "Task 599"


async def test_nothing_is_asked_while_nobody_can_see_it(started: Party) -> None:
    await pass_time(started, 30)
    started.store.set_visible(is_visible=False)
    await let_pass(started, 20)
    started.remote.calls.clear()
    await let_pass(started, 3600)
    assert started.remote.calls == []


async def test_a_board_is_read_when_it_is_opened_though_nobody_can_see_it(party: Party) -> None:
    """A terminal, or a page of a browser, may be opened in the background."""
    party.store.set_visible(is_visible=False)
    await party.start()
    assert party.titles(DOING)
    party.remote.calls.clear()
    await let_pass(party, 3600)
    assert party.remote.calls == []


async def test_the_boards_are_read_at_the_start_though_nobody_can_see_them(party: Party) -> None:
    party.store.set_visible(is_visible=False)
    party.store.connect(party.remote)
    await party.until(party.store.boards)


async def test_it_is_asked_at_once_when_it_can_be_seen_again(
    started: Party, service: Service
) -> None:
    await pass_time(started, 30)
    started.store.set_visible(is_visible=False)
    await let_pass(started, 3600)
    service.add("Theirs", DOING)
    before = started.clock.now()
    started.store.set_visible(is_visible=True)
    await until(started.store, lambda: "Theirs" in started.titles(DOING))
    assert started.clock.now() == before


@pytest.mark.parametrize("seconds", [-7200, 7200])
async def test_a_clock_that_is_set_changes_nothing_about_asking(
    started: Party, service: Service, seconds: float
) -> None:
    await pass_time(started, 30)
    started.clock.set(seconds)
    started.remote.calls.clear()
    await pass_time(started, 290)
    assert started.remote.calls.count("changes_since") >= 20
    assert started.remote.calls.count("tasks") <= 1
    service.add("Theirs", DOING)
    await started.until(lambda: "Theirs" in started.titles(DOING))


async def test_a_machine_that_slept_during_a_question_does_not_rest_for_long(
    started: Party, service: Service
) -> None:
    real = started.remote.changes_since

    async def slept(board_id: int, since: str) -> object:
        started.clock.advance(8 * 3600)
        return await real(board_id, since)

    started.remote.changes_since = slept
    await pass_time(started, 60)
    started.remote.changes_since = real
    service.add("Theirs", DOING)
    before = started.clock.elapsed()
    await started.until(lambda: "Theirs" in started.titles(DOING))
    assert started.clock.elapsed() - before <= 600


async def test_the_times_given_back_are_the_services_own(started: Party) -> None:
    told, given = set[str](), list[str]()
    real = started.remote.changes_since

    async def noted(board_id: int, since: str) -> BoardChanges | None:
        given.append(since)
        news: BoardChanges | None = await real(board_id, since)
        assert news is not None
        told.add(news.synced_at)
        return news

    started.remote.changes_since = noted
    started.clock.set(86400)
    await pass_time(started, 30)
    assert len(given) >= 2
    assert set(given[1:]) <= told


@pytest.fixture
async def pair(
    started: Party, tmp_path: Path, service: Service, clock: FakeClock
) -> AsyncIterator[tuple[Party, Party]]:
    """Two programs of one person that look at the same board."""
    other = Party(tmp_path, service, clock)
    await other.start()
    yield started, other
    await other.store.aclose()


async def go_by(parties: Sequence[Party], seconds: int) -> None:
    """Let time pass, a second at a time, with everything that happens in it."""
    for second in range(seconds + 1):
        parties[0].clock.advance(1 if second else 0)
        await rest()


async def test_of_two_programs_that_look_at_a_board_one_asks(pair: tuple[Party, Party]) -> None:
    await go_by(pair, 0)
    for party in pair:
        party.remote.calls.clear()
    await go_by(pair, 100)
    calls = [*pair[0].remote.calls, *pair[1].remote.calls]
    assert 8 <= calls.count("changes_since") <= 12
    assert calls.count("boards") <= 2
    assert calls.count("tasks") <= 1


async def test_what_one_program_heard_the_other_draws(
    pair: tuple[Party, Party], service: Service
) -> None:
    one, other = pair
    service.add("Theirs", DOING)
    await one.store.refresh(BOARD)
    other.remote.trouble = lambda _: Fault.UNREACHABLE
    await other.store._parts.poller.read_other_programs()
    assert "Theirs" in other.titles(DOING)
    service.delete(one.task("Theirs").id)
    service.rename_board("Renamed")
    await one.store.refresh(BOARD)
    await one.store.refresh()
    await other.store._parts.poller.read_other_programs()
    assert "Theirs" not in other.titles(DOING)
    assert [board.title for board in other.store.boards()] == ["Renamed"]
    assert other.view.board.title == "Renamed"
    assert other.store.status(BOARD).checked_at == one.store.status(BOARD).checked_at


@pytest.mark.parametrize(
    ("fault", "is_reached", "words"),
    [
        (Fault.UNREACHABLE, False, "The service cannot be reached."),
        (Fault.REFUSED, True, "The service says no."),
    ],
)
async def test_a_problem_of_one_program_is_told_by_the_other(
    pair: tuple[Party, Party], fault: Fault, is_reached: bool, words: str
) -> None:
    one, other = pair
    one.remote.trouble = lambda _: fault
    await one.store.refresh(BOARD)
    await other.store._parts.poller.read_other_programs()
    status = other.store.status(BOARD)
    assert (status.problem, status.is_reached) == (words, is_reached)
    one.remote.trouble = lambda _: None
    one.clock.advance(1)
    await one.store.refresh(BOARD)
    await other.store._parts.poller.read_other_programs()
    assert other.store.status(BOARD).problem == ""


async def test_what_one_program_sends_goes_out_when_the_other_is_answered_again(
    pair: tuple[Party, Party], service: Service
) -> None:
    one, other = pair
    for party in pair:
        party.remote.trouble = lambda _: Fault.UNREACHABLE
    await one.store.submit(set_title(one.task("Alpha"), "Omega"))
    await other.store.refresh(BOARD)
    await one.store._parts.poller.read_other_programs()
    await one.until(lambda: one.store.pending()[0].attempts >= 4)
    for party in pair:
        party.remote.trouble = lambda _: None
    one.clock.advance(1)
    before = one.clock.now()
    await other.store.refresh(BOARD)
    await one.store._parts.poller.read_other_programs()
    await until(one.store, lambda: not one.store.pending())
    assert service.titles(OPEN)[0] == "Omega"
    assert one.clock.now() == before


async def test_a_program_that_ends_leaves_asking_to_the_other(
    pair: tuple[Party, Party], service: Service
) -> None:
    one, other = pair
    await one.store.refresh(BOARD)
    await one.store.aclose()
    service.add("Theirs", DOING)
    before = other.clock.elapsed()
    await other.until(lambda: "Theirs" in other.titles(DOING))
    assert other.clock.elapsed() - before <= 10


async def test_who_opens_a_board_asks_within_seconds_though_another_was_killed_while_it_asked(
    started: Party, service: Service, clock: FakeClock
) -> None:
    await started.restart()
    clock.advance(1)
    killed, just_now = "killed", timedelta()
    assert claim(started.store._core.cache.connection, BOARD, killed, clock.now(), just_now)
    service.add("Theirs", DOING)
    before = clock.elapsed()
    started.store.connect(started.remote)
    await started.store.open_board(BOARD)
    await started.until(lambda: "Theirs" in started.titles(DOING))
    assert clock.elapsed() - before <= 3


async def test_a_list_older_than_a_reply_to_another_program_does_not_take_it_back(
    pair: tuple[Party, Party], service: Service
) -> None:
    one, other = pair
    real = other.remote.tasks

    async def slow(board_id: int, arrived: TasksArrived | None = None) -> object:
        del arrived
        stale = await real(board_id)
        await one.store.submit(set_title(one.task("Alpha"), "Omega"))
        await one.delivered()
        return stale

    other.remote.tasks = slow
    await other.store.refresh(BOARD)
    assert service.titles(OPEN)[0] == other.titles(OPEN)[0] == one.titles(OPEN)[0] == "Omega"


async def test_a_board_heard_of_without_its_tasks_does_not_count_as_heard_of(
    started: Party, service: Service
) -> None:
    service.add("Theirs", DOING)
    await started.store._parts.reloading.reload_frame(BOARD)
    await pass_time(started, 20)
    assert "Theirs" in started.titles(DOING)


class SlowList(FaultyRemote):
    """Answers what boards there are when it is let, as they were when it was asked."""

    def __init__(self, service: Service) -> None:
        super().__init__(service.remote())
        self.may_answer = asyncio.Event()
        self.was_asked = asyncio.Event()

    async def boards(self) -> list[Document]:
        boards: list[Document] = await self.call("boards")
        self.was_asked.set()
        await self.may_answer.wait()
        return boards


async def test_a_list_of_boards_older_than_a_new_board_does_not_take_it_away(
    party: Party, service: Service
) -> None:
    party.remote = slow = SlowList(service)
    party.store.connect(cast("Remote", slow))
    asking = asyncio.create_task(party.store.refresh())
    await slow.was_asked.wait()
    await party.store.submit(CreateBoard.new("New"))
    await party.delivered()
    slow.may_answer.set()
    await asking
    assert "New" in {board.title for board in party.store.boards()}


async def test_the_list_of_boards_hears_within_seconds_that_the_service_answers_again(
    started: Party,
) -> None:
    started.remote.trouble = lambda _: Fault.PAGE
    await started.store.close_board()
    await started.store.refresh()
    assert started.store.status().problem
    await pass_time(started, 100)
    started.remote.trouble = lambda _: None
    started.clock.advance(5)
    await until(started.store, lambda: not started.store.status().problem)


async def test_a_board_that_the_service_refuses_is_asked_for_less_and_less(
    started: Party,
) -> None:
    started.remote.trouble = lambda name: None if name == "boards" else Fault.REFUSED
    await pass_time(started, 300)
    started.remote.calls.clear()
    await pass_time(started, 300)
    assert started.remote.calls.count("board") <= 8
