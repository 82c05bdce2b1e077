"""A terminal that goes away takes the program with it."""

import os
import select
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.drivers.program import COMMAND, FIRST, environment, program
from tests.drivers.terminal import SECONDS, stall
from tests.terminal.changes import start_typing
from tui.cli.terminal import is_hung_up

pytestmark = pytest.mark.long


def test_a_terminal_is_hung_up_when_its_other_side_is_closed() -> None:
    outside, inside = os.openpty()
    assert not is_hung_up(inside)
    os.close(outside)
    assert is_hung_up(inside)
    os.close(inside)
    assert is_hung_up(inside)


def test_a_program_that_is_not_told_ends_all_the_same(home: Path) -> None:
    """It has no controlling terminal, so the system sends it no signal."""
    with away_from_its_terminal(home) as (process, outside):
        read_until(outside, b"1049h")
        os.close(outside)
        assert process.wait(20) is not None


def test_a_terminal_that_does_not_know_its_size_is_drawn_on(home: Path) -> None:
    with away_from_its_terminal(home) as (_, outside):
        read_until(outside, b"First steps")
        os.close(outside)


def test_a_program_whose_terminal_stalls_ends_when_it_is_asked_to(home: Path) -> None:
    with away_from_its_terminal(home) as (process, outside):
        read_until(outside, FIRST.encode())
        stall(outside)
        process.terminate()
        assert process.wait(20) == 0


@contextmanager
def away_from_its_terminal(home: Path) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """The program on a terminal without a size that does not control it, and the other side."""
    outside, inside = os.openpty()
    process = subprocess.Popen(  # noqa: S603  our own program
        COMMAND, stdin=inside, stdout=inside, stderr=inside, env=environment(home), cwd=home,
        start_new_session=True,
    )  # fmt: skip
    os.close(inside)
    try:
        yield process, outside
    finally:
        process.kill()
        process.wait()


def read_until(descriptor: int, wanted: bytes) -> None:
    """Read what a program writes until this is in it."""
    written = b""
    while wanted not in written:
        assert select.select([descriptor], [], [], SECONDS)[0], written
        written += os.read(descriptor, 65536)


def test_a_title_that_is_half_typed_is_there_again(home: Path) -> None:
    with program(home) as terminal:
        terminal.sees(FIRST)
        start_typing(terminal, "n")
        terminal.press(*"half a title")
        terminal.sees("half a title")
        terminal.hang_up()
    with program(home) as terminal:
        terminal.sees(FIRST)
        terminal.press("n")
        terminal.sees("half a title")
