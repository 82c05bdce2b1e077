"""`callboard doctor`: what it says when all is well or everything is broken, what it mends."""

import json
import os
import pty
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tui.cli.doctor import examine_places, examine_profile, examine_terminal
from tui.cli.main import main
from tui.config.paths import HOME_VARIABLE, Places
from tui.config.profiles import Profile
from tui.service.database.sqlite import open_database
from tui.store.cache.eviction import Upkeep
from tui.store.cache.file import open_cache
from tui.store.cache.polling_turns import claim
from tui.store.doctor import Level, Remark
from tui.store.files.database import set_aside, set_aside_files
from tui.store.files.lease import Lease
from tui.store.operations import CreateTask
from tui.store.outbox.file import open_outbox

NOW = datetime.now(UTC)


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Places:
    """The places of somebody who has used the program."""
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path))
    monkeypatch.delenv("CALLBOARD_PROFILE", raising=False)
    places = Places.find()
    for folder in places:
        folder.mkdir(mode=0o700)
    with closing(open_cache(_cache(places), NOW)[0]) as cache:
        cache.put_board_summary({"id": 1, "title": "Relaunch"})
        cache.put_board({"id": 1})
        cache.put_tasks({"id": number, "board_id": 1, "stage_id": 1} for number in range(5))
        claim(cache.connection, 1, "me", NOW - timedelta(days=3), timedelta())
    outbox, _ = open_outbox(_outbox(places), NOW)
    outbox.close()
    open_database(places.boards).close()
    return places


def _cache(places: Places) -> Path:
    return places.cache / "embedded" / "cache.sqlite3"


def _outbox(places: Places) -> Path:
    return places.data / "embedded" / "outbox.sqlite3"


def _told(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, list[dict[str, Any]]]:
    """The exit code and the remarks."""
    code = main(["doctor", "--json", *arguments])
    document = json.loads(capsys.readouterr().out)
    assert document["ok"] == (code == 0)
    return code, document["remarks"]


def _texts(remarks: list[dict[str, Any]], about: str) -> str:
    return "\n".join(f"{one['text']} {one['hint']}" for one in remarks if one["about"] == about)


def _add_change(places: Places, state: str = "waiting", days: int = 0) -> None:
    """Write a change into the outbox."""
    operation = CreateTask.new(1, 11, "A secret plan")
    outbox, _ = open_outbox(_outbox(places), NOW)
    since = NOW - timedelta(days=days)
    outbox.add(1, [(operation, ())], since)
    outbox.close()
    with closing(sqlite3.connect(_outbox(places))) as file, file:
        file.execute(
            "update entry set state = ? where seq = (select max(seq) from entry)", (state,)
        )


def test_all_is_well(places: Places, capsys: pytest.CaptureFixture[str]) -> None:
    del places
    code, remarks = _told(capsys)
    assert code == 0
    assert "1 board, 5 cards of 1 of them" in _texts(remarks, "cache")
    assert "3 days ago" in _texts(remarks, "cache")
    assert "everything in it was sent" in _texts(remarks, "changes")
    assert {one["about"] for one in remarks} == {
        *("settings", "places", "profile", "changes", "cache", "service", "terminal"),
    }


def test_people_get_lines(places: Places, capsys: pytest.CaptureFixture[str]) -> None:
    del places
    assert main(["doctor"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("ok       settings   ")
    assert all(line.startswith(("ok", "note", "problem", " " * 20)) for line in lines)


def test_nothing_was_ever_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / "new"))
    code, _ = _told(capsys)
    assert code == 0
    assert not (tmp_path / "new").exists()


def test_changes_are_told_in_words_and_not_touched(
    places: Places, capsys: pytest.CaptureFixture[str]
) -> None:
    for state in ("waiting", "refused", "conflict", "unsure"):
        _add_change(places, state, days=5)
    with closing(sqlite3.connect(_outbox(places))) as file, file:
        file.execute(
            """insert into entry (board_id, operation, since)
               values (1, '{"new": 1}', ''), (1, cast(x'7b22ff' as text), '')"""
        )
    before = _outbox(places).read_bytes()
    code, remarks = _told(capsys, "--repair", "--yes")
    told = _texts(remarks, "changes")
    assert code == 1
    assert "3 to be sent" in told
    assert "the oldest is 5 days old" in told
    assert "1 refused, 1 in conflict" in told
    assert "2 changes cannot be read" in told
    assert "steps can be undone" in told
    assert "secret" not in json.dumps(remarks)
    assert _outbox(places).read_bytes() == before


