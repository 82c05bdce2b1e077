"""Archives: what is exported comes back the same, and nothing comes back from a bad one."""

import stat
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any
from zipfile import ZIP_STORED, ZipFile

import pytest

from tests.harness.cases import mostly_long
from tests.service.archives import COMMENTS, Unpacked, content, export, full_world
from tests.service.world import World
from tui.errors import CallboardError
from tui.service.archive.file import ArchiveUnusable, Manifest
from tui.service.archive.layout import layout
from tui.service.archive.loading import read_archive
from tui.service.attachments import Attachments
from tui.service.database.schema import MIGRATIONS
from tui.service.database.sqlite import open_database
from tui.service.errors import ServiceError

Change = Callable[[Unpacked], None]


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive of a full world."""
    folder = tmp_path_factory.mktemp("full")
    world = full_world(folder)
    path = export(world, folder / "a.zip")
    world.close()
    return path


def _import(path: Path, folder: Path, *, needs_local: bool = False) -> Manifest:
    return read_archive(
        path,
        lambda: open_database(folder / "b"),
        Attachments(folder / "attachments"),
        needs_local=needs_local,
    )


def _imported_world(path: Path, folder: Path) -> World:
    _import(path, folder)
    return World(open_database(folder / "b"), attachments=Attachments(folder / "attachments"))


def test_everything_comes_back(tmp_path: Path) -> None:
    world = full_world(tmp_path / "old")
    path = export(world, tmp_path / "a.zip")
    copy = _imported_world(path, tmp_path / "new")
    kept = content(world.database)
    assert content(copy.database) == kept
    assert {"comment_image", "custom_field_value", "subtask_group"} <= {n for n in kept if kept[n]}
    for address in ("/projects", "/projects/1", "/projects/1/tasks", COMMENTS):
        assert copy.done("ann", "GET", address) == world.done("ann", "GET", address)
    image = copy.done("ann", "GET", COMMENTS).at("comments.data.0.images.0.secure_url")
    assert copy.fetch("nobody", "GET", image).content == world.fetch("nobody", "GET", image).content
    again = export(copy, tmp_path / "again.zip")
    assert Unpacked.of(again).entries == Unpacked.of(path).entries
    world.close()
    copy.close()


@pytest.mark.long
def test_ids_that_were_used_are_not_given_again(archive: Path, tmp_path: Path) -> None:
    copy = _imported_world(archive, tmp_path)
    highest = Unpacked.of(archive).manifest["tables"]["task"]["last_id"]
    task = {"task": {"title": "New", "board_id": 1, "stage_id": 1}}
    assert copy.done("ann", "POST", "/projects/1/tasks", task).at("task.id") == highest + 1
    copy.close()


def test_an_archive_is_for_its_owner_and_replaces_nothing(tmp_path: Path) -> None:
    world = full_world(tmp_path)
    path = export(world, tmp_path / "a.zip")
    before = path.read_bytes()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with pytest.raises(ArchiveUnusable, match="is there already"):
        export(world, path)
    with pytest.raises(ArchiveUnusable, match="no such file"):
        export(world, tmp_path / "missing" / "a.zip")
    world.close()
    assert path.read_bytes() == before
    assert [each.name for each in tmp_path.glob(".archive*")] == []


def test_a_picture_that_is_gone_is_named(tmp_path: Path) -> None:
    world = full_world(tmp_path / "old")
    (picture,) = (tmp_path / "old" / "attachments").iterdir()
    picture.unlink()
    path = export(world, tmp_path / "a.zip")
    assert _import(path, tmp_path / "new").missing_files == (picture.name,)
    world.close()


@pytest.mark.long
def test_what_packs_too_well_is_stored_as_it_is(tmp_path: Path) -> None:
    world = full_world(tmp_path / "old")
    with world.database.transaction(writing=True) as db:
        db.run("update task set description = :text where id = 1", text="x" * 20_000_000)
    path = export(world, tmp_path / "a.zip")
    world.close()
    with ZipFile(path) as file:
        assert {entry.compress_type for entry in file.infolist()} == {ZIP_STORED}
    _import(path, tmp_path / "new")


def test_only_an_empty_database_is_filled(archive: Path, tmp_path: Path) -> None:
    _import(archive, tmp_path)
    database = open_database(tmp_path / "b")
    before = content(database)
    with pytest.raises(ServiceError) as refused:
        _import(archive, tmp_path)
    assert (refused.value.status, refused.value.code) == (409, "not_empty")
    assert content(database) == before
    database.close()


def test_an_import_that_fails_leaves_nothing(archive: Path, tmp_path: Path) -> None:
    database = open_database(tmp_path / "b")
    with database.transaction(writing=True) as db:
        db.run("create trigger no before insert on comment begin select raise(abort, 'no'); end")
    with pytest.raises(Exception, match="no"):
        _import(archive, tmp_path)
    assert not any(content(database).values())
    assert list((tmp_path / "attachments").iterdir()) == []
    with database.transaction(writing=True) as db:
        db.run("drop trigger no")
    database.close()
    _import(archive, tmp_path)


def test_pictures_of_an_import_that_was_killed_are_taken_over(
    archive: Path, tmp_path: Path
) -> None:
    unpacked = Unpacked.of(archive)
    (name,) = unpacked.manifest["files"]
    picture = tmp_path / "attachments" / name
    picture.parent.mkdir()
    picture.write_bytes(b"another")
    with pytest.raises(ArchiveUnusable, match="there with other bytes"):
        _import(archive, tmp_path)
    assert picture.read_bytes() == b"another"
    picture.write_bytes(unpacked.entries[f"attachments/{name}"])
    _import(archive, tmp_path)


def test_what_came_into_the_folder_by_another_way_is_not_removed(
    archive: Path, tmp_path: Path
) -> None:
    (name,) = Unpacked.of(archive).manifest["files"]
    picture = tmp_path / "attachments" / name
    picture.parent.mkdir()
    # It is not there when somebody asks, and is there when one writes, as between two imports.
    picture.symlink_to(tmp_path / "not mounted")
    with pytest.raises(CallboardError):
        _import(archive, tmp_path)
    assert picture.is_symlink()


def _without(table: str, manifest: Any) -> None:
    del manifest["tables"][table]


def test_an_archive_of_an_older_version_is_brought_up_to_date(
    archive: Path, tmp_path: Path
) -> None:
    older = {table.name: {column.name for column in table.columns} for table in layout(2)}
    old = Unpacked.of(archive)
    for name in list(old.manifest["tables"]):
        if name in older:
            old.keep_columns(name, older[name])
        else:
            del old.entries[f"tables/{name}.jsonl"]
            old.change_manifest(partial(_without, name))
    _drop("attachments/")(old)
    _manifest(schema_version=2, files={})(old)
    copy = _imported_world(old.pack(tmp_path / "old.zip"), tmp_path)
    assert copy.done("vic", "GET", "/projects/1/tasks/1").at("task.title") == "Dig"
    copy.close()


def test_one_s_own_boards_need_one_s_own_account(archive: Path, tmp_path: Path) -> None:
    with pytest.raises(ArchiveUnusable, match="none of its accounts is yours"):
        _import(archive, tmp_path, needs_local=True)
    assert not (tmp_path / "b").exists()
    own = Unpacked.of(archive)
    own.change_row("account", 1, is_local=1)
    _import(own.pack(tmp_path / "own.zip"), tmp_path, needs_local=True)


def _row(table: str, place: int, **values: object) -> Change:
    return lambda archive: archive.change_row(table, place, **values)


def _manifest(**values: object) -> Change:
    return lambda archive: archive.change_manifest(lambda manifest: manifest.update(values))


def _add(name: str, raw: bytes = b"") -> Change:
    return lambda archive: archive.entries.update({name: raw})


def _drop(prefix: str) -> Change:
    def change(archive: Unpacked) -> None:
        name = next(name for name in archive.entries if name.startswith(prefix))
        del archive.entries[name]

    return change


def _flip(prefix: str) -> Change:
    def change(archive: Unpacked) -> None:
        name = next(name for name in archive.entries if name.startswith(prefix))
        raw = archive.entries[name]
        archive.entries[name] = raw[:-2] + bytes([raw[-2] ^ 1]) + raw[-1:]

    return change


def _last_id(table: str, value: object) -> Change:
    return lambda archive: archive.change_manifest(
        lambda manifest: manifest["tables"][table].update(last_id=value)
    )


def _picture(raw: bytes) -> Change:
    def change(archive: Unpacked) -> None:
        archive.replace(next(name for name in archive.entries if "attachments/" in name), raw)

    return change


_NOT_THERE = "which is not there"
_WRONG = "wrong value in"
_OTHER = "does not hold what its manifest says"
_BAD: dict[str, tuple[Change, str]] = {
    "no manifest": (_drop("manifest.json"), "is not one of this program"),
    "manifest no JSON": (_add("manifest.json", b"{"), "is no JSON"),
    "manifest too deep": (_add("manifest.json", b"[" * 100_000), "is no JSON"),
    "another format": (_manifest(format="x"), "is not one of this program"),
    "a later format": (_manifest(format_version=2), "does not know"),
    "a newer version": (_manifest(schema_version=len(MIGRATIONS) + 1), "newer version"),
    "version as text": (_manifest(schema_version="1"), "“schema_version” cannot be read"),
    "tables no object": (_manifest(tables=[]), "“tables” cannot be read"),
    "table of another name": (_manifest(tables={"../task": {}}), "“tables” cannot be read"),
    "files outside": (_manifest(files={"../../x": {}}), "“files” cannot be read"),
    "missing files outside": (_manifest(missing_files=["../x"]), "“missing_files” cannot"),
    "more missing files": (_manifest(missing_files=["0" * 32]), "pictures that its rows tell of"),
    "a path outside": (_add("../../evil", b"x"), _OTHER),
    "an absolute path": (_add("/etc/evil", b"x"), _OTHER),
    "a table too many": (_add("tables/x.jsonl"), _OTHER),
    "a table too few": (_drop("tables/task.jsonl"), _OTHER),
    "no picture": (_drop("attachments/"), _OTHER),
    "a picture too many": (_add("attachments/" + "0" * 32), _OTHER),
    "a bit of a row": (_flip("tables/account"), "account"),
    "a bit of a picture": (_flip("attachments/"), "differs from its manifest"),
    "a picture of another size": (_picture(b"\x89PNG"), "another size"),
    "no row": (lambda a: a.replace("tables/task.jsonl", b"[]\n", 1), "holds no row in"),
    "half a row": (lambda a: a.replace("tables/task.jsonl", b"{}", 1), "holds no row in"),
    "rows miscounted": (lambda a: a.replace("tables/webhook.jsonl", b"", 7), "differs from its"),
    "a column too many": (_row("task", 0, x=1), _WRONG),
    "a column too few": (
        lambda a: a.change_rows("task", lambda rows: rows[0].pop("title") and None),
        _WRONG,
    ),
    "a number for a text": (_row("task", 0, title=1), _WRONG),
    "a text for a number": (_row("task", 0, stage_id="1"), _WRONG),
    "a truth for a number": (_row("task", 0, comments_count=True), _WRONG),
    "a fraction for an id": (_row("task", 0, stage_id=1.5), _WRONG),
    "an id of nothing": (_row("task", 0, id=0), _WRONG),
    "an id too large": (_row("task", 0, id=2**63), _WRONG),
    "an endless position": (_row("task", 0, position=float("inf")), _WRONG),
    "nothing where something must be": (_row("task", 0, title=None), _WRONG),
    "no JSON in settings": (_row("task", 0, settings="{"), _WRONG),
    "another role": (_row("membership", 0, role="god"), _WRONG),
    "another status": (_row("task", 0, status="ajar"), _WRONG),
    "half a character": (_row("task", 0, title="\ud800"), "cannot be kept"),
    "an id above the last": (_last_id("task", 1), _WRONG),
    "no last id": (_last_id("task", None), "“last_id” of task"),
    "an id twice": (_row("task", 1, id=1), "cannot be kept"),
    "a login twice": (_row("account", 1, login="root"), "cannot be kept"),
    "a stage that is not there": (_row("task", 0, stage_id=999), _NOT_THERE),
    "a parent that is not there": (_row("comment", 0, parent_id=999), _NOT_THERE),
    "a bomb": (_add("x", bytes(60_000_000)), "far more than an archive can hold"),
}


@mostly_long("change, reason", _BAD.values(), every=3, ids=_BAD.keys())
def test_a_bad_archive_is_refused_before_anything_is_written(
    archive: Path, tmp_path: Path, change: Change, reason: str
) -> None:
    bad = Unpacked.of(archive)
    change(bad)
    path = bad.pack(tmp_path / "bad.zip")
    with pytest.raises(ArchiveUnusable) as refused:
        _import(path, tmp_path)
    assert reason in refused.value.message
    assert "Nothing was changed" in refused.value.message
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("raw", [b"", b"PK", b"SQLite format 3\0" * 9, bytes(100_000)])
def test_what_is_no_zip_file_is_refused(tmp_path: Path, raw: bytes) -> None:
    path = tmp_path / "a"
    path.write_bytes(raw)
    with pytest.raises(ArchiveUnusable, match="damaged or is no zip"):
        _import(path, tmp_path)
    with pytest.raises(ArchiveUnusable, match="no such file"):
        _import(tmp_path / "missing", tmp_path)


def test_an_entry_that_is_there_twice_is_refused(archive: Path, tmp_path: Path) -> None:
    path = Unpacked.of(archive).pack(tmp_path / "a.zip")
    with warnings.catch_warnings(action="ignore"), ZipFile(path, "a") as file:
        file.writestr("tables/task.jsonl", b"")
    with pytest.raises(ArchiveUnusable, match="twice"):
        _import(path, tmp_path)


def test_an_archive_cut_anywhere_or_with_a_wrong_byte_leaves_nothing(
    archive: Path, tmp_path: Path
) -> None:
    raw = archive.read_bytes()
    for place in range(0, len(raw), len(raw) // 40):
        bad = tmp_path / "bad.zip"
        bad.write_bytes(raw[:place])
        with pytest.raises(ArchiveUnusable):
            _import(bad, tmp_path)
    assert not (tmp_path / "b").exists()
