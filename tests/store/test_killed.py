"""Killed at any moment, the program has lost nothing that it had drawn."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.store.child import __file__ as child
from tests.store.fake_clock import FakeClock
from tests.store.party import Party
from tests.store.service import BOARD, Service
from tui.store.operations import CreateTask
from tui.store.store import LocalStore


async def _remember_a_board(folder: Path, service: Service) -> None:
    party = Party(folder, service, FakeClock())
    await party.start()
    await party.store.aclose()


def _drawn_until_killed(folder: Path, drawn_at_least: int) -> list[str]:
    """What the child had drawn when it was killed, somewhere in its next change."""
    root = Path(__file__).parents[2]
    command = [sys.executable, child, str(folder)]
    environment = {**os.environ, "PYTHONPATH": str(root)}
    with subprocess.Popen(  # noqa: S603  our own interpreter and script
        command, stdout=subprocess.PIPE, text=True, env=environment
    ) as process:
        assert process.stdout is not None
        drawn = [process.stdout.readline().strip() for _ in range(drawn_at_least)]
        process.send_signal(signal.SIGKILL)
        drawn += [line.strip() for line in process.stdout if line.endswith("\n")]
    return drawn


@pytest.mark.parametrize(
    "changes",
    [1, 19, *(pytest.param(count, marks=pytest.mark.long) for count in (7, 40))],
)
async def test_every_drawn_change_is_in_the_outbox(
    tmp_path: Path, service: Service, changes: int
) -> None:
    await _remember_a_board(tmp_path, service)
    drawn = _drawn_until_killed(tmp_path, changes)
    store = LocalStore.open(tmp_path / "cache", tmp_path / "data", "default")
    kept = [
        waiting.operation.title
        for waiting in store.pending(BOARD)
        if isinstance(waiting.operation, CreateTask)
    ]
    await store.aclose()
    assert store.messages == ()
    assert kept[: len(drawn)] == drawn
    assert len(drawn) <= len(kept) <= len(drawn) + 1
