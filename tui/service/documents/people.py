"""Documents of people and of their memberships (2.10), as the caller may see them.

They hold chosen columns of `account` only, never the hash of a password.
"""

import json
from collections.abc import Iterable, Mapping

from tui.service.accounts.accounts import BoardRole
from tui.service.call import Call, Document
from tui.service.database.base import Later, Row, grouped

_FLAGS = (
    "email_after_comment",
    "email_after_task_assign",
    "email_after_task_stage_change",
    "email_after_task_due_date_change",
    "email_after_remove_from_task",
    "email_after_task_archive",
    "dashboard_notification",
)


def preferences(stored: str | None) -> dict[str, bool]:
    """Every flag of the preferences of a membership; the default is true."""
    chosen = json.loads(stored or "{}")
    return {flag: bool(chosen.get(flag, True)) for flag in _FLAGS}


def user_documents(call: Call, ids: Iterable[int]) -> Later[dict[int, Document]]:
    """User records by id; unknown ids are left out."""
    rows = call.db.select("account", id=sorted(set(ids)))
    return lambda: {row["id"]: user_document(call, row) for row in rows}


def user_document(call: Call, row: Row, *, is_masked: bool = False) -> Document:
    """A row of `account` as a User record, its e-mail address masked even for its owner if so."""
    email = _masked(row["email"]) if is_masked else shown_email(call, row["email"], row["id"])
    return {
        "ID": row["id"],
        "user_login": row["login"],
        "user_nicename": row["login"],
        "user_email": email,
        "email": email,
        "user_url": "",
        "user_registered": row["created_at"][:19].replace("T", " "),
        "user_status": "0",
        "display_name": row["display_name"],
        "photo": "",
    }


def shown_email(call: Call, email: str, owner_id: int) -> str:
    """An e-mail address; masked, except for administrators and its owner."""
    if call.user.is_administrator or call.user.id == owner_id:
        return email
    return _masked(email)


def _masked(email: str) -> str:
    name, _, host = email.partition("@")
    return f"{name[:1]}***@{host[:1]}***" if email else ""


def member_documents(call: Call, board_ids: list[int]) -> Later[dict[int, list[Document]]]:
    """The members of boards as User records with their role, by board id, in order of joining."""
    rows = call.db.all(
        """select account.*, membership.board_id, membership.role
        from membership join account on account.id = membership.account_id
        where membership.board_id {in_ids}
        order by membership.created_at, account.id""",
        ids=board_ids,
    )

    def member(row: Row) -> Document:
        return user_document(call, row) | {"role": row["role"]} | standing(row)

    return lambda: grouped(rows, "board_id", member)


def standing(row: Row) -> dict[str, bool]:
    """Whether somebody is an administrator of the service, in both fields of the interface."""
    is_administrator = bool(row["is_administrator"])
    return {"is_super": is_administrator, "is_wpadmin": is_administrator}


def membership_document(row: Row) -> Document:
    """The pivot of a user or a board, from a row of `membership`."""
    settings = {"is_admin": row["role"] == BoardRole.ADMIN.word}
    if row["role"] == BoardRole.VIEWER.word:
        settings["is_viewer_only"] = True
    return {
        "object_id": row["board_id"],
        "foreign_id": row["account_id"],
        "settings": _serialised(settings),
        "preferences": _serialised(preferences(row["preferences"])),
        "created_at": row["created_at"],
        "updated_at": row["created_at"],
    }


def _serialised(flags: Mapping[str, bool]) -> str:
    """Names and booleans in PHP's notation; lengths are in bytes."""
    pairs = "".join(
        f's:{len(name.encode())}:"{name}";b:{int(value)};' for name, value in flags.items()
    )
    return f"a:{len(flags)}:{{{pairs}}}"
