"""The address of a service as people paste it.

The rule it keeps: what was pasted is cut and completed where only one thing can be meant, and never
guessed: the path of a service is known to nobody but itself.
"""

import ipaddress
import re
from urllib.parse import parse_qsl, quote, urlsplit

from tui.errors import CallboardError
from tui.profiles import is_profile_name
from tui.text import clean

_TO_VERSION = re.compile(r"(?:/[^/?#]+)*?/v2(?=/|$)")
_ROUTE = "rest_route"
_HINT = "It ends in /v2, as in https://example.org/…/v2 or https://example.org/?rest_route=/…/v2"


class BadlyPasted(CallboardError):
    """What was pasted is not the address of a service."""


def fitting_address(pasted: str) -> str:
    """The base address in what was pasted: with a scheme, up to `/v2`. Raises `BadlyPasted`.

    Without a scheme it is https, towards this machine http. The address of a single call is cut
    behind `/v2`.
    """
    text = clean.line(pasted).strip().strip("<>\"'")
    scheme, mark, rest = text.partition("://")
    if not mark:
        scheme, rest = "", text
    try:
        parts = urlsplit(f"//{rest}")
        host = parts.hostname or ""
        port = parts.port
    except ValueError as error:
        raise BadlyPasted("this is not a web address.", hint=_HINT) from error
    if not host or re.search(r"\s", rest) or scheme.lower() not in {"", "http", "https"}:
        raise BadlyPasted("this is not a web address.", hint=_HINT)
    if "@" in parts.netloc:
        raise BadlyPasted(
            "an address with a login name or a password in it is not taken.",
            hint="Leave out what stands before the @; both are asked for by themselves.",
        )
    scheme = scheme.lower() or ("http" if _is_here(host) else "https")
    netloc = (f"[{host}]" if ":" in host else host) + (f":{port}" if port else "")
    return f"{scheme}://{netloc}{_base(parts.path, parts.query, host)}"


def suggested_name(address: str) -> str:
    """What a profile may be called that is at an address."""
    host = urlsplit(address).hostname or ""
    if _is_here(host):
        return "local"
    try:
        ipaddress.ip_address(host)
    except ValueError:
        label = next((part for part in host.split(".") if part != "www"), "")
        return label if is_profile_name(label) else "work"
    return "work"


def _base(path: str, query: str, host: str) -> str:
    """The path or the query that ends in the version. Raises `BadlyPasted`."""
    route = dict(parse_qsl(query)).get(_ROUTE)
    found = _TO_VERSION.match(path if route is None else route)
    if found is None:
        raise BadlyPasted(
            f"the address of a service at {host} has to end in /v2; this one does not.",
            hint=f"{_HINT}; whoever runs the service knows it.",
        )
    return found[0] if route is None else f"{path or '/'}?{_ROUTE}={quote(found[0])}"


def _is_here(host: str) -> bool:
    """Whether a host is this machine, to which nothing is encrypted."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
