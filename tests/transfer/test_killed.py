"""An import that is killed at any moment is continued by the same command: nothing is doubled."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis.strategies import integers, lists

from tests.cli.conftest import Said
from tests.transfer.boards import board_of
from tui.config.paths import HOME_VARIABLE
from tui.errors import CallboardError
from tui.transfer.record import ImportRecord

_COUNT = 25


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file of many cards, with something on each, and every fifth title twice."""
    lines = ["# Trip", "", "## Ideas", ""]
    for number in range(_COUNT):
        lines += [f"- [ ] Card {number - number % 5 // 4} #label{number % 3}", "    > Why?"]
        lines += ["    - [x] one", "    - [ ] two"]
    path = tmp_path / "trip.md"
    path.write_text("\n".join([*lines, "", "## Done", "", "- [x] Ship"]), encoding="utf-8")
    return path


@pytest.mark.long
@pytest.mark.timeout(200)
@pytest.mark.parametrize(
    ("how", "after"),
    [
        (signal.SIGKILL, 1),
        (signal.SIGKILL, 9),
        (signal.SIGINT, 4),
        *(
            pytest.param(signal.SIGKILL, after, marks=pytest.mark.exhaustive)
            for after in (0, 2, 3, 12, 25)
        ),
    ],
)
def test_a_process_that_is_ended_midway_is_continued(
    said: Said, home: Path, file: Path, how: signal.Signals, after: int
) -> None:
    """It is ended after so many lines, and again and again, until it gets through."""
    ends = 0
    for _ in range(3):
        with subprocess.Popen(  # noqa: S603 (our own program)
            [sys.executable, "-m", "tui", "import", str(file)],
            env={
                HOME_VARIABLE: str(home),
                "LOGNAME": "me",
                "PATH": os.environ["PATH"],
                "TZ": "UTC",
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        ) as process:
            assert process.stdout is not None
            for _ in range(after):
                process.stdout.readline()
            process.send_signal(how)
            process.wait(20)
            ends += process.returncode != 0
            if process.returncode == 0:
                break
    code, _, beside = said("import", str(file))
    assert (code, ends > 0) == (0, True), beside
    board = board_of(said, "Trip")
    titles = sorted(f"Card {number - number % 5 // 4}" for number in range(_COUNT))
    assert sorted(card.title for card in board.cards) == [*titles, "Ship"]
    assert board.stages == ("Ideas", "Done x")
    for card in board.cards[:-1]:
        assert len(card.labels) == 1
        assert (card.subtasks, card.description) == (("x one", "- two"), "Why?")
    assert len([row for row in said("boards")[1].splitlines() if "Trip" in row]) == 1


@given(batches=lists(integers(1, 4), max_size=5), ends=integers(0, 11))
def test_what_is_noted_is_what_the_outbox_holds(
    tmp_path_factory: pytest.TempPathFactory, batches: list[int], ends: int
) -> None:
    """A process ends at any moment: before or after a batch is noted, or submitted."""
    path = tmp_path_factory.mktemp("x") / "imports"
    outbox: dict[int, str] = {}
    keys = {
        -10 * at - one - 1: f"{at} {one}" for at, size in enumerate(batches) for one in range(size)
    }
    record = ImportRecord(path, outbox.__contains__)
    record.note_board("file", -99)
    record.expect(-99, keys)
    for at, size in enumerate(batches):
        ids = [-10 * at - one - 1 for one in range(size)]
        if ends <= 2 * at:
            break
        record.begin(ids)
        if ends <= 2 * at + 1:
            break
        outbox |= {one: keys[one] for one in ids}
    record.close()  # without its end
    with path.open("ab") as file:
        file.write(b'\n["begin", -99, {"next"')  # the next line was not finished
    for _ in range(2):
        again = ImportRecord(path, outbox.__contains__)
        assert dict(again.cards(-99)) == {key: one for one, key in outbox.items()}
        again.close()
    again = ImportRecord(path, lambda _: False)  # ids are forgotten after a while
    again.rename_board(-99, 7)
    assert {*again.cards(7)} == {*outbox.values()}
    assert again.boards == {"file": 7}
    assert not again.local_boards()
    again.close()


def test_refused_cards_are_not_known(tmp_path: Path) -> None:
    path = tmp_path / "imports"
    record = ImportRecord(path, {-1, -3}.__contains__)
    record.expect(7, {-1: "a", -2: "b", -3: "c"})
    with record:
        record.begin([-1, -2])
        record.begin([-3])
    assert record.cards(7) == {"a": -1, "c": -3}
    with pytest.raises(CallboardError, match="another callboard is importing at the moment"):
        ImportRecord(path, lambda _: False)
    record.close()


def test_a_record_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(CallboardError, match=r"imports cannot be written: not a directory\."):
        ImportRecord(tmp_path / "file" / "imports", lambda _: False)
