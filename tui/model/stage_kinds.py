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

    A stage is done if its default status is closed, or if it and all others after it have usual
    names of done stages. Of the remaining ones the first is the backlog, unless it has a usual name
    of an active stage, and so are those after it as long as they have usual names of a backlog.
    The last one is always active.
    """
    closed = {stage.id for stage in stages if stage.default_status is Status.CLOSED}
    remaining = [stage for stage in stages if stage.id not in closed]
    last = takewhile(lambda stage: _usual(stage) is StageKind.DONE, reversed(remaining))
    closed |= {stage.id for stage in last}
    remaining = [stage for stage in remaining if stage.id not in closed]
    waits: list[int] = []
    for stage in remaining[:-1]:
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
