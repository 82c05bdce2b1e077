"""The user's command lines: values arrive as they are, and never as a part of a program."""

import subprocess
import sys
from dataclasses import replace

import pytest
from hypothesis import given, strategies as st

from tests.fakes.boards import task
from tui.errors import CallboardError
from tui.model.work.command_line import (
    PLACEHOLDERS,
    environment,
    filled,
    pasted,
    placeholders,
    program_at,
    values_of,
)

EVIL = (
    "$(touch evil)",
    "`touch evil`",
    "\"; touch evil; '",
    "a\nb",
    "\x1b[31mred\x07",
    "{id} {{title}}",
    "-rf",
    "--help",
    "| > && *",
)
PRINT = "import sys; print(repr(sys.argv[1:]))"


def values(title: str) -> dict[str, str]:
    card = replace(task(12, title), board_id=3)
    url = "https://example.org/{board}/{id}"
    return values_of(card, board="Sea & sand", branch_name="{id}-{slug}", card_url=url)


def test_a_card_has_a_value_for_every_placeholder() -> None:
    assert values("Fix login") == {
        "id": "12",
        "number": "#12",
        "title": "Fix login",
        "branch": "12-fix-login",
        "url": "https://example.org/3/12",
        "board": "Sea & sand",
    }
    assert [*placeholders(["{id}-{titel}", "${HOME}", "{{title}}", "{print $1}", "{}"])] == [
        "id",
        "titel",
    ]


@pytest.mark.parametrize("title", EVIL)
def test_a_hostile_title_is_one_argument_for_a_shell_too(title: str) -> None:
    line = ["sh", "-c", 'printf %s "$1"; printf %s "$CALLBOARD_TITLE"', "sh", "{title}"]
    given_values = values(title)
    said = subprocess.run(  # noqa: S603 (a shell that prints its arguments)
        filled(line, given_values), env=environment(given_values), check=True, capture_output=True
    ).stdout.decode()
    assert said == given_values["title"] * 2
    assert given_values["title"].isprintable()


@given(st.text())
def test_any_title_stays_in_its_argument(title: str) -> None:
    given_values = values(title)
    if given_values["title"]:
        words = filled(["tool", "--title={title}", "--", "{title}", "{id}{title}"], given_values)
        shown = given_values["title"]
        assert words == ["tool", f"--title={shown}", "--", shown, f"12{shown}"]
        assert "\0" not in "".join(words)


@pytest.mark.parametrize(
    ("words", "title", "message"),
    [
        (["tool", "{title}"], "--help", "begins with “-”"),
        (["tool", "{title}"], "", "no title"),
    ],
)
def test_what_would_be_taken_for_an_option_or_is_missing_is_not_run(
    words: list[str], title: str, message: str
) -> None:
    with pytest.raises(CallboardError, match=message):
        filled(words, values(title))


def test_a_card_that_is_not_sent_has_no_number() -> None:
    card = task(-1, "New")
    new = values_of(card, board="Sea", branch_name="{id}", card_url="")
    assert filled(["tool", "{title}", "{board}"], new) == ["tool", "New", "Sea"]
    for name in ("id", "number", "branch", "url"):
        with pytest.raises(CallboardError, match="no number until it is sent"):
            filled(["tool", f"{{{name}}}"], new)
    sent = values_of(task(1, "Old"), board="Sea", branch_name="{id}", card_url="")
    with pytest.raises(CallboardError, match="no web address"):
        filled(["open", "{url}"], sent)


@pytest.mark.parametrize(
    "line",
    [
        ["sh", "-c", "echo {title}"],
        ["/bin/bash", "-lc", "echo {title}"],
        ["bash", "-o", "pipefail", "-c", "echo {title}"],
        ["env", "A=1", "sh", "-ec", "echo {title}"],
        ["python3.12", "-c", "print('{title}')"],
        ["perl", "-ne", "{title}"],
        ["ssh", "host", "echo", "{title}"],
        ["watch", "echo {title}"],
    ],
)
def test_a_value_within_the_text_of_a_program_is_found(line: list[str]) -> None:
    assert pasted(line) == "title"


@pytest.mark.parametrize(
    "line",
    [
        ["sh", "-c", 'echo "$1"', "sh", "{title}"],
        ["sh", "script.sh", "{title}"],
        ["python", "tool.py", "-c", "{title}"],
        ["grep", "-c", "{title}", "notes.txt"],
        ["gh", "issue", "view", "{id}"],
    ],
)
def test_a_value_beside_it_is_not(line: list[str]) -> None:
    assert pasted(line) == ""


@given(st.lists(st.sampled_from(["sh", "-c", "-x", "{title}", "tool", "--", "-o"]), min_size=1))
def test_no_value_is_ever_the_text_of_the_first_shell(line: list[str]) -> None:
    at = program_at(line)
    assert bool(pasted(line)) == (at >= 0 and line[at] == "{title}")


def test_a_real_program_gets_what_the_line_says() -> None:
    line = [sys.executable, "-c", PRINT, *(f"{{{name}}}" for name in PLACEHOLDERS)]
    given_values = values("--version $(id)")
    words = filled(line, given_values)
    said = subprocess.run(words, check=True, capture_output=True, text=True)  # noqa: S603 (Python)
    assert said.stdout.strip() == repr([*(given_values[name] for name in PLACEHOLDERS)])
