"""How the service is served: where, from which database, with which safeguards.

The rule it keeps: nothing is listened to beyond this machine in the clear, unless somebody says
that a proxy in front encrypts. Every problem is found before the first request.
"""

import ipaddress
import socket
import ssl
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tui.errors import CallboardError
from tui.service.http.limits import Limits
from tui.text import clean


class CannotServe(CallboardError):
    """The service cannot be served as asked; nothing listens."""


@dataclass(frozen=True, slots=True)
class Options:
    """What `callboard serve` was asked for.

    `database` is a path; `attachments` is where uploads are kept (None: beside the database).
    `mail` is the file that says where e-mails are handed in (None: none are sent).
    With `behind_proxy` the nearest proxy's `X-Forwarded-For` is believed. `public_url` is where
    clients reach the service, with or without `/v2` (None: where it listens).
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
        """The limits of connections; behind a proxy all come from its address."""
        return Limits(connections_per_address=None) if self.behind_proxy else Limits()

    def base_url(self, listening: socket.socket) -> str:
        """The base URL that links in replies begin with."""
        if self.public_url is not None:
            return self.public_url.rstrip("/").removesuffix("/v2") + "/v2"
        return self.local_url(listening)

    def local_url(self, listening: socket.socket) -> str:
        """The base URL at the address of a socket that listens."""
        host, port = listening.getsockname()[:2]
        shown = f"[{host}]" if ":" in host else host
        return f"{'http' if self.tls_cert is None else 'https'}://{shown}:{port}/v2"

    def is_for_this_machine(self, listening: socket.socket) -> bool:
        """Whether everybody who reaches the service does so by its own address on this machine."""
        host = str(listening.getsockname()[0]).partition("%")[0]
        return not self.behind_proxy and ipaddress.ip_address(host).is_loopback

    def check_public_url(self) -> None:
        """Raises `CannotServe` when links cannot begin with the public URL."""
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
        """Raises `CannotServe` when the certificate or its key cannot be used."""
        if self.tls_cert is None and self.tls_key is None:
            return
        if self.tls_cert is None or self.tls_key is None:
            raise CannotServe("--tls-cert and --tls-key belong together; give both or neither.")
        try:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
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
        """A socket that listens where it was asked for.

        Raises `CannotServe` when that is not safe or not possible.
        """
        family, address = self._resolve()
        is_safe = self.behind_proxy or self.tls_cert is not None
        if not is_safe and not ipaddress.ip_address(address[0].partition("%")[0]).is_loopback:
            raise CannotServe(
                f"passwords would go in the clear to {clean.line(self.host)}; give --tls-cert and "
                "--tls-key, or --behind-proxy if a proxy encrypts."
            )
        try:
            listening = socket.create_server(address, family=family, backlog=2048)
        except OSError as error:
            raise self._cannot_listen(error) from error
        # Connections inherit it; a reply of two packets would wait 40 ms for the first one's ACK.
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        listening.set_inheritable(True)
        return listening

    def _resolve(self) -> tuple[socket.AddressFamily, Any]:
        """The family and the address that the host means."""
        try:
            found = socket.getaddrinfo(
                self.host, self.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
            )
        except (OSError, UnicodeError) as error:
            raise self._cannot_listen(error) from error
        family, *_, address = found[0]
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
