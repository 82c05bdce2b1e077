"""Options of `callboard serve`, and their validation.

Unencrypted connections are accepted from this machine only, unless a proxy in front encrypts. The
file of mail settings may hold a password, so only its owner may be able to read it. Problems are
reported before the first request, without the contents of files.
"""

import errno
import ipaddress
import socket
import ssl
import stat
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tui.errors import CannotGoOn, WrongInput, reason_of
from tui.service.smtp import MailSettings
from tui.text import clean

OTHERS = stat.S_IRWXG | stat.S_IRWXO


@dataclass(frozen=True, slots=True)
class Limits:
    """Sizes in bytes, times in seconds; limits of connections are per process.

    `head_seconds` is the time for a complete request line with headers, from the beginning of the
    connection or the end of the last reply. A body must not pause for more than
    `body_pause_seconds` and, after as much time again, needs `body_bytes_per_second` on average.
    After a reply to a request whose body is still arriving, the client has `linger_seconds` to read
    it. A reply of which nothing was read for `stalled_seconds` is aborted.
    """

    head_bytes: int = 32 * 1024
    head_seconds: float = 10.0
    body_pause_seconds: float = 20.0
    body_bytes_per_second: float = 1000.0
    linger_seconds: float = 5.0
    stalled_seconds: float = 60.0
    connections_per_address: int | None = 256
    connections: int = 900

    def body_deadline(self, begun: float, now: float, received: int) -> float:
        """The time by which more of a body must arrive."""
        earned_seconds = received / self.body_bytes_per_second
        return self.body_pause_seconds + min(now, begun + earned_seconds)


class CannotServe(WrongInput):
    """The service cannot be served with these options; nothing listens."""


