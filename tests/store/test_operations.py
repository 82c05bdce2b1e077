"""Each operation by itself: what it looks like, what is sent, what takes it back, its words."""

from dataclasses import replace
from datetime import datetime
from typing import cast

import pytest

from tests.store.faults import Fault
from tests.store.service import BOARD, DOING, DONE, OPEN, Service
from tui.model.board import Board, BoardView, Place, Stage
from tui.model.task import Priority, Status, Task
from tui.store.operations import (
    ArchiveTask,
    Baseline,
    CreateStage,
    CreateTask,
    DeleteTask,
    MoveTask,
    Operation,
    RestoreTask,
    set_description,
    set_due,
    set_priority,
    set_status,
    set_title,
)
from tui.store.outbox.codec import UnreadableOperationError, decode, encode
from tui.store.remote import Remote
from tui.store.views.projection import project

DUE = datetime(2026, 12, 1, 17, 30)  # noqa: DTZ001  due dates are wall-clock times
ARCHIVED = datetime(2026, 11, 20, 9, 0)  # noqa: DTZ001  so are archive dates


def task(task_id: int, title: str, stage_id: int = OPEN) -> Task:
    return Task(id=task_id, board_id=BOARD, stage_id=stage_id, title=title)


ALPHA, BETA, GAMMA = task(1, "Alpha"), task(2, "Beta"), task(3, "Gamma")
DELTA = task(4, "Delta", DOING)
VIEW = BoardView(
    board=Board(BOARD, "Relaunch"),
    stages=(
        Stage(OPEN, BOARD, "Open"),
        Stage(DOING, BOARD, "Doing"),
        Stage(DONE, BOARD, "Done", default_status=Status.CLOSED),
    ),
    tasks={OPEN: (ALPHA, BETA, GAMMA), DOING: (DELTA,), DONE: ()},
)
EVERY = (
    CreateTask(BOARD, -5, DOING, "New", Priority.HIGH),
    set_title(BETA, "Omega"),
    set_status(BETA, Status.CLOSED),
    set_priority(BETA, Priority.MEDIUM),
    set_due(BETA, DUE),
    set_description(BETA, "<p>Why</p>"),
    MoveTask.on(BETA, DONE, Place()),
    MoveTask.on(BETA, OPEN, Place(below=1)),
    ArchiveTask.on(BETA, Place(1, 3), at=ARCHIVED),
    DeleteTask(BETA, Place(1, 3)),
)


def titles(view: BoardView, stage_id: int) -> list[str]:
    return [task.title for task in view.in_stage(stage_id)]


@pytest.mark.parametrize("operation", EVERY, ids=lambda operation: operation.describe())
def test_what_takes_it_back_restores_the_board(operation: Operation) -> None:
    after = operation.apply(VIEW)
    assert after != VIEW
    assert project(after, operation.inverse(VIEW)).tasks == VIEW.tasks


@pytest.mark.parametrize("operation", [*EVERY, RestoreTask.on(BETA)], ids=lambda o: o.describe())
def test_it_is_read_back_from_json_as_it_was(operation: Operation) -> None:
    assert decode(encode(operation)) == operation


@pytest.mark.parametrize("operation", EVERY[1:], ids=lambda operation: operation.describe())
def test_it_changes_nothing_where_its_task_is_gone(operation: Operation) -> None:
    without = VIEW.without_task(BETA.id)
    assert operation.apply(without) == without
    assert operation.inverse(without) == ()


@pytest.mark.parametrize("operation", EVERY, ids=lambda operation: operation.describe())
def test_it_follows_its_task_to_a_new_id(operation: Operation) -> None:
    assert operation.task_id is not None
    assert operation.renamed({operation.task_id: 77}).task_id == 77
    assert operation.renamed({999: 77}) == operation


@pytest.mark.parametrize(
    ("operation", "words"),
    [
        (EVERY[0], "Add “New”"),
        (EVERY[1], "Rename “Beta” to “Omega”"),
        (EVERY[2], "Close “Beta”"),
        (set_status(BETA, Status.OPEN), "Reopen “Beta”"),
        (EVERY[3], "Set the priority of “Beta” to medium"),
        (EVERY[4], "Set the due date of “Beta” to Tue 1 Dec 2026 17:30"),
        (set_due(BETA, None), "Clear the due date of “Beta”"),
        (EVERY[5], "Change the description of “Beta”"),
        (EVERY[6], "Move “Beta” to another stage"),
        (EVERY[6].named(VIEW), "Move “Beta” to “Done”"),
        (EVERY[7], "Move “Beta” within its stage"),
        (EVERY[8], "Archive “Beta”"),
        (RestoreTask.on(BETA), "Restore “Beta”"),
        (EVERY[9], "Delete “Beta”"),
        (set_status(task(9, ""), Status.CLOSED), "Close “(no title)”"),
        (set_status(task(9, "word " * 20), Status.CLOSED), f"Close “{'word ' * 7}word…”"),
    ],
)
def test_words(operation: Operation, words: str) -> None:
    assert operation.describe() == words