def test_everything_is_broken(places: Places, capsys: pytest.CaptureFixture[str]) -> None:
    places.settings.write_text("density = 9\n", "utf-8")
    for path in (_cache(places), _outbox(places), places.boards):
        path.write_bytes(b"nonsense " * 1000)
    code, remarks = _told(capsys)
    problems = {one["about"] for one in remarks if one["level"] == "problem"}
    assert code == 1
    assert problems == {"settings", "cache", "changes", "service"}
    assert all(one["hint"] for one in remarks if one["level"] == "problem")


def test_files_of_a_newer_version_are_told(
    places: Places, capsys: pytest.CaptureFixture[str]
) -> None:
    for path in (_cache(places), _outbox(places), places.boards):
        with closing(sqlite3.connect(path)) as file:
            file.execute("pragma user_version = 999")
    code, remarks = _told(capsys)
    assert code == 1
    told = {one["about"]: one["level"] for one in remarks if "newer version" in one["text"]}
    assert told == {"cache": "note", "changes": "problem", "service": "problem"}


def test_folders_that_are_files(places: Places, capsys: pytest.CaptureFixture[str]) -> None:
    for folder in (places.cache, places.data):
        folder.rename(folder.with_name(f"{folder.name}.old"))
        folder.write_text("in the way", "utf-8")
    code, remarks = _told(capsys)
    assert code == 1
    assert "is not a folder" in _texts(remarks, "places")


@pytest.mark.skipif(os.geteuid() == 0, reason="an administrator can read everything")
def test_folders_that_cannot_be_read(places: Places, capsys: pytest.CaptureFixture[str]) -> None:
    for folder in (places.cache, places.data):
        folder.chmod(0)
    code, remarks = _told(capsys)
    for folder in (places.cache, places.data):
        folder.chmod(0o700)
    assert code == 1
    assert "is not writable" in _texts(remarks, "places")


def test_a_profile_that_does_not_exist(places: Places, capsys: pytest.CaptureFixture[str]) -> None:
    del places
    code, remarks = _told(capsys, "nowhere")
    assert code == 1
    assert "nowhere" in _texts(remarks, "profile")
    assert _texts(remarks, "terminal")


