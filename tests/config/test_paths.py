"""Callboard keeps things where the system or the user wants them, for the user alone."""

from pathlib import Path
from stat import S_IMODE

import pytest
from platformdirs import PlatformDirs

from tui.config.paths import FolderUnusable, Places, make_folder


def test_the_system_says_where_things_are() -> None:
    folders = PlatformDirs("callboard", appauthor=False)
    places = Places.find({})
    assert places == Places(
        Path(folders.user_config_dir), Path(folders.user_data_dir), Path(folders.user_cache_dir)
    )


@pytest.mark.parametrize("folder", ["/elsewhere/é", "relative", ""])
def test_variables_of_the_system_are_followed(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, folder and f"{folder}/{name}")
    test_the_system_says_where_things_are()


def test_one_variable_puts_everything_below_one_folder(tmp_path: Path) -> None:
    places = Places.find({"CALLBOARD_HOME": str(tmp_path)})
    assert places == Places(tmp_path / "config", tmp_path / "data", tmp_path / "cache")
    assert places.settings == tmp_path / "config" / "config.toml"


def test_an_empty_variable_says_nothing() -> None:
    assert Places.find({"CALLBOARD_HOME": " "}) == Places.find({})


def test_a_short_name_is_made_whole(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "me"))
    assert Places.find({"CALLBOARD_HOME": "boards"}).data == tmp_path / "boards" / "data"
    assert Places.find({"CALLBOARD_HOME": "~/boards"}).data == tmp_path / "me" / "boards" / "data"


def test_looking_makes_nothing(tmp_path: Path) -> None:
    Places.find({"CALLBOARD_HOME": str(tmp_path / "home")})
    assert not list(tmp_path.iterdir())


def test_folders_are_made_for_the_user_alone(tmp_path: Path) -> None:
    places = Places.find({"CALLBOARD_HOME": str(tmp_path / "outer" / "home")})
    places.make()
    places.make()
    made = [tmp_path / "outer", tmp_path / "outer" / "home", places.data, places.cache]
    assert {S_IMODE(folder.stat().st_mode) for folder in made} == {0o700}
    assert not places.config.exists()


def test_a_folder_that_is_there_stays_as_it_is(tmp_path: Path) -> None:
    tmp_path.chmod(0o750)
    make_folder(tmp_path)
    assert S_IMODE(tmp_path.stat().st_mode) == 0o750


def test_a_folder_that_the_system_does_not_look_up_is_told(tmp_path: Path) -> None:
    with pytest.raises(FolderUnusable, match="cannot be used: file name too long"):
        make_folder(tmp_path / ("x" * 300) / "data")


@pytest.mark.parametrize("below", ["", "data", "data/deep"])
def test_a_file_in_the_way_is_told(tmp_path: Path, below: str) -> None:
    (tmp_path / "taken").write_text("")
    with pytest.raises(FolderUnusable) as problem:
        make_folder(tmp_path / "taken" / below)
    assert str(tmp_path / "taken") in problem.value.message
    assert "CALLBOARD_HOME" in problem.value.hint
