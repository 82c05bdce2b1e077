"""What goes wrong while the service runs on a server: restarts, collisions, what cannot be kept."""

import threading
from collections.abc import Callable
from urllib.parse import quote

import psycopg
import pytest

from tests.postgres.clients import run_together
from tests.postgres.server import Server
from tests.postgres.worlds import Worlds
from tests.service.world import World
from tui.service.database.base import Collision, Transaction
from tui.service.database.postgres import failure
from tui.service.database.postgres_session import (
    _MOST_PREPARED,
    _MOST_UNSENT,
    MOST,
    PostgresSession,
    dicts,
)
from tui.service.database.schema import MIGRATIONS
from tui.service.errors import ServiceError
from tui.service.values import LARGEST_ID

pytestmark = pytest.mark.long

_TASK = {"task": {"title": "x", "board_id": 1, "stage_id": 1}}


def _state(sqlstate: str) -> psycopg.Error:
    """A failure that the server reports with this code."""
    return psycopg.errors.lookup(sqlstate)("said by the server")


@pytest.mark.parametrize(
    ("sqlstate", "status", "code"),
    [
        ("53100", 507, "disk_full"),
        ("25006", 503, "read_only"),
        ("42501", 503, "read_only"),
        ("55P03", 503, "busy"),
        ("53300", 503, "busy"),
        ("57P01", 503, "not_reachable"),
        ("58030", 503, "disk_failed"),
        ("XX001", 503, "damaged"),
        ("40001", 503, "busy"),
        ("40P01", 503, "busy"),
        ("22003", 422, "invalid_number"),
    ],
)
def test_failures_of_the_server_are_told_as_with_a_file(
    sqlstate: str, status: int, code: str
) -> None:
    refusal = failure(_state(sqlstate), alone=True)
    assert refusal is not None
    assert (refusal.status, refusal.code) == (status, code)
    assert "said by the server" not in refusal.message


def test_a_fault_of_the_program_is_no_failure_of_the_server() -> None:
    assert failure(_state("42601"), alone=True) is None
    assert failure(_state("23505"), alone=True) is None
    assert isinstance(failure(_state("23505"), alone=False), Collision)
    assert failure(psycopg.ProgrammingError("x"), alone=True) is None


def test_the_service_outlives_a_restart_of_the_server(world: World, server: Server) -> None:
    world.done("ann", "POST", "/projects/1/tasks", _TASK)
    before = world.done("ann", "GET", "/projects/1/tasks").body
    server.stop()
    for method, body in (("GET", None), ("POST", _TASK)):
        answer = world.ask("ann", method, "/projects/1/tasks", body)
        assert (answer.status, answer.body["code"]) == (503, "not_reachable")
    server.start()
    assert world.done("ann", "GET", "/projects/1/tasks").body == before
    server.stop()
    server.start()
    world.done("ann", "POST", "/projects/1/tasks", _TASK)


def test_a_connection_that_ends_within_a_transaction_leaves_nothing(
    worlds: Worlds, server: Server
) -> None:
    name = worlds.database()
    world = worlds.world(name=name)

    def write() -> None:
        with world.database.transaction(writing=True) as db:
            db.run("update task set title = 'lost'")
            server.end_connections(name)
            db.run("update task set title = 'lost as well'")

    with pytest.raises(ServiceError) as caught:
        write()
    assert caught.value.code == "not_reachable"
    titles = [task["title"] for task in world.done("ann", "GET", "/projects/1/tasks").body["tasks"]]
    assert titles == ["Dig", "Sow"]


def test_a_connection_that_ends_with_the_commit_is_told_as_unknown(worlds: Worlds) -> None:
    world = worlds.world()

    def write() -> None:
        with world.database.transaction(writing=True) as db:
            db.run("update task set title = 'x'")
            db.run("select pg_terminate_backend(pg_backend_pid())")

    with pytest.raises(ServiceError) as caught:
        write()
    assert (caught.value.status, caught.value.code) == (503, "outcome_unknown")


