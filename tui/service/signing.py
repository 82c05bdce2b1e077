"""Addresses that let whoever holds them read one picture, for a while (2.6: secure_url).

The rule it keeps: the signature covers the picture and the time at which it ends, under a key that
is made once and never leaves the database. An address stays the same for an hour, so that reading
a comment twice shows no difference where there is none.
"""

import hmac
import secrets
from datetime import datetime
from urllib.parse import urlencode

from tui.service.database import Transaction

_HOUR = 3600
_VALID_HOURS = 24
_KEY_NAME = "image_links"


def ensure_key(db: Transaction) -> None:
    """Make the key if there is none yet."""
    db.run(
        "insert into service_key (name, value) values (:name, :value) on conflict do nothing",
        name=_KEY_NAME,
        value=secrets.token_hex(32),
    )


def signed_query(db: Transaction, file_hash: str, now: datetime) -> str:
    """The query of an address that is valid for 24 to 25 hours."""
    ends = (int(now.timestamp()) // _HOUR + 1 + _VALID_HOURS) * _HOUR
    return urlencode({"expires": ends, "signature": _signature(db, file_hash, str(ends))})


def is_signed(db: Transaction, file_hash: str, expires: str, signature: str) -> bool:
    """Whether a signature is ours and covers this picture and this end."""
    expected = _signature(db, file_hash, expires)
    return hmac.compare_digest(expected.encode(), signature.encode(errors="replace"))


def is_over(expires: str, now: datetime) -> bool:
    """Whether a signed end has come."""
    return int(expires) <= now.timestamp()


def _signature(db: Transaction, file_hash: str, expires: str) -> str:
    key = db.value("select value from service_key where name = :name", name=_KEY_NAME)
    return hmac.digest(
        bytes.fromhex(key or secrets.token_hex(32)),
        f"{file_hash}\0{expires}".encode(errors="replace"),
        "sha256",
    ).hex()
