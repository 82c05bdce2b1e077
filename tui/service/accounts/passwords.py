"""Passwords as they are kept: salted scrypt, with its cost written beside it.

The rule it keeps: a password is never stored, compared in variable time, or shown.
"""

import base64
import hashlib
import hmac
import secrets

_COST, _BLOCK, _LANES = 2**14, 8, 1
_SALT_BYTES = 16


def hashed(password: str) -> str:
    """A password as `scrypt$cost$block$lanes$salt$digest`, with a salt of its own."""
    salt = secrets.token_bytes(_SALT_BYTES)
    digest = _scrypt(password, salt, _COST, _BLOCK, _LANES)
    encoded = (base64.b64encode(part).decode() for part in (salt, digest))
    return "$".join(("scrypt", str(_COST), str(_BLOCK), str(_LANES), *encoded))


def matches(password: str, kept: str) -> bool:
    """Whether a password is the one that was kept."""
    _, cost, block, lanes, salt, digest = kept.split("$")
    found = _scrypt(password, base64.b64decode(salt), int(cost), int(block), int(lanes))
    return hmac.compare_digest(found, base64.b64decode(digest))


def _scrypt(password: str, salt: bytes, cost: int, block: int, lanes: int) -> bytes:
    return hashlib.scrypt(
        password.encode(), salt=salt, n=cost, r=block, p=lanes, maxmem=256 * cost * block
    )
