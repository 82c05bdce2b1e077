"""The commands on the database of a service: `serve`, `serve user`, `export` and `import`.

A password is typed twice on a terminal, without showing it, or read as the first line of standard
input; it is never an argument and never printed. The embedded service's boards are neither exported
nor imported into while changes are pending: an export would lack them, and after an import they
would be sent to other boards.
"""

import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

from tui.cli.output import ask_secret, say
from tui.config.paths import Places
from tui.config.profiles import EMBEDDED
from tui.errors import CallboardError, WrongInput
from tui.service import account_keeping
from tui.service.account_keeping import LONGEST_PASSWORD, AccountRefused
from tui.service.archive.file import Manifest
from tui.service.archive.loading import read_archive
from tui.service.archive.writing import write_archive
from tui.service.database.base import Transaction
from tui.service.databases import attachments_of, is_address, open_at
from tui.service.errors import ServiceError
from tui.service.http.options import Options
from tui.service.times import SiteClock, utc_now
from tui.store.files.waiting_changes import waiting_changes
from tui.text import clean


def serve(options: Options) -> int:
    """Serve boards until it is interrupted."""
    from tui.service.http import serving

    return serving.serve(replace(options, database=_setting(options.database)))


def _setting(database: str) -> str:
    # Without one it is that of the embedded service.
    return database or str(Places.find().boards)


def add_account(
    database: str, name: str, *, display_name: str, email: str, administrator: bool
) -> int:
    """Create an account, and print its rights."""
    # Two transactions, so that none is open while the password is typed; the second checks again.
    with _transaction(database, writing=False, creates=True) as db:
        account_keeping.check_free(db, name)
    password = _ask_password()
    with _transaction(database, writing=True) as db:
        account = account_keeping.add_account(
            db,
            SiteClock(),
            login=name,
            password=password,
            display_name=display_name,
            email=email,
            administrator=administrator,
        )
    rights = "an administrator" if account.is_administrator else "not an administrator"
    say(f"{account.login} can now log in and is {rights}.")
    return 0


def set_password(database: str, name: str) -> int:
    """Set the password of an account."""
    with _transaction(database, writing=False) as db:
        account_keeping.existing(db, name)
    password = _ask_password()
    with _transaction(database, writing=True) as db:
        account_keeping.set_password(db, name, password)
    say(f"Changed the password of {name}.")
    return 0


def list_accounts(database: str) -> int:
    """Print every account, one a line."""
    with _transaction(database, writing=False) as db:
        rows = account_keeping.list_accounts(db)
    width = max((len(row.account.login) for row in rows), default=0)
    for row in rows:
        account = row.account
        notes = ["administrator"] * account.is_administrator
        notes += [] if row.has_password else ["no password"]
        shown = f"{account.display_name} {account.email}".strip()
        say("  ".join((account.login.ljust(width), shown, ", ".join(notes))).rstrip())
    return 0


def remove_account(database: str, name: str) -> int:
    """Remove an account, and print the effect on its boards."""
    with _transaction(database, writing=True) as db:
        removal = account_keeping.remove_account(db, SiteClock(), name)
    say(f"Removed {name}; their content stays.")
    if removal.boards:
        say(f"{removal.heir} is now admin of: {', '.join(removal.boards)}.")
    if removal.webhooks:
        say(f"Webhooks of {name} were removed: {removal.webhooks}.")
    return 0


@contextmanager
def _transaction(database: str, *, writing: bool, creates: bool = False) -> Iterator[Transaction]:
    # The database may be new if this creates an account.
    setting = _setting(database)
    if not (creates or is_address(setting) or Path(setting).exists()):
        raise WrongInput(f"there are no accounts in {clean.line(setting)}: it does not exist.")
    with closing(open_at(setting)) as opened:
        try:
            with opened.transaction(writing=writing) as db:
                yield db
        except ServiceError as error:
            raise CallboardError(error.message) from error


def _ask_password() -> str:
    if not sys.stdin.isatty():
        typed = sys.stdin.readline(LONGEST_PASSWORD + 2).rstrip("\r\n")
        account_keeping.check_password(typed)
        return typed
    typed = ask_secret("Password: ")
    account_keeping.check_password(typed)
    if ask_secret("Again: ") != typed:
        raise AccountRefused("the two passwords differ; nothing was changed.")
    return typed


def export_to(file: Path, database: str, attachments: Path | None) -> int:
    """Write an archive."""
    setting = _setting(database)
    _check_nothing_waits(setting)
    if not is_address(setting) and not Path(setting).exists():
        raise WrongInput(f"there are no boards in {clean.line(setting)}; nothing was written.")
    folder = attachments_of(setting, attachments)
    with closing(open_at(setting)) as opened:
        try:
            manifest = write_archive(opened, folder, file, now=utc_now())
        except ServiceError as error:
            raise CallboardError(f"{error.message} No archive was written.") from error
    say(f"{file} holds {_counts(manifest)}.")
    if manifest.missing_files:
        say(f"The files of {len(manifest.missing_files)} pictures are missing and not in it.")
    return 0


def import_from(file: Path, database: str, attachments: Path | None) -> int:
    """Import an archive."""
    setting = _setting(database)
    is_own = _check_nothing_waits(setting)
    folder = attachments_of(setting, attachments)
    # The address of a server may hold a password.
    shown = "on the server" if is_address(setting) else clean.line(setting)
    try:
        manifest = read_archive(file, lambda: open_at(setting), folder, needs_local=is_own)
    except ServiceError as error:
        hint = "Choose another one with --database, or move this one away."
        raise WrongInput(
            f"the database {shown} was left unchanged. {error.message}",
            hint=hint if error.code == "not_empty" else "",
        ) from error
    say(f"{shown} now holds {_counts(manifest)}.")
    return 0


def _check_nothing_waits(setting: str) -> bool:
    # Returns whether the database is that of the embedded service.
    places = Places.find()
    is_own = not is_address(setting) and Path(setting).resolve() == places.boards.resolve()
    if is_own and (waiting := waiting_changes(places.data, EMBEDDED)):
        raise WrongInput(
            f"{waiting} of your changes are not saved yet; nothing was done.",
            hint="Start callboard, check them with g u, quit, and try again.",
        )
    return is_own


def _counts(manifest: Manifest) -> str:
    counts = {name: table.rows for name, table in manifest.tables.items()}
    kinds = [(counts.get(name, 0), name) for name in ("board", "task", "comment", "account")]
    kinds.append((len(manifest.files), "picture"))
    return ", ".join(f"{count:,} {name}{'' if count == 1 else 's'}" for count, name in kinds)
