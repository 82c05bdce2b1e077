"""Addresses as people paste them, and the names suggested for profiles."""

import ipaddress
import re
from urllib.parse import urlsplit

from tui.client.http.address import is_loopback
from tui.config.profiles import is_profile_name
from tui.errors import WrongInput
from tui.text import clean

_HINT = "Any address of the site will do, such as boards.example.org."


class BadlyPasted(WrongInput):
    """The text is not a web address."""


def web_address(pasted: str) -> str:
    """The http(s) address in a text, without its fragment. Raises `BadlyPasted`.

    Without a scheme it is https, for this machine http.
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
    query = f"?{parts.query}" if parts.query else ""
    return f"{scheme}://{netloc}{parts.path}{query}"


def suggested_name(address: str) -> str:
    """A profile name for an address."""
    host = urlsplit(address).hostname or ""
    if _is_here(host):
        return "local"
    try:
        ipaddress.ip_address(host)
    except ValueError:
        label = next((part for part in host.split(".") if part != "www"), "")
        return label if is_profile_name(label) else "work"
    return "work"


def _is_here(host: str) -> bool:
    """Whether a host is this machine, where encryption is not needed."""
    return host.endswith(".localhost") or is_loopback(host)
