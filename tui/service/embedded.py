"""The service for one person, in this process: no port, no password on disk.

The person's account is the one marked as local; it follows the login and the name that are given,
so that a change of either never hides anybody's boards. Requests go to `http://embedded/v2` with
`login` and `password`, which is random and lives as long as the process.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import tzinfo
from pathlib import Path

from starlette.applications import Starlette

from tui.service.accounts.accounts import create_account
from tui.service.accounts.auth import LocalSession
from tui.service.application import create_application
from tui.service.call import EMBEDDED_URL
from tui.service.database.base import Database, Transaction
from tui.service.database.sqlite import DatabaseUnusable, open_database, told
from tui.service.databases import attachments_of
from tui.service.mail import MailQueue, Sender
from tui.service.tables.changes import touch_boards_of
from tui.service.times import Clock, Site, iso, utc_now
from tui.text import clean

BASE_URL = EMBEDDED_URL

__all__ = ["BASE_URL", "DatabaseUnusable", "Embedded", "open_embedded"]


@dataclass(frozen=True, slots=True)
class Embedded:
    """An open service and the credentials of this process for it."""

    application: Starlette
    login: str
    password: str = field(repr=False)
    database: Database = field(repr=False)
    mail: MailQueue | None = field(repr=False, default=None)

    def close(self) -> None:
        """Wait for the request that is running and close the file; later requests get 503.

        Letters that are waiting go out first, if that is quick.
        """
        self.database.close()
        if self.mail is not None:
            self.mail.close()


def open_embedded(
    path: Path,
    *,
    login: str,
    display_name: str,
    clock: Clock = utc_now,
    zone: tzinfo | None = None,
    sender: Sender | None = None,
    pause: Callable[[], None] = lambda: None,
) -> Embedded:
    """Open the boards in the file at `path`, which is made if it is not there.

    Uploads are kept in a folder `attachments` beside it. `login` and `display_name` are the
    person's; `clock` says what time it is, `zone` is the site's (None: the machine's). `sender`
    delivers e-mails; without it there are none. `pause` is called now and then in long requests, to
    let others have the processor. Raises `DatabaseUnusable`, which is a
    `tui.errors.CallboardError`.
    """
    database = open_database(path)
    try:
        with told(path), database.transaction(writing=True) as db:
            kept_login = _local_login(
                db, Site(clock, zone), _login(login), clean.line(display_name).strip()
            )
    except BaseException:
        database.close()
        raise
    session = LocalSession(kept_login)
    mail = None if sender is None else MailQueue(sender)
    application = create_application(
        database,
        clock=clock,
        zone=zone,
        session=session,
        attachments=attachments_of(str(path)),
        mail=mail,
        pause=pause,
    )
    return Embedded(application, kept_login, session.password, database, mail)


def _login(given: str) -> str:
    """A login that Basic credentials can carry: without a colon, and never empty."""
    return clean.line(given).replace(":", "").strip() or "me"


def _local_login(db: Transaction, site: Site, login: str, display_name: str) -> str:
    """The login of the local account, made or brought up to date."""
    display_name = display_name or login
    local = db.find("account", is_local=1)
    taken = db.find("account", login=login)
    if local is None:
        free = login if taken is None else f"{login}-local"
        return create_account(db, site, login=free, display_name=display_name, is_local=True).login
    if taken is not None and taken["id"] != local["id"]:
        login = local["login"]
    if (local["login"], local["display_name"]) != (login, display_name):
        db.update("account", local["id"], login=login, display_name=display_name)
        touch_boards_of(db, local["id"], iso(site.now()))
    return login
