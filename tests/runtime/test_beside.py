"""Programs beside this one: their output arrives clean, and none outlives what stops it."""

import asyncio
import os
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from tests.drivers.patience import patience
from tui.runtime.beside import OutputLines, run_beside
from tui.text import clean


async def said(*words: str) -> tuple[int, list[str]]:
    lines: list[str] = []
    return await run_beside(words, os.environ, lines.extend), lines


async def test_output_and_errors_are_lines_and_the_exit_code_is_known() -> None:
    assert await said("sh", "-c", "echo out; echo err >&2; printf end; exit 3") == (
        3,
        ["out", "err", "end"],
    )
    assert await said("sh", "-c", "kill -9 $$") == (-9, [])
    assert await said("cat") == (0, []), "there is no input to wait for"


async def test_output_is_terminal_safe() -> None:
    _, lines = await said("printf", r"\033[31mred\033[0m\r\n50%%\r100%%\n\007a\tb\n\377\n")
    assert lines == ["red", "100%", "a       b", "\ufffd"]


async def test_what_cannot_be_run_is_an_error() -> None:
    with pytest.raises(OSError, match="nowhere"):
        await said("/nowhere/at/all")


async def test_what_it_leaves_in_the_background_is_not_waited_for() -> None:
    code, lines = await said("sh", "-c", "sleep 3 & echo done")
    assert (code, lines) == (0, ["done"])


def _is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"


@pytest.mark.parametrize("first", ["", "trap '' TERM; "])
async def test_it_ends_with_its_children_when_it_is_cancelled(first: str) -> None:
    pids: list[int] = []

    def note(lines: Sequence[str]) -> None:
        pids.extend(map(int, lines))

    script = f"{first}sleep 60 & echo $!; echo $$; wait"
    running = asyncio.create_task(run_beside(["sh", "-c", script], os.environ, note))
    async with patience("the ids of its processes", lambda: f"{pids}"):
        while len(pids) < 2:  # noqa: ASYNC110 (a process has no event)
            await asyncio.sleep(0.01)
    running.cancel()
    running.cancel()  # as when the program is left
    with pytest.raises(asyncio.CancelledError):
        await running
    async with patience("the end of its processes", lambda: f"{pids}"):
        while any(map(_is_running, pids)):  # noqa: ASYNC110 (a process has no event)
            await asyncio.sleep(0.01)


@given(st.lists(st.binary()))
def test_lines_are_the_same_however_the_output_arrives(pieces: list[bytes]) -> None:
    apart, whole = OutputLines(), OutputLines()
    lines = [line for piece in pieces for line in apart.read(piece)]
    lines += apart.read(b"", is_last=True)
    assert lines == whole.read(b"".join(pieces), is_last=True)
    assert all(clean.line(line) == line for line in lines)


def test_a_line_without_an_end_does_not_grow_for_ever() -> None:
    lines = OutputLines()
    assert sum(len(lines.read(b"x" * 10_000)) for _ in range(10)) == 5
