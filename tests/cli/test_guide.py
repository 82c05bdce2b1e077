"""The guide for agents is followed word by word: each of its command lines is run as it stands."""

import io
import json
import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.cli.conftest import Said, cached_for_work
from tests.server.launched import PASSWORD, launched, ran
from tui.cli.agents.guide import guide

Run = Callable[..., tuple[int, str, str]]
LINES = [shlex.split(line) for line in re.findall(r"^    callboard (.+)$", guide(), re.MULTILINE)]
FIRST, CLAIM_NEXT = ["next"], ["next", "--claim", "--as", "codex", "--quiet"]
WAITS = ["edit", "CARD", "--blocked-by", "OTHER", "--as", "codex"]
RELEASE = ["claim", "CARD", "--release", "--as", "codex"]


class Step(NamedTuple):
    """A line of the guide, how it ended, and what it said."""

    words: list[str]
    code: int
    text: str
    beside: str


def followed(run: Run, card: str, other: str) -> list[Step]:
    """What each line did, for the card that was claimed, else for `card`."""
    steps = list[Step]()
    for words in LINES:
        numbers = {"CARD": card, "OTHER": other}
        code, text, beside = run(*(numbers.get(word, word) for word in words))
        if words == WAITS and code == 0:
            text += run("show", card)[1] + run("next")[1]
        steps.append(Step(words, code, text, beside))
        if words == CLAIM_NEXT and code == 0:
            card = text.strip()
    return steps


def is_claim(words: list[str]) -> bool:
    """Whether a line claims a card."""
    return words == CLAIM_NEXT or (words[0] == "claim" and words != RELEASE)


def check(steps: list[Step], run: Run, other: str) -> None:
    """Every line succeeded, and the card is as the guide says in the end."""
    failed = [step for step in steps if step.code]
    assert not failed, f"{failed}"
    assert [step.words for step in steps][:2] == [FIRST, CLAIM_NEXT]
    card = steps[1].text.strip()
    (waiting,) = (step.text for step in steps if step.words == WAITS)
    assert re.search(rf"^Blocked by +(\w+ )?#{other}$", waiting, re.MULTILINE)
    assert f"#{card} " not in waiting.splitlines()[-1]
    shown = run("show", card)[1]
    assert "Blocked by" not in shown
    assert re.search(r"^Status +closed", shown, re.MULTILINE)
    assert "◇ codex: done, see the branch" in shown
    assert "◇ codex: tests green" not in shown
    assert "Blocked: the API key is missing" in shown


def test_the_guide_is_followed_on_boards_of_this_machine(said: Said) -> None:
    said("add", "--board", "website", "--stage", "open", "One ^today")
    check(followed(said, "8", "6"), said, "6")


def test_the_guide_is_followed_offline(home: Path, said: Said) -> None:
    said("add", "--board", "website", "--stage", "open", "One ^today")
    said("sync")
    cached_for_work(home, said)

    def run(*words: str) -> tuple[int, str, str]:
        return said("-p", "work", *words)

    steps = followed(run, "8", "6")
    for step in steps:
        assert (step.code == 1) == is_claim(step.words), f"{step}"
        if step.code:
            assert "A claim needs the service: nothing was claimed." in step.beside
    # What was said and done is kept, as one comment of progress.
    waiting = json.loads(run("sync", "--json")[1])["waiting"]
    # The text that was said last becomes part of the one comment when that is sent.
    comments = [one["change"] for one in waiting if "◇ codex" in one["change"]]
    assert comments == [
        "Comment on “One”: “◇ codex: tests green, 3 files”",
        "Change a comment on “One” to “◇ codex: done, see the branch”",
    ]
    assert "Close “One”" in [one["change"] for one in waiting]


@pytest.mark.long
def test_the_guide_is_followed_on_a_served_board(
    said: Said, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    served = tmp_path / "served"
    served.mkdir()
    assert ran(served, "user", "add", "ann", told=f"{PASSWORD}\n").returncode == 0
    with launched(served) as server:
        url = ("--url", server.address, "--login", "ann")
        monkeypatch.setattr("sys.stdin", io.StringIO(f"{PASSWORD}\n"))
        assert said("login", "team", *url)[0] == 0

        def run(*words: str) -> tuple[int, str, str]:
            return said("-p", "team", *words)

        assert run("board", "add", "Shared", "--stage", "Open", "--stage", "Doing")[0] == 0
        assert run("add", "--board", "shared", "One ^today")[0] == 0
        assert run("add", "--board", "shared", "Two")[0] == 0
        check(followed(run, "1", "2"), run, "2")
