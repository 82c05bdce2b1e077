"""Reading what a service has now.

What is not there is an answer (None), not an error. There is no way to ask for one comment, group
or label by itself, so the list it would be in is read.
"""

from collections.abc import AsyncIterator, Iterable

from tui.client.errors import NotThere
from tui.model.ids import Kind
from tui.store.documents.shapes import Document
from tui.store.remote import Remote
from tui.text.clean import line


async def as_it_is(
    remote: Remote, kind: Kind, wanted: int, board_id: int, task_id: int | None
) -> Document | None:
    """One thing of a board, or of a task of it, as the service has it now; None if it is gone.

    An archived task or board is there, an archived stage is not.
    """
    try:
        if kind == "board":
            return await remote.board(board_id)
        if kind == "task":
            return await remote.task(board_id, wanted)
        async for one in every(remote, kind, board_id, task_id):
            if one.get("id") == wanted:
                return None if kind == "stage" and is_archived(one) else one
    except NotThere:
        pass
    return None


async def every(
    remote: Remote, kind: Kind, board_id: int, task_id: int | None
) -> AsyncIterator[Document]:
    """Everything of a kind that a service has, on a board or, if it is told, of a task."""
    found: Iterable[Document] = ()
    if kind == "board":
        found = await remote.boards()
    elif kind == "stage":
        found = (await remote.board(board_id)).get("stages") or ()
    elif kind == "label":
        found = await remote.labels(board_id)
    elif task_id is None:
        found = await remote.tasks(board_id)
    elif kind == "task":
        groups = await _groups(remote, board_id, task_id)
        found = (subtask for group in groups for subtask in group.get("subtasks") or ())
    elif kind == "subtask_group":
        found = await _groups(remote, board_id, task_id)
    elif kind == "comment":
        async for comment in every_comment(remote, board_id, task_id):
            yield comment
    for one in found:
        yield one


async def task_as_it_is(remote: Remote, board_id: int, task_id: int) -> Document | None:
    """The task as the service has it now; None if it is gone."""
    return await as_it_is(remote, "task", task_id, board_id, None)


async def _groups(remote: Remote, board_id: int, task_id: int) -> list[Document]:
    """The groups of a task with their subtasks; none if the task is gone."""
    try:
        return await remote.subtask_groups(board_id, task_id)
    except NotThere:
        return []


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


def is_archived(document: Document) -> bool:
    """Whether a task, stage or board is archived; a zero date counts as none."""
    return not is_no_date(document.get("archived_at"))


def is_no_date(value: object) -> bool:
    """Whether a time stamp as the service said it stands for no date at all."""
    return not value or str(value).startswith("0000-00-00")


def ids_in_order(documents: Iterable[Document]) -> list[int]:
    """The ids of those that are not archived, by their positions."""
    active = (one for one in documents if not is_archived(one))
    order = sorted((float(one.get("position") or 0.0), int(one["id"])) for one in active)
    return [own_id for _, own_id in order]


def same_words(one: object, other: object) -> bool:
    """Whether two texts read alike: services fold white space and drop what is invisible."""
    return folded(one) == folded(other)


def folded(value: object) -> str:
    """A text without what services write differently."""
    return " ".join(line("" if value is None else str(value)).split())


def first_new(present: Iterable[tuple[int, str]], title: str, newest_id: int) -> int | None:
    """The first thing of this title, by ids and titles, that is newer than what was known."""
    return min(
        (one for one, other in present if one > newest_id and same_words(other, title)),
        default=None,
    )
