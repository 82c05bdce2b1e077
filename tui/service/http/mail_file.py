"""The file that says where e-mails are handed in.

The rule it keeps: it may hold a password, so nobody but its owner may read it; what is wrong in it
is said before anything listens, and never with what it holds.
"""

import stat
import tomllib
from pathlib import Path

from tui.service.http.options import CannotServe
from tui.service.mail.smtp import MailSettings

OTHERS = stat.S_IRWXG | stat.S_IRWXO


def read_mail_settings(file: Path) -> MailSettings:
    """The settings in a TOML file: host, from, port, security, login, password.

    Raises `CannotServe` if the file cannot be read or may be read by others while it holds a
    password, `tui.service.mail.smtp.MailSettingsWrong` if a setting is missing or wrong.
    """
    try:
        table = tomllib.loads(file.read_text("utf-8"))
        is_open = bool(file.stat().st_mode & OTHERS)
    except OSError as error:
        reason = (error.strerror or "no reason").lower()
        raise CannotServe(f"the mail settings in {file} cannot be read: {reason}.") from error
    except ValueError:
        # What is not valid may be the password: neither it nor the reason is repeated.
        raise CannotServe(f"the mail settings in {file} are not valid TOML.") from None
    if table.get("password") and is_open:
        raise CannotServe(
            f"others may read {file}, and it holds a password.", hint=f"Type: chmod 600 {file}"
        )
    return MailSettings.read(table)