def test_a_commit_that_fails_is_told_as_unknown(worlds: Worlds, server: Server) -> None:
    name = worlds.database()
    world = worlds.world(name=name)
    server.execute(
        """create function refuse() returns trigger language plpgsql
        as $$ begin raise 'refused'; end $$""",
        name,
    )
    server.execute(
        """create constraint trigger refusal after update on task
        deferrable initially deferred for each row execute function refuse()""",
        name,
    )
    with pytest.raises(ServiceError) as caught, world.database.transaction(writing=True) as db:
        db.run("update task set title = 'x'")
    assert (caught.value.status, caught.value.code) == (503, "outcome_unknown")


def test_nobody_waits_for_the_board_while_a_change_goes_to_the_disk(
    world: World, server: Server
) -> None:
    database = world.database
    replies: list[str] = []

    def write() -> None:
        with database.transaction(writing=True, board_id=1) as db:
            db.run("update board set title = 'first' where id = 1")
        replies.append("first")

    thread = threading.Thread(target=write)
    waits = "select count(*) from pg_stat_activity where wait_event = 'SyncRep'"
    _set(server, "synchronous_standby_names = 'nobody'")  # nothing is safe without this standby
    try:
        thread.start()
        while not database.rows(waits)[0]["count"]:
            if replies:  # the checkpointer has not read the setting yet
                thread.join()
                replies.clear()
                thread = threading.Thread(target=write)
                thread.start()
        with database.transaction(writing=True, board_id=1) as db:
            assert db.value("select title from board where id = 1") == "first"
            assert replies == []
            _set(server, "synchronous_standby_names = ''")
    finally:
        _set(server, "synchronous_standby_names = ''")
        thread.join()
    assert replies == ["first"]


def _set(server: Server, setting: str) -> None:
    server.execute(f"alter system set {setting}")
    server.execute("select pg_reload_conf()")


def test_a_write_beyond_its_board_never_undoes_another(world: World) -> None:
    def rename_the_second() -> None:
        with world.database.transaction(writing=True, board_id=2) as db:
            db.run("update board set title = title || ' theirs' where id = 2")

    def write_beyond() -> None:
        thread = threading.Thread(target=rename_the_second)
        with world.database.transaction(writing=True, board_id=1) as db:
            title = db.value("select title from board where id = 2")
            thread.start()
            thread.join()
            db.run("update board set title = :title where id = 2", title=title + " ours")

    with pytest.raises(Collision):
        write_beyond()
    assert world.done("sam", "GET", "/projects/2").at("board.title") == "Attic theirs"


def test_a_move_to_another_board_waits_for_those_who_write_there(world: World) -> None:
    mover = World(world.database)
    body = {"newBoardId": 2, "newStageId": 4}
    thread = threading.Thread(
        target=lambda: mover.done("root", "PUT", "/projects/1/tasks/1/move-task", body)
    )
    with world.database.transaction(writing=True, board_id=2) as db:
        assert db.value("select count(*) from stage where board_id = 2")
        thread.start()
        _await_a_waiter(db)
        db.run("update stage set position = position + 1 where board_id = 2")
    thread.join()
    mover.hang_up()
    assert world.tasks_in(4, 2) == [1]


def test_writers_of_one_board_wait_for_each_other(world: World) -> None:
    entered: list[str] = []

    def enter() -> None:
        with world.database.transaction(writing=True, board_id=1) as db:
            entered.append(db.value("select title from board where id = 1"))

    thread = threading.Thread(target=enter)
    with world.database.transaction(writing=True, board_id=1) as db:
        assert db.value("update board set title = 'first' where id = 1 returning id") == 1
        thread.start()
        _await_a_waiter(db)
        assert entered == []
    thread.join()
    assert entered == ["first"]


def _await_a_waiter(db: Transaction) -> None:
    """Return as soon as somebody waits for a lock; fails if nobody does."""
    waits = "select count(*) from pg_locks where locktype = 'advisory' and not granted"
    _await(lambda: db.value(waits))


def _await(happens: Callable[[], object]) -> None:
    for _ in range(100_000):
        if happens():
            return
    raise AssertionError


def test_work_that_collides_is_done_again_and_at_last_alone(world: World) -> None:
    tries: list[bool] = []

    def work(db: Transaction) -> str:
        tries.append(db.is_alone)
        if not db.is_alone:
            raise Collision
        return "done"

    assert world.database.settled(work, writing=True, board_id=1) == "done"
    assert tries == [False, False, True]


