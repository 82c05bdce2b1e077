"""The stages of a board by their part in the work: backlog, active, done.

A stage is done if its default status is closed. The backlog is the first of those that are not
done, if there are at least two; the others are active.
"""

from collections.abc import Sequence

from tui.model.board import Stage
from tui.model.task import Status


def backlog(stages: Sequence[Stage]) -> Stage | None:
    """The stage where cards wait, if the board has one."""
    not_done = _not_done(stages)
    return not_done[0] if len(not_done) > 1 else None


def active(stages: Sequence[Stage]) -> tuple[Stage, ...]:
    """The stages where cards are worked on, in the order of the board."""
    not_done = _not_done(stages)
    return not_done[1:] or not_done


def _not_done(stages: Sequence[Stage]) -> tuple[Stage, ...]:
    return tuple(stage for stage in stages if stage.default_status is not Status.CLOSED)
