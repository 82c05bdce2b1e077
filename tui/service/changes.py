"""Whether anything on a board has changed (deployed-behaviour: has-data-changed).

The rule it keeps: every successful write under a board's path counts its change counter up, so
deletions, labels and members are seen too. What is handed out as `synced_at` is the site's time
with the counter as its fraction: it reads as a time and tells two changes of one second apart.
"""

import re

from tui.service.call import Call, Document
from tui.service.database import Transaction
from tui.service.errors import invalid
from tui.service.found import board_of
from tui.service.times import iso

_GIVEN = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9]{2}:[0-9]{2}:[0-9]{2}\.([0-9]{6,18})")


def touch(call: Call, board_id: int) -> None:
    """Note that something on a board has changed; a board that is gone is left alone."""
    call.db.run(
        """update board set change_count = change_count + 1, changed_at = :now
        where id = :board""",
        now=iso(call.now),
        board=board_id,
    )


def touch_boards_of(db: Transaction, account_id: int, now: str) -> None:
    """Note that a member has changed on all their boards."""
    db.run(
        """update board set change_count = change_count + 1, changed_at = :now
        where id in (select board_id from membership where account_id = :person)""",
        now=now,
        person=account_id,
    )


def synced_at(call: Call) -> str:
    """What to feed back as `since` to hear of changes from here on."""
    count = call.db.value("select change_count from board where id = :b", b=call.board_id)
    return f"{call.wall}.{count:06d}"


def has_data_changed(call: Call) -> Document:
    """GET /projects/{board_id}/has-data-changed?since=.

    `since` is a `synced_at` of this service, or a plain `YYYY-MM-DD HH:MM:SS` on the site's clock,
    which answers yes also for a change within that very second. Raises 422 for anything else.
    """
    since = call.query.get("since", "").strip()
    row = board_of(call)
    given = _GIVEN.fullmatch(since)
    if given:
        changed = int(given[1]) != row["change_count"]
    else:
        changed = _changed_since(call, since, row["changed_at"])
    return {"has_changes": changed, "synced_at": synced_at(call), "sync_reset": False}


def _changed_since(call: Call, since: str, changed_at: str) -> bool:
    """Whether a change is not older than a plain time; a time yet to come says nothing: yes."""
    try:
        moment = call.site.parse_wall(since)
    except (ValueError, OverflowError) as error:
        raise invalid("since", "must be a time such as 2026-11-21 11:48:07") from error
    return call.site.parse_wall(changed_at) >= moment or moment > call.wall
