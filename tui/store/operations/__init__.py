"""The changes a person can make, as data.

An operation waits in the outbox until the service accepts it. Until then the board is drawn as if
it had been.

The operations are imported when they are first named, as `operations.MoveTask`: a board is painted
before anybody changes it, and making their classes takes a tenth of the time until then.
"""

from importlib import import_module
from typing import TYPE_CHECKING

MODULES = (
    "base",
    "ids",
    "edit",
    "moving",
    "converting",
    "tasks",
    "comments",
    "subtasks",
    "labels",
    "people",
    "boards",
    "edit_fields",
    "field",
)
"""Where operations are looked for, the most frequent first."""

if TYPE_CHECKING:
    from tui.store.operations.base import *
    from tui.store.operations.boards import *
    from tui.store.operations.comments import *
    from tui.store.operations.converting import *
    from tui.store.operations.edit import *
    from tui.store.operations.edit_fields import *
    from tui.store.operations.field import *
    from tui.store.operations.ids import *
    from tui.store.operations.labels import *
    from tui.store.operations.moving import *
    from tui.store.operations.people import *
    from tui.store.operations.subtasks import *
    from tui.store.operations.tasks import *
else:

    def __getattr__(name: str) -> object:
        """The operation of this name, imported now."""
        for module in () if name.startswith("_") else MODULES:
            found = vars(import_module(f"{__name__}.{module}"))
            if name in found:
                return globals().setdefault(name, found[name])
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def load() -> None:
    """Import every operation now, so that the first change of a person need not wait for it."""
    for module in MODULES:
        import_module(f"{__name__}.{module}")
