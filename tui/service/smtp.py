"""Sends e-mails by SMTP.

The password appears in no repr or error, and is only sent over an encrypted connection or on this
machine.
"""

import smtplib
import ssl
from collections.abc import Mapping
from dataclasses import dataclass, field
from email.message import EmailMessage

from tui.errors import WrongInput
from tui.service.mail import Email

_LOCAL = {"localhost", "127.0.0.1", "::1"}
_PORTS = {"starttls": 587, "tls": 465, "none": 25}
_TIMEOUT_SECONDS = 20.0
_LARGEST_PORT = 65_535
_HINT = "Correct the section “mail” of the settings; without it no e-mails are sent."


class MailSettingsWrong(WrongInput):
    """The mail settings cannot be used."""


@dataclass(frozen=True, slots=True)
class MailSettings:
    """The mail server; `security` is `starttls`, `tls` or `none`."""

    host: str
    sender: str
    port: int
    security: str
    login: str = ""
    password: str = field(default="", repr=False)

    @classmethod
    def read(cls, table: Mapping[str, object]) -> "MailSettings":
        """Read settings: host, from, port, security, login, password.

        Raises `MailSettingsWrong` naming a missing or invalid one.
        """
        security = _text(table, "security") or "starttls"
        if security not in _PORTS:
            raise _wrong("security", f"must be one of: {', '.join(_PORTS)}")
        port = table.get("port", _PORTS[security])
        if isinstance(port, bool) or not isinstance(port, int) or not 0 < port <= _LARGEST_PORT:
            raise _wrong("port", "must be a number from 1 to 65535")
        settings = cls(
            host=_text(table, "host"),
            sender=_text(table, "from"),
            port=port,
            security=security,
            login=_text(table, "login"),
            password=_text(table, "password"),
        )
        if not settings.host:
            raise _wrong("host", "is required")
        if "@" not in settings.sender:
            raise _wrong("from", "must be an e-mail address")
        if settings.login and security == "none" and settings.host not in _LOCAL:
            raise _wrong("security", "must not be none where a password is sent")
        return settings


@dataclass(frozen=True, slots=True)
class SmtpSender:
    """Sends each e-mail to a server over a new connection."""

    settings: MailSettings

    def send(self, email: Email) -> None:
        """Send an e-mail. Raises `OSError` or `smtplib.SMTPException`."""
        settings = self.settings
        with self._connection() as link:
            if settings.security == "starttls":
                # It raises if the server does not offer encryption, so no password is sent without.
                link.starttls(context=ssl.create_default_context())
            if settings.login:
                link.login(settings.login, settings.password)
            message = EmailMessage()
            message["From"] = settings.sender
            message["To"] = email.to
            message["Subject"] = email.subject
            # Keeps programs from answering, as with a note of absence (RFC 3834).
            message["Auto-Submitted"] = "auto-generated"
            message.set_content(email.text)
            link.send_message(message)

    def _connection(self) -> smtplib.SMTP:
        settings = self.settings
        if settings.security == "tls":
            return smtplib.SMTP_SSL(
                settings.host,
                settings.port,
                timeout=_TIMEOUT_SECONDS,
                context=ssl.create_default_context(),
            )
        return smtplib.SMTP(settings.host, settings.port, timeout=_TIMEOUT_SECONDS)


def _text(table: Mapping[str, object], name: str) -> str:
    value = table.get(name, "")
    if not isinstance(value, str):
        raise _wrong(name, "must be text")
    return value.strip()


def _wrong(name: str, problem: str) -> MailSettingsWrong:
    return MailSettingsWrong(f"The mail setting “{name}” {problem}.", hint=_HINT)
