"""The inbox of a real store: found from what is polled anyway, once, also over a restart."""

import asyncio
from collections.abc import AsyncIterator
from datetime import datetime
from pathlib import Path

import pytest

from tests.store.fake_clock import FakeClock
from tests.store.party import Party, rest
from tests.store.service import ANN, BOARD, ME, Service
from tui.config.inbox_file import InboxFile
from tui.model.people import Account
from tui.model.task import BLOCKED
from tui.notifications.inbox_reader import InboxKeeper, look
from tui.store.clock import end_all


@pytest.fixture
async def started(tmp_path: Path, service: Service, clock: FakeClock) -> AsyncIterator[Party]:
    """The user, who looks at the board."""
    party = Party(tmp_path, service, clock)
    party.store.set_account(Account("me", ME))
    await party.start()
    yield party
    await party.store.aclose()


def wall(party: Party) -> datetime:
    return party.clock.now().astimezone().replace(tzinfo=None)


def unread(file: InboxFile) -> list[tuple[str, int, str]]:
    return sorted((one.kind.value, one.task_id, one.who) for one in file.read().unread)


async def test_updates_by_others_come_in_by_themselves_and_ask_for_nothing_more(
    started: Party, service: Service, tmp_path: Path
) -> None:
    store, file = started.store, InboxFile(tmp_path / "inbox.json")
    first, second, third, _ = (task.id for task in started.view.all_tasks())
    service.assign(third, [ME])
    await started.until(lambda: any(task.assignees for task in started.view.all_tasks()))
    keeper = InboxKeeper(store, file, lambda: wall(started), clock=started.clock)
    keeping = asyncio.create_task(keeper.run())
    await started.until(lambda: BOARD in file.read().known)
    assert unread(file) == []

    service.set(first, "assignees", [ME], by=ANN)
    service.assign(second, [ME])
    await started.until(lambda: unread(file))
    assert unread(file) == [("assigned", first, "Ann Miller")], "not what was done by me"
    label = service.add_label(BLOCKED)["id"]
    body = {"taskId": third, "labelId": label}
    service.ask("POST", f"/projects/{BOARD}/labels/task", body, who="ann")
    await started.until(lambda: len(unread(file)) > 1)
    assert unread(file)[1][:2] == ("blocked", third)
    fourth = [task.id for task in started.view.all_tasks()][-1]
    service.set(fourth, "title", "Renamed", by=ANN)
    await started.until(lambda: fourth in store.changed_by_others(BOARD))
    clock = started.clock
    for _ in range(30):
        clock.advance(1)
        await rest()
    service.assign(fourth, [ME])
    await started.until(lambda: fourth in file.read().known[BOARD])
    assert len(unread(file)) == 2, "Ann renamed it, and I assigned it to myself"
    await end_all([keeping])

    asked = [*started.remote.calls]
    known = InboxFile(tmp_path / "inbox.json")
    await look(store, known, wall(started))
    assert unread(known) == unread(file), "once, also after a restart"
    assert started.remote.calls == asked


async def test_a_comment_comes_in_with_the_opened_card_and_goes_with_its_thread(
    started: Party, service: Service
) -> None:
    store, file = started.store, InboxFile()
    first = next(iter(started.view.all_tasks())).id
    await look(store, file, wall(started))
    comment = service.add_comment(first, "@me, which one?", by=ANN)["id"]
    await store.open_task(BOARD, first)
    await started.until(lambda: store.unread_comments(first))
    await look(store, file, wall(started))
    assert unread(file) == [("mention", first, "Ann Miller")]
    assert [one.comment_id for one in file.read().unread] == [comment]
    await store.mark_comments_read(first)
    await look(store, file, wall(started))
    assert unread(file) == []
