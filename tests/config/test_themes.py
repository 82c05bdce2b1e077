"""Themes of one's own are taken as written, or refused with what is wrong and on which line."""

from pathlib import Path

import pytest

from tests.screens.test_hostile import HOSTILE
from tui.cli.settings import read_settings
from tui.config.paths import Places
from tui.config.settings import Settings, understood
from tui.config.settings_file import SettingsError, SettingsFile
from tui.config.settings_writing import literal, with_value
from tui.config.themes import ROLES, OwnTheme
from tui.text import clean
from tui.theme import ROLES as DRAWN

FILE = Path("config.toml")
SEA = '# mine\n[themes.sea]\nbased_on = "light"\naccent = "#5ad1c8"\non-accent = "#000"\n'


def of(text: str) -> Settings:
    """The settings in a text, checked as at a start."""
    return understood(SettingsFile(FILE, text))


def refused(folder: Path, text: str) -> tuple[str, str]:
    """Why settings are refused at a start, without the file's folder, and the hint."""
    places = Places(folder, folder, folder)
    places.settings.write_text(text)
    with pytest.raises(SettingsError) as problem:
        read_settings(places)
    return problem.value.message.replace(f"{folder}/", ""), problem.value.hint


def test_a_theme_has_colours_by_role_and_is_based_on_another() -> None:
    colors = {"accent": "#5ad1c8", "on-accent": "#000"}
    assert of(SEA).themes == {"sea": OwnTheme("callboard-light", colors)}
    assert of("[themes.sea]").themes == {"sea": OwnTheme("callboard-dark", {})}
    assert of("[themes.sea]\nbased_on = 'nord'").themes["sea"].based_on == "nord"
    assert of("").themes == {}


def test_every_role_can_be_chosen_and_is_drawn() -> None:
    assert {*ROLES} == DRAWN.keys()
    text = "\n".join(("[themes.sea]", *(f'{role} = "#123456"' for role in ROLES)))
    assert of(text).themes["sea"].colors == dict.fromkeys(ROLES, "#123456")


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        (SEA + 'grond = "#000"', "“grond” in config.toml, line 6 is not a setting.", "“ground”?"),
        (SEA + 'bad = "red"', "“bad” in config.toml, line 6 must be a colour in quotes", "Correct"),
        (SEA + "bad = 3", "“bad” in config.toml, line 6 must be a colour in quotes", "Correct"),
        ("[themes]\nsea.card = '#fff'\nsea.bad = '#12'", "“bad” in config.toml, line 3", "Correct"),
        ("themes.a.card = '#fff'\nthemes.a.bad = ''", "“bad” in config.toml, line 2", "Correct"),
        ("ascii = true\n[themes]\nsea = {bad = '#ggg'}", "“bad” in config.toml, line 3", "Correct"),
        ("themes = 3", "“themes” in config.toml, line 1 must be tables of their own", "Correct"),
        ("[themes]\nsea = 3", "“sea” in config.toml, line 2 must be a table of its own", "Correct"),
        ("[themes.sea]\nbased_on = 3", "“based_on” in config.toml, line 2 must be the", "Correct"),
        (
            "[themes.sea]\nbased_on = 'nrod'",
            "“based_on” in config.toml, line 2: the theme “nrod” is unknown.",
            "“nord”?",
        ),
        (
            "[themes.sea]\nbased_on = 'ansi'",
            "“based_on” in config.toml, line 2: the theme “ansi” has no colours of its own.",
            "Themes: sea, callboard-dark, ",
        ),
        (
            "[themes.a]\n[themes.b]\nbased_on = 'c'\n[themes.c]\nbased_on = 'b'",
            "“based_on” in config.toml, line 3 must be the name of a theme that is not based on",
            "Correct",
        ),
        ("[themes.a]\nbased_on = 'a'", "“based_on” in config.toml, line 2 must be the", "Correct"),
        (
            "\n[themes.nord]",
            "“nord” in config.toml, line 2 is already the name of a theme",
            "Choose",
        ),
        ("[themes.ansi]", "“ansi” in config.toml, line 1 is already the name of a theme", "Choose"),
        ("[themes.dark]", "“dark” in config.toml, line 1 cannot be the name of a theme", "Use up"),
        ("[themes.'a,b']", "“a,b” in config.toml, line 1 cannot be the name of a theme", "Use up"),
        (f"[themes.{'x' * 25}]", "in config.toml, line 1 cannot be the name of a theme", "Use up"),
        ("theme = 'see'\n[themes.sea]", "The theme “see” in config.toml is unknown.", "“sea”?"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(
    tmp_path: Path, text: str, message: str, hint: str
) -> None:
    said, advice = refused(tmp_path, text)
    assert message in said
    assert hint in advice


@pytest.mark.parametrize("text", [*HOSTILE, "[bold red]x[/]", "\x1b[31mred", "a\nb", ""])
def test_a_hostile_name_is_refused_and_said_without_control_characters(
    tmp_path: Path, text: str
) -> None:
    for written in (
        f"[themes.{literal(text)}]",
        f"[themes.sea]\n{literal(text)} = '#fff'",
        f"[themes.sea]\nbased_on = {literal(text)}",
        f"[themes.sea]\nbad = {literal(text)}",
    ):
        said, advice = refused(tmp_path, written)
        assert "config.toml, line " in said
        assert clean.line(said) == said
        assert clean.line(advice) == advice


def test_a_theme_of_ones_own_is_chosen_in_the_file_and_stays_as_written() -> None:
    changed = with_value(SettingsFile(FILE, SEA), "theme", "sea")
    assert changed.text == f'theme = "sea"\n{SEA}'
    assert understood(changed).themes == of(SEA).themes