@pytest.mark.long
def test_a_service_that_cannot_be_reached(
    places: Places, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CALLBOARD_PASSWORD", "hush hush")
    places.settings.write_text(
        '[profiles.work]\nurl = "http://127.0.0.1:9/api/v2"\nlogin = "ann"\n', "utf-8"
    )
    code, remarks = _told(capsys, "work")
    assert code == 1
    assert _texts(remarks, "service")
    assert "ann at http://127.0.0.1:9/api/v2" in _texts(remarks, "profile")
    assert "hush" not in json.dumps(remarks)
    assert _told(capsys, "work", "--offline")[0] == 0


def test_a_damaged_cache_is_set_aside_when_that_is_accepted(
    places: Places, capsys: pytest.CaptureFixture[str]
) -> None:
    _cache(places).write_bytes(b"nonsense " * 1000)
    assert main(["doctor", "--repair"]) == 1
    assert "Add --yes" in capsys.readouterr().err
    code, remarks = _told(capsys, "--repair", "--yes")
    assert code == 0
    assert "1 file set aside" in _texts(remarks, "cache")
    code, remarks = _told(capsys, "--repair", "--yes")
    assert "set aside" not in _texts(remarks, "cache")
    assert not list(_cache(places).parent.glob("*.broken-*"))


def test_a_cache_full_of_nothing_is_made_smaller(
    places: Places, capsys: pytest.CaptureFixture[str]
) -> None:
    with closing(open_cache(_cache(places), NOW)[0]) as cache:
        cache.put_tasks(
            {"id": number, "board_id": 2, "title": "x" * 20_000} for number in range(1000, 1600)
        )
        while Upkeep(cache.connection).forget_some(2, 500):
            continue
    _, remarks = _told(capsys)
    assert "are unused" in _texts(remarks, "cache")
    _, remarks = _told(capsys, "--repair", "--yes")
    assert "are unused" not in _texts(remarks, "cache")
    assert _cache(places).stat().st_size < 1 << 20


@pytest.mark.parametrize("damage", ["a table", "empty", "missing"])
def test_changes_that_cannot_be_read_whole_are_found_and_mended(
    places: Places, capsys: pytest.CaptureFixture[str], damage: str
) -> None:
    _add_change(places)
    if damage == "a table":
        with closing(sqlite3.connect(_outbox(places))) as file:
            file.execute("drop table renamed")
    else:
        _outbox(places).unlink()
        _outbox(places).write_bytes(b"") if damage == "empty" else None
    code, remarks = _told(capsys)
    assert code == 1
    assert "--repair" in _texts(remarks, "changes")
    code, remarks = _told(capsys, "--repair", "--yes")
    assert code == 0
    is_named = "lost" in _texts(remarks, "changes")
    assert is_named == (damage != "a table")
    assert ("1 to be sent" in _texts(remarks, "changes")) == (damage == "a table")


def test_nothing_is_repaired_while_the_program_is_open(
    places: Places, capsys: pytest.CaptureFixture[str]
) -> None:
    _cache(places).write_bytes(b"nonsense " * 1000)
    lease = Lease(places.data / "embedded" / "sender.lock")
    lease.take()
    assert main(["doctor", "--repair", "--yes"]) == 1
    assert "while Callboard is open" in capsys.readouterr().out
    assert "is open on this profile" in _texts(_told(capsys)[1], "changes")
    lease.release()
    assert "is open on this profile" not in _texts(_told(capsys)[1], "changes")


def test_changes_that_were_set_aside_are_named(
    places: Places, capsys: pytest.CaptureFixture[str]
) -> None:
    aside = set_aside(_outbox(places), NOW)
    _, remarks = _told(capsys, "--repair", "--yes")
    assert aside.name in _texts(remarks, "changes")
    assert aside.exists()


def test_what_can_be_read_of_damaged_changes_is_saved(
    places: Places, capsys: pytest.CaptureFixture[str]
) -> None:
    for _ in range(3):
        _add_change(places)
    with closing(sqlite3.connect(_outbox(places))) as file:
        (page,) = file.execute("select rootpage from sqlite_master where name = 'step'").fetchone()
    content = bytearray(_outbox(places).read_bytes())
    content[(page - 1) * 4096 : page * 4096] = b"\xa5" * 4096
    _outbox(places).write_bytes(content)
    code, remarks = _told(capsys)
    assert code == 1
    assert "The same command with --repair" in _texts(remarks, "changes")
    assert _outbox(places).read_bytes() == bytes(content)
    assert main(["doctor", "--repair", "--yes"]) == 0
    said = capsys.readouterr().out
    (aside,) = set_aside_files(_outbox(places))
    assert "3 of the changes in it saved" in said
    assert f"{aside.name}.txt" in said
    assert aside.read_bytes() == bytes(content)
    code, remarks = _told(capsys)
    assert code == 0
    assert "3 to be sent" in _texts(remarks, "changes")


@pytest.mark.parametrize("content", [None, b""])
def test_a_board_file_that_is_lost_is_a_problem(
    places: Places, capsys: pytest.CaptureFixture[str], content: bytes | None
) -> None:
    places.boards.unlink(missing_ok=True)
    if content is not None:
        places.boards.write_bytes(content)
    code, remarks = _told(capsys)
    assert code == 1
    told = _texts(remarks, "service")
    assert f"{places.boards} is {'missing' if content is None else 'empty'}" in told
    assert "1 board of it is in the cache" in told
    assert "Restore a copy of it" in told


def test_a_folder_that_others_can_read_is_told(places: Places) -> None:
    places.data.chmod(0o755)
    levels = [remark.level for remark in examine_places(places)]
    assert levels == [Level.OK, Level.NOTE, Level.OK]


def test_the_source_of_a_password_is_told_and_not_more() -> None:
    profile = Profile("work", url="http://boards.test/v2", login="ann", password_command="say hush")
    told = examine_profile(profile._replace(allow_plaintext=True))
    assert [remark.level for remark in told] == [Level.OK, Level.OK, Level.NOTE]
    assert "command" in told[1].text
    assert "hush" not in str(told)


_GOOD = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8"}


@pytest.mark.parametrize(
    ("environment", "size", "encoding", "problem"),
    [
        (_GOOD, (120, 36), "utf-8", ""),
        (_GOOD, (10, 3), "utf-8", "10×3"),
        ({**_GOOD, "TERM": "dumb"}, (120, 36), "UTF-8", "“dumb”"),
    ],
)
def test_what_is_wrong_with_a_terminal(
    environment: dict[str, str], size: tuple[int, int], encoding: str, problem: str
) -> None:
    problems = [
        remark
        for remark in examine_terminal(environment, size, encoding)
        if remark.level is Level.PROBLEM
    ]
    assert len(problems) == bool(problem)
    assert all(problem in remark.text and remark.hint for remark in problems)


@pytest.mark.parametrize(
    ("environment", "size", "level", "told"),
    [
        (_GOOD, (60, 20), Level.NOTE, "60×20 cells. ctrl+e on a board shows more cards"),
        ({}, (120, 36), Level.PROBLEM, "TERM is not set: nothing to draw with."),
        ({**_GOOD, "NO_COLOR": "1"}, (120, 36), Level.OK, "No colours, because of NO_COLOR"),
        ({"TERM": "xterm-256color"}, (120, 36), Level.OK, "256 colours, from TERM. If it can"),
        ({"TERM": "vt100"}, (120, 36), Level.NOTE, "16 colours, from TERM. The theme ansi"),
        (
            {**_GOOD, "LANG": "C"},
            (120, 36),
            Level.NOTE,
            "UTF-8 (LANG=C): everything is drawn in ASCII",
        ),
        ({**_GOOD, "STY": "1"}, (120, 36), Level.NOTE, "screen and older mosh block it"),
        (_GOOD, None, Level.NOTE, "Not checked: this is a pipe or a job"),
    ],
)
def test_what_a_terminal_can_show_is_told(
    environment: dict[str, str], size: tuple[int, int] | None, level: Level, told: str
) -> None:
    remarks = [*examine_terminal(environment, size, "utf-8")]
    assert [remark.level for remark in remarks if told in f"{remark.text} {remark.hint}"] == [level]


def test_what_cannot_be_looked_at_is_a_problem_and_the_rest_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / ("long" * 100)))
    code, remarks = _told(capsys)
    assert code == 1
    assert "cannot be read: file name too long. Check its" in _texts(remarks, "program")
    assert _texts(remarks, "profile")
    assert _texts(remarks, "terminal")


