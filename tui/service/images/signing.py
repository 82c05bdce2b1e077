"""Signed addresses of pictures, which need no password to be opened (2.6: secure_url).

A signature covers the picture, the account it was given to and the time at which it expires, under
a key that is made once and never leaves the database. The query is a part of the address; it stays
the same for an hour, so that reading a comment twice shows no difference where there is none.
"""

import hmac
import secrets
from datetime import datetime
from urllib.parse import urlencode

from tui.service.database.base import Transaction

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


def signed_query(db: Transaction, file_hash: str, account_id: int, now: datetime) -> str:
    """The query of an address for one account that is valid for 24 to 25 hours."""
    ends = (int(now.timestamp()) // _HOUR + 1 + _VALID_HOURS) * _HOUR
    signature = _signature(db, file_hash, str(account_id), str(ends))
    return urlencode({"account": account_id, "expires": ends, "signature": signature})


def is_signed(
    db: Transaction, file_hash: str, account_id: str, expires: str, signature: str
) -> bool:
    """Whether a signature is ours and covers this picture, account and end."""
    expected = _signature(db, file_hash, account_id, expires)
    return hmac.compare_digest(expected.encode(), signature.encode(errors="replace"))


def is_over(expires: str, now: datetime) -> bool:
    """Whether a signed end has come."""
    return int(expires) <= now.timestamp()


def _signature(db: Transaction, file_hash: str, account_id: str, expires: str) -> str:
    key = db.value("select value from service_key where name = :name", name=_KEY_NAME)
    return hmac.digest(
        bytes.fromhex(key or secrets.token_hex(32)),
        f"{file_hash}\0{account_id}\0{expires}".encode(errors="replace"),
        "sha256",
    ).hex()
