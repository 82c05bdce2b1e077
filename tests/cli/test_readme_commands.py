"""Every command of the README is run as it is written there, its placeholders filled in."""

import re
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.cli.conftest import Said, on_branch

README = Path(__file__).parents[2] / "README.md"
_ROW = re.compile(r"^\| `(callboard [^`]+)`", re.MULTILINE)


class Run(NamedTuple):
    """What is run for a command of the README, its exit code, and words of what it prints.

    `words` are those for the placeholders, in the order of the command.
    """

    words: tuple[str, ...] = ()
    code: int = 0
    told: str = ""
    typed: str = ""


RUNS = {
    "callboard -p NAME": Run(("embedded",), 2, "needs a terminal"),
    "callboard --read-only": Run((), 2, "needs a terminal"),
    "callboard --plain": Run((), told="3. Website: 1 open card.", typed="quit\n"),
    "callboard login NAME": Run(("work",), 2, "--url"),
    "callboard settings": Run(told='# theme = "callboard-dark"'),
    "callboard logout NAME": Run(("embedded",), 2, "nothing to log out of"),
    "callboard profiles": Run(told="* embedded"),
    "callboard check NAME": Run(("embedded",), told="nothing to be reached"),
    "callboard insight": Run(told="Website, 4 weeks"),
    "callboard standup": Run(told="Standup: Platform, Web shop, Website"),
    "callboard doctor NAME": Run(("embedded",), told="cache"),
    "callboard serve user add NAME": Run(("zoe",), told="zoe", typed="a very long password\n"),
    "callboard export FILE": Run(("boards.zip",), told="3 boards"),
    "callboard import FILE": Run(("nothing.zip",), 2, "nothing.zip"),
    "callboard boards": Run(told="Website"),
    "callboard board add TITLE": Run(("New",), told="added the board #4 “New”"),
    "callboard tasks QUERY": Run(("label:bug",), told="Mine"),
    "callboard show CARD": Run(("6",), told="#6 Mine"),
    "callboard here": Run(told="#6 Mine"),
    "callboard here STAGE": Run(("completed",), told="moved #6 “Mine” to “Completed”"),
    "callboard add TITLE": Run(("One",), 2, "Name one with --board"),
    "callboard edit CARD --title TITLE": Run(("6", "New"), told="changed #6 “Mine”"),
    "callboard move CARD STAGE": Run(("6", "Open"), told="moved #6 “Mine” to “Open”"),
    "callboard done CARD": Run(("6",), told="closed #6 “Mine”"),
    "callboard assign CARD PERSON": Run(("4", "@me"), told="#4 “Mine” is like that already"),
    "callboard label CARD LABEL": Run(("5", "bug"), told="labelled #5 “Card of Platform” with"),
    "callboard comment CARD TEXT": Run(("6", "-"), told="commented on #6", typed="Yes.\n"),
    "callboard sync": Run(told="sent 0 changes, read 3 boards"),
    "callboard tour": Run(told="made the board “Start here” (4)"),
    "callboard completion bash": Run(told="complete -o default"),
    "callboard man": Run(told=".TH CALLBOARD 1"),
}
"""The runs by the commands of the README."""
ELSEWHERE = {"callboard serve", "callboard web"}
"""Commands that do not end by themselves: `tests/server` and `test_web` run them."""


def test_every_command_of_the_readme_is_run() -> None:
    written = _ROW.findall(README.read_text("utf-8"))
    assert len(written) > 15
    assert {*written} == {*RUNS} | ELSEWHERE


@pytest.mark.parametrize("written", RUNS)
def test_a_command_of_the_readme(
    written: str, said: Said, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = RUNS[written]
    words = iter(run.words)
    arguments = [next(words) if word.isupper() else word for word in written.split()[1:]]
    assert next(words, None) is None
    place = tmp_path / "place"
    place.mkdir()
    on_branch(place, "6-mine")
    monkeypatch.chdir(place)
    with (place / "typed").open("w+", encoding="utf-8") as typed:
        typed.write(run.typed)
        typed.seek(0)
        monkeypatch.setattr("sys.stdin", typed)
        code, text, beside = said(*arguments)
    assert run.told in text + beside
    assert (code, "Traceback" in beside) == (run.code, False)