def test_work_that_needs_everything_gets_it_at_once(world: World) -> None:
    tries: list[bool] = []

    def work(db: Transaction) -> None:
        tries.append(db.is_alone)
        if not db.is_alone:
            raise Collision(needs_all=True)

    world.database.settled(work, writing=True, board_id=1)
    assert tries == [False, True]


def test_work_that_always_collides_is_given_up(world: World) -> None:
    tries: list[bool] = []

    def work(db: Transaction) -> None:
        tries.append(db.is_alone)
        raise Collision

    with pytest.raises(Collision):
        world.database.settled(work, writing=True, board_id=1)
    assert tries == [False, False, True, True, True]


def test_tables_that_change_under_a_running_service_do_not_stop_it(
    worlds: Worlds, server: Server
) -> None:
    name = worlds.database()
    world = worlds.world(name=name)
    for _ in range(8):
        world.done("ann", "GET", "/projects/1/tasks/1")
    server.execute("alter table task add column later text", name)
    assert world.done("ann", "GET", "/projects/1/tasks/1").at("task.title") == "Dig"


def test_what_no_database_can_hold_is_refused_or_not_found(world: World) -> None:
    too_large = LARGEST_ID + 1
    for path in (f"/projects/{too_large}", f"/projects/1/tasks/{too_large}"):
        assert world.ask("root", "GET", path).status == 404
    body = {"newStageId": too_large}
    assert world.ask("ann", "PUT", "/projects/1/tasks/1/move-task", body).status == 404
    body = {"taskId": 1, "labelId": LARGEST_ID}
    assert world.ask("ann", "POST", "/projects/1/labels/task", body).status == 404


def test_text_with_nul_is_cleaned_or_refused(world: World) -> None:
    content = b'{"property": "title", "value": "a\\ud800b\\u0000c"}'
    answer = world.ask("ann", "PUT", "/projects/1/tasks/1", content=content)
    assert answer.at("task.title") == "abc"
    content = b'{"property": "settings", "value": {"a\\u0000": "\\u0000\\ud800"}}'
    assert world.ask("ann", "PUT", "/projects/1/tasks/1", content=content).status == 200
    answer = world.ask("ann", "GET", f"/projects?search={quote(chr(0))}")
    assert (answer.status, answer.body["code"]) == (422, "invalid_field")
    with pytest.raises(ServiceError), world.database.transaction(writing=False) as db:
        db.value("select :text", text="\ud800")


def test_search_tells_no_case_apart(world: World) -> None:
    path = f"/projects?search={quote('gARD')}"
    assert world.done("ann", "GET", path).at("boards.total") == 1
    assert world.done("ann", "GET", f"/projects?search={quote('%')}").at("boards.total") == 0


def test_a_closed_database_is_told(worlds: Worlds) -> None:
    world = worlds.world()
    world.database.close()
    answer = world.ask("ann", "GET", "/projects")
    assert (answer.status, answer.body["code"]) == (503, "closed")


def test_threads_share_connections_and_have_no_more_than_are_allowed(world: World) -> None:
    at_once = threading.Barrier(MOST)
    most = "select count(*) from pg_stat_activity where datname = current_database()"

    def read(number: int) -> None:
        with world.database.transaction(writing=False) as db:
            if number < MOST:
                at_once.wait(timeout=60)
            assert db.value(most) <= MOST

    run_together(MOST, read)
    run_together(3 * MOST, lambda number: read(MOST + number))


def test_every_version_has_been_migrated_to(world: World) -> None:
    with world.database.transaction(writing=False) as db:
        assert db.value("select version from callboard_schema") == len(MIGRATIONS)


def test_a_statement_is_not_torn_from_its_preparation_by_much_that_waits(server: Server) -> None:
    link = psycopg.connect(server.url("postgres"), autocommit=True)
    session = PostgresSession(link)
    try:
        # So many that the session forgets them all when it sends the next ones.
        for number in range(_MOST_PREPARED):
            session.add(f"select {number} as n where cast(:n as int) = 1", {"n": 1}, dicts)
        session.add(
            "select cast(:text as text) as text",
            {"text": "x" * (_MOST_UNSENT - session._size - 80)},
            dicts,
        )
        assert session.add("select cast(:n as int) as n", {"n": 7}, dicts) == [{"n": 7}]
    finally:
        session.close()
