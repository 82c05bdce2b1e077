"""Measures what a prompt, a status line and the Tab key wait for, beside `python -c pass`.

Run `python -m tests.benchmarks.prompts`. The cache holds a board of 3,000 cards, a third of them
the user's, and 2,000 comments. Each command is run in turn with `python -c pass`; the processor
time of both is compared pair by pair, so that a busy machine changes little.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from statistics import median

from tui.store.cache.file import open_cache

_COMMANDS = {
    "status": ["status"],
    "cards": ["completion", "zsh", "callboard show "],
    "cards by number": ["completion", "zsh", "callboard show 12"],
    "cards by title": ["completion", "zsh", "callboard show login"],
    "labels of a card": ["completion", "zsh", "callboard label 5 "],
}
_CARDS, _PEOPLE, _COMMENTED = 3_000, 20, 200
_PASS_MS = 12
"""How long `python -c pass` takes on the machine that the figures are said for."""


def main() -> None:
    """Print the median of each command."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=21)
    runs = parser.parse_args().runs
    with tempfile.TemporaryDirectory() as folder:
        _fill(Path(folder) / "cache" / "embedded" / "cache.sqlite3")
        environment = {**os.environ, "CALLBOARD_HOME": folder, "LOGNAME": "user1"}
        for name, arguments in _COMMANDS.items():
            command = ["-m", "tui", *arguments]
            _seconds(command, environment)
            ratio = median(
                _seconds(command, environment) / _seconds(["-c", "pass"], environment)
                for _ in range(runs)
            )
            sys.stdout.write(f"{name:18} {ratio:4.1f} times, {ratio * _PASS_MS:3.0f} ms\n")


def _fill(path: Path) -> None:
    random = Random(1)  # noqa: S311
    people = [
        {"ID": number, "user_login": f"user{number}", "display_name": f"User {number}"}
        for number in range(1, _PEOPLE + 1)
    ]
    board = {"id": 1, "title": "Big", "users": people}
    labels = [{"id": number, "title": f"label {number}"} for number in range(30)]
    stages = [{"id": number, "title": f"Stage {number}"} for number in range(1, 6)]
    cache, _ = open_cache(path, datetime.now(UTC))
    with cache.writing():
        cache.put_board_summaries([board], 0)
        cache.put_board({**board, "labels": labels, "stages": stages})
        cache.put_tasks(
            {
                "id": number,
                "board_id": 1,
                "stage_id": number % 5 + 1,
                "position": number,
                "title": f"Card {number} {random.choice(['fix login', 'write docs'])}",
                "status": random.choice(["open", "closed"]),
                "due_at": random.choice([None, "2026-12-01 10:00:00"]),
                "assignees": random.sample(people, _PEOPLE // 3),
                "description": "words " * 60,
            }
            for number in range(1, _CARDS + 1)
        )
        for card in range(1, _COMMENTED + 1):
            settings = {"mentioned_id": [1] if card % 10 == 0 else [], "raw_description": "x" * 99}
            comments = [
                {"id": card * 10 + number, "created_by": 2, "settings": settings}
                for number in range(10)
            ]
            cache.sections.put("comment", card, comments)
    cache.close()


def _seconds(arguments: list[str], environment: dict[str, str]) -> float:
    # The processor time of a run.
    process = subprocess.Popen(  # noqa: S603
        [sys.executable, *arguments], env=environment, stdout=subprocess.DEVNULL
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, arguments
    return usage.ru_utime + usage.ru_stime


if __name__ == "__main__":
    main()
