"""Why an action is not available: the service does not offer it, or the person's role forbids it.

Actions are named by the ids of their bindings.
"""

from collections.abc import Callable

from tui.client.capabilities import Feature, why_missing

Offers = Callable[[Feature], bool | None]
"""Whether a service offers a feature; None if that is not known."""

VIEWER = "You are a viewer of this board: you can read it, but not change it."

CHANGES = frozenset(
    {
        "board.redo", "board.undo",
        "boards.archive", "boards.delete", "boards.rename",
        "comment.delete", "comment.edit", "comment.new", "comment.quote", "comment.reply",
        "field.edit",
        "subtask.archive", "subtask.clone", "subtask.delete", "subtask.lift", "subtask.move-down",
        "subtask.move-up", "subtask.new", "subtask.new-group", "subtask.paste", "subtask.rename",
        "subtask.to-group", "subtask.to-task",
        "task.archive", "task.assign", "task.assign-me", "task.clone", "task.close",
        "task.comment", "task.delete", "task.due", "task.edit-description", "task.edit-title",
        "task.labels", "task.lift", "task.move-down", "task.move-left", "task.move-right",
        "task.move-to", "task.move-up", "task.new", "task.priority", "task.start",
        "task.to-subtask", "task.watch",
    }
)  # fmt: skip
"""What changes a board; a viewer may only read it (5.6)."""

_NEEDS = {
    "comment.attach": Feature.PICTURES,
    "subtask.clone": Feature.SUBTASK_COPIES,
    "subtask.new": Feature.SUBTASKS,
    "subtask.new-group": Feature.SUBTASK_GROUPS,
    "subtask.paste": Feature.SUBTASKS,
    "subtask.to-group": Feature.SUBTASK_GROUPS,
    "task.delete": Feature.TASK_DELETION,
    "task.to-subtask": Feature.SUBTASKS,
}
"""The feature without which an action is not possible."""

_INSTEAD = {"task.delete": "A archives it instead"}


def unavailable(action: str, *, offers: Offers, is_viewer: bool) -> str | None:
    """Why an action cannot be had, as a sentence; None if it can, or if that is not known."""
    if is_viewer and action in CHANGES:
        return VIEWER
    feature = _NEEDS.get(action)
    if feature is None or offers(feature) is not False:
        return None
    return why_missing(feature)


def instead(action: str, reason: str) -> str:
    """What can be done instead of an action that is unavailable for this reason, if anything."""
    return "" if reason == VIEWER else _INSTEAD.get(action, "")
