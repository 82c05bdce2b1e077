"""A database by its setting: the path of a file, or the address of a PostgreSQL server.

What PostgreSQL needs is loaded only for an address of one.
"""

from pathlib import Path

from tui.errors import CallboardError
from tui.service.attachments import Attachments
from tui.service.database.base import Database
from tui.service.database.sqlite import open_database

_SCHEMES = ("postgresql://", "postgres://")
_ATTACHMENTS = "attachments"


class DatabaseSettingUnusable(CallboardError):
    """The database that was named cannot be opened as this program is set up."""


def is_address(setting: str) -> bool:
    """Whether a setting names a server and not a file."""
    return setting.startswith(_SCHEMES)


def open_at(setting: str) -> Database:
    """Open the database that a setting names; see `open_database` and `open_postgres`.

    Raises `tui.errors.CallboardError`.
    """
    if not is_address(setting):
        return open_database(Path(setting))
    try:
        from tui.service.database.postgres import open_postgres
    except ModuleNotFoundError as error:
        raise DatabaseSettingUnusable(
            "PostgreSQL needs a driver that is not installed. Nothing was changed.",
            hint="Install it with: pip install 'callboard[postgres]'",
        ) from error
    return open_postgres(setting)


def attachments_of(setting: str, folder: Path | None = None) -> Attachments:
    """Where uploads are kept: in `folder`, else beside the file that the setting names.

    Every process that serves one PostgreSQL database needs the same folder, so it must be named;
    raises `DatabaseSettingUnusable` when it is not.
    """
    if folder is None and is_address(setting):
        raise DatabaseSettingUnusable(
            "With PostgreSQL the folder of the attachments must be named. Nothing was changed.",
            hint="Name one that every process of the service can write to.",
        )
    return Attachments(folder or Path(setting).parent / _ATTACHMENTS)
