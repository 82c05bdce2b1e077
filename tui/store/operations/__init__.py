"""The changes a person can make, as data.

An operation waits in the outbox until the service accepts it. Until then the board is drawn as if
it had been.

The operations are imported when they are first named, as `operations.MoveTask`: a board is painted
before anybody changes it, and making their classes takes a tenth of the time until then.
"""

from importlib import import_module

_HOMES = {
    "ArchiveTask": "archiving",
    "CreateTask": "creating",
    "DeleteTask": "creating",
    "Finding": "base",
    "Footing": "base",
    "MoveTask": "moving",
    "Operation": "base",
    "RestoreTask": "archiving",
    "SetDescription": "setting",
    "SetDue": "setting",
    "SetPriority": "setting",
    "SetStatus": "setting",
    "SetTitle": "setting",
    "new_local_id": "creating",
}


def __getattr__(name: str) -> object:
    """The operation of this name, imported now."""
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(f"{__name__}.{home}"), name)
    globals()[name] = value
    return value


def load() -> None:
    """Import every operation now, so that the first change of a person need not wait for it."""
    for name in _HOMES:
        __getattr__(name)
