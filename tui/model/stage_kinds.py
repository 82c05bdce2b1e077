"""Which stages of a board are its backlog, which are active, and which are done."""

import re
from collections.abc import Mapping, Sequence
from itertools import takewhile

from tui.model.board import Stage, StageKind
from tui.model.task import Status

_USUAL = {
    StageKind.BACKLOG: (
        "backlog, product backlog, icebox, ideas, idea, inbox, someday, maybe, wish list, triage, "
        "wishlist, to do, todo, planned, next, next up, up next, later, queue, queued, requests, "
        "new, open, not started, ready, selected, upcoming, parked, on hold"
    ),
    StageKind.ACTIVE: (
        "doing, in progress, progress, in work, wip, work in progress, started, working, ongoing, "
        "in development, development, review, in review, code review, testing, in testing, test, "
        "qa, blocked, waiting, today, this week, now"
    ),
    StageKind.DONE: (
        "done, closed, completed, complete, finished, resolved, released, shipped, deployed, "
        "cancelled, canceled, archive, archived, dropped, rejected, wont do"
    ),
}
_KIND_OF = {title: kind for kind, titles in _USUAL.items() for title in titles.split(", ")}


def kinds_of(stages: Sequence[Stage]) -> Mapping[int, StageKind]:
    """The kind of each stage, by id: what the user chose, or else a guess.

    A stage is done if its default status is closed, or if it has the usual name of one and only
    such follow it. Of the others the first is the backlog, unless work is its usual name, and so
    are those behind it that have the usual name of one; at least one of them is active.
    """
    closed = {stage.id for stage in stages if stage.default_status is Status.CLOSED}
    others = [stage for stage in stages if stage.id not in closed]
    last = takewhile(lambda stage: _usual(stage) is StageKind.DONE, reversed(others))
    closed |= {stage.id for stage in last}
    others = [stage for stage in others if stage.id not in closed]
    waits: list[int] = []
    for stage in others[:-1]:
        usual = _usual(stage)
        if usual is not StageKind.BACKLOG and (waits or usual is StageKind.ACTIVE):
            break
        waits.append(stage.id)
    kinds = dict.fromkeys((stage.id for stage in stages), StageKind.ACTIVE)
    kinds |= dict.fromkeys(closed, StageKind.DONE) | dict.fromkeys(waits, StageKind.BACKLOG)
    return kinds | {stage.id: stage.kind for stage in stages if stage.kind is not None}


def _usual(stage: Stage) -> StageKind | None:
    words = re.sub(r"[\W\d_]+", " ", stage.title.replace("'", "").replace("’", ""))
    return _KIND_OF.get(words.strip().casefold())
