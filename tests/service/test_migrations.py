"""A file of an earlier version is brought up to date with everything that is in it."""

import contextlib
import sqlite3

from tests.service.world import World
from tui.service.database.schema import MIGRATIONS
from tui.service.database.sqlite import SqliteDatabase

_TABLES = "select name from sqlite_schema where type = 'table' order by name"
OLD_ROWS = (
    """insert into account (login, display_name, is_administrator, created_at)
    values ('root', 'Root', 1, '2026-01-01T00:00:00+00:00')""",
    """insert into board (title, type, currency, background, created_by, changed_at, created_at,
        updated_at)
    values ('Old', 'to-do', 'USD', '{}', 1, '2026-01-01T00:00:00+00:00', 't', 't')""",
    """insert into stage (board_id, title, position, settings, created_by, created_at, updated_at)
    values (1, 'Open', 1, '{}', 1, 't', 't')""",
    """insert into task (board_id, stage_id, title, slug, type, status, priority, position,
        settings, meta, created_by, created_at, updated_at)
    values (1, 1, 'Kept', 'kept', 'task', 'open', 'low', 1, '{}', '{}', 1, 't', 't')""",
)


def _memory() -> SqliteDatabase:
    link = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    link.execute("pragma foreign_keys = on")
    return SqliteDatabase(link)


def test_a_board_of_the_first_version_gets_subtasks_and_fields() -> None:
    database = _memory()
    database.migrate(MIGRATIONS[:1])
    with database.transaction(writing=True) as db:
        for row in OLD_ROWS:
            db.run(row)
    database.migrate(MIGRATIONS)
    with contextlib.closing(World(database)) as world:
        task = world.done("root", "GET", "/projects/1/tasks").at("tasks.0")
        assert (task["title"], task["task_custom_fields"]) == ("Kept", [])
        path = "/projects/1/tasks/1"
        group = world.done("root", "POST", f"{path}/subtask-group", {"title": "G"})
        body = {"title": "S", "group_id": group.at("subtaskGroup.id")}
        world.done("root", "POST", f"{path}/subtasks", body)
        counted = world.done("root", "GET", path).at("task.settings.subtask_count")
        assert counted == 1


def test_notifications_that_were_stored_go_with_their_table() -> None:
    database = _memory()
    database.migrate(MIGRATIONS[:7])
    with database.transaction(writing=True) as db:
        for row in OLD_ROWS:
            db.run(row)
        db.run(
            """insert into notification (account_id, board_id, task_id, kind, actor_id, text,
                created_at) values (1, 1, 1, 'assignment', 1, '', 't')"""
        )
    database.migrate(MIGRATIONS)
    with database.transaction(writing=False) as db:
        assert not db.all("select name from sqlite_schema where name like 'notification%'")
    with contextlib.closing(World(database)) as world:
        assert world.done("root", "GET", "/projects/1/tasks").at("tasks.0.title") == "Kept"


def test_one_step_after_another_ends_where_all_at_once_do() -> None:
    stepwise, direct = _memory(), _memory()
    for version in range(1, len(MIGRATIONS) + 1):
        stepwise.migrate(MIGRATIONS[:version])
    direct.migrate(MIGRATIONS)
    tables = []
    for database in (stepwise, direct):
        with database.transaction(writing=False) as db:
            assert db.value("pragma user_version") == len(MIGRATIONS)
            tables.append(db.all(_TABLES))
        database.close()
    assert tables[0] == tables[1]
