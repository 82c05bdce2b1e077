"""Pending changes as rows of a list; pure functions.

Those that need the user come first. A row describes the change, its state, the reason and its age.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from textual.content import Content

from tui.store.events import PendingChange, PendingState
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


def grouped(waiting: Iterable[PendingChange], *, is_read_only: bool = False) -> list[Group]:
    """The changes grouped by state, those that need the user first; each group oldest first.

    In read-only mode none is being sent.
    """
    by_state: dict[PendingState, list[PendingChange]] = {state: [] for state in PendingState}
    for one in waiting:
        by_state[one.state].append(one)
    to_be_sent = (*by_state[PendingState.SENDING], *by_state[PendingState.WAITING])
    groups = [
        Group(
            "conflict: somebody else changed it too",
            keyed("{list.open:↵} both sides · {waiting.discard:D} theirs"),
            tuple(by_state[PendingState.CONFLICT]),
            needs_attention=True,
        ),
        Group(
            "may have arrived, please check",
            keyed("{waiting.retry:r} checks again · {waiting.discard:D} discards it"),
            tuple(by_state[PendingState.UNSURE]),
            needs_attention=True,
        ),
        Group(
            "refused",
            keyed("{waiting.retry:r} sends it again · {waiting.discard:D} discards it"),
            tuple(by_state[PendingState.REFUSED]),
            needs_attention=True,
        ),
        Group(
            "keeps failing, the others go first",
            keyed("{waiting.retry:r} retries now · {waiting.discard:D} discards it"),
            tuple(one for one in to_be_sent if one.keeps_failing),
            needs_attention=True,
        ),
        Group(
            "kept until it is opened without read-only mode"
            if is_read_only
            else "being sent, nothing to do",
            "",
            tuple(one for one in to_be_sent if not one.keeps_failing),
        ),
    ]
    return [group for group in groups if group.changes]


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
    sign, role = (
        (glyphs.NEEDS_YOU, "$refused") if group.needs_attention else (glyphs.ON_THE_WAY, "$accent")
    )
    count = f" · {len(group.changes)}" if group.changes else ""
    text = f" {sign} {group.heading}{count}"
    parts = [(text, f"bold {role}")]
    if group.keys and width >= len(text) + len(group.keys) + 3:  # left out if narrow
        parts.append((f"   {group.keys}", "$quiet"))
    return Content.assemble(*parts)


def row(waiting: PendingChange, now: datetime, boards: Mapping[int, str], width: int) -> Content:
    """The row of a change: description, state, board (if in `boards`) and age.

    Markup in titles is not interpreted.
    """
    facts = [_state_text(waiting)]
    if waiting.attempts > 1:
        facts.append(f"tried {waiting.attempts} times")
    if board := boards.get(waiting.board_id):
        facts.append(f"on “{board}”")
    facts.append(since(waiting.since, now))
    status = " · ".join(filter(None, facts))
    return Content.assemble(
        (folded(waiting.operation.describe(), width, " "), ""),
        "\n",
        (
            folded(status, width, "   "),
            "$refused" if waiting.needs_attention else "$quiet",
        ),
    )


def _state_text(waiting: PendingChange) -> str:
    """The state of a change and its reason, as far as the heading does not show them."""
    if waiting.differences:
        sides = [
            f"{one.field}: mine “{_short(one.mine)}”, theirs “{_short(one.theirs)}”"
            for one in waiting.differences[:_MOST_SIDES]
        ]
        more = len(waiting.differences) - _MOST_SIDES
        return " · ".join(sides + ([f"{more} more"] if more > 0 else []))
    if waiting.state is PendingState.SENDING:
        return "being sent"
    if waiting.state is PendingState.WAITING:
        if waiting.after:
            return f"waits for: {_short(waiting.after)}"
        return f"waits: {waiting.reason}" if waiting.reason else "waits"
    return waiting.reason


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
    days = int(seconds // _DAY)
    return f"since {at}, {counted(days, 'day')}"


def board_names(waiting: Sequence[PendingChange], titles: Mapping[int, str]) -> dict[int, str]:
    """The names of the boards to show in rows; none if all changes belong to one board."""
    ids = {one.board_id for one in waiting}
    return {board_id: titles.get(board_id, "") for board_id in ids} if len(ids) > 1 else {}
