"""A change of thousands of cards is made in steps, between which others write."""

import threading
from collections.abc import Callable
from datetime import timedelta
from itertools import pairwise
from pathlib import Path

import pytest

from tests.service.detailed_world import detailed_world
from tests.service.one_by_one import rows_of
from tests.service.world import FrozenClock, World
from tui.service.database.base import LARGEST_STEP, Database, Transaction
from tui.service.database.fair_lock import FairLock
from tui.service.database.sqlite import open_database
from tui.service.embedded import open_embedded
from tui.service.tables.loose_boards import mark_loose, remove_left

_CARDS = 2 * LARGEST_STEP + 3
_MOST_ROWS = 5 * LARGEST_STEP
_NUMBERS = """with recursive numbers (number) as
    (select 1 union all select number + 1 from numbers where number < :count) """
_FILL = (
    """insert into task (board_id, stage_id, title, slug, type, status, priority, position,
        settings, meta, created_by, created_at, updated_at)
    select 1, 1, 'Card ' || (number % 97), 'card', 'task', 'open', 'low', number, '{}', '{}', 2,
        't', 't' from numbers""",
    """insert into activity (board_id, action, column_name, created_by, created_at)
    select 1, 'changed', 'title', 2, 't' from numbers""",
)
_ALL = {"isWithTasks": "yes", "isWithLabels": "yes", "isWithTemplates": "yes"}
_ASKED: dict[str, tuple[str, str, object]] = {
    "duplicate": ("POST", "/duplicate-board", {"board": {"title": "Copy"}} | _ALL),
    "sort": ("PUT", "/stage/1/sort-task", {"order": "title", "orderBy": "ASC"}),
    "archive all": ("PUT", "/stage/1/archive-all-task", None),
    "delete": ("DELETE", "", None),
}


@pytest.fixture
def big() -> World:
    """A detailed world with thousands of cards in stage 1."""
    world = detailed_world()
    with world.database.transaction(writing=True) as db:
        for statement in _FILL:
            db.run(_NUMBERS + statement, count=_CARDS)
        db.run(
            """insert into task_label (task_id, label_id, created_at)
            select id, 3, 't' from task where board_id = 1"""
        )
    return world


@pytest.mark.parametrize("name", _ASKED)
def test_no_step_writes_more_rows_than_a_writer_elsewhere_can_wait_for(
    big: World, name: str
) -> None:
    written: list[int] = []
    link = big.link

    def look(statement: str) -> None:
        if statement in ("begin immediate", "commit"):
            written.append(link.total_changes)

    method, path, body = _ASKED[name]
    link.set_trace_callback(look)
    answer = big.ask("ann", method, f"/projects/1{path}", body)
    link.set_trace_callback(None)
    assert answer.status == 200
    steps = [end - begin for begin, end in pairwise(written)]
    assert len(steps) > 2
    assert max(steps) <= _MOST_ROWS
    big.close()


@pytest.mark.long
def test_long_changes_are_whole(big: World) -> None:
    copy = big.done("ann", *_at("duplicate")).at("board.id")
    tasks = big.done("ann", "GET", f"/projects/{copy}/tasks").at("tasks")
    assert len(tasks) == len(big.done("ann", "GET", "/projects/1/tasks").at("tasks")) > _CARDS
    assert [label["id"] for label in tasks[-1]["labels"]]
    big.done("ann", *_at("sort"))
    order = big.tasks_in(1)
    rows = {row["id"]: row for row in rows_of(big, "task")}
    assert [rows[task]["position"] for task in order] == [*range(1, len(order) + 1)]
    titles = [rows[task]["title"].casefold() for task in order]
    assert titles == sorted(titles)
    big.done("ann", *_at("archive all"))
    assert big.tasks_in(1) == []
    big.done("ann", *_at("delete"))
    assert big.ask("root", "GET", "/projects/1").status == 404
    for table in ("task", "activity", "comment", "membership"):
        assert not [row for row in rows_of(big, table, "board_id") if row["board_id"] == 1]
    assert not rows_of(big, "service_key", "name")
    big.close()


def _at(name: str) -> tuple[str, str, object]:
    method, path, body = _ASKED[name]
    return method, f"/projects/1{path}", body


def test_nobody_but_an_administrator_sees_a_board_before_it_is_whole(big: World) -> None:
    seen: list[list[int]] = []

    def look(statement: str) -> None:
        if statement == "commit":
            rows = big.link.execute("select board_id from membership where account_id = 2")
            seen.append([row[0] for row in rows])

    big.link.set_trace_callback(look)
    copy = big.ask("ann", *_at("duplicate")).at("board.id")
    big.link.set_trace_callback(None)
    assert len(seen) > 2
    assert [copy in boards for boards in seen] == [False] * (len(seen) - 1) + [True]
    big.close()


