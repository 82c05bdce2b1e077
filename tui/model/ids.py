"""Ids by the kind of thing they name.

They are annotated integers rather than `NewType`s: whoever asks the annotations learns the kind,
and nobody has to convert a number that comes from a document, a table or a test.
"""

from typing import Annotated, Literal, NamedTuple, TypeAlias

Kind: TypeAlias = Literal[
    "board", "stage", "task", "subtask_group", "comment", "label", "field_value", "image"
]
"""What an id, or a document, is of. A subtask is a task."""


class IdOf(NamedTuple):
    """Marks an id, or a place that is told by ids, in an annotation."""

    kind: Kind


BoardId: TypeAlias = Annotated[int, IdOf("board")]
StageId: TypeAlias = Annotated[int, IdOf("stage")]
TaskId: TypeAlias = Annotated[int, IdOf("task")]
GroupId: TypeAlias = Annotated[int, IdOf("subtask_group")]
CommentId: TypeAlias = Annotated[int, IdOf("comment")]
LabelId: TypeAlias = Annotated[int, IdOf("label")]
FieldId: TypeAlias = Annotated[int, IdOf("field_value")]
ImageId: TypeAlias = Annotated[int, IdOf("image")]
