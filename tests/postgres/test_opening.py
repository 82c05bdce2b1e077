"""A database on a server is opened, made and brought up to date, or refused and left alone."""

import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

from tests.postgres.clients import run_together
from tests.postgres.server import Server
from tests.postgres.worlds import Worlds
from tests.service.test_migrations import OLD_ROWS
from tests.service.world import World
from tui.service.database.postgres import DatabaseServerUnusable, PostgresDatabase, open_postgres
from tui.service.database.schema import MIGRATIONS
from tui.service.databases import DatabaseSettingUnusable, attachments_of, open_at

pytestmark = pytest.mark.long

_TABLES = """select table_name, column_name, data_type from information_schema.columns
    where table_schema = 'public' order by table_name, column_name"""


def _refused(url: str) -> DatabaseServerUnusable:
    with pytest.raises(DatabaseServerUnusable) as caught:
        open_postgres(url)
    assert caught.value.message.endswith("Nothing was changed.")
    return caught.value


def _plain(server: Server, name: str) -> PostgresDatabase:
    """A database of which nothing has been looked at or made."""
    return PostgresDatabase(lambda: psycopg.connect(server.url(name), autocommit=True))


def test_what_was_stored_is_there_again(worlds: Worlds) -> None:
    name = worlds.database()
    first = worlds.world(name=name)
    before = first.done("ann", "GET", "/projects/1").body
    first.database.close()
    assert worlds.world(name=name).done("ann", "GET", "/projects/1").body == before


def _version(database: PostgresDatabase) -> int:
    with database.transaction(writing=False) as db:
        return database.version(db)


def test_one_step_after_another_ends_where_all_at_once_do(server: Server) -> None:
    stepwise, direct = (_plain(server, server.create()) for _ in range(2))
    stepwise.migrate(MIGRATIONS[:1])
    with stepwise.transaction(writing=True) as db:
        for row in OLD_ROWS:
            db.run(row)
    for version in range(2, len(MIGRATIONS) + 1):
        stepwise.migrate(MIGRATIONS[:version])
        assert _version(stepwise) == version
    direct.migrate(MIGRATIONS)
    tables = []
    for database in (stepwise, direct):
        with database.transaction(writing=False) as db:
            tables.append(db.all(_TABLES))
    assert tables[0] == tables[1]
    direct.close()
    world = World(stepwise)
    assert world.done("root", "GET", "/projects/1/tasks").at("tasks.0.title") == "Kept"
    world.close()


def test_a_step_that_fails_leaves_nothing(server: Server) -> None:
    database = _plain(server, server.create())
    with pytest.raises(psycopg.errors.SyntaxError):
        database.migrate((*MIGRATIONS, ("create table extra (id bigint)", "nonsense")))
    assert _version(database) == 0
    with database.transaction(writing=False) as db:
        assert db.all(_TABLES) == []
    database.close()


def test_several_that_open_a_new_database_at_once_make_it_once(server: Server) -> None:
    url = server.url(server.create())

    def open_it(_number: int) -> None:
        database = open_postgres(url)
        assert _version(database) == len(MIGRATIONS)
        database.close()

    run_together(4, open_it)


def test_the_database_of_another_program_is_left_alone(server: Server) -> None:
    name = server.create()
    server.execute("create table bookmarks (url text)", name)
    assert "another program" in _refused(server.url(name)).message
    with psycopg.connect(server.url(name)) as link:
        found = link.execute("select tablename from pg_tables where schemaname = 'public'")
        assert found.fetchall() == [("bookmarks",)]


def test_a_newer_database_is_left_alone(worlds: Worlds, server: Server) -> None:
    name = worlds.database("bare")
    server.execute("update callboard_schema set version = version + 1", name)
    refusal = _refused(server.url(name))
    assert "newer version" in refusal.message
    assert refusal.hint == "Update this program."


def test_a_database_that_cannot_hold_every_character_is_refused(server: Server) -> None:
    assert "encoding" in _refused(server.url(server.create(encoding="SQL_ASCII"))).message


def test_a_user_who_may_make_no_tables_is_told(server: Server) -> None:
    name = server.create()
    server.execute("create role guest login", name)
    server.execute("revoke create on schema public from public", name)
    refusal = _refused(server.url(name).replace("callboard@", "guest@"))
    assert "may not be written to" in refusal.message


def test_a_server_that_is_not_there_is_told(tmp_path: Path) -> None:
    refusal = _refused(f"postgresql://ann@/boards?host={tmp_path}")
    assert "“boards”" in refusal.message
    assert "cannot be reached" in refusal.message


def test_a_password_is_wanted_elsewhere_and_never_shown() -> None:
    refusal = _refused("postgresql://ann:Secret9@host/boards")
    assert "without its password" in refusal.message
    assert "~/.pgpass" in refusal.hint
    broken = _refused("postgresql://ann:Secret9@host:port:1/boards?x=y")
    assert "Secret9" not in "".join(map(repr, (refusal, broken, refusal.hint, broken.hint)))


def test_a_setting_is_a_path_or_an_address(server: Server, tmp_path: Path) -> None:
    for setting in (str(tmp_path / "b"), server.url(server.create())):
        database = open_at(setting)
        with database.transaction(writing=False) as db:
            assert db.value("select count(*) from board") == 0
        database.close()


def test_uploads_are_beside_a_file_and_in_a_named_folder_otherwise(tmp_path: Path) -> None:
    assert attachments_of(str(tmp_path / "b")).folder == tmp_path / "attachments"
    assert attachments_of("postgresql:///b", tmp_path).folder == tmp_path
    with pytest.raises(DatabaseSettingUnusable, match="must be given"):
        attachments_of("postgresql:///b")


def test_nothing_of_postgresql_is_loaded_for_a_file(tmp_path: Path) -> None:
    program = """
import sys
from tui.service.databases import open_at
open_at(sys.argv[1]).close()
assert "psycopg" not in sys.modules
"""
    subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", program, str(tmp_path / "b")],
        check=True,
        cwd=Path(__file__).parents[2],
    )


def test_without_the_driver_it_is_told_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tui.service.database.postgres", None)
    with pytest.raises(DatabaseSettingUnusable) as caught:
        open_at("postgresql:///boards")
    assert "callboard[postgres]" in caught.value.hint
