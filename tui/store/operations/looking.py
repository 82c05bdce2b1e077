"""Looking at things other than tasks, as the service has them now.

The rule it keeps: what is not there is an answer (None), not an error. There is no way to ask for
one comment, group or label by itself, so the list it would be in is read.
"""

from collections.abc import AsyncIterator, Iterable

from tui.client.errors import NotThere
from tui.store.documents.shapes import Document
from tui.store.operations.reading import is_no_date
from tui.store.remote import Remote


async def board_as_it_is(remote: Remote, board_id: int) -> Document | None:
    """The board as the service has it now; None if it is gone."""
    try:
        return await remote.board(board_id)
    except NotThere:
        return None


async def stage_as_it_is(remote: Remote, board_id: int, stage_id: int) -> Document | None:
    """An active stage; None if it is archived or gone."""
    try:
        board = await remote.board(board_id)
    except NotThere:
        return None
    stage = _by_id(board.get("stages") or (), stage_id)
    if stage is None or not is_no_date(stage.get("archived_at")):
        return None
    return {**stage, "board_id": board_id}


async def label_as_it_is(remote: Remote, board_id: int, label_id: int) -> Document | None:
    """A label of a board."""
    return _by_id(await remote.labels(board_id), label_id)


async def groups_as_they_are(remote: Remote, board_id: int, task_id: int) -> list[Document]:
    """The groups of a task with their subtasks; none if the task is gone."""
    try:
        return await remote.subtask_groups(board_id, task_id)
    except NotThere:
        return []


async def subtasks_as_they_are(remote: Remote, board_id: int, task_id: int) -> list[Document]:
    """Every active subtask of a task."""
    groups = await groups_as_they_are(remote, board_id, task_id)
    return [subtask for group in groups for subtask in group.get("subtasks") or ()]


async def group_as_it_is(
    remote: Remote, board_id: int, task_id: int, group_id: int
) -> Document | None:
    """A group of a task with its subtasks."""
    return _by_id(await groups_as_they_are(remote, board_id, task_id), group_id)


async def comment_as_it_is(
    remote: Remote, board_id: int, task_id: int, comment_id: int
) -> Document | None:
    """A comment or reply, looked for page by page."""
    async for comment in every_comment(remote, board_id, task_id):
        if comment["id"] == comment_id:
            return comment
    return None


async def every_comment(
    remote: Remote, board_id: int, task_id: int, *, newer_than: int = 0
) -> AsyncIterator[Document]:
    """Comments and replies one by one, latest thread first.

    Pages are no longer asked for when no comment on them can be newer than `newer_than`; a new
    reply may stand below an older one.
    """
    number = 0
    while True:
        number += 1
        try:
            page = await remote.comments(board_id, task_id, number)
        except NotThere:
            return
        for comment in page.documents:
            yield comment
            for reply in comment.get("replies") or ():
                yield reply
        oldest = min((int(comment["id"]) for comment in page.documents), default=0)
        if page.is_last or not page.documents or oldest <= newer_than:
            return


async def value_as_it_is(
    remote: Remote, board_id: int, task_id: int, field_id: int
) -> Document | None:
    """What a task has in a custom field."""
    for value in await remote.field_values(board_id, task_id):
        if value.get("foreign_id") == field_id:
            return value
    return None


def _by_id(documents: Iterable[Document], wanted: int) -> Document | None:
    return next((document for document in documents if document.get("id") == wanted), None)
