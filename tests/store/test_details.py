"""Opened tasks: what is known at once, what is asked for, and what others do meanwhile."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from tests.store.fake_clock import FakeClock
from tests.store.faults import Fault
from tests.store.opened_board import Opened
from tests.store.party import Party
from tests.store.service import ANN, BOARD, DONE, OPEN, Service
from tui.client.documents import DocumentPage
from tui.client.errors import NotOffered
from tui.errors import CallboardError
from tui.model.board import Place
from tui.model.detail import DetailPart
from tui.model.task import Status
from tui.store import operations as change
from tui.store.events import DetailChanged
from tui.store.reading import iter_comments


@pytest.fixture
def service(service: Service) -> Service:
    """Its pages are short."""
    service.page_size = 3
    return service


async def test_everything_around_a_task_is_there(opened: Opened) -> None:
    detail = opened.detail
    assert opened.titles(0) == ["X", "Y", "Z"]
    assert opened.titles(1) == []
    assert opened.said() == ["Well said", "First\nSecond\nThird"]
    (reply,) = opened.comment(opened.things.foreign).replies
    assert (reply.text, reply.author and reply.author.name) == ("Indeed", "Me Myself")
    assert [value.in_words for value in detail.values or ()] == ["ACME"]
    assert detail.progress == (0, 3)
    assert detail.activities is None
    assert detail.all_comments


async def test_it_is_there_without_a_connection_next_time(opened: Opened) -> None:
    party = opened.party
    await party.restart()
    await party.store.open_board(BOARD)
    await party.store.open_task(BOARD, opened.things.task)
    assert opened.titles(0) == ["X", "Y", "Z"]
    assert opened.said() == ["Well said", "First\nSecond\nThird"]


async def test_the_comments_on_all_cards_are_there_with_what_was_written_offline(
    opened: Opened,
) -> None:
    party, task_id = opened.party, opened.things.task
    await party.restart()
    store = party.store
    view = await store.load_board(BOARD)
    assert view is not None
    task = next(one for one in view.all_tasks() if one.id == task_id)
    other = next(one for one in view.all_tasks() if one.id != task_id)
    cached = (await store.comments(BOARD))[task_id]
    assert [one.text for one in cached] == ["Well said", "First\nSecond\nThird"]
    assert [reply.text for one in cached for reply in one.replies] == ["Indeed"]
    await store.submit(change.CreateComment.new(task, "Offline", to=cached[0]))
    await store.submit(change.CreateComment.new(other, "Begun"))
    threads = await store.comments(BOARD)
    assert [reply.text for reply in threads[task_id][0].replies] == ["Indeed", "Offline"]
    assert [one.text for one in threads[other.id]] == ["Begun"]


async def test_a_cache_that_was_deleted_knows_the_task_again_once_it_was_asked_for(
    opened: Opened,
) -> None:
    party = opened.party
    cache = party.store._core.cache
    path = party.folder / "cache" / "default" / "cache.sqlite3"
    for file in path.parent.glob("cache.sqlite3*"):
        file.unlink()
    await party.store._core.disk.run(cache.switch_to, path, party.clock.now())
    await party.store.refresh_task(opened.things.task)
    await party.restart()
    await party.store.open_task(BOARD, opened.things.task)
    assert opened.titles(0) == ["X", "Y", "Z"]
    assert opened.said() == ["Well said", "First\nSecond\nThird"]


async def test_an_answer_that_says_nothing_new_changes_nothing(opened: Opened) -> None:
    await opened.party.store.refresh_task(opened.things.task)  # after the one of opening it
    before = opened.detail
    opened.party.events.clear()
    await opened.party.store.refresh_task(opened.things.task)
    assert opened.detail is before
    assert not [one for one in opened.party.events if isinstance(one, DetailChanged)]


async def test_a_task_that_is_being_fetched_is_not_fetched_again(opened: Opened) -> None:
    store, calls = opened.party.store, opened.party.remote.calls
    await store.refresh_task(opened.things.task)
    calls.clear()
    await store.open_task(BOARD, opened.things.other)
    await store.refresh_task(opened.things.other)
    detail = store.detail(opened.things.other)
    assert detail is not None
    assert None not in (detail.groups, detail.comments, detail.values)
    assert calls.count("task") == 1
    await store.refresh_task(opened.things.other)
    assert calls.count("task") == 2


async def test_what_is_not_known_is_not_empty(opened: Opened) -> None:
    await opened.party.restart()
    await opened.party.store.open_board(BOARD)
    await opened.party.store.open_task(BOARD, opened.things.other)
    detail = opened.party.store.detail(opened.things.other)
    assert detail is not None
    assert (detail.groups, detail.comments, detail.values) == (None, None, None)
    assert detail.task.title == "Beta"


async def test_what_is_not_offered_says_why_and_is_remembered(
    tmp_path: Path, service: Service, clock: FakeClock
) -> None:
    party = Party(tmp_path, service, clock)

    def not_offered(what: str) -> Callable[..., Awaitable[None]]:
        async def call(*_: object) -> None:
            raise NotOffered(f"This service’s edition does not offer {what}.", status=404)

        return call

    party.remote.subtask_groups = not_offered("subtasks")
    party.remote.field_values = not_offered("custom fields")
    task = service.lane(OPEN)[0]["id"]
    service.add_comment(task, "Hello")
    await party.start()
    await party.store.open_task(BOARD, task)
    await party.until(lambda: DetailPart.VALUES in party.store.detail(task).why)  # type: ignore[union-attr]  # it is opened
    await party.restart()
    await party.store.open_board(BOARD)
    await party.store.open_task(BOARD, task)
    detail = party.store.detail(task)
    assert detail is not None
    assert detail.groups is None
    assert detail.why == {
        DetailPart.SUBTASKS: "This service’s edition does not offer subtasks.",
        DetailPart.VALUES: "This service’s edition does not offer custom fields.",
    }
    assert [comment.text for comment in detail.comments or ()] == ["Hello"]
    await party.store.aclose()


async def test_older_comments_come_page_by_page(opened: Opened, service: Service) -> None:
    for number in range(6):
        service.add_comment(opened.things.other, f"Comment {number}")
    party, task = opened.party, opened.things.other
    await party.store.open_task(BOARD, task)

    def said() -> list[str]:
        detail = party.store.detail(task)
        return [comment.text for comment in (detail.comments if detail else None) or ()]

    await party.until(lambda: len(said()) == 3)
    assert said()[0] == "Comment 5"
    await party.store.older_comments(task)
    assert said() == [f"Comment {number}" for number in (5, 4, 3, 2, 1, 0)]
    detail = party.store.detail(task)
    assert detail is not None
    assert detail.all_comments


async def test_older_comments_are_found_after_newer_ones_came_and_went(
    opened: Opened, service: Service
) -> None:
    party, task = opened.party, opened.things.other
    old = [service.add_comment(task, f"Comment {number}")["id"] for number in range(7)]
    await party.store.open_task(BOARD, task)
    await party.until(lambda: _known(party, task) == old[:3:-1])
    service.remove_comment(old[5])
    await party.store.refresh_task(task)
    assert _known(party, task) == [old[6], old[4], old[3]]
    newest = service.add_comment(task, "News")["id"]
    await party.store.refresh_task(task)
    for _ in range(3):
        await party.store.older_comments(task)
    assert _known(party, task) == [newest, old[6], *old[4::-1]]


def _known(party: Party, task: int) -> list[int]:
    detail = party.store.detail(task)
    return [comment.id for comment in (detail.comments if detail else None) or ()]


async def test_what_happens_on_older_pages_is_heard(opened: Opened, service: Service) -> None:
    party, task = opened.party, opened.things.other
    ids = [service.add_comment(task, f"Comment {number}")["id"] for number in range(10)]
    await party.store.open_task(BOARD, task)
    await party.until(lambda: _known(party, task) == ids[:6:-1])
    for _ in range(2):
        await party.store.older_comments(task)
    assert _known(party, task) == ids[:0:-1]
    service.add_comment(task, "Late answer", by=ANN, parent_id=ids[2])
    service.edit_comment(task, ids[4], "Said otherwise")
    service.remove_comment(ids[3])
    party.remote.calls.clear()
    await party.store.refresh_task(task)
    detail = party.store.detail(task)
    assert detail is not None
    answered, edited = detail.comment(ids[2]), detail.comment(ids[4])
    assert answered is not None
    assert edited is not None
    assert [reply.text for reply in answered.replies] == ["Late answer"]
    assert edited.text == "Said otherwise"
    assert _known(party, task)[:8] == [*ids[:4:-1], ids[4], *ids[2:0:-1]]
    assert party.remote.calls.count("comments") == 3
    for old in service.comments(task):
        if old["id"] <= ids[5] and old["parent_id"] is None:
            service.remove_comment(old["id"])
    await party.store.refresh_task(task)
    assert _known(party, task) == ids[:5:-1]


async def test_a_service_that_repeats_a_page_for_ever_is_asked_a_few_times(
    opened: Opened, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    party, task = opened.party, opened.things.other
    ids = [service.add_comment(task, f"Comment {number}")["id"] for number in range(5)]
    await party.store.open_task(BOARD, task)
    await party.until(lambda: _known(party, task) == ids[:1:-1])
    comments = party.remote.comments

    async def repeated(board_id: int, task_id: int, page: int = 1) -> DocumentPage:
        del page
        first: DocumentPage = await comments(board_id, task_id, 1)
        return first._replace(is_last=False)

    monkeypatch.setattr(party.remote, "comments", repeated)
    party.remote.calls.clear()
    await party.store.older_comments(task)
    assert party.remote.calls.count("comments") == 10
    assert _known(party, task) == ids[:1:-1]
    party.remote.calls.clear()
    listed = [row["id"] async for row in iter_comments(party.remote, BOARD, task)]
    assert listed == ids[:1:-1]
    assert party.remote.calls.count("comments") == 2


async def test_a_page_that_cannot_be_read_again_stays(opened: Opened, service: Service) -> None:
    party, task = opened.party, opened.things.other
    ids = [service.add_comment(task, f"Comment {number}")["id"] for number in range(5)]
    await party.store.open_task(BOARD, task)
    await party.until(lambda: _known(party, task) == ids[:1:-1])
    await party.store.older_comments(task)
    party.remote.calls.clear()
    party.remote.trouble = lambda _: (
        Fault.UNREACHABLE if party.remote.calls.count("comments") == 2 else None
    )
    service.remove_comment(ids[0])
    await party.store.refresh_task(task)
    assert _known(party, task) == ids[::-1]
    party.remote.trouble = lambda _: None
    await party.store.refresh_task(task)
    assert _known(party, task) == ids[:0:-1]


async def test_comments_with_a_gap_to_those_known_are_begun_anew(
    opened: Opened, service: Service
) -> None:
    party, task = opened.party, opened.things.task
    new = [service.add_comment(task, f"News {number}")["id"] for number in range(4)]
    await party.store.refresh_task(task)
    assert _known(party, task) == new[:0:-1]
    assert not opened.detail.all_comments
    await party.store.older_comments(task)
    assert _known(party, task)[:4] == new[::-1]


async def test_what_others_did_is_asked_for_when_the_card_tells_of_it(
    opened: Opened, service: Service
) -> None:
    service.add_comment(opened.things.task, "News", by=ANN)
    await opened.party.store.refresh(BOARD)
    await opened.party.until(lambda: opened.said()[0] == "News")
    told = [event for event in opened.party.events if isinstance(event, DetailChanged)]
    assert {event.task_id for event in told} == {opened.things.task}


async def test_own_changes_are_not_asked_for_again(opened: Opened) -> None:
    opened.party.remote.calls.clear()
    await opened.party.store.submit(change.CreateComment.new(opened.task, "Mine"))
    await opened.party.delivered()
    assert "subtask_groups" not in opened.party.remote.calls
    assert opened.said()[0] == "Mine"


async def test_a_comment_is_never_drawn_twice(opened: Opened) -> None:
    party = opened.party
    seen: list[int] = []
    await party.store.submit(change.CreateComment.new(opened.task, "Mine"))
    party.store.subscribe(lambda _: seen.append(opened.said().count("Mine")))
    await party.delivered()
    await party.store.refresh_task(opened.things.task)
    assert set(seen) == {1}


async def test_pending_changes_are_marked(opened: Opened) -> None:
    opened.party.remote.trouble = lambda _: Fault.UNREACHABLE
    comment = change.CreateComment.new(opened.task, "Mine")
    await opened.party.store.submit(comment)
    assert opened.detail.pending == {("comment", comment.comment_id)}
    await opened.party.store.submit(change.set_title(opened.subtask(0), "X!"))
    assert opened.detail.pending_of("comment") == {comment.comment_id}
    assert opened.detail.pending_of("task") == {opened.things.subtasks[0]}
    assert opened.detail.pending_of("subtask_group") == frozenset()
    moved = opened.subtask(2), opened.subtask(1)
    await opened.party.store.submit(change.MoveSubtasks.on(opened.detail, moved, opened.group(1)))
    assert opened.detail.pending_of("task") == frozenset(opened.things.subtasks)


async def test_what_happens_to_the_card_shows(opened: Opened) -> None:
    opened.party.remote.trouble = lambda _: Fault.UNREACHABLE
    await opened.party.store.submit(change.MoveTask.on(opened.task, DONE, Place()))
    label = opened.label(opened.things.label)
    await opened.party.store.submit(change.edit_label(BOARD, label, title="BUG"))
    assert (opened.task.stage_id, opened.task.status) == (DONE, Status.CLOSED)
    assert [one.title for one in opened.task.labels] == ["BUG"]


async def test_a_task_that_was_read_before_a_change_was_accepted_is_not_merged_after_it(
    opened: Opened,
) -> None:
    party, answer = opened.party, asyncio.Event()
    party.remote.held["task"] = answer
    refreshing = asyncio.create_task(party.store.refresh_task(opened.task.id))
    await party.until(lambda: "task" not in party.remote.held)
    await party.store.submit(change.set_title(opened.task, "Omega"))
    await party.until(lambda: not party.store.pending())
    answer.set()
    await refreshing
    assert opened.task.title == "Omega"


@pytest.mark.parametrize("made", ["renamed", "deleted"])
async def test_a_task_that_was_read_before_its_label_changed_does_not_take_the_label_back(
    opened: Opened, made: str
) -> None:
    party, answer = opened.party, asyncio.Event()
    label = opened.label(opened.things.label)
    party.remote.held["task"] = answer
    refreshing = asyncio.create_task(party.store.refresh_task(opened.task.id))
    await party.until(lambda: "task" not in party.remote.held)
    if made == "renamed":
        await party.store.submit(change.edit_label(BOARD, label, title="BUG"))
    else:
        await party.store.submit(change.DeleteLabel.on(party.view, label))
    await party.until(lambda: not party.store.pending())
    labels = opened.task.labels
    answer.set()
    await refreshing
    assert opened.task.labels == labels
    assert party.task("Alpha").labels == labels


async def test_activities_come_when_asked_for(opened: Opened, service: Service) -> None:
    everything = service.activities(opened.things.task)
    assert len(everything) > 6
    for expected in (3, 6):
        await opened.party.store.older_activities(opened.things.task)
        assert [one.id for one in opened.detail.activities or ()] == everything[:expected]
        assert not opened.detail.all_activities
    while not opened.detail.all_activities:
        await opened.party.store.older_activities(opened.things.task)
    assert [one.id for one in opened.detail.activities or ()] == everything


async def test_older_comments_say_when_there_is_no_connection(
    opened: Opened, service: Service
) -> None:
    opened.party.remote.trouble = lambda _: Fault.UNREACHABLE
    for number in range(4):
        service.add_comment(opened.things.task, f"Comment {number}")
    opened.party.remote.trouble = lambda _: None
    await opened.party.store.refresh_task(opened.things.task)
    opened.party.remote.trouble = lambda _: Fault.UNREACHABLE
    with pytest.raises(CallboardError, match="cannot be reached"):
        await opened.party.store.older_comments(opened.things.task)


async def test_an_unreachable_service_leaves_what_is_known(opened: Opened) -> None:
    opened.party.remote.trouble = lambda _: Fault.UNREACHABLE
    before = opened.detail
    await opened.party.store.refresh_task(opened.things.task)
    assert opened.detail == before
    assert opened.party.store.status(BOARD).problem


@pytest.mark.long
async def test_what_could_not_be_read_is_not_said_to_be_missing(opened: Opened) -> None:
    party = opened.party
    party.remote.trouble = lambda _: Fault.UNREACHABLE
    beta = party.task("Beta").id
    await party.store.open_task(BOARD, beta)
    await party.until(lambda: (detail := party.store.detail(beta)) and detail.why)
    detail = party.store.detail(beta)
    assert detail is not None
    assert set(detail.why) == detail.unread == {DetailPart.COMMENTS, DetailPart.SUBTASKS}
    await party.store.submit(change.CreateComment.new(party.task("Beta"), "Written offline"))
    party.remote.trouble = lambda _: None
    await party.store.refresh(BOARD)
    await party.store.refresh_task(beta)
    await party.delivered()
    detail = party.store.detail(beta)
    assert detail is not None
    assert (detail.why, detail.unread) == ({}, frozenset())
    assert [comment.text for comment in detail.comments or ()] == ["Written offline"]


async def test_a_new_card_can_be_opened_before_the_service_has_it(
    opened: Opened, service: Service
) -> None:
    party = opened.party
    party.remote.trouble = lambda _: Fault.UNREACHABLE
    new = change.CreateTask.new(BOARD, OPEN, "New")
    await party.store.submit(new)
    await party.store.open_task(BOARD, new.task_id)
    task = party.task("New")
    await party.store.submit(change.CreateComment.new(task, "First"))
    detail = party.store.detail(new.task_id)
    assert detail is not None
    assert [comment.text for comment in detail.comments or ()] == ["First"]
    party.remote.trouble = lambda _: None
    await party.store.refresh(BOARD)
    await party.delivered()
    detail = party.store.detail(new.task_id)
    assert detail is not None
    assert detail.task.id == party.task("New").id > 0
    assert service.said(detail.task.id) == ["First"]


async def test_subtasks_do_not_lie_on_the_board(opened: Opened) -> None:
    await opened.party.store.submit(
        change.CreateSubtask.new(opened.task, opened.group(0), "W"),
        change.set_title(opened.subtask(0), "X!"),
    )
    await opened.party.delivered()
    await opened.party.store.refresh(BOARD)
    assert opened.party.titles(OPEN) == ["Alpha", "Beta", "Gamma"]
    assert opened.titles(0) == ["X!", "Y", "Z", "W"]


async def test_hostile_text_is_clean(opened: Opened, service: Service) -> None:
    text = "\x1b[31mred &#27;[0m &lt;b&gt;"

    def hostile(page: DocumentPage) -> DocumentPage:
        page.documents[0] |= {
            "description": text,
            "settings": {"raw_description": text},
            "images": [{"id": 5, "title": "a\x07b.png", "full_url": "https://x\x1b]0;"}],
        }
        return page

    service.add_group(opened.things.task, "Group")
    opened.party.remote.retold = {
        "comments": hostile,
        "subtask_groups": lambda groups: [one | {"value": "Gr\x9boup"} for one in groups],
        "activities": lambda page: page._replace(
            documents=[{"id": 1, "action": "\x1b[2Jwiped", "user": "x"}]
        ),
    }
    await opened.party.store.refresh_task(opened.things.task)
    await opened.party.store.older_activities(opened.things.task)
    shown = repr(opened.detail)
    assert "\\x1b" not in shown
    assert "\\x9b" not in shown
    assert "\\x07" not in shown
    assert opened.said()[0] == "red [0m <b>"
    assert opened.group(0).title == "Grup"
    assert [one.action for one in opened.detail.activities or ()] == ["wiped"]


async def test_odd_documents_cost_themselves_only(opened: Opened) -> None:
    odd = {"id": 999_999, "parent_id": None, "settings": 5, "created_at": 7, "user": {"ID": "x"}}
    opened.party.remote.retold = {
        "comments": lambda page: page._replace(documents=[odd, *page.documents]),
        "field_values": lambda values: [*values, {"id": 7, "foreign_id": 901, "settings": []}],
        "subtask_groups": lambda groups: [groups[0], groups[1] | {"value": None}],
    }
    await opened.party.store.refresh_task(opened.things.task)
    assert opened.said() == ["", "Well said", "First\nSecond\nThird"]
    assert [value.in_words for value in opened.detail.values or ()] == ["ACME"]
    assert opened.group(1).title == ""


async def test_a_task_that_cannot_be_fetched_says_so_instead_of_loading(started: Party) -> None:
    started.remote.trouble = lambda call: Fault.FAULT_BEFORE if call == "task" else None
    task = started.task("Alpha")
    await started.store.open_task(BOARD, task.id)

    def why() -> list[str]:
        detail = started.store.detail(task.id)
        return [] if detail is None else list(detail.why.values())

    await started.until(lambda: why() == ["not loaded: The service failed."] * 2)
    started.remote.trouble = lambda _: None
    await started.store.refresh_task(task.id)
    assert why() == []
