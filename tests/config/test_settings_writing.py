"""Changing one setting in the file changes nothing else there."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from tui.config.settings import Settings, understood
from tui.config.settings_file import BadSetting, SettingsFile
from tui.config.settings_writing import CurrentSettings, NotWritable, with_value
from tui.errors import CallboardError

FILE = Path("/settings/config.toml")

MINE = """# mine
density = 2   # two are enough
holidays = [
  "2026-12-25",
]

# the keys
[keys]
task.lift = 'space'  # as before
"task.close" = "x"

[profiles.work]
url = "https://example.org/v2"
login = "ann"
"""


def changed(text: str, name: str, value: object, table: str = "") -> str:
    return with_value(SettingsFile(FILE, text), name, value, table).text


def test_a_value_is_replaced_where_it_is_and_its_comment_stays() -> None:
    assert changed(MINE, "density", 1) == MINE.replace("density = 2 ", "density = 1 ")
    assert changed(MINE, "task.lift", "f5", "keys") == MINE.replace("'space'", '"f5"')
    several = changed(MINE, "holidays", ["2027-01-01", "2027-01-02"])
    assert 'holidays = ["2027-01-01", "2027-01-02"]\n\n# the keys' in several


def test_a_new_one_follows_the_others_of_its_table() -> None:
    assert changed("", "ascii", value=True) == "ascii = true\n"
    assert changed("# mine\n[keys]\n", "ascii", value=True) == "ascii = true\n# mine\n[keys]\n"
    assert ']\ntheme = "nord"\n\n# the keys' in changed(MINE, "theme", "nord")
    assert '"x"\n"task.open" = "o"\n\n[prof' in changed(MINE, "task.open", "o", "keys")
    assert changed("density = 1", "a.b", "o", "keys") == 'density = 1\n\n[keys]\n"a.b" = "o"\n'


def test_a_default_is_the_line_taken_out() -> None:
    assert changed(MINE, "density", None) == MINE.replace("density = 2   # two are enough\n", "")
    assert changed(MINE, "task.close", None, "keys") == MINE.replace('"task.close" = "x"\n', "")
    assert changed(MINE, "theme", None) == MINE
    assert changed("", "a.b", None, "keys") == ""


@pytest.mark.parametrize(
    ("text", "name", "table", "replaced", "removed"),
    [
        ("# 1\nkeys.'a.b' = 'x'", "a.b", "keys", "# 1\nkeys.'a.b' = \"y\"", "# 1\n"),
        (
            "keys = {'a.b' = 'x', 'c' = 'z'} # 1",
            "a.b",
            "keys",
            "keys = {'a.b' = \"y\", 'c' = 'z'} # 1",
            "keys = { 'c' = 'z'} # 1",
        ),
        (
            "[keys.a]\n# 1\nb = 'x'\nc = 'z'",
            "a.b",
            "keys",
            "[keys.a]\n# 1\nb = \"y\"\nc = 'z'",
            "[keys.a]\n# 1\nc = 'z'",
        ),
        (
            "# 1\neditor = '''\nvi'''\nascii = true",
            "editor",
            "",
            '# 1\neditor = "y"\nascii = true',
            "# 1\nascii = true",
        ),
    ],
)
def test_a_value_in_an_unusual_form_is_replaced_where_it_is(
    text: str, name: str, table: str, replaced: str, removed: str
) -> None:
    assert changed(text, name, "y", table) == replaced
    assert changed(text, name, None, table) == removed


def test_a_new_one_joins_a_table_in_braces() -> None:
    text = "# 1\nkeys = {'a.b' = 'x'} # 2"
    assert changed(text, "c", "y", "keys") == "# 1\nkeys = {'a.b' = 'x',c = \"y\"} # 2"


@pytest.mark.parametrize("value", [["2026-12-25"], None])
def test_what_cannot_be_changed_without_losing_a_comment_is_left_to_the_person(
    value: list[str] | None,
) -> None:
    with pytest.raises(NotWritable, match="cannot be changed safely") as problem:
        changed("holidays = [ # none\n]", "holidays", value)
    hint = "Remove holidays by hand." if value is None else 'Write: holidays = ["2026-12-25"]'
    assert problem.value.hint == hint


def test_what_is_no_table_is_left_to_the_person() -> None:
    with pytest.raises(NotWritable, match="cannot be changed safely"):
        changed("keys = 1", "a.b", "o", "keys")


_LINES = st.sampled_from(
    [
        "density = 1",
        "# density = 2",
        "theme = 'x' # density = 3",
        'theme = "density = 1"',
        "holidays = ['2026-12-25'] # [keys]",
        "[keys]",
        "'a.b' = 'x'",
        "a.b = 'x'",
        "keys.'c.d' = 'z' # mine",
        "[profiles.b]",
        "url='https://b/v2'",
        "login='b'",
        "",
    ]
)


@given(
    st.lists(_LINES, max_size=8),
    st.one_of(
        st.tuples(st.just("density"), st.sampled_from([1, 2, 3, None]), st.just("")),
        st.tuples(st.just("editor"), st.text(max_size=9) | st.none(), st.just("")),
        st.tuples(st.just("ascii"), st.booleans(), st.just("")),
        st.tuples(
            st.sampled_from(["a.b", "c.d"]), st.text(min_size=1, max_size=9), st.just("keys")
        ),
        st.tuples(st.sampled_from(["a.b", "c.d"]), st.none(), st.just("keys")),
    ),
)
def test_any_good_file_says_what_was_meant_and_nothing_else_changes(
    lines: Sequence[str], change: tuple[str, object, str]
) -> None:
    name, value, table = change
    file = SettingsFile(FILE, "\n".join(lines))
    try:
        before = understood(file)
    except CallboardError:
        before, file = Settings(), SettingsFile(FILE, "")
    try:
        text = with_value(file, name, value, table).text
        after = understood(SettingsFile(FILE, text))
    except (NotWritable, BadSetting):
        return
    if table:
        keys: dict[str, Any] = {key: each for key, each in before.keys.items() if key != name}
        assert after == before._replace(keys=keys | ({} if value is None else {name: value}))
    else:
        meant: Any = Settings._field_defaults[name] if value is None else value
        fields: dict[str, Any] = {name: meant}
        assert after == before._replace(**fields)
    kept = [line for line in file.text.splitlines() if line.strip()]
    missing = [line for line in kept if line not in text.splitlines()]
    assert len(missing) <= 1
    assert all(name in line.replace("'", "") for line in missing)


def test_the_settings_of_a_run_change_with_their_file_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "config" / "config.toml"
    current = CurrentSettings(Settings(), path)
    current.set("density", 1)
    current.set("task.lift", "f5", "keys")
    assert path.read_text() == 'density = 1\n\n[keys]\n"task.lift" = "f5"\n'
    assert current.settings == Settings(density=1, keys={"task.lift": "f5"})
    for name, value in (("density", 9), ("default_profile", "nobody")):
        with pytest.raises(CallboardError):
            current.set(name, value)
    path.write_text("density = 9")
    with pytest.raises(BadSetting, match="line 1"):
        current.set("ascii", value=True)
    assert path.read_text() == "density = 9"
    assert current.settings == Settings(density=1, keys={"task.lift": "f5"})
