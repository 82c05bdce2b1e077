"""Kill a service under eight writers again and again; nothing that it answered may be lost.

Run `python -m tests.service.kills 100` for a hundred kills on one database; a second number is the
seed, which is said at the start.

What was answered is there after a kill; what was asked and not answered is
there whole or not at all; the file needs no repair.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from random import Random, SystemRandom
from typing import Any

from tests.service.writers import STAGES, WRITERS, __file__ as program
from tui.service.database.base import Transaction
from tui.service.database.sqlite import open_database

_MOST_LINES = 1500


@dataclass
class Task:
    """What a task must be like: its title, stage and comments."""

    title: str
    stage: int
    comments: dict[int, str] = field(default_factory=dict)


Tasks = dict[int, Task]


@dataclass
class Kept:
    """What must be in the database, and for each writer the step that may or may not be there."""

    tasks: Tasks = field(default_factory=dict)
    answered: int = 0
    open_steps: dict[int, list[Any]] = field(default_factory=dict)

    def hear(self, line: bytes) -> None:
        """Take in a line of the program."""
        writer, word, what = json.loads(line)
        if word == "will":
            self.open_steps[writer] = what
        else:
            self.take(self.open_steps.pop(writer), what)
            self.answered += 1

    def take(self, step: list[Any], made: int | None) -> None:
        """Do what was answered."""
        match step:
            case ["task", title, stage]:
                assert made is not None, f"no id was answered: {step}"
                self.tasks[made] = Task(title, stage)
            case ["comment", task, text]:
                assert made is not None, f"no id was answered: {step}"
                self.tasks[task].comments[made] = text
            case ["title", task, title]:
                self.tasks[task].title = title
            case ["move", task, stage]:
                self.tasks[task].stage = stage
            case ["delete", task]:
                del self.tasks[task]

    def settle(self, found: Tasks) -> None:
        """See that what was found is what was answered, with open steps done or not."""
        for step in self.open_steps.values():
            if _is_done(step, found, self.tasks):
                self.take(step, _made(step, found, self.tasks))
        self.open_steps.clear()
        assert found == self.tasks, _differing(found, self.tasks)


def _differing(found: Tasks, answered: Tasks) -> str:
    lines = [
        f"{task_id}: answered {answered.get(task_id)}, but found {found.get(task_id)}"
        for task_id in sorted(found.keys() | answered.keys())
        if found.get(task_id) != answered.get(task_id)
    ]
    return "\n".join(["not what was answered before the kill:", *lines])


def _is_done(step: list[Any], found: Tasks, before: Tasks) -> bool:
    """Whether an open step is there."""
    match step:
        case ["task" | "comment", *_]:
            return _made(step, found, before) is not None
        case ["title", task, title]:
            return bool(found[task].title == title)
        case ["move", task, stage]:
            return bool(found[task].stage == stage)
    return step[1] not in found


def _made(step: list[Any], found: Tasks, before: Tasks) -> int | None:
    """The id of what an open step has made; titles and comments are never the same twice."""
    match step:
        case ["task", title, _]:
            new = (task_id for task_id in found.keys() - before.keys())
            return next((task_id for task_id in new if found[task_id].title == title), None)
        case ["comment", task, text]:
            return next((key for key, each in found[task].comments.items() if each == text), None)
    return None


def killed(path: Path, seed: int, lines: int, kept: Kept) -> None:
    """Run the program on the database at `path`, and kill it after so many lines."""
    command = [sys.executable, program, str(path), str(seed)]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as process:  # noqa: S603 - our own program
        assert process.stdout is not None, "its output is no pipe"
        for _ in range(lines):
            kept.hear(process.stdout.readline())
        process.send_signal(signal.SIGKILL)
        for line in process.stdout:
            if line.endswith(b"\n"):
                kept.hear(line)
    assert process.returncode == -signal.SIGKILL, f"it ended itself with {process.returncode}"


def check(path: Path, kept: Kept) -> None:
    """Open the database, and compare."""
    database = open_database(path)
    with database.transaction(writing=False) as db:
        damage = db.value("pragma integrity_check")
        assert damage == "ok", f"the database is damaged: {damage}"
        dangling = db.all("pragma foreign_key_check")
        assert not dangling, f"rows refer to what is gone: {[tuple(row) for row in dangling]}"
        kept.settle(_found(db))
        assert _is_ordered(db), "two tasks of a stage have the same position"
    database.close()


def _found(db: Transaction) -> Tasks:
    tasks = {row["id"]: Task(row["title"], row["stage_id"]) for row in db.all("select * from task")}
    for row in db.all("select * from comment"):
        tasks[row["task_id"]].comments[row["id"]] = row["description"]
    counts = db.all("select id, comments_count from task")
    for row in counts:
        own = len(tasks[row["id"]].comments)
        assert own == row["comments_count"], f"{tuple(row)} counts other than {own} comments"
    return tasks


def _is_ordered(db: Transaction) -> bool:
    """Whether no two tasks of a stage share a position."""
    places = db.all("select stage_id, position from task")
    unknown = {row["stage_id"] for row in places} - set(STAGES)
    assert not unknown, f"tasks are in stages that are not there: {unknown}"
    return len({(row["stage_id"], row["position"]) for row in places}) == len(places)


def kill_often(path: Path, count: int, seed: int) -> int:
    """Kill so often; returns how many changes were answered."""
    random = Random(seed)  # noqa: S311 - chance, not secrecy
    kept = Kept()
    for number in range(count):
        killed(path, seed + number, random.randint(1, _MOST_LINES), kept)
        check(path, kept)
    return kept.answered


def main(count: int, seed: int) -> None:
    """Kill so often, and say what came of it."""
    sys.stdout.write(f"{count} kills under {WRITERS} writers, seed {seed}\n")
    with tempfile.TemporaryDirectory() as folder:
        answered = kill_often(Path(folder, "boards.sqlite3"), count, seed)
    sys.stdout.write(f"nothing of {answered} answered changes was lost\n")


if __name__ == "__main__":
    main(
        int(sys.argv[1]) if len(sys.argv) > 1 else 20,
        int(sys.argv[2]) if len(sys.argv) > 2 else SystemRandom().randrange(10**6),
    )