@pytest.mark.parametrize(("answer", "is_mended"), [("y", True), ("", False)])
def test_a_repair_is_asked_for_on_a_terminal(
    places: Places,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    answer: str,
    is_mended: bool,
) -> None:
    _cache(places).write_bytes(b"nonsense " * 1000)
    ours, theirs = pty.openpty()
    with os.fdopen(theirs, "r", encoding="utf-8") as typed, os.fdopen(ours, "wb", 0) as keys:
        keys.write(f"{answer}\n".encode())
        monkeypatch.setattr("sys.stdin", typed)
        monkeypatch.setattr("sys.stderr.isatty", lambda: True)
        assert main(["doctor", "--repair"]) == (0 if is_mended else 1)
    question = "Set the damaged cache aside? It will be rebuilt from the service. [y/N] "
    assert capsys.readouterr().err == question
    assert bool(set_aside_files(_cache(places))) == is_mended


def test_what_is_between_is_told() -> None:
    environment = {**_GOOD, "TMUX": "/tmp/tmux", "SSH_CONNECTION": "1 2"}  # noqa: S108  not used
    told = examine_terminal(environment, (120, 36), "utf-8")
    assert any("tmux, ssh" in remark.text for remark in told)
    assert any("set-clipboard" in remark.hint for remark in told)
    assert any("may not arrive" in remark.text for remark in told)


def test_a_remark_is_what_programs_get() -> None:
    remark = Remark(Level.OK, "cache", "whole")._asdict()
    assert remark == {"level": "ok", "about": "cache", "text": "whole", "hint": ""}
