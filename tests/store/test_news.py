"""What others did since a board was looked at: marked, named, and forgotten once seen."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.store.fake_clock import FakeClock
from tests.store.faults import Fault
from tests.store.party import Party
from tests.store.service import ANN, BEN, BOARD, DOING, DONE, OPEN, Service
from tui.client.documents import Document
from tui.model.board import Place
from tui.model.events.remote_changes import ChangeKind, RemoteChange, summarize
from tui.model.people import Account
from tui.model.task import Person
from tui.store import operations as change
from tui.store.documents.assemble import Assembler
from tui.store.documents.assemble_detail import DetailAssembler
from tui.store.events import UnseenChanged


def words(party: Party) -> list[str]:
    """The marks of the board, in words."""
    return [one.words for one in party.store.changed_by_others(BOARD).values()]


def heard(party: Party) -> list[str]:
    """What was told as it was heard."""
    events = [event for event in party.events if isinstance(event, UnseenChanged)]
    return [one.words for event in events for one in event.changes]


def without_names(party: Party) -> None:
    """The service tells no activities from now on."""
    party.remote.retold["board_activities"] = lambda _: []


async def test_what_is_there_at_first_is_no_news(started: Party) -> None:
    assert words(started) == []
    assert heard(started) == []


@pytest.mark.parametrize(
    ("change_it", "told"),
    [
        (lambda s, i: s.move(i, DOING, 1), "#1 moved to “Doing”"),
        (lambda s, i: s.move(i, DONE, 1), "#1 moved to “Done”"),
        (lambda s, i: s.set(i, "status", "closed"), "#1 was closed"),
        (lambda s, i: s.set(i, "title", "New"), "#1 was renamed to “New”"),
        (lambda s, i: s.set(i, "priority", "high"), "the priority of #1 is now high"),
        (lambda s, i: s.set(i, "due_at", "2026-12-01 10:00:00"), "#1 is now due Tue 1 Dec 2026"),
        (lambda s, i: s.set(i, "description", "<p>x</p>"), "the description of #1 was updated"),
        (lambda s, i: s.assign(i, [ANN]), "the assignees of #1 were changed"),
        (lambda s, i: s.attach_label(i, s.add_label("bug")["id"]), "the labels of #1 were changed"),
    ],
)
async def test_what_others_change_is_marked(
    started: Party, service: Service, change_it: Any, told: str
) -> None:
    without_names(started)
    change_it(service, started.task("Alpha").id)
    await started.store.refresh(BOARD)
    assert words(started) == [told]
    assert heard(started) == [told]


def test_a_due_date_that_is_gone_is_said_as_such() -> None:
    gone = RemoteChange(4, ChangeKind.DUE)
    assert gone.words == "#4 has no due date any more"
    assert replace(gone, who="Ann").words == "Ann removed the due date of #4"
    assert replace(gone, detail="Fri 27 Nov").words == "#4 is now due Fri 27 Nov"


async def test_cards_that_come_and_go_are_told(started: Party, service: Service) -> None:
    without_names(started)
    gone = started.task("Alpha").id
    service.delete(gone)
    made = service.add("Theirs", DOING)["id"]
    await started.store.refresh(BOARD)
    assert words(started) == [f"Me Myself added #{made} “Theirs”"]
    assert f"#{gone} “Alpha” is no longer here" in heard(started)
    service.delete(made)
    await started.store.refresh(BOARD)
    assert words(started) == []


async def test_moving_one_card_does_not_mark_its_neighbours(
    started: Party, service: Service
) -> None:
    service.move(started.task("Gamma").id, OPEN, 1)
    await started.store.refresh(BOARD)
    assert words(started) == []
    assert started.titles(OPEN) == ["Gamma", "Alpha", "Beta"]


async def test_what_the_person_did_is_no_news(started: Party, service: Service) -> None:
    task = started.task("Alpha")
    await started.store.submit(
        change.set_title(task, "Mine"),
        change.CreateTask.new(BOARD, DOING, "Made"),
        change.MoveTask.on(started.task("Beta"), DONE, started.place("Delta")),
    )
    await started.delivered()
    service.add_comment(task.id, "a comment of mine")
    started.store._parts.remote_changes.record_own(
        change.CreateComment.new(task, "a comment of mine")
    )
    await started.store.refresh(BOARD)
    assert words(started) == []


async def test_what_the_person_did_before_a_fetch_that_failed_is_no_news(
    started: Party, service: Service
) -> None:
    without_names(started)
    task = started.task("Alpha")
    service.add_comment(task.id, "a comment of mine")
    started.store._parts.remote_changes.record_own(
        change.CreateComment.new(task, "a comment of mine")
    )
    started.remote.fail_next("tasks", Fault.UNREACHABLE)
    await started.store.refresh(BOARD)
    await started.store.refresh(BOARD)
    assert words(started) == []


async def test_what_a_program_did_that_has_ended_is_no_news(
    started: Party, service: Service
) -> None:
    """As a command does, which ends as soon as its change is accepted."""
    without_names(started)
    task = started.task("Alpha")
    started.store._parts.remote_changes.record_own(change.CreateComment.new(task, "mine"))
    await started.restart()
    without_names(started)
    service.add_comment(task.id, "mine")
    await started.start()
    await started.store.refresh(BOARD)
    assert words(started) == []
    service.add_comment(task.id, "of somebody", by=ANN)
    await started.store.refresh(BOARD)
    assert words(started) == ["the comments on #1 were changed"]


@pytest.mark.parametrize("has_ended", [False, True])
async def test_what_a_change_of_the_person_entails_is_no_news_unless_somebody_is_named(
    started: Party, service: Service, *, has_ended: bool
) -> None:
    """Services drop labels and assignees of a card that moves, or close it."""
    alpha, beta = started.task("Alpha"), started.task("Beta")
    for task in (alpha, beta):
        move = change.MoveTask.on(task, DOING, Place())
        started.store._parts.remote_changes.record_own(move)
    if has_ended:
        await started.restart()
    service.move(alpha.id, DOING, 1)
    service.set(alpha.id, "status", "closed")
    service.assign(alpha.id, [ANN])
    service.forget_log()
    service.set(beta.id, "title", "Hers", by=ANN)
    if has_ended:
        await started.start()
    await started.store.refresh(BOARD)
    assert words(started) == ["Ann Miller renamed #2 to “Hers”"]


async def test_a_card_that_the_person_moved_to_a_board_is_no_news_there(started: Party) -> None:
    tracker, other = started.store._parts.remote_changes, BOARD + 1
    tracker.record_own(change.MoveTaskToBoard(started.task("Alpha"), other, 9, "Other"))
    assert (tracker.count_own(BOARD), tracker.count_own(other)) == (1, 1)


async def test_a_card_whose_making_was_not_heard_of_is_no_news(
    started: Party, service: Service
) -> None:
    started.remote.fail_next("create_task", Fault.REPLY_LOST)
    await started.store.submit(change.CreateTask.new(BOARD, OPEN, "Mine"))
    await started.until(lambda: "Mine" in service.titles(OPEN))
    await started.store.refresh(BOARD)
    assert words(started) == []
    await started.delivered()
    await started.store.refresh(BOARD)
    assert words(started) == []


async def test_who_did_it_is_asked_once_for_all(started: Party, service: Service) -> None:
    def hostile(activities: list[Document]) -> list[Document]:
        for one in activities:
            one["user"]["display_name"] = "Ann\x1b[31m"
        return activities

    started.remote.retold["board_activities"] = hostile
    for title in ("Alpha", "Beta", "Gamma"):
        service.move(started.task(title).id, DOING, 1, by=ANN)
    started.remote.calls.clear()
    await started.store.refresh(BOARD)
    assert started.remote.calls.count("board_activities") == 1
    assert min(words(started)) == "Ann moved #1 to “Doing”"
    assert summarize(tuple(started.store.changed_by_others(BOARD).values())) == (
        "3 cards were changed by Ann"
    )
    started.remote.calls.clear()
    await started.store.refresh(BOARD)
    assert "board_activities" not in started.remote.calls


@pytest.mark.parametrize("account", [Account("Ben"), Account("ben@people.example", BEN)])
async def test_what_the_person_did_on_another_machine_is_no_news(
    started: Party, service: Service, account: Account
) -> None:
    started.store.set_account(account)
    alpha, beta = started.task("Alpha").id, started.task("Beta").id
    service.set(alpha, "title", "From elsewhere", by=BEN)
    await started.store.refresh(BOARD)
    assert words(started) == []
    service.set(beta, "title", "By both", by=BEN)
    service.set(beta, "priority", "high", by=ANN)
    await started.store.refresh(BOARD)
    assert words(started) == ["Ann Miller set the priority of #2 to high"]


@pytest.mark.parametrize("fault", [Fault.UNREACHABLE, Fault.REFUSED])
async def test_it_is_told_without_a_name_where_none_can_be_had(
    started: Party, service: Service, fault: Fault
) -> None:
    service.set(started.task("Alpha").id, "title", "New")
    started.remote.fail_next("board_activities", fault)
    await started.store.refresh(BOARD)
    assert words(started) == ["#1 was renamed to “New”"]
    assert not started.store.status(BOARD).problem


async def test_marks_stay_until_they_are_looked_at(started: Party, service: Service) -> None:
    alpha, beta = started.task("Alpha").id, started.task("Beta").id
    service.set(alpha, "title", "New")
    service.set(beta, "title", "Newer")
    await started.store.refresh(BOARD)
    await started.restart()
    assert set(started.store.changed_by_others(BOARD)) == {alpha, beta}
    await started.store.mark_seen(BOARD, {alpha})
    assert set(started.store.changed_by_others(BOARD)) == {beta}
    await started.restart()
    assert set(started.store.changed_by_others(BOARD)) == {beta}
    await started.store.mark_seen(BOARD)
    await started.restart()
    assert not started.store.changed_by_others(BOARD)


async def test_what_happened_while_the_program_was_ended_is_marked(
    started: Party, service: Service
) -> None:
    await started.restart()
    without_names(started)
    service.set(started.task("Alpha").id, "title", "New")
    await started.start()
    await started.until(lambda: words(started) == ["#1 was renamed to “New”"])


async def test_another_program_of_the_person_has_the_same_marks(
    tmp_path: Path, service: Service, clock: FakeClock
) -> None:
    first, second = (Party(tmp_path, service, clock, watch_seconds=0.25) for _ in range(2))
    for party in (first, second):
        without_names(party)
        await party.start()
    service.set(first.task("Alpha").id, "title", "New")
    await first.until(lambda: words(first) and words(second))
    assert heard(first) == heard(second) == ["#1 was renamed to “New”"]
    await second.store.mark_seen(BOARD, {1})
    await first.until(lambda: not first.store.changed_by_others(BOARD))
    await second.store.submit(change.set_title(second.task("Beta"), "Mine"))
    await first.until(lambda: "Mine" in service.titles(OPEN) and "Mine" in first.titles(OPEN))
    for party in (first, second):
        await party.store.refresh(BOARD)
        assert words(party) == []
        await party.store.aclose()


def test_odd_activities_are_left_out() -> None:
    made = DetailAssembler(Assembler()).activities
    assert [one.by for one in made([{"id": 1}])] == [None]
    assert made([{"id": "x", "user": {}, "settings": {"task_id": 3}}]) == ()
    (one,) = made([{"id": "4", "user": {"email": "A@B"}, "settings": {"task_id": "3"}}])
    assert (one.id, one.task_id, one.by) == (4, 3, Person(0, ""))
    assert one.is_by(Account("a@b"))


def test_news_in_words() -> None:
    one = RemoteChange(12, ChangeKind.MOVED, "“Review”", "Alice")
    assert one.words == "Alice moved #12 to “Review”"
    assert summarize((one, RemoteChange(13, ChangeKind.CLOSED))) == "2 cards were changed"
    assert all(RemoteChange(1, kind).words.count("#1") == 1 for kind in ChangeKind)


def retold(party: Party, *, name: str, **fields: Any) -> None:
    """The service tells these fields of the task with this title."""

    def with_fields(task: Document) -> Document:
        return task | fields if task["title"] == name else task

    party.remote.retold["tasks"] = lambda tasks: list(map(with_fields, tasks))
    party.remote.retold["changes_since"] = lambda news: replace(
        news, tasks=list(map(with_fields, news.tasks))
    )


async def test_an_activity_that_tells_only_the_id_of_a_person_names_them(
    started: Party, service: Service
) -> None:
    def without_user(activities: list[Document]) -> list[Document]:
        return [{**one, "user": None, "created_by": str(one["created_by"])} for one in activities]

    started.remote.retold["board_activities"] = without_user
    service.set(started.task("Alpha").id, "title", "New", by=ANN)
    await started.store.refresh(BOARD)
    assert words(started) == ["Ann Miller renamed #1 to “New”"]


async def test_a_task_that_tells_who_changed_it_names_them(
    started: Party, service: Service
) -> None:
    without_names(started)
    retold(started, name="New", updated_by=str(ANN))
    service.set(started.task("Alpha").id, "title", "New")
    await started.store.refresh(BOARD)
    assert words(started) == ["Ann Miller renamed #1 to “New”"]


async def test_a_new_task_names_who_made_it(started: Party, service: Service) -> None:
    without_names(started)
    retold(started, name="Theirs", created_by=BEN)
    made = service.add("Theirs", DOING)["id"]
    await started.store.refresh(BOARD)
    assert words(started) == [f"Ben Cook added #{made} “Theirs”"]


def test_news_of_several_people_name_them() -> None:
    def news(*people: str) -> str:
        return summarize(
            tuple(RemoteChange(n, ChangeKind.CLOSED, who=who) for n, who in enumerate(people))
        )

    assert news("Ann", "Ann") == "2 cards were changed by Ann"
    assert news("Ann", "Ben", "Ann") == "3 cards were changed by Ann and Ben"
    assert news("Ann", "Ben", "Cy") == "3 cards were changed by Ann, Ben and Cy"
    assert news("Ann", "Ben", "Cy", "Di") == "4 cards were changed by Ann, Ben and others"
    assert news("Ann", "") == "2 cards were changed"
