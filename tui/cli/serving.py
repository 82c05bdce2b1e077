"""`callboard serve`, and `callboard serve user`: adds, lists and removes accounts of the service.

A password is typed twice on a terminal, without showing it, or read as the first line of standard
input; it is never an argument and never printed.
"""

import getpass
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from tui.cli.output import say
from tui.config.paths import Places
from tui.errors import CallboardError, WrongInput
from tui.service import account_keeping
from tui.service.account_keeping import LONGEST_PASSWORD, AccountRefused
from tui.service.database.base import Transaction
from tui.service.databases import is_address, open_at
from tui.service.errors import ServiceError
from tui.service.http.options import Options
from tui.service.times import Site
from tui.text import clean


def serve(options: Options) -> int:
    """Serve boards until it is interrupted."""
    from tui.service.http import serving

    return serving.serve(replace(options, database=_path_of(options.database)))


def _path_of(database: str) -> str:
    # Without one it is that of the embedded service.
    return database or str(Places.find().boards)


def add_account(
    database: str, name: str, *, display_name: str, email: str, administrator: bool
) -> int:
    """Create an account, and print its rights."""
    with _transaction(database, writing=False, creates=True) as db:
        account_keeping.check_free(db, name)
    password = _ask_password()
    with _transaction(database, writing=True) as db:
        account = account_keeping.add_account(
            db,
            Site(),
            login=name,
            password=password,
            display_name=display_name,
            email=email,
            administrator=administrator,
        )
    rights = "an administrator" if account.is_administrator else "no administrator"
    say(f"{account.login} can log in now and is {rights}.")
    return 0


def set_password(database: str, name: str) -> int:
    """Set the password of an account."""
    with _transaction(database, writing=False) as db:
        account_keeping.existing_account(db, name)
    password = _ask_password()
    with _transaction(database, writing=True) as db:
        account_keeping.set_password(db, name, password)
    say(f"{name} has another password.")
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
        removal = account_keeping.remove_account(db, Site(), name)
    say(f"{name} is removed; what they wrote stays.")
    if removal.boards:
        say(f"{removal.heir} is now admin of: {', '.join(removal.boards)}.")
    if removal.webhooks:
        say(f"Webhooks that {name} had made are gone: {removal.webhooks}.")
    return 0


@contextmanager
def _transaction(database: str, *, writing: bool, creates: bool = False) -> Iterator[Transaction]:
    # The database may be new if this creates an account.
    setting = _path_of(database)
    if not (creates or is_address(setting) or Path(setting).exists()):
        raise WrongInput(f"there are no accounts in {clean.line(setting)}: it does not exist.")
    opened = open_at(setting)
    try:
        with opened.transaction(writing=writing) as db:
            yield db
    except ServiceError as error:
        raise CallboardError(error.message) from error
    finally:
        opened.close()


def _ask_password() -> str:
    if not sys.stdin.isatty():
        typed = sys.stdin.readline(LONGEST_PASSWORD + 2).rstrip("\r\n")
        account_keeping.check_password(typed)
        return typed
    typed = getpass.getpass("Password: ")
    account_keeping.check_password(typed)
    if getpass.getpass("Again: ") != typed:
        raise AccountRefused("the two passwords differ; nothing was changed.")
    return typed
