"""The changes a user can make, as data: operations.

An operation stays in the outbox until the service accepts it, and is part of the projection until
then.

Operations are imported when first used, as `operations.MoveTask`: a board is painted before
anything is changed, and creating their classes would take a tenth of the time until then.
"""

from importlib import import_module
from typing import TYPE_CHECKING

MODULES = (
    "base",
    "ids",
    "edit",
    "setters",
    "creation",
    "moving",
    "tasks",
    "comments",
    "subtasks",
    "subtask_moves",
    "labels",
    "custom_fields",
    "members",
    "boards",
    "stages",
    "stage_tasks",
    "claims",
)
"""The modules searched for an operation, the most frequent first."""

if TYPE_CHECKING:
    from tui.store.operations.base import *
    from tui.store.operations.boards import *
    from tui.store.operations.claims import *
    from tui.store.operations.comments import *
    from tui.store.operations.creation import *
    from tui.store.operations.custom_fields import *
    from tui.store.operations.edit import *
    from tui.store.operations.ids import *
    from tui.store.operations.labels import *
    from tui.store.operations.members import *
    from tui.store.operations.moving import *
    from tui.store.operations.setters import *
    from tui.store.operations.stage_tasks import *
    from tui.store.operations.stages import *
    from tui.store.operations.subtask_moves import *
    from tui.store.operations.subtasks import *
    from tui.store.operations.tasks import *
else:

    def __getattr__(name: str) -> object:
        """The operation of this name, imported now."""
        for module in () if name.startswith("_") else MODULES:
            names = vars(import_module(f"{__name__}.{module}"))
            if name in names:
                return globals().setdefault(name, names[name])
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def load() -> None:
    """Import every operation now, so that the user's first change need not wait."""
    for module in MODULES:
        import_module(f"{__name__}.{module}")
