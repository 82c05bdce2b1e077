"""Stages, labels, groups and comments that operations hold, by the ids they have now.

The rule it keeps: the same as in `naming`: ids of the service's own are replaced among things of
their own kind alone.
"""

from collections.abc import Mapping
from dataclasses import replace

from tui.model.board import Stage
from tui.model.comment import Comment, Image
from tui.model.detail import SubtaskGroup
from tui.model.task import Label
from tui.store.operations.naming import renamed


def renamed_stage(stage: Stage, ids: Mapping[int, int]) -> Stage:
    """A stage, and the board it is on."""
    return replace(
        stage,
        id=renamed(stage.id, ids, "stage"),
        board_id=renamed(stage.board_id, ids, "board"),
    )


def renamed_label(label: Label, ids: Mapping[int, int]) -> Label:
    """A label."""
    return replace(label, id=renamed(label.id, ids, "label"))


def renamed_group(group: SubtaskGroup, ids: Mapping[int, int]) -> SubtaskGroup:
    """A group, and the subtasks in it."""
    return replace(
        group,
        id=renamed(group.id, ids, "subtask_group"),
        subtasks=renamed(group.subtasks, ids, "task"),
    )


def renamed_images(images: tuple[Image, ...], ids: Mapping[int, int]) -> tuple[Image, ...]:
    """Pictures."""
    return tuple(replace(image, id=renamed(image.id, ids, "image")) for image in images)


def renamed_comment(comment: Comment, ids: Mapping[int, int]) -> Comment:
    """A comment, the task it is on, what it answers, its pictures and its replies."""
    return replace(
        comment,
        id=renamed(comment.id, ids, "comment"),
        task_id=renamed(comment.task_id, ids, "task"),
        parent_id=renamed(comment.parent_id, ids, "comment"),
        images=renamed_images(comment.images, ids),
        replies=tuple(renamed_comment(reply, ids) for reply in comment.replies),
    )