def test_words_never_hold_escape_sequences() -> None:
    assert "\x1b" not in CreateTask.new(BOARD, OPEN, "\x1b[31mred").describe()
    assert "\x1b" not in set_title(BETA, "\x1b[31mred").describe()


def test_a_new_task_goes_to_the_end_under_a_negative_id() -> None:
    made = CreateTask.new(BOARD, OPEN, "New")
    assert made.task_id < 0
    assert made.task_id != CreateTask.new(BOARD, OPEN, "New").task_id
    assert titles(made.apply(VIEW), OPEN) == ["Alpha", "Beta", "Gamma", "New"]


def test_making_a_task_twice_draws_it_once() -> None:
    made = CreateTask.new(BOARD, OPEN, "New")
    assert project(VIEW, [made, made]) == project(VIEW, [made])


def test_moving_an_open_task_out_of_a_closed_stage_and_back_leaves_it_open() -> None:
    reopened = VIEW.with_task_at(task(5, "Epsilon", DONE), DONE, Place())
    move = MoveTask.on(task(5, "Epsilon", DONE), DOING, Place())
    restored = project(move.apply(reopened), move.inverse(reopened))
    assert restored.tasks == reopened.tasks


def test_neighbours_follow_to_new_ids() -> None:
    move = MoveTask.on(BETA, DOING, Place(above=-3, below=-4))
    assert move.renamed({-3: 30, -4: 40}).place == Place(30, 40)


@pytest.mark.parametrize(
    ("place", "order"),
    [
        (Place(), ["Beta", "Alpha", "Gamma"]),
        (Place(below=1), ["Beta", "Alpha", "Gamma"]),
        (Place(above=3), ["Alpha", "Gamma", "Beta"]),
        (Place(above=99), ["Alpha", "Gamma", "Beta"]),
        (Place(above=1, below=99), ["Alpha", "Beta", "Gamma"]),
    ],
)
async def test_a_place_becomes_the_number_that_means_it(
    service: Service, place: Place, order: list[str]
) -> None:
    await MoveTask.on(BETA, OPEN, place).deliver(service.remote(), VIEW)
    assert service.titles(OPEN) == order
    assert titles(MoveTask.on(BETA, OPEN, place).apply(VIEW), OPEN) == order


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"kind": "fly"}', '{"kind": "edit"}'])
def test_what_cannot_be_read_is_an_error_in_words(text: str) -> None:
    with pytest.raises(UnreadableOperationError):
        decode(text)


def test_a_value_of_the_wrong_type_is_not_guessed_at() -> None:
    good = encode(set_title(BETA, "Omega"))
    with pytest.raises(UnreadableOperationError):
        decode(good.replace('"task_id": 2', '"task_id": "2"'))


class Setting:
    """A service with one task, and what was known of it before a change was sent."""

    def __init__(self, service: Service) -> None:
        self.service = service
        self.document = self.service.add("Beta", OPEN)
        self.task = task(self.document["id"], "Beta")
        self.remote = self.service.connection()
        self.baseline = Baseline(dict(self.document), newest_id=self.document["id"])

    async def is_done(self, operation: Operation) -> bool | None:
        return (await operation.already_done(cast("Remote", self.remote), self.baseline)).done


@pytest.fixture
def setting(service: Service) -> Setting:
    for document in service.lane(OPEN):
        service.delete(document["id"])
    return Setting(service)


def _changes_of(beta: Task) -> list[Operation]:
    return [
        set_title(beta, "Omega"),
        set_status(beta, Status.CLOSED),
        set_priority(beta, Priority.HIGH),
        set_due(beta, DUE),
        set_description(beta, "<p>Why</p>"),
        MoveTask.on(beta, DOING, Place()),
        ArchiveTask.on(beta, Place(), at=ARCHIVED),
    ]