def test_a_copy_that_fails_midway_leaves_nothing(big: World) -> None:
    before = {table: len(rows_of(big, table)) for table in ("board", "stage", "task", "label")}
    big.link.execute(
        """create temp trigger fault before insert on task_label
        when (select board_id from task where id = new.task_id) > 2
        begin select raise(abort, 'a fault'); end"""
    )
    assert big.ask("ann", *_at("duplicate")).status == 500
    big.link.execute("drop trigger fault")
    assert {table: len(rows_of(big, table)) for table in before} == before
    assert not rows_of(big, "service_key", "name")
    assert big.ask("ann", *_at("duplicate")).status == 200
    big.close()


def test_what_a_killed_program_left_is_removed_at_a_later_start(big: World) -> None:
    clock = FrozenClock()
    with big.database.transaction(writing=True) as db:
        mark_loose(db, 1, clock())
        db.delete("membership", board_id=1)
    remove_left(big.database, clock() + timedelta(minutes=59))
    assert len(rows_of(big, "board")) == 2
    remove_left(big.database, clock() + timedelta(minutes=61))
    assert [row["id"] for row in rows_of(big, "board")] == [2]
    assert not [row for row in rows_of(big, "task") if row["board_id"] == 1]
    big.close()


def test_a_start_removes_what_was_left(tmp_path: Path) -> None:
    path, clock = tmp_path / "boards", FrozenClock()
    open_embedded(path, login="ann", display_name="Ann", clock=clock).close()
    database = open_database(path)
    with database.transaction(writing=True) as db:
        db.run(
            """insert into board (title, type, currency, background, created_by, changed_at,
                created_at, updated_at) values ('Half', 'to-do', 'USD', '{}', 1, 't', 't', 't')"""
        )
        mark_loose(db, 1, clock())
    database.close()
    clock.advance(hours=2)
    embedded = open_embedded(path, login="ann", display_name="Ann", clock=clock)
    assert not embedded.database.rows("select * from board")
    embedded.close()


def _in_thread(work: Callable[[], object], lock: FairLock) -> threading.Thread:
    """Begin some work on a thread, and wait until it waits for the lock."""
    thread, before = threading.Thread(target=work), lock.waiting
    thread.start()
    while lock.waiting == before:
        thread.join(0.001)
    return thread


def test_a_lock_goes_to_the_one_that_has_waited_longest() -> None:
    lock, order = FairLock(), list[str]()

    def work(name: str) -> Callable[[], None]:
        def append() -> None:
            with lock:
                order.append(name)

        return append

    with lock:
        threads = [_in_thread(work(name), lock) for name in "abc"]
        lock.release()
        lock.acquire()
        order.append("d")
    for thread in threads:
        thread.join()
    assert order == ["a", "b", "c", "d"]


@pytest.fixture
def shared(tmp_path: Path) -> Database:
    return open_database(tmp_path / "boards", for_many=True)


def test_another_writer_comes_in_between_two_steps(shared: Database) -> None:
    order: list[str] = []

    def write(name: str, db: Transaction) -> None:
        db.run("insert into service_key values (:name, '')", name=name)
        order.append(name)

    def other() -> None:
        with shared.transaction(writing=True) as db:
            write("other", db)

    with shared.transaction(writing=True) as db:
        write("first", db)
        thread = _in_thread(other, shared._turn)  # type: ignore[attr-defined]
        db.let_others_in()
        write("second", db)
    thread.join()
    assert order == ["first", "other", "second"]
    assert len(shared.rows("select * from service_key")) == 3
    shared.close()


def test_closing_waits_for_all_steps(shared: Database) -> None:
    with shared.transaction(writing=True) as db:
        db.run("insert into service_key values ('first', '')")
        thread = _in_thread(shared.close, shared._turn)  # type: ignore[attr-defined]
        db.let_others_in()
        db.run("insert into service_key values ('second', '')")
    thread.join()


def test_who_reads_a_long_list_keeps_no_writer_waiting(shared: Database) -> None:
    with shared.transaction(writing=False) as reading:
        assert reading.value("select count(*) from service_key") == 0
        with shared.transaction(writing=True) as db:
            db.run("insert into service_key values ('first', '')")
        assert reading.value("select count(*) from service_key") == 0
    assert len(shared.rows("select * from service_key")) == 1
    shared.close()
