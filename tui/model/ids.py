"""Type aliases for ids, annotated with their kind.

They are annotated integers rather than `NewType`s: the kind can be read from annotations, and
numbers of documents, tables and tests need no conversion.
"""

from typing import Annotated, Literal, NamedTuple, TypeAlias

Kind: TypeAlias = Literal[
    "board",
    "stage",
    "task",
    "subtask_group",
    "comment",
    "label",
    "field",
    "field_value",
    "image",
    "member",
]
"""The kind of an id or document.

A subtask is a task, a `field` a custom field, and a member a user on a board.
"""


class IdOf(NamedTuple):
    """Marks an id, or a place given by ids, in an annotation."""

    kind: Kind


BoardId: TypeAlias = Annotated[int, IdOf("board")]
StageId: TypeAlias = Annotated[int, IdOf("stage")]
TaskId: TypeAlias = Annotated[int, IdOf("task")]
GroupId: TypeAlias = Annotated[int, IdOf("subtask_group")]
CommentId: TypeAlias = Annotated[int, IdOf("comment")]
LabelId: TypeAlias = Annotated[int, IdOf("label")]
FieldId: TypeAlias = Annotated[int, IdOf("field")]
ImageId: TypeAlias = Annotated[int, IdOf("image")]


def numbered(card_id: int) -> str:
    """The number of a card; one that was not sent yet has none."""
    return f"#{card_id}" if card_id > 0 else "new"
