"""Which settings of a database are understood, and folders of attachments that can be used."""

from pathlib import Path

import pytest

from tests.service.world import World
from tui.service.attachments import Attachments
from tui.service.database.sqlite import open_database
from tui.service.databases import DatabaseSettingUnusable, attachments_of, is_address, open_at


@pytest.mark.parametrize(
    "setting",
    ["mysql://ann:secret@host/boards", "sqlite:///boards", "Postgresql+psycopg://host/b", "x://"],
)
def test_an_address_of_another_kind_is_refused_without_its_password(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, setting: str
) -> None:
    monkeypatch.chdir(tmp_path)
    for use in (is_address, open_at, attachments_of):
        with pytest.raises(DatabaseSettingUnusable) as caught:
            use(setting)
        assert setting.partition("://")[0] in caught.value.message
        assert "secret" not in caught.value.message + caught.value.hint
        assert "postgresql://" in caught.value.hint
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("setting", ["boards", "./a:b", "C:/boards", "/srv/x//y", "a b://c"])
def test_a_path_is_no_address(setting: str) -> None:
    assert not is_address(setting)


def test_a_folder_is_tried_out_and_left_empty(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "attachments"
    Attachments(folder).try_out()
    assert (list(folder.iterdir()), folder.stat().st_mode & 0o777) == ([], 0o700)
    (tmp_path / "file").touch()
    with pytest.raises(OSError, match=r"exists|directory"):
        Attachments(tmp_path / "file").try_out()


@pytest.mark.parametrize("is_replaced", [False, True])
def test_a_file_that_is_gone_takes_no_more_changes(tmp_path: Path, is_replaced: bool) -> None:
    path, other = tmp_path / "b", tmp_path / "other"
    ended: list[bool] = []
    world = World(open_database(path))
    world.furnish()
    world.database.on_gone = lambda: ended.append(True)
    if is_replaced:
        open_database(other).close()
        other.replace(path)
    else:
        path.unlink()
    for method, body in (("PUT", {"title": "Shed"}), ("GET", None)):
        answer = world.ask("ann", method, "/projects/1", body)
        assert (answer.status, answer.body["code"]) == (503, "file_gone")
    assert ended
    world.close()
