"""How the screens look: one snapshot of each, of the parts of a task, and of the hardest states.

They are for layout alone. When a look was changed on purpose, see that it is right
(`python -m tests.pictures --into FOLDER --all`), then `pytest tests/test_snapshots.py -n 0
--snapshot-update`.
"""

from collections.abc import Callable

import pytest

from tests.scenes import SCENES

SCREENS = ("board", "preview", "boards", "folders", "folders-80x24", "task", "waiting", "help")
TASKS = ("task-narrow", "thread", "subtask-lifted", "fields", "smaller-edition")
STANDUPS = ("standup", "standup-80x24", "speakers", "speakers-80x24")
LISTS = (
    "my-work",
    "members",
    "people",
    "webhooks",
    "activity-of-board",
    "archived-cards",
    "insight",
)
HARDEST = (
    "moving",
    "swimlanes",
    "swimlanes-80x24",
    "stages",
    "column-moving",
    "labels",
    "custom-fields",
    "board-80x24",
    "narrow",
    "empty",
    "pending",
    "news",
    "conflict-narrow",
)


@pytest.mark.parametrize("name", [*SCREENS, *TASKS, *STANDUPS, *LISTS, *HARDEST])
def test_it_looks_as_it_did(name: str, snap_compare: Callable[..., bool]) -> None:
    scene = SCENES[name]
    assert snap_compare(scene.app(), terminal_size=scene.size, run_before=scene.play)
