"""Account management: create, set passwords, list, remove.

What somebody wrote stays under their name when their account is removed. A board is never left
without an admin, and the service never without an administrator. A removed account has no access
any more, also not by its webhooks.
"""

from dataclasses import dataclass

from tui.errors import WrongInput
from tui.service.accounts.accounts import Caller, account, create_account, hashed
from tui.service.database.base import Row, Transaction
from tui.service.tables.changes import touch_boards_of
from tui.service.times import SiteClock, iso
from tui.text import clean

SHORTEST_PASSWORD, LONGEST_PASSWORD = 8, 1000
_LONGEST_LOGIN, _LONGEST_NAME, _LONGEST_EMAIL = 60, 200, 254
_REMOVED = "removed:"
"""Prefix of the logins of removed accounts; nobody can log in with a colon in the name."""


class AccountRefused(WrongInput):
    """An account cannot be changed as requested; nothing was changed."""


@dataclass(frozen=True, slots=True)
class ListedAccount:
    """An account, and whether it has a password."""

    account: Caller
    has_password: bool


@dataclass(frozen=True, slots=True)
class Removal:
    """The effects of a removal: boards that got another admin, and deleted webhooks."""

    heir: str
    boards: tuple[str, ...]
    webhooks: int


def check_password(password: str) -> None:
    """Raises `AccountRefused` for a password that is too short or too long."""
    if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
        raise AccountRefused(
            f"a password has {SHORTEST_PASSWORD} to {LONGEST_PASSWORD:,} characters; "
            "nothing was changed."
        )


def check_free(db: Transaction, login: str) -> None:
    """Raises `AccountRefused` for a login that cannot be used or is taken."""
    is_clean = login == clean.line(login).strip() and 0 < len(login) <= _LONGEST_LOGIN
    if not is_clean or ":" in login or not login.isprintable():
        raise AccountRefused(
            f"a name has 1 to {_LONGEST_LOGIN} characters and no colon; nothing was changed."
        )
    if db.find("account", login=login) is not None:
        raise AccountRefused(f"there is an account {clean.line(login)} already.")


def add_account(
    db: Transaction,
    site: SiteClock,
    *,
    login: str,
    password: str,
    display_name: str = "",
    email: str = "",
    administrator: bool = False,
) -> Caller:
    """Create an account; the first one is always an administrator. Raises `AccountRefused`."""
    check_free(db, login)
    check_password(password)
    email = clean.line(email).strip()
    if email and ("@" not in email or len(email) > _LONGEST_EMAIL):
        raise AccountRefused("the e-mail address cannot be used; nothing was changed.")
    name = clean.line(display_name).strip()[:_LONGEST_NAME] or login
    new = create_account(db, site, login=login, display_name=name, email=email, password=password)
    return account(db.update("account", new.id, is_administrator=1)) if administrator else new


def set_password(db: Transaction, login: str, password: str) -> None:
    """Set the password of an account; the old one is rejected from now on."""
    row = existing(db, login)
    check_password(password)
    db.update("account", row["id"], password_hash=hashed(password))


def list_accounts(db: Transaction) -> list[ListedAccount]:
    """Every account that was not removed, by login."""
    rows = db.select("account", "lower(login), id", removed_at=None)
    return [ListedAccount(account(row), row["password_hash"] is not None) for row in rows]


def remove_account(db: Transaction, site: SiteClock, login: str) -> Removal:
    """Remove an account; boards of which it was the last admin go to an administrator.

    Raises `AccountRefused` for the last administrator and for this machine's own account.
    """
    row = existing(db, login)
    if row["is_local"]:
        raise AccountRefused("this is the local account of this machine and cannot be removed.")
    administrators = db.select("account", is_administrator=1, removed_at=None)
    heir = next((candidate for candidate in administrators if candidate["id"] != row["id"]), None)
    if heir is None:
        raise AccountRefused(
            f"{clean.line(login)} is the last administrator.",
            hint="Add another one first: callboard serve user add NAME --admin",
        )
    now = iso(site.now())
    # While the memberships, by which the boards are found, are still there.
    touch_boards_of(db, row["id"], now)
    boards = _make_heir_admin(db, row["id"], heir["id"], now)
    webhooks = db.delete("webhook", created_by=row["id"])
    for table in ("membership", "task_assignee", "task_watcher", "idempotent_reply"):
        db.delete(table, account_id=row["id"])
    db.update(
        "account",
        row["id"],
        # The row stays, because what the person wrote refers to it; the login is free again.
        login=f"{_REMOVED}{row['id']}",
        email="",
        password_hash=None,
        is_administrator=0,
        removed_at=now,
    )
    return Removal(heir["login"], boards, len(webhooks))


def _make_heir_admin(db: Transaction, person: int, heir: int, now: str) -> tuple[str, ...]:
    rows = db.all(
        """select board.id, board.title from board
        join membership on membership.board_id = board.id
        where membership.account_id = :person and membership.role = 'admin' and not exists (
            select 1 from membership as other where other.board_id = board.id
                and other.role = 'admin' and other.account_id <> :person)
        order by board.id""",
        person=person,
    )
    for row in rows:
        db.run(
            """insert into membership (board_id, account_id, role, created_at)
            values (:board, :heir, 'admin', :now)
            on conflict (board_id, account_id) do update set role = 'admin'""",
            board=row["id"],
            heir=heir,
            now=now,
        )
    return tuple(row["title"] for row in rows)


def existing(db: Transaction, login: str) -> Row:
    """The account with this login. Raises `AccountRefused` if there is none."""
    row = db.find("account", login=login)
    if row is None or row["removed_at"] is not None:
        raise AccountRefused(
            f"there is no account {clean.line(login)}.",
            hint="List accounts: callboard serve user list",
        )
    return row