@pytest.mark.parametrize("index", range(7))
async def test_reading_back_tells_done_from_not_done(setting: Setting, index: int) -> None:
    operation = _changes_of(setting.task)[index]
    assert await setting.is_done(operation) is False
    await operation.deliver(cast("Remote", setting.remote), VIEW)
    assert await setting.is_done(operation) is True


@pytest.mark.parametrize("index", range(7))
async def test_a_task_that_is_gone_was_not_changed(setting: Setting, index: int) -> None:
    setting.service.delete(setting.task.id)
    assert await setting.is_done(_changes_of(setting.task)[index]) is False


async def test_a_third_value_cannot_be_told(setting: Setting) -> None:
    setting.service.set(setting.task.id, "title", "Theirs")
    assert await setting.is_done(set_title(setting.task, "Mine")) is None


async def test_in_a_third_stage_a_move_is_compared_again_if_its_start_is_known(
    setting: Setting,
) -> None:
    setting.service.move(setting.task.id, DONE, 1)
    move = MoveTask.on(setting.task, DOING, Place())
    assert await setting.is_done(move) is False
    assert await setting.is_done(replace(move, from_stage_id=None)) is None


async def test_a_title_is_compared_as_services_fold_it(setting: Setting) -> None:
    setting.service.set(setting.task.id, "title", "Two words")
    assert await setting.is_done(set_title(setting.task, " Two   words\t")) is True


async def test_a_due_date_is_compared_as_services_write_it(setting: Setting) -> None:
    setting.remote.retold["task"] = lambda task: {**task, "due_at": "2026-12-01T17:30:00"}
    assert await setting.is_done(set_due(setting.task, DUE)) is True
    setting.remote.retold["task"] = lambda task: {**task, "due_at": "0000-00-00 00:00:00"}
    assert await setting.is_done(set_due(setting.task, None)) is True


async def test_a_move_within_the_stage_is_told_by_the_order(setting: Setting) -> None:
    other = setting.service.add("Other", OPEN)
    move = MoveTask.on(setting.task, OPEN, Place(above=other["id"]))
    assert await setting.is_done(move) is False
    setting.service.move(setting.task.id, OPEN, 2)
    assert await setting.is_done(move) is True


async def test_a_deletion_is_told_by_the_task_being_gone(setting: Setting) -> None:
    delete = DeleteTask(setting.task, Place())
    assert await setting.is_done(delete) is False
    setting.service.delete(setting.task.id)
    assert await setting.is_done(delete) is True


async def test_a_restoration_is_told_by_the_archive_date(setting: Setting) -> None:
    restore = RestoreTask.on(setting.task)
    setting.service.set(setting.task.id, "archived_at", "2026-11-20 09:00:00")
    assert await setting.is_done(restore) is False
    await restore.deliver(cast("Remote", setting.remote), VIEW)
    assert await setting.is_done(restore) is True


async def test_a_new_task_is_looked_for_among_those_not_known(setting: Setting) -> None:
    create = CreateTask.new(BOARD, OPEN, "Beta")
    assert await setting.is_done(create) is False, "the old one of the same title is not ours"
    ours = setting.service.add("Beta", OPEN)
    finding = await create.already_done(cast("Remote", setting.remote), setting.baseline)
    assert finding.done is True
    (found,) = finding.reply.parts
    assert found.id == finding.reply.created_id == ours["id"]


async def test_two_new_tasks_that_look_alike_cannot_be_told(setting: Setting) -> None:
    setting.service.add("Twin", OPEN)
    setting.service.add("Twin", OPEN)
    assert await setting.is_done(CreateTask.new(BOARD, OPEN, "Twin")) is None


async def test_a_new_task_elsewhere_cannot_be_told(setting: Setting) -> None:
    setting.service.add("Wanderer", DOING)
    assert await setting.is_done(CreateTask.new(BOARD, OPEN, "Wanderer")) is None


async def test_a_failing_read_is_passed_on(setting: Setting) -> None:
    setting.remote.fail_next("task", Fault.UNREACHABLE)
    with pytest.raises(Exception, match="cannot be reached"):
        await setting.is_done(set_title(setting.task, "Omega"))


def test_what_was_made_is_known_again_when_the_service_stripped_its_title() -> None:
    made = CreateStage.new(BOARD, "QA  <b>now</b>")
    assert made.is_mine({"id": 7, "title": "QA now"})
    assert not made.is_mine({"id": 7, "title": "QA"})
    assert CreateStage.new(BOARD, "a < b > c").is_mine({"id": 7, "title": "a < b > c"})