@dataclass(frozen=True, slots=True)
class Options:
    """The options of `callboard serve`.

    `database` is a setting; `attachments` is the folder of uploads (None: beside the database).
    `mail` is the file with the mail settings (None: no e-mails are sent). With `behind_proxy` the
    nearest proxy's `X-Forwarded-For` is trusted. `public_url` is the URL for clients, with or
    without `/v2` (None: the listening address).
    """

    database: str
    host: str = "127.0.0.1"
    port: int = 8642
    attachments: Path | None = None
    workers: int = 1
    behind_proxy: bool = False
    tls_cert: Path | None = None
    tls_key: Path | None = None
    mail: Path | None = None
    public_url: str | None = None

    @property
    def limits(self) -> Limits:
        """The limits of connections; behind a proxy there is none per address."""
        return Limits(connections_per_address=None) if self.behind_proxy else Limits()

    def base_url(self, listening: socket.socket) -> str:
        """The base URL of links in replies."""
        if self.public_url is not None:
            return self.public_url.rstrip("/").removesuffix("/v2") + "/v2"
        return self.local_url(listening)

    def local_url(self, listening: socket.socket) -> str:
        """The base URL at the address of a listening socket."""
        host, port = listening.getsockname()[:2]
        shown = f"[{host}]" if ":" in host else host
        return f"{'http' if self.tls_cert is None else 'https'}://{shown}:{port}/v2"

    def is_for_this_machine(self, listening: socket.socket) -> bool:
        """Whether the service can be reached from this machine only."""
        host = str(listening.getsockname()[0]).partition("%")[0]
        return not self.behind_proxy and ipaddress.ip_address(host).is_loopback

    def check_public_url(self) -> None:
        """Raises `CannotServe` if the public URL is invalid."""
        if self.public_url is None:
            return
        try:
            parts = urlsplit(self.public_url)
            is_usable = (
                parts.scheme in ("http", "https")
                and bool(parts.hostname)
                and self.public_url.isascii()
                and self.public_url.isprintable()
                and not (set(" ?#@") & set(self.public_url))
            )
        except ValueError:
            is_usable = False
        if not is_usable:
            raise CannotServe(
                f"links cannot begin with {clean.line(self.public_url)}.",
                hint="Give an address such as https://boards.example.org to --public-url.",
            )

    def check_tls(self) -> None:
        """Raises `CannotServe` if the certificate or its key cannot be used."""
        if self.tls_cert is None and self.tls_key is None:
            return
        if self.tls_cert is None or self.tls_key is None:
            raise CannotServe("--tls-cert and --tls-key belong together; give both or neither.")
        try:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            # Without a callback OpenSSL asks for a passphrase on the terminal.
            context.load_cert_chain(self.tls_cert, self.tls_key, password=_refuse_to_ask)
        except _Encrypted as error:
            raise self._cannot_encrypt("the key asks for a passphrase") from error
        except ssl.SSLError as error:
            raise self._cannot_encrypt("they are no PEM files that belong together") from error
        except OSError as error:
            raise self._cannot_encrypt((error.strerror or "no such file").lower()) from error

    def _cannot_encrypt(self, reason: str) -> CannotServe:
        shown = clean.line(f"{self.tls_cert} and {self.tls_key}")
        return CannotServe(
            f"the certificate and key {shown} cannot be used: {reason}.",
            hint="Name two files in PEM, the key without a passphrase.",
        )

    def listen(self) -> socket.socket:
        """A listening socket.

        Raises `CannotServe` if that is not safe or not possible, `CannotGoOn` if the port is taken.
        """
        family, address = self._resolve()
        is_safe = self.behind_proxy or self.tls_cert is not None
        if not is_safe and not ipaddress.ip_address(address[0].partition("%")[0]).is_loopback:
            raise CannotServe(
                f"passwords would be sent unencrypted to {clean.line(self.host)}; give --tls-cert "
                "and --tls-key, or --behind-proxy if a proxy encrypts."
            )
        try:
            listening = socket.create_server(address, family=family, backlog=2048)
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                raise CannotGoOn(
                    f"another program listens on {clean.line(self.host)}:{self.port} already.",
                    hint="Stop that one, or choose another --port.",
                ) from error
            raise self._cannot_listen(error) from error
        # Connections inherit it; a reply of two packets would wait 40 ms for the first one's ACK.
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        listening.set_inheritable(True)
        return listening

    def _resolve(self) -> tuple[socket.AddressFamily, Any]:
        try:
            addresses = socket.getaddrinfo(
                self.host, self.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
            )
        except (OSError, UnicodeError) as error:
            raise self._cannot_listen(error) from error
        family, *_, address = addresses[0]
        return family, address

    def _cannot_listen(self, error: OSError | UnicodeError) -> CannotServe:
        reason = getattr(error, "strerror", None) or "there is no such address"
        return CannotServe(
            f"{clean.line(self.host)}:{self.port} cannot be listened on: {reason.lower()}.",
            hint="Choose another --port, or another --host.",
        )


class _Encrypted(Exception):
    """A key asks for a passphrase."""


def _refuse_to_ask() -> str:
    raise _Encrypted


def read_mail_settings(file: Path) -> MailSettings:
    """The settings in a TOML file: host, from, port, security, login, password.

    Raises `CannotServe` if the file cannot be read, or is readable by others while it holds a
    password, `tui.service.smtp.MailSettingsWrong` for an invalid setting.
    """
    try:
        table = tomllib.loads(file.read_text("utf-8"))
        is_open = bool(file.stat().st_mode & OTHERS)
    except OSError as error:
        reason = reason_of(error)
        raise CannotServe(f"the mail settings in {file} cannot be read: {reason}.") from error
    except ValueError:
        # The invalid part may be the password, so it is not repeated.
        raise CannotServe(f"the mail settings in {file} are not valid TOML.") from None
    if table.get("password") and is_open:
        raise CannotServe(
            f"others may read {file}, and it holds a password.", hint=f"Type: chmod 600 {file}"
        )
    return MailSettings.read(table)
