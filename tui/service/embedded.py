"""The service for one user in this process: no port, no password on disk.

The user's account is the one marked as local; its login and name are updated to the given ones, so
that a change of either keeps the boards. Requests go to `http://embedded/v2` with `login` and a
random `password` of this process.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import chain, count
from pathlib import Path

from starlette.applications import Starlette

from tui.service.accounts.accounts import create_account
from tui.service.accounts.auth import LocalSession
from tui.service.application import create_application
from tui.service.call import EMBEDDED_URL
from tui.service.database.base import Database, Transaction
from tui.service.database.sqlite import DatabaseUnusable, file_errors, open_database
from tui.service.databases import attachments_of
from tui.service.tables.changes import touch_boards_of
from tui.service.tables.loose_boards import remove_left
from tui.service.times import Clock, SiteClock, iso, utc_now
from tui.text import clean

BASE_URL = EMBEDDED_URL

__all__ = ["BASE_URL", "DatabaseUnusable", "Embedded", "open_embedded"]


@dataclass(frozen=True, slots=True)
class Embedded:
    """An open service and this process's credentials."""

    application: Starlette
    login: str
    password: str = field(repr=False)
    database: Database = field(repr=False)

    def close(self) -> None:
        """Wait for the running request and close the file; later requests get 503."""
        self.database.close()


def open_embedded(
    path: Path,
    *,
    login: str,
    display_name: str,
    clock: Clock = utc_now,
    pause: Callable[[], None] = lambda: None,
) -> Embedded:
    """Open or create the database file at `path`.

    Uploads are stored in a folder `attachments` beside it. `login` and `display_name` are the
    user's; `clock` returns the time. No e-mails are sent. `pause` is called regularly in long
    requests, to yield the processor. Raises `DatabaseUnusable`, which is a
    `tui.errors.CallboardError`.
    """
    database = open_database(path)
    try:
        with file_errors(path), database.transaction(writing=True) as db:
            # Basic credentials allow no colon in a login.
            name = clean.line(login).replace(":", "").strip() or "me"
            local_login = _local_login(db, SiteClock(clock), name, clean.line(display_name).strip())
        with file_errors(path):
            remove_left(database, clock())
    except BaseException:
        database.close()
        raise
    session = LocalSession(local_login)
    application = create_application(
        database,
        clock=clock,
        session=session,
        attachments=attachments_of(str(path)),
        pause=pause,
    )
    return Embedded(application, local_login, session.password, database)


def _local_login(db: Transaction, site: SiteClock, login: str, display_name: str) -> str:
    display_name = display_name or login
    local = db.find("account", is_local=1)
    if local is None:
        names = chain((login, f"{login}-local"), (f"{login}-local{n}" for n in count(2)))
        unused = next(name for name in names if db.find("account", login=name) is None)
        return create_account(
            db, site, login=unused, display_name=display_name, is_local=True
        ).login
    account = db.find("account", login=login)
    if account is not None and account["id"] != local["id"]:
        # Another account has that login, as after serving this file; the local one keeps its own.
        login = local["login"]
    if (local["login"], local["display_name"]) != (login, display_name):
        db.update("account", local["id"], login=login, display_name=display_name)
        touch_boards_of(db, local["id"], iso(site.now()))
    return login
