"""Commands of two programs on one profile, each a process of its own, that claim cards at once."""

import asyncio
import os
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.claims.contest import Contest
from tui.config.paths import HOME_VARIABLE, Places
from tui.workspace import Workspace

_AT_ONCE = 2


def on_profile(home: Path, agents: int, cards: int) -> Contest:
    """Two processes at a time run `callboard next --claim`, each time as another agent."""
    asyncio.run(_furnish(Places.find({HOME_VARIABLE: str(home)}), cards))
    claims, lost = Counter[int](), 0

    def run(number: int) -> tuple[int, str]:
        agent = f"agent-{number % agents}"
        done = subprocess.run(  # noqa: S603 (our own program)
            [sys.executable, "-m", "tui", "next", "--claim", "--quiet", "--as", agent],
            env=os.environ | {HOME_VARIABLE: str(home), "LOGNAME": "me"},
            capture_output=True,
            text=True,
            check=False,
        )
        return done.returncode, done.stdout + done.stderr

    with ThreadPoolExecutor(_AT_ONCE) as pool:
        for code, text in pool.map(run, range(cards)):
            if code == 0:
                claims[int(text)] += 1
            else:
                sys.stderr.write(text)
                lost += 1
    return Contest(claims, lost)


async def _furnish(places: Places, cards: int) -> None:
    places.make()
    (places.data / "tour").write_text("made", encoding="utf-8")
    workspace = Workspace.open(places)
    try:
        await workspace.connect()
        remote = await workspace.store.service()
        board = await remote.create_board("Contest", "", "to-do")
        for number in range(cards):
            await remote.create_task(board["id"], board["stages"][0]["id"], f"Card {number}")
    finally:
        await workspace.aclose()
