"""What edits start from, and what of a thread is unread."""

from pathlib import Path

import pytest

from tests.store.fake_clock import FakeClock
from tests.store.faults import Fault
from tests.store.opened_board import Opened
from tests.store.party import Party
from tests.store.service import ANN, BOARD, ME, OPEN, Service
from tui.client.documents import DocumentPage
from tui.model.comment import Comment
from tui.model.people import Account
from tui.store import operations as change
from tui.store.events import DetailChanged
from tui.store.store import LocalStore

_DAY = 24 * 3600.0
HTML = '<p class="x">Call&nbsp;<b>Ann</b>\x07</p>\r\n'


@pytest.fixture
def store(opened: Opened) -> LocalStore:
    opened.party.store.set_account(Account("Me"))
    return opened.party.store


async def test_a_description_is_edited_as_it_is_stored(
    opened: Opened, store: LocalStore, service: Service
) -> None:
    task, subtask = opened.things.task, opened.things.subtasks[0]
    stored = {"id": task, "description": HTML}
    opened.party.remote.retold["task"] = lambda document: (
        document | stored if document["id"] == task else document
    )
    service.set(subtask, "description", "<p>Below</p>")
    await store.refresh_task(task)
    assert await store.description_source(task) == HTML
    assert await store.description_source(subtask) == "<p>Below</p>"
    assert await store.description_source(opened.things.other) == ""
    opened.party.remote.trouble = lambda _: Fault.UNREACHABLE
    await store.submit(change.set_description(opened.task, "<p>Mine\x07</p>"))
    await store.submit(change.set_description(opened.subtask(0), "<p>Too</p>"))
    assert await store.description_source(task) == "<p>Mine\x07</p>"
    assert await store.description_source(subtask) == "<p>Too</p>"


async def test_that_of_a_task_the_service_does_not_have_is_there_as_well(
    opened: Opened, store: LocalStore, service: Service
) -> None:
    service.set(opened.things.task, "description", "<p>Copy me</p>")
    await store.refresh_task(opened.things.task)
    opened.party.remote.trouble = lambda _: Fault.UNREACHABLE
    copy = change.CloneTask.of(opened.task)
    new = change.CreateTask.new(BOARD, OPEN, "New")
    await store.submit(copy, new)
    drawn = opened.party.view.task(copy.task_id)
    assert drawn is not None
    assert await store.description_source(copy.task_id) == drawn.description
    assert await store.description_source(new.task_id) == ""
    opened.party.remote.trouble = lambda _: None
    await store.refresh(BOARD)
    await opened.party.delivered()
    assert await store.description_source(new.task_id) == ""


async def test_a_comment_is_edited_as_it_was_typed(
    opened: Opened, store: LocalStore, service: Service
) -> None:
    task = opened.things.task
    typed = service.add_comment(task, "@ann <look> &", by=ME)["id"]

    def as_typed(page: DocumentPage) -> DocumentPage:
        raw = {"raw_description": "@\u200bann\u200c <look> &\x07"}
        for comment in page.documents:
            if comment["id"] == typed:
                comment["settings"] |= raw
        return page

    opened.party.remote.retold["comments"] = as_typed
    await store.refresh_task(task)
    assert await store.comment_source(task, typed) == "@ann <look> &\x07"
    opened.party.remote.trouble = lambda _: Fault.UNREACHABLE
    await store.submit(change.EditComment.on(opened.task, opened.comment(typed), "Other"))
    new = change.CreateComment.new(opened.task, "New")
    await store.submit(new)
    assert await store.comment_source(task, typed) == "Other"
    assert await store.comment_source(task, new.comment_id) == "New"
    assert await store.comment_source(task, 12345) == ""


async def test_what_others_say_after_one_looked_is_unread(
    opened: Opened, store: LocalStore, service: Service, clock: FakeClock
) -> None:
    task, told = opened.things.task, opened.party.events
    assert store.unread_comments(task) == {opened.things.foreign}
    told.clear()
    await store.mark_comments_read(task)
    assert store.unread_comments(task) == frozenset()
    assert DetailChanged(BOARD, task) in told
    clock.set(3 * _DAY)
    reply = service.add_comment(task, "Late", by=ANN, parent_id=opened.things.own)["id"]
    own = service.add_comment(task, "Mine", by=ME)["id"]
    await store.refresh_task(task)
    assert store.unread_comments(task) == {reply} != {own}
    assert store.unread_comments(opened.things.other) == frozenset()


async def test_own_replies_are_read_where_nobody_carries_a_login_name(
    opened: Opened, service: Service
) -> None:
    task, store = opened.things.task, opened.party.store
    reply = service.add_comment(task, "Mine", by=ME, parent_id=opened.things.own)["id"]

    def nameless(page: DocumentPage) -> DocumentPage:
        for comment in page.documents:
            for one in (comment, *comment["replies"]):
                one["user"] = {**one["user"], "user_login": ""}
        return page

    opened.party.remote.retold["comments"] = nameless
    await store.refresh_task(task)
    assert reply in store.unread_comments(task)
    opened.party.events.clear()
    store.set_account(Account("me@people.example", ME))
    assert store.unread_comments(task) == {opened.things.foreign}
    assert DetailChanged(BOARD, task) in opened.party.events


async def test_an_old_thread_counts_as_read_until_somebody_writes(
    tmp_path: Path, service: Service, clock: FakeClock
) -> None:
    task, empty = service.lane(OPEN)[0]["id"], service.lane(OPEN)[1]["id"]
    clock.set(-2 * _DAY)
    service.add_comment(task, "Old", by=ANN)
    clock.set(2 * _DAY)
    party = Party(tmp_path, service, clock)
    await party.start()
    for one in (task, empty):
        await party.store.open_task(BOARD, one)
        await party.until(lambda: _comments(party, one) is not None)  # noqa: B023  awaited here
        assert party.store.unread_comments(one) == frozenset()
        await party.store.mark_comments_read(one)
    clock.set(9 * _DAY)
    new = [service.add_comment(one, "New", by=ANN)["id"] for one in (task, empty)]
    await party.restart()
    party.store.connect(party.remote)
    await party.store.open_board(BOARD)
    for one, unread in zip((task, empty), new, strict=True):
        await party.store.open_task(BOARD, one)
        await party.until(lambda: party.store.unread_comments(one) == {unread})  # noqa: B023  awaited here
    await party.store.aclose()


def _comments(party: Party, task: int) -> tuple[Comment, ...] | None:
    detail = party.store.detail(task)
    return None if detail is None else detail.comments


async def test_what_was_read_with_one_program_is_read_in_the_other(
    tmp_path: Path, service: Service, clock: FakeClock
) -> None:
    task = service.lane(OPEN)[0]["id"]
    service.add_comment(task, "New", by=ANN)
    one, other = (Party(tmp_path, service, clock, 0.25) for _ in range(2))
    for party in (one, other):
        await party.start()
        await party.store.open_task(BOARD, task)
        await party.until(lambda: party.store.unread_comments(task))  # noqa: B023  awaited here
    await one.store.mark_comments_read(task)
    await other.until(lambda: not other.store.unread_comments(task))
    for party in (one, other):
        await party.store.aclose()
