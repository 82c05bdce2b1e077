"""Settings are taken as written, or refused with what is wrong and where."""

from datetime import date
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from tui.config.settings import Settings, load_settings
from tui.config.settings_file import BadSetting, SettingsError, UnknownSetting
from tui.errors import CallboardError

KEYS = ("task.move-right", "task.delete", "board.filter")


def written(folder: Path, text: str) -> Path:
    file = folder / "config.toml"
    file.write_text(text, "utf-8")
    return file


def test_no_file_means_the_defaults(tmp_path: Path) -> None:
    assert load_settings(tmp_path / "config.toml") == Settings()
    assert load_settings(written(tmp_path, "")) == Settings()


def test_every_setting_is_taken(tmp_path: Path) -> None:
    text = """
    density = 1
    theme = "nord"
    ascii = true
    poll_seconds = 60
    working_days = ["sun", "mon"]
    holidays = ["2026-12-25", 2027-01-01]

    [keys]
    "task.delete" = "ctrl+d,delete"
    task.move-right = "L"
    """
    assert load_settings(written(tmp_path, text), KEYS) == Settings(
        density=1,
        theme="nord",
        ascii=True,
        poll_seconds=60,
        working_days=("sun", "mon"),
        holidays=(date(2026, 12, 25), date(2027, 1, 1)),
        keys={"task.delete": "ctrl+d,delete", "task.move-right": "L"},
    )


def test_a_mark_at_the_start_of_the_file_is_no_harm(tmp_path: Path) -> None:
    assert load_settings(written(tmp_path, "\ufeffdensity = 2")).density == 2


@pytest.mark.parametrize(
    ("text", "name", "line", "hint"),
    [
        ("theme = 'x'\n\ndensty = 2", "densty", 3, "density"),
        ("polling_seconds = 9", "polling_seconds", 1, "poll_seconds"),
        ("[key]\na = 'b'", "key", 1, "keys"),
        ("[layout]\ndensity = 1", "layout", 1, None),
        ("layout.density = 1", "layout", 1, None),
        ("[keys]\n'task.delet' = 'x'", "task.delet", 2, "task.delete"),
        ("[keys]\nboard.filtr = 'x'", "board.filtr", 2, "board.filter"),
    ],
)
def test_an_unknown_setting_is_told_with_the_nearest_known_one(
    tmp_path: Path, text: str, name: str, line: int, hint: str | None
) -> None:
    file = written(tmp_path, text)
    with pytest.raises(UnknownSetting) as problem:
        load_settings(file, KEYS)
    assert problem.value.message == f"“{name}” in {file}, line {line} is not a setting."
    assert problem.value.hint == (
        f"Did you mean “{hint}”?" if hint else "Remove the line, or correct it."
    )


def test_ids_of_keys_are_only_checked_when_they_are_known(tmp_path: Path) -> None:
    file = written(tmp_path, "[keys]\nanything = 'x'")
    assert load_settings(file).keys == {"anything": "x"}


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("density = 4", "1, 2 or 3"),
        ("density = '2'", "1, 2 or 3"),
        ("density = true", "1, 2 or 3"),
        ("density = 2.0", "1, 2 or 3"),
        ("theme = 3", "in quotes"),
        ("theme = ''", "in quotes"),
        ("ascii = 1", "true or false"),
        ("ascii = 'yes'", "true or false"),
        ("poll_seconds = 4", "from 5 to 600"),
        ("poll_seconds = 601", "from 5 to 600"),
        ("poll_seconds = 2026-01-01", "from 5 to 600"),
        ("working_days = 'mon'", "a list of days"),
        ("working_days = []", "a list of days"),
        ("working_days = ['mon', 'mo']", '["mon", "tue"]'),
        ("working_days = [['mon']]", "a list of days"),
        ("holidays = 2026-12-25", "a list of dates"),
        ("holidays = ['25 dec']", '["2026-12-25"]'),
        ("holidays = ['2026-02-29']", "a list of dates"),
        ("holidays = [2026-12-25T10:00:00]", "a list of dates"),
        ("keys = 'x'", "[keys]"),
        ("keys = ['x']", "[keys]"),
        ("[[keys]]", "[keys]"),
        ("keys.'task.delete' = 3", "in quotes"),
    ],
)
def test_a_wrong_value_is_told_with_what_would_do(tmp_path: Path, text: str, wanted: str) -> None:
    with pytest.raises(BadSetting) as problem:
        load_settings(written(tmp_path, text))
    assert "config.toml" in problem.value.message
    assert wanted in problem.value.message


def test_a_wrong_value_is_told_with_its_line(tmp_path: Path) -> None:
    file = written(tmp_path, "# mine\ndensity = 2\nascii = 'yes'\n")
    with pytest.raises(BadSetting, match=r"config\.toml, line 3 must be true or false"):
        load_settings(file)


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("density = 2\ntheme =", "at"),
        ("density = 2\ndensity 3", "line 2, column 9"),
        ("density = 1\ndensity = 2", "appears twice"),
        ("density = " + "9" * 5000, "some line"),
        ("density = " + "[" * 5000, "at"),
        ("theme = 'open", "at"),
        ("\x1b]0;x\x07", "line 1, column 1"),
    ],
)
def test_broken_toml_is_told_with_its_line(tmp_path: Path, text: str, where: str) -> None:
    with pytest.raises(SettingsError) as problem:
        load_settings(written(tmp_path, text))
    assert "not valid TOML" in problem.value.message
    assert where in problem.value.message
    assert "\x1b" not in problem.value.message


def test_text_of_another_encoding_is_told(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_bytes("theme = 'grün'".encode("latin-1"))
    with pytest.raises(SettingsError, match="not UTF-8"):
        load_settings(tmp_path / "config.toml")


def test_a_folder_in_its_place_is_told(tmp_path: Path) -> None:
    with pytest.raises(CallboardError, match="cannot be read: is a directory"):
        load_settings(tmp_path)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.text(alphabet=st.sampled_from("density=12.[]\"'\n keysathmrufl#{},"), max_size=30)
    | st.text(max_size=20)
)
def test_any_file_is_settings_or_a_clear_error(tmp_path: Path, text: str) -> None:
    file = tmp_path / "config.toml"
    file.write_bytes(text.encode("utf-8", "surrogatepass"))
    problem: SettingsError | None = None
    try:
        assert load_settings(file).density in (0, 1, 2, 3)
    except SettingsError as refused:
        problem = refused
    assert problem is None or ("config.toml" in problem.message and problem.hint)
