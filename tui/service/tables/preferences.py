"""What a member of a board wants to hear of, and how the pivot of a membership says it (2.10).

The rule it keeps: a member who has chosen nothing hears of everything. The strings of a pivot are
serialised as the deployed services do: an array of names and booleans.
"""

import json
from collections.abc import Mapping

from tui.service.accounts.accounts import Role
from tui.service.database.base import Row

FLAGS = (
    "email_after_comment",
    "email_after_task_assign",
    "email_after_task_stage_change",
    "email_after_task_due_date_change",
    "email_after_remove_from_task",
    "email_after_task_archive",
    "dashboard_notification",
)


def preferences(membership: Row) -> dict[str, bool]:
    """Every flag of a row of `membership`; one that is not stored is set."""
    kept = json.loads(membership["preferences"] or "{}")
    return {flag: bool(kept.get(flag, True)) for flag in FLAGS}


def pivot_settings(role: str) -> str:
    """The settings string of a membership with this role."""
    settings = {"is_admin": role == Role.ADMIN.word}
    if role == Role.VIEWER.word:
        settings["is_viewer_only"] = True
    return serialised(settings)


def serialised(flags: Mapping[str, bool]) -> str:
    """Names and booleans as one string; names count in bytes."""
    pairs = "".join(
        f's:{len(name.encode())}:"{name}";b:{int(value)};' for name, value in flags.items()
    )
    return f"a:{len(flags)}:{{{pairs}}}"
