"""`callboard export` and `callboard import`: all boards in one file.

The embedded service's boards are neither exported nor imported into while changes are pending: an
export would lack them, and after an import they would be sent to other boards.
"""

from pathlib import Path

from tui.cli.output import say
from tui.config.paths import Places
from tui.config.profiles import EMBEDDED
from tui.errors import CallboardError, WrongInput
from tui.service.archive.file import Manifest
from tui.service.archive.loading import read_archive
from tui.service.archive.writing import write_archive
from tui.service.databases import attachments_of, is_address, open_at
from tui.service.errors import ServiceError
from tui.service.times import utc_now
from tui.store.files.waiting_changes import waiting_changes
from tui.text import clean


class NotSafe(WrongInput):
    """The command would lose or mix up data; nothing was changed."""


def export_to(file: Path, database: str, attachments: Path | None) -> int:
    """Write an archive."""
    setting = _setting(database)
    if not is_address(setting) and not Path(setting).exists():
        raise NotSafe(f"there are no boards in {clean.line(setting)}; nothing was written.")
    folder = attachments_of(setting, attachments)
    opened = open_at(setting)
    try:
        manifest = write_archive(opened, folder, file, now=utc_now())
    except ServiceError as error:
        raise CallboardError(f"{error.message} No archive was written.") from error
    finally:
        opened.close()
    say(f"{file} holds {_counts(manifest)}.")
    if manifest.missing_files:
        say(f"The files of {len(manifest.missing_files)} pictures were gone and are not in it.")
    return 0


def import_from(file: Path, database: str, attachments: Path | None) -> int:
    """Import an archive."""
    setting = _setting(database)
    folder = attachments_of(setting, attachments)
    # The address of a server may hold a password.
    shown = "on the server" if is_address(setting) else clean.line(setting)
    is_own = _is_own(setting)
    try:
        manifest = read_archive(file, lambda: open_at(setting), folder, needs_local=is_own)
    except ServiceError as error:
        hint = "Name another one with --database, or move this one away."
        raise WrongInput(
            f"the database {shown} was left as it is. {error.message}",
            hint=hint if error.code == "not_empty" else "",
        ) from error
    say(f"{shown} holds {_counts(manifest)} now.")
    return 0


def _setting(database: str) -> str:
    # Without one it is that of the embedded service.
    places = Places.find()
    setting = database or str(places.boards)
    waiting = waiting_changes(places.data, EMBEDDED) if _is_own(setting) else 0
    if waiting:
        raise NotSafe(
            f"{waiting} of your changes are still waiting to be written; nothing was done.",
            hint="Start callboard, see with g u what becomes of them, leave, and try again.",
        )
    return setting


def _is_own(setting: str) -> bool:
    return not is_address(setting) and Path(setting).resolve() == Places.find().boards.resolve()


def _counts(manifest: Manifest) -> str:
    counts = {name: table.rows for name, table in manifest.tables.items()}
    kinds = [(counts.get(name, 0), name) for name in ("board", "task", "comment", "account")]
    kinds.append((len(manifest.files), "picture"))
    return ", ".join(f"{count:,} {name}{'' if count == 1 else 's'}" for count, name in kinds)
