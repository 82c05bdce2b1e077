"""The proxy that stands between here and a service, as the environment names it.

The rule it keeps: a proxy is named to people by host and port, never with what it is logged in
with. Where credentials go in the clear because they do not leave the machine, no proxy is used.
"""

from dataclasses import dataclass
from urllib.request import getproxies, proxy_bypass

import httpx

from tui.client.errors import BadAddress
from tui.text import clean

_VARIABLES = {"http": "HTTP_PROXY", "https": "HTTPS_PROXY", "all": "ALL_PROXY"}


@dataclass(frozen=True, slots=True)
class Proxy:
    """A proxy to go through; `variable` is what named it."""

    proxy: httpx.Proxy
    variable: str

    @property
    def host(self) -> str:
        """Host and port, clean for the terminal."""
        return clean.line(self.proxy.url.netloc.decode("ascii", errors="replace"))


def proxy_for(url: httpx.URL) -> Proxy | None:
    """The proxy for a URL by HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY; None to go straight.

    Raises `BadAddress` if that proxy cannot be used.
    """
    port = f":{url.port}" if url.port else ""
    if proxy_bypass(f"{url.host}{port}"):
        return None
    scheme = next((name for name in (url.scheme, "all") if getproxies().get(name)), None)
    return None if scheme is None else _named(scheme)


def _named(scheme: str) -> Proxy:
    try:
        address = _address(scheme)
        if address.scheme in {"http", "https"} and address.host:
            return Proxy(httpx.Proxy(address), _VARIABLES[scheme])
        is_socks = address.scheme.startswith("socks")
    except (httpx.InvalidURL, ValueError):
        is_socks = False
    why = "SOCKS proxies are not supported" if is_socks else "it is no address of an http proxy"
    raise BadAddress(
        f"The proxy that {_VARIABLES[scheme]} names cannot be used: {why}.",
        hint="Unset the variable, or name a proxy as http://host:port.",
        details=f"proxy of {_VARIABLES[scheme]}: {why}",
    )


def _address(scheme: str) -> httpx.URL:
    value = getproxies()[scheme]
    return httpx.URL(value if "://" in value else f"http://{value}")
