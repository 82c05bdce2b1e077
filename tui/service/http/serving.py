"""`callboard serve`: checks everything, then listens until a signal.

Problems are reported before anything listens.
"""

import importlib.util
import logging
from pathlib import Path

from tui.errors import CallboardError, CannotGoOn, reason_of
from tui.service.attachments import Attachments
from tui.service.database.sqlite import file_identity
from tui.service.databases import DatabaseSettingUnusable, attachments_of, is_address, open_at
from tui.service.http.application import log_to_stderr
from tui.service.http.options import CannotServe, Options, read_mail_settings
from tui.text import clean

_log = logging.getLogger(__name__)


def serve(options: Options) -> int:
    """Serve until a signal; returns the exit code.

    Raises `CallboardError` if it cannot be served with these options, `CannotGoOn` if they are
    right but something is in the way, and if the database file is gone in the end.
    """
    check_extra()
    options.check_tls()
    options.check_public_url()
    if options.mail is not None:
        read_mail_settings(options.mail)
    attachments = attachments_of(options.database, options.attachments)
    with options.listen() as listening:
        can_log_in = _passwords(options.database)
        _try_out(attachments)
        file = None if is_address(options.database) else Path(options.database)
        # Compared at the end, as the server stops when the file is gone.
        identity = file and file_identity(file)
        # uvicorn is an optional package; `check_extra` has explained if it is missing.
        from tui.service.http.server import run

        log_to_stderr()
        if not can_log_in:
            _log.warning("nobody has a password yet: callboard serve user add NAME")
        if options.public_url is None and not options.is_for_this_machine(listening):
            _log.warning("links in replies lead to this machine: give --public-url URL")
        _log.info("listening", extra={"facts": {"address": options.local_url(listening)}})
        run(options, listening)
        _log.info("stopped")
    if file is not None and file_identity(file) != identity:
        raise CannotGoOn(
            f"the board file {clean.line(str(file))} was deleted or replaced while it was served; "
            "nothing was written since.",
            hint="Put the file back if it should be there, and start again.",
        )
    return 0


def check_extra(package: str = "uvicorn") -> None:
    """Raises `CannotServe` if the server package is not installed."""
    if importlib.util.find_spec(package) is None:
        raise CannotServe(
            f"serving needs {package}, which is not installed.",
            hint="Install it with: pip install 'callboard[serve]'",
        )


def _passwords(database: str) -> int:
    # How many accounts have one. The database is created and migrated.
    try:
        opened = open_at(database)
    except DatabaseSettingUnusable:
        raise
    except CallboardError as error:
        raise CannotGoOn(error.message, hint=error.hint) from error
    try:
        with opened.transaction(writing=False) as db:
            count: int = db.value("select count(*) from account where password_hash is not null")
    finally:
        opened.close()
    return count


def _try_out(attachments: Attachments) -> None:
    try:
        attachments.try_out()
    except OSError as error:
        raise CannotGoOn(
            f"the folder {clean.line(str(attachments.folder))} for attachments cannot be written "
            f"to: {reason_of(error)}.",
            hint="Make it writable for the service, or choose another with --attachments.",
        ) from error
