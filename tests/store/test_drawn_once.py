"""What is made is drawn and counted once, also while the answer to it is outstanding."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, cast

import pytest

from tests.store.faults import Fault, FaultyRemote
from tests.store.opened_board import Opened
from tests.store.party import Party
from tests.store.service import BOARD, DOING, Service
from tui.client.capabilities import Feature
from tui.client.documents import Document
from tui.store.events import PendingState
from tui.store.operations import (
    CloneTask,
    CreateComment,
    CreateSubtask,
    CreateTask,
    DeleteComment,
)
from tui.store.remote import Remote


class Slow:
    """A `Remote` that keeps the answers to one call back until `answers` is set.

    They come as `changed` makes them.
    """

    def __init__(self, remote: FaultyRemote, call: str) -> None:
        self._remote = remote
        self._call = call
        self.answers = asyncio.Event()
        self.arrived = asyncio.Event()
        self.changed: Callable[[Any], Any] = lambda answer: answer

    def offers(self, feature: Feature) -> bool | None:
        return self._remote.offers(feature)

    def __getattr__(self, name: str) -> Callable[..., Awaitable[Any]]:
        method: Callable[..., Awaitable[Any]] = getattr(self._remote, name)

        async def call(*args: Any, **kwargs: Any) -> Any:
            answer = await method(*args, **kwargs)
            if name != self._call:
                return answer
            self.arrived.set()
            await self.answers.wait()
            return self.changed(answer)

        return call


def slow(party: Party, call: str) -> Slow:
    """Keep answers back from now on."""
    slow = Slow(party.remote, call)
    party.store.connect(cast("Remote", slow))
    return slow


def heard_counts(opened: Opened) -> list[int]:
    """How many comments are drawn, each time anything changes from now on."""
    counts: list[int] = []
    opened.party.store.subscribe(lambda _: counts.append(opened.task.comments_count))
    return counts


def without_task(answer: Document) -> Document:
    return {name: value for name, value in answer.items() if name != "task"}


async def test_a_task_that_a_list_brings_before_the_answer_is_drawn_once(
    started: Party, service: Service
) -> None:
    wire = slow(started, "create_task")
    made = CreateTask.new(BOARD, DOING, "New")
    await started.store.submit(made)
    await wire.arrived.wait()
    await started.store.refresh(BOARD)
    assert service.titles(DOING) == started.titles(DOING) == ["Delta", "New"]
    assert started.task("New").id == made.task_id, "the cursor stays where it is"
    wire.answers.set()
    await started.delivered()
    assert started.titles(DOING) == ["Delta", "New"]
    assert started.task("New").id > 0


async def test_a_copy_that_a_list_brings_before_the_answer_is_drawn_once(
    started: Party, service: Service
) -> None:
    wire = slow(started, "clone_task")
    await started.store.submit(CloneTask.of(started.task("Delta")))
    await wire.arrived.wait()
    await started.store.refresh(BOARD)
    assert service.titles(DOING) == started.titles(DOING) == ["Delta", "Delta"]
    wire.answers.set()
    await started.delivered()
    assert started.titles(DOING) == ["Delta", "Delta"]


async def test_a_task_whose_answer_was_lost_is_drawn_once(started: Party, service: Service) -> None:
    started.remote.fail_next("create_task", Fault.REPLY_LOST)
    await started.store.submit(CreateTask.new(BOARD, DOING, "New"))
    await started.until(lambda: started.store.pending()[0].state is PendingState.WAITING)
    await started.until(lambda: started.store.pending()[0].attempts)
    await started.store.refresh(BOARD)
    assert service.titles(DOING) == started.titles(DOING) == ["Delta", "New"]


async def test_what_may_be_one_of_two_is_shown_with_both(started: Party, service: Service) -> None:
    """A person is to look whether theirs is among them."""
    started.remote.fail_next("create_task", Fault.REPLY_LOST)
    await started.store.submit(CreateTask.new(BOARD, DOING, "New"))
    await started.until(lambda: service.titles(DOING) == ["Delta", "New"])
    service.add("New", DOING)
    await started.store.refresh(BOARD)
    await started.delivered()
    (waiting,) = started.store.pending()
    assert waiting.state is PendingState.UNSURE
    assert started.titles(DOING) == ["Delta", "New", "New", "New"]


@pytest.mark.long
async def test_a_comment_is_drawn_and_counted_once(opened: Opened) -> None:
    before = opened.said()
    wire = slow(opened.party, "create_comment")
    await opened.party.store.submit(CreateComment.new(opened.task, "Hello"))
    await wire.arrived.wait()
    await opened.party.store.refresh(BOARD)
    await opened.party.store.refresh_task(opened.things.task)
    assert opened.said() == ["Hello", *before]
    assert opened.task.comments_count == 4
    wire.answers.set()
    await opened.party.delivered()
    assert opened.said() == ["Hello", *before]
    assert opened.task.comments_count == 4


@pytest.mark.parametrize("told", [{"comments_count": 3}, {"comments_count": 4}, None])
async def test_a_count_does_not_drop_with_the_answer(opened: Opened, told: Document | None) -> None:
    """Some services send along the task as it was before the comment, or none."""
    await opened.party.store.refresh(BOARD)
    wire = slow(opened.party, "create_comment")
    counts = heard_counts(opened)
    task = {} if told is None else {"task": {"id": opened.things.task, **told}}
    wire.changed = lambda answer: {**without_task(answer), **task}
    wire.answers.set()
    await opened.party.store.submit(CreateComment.new(opened.task, "Hello"))
    await opened.party.delivered()
    assert set(counts) == {4}


async def test_a_count_does_not_drop_with_a_lost_answer(opened: Opened) -> None:
    await opened.party.store.refresh(BOARD)
    counts = heard_counts(opened)
    opened.party.remote.fail_next("create_comment", Fault.REPLY_LOST)
    await opened.party.store.submit(CreateComment.new(opened.task, "Hello"))
    await opened.party.delivered()
    assert set(counts) == {4}


async def test_a_comment_that_is_deleted_is_taken_off_the_count_once(opened: Opened) -> None:
    wire = slow(opened.party, "delete_comment")
    await opened.party.store.submit(
        DeleteComment.on(opened.task, opened.comment(opened.things.own))
    )
    await wire.arrived.wait()
    await opened.party.store.refresh(BOARD)
    assert opened.task.comments_count == 2
    wire.answers.set()
    await opened.party.delivered()
    assert opened.task.comments_count == 2


async def test_a_subtask_is_drawn_once(opened: Opened) -> None:
    wire = slow(opened.party, "create_subtask")
    await opened.party.store.submit(CreateSubtask.new(opened.task, opened.group(1), "S"))
    await wire.arrived.wait()
    await opened.party.store.refresh_task(opened.things.task)
    assert opened.titles(1) == ["S"]
    assert opened.detail.progress == (0, 4)
    wire.answers.set()
    await opened.party.delivered()
    assert opened.titles(1) == ["S"]
