"""`callboard help`: topics, their tables, the pager, and what is new after an update."""

import re
from importlib.metadata import version
from pathlib import Path

import pytest

from tests.cli.conftest import Said
from tests.drivers.program import program
from tests.harness.cases import mostly_long
from tui.cli.help import _keys
from tui.cli.program import _news
from tui.config.preferences import ALL_BOARDS, Preferences
from tui.help import latest_version, topics


def test_topics_are_listed_with_their_titles(said: Said) -> None:
    code, text, beside = said("help")
    assert (code, beside) == (0, "")
    names = [line.split()[0] for line in text.splitlines() if line.startswith("  ")]
    assert names == topics.names()
    assert "Working offline" in text


@mostly_long("name", topics.names(), every=4)
def test_a_topic_is_printed_without_marks(name: str, said: Said) -> None:
    code, text, beside = said("help", name)
    assert (code, beside) == (0, "")
    assert text.startswith(f"{topics.title(name)}\n\n")
    for mark in ("\x1b", "|---", "```", "{keys", "{settings", "{terms", "**"):
        assert mark not in text
    assert max(map(len, text.splitlines())) <= 100


def test_tables_of_keys_are_those_of_the_user(home: Path, said: Said) -> None:
    (home / "config").mkdir(exist_ok=True)
    (home / "config" / "config.toml").write_text("[keys]\n'task.lift' = 'f5'\n", encoding="utf-8")
    _keys.cache_clear()
    assert re.search(r"^ +f5 +Lift or drop card$", said("help", "board")[1], re.MULTILINE)
    _keys.cache_clear()


def test_the_help_of_a_command_is_shown_by_its_name(said: Said) -> None:
    assert said("help", "tasks")[1].startswith("usage: callboard tasks")


def test_the_help_of_a_command_is_as_wide_as_the_terminal(
    said: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    widths = []
    for columns in ("50", "120"):
        monkeypatch.setenv("COLUMNS", columns)
        text = said("tasks", "--help")[1].partition("examples:")[0]
        widths.append(max(map(len, text.splitlines())))
    assert widths[0] <= 50 < widths[1] <= 120


def test_an_unknown_topic_is_refused_with_the_nearest(said: Said) -> None:
    assert said("help", "ofline") == (
        2,
        "",
        "callboard: no topic “ofline”.\n           Did you mean offline?\n",
    )
    assert "There are agents, board, boards," in said("help", "zzzzz\x1b[31m")[2]


def test_a_terminal_gets_a_pager_and_headings_in_bold(tmp_path: Path) -> None:
    with program(tmp_path, "help", "offline", PAGER="cat -A") as terminal:
        assert terminal.exit_code() == 0
        assert terminal.written.startswith(b"^[[1mWorking offline^[[0m$")


def test_the_news_begin_with_this_version() -> None:
    assert latest_version() == version("callboard")


def test_what_is_new_is_offered_once_after_an_update(tmp_path: Path) -> None:
    preferences = Preferences(tmp_path / "preferences.json")
    assert _news(preferences, "?") == "", "a first start"
    assert _news(Preferences(tmp_path / "preferences.json"), "?") == "", "the same version again"
    preferences.keep(ALL_BOARDS, version="0.0.9")
    news = f"Callboard is now {latest_version()}: f1 and “news” shows what is new"
    assert _news(preferences, "f1") == news
    assert _news(preferences, "f1") == ""


@pytest.mark.long
def test_what_is_new_is_said_on_the_first_board_and_its_keys_show_it(tmp_path: Path) -> None:
    for before in ("", "0.0.9", latest_version()):
        if before:
            path = next(tmp_path.rglob("preferences.json"))
            Preferences(path).keep(ALL_BOARDS, version=before)
        with program(tmp_path) as terminal:
            terminal.sees("Start here")
            if before == "0.0.9":
                terminal.sees("what is new")
                terminal.press("?", *"news")
                terminal.sees("What is new")
                terminal.press("escape")
            else:
                assert "what is new" not in terminal.text
            terminal.press("q")
