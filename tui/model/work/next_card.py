"""The card to take next, and why that one.

It is open, not blocked, unassigned or the user's, and in a backlog stage or the first active one.
The order is by due date, then priority, then place: stages nearer to the end first, and from top to
bottom within a stage.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType
from typing import NamedTuple

from tui.model.board import BoardView, Stage, StageKind
from tui.model.people import Account
from tui.model.relations import NO_RELATIONS, Relations
from tui.model.stage_kinds import kinds_of
from tui.model.task import Priority, Task
from tui.text.agent_marks import agent_of
from tui.text.clean import counted, quoted
from tui.text.dates import relative

_NO_DATE = datetime(1, 1, 1)  # noqa: DTZ001 (wall-clock time, as due dates are)
_RANKS = {Priority.HIGH: 0, Priority.MEDIUM: 1, Priority.LOW: 2}


class LeftOut(StrEnum):
    """Why an open card is not one to take; the values complete “3 …”."""

    BLOCKED = "blocked"
    OTHERS = "assigned to others"
    AGENTS = "claimed by agents"
    OWN = "begun by you"
    LATER = "in later stages"


class NextCard(NamedTuple):
    """The card to take, if there is one, and why it is that one, or why there is none."""

    task: Task | None
    view: BoardView | None
    why: str


class CardToTake(NamedTuple):
    """A card that may be taken; its `place` is that of its board, stage and row in the order."""

    task: Task
    view: BoardView
    place: tuple[int, int, int]


def next_card(
    views: Sequence[BoardView], me: Account, now: datetime, relations: Relations = NO_RELATIONS
) -> NextCard:
    """The card of these complete boards to take at the wall-clock time `now`."""
    found, left_out = candidates(views, me, relations)
    first = found[0] if found else None
    why = next_of(found, me, now, left_out)
    return NextCard(first and first.task, first and first.view, why)


def next_of(
    found: Sequence[CardToTake],
    me: Account,
    now: datetime,
    left_out: Mapping[LeftOut, int] = MappingProxyType({}),
) -> str:
    """Why it is the first of these cards, or why there is none."""
    return _why(found[0], found[1:], me, now) if found else _why_none(left_out)


def claimable(found: Iterable[CardToTake], me: Account) -> list[CardToTake]:
    """Those of the cards that may be taken which the user has not begun yet."""
    return [
        candidate
        for candidate in found
        if not any(map(me.is_of, candidate.task.assignees))
        or candidate.task.stage_id != first_active(candidate.view)
    ]


def candidates(
    views: Sequence[BoardView], me: Account, relations: Relations = NO_RELATIONS
) -> tuple[list[CardToTake], Mapping[LeftOut, int]]:
    """The cards that may be taken, in their order, and how many open ones are left out why."""
    found, left_out = list[CardToTake](), Counter[LeftOut]()
    for number, view in enumerate(views):
        for candidate, reason in _on_board(number, view, me, relations):
            if reason is None:
                found.append(candidate)
            else:
                left_out[reason] += 1
    return sorted(found, key=_order), left_out


def first_active(view: BoardView) -> int | None:
    """The id of the stage to which a card goes that is taken from the backlog."""
    kinds = kinds_of(view.stages)
    return next((stage.id for stage in view.stages if kinds[stage.id] is StageKind.ACTIVE), None)


def stage_for(view: BoardView, task: Task) -> Stage | None:
    """The stage in which work on a card begins: its own if that is beyond the backlog."""
    kind = kinds_of(view.stages).get(task.stage_id or 0, StageKind.BACKLOG)
    active = view.stage(first_active(view)) if kind is StageKind.BACKLOG else None
    return active or view.stage(task.stage_id)


def _on_board(
    number: int, view: BoardView, me: Account, relations: Relations
) -> Iterator[tuple[CardToTake, LeftOut | None]]:
    kinds, active = kinds_of(view.stages), first_active(view)
    for index, stage in enumerate(view.stages):
        is_early = kinds[stage.id] is StageKind.BACKLOG or stage.id == active
        for row, task in enumerate(view.in_stage(stage.id)):
            if task.is_open:
                reason = _why_not(task, me, relations) if is_early else LeftOut.LATER
                yield CardToTake(task, view, (number, -index, row)), reason


def _why_not(task: Task, me: Account, relations: Relations) -> LeftOut | None:
    if relations.is_blocked(task):
        return LeftOut.BLOCKED
    if any(agent_of(label.title) for label in task.labels):
        return LeftOut.AGENTS
    if task.assignees and not any(map(me.is_of, task.assignees)):
        return LeftOut.OTHERS
    return None


def _order(candidate: CardToTake) -> tuple[bool, datetime, int, tuple[int, int, int]]:
    task = candidate.task
    return task.due_at is None, task.due_at or _NO_DATE, _RANKS[task.priority], candidate.place


def _why(first: CardToTake, others: Sequence[CardToTake], me: Account, now: datetime) -> str:
    """What puts it before the next one, in words."""
    task, words = first.task, list[str]()
    among = f"of {counted(len(others) + 1, 'card')}"
    if task.due_at is not None:
        when = relative(task.due_at, now)
        words.append(when if task.due_at < now else f"due {when}")
    if not others:
        words.append("the only card to take")
    elif task.due_at != others[0].task.due_at:
        words.append(f"the earliest {among}")
    elif task.priority is not others[0].task.priority:
        words.append(f"{task.priority.value} priority, the highest {among}")
    else:
        stage = first.view.stage(task.stage_id)
        place = f"the first in {quoted(stage.title)}, " if stage else "the first "
        words.append(f"{place}{among}")
    words.append("assigned to you" if any(map(me.is_of, task.assignees)) else "unassigned")
    return ", ".join(words)


def _why_none(left_out: Mapping[LeftOut, int]) -> str:
    if not any(left_out.values()):
        return "no open cards"
    counts = (f"{left_out[reason]:,} {reason}" for reason in LeftOut if left_out.get(reason))
    return f"no card to take: {', '.join(counts)}"
