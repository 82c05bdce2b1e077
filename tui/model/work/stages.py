"""The stages of a board by their part in the work."""

from collections.abc import Mapping, Sequence
from enum import StrEnum

from tui.model.board import Stage
from tui.model.task import Status


class Part(StrEnum):
    """The parts of a board: the stage where cards wait, those of work, and those that close."""

    BACKLOG = "backlog"
    ACTIVE = "active"
    DONE = "done"


def parts_of(stages: Sequence[Stage]) -> Mapping[int, Part]:
    """Which part of the board each stage is, by id.

    A stage is done if its default status is closed. The first of the others is the backlog, unless
    it is the only one.
    """
    opened = [stage for stage in stages if stage.default_status is not Status.CLOSED]
    parts = {stage.id: Part.DONE for stage in stages}
    parts |= {stage.id: Part.ACTIVE for stage in opened}
    return parts | {stage.id: Part.BACKLOG for stage in opened[:1] if len(opened) > 1}
