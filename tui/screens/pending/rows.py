"""Pending changes as rows of a list; pure functions.

Those that need the user come first. A row describes the change, its state, the reason and its age.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from textual.content import Content

from tui.actions.availability import READ_ONLY
from tui.store.events import PendingChange, PendingState, SyncStatus
from tui.text.cells import cut
from tui.text.clean import counted
from tui.text.dates import local
from tui.text.keyed import keyed
from tui.text.spans import Span, wrap
from tui.widgets import glyphs

SHOWN = 120
"""How many changes of a group are listed at most; the others are counted."""

_MINUTE, _HOUR, _DAY = 60, 3600, 86400
_SIDE = 30
_MOST_SIDES = 2


class Group(NamedTuple):
    """Changes in the same state under a heading; `keys` lists what the user can do."""

    heading: str
    keys: str
    changes: tuple[PendingChange, ...]
    needs_attention: bool = False


class Prospect(NamedTuple):
    """What will become of a change, or what is to be decided about it.

    `heading` and `keys` stand above all such changes, `text` and `hint` are the message on one.
    """

    heading: str
    text: str
    hint: str = ""
    keys: str = ""
    is_going: bool = False


_CHECKS_AGAIN = "{waiting.retry:r} checks again · {waiting.discard:D} discards it"
_SENDS_AGAIN = "{waiting.retry:r} sends it again · {waiting.discard:D} discards it"
_KEPT = Prospect("kept until it is opened without read-only mode", READ_ONLY)
_STUCK = {
    PendingState.CONFLICT: Prospect(
        "conflict: somebody else changed it too",
        "conflict: somebody else changed it too",
        "{list.open:↵} shows both sides",
        "{list.open:↵} both sides · {waiting.discard:D} theirs",
    ),
    PendingState.UNSURE: Prospect(
        "may have arrived, please check",
        "it may have arrived already",
        _CHECKS_AGAIN,
        _CHECKS_AGAIN,
    ),
    PendingState.REFUSED: Prospect(
        "refused",
        "the service refused this",
        _SENDS_AGAIN,
        _SENDS_AGAIN,
    ),
}
"""What is to be decided, by state."""


def prospect(change: PendingChange, status: SyncStatus, *, is_read_only: bool) -> Prospect:
    """What will become of a change; `status` is that of its board."""
    settled = _STUCK.get(change.state, _KEPT if is_read_only else None)
    if settled is not None:
        return settled
    undo = "{board.undo:u} on its board undoes it"
    if status.problem and status.remedy:
        heading = "not sent until this is put right"
        return Prospect(heading, status.problem, status.remedy, status.remedy)
    if status.problem:
        return Prospect(
            "waiting for the connection, nothing to do",
            "it waits for the connection",
            f"{{waiting.retry-all:R}} tries now · {undo}",
        )
    if change.after:
        return Prospect(
            "waiting for another change, nothing to do",
            f"it is sent after another: {_short(change.after)}",
            undo,
        )
    if change.reason:
        return Prospect(
            "tried again by itself, nothing to do",
            "this is retried automatically",
            "{waiting.retry:r} retries now · {waiting.discard:D} discards it",
        )
    return Prospect("being sent, nothing to do", "this is being sent", undo, is_going=True)


def grouped(
    waiting: Sequence[PendingChange],
    status: Callable[[int], SyncStatus],
    *,
    is_read_only: bool = False,
) -> list[Group]:
    """The changes grouped by state, those that need the user first; each group oldest first.

    `status` gives the sync status of a board.
    """
    groups: dict[tuple[str, str], list[PendingChange]] = {}
    order = (*_STUCK, PendingState.SENDING, PendingState.WAITING)
    for change in sorted(waiting, key=lambda each: order.index(each.state)):
        coming = prospect(change, status(change.board_id), is_read_only=is_read_only)
        groups.setdefault((coming.heading, coming.keys), []).append(change)
    return [
        Group(heading, keyed(keys), tuple(changes), changes[0].needs_attention)
        for (heading, keys), changes in groups.items()
    ]


def losses(texts: Sequence[str], width: int) -> list[Content]:
    """What may have been lost with damaged files, under a heading; nothing if nothing was."""
    if not texts:
        return []
    keys = keyed("{waiting.acknowledge:a} removes this notice")
    group = Group("may be lost: look at the boards", keys, (), needs_attention=True)
    rows = [Content.styled(folded(text, width, " "), "$refused") for text in texts]
    return [heading(group, width), *rows]


def heading(group: Group, width: int) -> Content:
    """The heading of a group: state, count and keys."""
    sign, role = glyphs.ON_THE_WAY, "$accent"
    if group.needs_attention:
        sign, role = glyphs.NEEDS_YOU, "$refused"
    count = f" · {len(group.changes)}" if group.changes else ""
    text = f" {sign} {group.heading}{count}"
    parts = [(text, f"bold {role}")]
    if group.keys and width >= len(text) + len(group.keys) + 3:  # left out if narrow
        parts.append((f"   {group.keys}", "$quiet"))
    return Content.assemble(*parts)


def row(
    change: PendingChange,
    now: datetime,
    boards: Mapping[int, str],
    width: int,
    problem: str = "",
) -> Content:
    """The row of a change: description, state, board (if in `boards`) and age.

    `problem` is why the service cannot be asked. Markup in titles is not interpreted.
    """
    facts = [_state_text(change, problem)]
    if change.attempts > 1:
        facts.append(f"tried {change.attempts} times")
    if board := boards.get(change.board_id):
        facts.append(f"on “{board}”")
    facts.append(since(change.since, now))
    status = " · ".join(filter(None, facts))
    return Content.assemble(
        (folded(change.operation.describe(), width, " "), ""),
        "\n",
        (folded(status, width, "   "), "bold" if change.needs_attention else "$quiet"),
    )


def _state_text(change: PendingChange, problem: str) -> str:
    if change.differences:
        sides = [
            f"{side.field}: mine “{_short(side.mine)}”, theirs “{_short(side.theirs)}”"
            for side in change.differences[:_MOST_SIDES]
        ]
        more = len(change.differences) - _MOST_SIDES
        return " · ".join(sides + ([f"{more} more"] if more > 0 else []))
    if change.state is PendingState.SENDING:
        return "trying now" if problem else "being sent"
    if change.state is PendingState.WAITING:
        if change.after:
            return f"waits for: {_short(change.after)}"
        reason = problem or change.reason
        return f"waits: {reason}" if reason else "waits"
    return change.reason


def _short(value: str) -> str:
    return cut(" ".join(value.split()), _SIDE)


def folded(text: str, width: int, indent: str) -> str:
    """A text wrapped to the width, with each line indented."""
    lines = wrap([Span(" ".join(text.split()))], max(10, width - len(indent) - 1))
    return "\n".join(indent + "".join(span.text for span in line) for line in lines)


def since(then: datetime, now: datetime) -> str:
    """The time of submission and its age; `now` is wall-clock time."""
    then = local(then)
    at = f"{then:%H:%M}" if then.date() == now.date() else f"{then:%a %d %b %H:%M}"
    seconds = max(0.0, (now - then).total_seconds())
    if seconds < _MINUTE:
        return f"since {at}, just now"
    if seconds < _HOUR:
        return f"since {at}, {int(seconds // _MINUTE)} min"
    if seconds < _DAY:
        return f"since {at}, {int(seconds // _HOUR)} h"
    return f"since {at}, {counted(int(seconds // _DAY), 'day')}"
