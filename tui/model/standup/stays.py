"""How long cards stayed in stages, and from when on a card is in its stage for too long."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from datetime import timedelta
from typing import NamedTuple

from tui.model.history import BoardHistory, Event, EventKind

LONG = timedelta(days=5)
"""The threshold of a stage with little history."""
_FEWEST_STAYS = 10
_PERCENTILE = 85


class Stay(NamedTuple):
    """A stay in the stage with this title, from its exact beginning to its end."""

    stage: str
    length: timedelta


def thresholds(history: BoardHistory) -> Mapping[str, timedelta]:
    """By title of stage, how long most cards stayed in it: the 85th percentile (nearest rank).

    Stages with too few whole stays are not in it.
    """
    lengths: dict[str, list[timedelta]] = defaultdict(list)
    for stay in stays(history):
        lengths[stay.stage].append(stay.length)
    return {
        stage: sorted(found)[-(-_PERCENTILE * len(found) // 100) - 1]
        for stage, found in lengths.items()
        if len(found) >= _FEWEST_STAYS
    }


def stays(history: BoardHistory) -> Iterator[Stay]:
    """The stays that have ended and whose beginning was recorded, in order of their ends.

    A card is created in the stage that it is moved out of first.
    """
    begun: dict[int, Event] = {}
    for event in history.events:
        if event.is_observed:
            continue
        if event.kind is EventKind.MOVED:
            start = begun.get(event.task_id)
            if start and (start.kind is EventKind.CREATED or start.new == event.old):
                yield Stay(event.old, event.at - start.at)
            begun[event.task_id] = event
        elif event.kind is EventKind.CREATED:
            begun[event.task_id] = event
        elif event.kind is EventKind.REMOVED:
            begun.pop(event.task_id, None)
