"""Accounts, their roles on boards, and password hashes.

The first account is an administrator, who may do everything on every board. Passwords are stored as
salted scrypt hashes with their cost, and compared in constant time.
"""

import base64
import hashlib
import hmac
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

from tui.service.database.base import Rows, Transaction, first
from tui.service.times import SiteClock, iso

_COST, _BLOCK, _LANES = 2**14, 8, 1
_SALT_BYTES = 16


def hashed(password: str) -> str:
    """The hash of a password as `scrypt$cost$block$lanes$salt$digest`, with a new salt."""
    salt = secrets.token_bytes(_SALT_BYTES)
    digest = _scrypt(password, salt, _COST, _BLOCK, _LANES)
    encoded = (base64.b64encode(part).decode() for part in (salt, digest))
    return "$".join(("scrypt", str(_COST), str(_BLOCK), str(_LANES), *encoded))


def matches(password: str, stored: str) -> bool:
    """Whether a password has this hash."""
    # With the cost it was made with, which may be another than that of new hashes.
    _, cost, block, lanes, salt, digest = stored.split("$")
    computed = _scrypt(password, base64.b64decode(salt), int(cost), int(block), int(lanes))
    return hmac.compare_digest(computed, base64.b64decode(digest))


def _scrypt(password: str, salt: bytes, cost: int, block: int, lanes: int) -> bytes:
    # It needs 128 * cost * block bytes; without a limit of our own OpenSSL refuses over 32 MiB.
    return hashlib.scrypt(
        password.encode(), salt=salt, n=cost, r=block, p=lanes, maxmem=256 * cost * block
    )


class BoardRole(IntEnum):
    """What a member may do on a board; a higher role includes the lower ones."""

    VIEWER = 1
    MEMBER = 2
    ADMIN = 3

    @property
    def word(self) -> str:
        """The name of the role in the interface."""
        return self.name.lower()

    @classmethod
    def of(cls, word: str) -> "BoardRole":
        """The role stored under this name."""
        return cls[word.upper()]


@dataclass(frozen=True, slots=True)
class Caller:
    """An authenticated user."""

    id: int
    login: str
    display_name: str
    email: str
    is_administrator: bool
    password_hash: str | None = field(repr=False)


def create_account(
    db: Transaction,
    site: SiteClock,
    *,
    login: str,
    display_name: str,
    email: str = "",
    password: str | None = None,
    is_local: bool = False,
) -> Caller:
    """Create an account; the first one becomes an administrator.

    Without a password it can only be used through the process's own session.
    """
    is_first = db.value("select count(*) from account") == 0
    row = db.insert(
        "account",
        login=login,
        display_name=display_name,
        email=email,
        password_hash=None if password is None else hashed(password),
        is_administrator=int(is_first),
        is_local=int(is_local),
        created_at=iso(site.now()),
    )
    return account(row)


def account(row: Mapping[str, Any]) -> Caller:
    """The account of a row."""
    return Caller(
        id=row["id"],
        login=row["login"],
        display_name=row["display_name"],
        email=row["email"],
        is_administrator=bool(row["is_administrator"]),
        password_hash=row["password_hash"],
    )


def role_on(db: Transaction, board_id: int, person: Caller) -> BoardRole | None:
    """The role of a person on a board; None if not a member."""
    return role_of(person, memberships_on(db, board_id, person))


def memberships_on(db: Transaction, board_id: int, person: Caller) -> Rows:
    """The membership of a person on a board, for `role_of`."""
    return db.select("membership", "board_id", board_id=board_id, account_id=person.id)


def role_of(person: Caller, memberships: Rows) -> BoardRole | None:
    """The role of a person with this membership; None if not a member."""
    if person.is_administrator:
        return BoardRole.ADMIN
    row = first(memberships)
    return None if row is None else BoardRole.of(row["role"])


def manages_any(db: Transaction, person: Caller) -> bool:
    """Whether a person is an admin of any board, as every administrator is."""
    managed = db.select("membership", "board_id", account_id=person.id, role=BoardRole.ADMIN.word)
    return person.is_administrator or bool(managed)
