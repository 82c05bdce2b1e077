"""`callboard settings`, the table of the help, and what settings do at the start."""

import re
from contextvars import copy_context
from datetime import date, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from tests.lint import tables
from tui.cli.main import main
from tui.cli.settings import documented, first_request, read_settings, use
from tui.config.paths import HOME_VARIABLE, Places
from tui.config.settings import DATES, SETTINGS, STARTS, WEEKDAYS, Settings, understood
from tui.config.settings_file import SettingsError, SettingsFile
from tui.config.settings_writing import literal
from tui.config.themes import ROLES, OwnTheme
from tui.help import topics
from tui.model.standup.insight import begins
from tui.navigation import ListRequested, StandupRequested
from tui.text.dates import elapsed, parse_when, relative

FILE = Path("config.toml")
COLORS = st.from_regex(r"#([0-9a-f]{3}){1,2}", fullmatch=True)


def test_every_setting_is_declared_and_its_default_is_allowed() -> None:
    defaults = Settings()
    declared, fields = {*SETTINGS, "keys", "profiles", "themes", "commands"}, {*Settings._fields}
    file = "tui/config/settings.py"
    refused = list[str]()
    for name in SETTINGS.keys() & fields:
        setting, default = SETTINGS[name], getattr(defaults, name)
        values = (list(default) if isinstance(default, tuple) else default, *setting.choices)
        refused += [f"{name}: {each!r}" for each in values if not setting.rule.accepts(each)]
    declarations = (f'"{name}": Setting("SECTION", "ABOUT", RULE),' for name in fields - declared)
    tables.check(
        tables.missing(declarations, "`SETTINGS`", file),
        tables.missing(
            (f"{each}: TYPE = DEFAULT" for each in declared - fields), "`Settings`", file
        ),
        tables.Edit(f"Let the rule accept the default and the choices in {file}:", sorted(refused)),
    )


def test_the_help_has_every_setting_with_its_default() -> None:
    row = re.compile(r"^\| `(\w+)` \| (.*) \(`(.*?)`\) \|$", re.MULTILINE)
    assert row.findall(topics.markdown("settings")) == [
        (
            name,
            "; ".join(
                filter(
                    None,
                    (
                        f"{each.title}: {each.about}",
                        each.choices_in_words(lambda choice: f"`{choice}`"),
                    ),
                )
            ),
            literal(Settings._field_defaults[name]),
        )
        for name, each in SETTINGS.items()
    ]


def test_every_setting_and_choice_has_words_of_its_own() -> None:
    titles = [each.title for each in SETTINGS.values()]
    assert len(set(titles)) == len(titles)
    for name, each in SETTINGS.items():
        assert re.fullmatch(r"[A-Z][A-Za-z ]+", each.title), name
        assert len(set(each.choices.values())) == len(each.choices), name
        for value in (Settings._field_defaults[name], *each.choices):
            assert each.in_words(value), name
            assert not re.search(r"[(\[_]|^\d{4}-", each.in_words(value)), name


def test_choices_are_listed_as_in_the_file_with_names_that_differ() -> None:
    first, start = SETTINGS["dates"], SETTINGS["start"]
    assert first.choices_in_words(literal) == '"relative", "iso" year-month-day'
    words = '"last-board" last board, "boards", "my-work" my work, "standup"'
    assert start.choices_in_words(literal) == words


def test_values_are_said_by_their_names() -> None:
    def words(name: str, value: object) -> str:
        return SETTINGS[name].in_words(value)

    assert [words("density", value) for value in SETTINGS["density"].choices] == [
        *("compact", "normal", "roomy", "automatic"),
    ]
    assert words("ascii", True) == "on"
    assert words("first_day", "sat") == "Saturday"
    assert words("working_days", ("mon", "fri")) == "Mon, Fri"
    assert words("holidays", (date(2026, 12, 25),)) == "25 Dec 2026"
    assert words("holidays", ()) == "none"
    assert words("notify", "auto") == "automatic"
    assert words("editor", "") == "$VISUAL or $EDITOR"


def test_all_settings_are_printed_as_a_file_that_says_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path))
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "config.toml").write_text("density = 1\n[keys]\ntask.lift = 'f5'\n")
    assert main(["settings"]) == 0
    printed = capsys.readouterr().out
    about = "# Card density: lines per card, unless ctrl+e chose others"
    assert f"{about}; 1 compact, 2 normal, 3 roomy, 0 automatic\ndensity = 1\n" in printed
    assert '\n# theme = "callboard-dark"\n' in printed
    assert understood(SettingsFile(FILE, printed)) == Settings(density=1, keys={"task.lift": "f5"})
    uncommented = re.sub(r"^# (?=\w+ = )", "", printed, flags=re.MULTILINE)
    assert understood(SettingsFile(FILE, uncommented)).theme == "callboard-dark"


