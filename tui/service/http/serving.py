"""`callboard serve`: checks everything, then listens until a signal.

Problems are reported before anything listens.
"""

import importlib.util
import logging

from tui.service.databases import attachments_of, open_at
from tui.service.http.application import log_to_stderr
from tui.service.http.options import CannotServe, Options, read_mail_settings

_log = logging.getLogger(__name__)


def serve(options: Options) -> int:
    """Serve until a signal; returns the exit code.

    Raises `CallboardError` if it cannot be served with these options.
    """
    check_extra()
    options.check_tls()
    options.check_public_url()
    if options.mail is not None:
        read_mail_settings(options.mail)
    attachments_of(options.database, options.attachments)
    with options.listen() as listening:
        can_log_in = _people(options.database)
        from tui.service.http.server import run

        log_to_stderr()
        if not can_log_in:
            _log.warning("nobody has a password yet: callboard serve user add NAME")
        if options.public_url is None and not options.is_for_this_machine(listening):
            _log.warning("links in replies lead to this machine: give --public-url URL")
        _log.info("listening", extra={"facts": {"address": options.local_url(listening)}})
        run(options, listening)
        _log.info("stopped")
    return 0


def check_extra(package: str = "uvicorn") -> None:
    """Raises `CannotServe` if the server package is not installed."""
    if importlib.util.find_spec(package) is None:
        raise CannotServe(
            f"serving needs {package}, which is not installed.",
            hint="Install it with: pip install 'callboard[serve]'",
        )


def _people(database: str) -> int:
    """The number of accounts with a password; the database is created and migrated.

    Raises its errors.
    """
    opened = open_at(database)
    try:
        with opened.transaction(writing=False) as db:
            count: int = db.value("select count(*) from account where password_hash is not null")
    finally:
        opened.close()
    return count
