"""The base URL of a service, the URLs of its endpoints, and the proxy.

Credentials are never sent in clear text over a network, never written into a URL, and never sent to
another origin than the configured one. Messages name a proxy by host and port, without its login.
No proxy is used for clear-text connections on this machine.
"""

import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.request import getproxies, proxy_bypass

import httpx

from tui.client.errors import BadAddress
from tui.text import clean

ROUTE_PARAMETER = "rest_route"
"""The query parameter with the path, on installations without pretty URLs."""
_LONGEST_SHOWN = 100
_PROXY_VARIABLES = {"http": "HTTP_PROXY", "https": "HTTPS_PROXY", "all": "ALL_PROXY"}


@dataclass(frozen=True, slots=True)
class Address:
    """A checked base URL; it ends in the version segment, `/v2`.

    Either `https://host/…/v2` or, for installations without pretty URLs,
    `https://host/?rest_route=/…/v2`, where the path of a call is appended to the query value.
    """

    base: httpx.URL
    is_confidential: bool = True
    """Whether nobody on the network can read the traffic."""

    @classmethod
    def parse(
        cls, base_url: str, *, in_process: bool = False, allow_plaintext: bool = False
    ) -> "Address":
        """Check a base URL.

        Plain http is allowed on the loopback, in process, and with `allow_plaintext`.

        Raises `BadAddress`.
        """
        try:
            base = httpx.URL(base_url.strip())
            base.host.encode("idna")
        except (httpx.InvalidURL, UnicodeError):
            base = httpx.URL()
        if base.scheme not in {"http", "https"} or not base.host:
            # What stands before an @ may be a password.
            shown = clean.line(base_url.rpartition("@")[2])[:_LONGEST_SHOWN]
            raise BadAddress(
                f"“{shown}” is not a web address.",
                hint="An address looks like https://example.org/…/v2.",
            )
        if base.userinfo:
            raise BadAddress(
                "The address of a service must not hold a login name or a password.",
                hint="Set them in the profile instead.",
            )
        is_hidden = base.scheme == "https" or in_process or is_loopback(base.host)
        if not is_hidden and not allow_plaintext:
            raise BadAddress(
                f"The address of {clean.line(base.host)} begins with http://, which would send the"
                " password unencrypted; nothing was sent.",
                hint="Use an address that begins with https://. If nobody else is on that network,"
                " set allow_plaintext = true in the profile.",
            )
        return cls(base, is_hidden)

    @property
    def host(self) -> str:
        """The host for messages, terminal-safe."""
        return clean.line(self.base.host)

    def url(self, path: str, query: Mapping[str, str] | None = None) -> httpx.URL:
        """The URL for `path`, which begins with a slash."""
        parameters = dict(self.base.params.multi_items())
        route = parameters.get(ROUTE_PARAMETER)
        if route is None:
            url = self.base.copy_with(path=self.base.path.rstrip("/") + path)
        else:
            parameters[ROUTE_PARAMETER] = route.rstrip("/") + path
            url = self.base
        parameters.update(query or {})
        return url.copy_with(params=parameters) if parameters else url

    def in_index(self, path: str, query: Mapping[str, str] | None = None) -> httpx.URL | None:
        """The URL of a path in the site's index, such as `/wp/v2/users/me`; None without a site.

        `/` is the index itself.
        """
        parameters = dict(self.base.params.multi_items()) | dict(query or {})
        if ROUTE_PARAMETER in parameters:
            return self.base.copy_with(params={**parameters, ROUTE_PARAMETER: path})
        # The namespace has two segments, the path word and the version.
        index = "/".join(self.base.path.rstrip("/").split("/")[:-2])
        if not index:
            return None
        url = self.base.copy_with(path=index + path)
        return url.copy_with(params=parameters) if parameters else url

    def is_own_origin(self, url: httpx.URL) -> bool:
        """Whether a URL has the same origin, so that credentials may be sent there."""
        return _origin(url) == _origin(self.base)


def _origin(url: httpx.URL) -> tuple[str, str, int]:
    port = url.port or {"http": 80, "https": 443}.get(url.scheme, 0)
    return url.scheme, url.host, port


def is_loopback(host: str) -> bool:
    """Whether the host is this machine."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def without_query(url: httpx.URL) -> str:
    """An address for messages and the log: its query may hold a signature or a key."""
    return str(url.copy_with(query=None, fragment=None, userinfo=b""))


@dataclass(frozen=True, slots=True)
class Proxy:
    """A proxy; `variable` is the environment variable that names it."""

    proxy: httpx.Proxy
    variable: str

    @property
    def host(self) -> str:
        """Host and port, terminal-safe."""
        return clean.line(self.proxy.url.netloc.decode("ascii", errors="replace"))


def proxy_for(url: httpx.URL) -> Proxy | None:
    """The proxy for a URL by HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY; None without.

    Raises `BadAddress` if that proxy cannot be used.
    """
    port = f":{url.port}" if url.port else ""
    if proxy_bypass(f"{url.host}{port}"):
        return None
    scheme = next((name for name in (url.scheme, "all") if getproxies().get(name)), None)
    if scheme is None:
        return None
    try:
        address = _proxy_address(scheme)
        if address.scheme in {"http", "https"} and address.host:
            return Proxy(httpx.Proxy(address), _PROXY_VARIABLES[scheme])
        is_socks = address.scheme.startswith("socks")
    except (httpx.InvalidURL, ValueError):
        is_socks = False
    why = "SOCKS proxies are not supported" if is_socks else "it is no address of an http proxy"
    raise BadAddress(
        f"The proxy that {_PROXY_VARIABLES[scheme]} names cannot be used: {why}.",
        hint="Unset the variable, or name a proxy as http://host:port.",
        details=f"proxy of {_PROXY_VARIABLES[scheme]}: {why}",
    )


def _proxy_address(scheme: str) -> httpx.URL:
    """A separate function: tracebacks may show local variables, and `value` may hold a password."""
    value = getproxies()[scheme]
    return httpx.URL(value if "://" in value else f"http://{value}")
