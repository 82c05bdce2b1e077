"""The exit codes of the help, for every command that reads boards or changes cards.

They are 0 for success, 1 if it failed or nothing was found, 2 for wrong arguments.
"""

import sqlite3
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Said
from tests.harness.cases import mostly_long
from tui.config.paths import HOME_VARIABLE

READING = (
    "boards",
    "tasks",
    "show 6",
    "sync",
    "standup --plain",
    "insight",
)
WRITING = (
    "add --board platform Title",
    "edit 6 --title Title",
    "move 6 completed",
    "done 6",
    "assign 5 me",
    "label 5 bug",
    "comment 6 Text",
    "board add Title",
    "tour",
)
NOTHING = (
    *(
        "tasks zzz",
        "tasks --board zzz",
        "show 99",
        "show zzz",
        "show 6 --board zzz",
        "show 6 --board website",
        "here",
    ),
    *("standup --plain --board zzz", "standup --plain --folder zzz", "insight --board zzz"),
    *("add --board zzz x", "add --board platform --stage zzz x", "board add x --folder zzz"),
    *("edit 99 --title x", "edit zzz --title x", "edit 6 --board zzz --title x"),
    *("move 99 open", "move 6 zzz", "move 6 open --board zzz", "move 6 open --from zzz"),
    *("done 99", "done 6 zzz", "done 6 --board zzz", "assign 99 me", "assign 6 zzz"),
    *("assign 6 me --board zzz", "label 99 bug", "label 6 zzz", "label 6 bug --board zzz"),
    *("comment 99 Text", "comment 6 --board zzz Text"),
)
WRONG = (
    *("tasks due:", "tasks --nothing", "show", "standup --since tomorrow", "insight --weeks 0"),
    *("insight --by yesterday", "insight --cards 0", "insight --filter due:"),
    *("add", "edit 6", "edit 6 --due someday", "move 6", "done", "assign 6", "label 6", "board"),
    *("comment 6", "board add x --type zzz", "show mine", "-p zzz boards", "sync now"),
)


@pytest.mark.parametrize("command", [*READING, *WRITING])
def test_a_command_that_works_ends_with_0(said: Said, command: str) -> None:
    code, text, beside = said(*command.split())
    assert (code, bool(text), beside) == (0, True, "")


@pytest.mark.long
@pytest.mark.parametrize(("code", "commands"), [(1, NOTHING), (2, WRONG)])
def test_nothing_found_is_1_and_a_wrong_argument_2(
    said: Said,
    code: int,
    commands: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    before = said("tasks", "--json")
    with (tmp_path / "empty").open("w+", encoding="utf-8") as empty:
        monkeypatch.setattr("sys.stdin", empty)
        for command in commands:
            ended, text, beside = said(*command.split())
            assert (command, ended, text) == (command, code, "")
            assert beside.startswith("callboard")
    assert said("tasks", "--json") == before


@mostly_long("command", [*READING, *WRITING], every=5)
def test_a_home_that_cannot_be_used_is_1(
    said: Said, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    for home in (tmp_path / "file", tmp_path / "file" / "below"):
        monkeypatch.setenv(HOME_VARIABLE, str(home))
        code, text, beside = said(*command.split())
        assert (code, text) == (1, "")
        assert "file" in beside
        assert "Traceback" not in beside


class _Refusing(sqlite3.Connection):
    """A connection to a disk where nothing can be written; `reason` is what SQLite says then."""

    reason = ""

    def execute(self, sql: str, *values: Any) -> sqlite3.Cursor:
        """Carry out what only reads."""
        if sql.split(None, 1)[0].casefold() in ("insert", "update", "delete", "create", "replace"):
            raise sqlite3.OperationalError(self.reason)
        return super().execute(sql, *values)

    def executemany(self, *_: Any) -> sqlite3.Cursor:
        """Refuse, since this writes."""
        raise sqlite3.OperationalError(self.reason)


@pytest.fixture(params=["database or disk is full", "attempt to write a readonly database"])
def refusing(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk that is full, or that can only be read."""
    connect = sqlite3.connect
    monkeypatch.setattr(_Refusing, "reason", request.param)
    monkeypatch.setattr(
        sqlite3,
        "connect",
        lambda *values, **more: connect(*values, **more | {"factory": _Refusing}),
    )


@pytest.mark.usefixtures("refusing")
@mostly_long("command", WRITING, every=5)
def test_what_cannot_be_written_is_1(said: Said, command: str) -> None:
    code, text, beside = said(*command.split())
    assert (code, text) == (1, "")
    assert "Traceback" not in beside
    assert "internal error" not in beside


@mostly_long("command", [*READING, *WRITING, "--version", "profiles --json"], every=5)
def test_an_output_that_cannot_be_written_is_1(
    said: Said, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.setattr("sys.stdin", StringIO())
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        monkeypatch.setattr("sys.stdout", full)
        code, _, beside = said(*command.split())
    told = "callboard: the output cannot be written: no space left on device.\n"
    assert (code, beside) == (1, told)
