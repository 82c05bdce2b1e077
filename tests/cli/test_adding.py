"""`callboard add -`: whatever interrupts it, the same command goes on and adds no card twice."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis.strategies import integers, lists

from tests.cli.conftest import Said, cached_for_work
from tui.cli.scripts.progress import Added, Progress, added_before
from tui.config.paths import HOME_VARIABLE
from tui.errors import CallboardError

LINES = [f"Line {number} #bug !high" for number in range(60)]
TITLES = [f"Line {number}" for number in range(60)]
FEW = LINES[:30]
ADD = ("add", "--board", "platform", "-")
Piped = Callable[[Sequence[str]], None]


@pytest.fixture
def piped(monkeypatch: pytest.MonkeyPatch) -> Piped:
    """Puts lines on standard input."""

    def pipe(lines: Sequence[str]) -> None:
        content = "".join(f"{line}\n" for line in lines).encode()
        monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(content)))

    return pipe


def _added(said: Said, *profile: str) -> list[dict[str, Any]]:
    """The cards of the lines, as they are on the board."""
    text = said(*profile, "tasks", "--board", "platform", "--json", "Line")[1]
    found: list[dict[str, Any]] = json.loads(text)
    return sorted(found, key=lambda card: int(card["title"].split()[1]))


def _notes(home: Path) -> list[Path]:
    return [*(home / "data").rglob("adding-*")]


class _Interrupting(StringIO):
    """An output whose reader interrupts the program after some lines."""

    def __init__(self, after: int) -> None:
        super().__init__()
        self.after = after

    def write(self, text: str) -> int:
        """Take a line."""
        if self.getvalue().count("\n") >= self.after:
            raise KeyboardInterrupt
        return super().write(text)


@pytest.mark.long
def test_after_an_interruption_the_same_lines_go_on(
    said: Said, home: Path, piped: Piped, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        output = _Interrupting(after=3)
        patch.setattr(sys, "stdout", output)
        piped(FEW)
        code, _, beside = said(*ADD)
    assert code == 130
    before = len(_added(said))
    assert before >= output.getvalue().count("\n") == 3
    told = f"interrupted: {before} of 30 cards were added, up to “Line {before - 1}”; the same"
    assert told in beside
    assert len(_notes(home)) == 1

    piped(FEW)
    assert said(*ADD, "--dry-run")[1].count("POST /projects/3/tasks ") == 30 - before
    piped(FEW)
    code, text, beside = said(*ADD)
    assert (code, len(text.splitlines())) == (0, 30 - before + 1)
    assert f"callboard: {before} of 30 cards were added before, continuing; --again" in beside
    cards = _added(said)
    assert [card["title"] for card in cards] == TITLES[:30]
    assert {(card["priority"], card["labels"][0]["title"]) for card in cards} == {("high", "bug")}
    assert not _notes(home)

    piped(FEW)  # a run that was not interrupted is no reason to leave anything out
    assert said(*ADD)[0] == 0
    assert len(_added(said)) == 60


@pytest.mark.long
def test_other_lines_other_places_and_again_begin_anew(
    said: Said, piped: Piped, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", _Interrupting(after=1))
        piped(LINES[:3])
        assert said(*ADD)[0] == 130
    assert len(_added(said)) == 3
    for lines, more in ((LINES[:2], []), (LINES[:3], ["--stage", "progress"])):
        piped(lines)
        code, _, beside = said(*ADD, *more)
        assert (code, beside) == (0, "")
    assert len(_added(said)) == 3 + 2 + 3
    piped(LINES[:3])
    told = "callboard: all 3 cards were already added; --again adds all of them.\n"
    assert said(*ADD) == (0, "", told)
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", _Interrupting(after=1))
        piped(LINES[:3])
        assert said(*ADD)[0] == 130
    piped(LINES[:3])
    code, text, beside = said(*ADD, "--again")
    assert (code, len(text.splitlines()), beside) == (0, 4, "")
    assert len(_added(said)) == 8 + 3 + 3


def test_without_a_service_the_cards_of_an_interrupted_run_are_kept_once(
    said: Said, home: Path, piped: Piped, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert said("tasks", "--board", "platform")[0] == 0
    cached_for_work(home, said)
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", _Interrupting(after=2))
        piped(FEW)
        assert said("-p", "work", *ADD)[0] == 130
    assert 2 < len(_added(said, "-p", "work")) < 30
    piped(FEW)
    code, text, beside = said("-p", "work", *ADD)
    assert (code, text.splitlines()[0][:13]) == (0, "added “Line 2")
    assert "Kept; will be sent when online." in beside
    assert [card["title"] for card in _added(said, "-p", "work")] == TITLES[:30]


def test_the_help_says_how_many_lines_there_may_be(said: Said) -> None:
    words = " ".join(said("add", "--help")[1].split())
    assert "at most 1,000 lines and 1 MB" in words
    assert "--again" in words


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "adding-x"


@given(batches=lists(integers(1, 5), max_size=6), ends=integers(0, 12))
def test_what_is_noted_is_what_the_outbox_holds(
    tmp_path_factory: pytest.TempPathFactory, batches: list[int], ends: int
) -> None:
    """A process ends at any moment: before or after a batch is noted, or submitted."""
    path = tmp_path_factory.mktemp("x") / "adding-x"
    outbox, submitted = set[int](), list[int]()

    def interrupt(*, at: int) -> None:
        if ends == at:
            raise KeyboardInterrupt

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tui.cli.scripts.progress.say_beside", lambda _: None)
        try:
            with _progress(path, outbox, total=sum(batches)) as progress:
                for number, size in enumerate(batches):
                    ids = [-100 * number - one - 1 for one in range(size)]
                    interrupt(at=2 * number)
                    progress.begin(ids)
                    interrupt(at=2 * number + 1)
                    outbox.update(ids)
                    submitted += ids
        except KeyboardInterrupt:
            with path.open("ab") as file:
                file.write(b"\n[7, -")  # the next line was not finished
            added = added_before(path, outbox.__contains__)
            assert added.cards == len(outbox)
            assert added.last == (f"Card {submitted[-1]}" if submitted else "")
            with Progress(path, outbox.__contains__, added, {-1000: "Last"}) as again:
                again.begin([-1000])
                total = added.total
                now = added_before(path, {-1000}.__contains__)
                assert now == Added(len(outbox) + 1, total, "Last")
        else:
            assert not path.exists()


def _progress(path: Path, outbox: set[int], total: int = 1) -> Progress:
    titles = {number: f"Card {number}" for number in range(-1_000, 0)}
    return Progress(path, outbox.__contains__, Added(total=total), titles)


def test_two_runs_with_the_same_lines_do_not_add_at_once(path: Path) -> None:
    with (
        _progress(path, set()),
        pytest.raises(CallboardError, match="another callboard is adding the same lines"),
    ):
        _progress(path, set())


def test_progress_that_cannot_be_noted_adds_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(CallboardError, match=r"cannot be written: not a directory\. 0 cards"):
        _progress(tmp_path / "file" / "adding-x", set())


@pytest.fixture
def lines(tmp_path: Path) -> Iterator[Any]:
    """A file with the lines."""
    (tmp_path / "lines").write_text("".join(f"{line}\n" for line in LINES))
    with (tmp_path / "lines").open("rb") as file:
        yield file


@pytest.mark.long
@pytest.mark.parametrize(
    ("how", "after"),
    [
        ("SIGKILL", 1),
        ("SIGTERM", 40),
        ("SIGINT", 1),
        ("EPIPE", 40),
        *(
            pytest.param(*each, marks=pytest.mark.exhaustive)
            for each in (("SIGKILL", 40), ("SIGTERM", 1), ("SIGINT", 40), ("EPIPE", 1))
        ),
    ],
)
def test_a_process_that_is_ended_midway_is_continued(
    said: Said, home: Path, lines: Any, how: str, after: int
) -> None:
    with subprocess.Popen(  # noqa: S603 (our own program)
        [sys.executable, "-m", "tui", *ADD],
        env={HOME_VARIABLE: str(home), "LOGNAME": "me", "PATH": os.environ["PATH"]},
        stdin=lines,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        told = [process.stdout.readline() for _ in range(after)]
        assert all(line.startswith(b"added #") for line in told)
        if how == "EPIPE":
            process.stdout.close()
        else:
            process.send_signal(getattr(signal, how))
        process.wait(20)
    before = _added(said)
    assert after <= len(before) <= len(LINES)
    lines.seek(0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", TextIOWrapper(BytesIO(lines.read())))
        said(*ADD)
    cards = _added(said)
    if len(cards) != len(LINES):  # it had ended before it was told to
        assert (len(before), len(cards)) == (len(LINES), 2 * len(LINES))
        return
    assert [card["title"] for card in cards] == TITLES
    assert all(card["labels"] and card["priority"] == "high" for card in cards)
    assert not _notes(home)


class _Typed(BytesIO):
    """What somebody types, who may press ctrl+c meanwhile."""

    def read(self, size: int | None = -1, /) -> bytes:
        """Take it all; an event loop would not let the key end that."""
        with pytest.raises(RuntimeError):
            asyncio.get_running_loop()
        return super().read(size)


@pytest.mark.parametrize(
    "command",
    [
        ADD,
        ("board", "add", "-"),
        ("comment", "Card of Platform", "-"),
        ("edit", "Card of Platform", "--description", "-"),
    ],
)
def test_ctrl_c_ends_the_reading_of_input(
    said: Said, monkeypatch: pytest.MonkeyPatch, command: Sequence[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", TextIOWrapper(_Typed(b"Line 1\n")))
    code, _, beside = said(*command)
    assert (code, beside) == (0, "")
