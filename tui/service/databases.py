"""Opens a database by its setting: a file path, or the address of a PostgreSQL server.

PostgreSQL modules are imported only for such an address.
"""

from pathlib import Path

from tui.errors import CallboardError
from tui.service.attachments import Attachments
from tui.service.database.base import Database
from tui.service.database.sqlite import open_database

_SCHEMES = ("postgresql://", "postgres://")
_ATTACHMENTS = "attachments"


class DatabaseSettingUnusable(CallboardError):
    """The database cannot be opened with the installed packages or given options."""


def is_address(setting: str) -> bool:
    """Whether a setting is an address rather than a path."""
    return setting.startswith(_SCHEMES)


def open_at(setting: str) -> Database:
    """Open the database of a setting; see `open_database` and `open_postgres`.

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
    """The store of uploads: in `folder`, else beside the database file.

    Every process that serves one PostgreSQL database needs the same folder, so it is required then;
    raises `DatabaseSettingUnusable` if it is missing.
    """
    if folder is None and is_address(setting):
        raise DatabaseSettingUnusable(
            "With PostgreSQL the attachments folder must be given. Nothing was changed.",
            hint="Give one that every process of the service can write to.",
        )
    return Attachments(folder or Path(setting).parent / _ATTACHMENTS)
