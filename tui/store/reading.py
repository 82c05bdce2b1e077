"""Reads of the service's current state.

A missing thing is None, not an error. Comments, groups, labels and custom fields cannot be fetched
one by one, so the list they are in is read.
"""

import re
from bisect import bisect_left
from collections.abc import AsyncIterator, Iterable
from itertools import chain

from tui.client.errors import REFUSALS, NotFound, NotOffered, Refused
from tui.model.ids import Kind
from tui.model.lane import Lane
from tui.store.clock import few_at_once
from tui.store.documents.assemble_detail import task_of_activity
from tui.store.documents.shapes import Document
from tui.store.remote import Remote
from tui.text.clean import line

_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")


async def fetch_current(
    remote: Remote, kind: Kind, wanted: int, board_id: int, task_id: int | None
) -> Document | None:
    """One thing of a board or task as it is now, also if it is archived; None if it is gone."""
    try:
        if kind == "board":
            return await remote.board(board_id)
        if kind == "task":
            return await remote.task(board_id, wanted)
        async for document in fetch_all(remote, kind, board_id, task_id):
            if document.get("id") == wanted:
                return document
    except NotFound:
        pass
    return None


async def fetch_all(
    remote: Remote, kind: Kind, board_id: int, task_id: int | None
) -> AsyncIterator[Document]:
    """Everything of a kind on a board or, if given, of a task; of stages the archived ones last."""
    documents: Iterable[Document] = ()
    if kind == "board":
        documents = await remote.boards()
    elif kind == "stage":
        async for stage in _iter_stages(remote, board_id):
            yield stage
    elif kind in ("label", "field"):
        documents = await (remote.labels if kind == "label" else remote.fields)(board_id)
    elif task_id is None:
        documents = await remote.tasks(board_id)
    elif kind in ("task", "subtask_group"):
        groups = await _groups(remote, board_id, task_id)
        subtasks = (group.get("subtasks") or () for group in groups)
        documents = chain.from_iterable(subtasks) if kind == "task" else groups
    elif kind == "comment":
        async for comment in iter_comments(remote, board_id, task_id):
            yield comment
    for document in documents:
        yield document


async def fetch_task(remote: Remote, board_id: int, task_id: int) -> Document | None:
    """The task as it is now; None if it does not exist."""
    return await fetch_current(remote, "task", task_id, board_id, None)


async def fetch_set_aside(remote: Remote, board_id: int, newer_than: int) -> list[Document]:
    """The tasks with ids above `newer_than` that the list of tasks lacks, as they are archived.

    A service that does not list them is asked for all tasks in its latest activities.
    """
    try:
        tasks = await remote.archived_tasks(board_id)
    except NotOffered:
        activities = await remote.board_activities(board_id)
        ids = {task_id for task_id in map(task_of_activity, activities) if task_id is not None}
        newer = sorted(task_id for task_id in ids if task_id > newer_than)
        tasks = await read_archived(remote, board_id, newer)
    return [task for task in tasks if int(task["id"]) > newer_than]


async def read_archived(remote: Remote, board_id: int, ids: list[int]) -> list[Document]:
    """Those of the tasks that are archived, and no subtasks, a few requests at a time."""

    async def read(task_id: int) -> Document | None:
        try:
            return await remote.task(board_id, task_id)
        except (NotFound, Refused):  # services answer either for a task that is gone
            return None

    return [
        task
        for task in await few_at_once(read, ids)
        if task and is_archived(task) and task.get("parent_id") is None
    ]


async def _iter_stages(remote: Remote, board_id: int) -> AsyncIterator[Document]:
    listed = (await remote.board(board_id)).get("stages") or ()
    for stage in listed:
        yield stage
    try:
        archived = await remote.archived_stages(board_id)
    except REFUSALS:  # an edition without such a list
        return
    ids = {stage.get("id") for stage in listed}  # some services list the archived ones too
    for stage in archived:
        if stage.get("id") not in ids:
            yield stage


async def _groups(remote: Remote, board_id: int, task_id: int) -> list[Document]:
    try:
        return await remote.subtask_groups(board_id, task_id)
    except NotFound:
        return []


async def iter_comments(
    remote: Remote, board_id: int, task_id: int, *, newer_than: int = 0
) -> AsyncIterator[Document]:
    """Comments and replies one by one, latest thread first.

    Stops after the first page that cannot hold a comment newer than `newer_than`; a new reply may
    be below an older comment. A page without a thread that is new ends it too: the service ignores
    the number.
    """
    number, seen = 0, set[int]()
    while True:
        number += 1
        try:
            page = await remote.comments(board_id, task_id, number)
        except NotFound:
            return
        # A service that ignores the page number returns the first page for ever.
        ids = {int(comment["id"]) for comment in page.documents}
        if ids <= seen:
            return
        seen |= ids
        for comment in page.documents:
            yield comment
            for reply in comment.get("replies") or ():
                yield reply
        if page.is_last or min(ids) <= newer_than:
            return


def is_archived(document: Document) -> bool:
    """Whether a task, stage or board is archived; a zero date counts as not archived."""
    return not is_no_date(document.get("archived_at"))


def is_no_date(value: object) -> bool:
    """Whether a time stamp stands for no date, as null or zero."""
    return not value or str(value).startswith("0000-00-00")


def ids_in_order(documents: Iterable[Document]) -> list[int]:
    """The ids of the documents that are not archived, by position."""
    order = sorted(
        (float(document.get("position") or 0.0), int(document["id"]))
        for document in documents
        if not is_archived(document)
    )
    return [own_id for _, own_id in order]


def same_text(left: object, right: object) -> bool:
    """Whether two texts are equal but for white space, invisible characters and tags.

    Services normalise or strip these.
    """
    return folded(left) == folded(right)


def folded(value: object) -> str:
    """A text in a form that ignores what services change."""
    return " ".join(_TAG.sub("", line("" if value is None else str(value))).split())


def first_newer(present: Iterable[tuple[int, str]], title: str, newest_id: int) -> int | None:
    """The first thing with this title whose id is above `newest_id`."""
    newer = (own_id for own_id, own in present if own_id > newest_id and same_text(own, title))
    return min(newer, default=None)


def index_among(others: Lane, reply: Document) -> int:
    """The index of the task in a reply among the others of its stage, by its position."""
    position = (float(reply.get("position") or 0.0), int(reply["id"]))
    return bisect_left(others.positions, position, key=lambda pair: (pair[1], pair[0]))