@given(
    st.builds(
        dict,
        theme=st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1),
        density=st.sampled_from([1, 2, 3]),
        ascii=st.booleans(),
        dates=st.sampled_from(DATES),
        start=st.sampled_from(STARTS),
        working_days=st.lists(st.sampled_from(WEEKDAYS), min_size=1).map(tuple),
        holidays=st.lists(st.dates()).map(tuple),
        editor=st.text(st.characters(exclude_categories=["C", "Z"])),
        keys=st.dictionaries(st.sampled_from(["a.b", "c.d"]), st.sampled_from(["x", '"', "\\"])),
        themes=st.dictionaries(
            st.from_regex(r"[A-Z][a-z0-9_-]{0,9}", fullmatch=True),
            st.builds(OwnTheme, st.just("nord"), st.dictionaries(st.sampled_from(ROLES), COLORS)),
        ),
    ).map(lambda values: Settings(**values))
)
def test_any_settings_are_printed_as_they_are(settings: Settings) -> None:
    assert understood(SettingsFile(FILE, "\n".join(documented(settings)))) == settings


@pytest.mark.parametrize(
    ("pattern", "is_allowed"),
    [
        ("{id}-{slug}", True),
        ("feature/{id}", True),
        ("{slug}", False),
        ("{id} {slug}", False),
        ("{id}..x", False),
        ("-{id}", False),
        ("{id}/", False),
        ("{id}.lock", False),
        ("{id}-{title}", False),
        (3, False),
    ],
)
def test_a_branch_name_is_one_that_git_takes(pattern: object, is_allowed: bool) -> None:
    assert SETTINGS["branch_name"].rule.accepts(pattern) is is_allowed


def test_dates_are_written_and_weeks_begin_as_is_set() -> None:
    now = datetime(2026, 11, 20, 12)  # noqa: DTZ001  a Friday

    late, soon = now - timedelta(hours=43), now + timedelta(hours=5)

    def seen() -> list[object]:
        return [
            relative(late, now),
            relative(soon, now),
            elapsed(late, now),
            parse_when("next week", now).date(),
            parse_when("next sat", now).date(),
            begins(now, 1).date(),
        ]

    assert seen() == [
        *("2d overdue", "today 17:00", "2d ago"),
        *(date(2026, 11, 23), date(2026, 11, 28), date(2026, 11, 16)),
    ]
    environ = {"VISUAL": "vi"}
    context = copy_context()
    context.run(use, Settings(dates="iso", first_day="sat", editor="nano"), environ)
    assert context.run(seen) == [
        *("2026-11-18 overdue", "2026-11-20 17:00", "2026-11-18"),
        *(date(2026, 11, 21), date(2026, 11, 21), date(2026, 11, 14)),
    ]
    assert environ == {"VISUAL": "nano"}
    context.run(use, Settings(), environ := {"VISUAL": "vi"})
    assert environ == {"VISUAL": "vi"}


def test_the_program_begins_as_is_set() -> None:
    assert first_request(Settings(), boards=False) is None
    assert isinstance(first_request(Settings(start="standup"), boards=False), StandupRequested)
    work = first_request(Settings(start="my-work"), boards=False)
    assert isinstance(work, ListRequested)
    assert work.name == "my_work"
    assert first_request(Settings(start="standup"), boards=True) is None


@pytest.mark.parametrize(
    ("text", "warning"),
    [
        ("task.lift = 'space,x'", "‘x’: Lift or drop card (task.lift), Close or reopen card"),
        ("task.close = 'g'", "Go to boards (go.boards)"),
        ("task.close = 'ctrl+i'", "(task.close): terminals send tab for ‘"),
    ],
)
def test_keys_in_conflict_are_named_at_the_start(tmp_path: Path, text: str, warning: str) -> None:
    places = Places(tmp_path, tmp_path, tmp_path)
    places.settings.write_text(f"[keys]\n{text}\n")
    settings, warnings = read_settings(places)
    assert len(settings.keys) == 1
    assert any(warning in each for each in warnings)


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("theme = 'callboard-drak'", "callboard-dark"),
        ("[keys]\ntask.lit = 'x'", "task.lift"),
        ("editr = 'vi'", "editor"),
    ],
)
def test_what_is_unknown_is_told_at_the_start(tmp_path: Path, text: str, hint: str) -> None:
    places = Places(tmp_path, tmp_path, tmp_path)
    places.settings.write_text(text)
    with pytest.raises(SettingsError) as problem:
        read_settings(places)
    assert problem.value.hint == f"Did you mean “{hint}”?"
