"""The user's command is given the text, which no shell ever reads as a part of its line."""

from pathlib import Path

import pytest

from tests.fakes.boards import task
from tui.errors import CallboardError
from tui.model.work.news import News, Reason
from tui.notifications.notifier import run_command, words

EVIL = """#1 “$(touch evil)” `touch evil`; touch evil "' \\ --help"""
NEWS = [News(Reason.MENTIONED, task(1, "$(touch evil)"), "; touch evil", "a", "Ann")]


@pytest.mark.parametrize(
    "command",
    [
        'sh -c \'printf "%s|" "$0" "$CALLBOARD_TEXT" > said\'',
        'printf "%s|" "$1" "$CALLBOARD_TEXT" > said',
    ],
)
async def test_the_text_arrives_as_it_is_and_nothing_of_it_is_run(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    await run_command(command, EVIL, NEWS)
    assert (tmp_path / "said").read_text() == f"{EVIL}|{EVIL}|"
    assert not (tmp_path / "evil").exists()


async def test_the_card_is_in_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    await run_command("env | grep ^CALLBOARD_ | sort > said", "text", NEWS)
    said = (tmp_path / "said").read_text().splitlines()
    assert {
        "CALLBOARD_TEXT=text",
        "CALLBOARD_COUNT=1",
        "CALLBOARD_EVENT=mentioned",
        "CALLBOARD_CARD=1",
        "CALLBOARD_TITLE=$(touch evil)",
        "CALLBOARD_BOARD=; touch evil",
    } <= set(said)


def test_words_are_split_as_by_a_shell_only_without_its_signs() -> None:
    assert words("notify-send 'My board'", "text") == ["notify-send", "My board", "text"]
    shell = ["/bin/sh", "-c", 'say "$1"', "callboard", "text"]
    assert words('say "$1"', "text") == shell


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("", "not set"),
        ("say 'it", "a quote is not closed"),
        ("/nowhere/at/all", "cannot be run"),
        ("false", "exit code 1"),
    ],
)
async def test_a_command_that_fails_is_told(command: str, message: str) -> None:
    with pytest.raises(CallboardError, match=message):
        await run_command(command, "text", NEWS)
