"""Why a change cannot be, in words that say what to do.

The rule it keeps: a person is told what happened, what is safe, and what can be done about it.
"""

from tui.client.errors import ApiError, NotAllowed, NotThere
from tui.model.ids import Kind
from tui.store.operations.base import Operation

_NAMES: dict[Kind, str] = {
    "board": "board",
    "stage": "stage",
    "task": "task",
    "subtask_group": "group of subtasks",
    "comment": "comment",
    "label": "label",
    "field_value": "custom field",
    "image": "image",
}


def refusal_in_words(operation: Operation, error: ApiError) -> str:
    """What the service said, and what it means where that is plain."""
    if isinstance(error, NotThere):
        return f"{error.message} {gone_in_words(operation)}"
    if isinstance(error, NotAllowed):
        return f"{error.message} Discard it, or ask somebody who may."
    return error.message


def gone_in_words(operation: Operation) -> str:
    """What the change is about is not there any more."""
    name = _NAMES[operation.subject.kind]
    return f"The {name} is gone: somebody else deleted it. Discard this change, or make it anew."


def archived_in_words() -> str:
    """The task is in the archive."""
    return (
        "The task was archived by somebody else. Bring it back and send this change again, "
        "or discard it."
    )
