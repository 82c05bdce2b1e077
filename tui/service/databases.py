"""Opens a database by its setting: a file path, or the address of a PostgreSQL server.

PostgreSQL modules are imported only for such an address.
"""

import re
from pathlib import Path

from tui.errors import WrongInput
from tui.service.attachments import Attachments
from tui.service.database.base import Database
from tui.service.database.sqlite import open_database

_SCHEMES = ("postgresql", "postgres")
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://")
_ATTACHMENTS = "attachments"


class DatabaseSettingUnusable(WrongInput):
    """The database cannot be opened with the installed packages or given options."""


def is_address(setting: str) -> bool:
    """Whether a setting is an address rather than a path.

    Raises `DatabaseSettingUnusable` for the address of another kind of database.
    """
    match = _SCHEME.match(setting)
    if match is not None and match[1] not in _SCHEMES:
        raise DatabaseSettingUnusable(
            f"A database cannot be at an address like {match[0]}…. Nothing was changed.",
            hint="Give the path of a file, or postgresql://USER@HOST:PORT/NAME.",
        )
    return match is not None


def open_at(setting: str) -> Database:
    """Open the database of a setting; see `open_database` and `open_postgres`.

    Raises `tui.errors.CallboardError`.
    """
    if not is_address(setting):
        return open_database(Path(setting), for_many=True)
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
