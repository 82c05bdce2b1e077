"""Files that are opened, and files that are left alone."""

import contextlib
import os
import shutil
import sqlite3
import stat
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.service.world import FrozenClock
from tui.errors import CallboardError
from tui.service.accounts.accounts import create_account
from tui.service.database.schema import MIGRATIONS
from tui.service.database.sqlite import _has_log, open_database
from tui.service.embedded import DatabaseUnusable, Embedded, open_embedded
from tui.service.times import SiteClock

_NOBODY = 65534


def _open(path: Path, login: str = "ann", name: str = "Ann") -> Embedded:
    return open_embedded(path, login=login, display_name=name, clock=FrozenClock())


def _make(path: Path) -> None:
    _open(path).close()


def _refused(path: Path) -> DatabaseUnusable:
    """Open a file that must be refused and be left as it was."""
    before = path.read_bytes()
    with pytest.raises(DatabaseUnusable) as caught:
        _open(path)
    assert path.read_bytes() == before
    assert isinstance(caught.value, CallboardError)
    assert str(path) in caught.value.message
    assert "Nothing was changed" in caught.value.message
    return caught.value


def test_a_new_file_is_for_its_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "data" / "boards.sqlite"
    embedded = _open(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert embedded.password not in repr(embedded)
    assert len(embedded.password) > 30
    embedded.close()


def test_an_empty_file_is_taken_as_new(tmp_path: Path) -> None:
    path = tmp_path / "b"
    path.touch()
    _make(path)
    assert path.stat().st_size > 0


def test_a_file_is_opened_again_and_is_the_same_person_s(tmp_path: Path) -> None:
    path = tmp_path / "b"
    _make(path)
    again = _open(path, login="annie", name="Annie")
    with again.database.transaction(writing=False) as db:
        rows = db.all("select login, display_name, is_administrator, is_local from account")
    again.close()
    assert rows == [
        {"login": "annie", "display_name": "Annie", "is_administrator": 1, "is_local": 1}
    ]


def test_a_login_that_another_account_has_is_not_taken_from_it(tmp_path: Path) -> None:
    path = tmp_path / "b"
    first = _open(path)
    with first.database.transaction(writing=True) as db:
        db.run("insert into account (login, display_name, created_at) values ('bob', 'B', '')")
    first.close()
    again = _open(path, login="bob", name="Ann")
    assert again.login == "ann"
    again.close()


def test_any_login_can_be_carried(tmp_path: Path) -> None:
    for given, login in (("a:n\x1b[1mn", "ann"), (" :\n", "me")):
        embedded = _open(tmp_path / login, login=given, name="")
        assert embedded.login == login
        with embedded.database.transaction(writing=False) as db:
            assert db.value("select display_name from account") == login
        embedded.close()


@pytest.mark.parametrize("content", [b"not a database at all", b"SQLite", b"\x00" * 5000])
def test_other_files_are_left_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "b"
    path.write_bytes(content)
    assert "is not a database of this program" in _refused(path).message


@pytest.mark.parametrize(("start", "length"), [(100, 200), (4096, 4096), (12_000, 9000)])
def test_a_damaged_file_is_left_alone(tmp_path: Path, start: int, length: int) -> None:
    path = tmp_path / "b"
    _make(path)
    content = bytearray(path.read_bytes())
    content[start : start + length] = b"\xa5" * length
    path.write_bytes(content)
    refusal = _refused(path)
    assert "is damaged" in refusal.message
    assert refusal.hint


def test_a_cut_off_file_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "b"
    _make(path)
    path.write_bytes(path.read_bytes()[:9000])
    assert "is damaged" in _refused(path).message


def test_the_database_of_another_program_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "b"
    with contextlib.closing(sqlite3.connect(path)) as link:
        link.execute("create table bookmarks (url text)")
        link.commit()
    assert "another program" in _refused(path).message


def test_a_newer_file_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "b"
    _make(path)
    with contextlib.closing(sqlite3.connect(path)) as link:
        link.execute(f"pragma user_version = {len(MIGRATIONS) + 1}")
    refusal = _refused(path)
    assert "newer version" in refusal.message
    assert refusal.hint == "Update this program."


def test_where_there_can_be_no_write_ahead_log_every_write_is_synced() -> None:
    with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as link:
        assert not _has_log(link)
        assert link.execute("pragma journal_mode").fetchone()[0] != "wal"
        assert link.execute("pragma synchronous").fetchone()[0] == 2


def test_a_folder_in_its_place_is_told(tmp_path: Path) -> None:
    with pytest.raises(DatabaseUnusable, match="is a directory"):
        _open(tmp_path)


def test_a_file_in_the_place_of_its_folder_is_told(tmp_path: Path) -> None:
    (tmp_path / "data").touch()
    with pytest.raises(DatabaseUnusable, match="Nothing was changed"):
        _open(tmp_path / "data" / "b")


def test_a_file_in_use_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tui.service.database.sqlite._BUSY_SECONDS", 0.0)
    path = tmp_path / "b"
    _make(path)
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("begin immediate")
        with pytest.raises(DatabaseUnusable, match="in use by another program"):
            _open(path)
        other.execute("rollback")


@pytest.fixture
def unprivileged_folder() -> Iterator[Path]:
    """A folder that everybody reaches and only its owner may write to; root steps down for it."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o555)
    is_root = os.geteuid() == 0
    if is_root:
        os.seteuid(_NOBODY)
    try:
        yield folder
    finally:
        if is_root:
            os.seteuid(0)
        folder.chmod(0o755)
        shutil.rmtree(folder)


@pytest.mark.skipif(sys.platform == "win32", reason="folders have no such modes there")
@pytest.mark.parametrize("name", ["b", "data/b"])
def test_a_folder_that_may_not_be_written_to_is_told(unprivileged_folder: Path, name: str) -> None:
    with pytest.raises(DatabaseUnusable, match="may not be written to") as caught:
        _open(unprivileged_folder / name)
    assert "writable" in caught.value.hint
    assert list(unprivileged_folder.iterdir()) == []


def test_a_file_that_may_only_be_read_is_told(tmp_path: Path) -> None:
    path = tmp_path / "b"
    _make(path)
    shared = Path(tempfile.mkdtemp())
    shared.chmod(0o755)
    shutil.copy(path, shared / "b")
    (shared / "b").chmod(0o444)
    before = (shared / "b").read_bytes()
    is_root = os.geteuid() == 0
    if is_root:
        os.seteuid(_NOBODY)
    try:
        with pytest.raises(DatabaseUnusable, match="may not be written to"):
            _open(shared / "b")
    finally:
        if is_root:
            os.seteuid(0)
    assert (shared / "b").read_bytes() == before
    shutil.rmtree(shared)


def test_the_local_account_gets_a_login_that_nobody_has(tmp_path: Path) -> None:
    path = tmp_path / "b"
    with contextlib.closing(open_database(path)) as database:
        site = SiteClock(FrozenClock())
        with database.transaction(writing=True) as db:
            for login in ("ann", "ann-local"):
                create_account(db, site, login=login, display_name="Ann", password="Spade!2026")
    embedded = _open(path)
    assert embedded.login == "ann-local2"
    embedded.close()
    again = _open(path)
    assert again.login == "ann-local2"
    again.close()
