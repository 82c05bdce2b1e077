"""`callboard sync`: sends what waits, and reads the news of all boards."""

from tui.cli.output import say, say_beside, write_json
from tui.cli.scripts.opened import Opened, run_opened
from tui.store.clock import few_at_once
from tui.store.events import PendingChange
from tui.text.clean import counted
from tui.text.dates import stamp

INCOMPLETE = 1
"""The exit code if something was not sent, or not read."""
_SECONDS = 60
_NAMED = 10
"""How many changes that are still pending are named."""


def sync(*, is_quiet: bool, as_json: bool, profile: str) -> int:
    """Send and read everything; 0 if all of it worked. Raises `CallboardError`."""

    async def synced(opened: Opened) -> int:
        store = opened.store
        before = len(store.pending())
        await opened.connect()
        left = store.pending() if opened.problems else await opened.sent(_SECONDS)
        boards = opened.boards() if not opened.problems else []
        await few_at_once(opened.read, boards)
        read = len(boards) - len(opened.problems) if boards else 0
        if as_json:
            write_json(
                {
                    "sent": before - len(left),
                    "waiting": [_told(change) for change in left],
                    "boards": read,
                    "problem": opened.problems[0].message if opened.problems else None,
                }
            )
        elif not is_quiet:
            say(f"sent {counted(before - len(left), 'change')}, read {counted(read, 'board')}")
        for change in () if as_json else left[:_NAMED]:
            reason = f": {change.reason}" if change.reason else ""
            say_beside(f"callboard: {change.state.value}: {change.operation.describe()}{reason}")
        if len(left) > _NAMED and not as_json:
            say_beside(f"callboard: and {counted(len(left) - _NAMED, 'other')}")
        opened.say_problem(())
        return INCOMPLETE if left or opened.problems else 0

    return run_opened(profile, synced)


def _told(change: PendingChange) -> dict[str, object]:
    return {
        "board": change.board_id,
        "change": change.operation.describe(),
        "state": change.state.value,
        "reason": change.reason or None,
        "since": stamp(change.since),
    }
