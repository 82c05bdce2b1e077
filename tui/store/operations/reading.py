"""Reading what a service has now, telling what became of a change by it, and handing it on.

What is not there is an answer (None), not an error. There is no way to ask for one comment, group
or label by itself, so the list it would be in is read. What was made is known by being newer than
everything known before; only exactly one that looks like ours can be it.
"""

from collections.abc import AsyncIterator, Callable, Iterable

from tui.client.errors import NotThere
from tui.model.ids import Kind
from tui.store.documents.shapes import Document
from tui.store.operations.base import (
    AlreadyApplied,
    Conflicting,
    Difference,
    Finding,
    News,
    NoConflict,
    Reply,
    Verdict,
)
from tui.store.remote import Remote
from tui.text.clean import line


async def task_as_it_is(remote: Remote, board_id: int, task_id: int) -> Document | None:
    """The task as the service has it now; None if it is gone."""
    try:
        return await remote.task(board_id, task_id)
    except NotThere:
        return None


def task_reply(document: Document) -> Reply:
    """A task as the service said it, as a reply; of a parent that comes along only the counts.

    The rest of the parent may be news of others, which a list of tasks tells. So are stages.
    """
    document = dict(document)
    document.pop("stage", None)
    parent = document.pop("parent", None)
    told = (News("task", int(document["id"]), document),)
    if not isinstance(parent, dict) or not isinstance(parent.get("settings"), dict):
        return Reply(news=told)
    counts = {"id": int(parent["id"]), "settings": parent["settings"]}
    return Reply(news=(*told, News("task", counts["id"], counts)))


def task_found(done: bool | None, task_id: int, document: Document | None) -> Finding:
    """What reading back a task showed, with the task; without a document it is gone."""
    return Finding(done, Reply(news=(News("task", task_id, document),)))


def is_archived(document: Document) -> bool:
    """Whether a task, stage or board is archived; a zero date counts as none."""
    return not is_no_date(document.get("archived_at"))


def ids_in_order(documents: Iterable[Document]) -> list[int]:
    """The ids of those that are not archived, by their positions."""
    active = (one for one in documents if not is_archived(one))
    order = sorted((float(one.get("position") or 0.0), int(one["id"])) for one in active)
    return [own_id for _, own_id in order]


def is_no_date(value: object) -> bool:
    """Whether a time stamp as the service said it stands for no date at all."""
    return not value or str(value).startswith("0000-00-00")


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


def same_words(one: object, other: object) -> bool:
    """Whether two texts read alike: services fold white space and drop what is invisible."""
    return _words(one) == _words(other)


def _words(value: object) -> list[str]:
    return line("" if value is None else str(value)).split()


def verdict(
    field: str, *, mine: str, theirs: str, base: str | None, reply: Reply | None = None
) -> Verdict:
    """Compare a text three ways; without a known base nobody was faster."""
    if same_words(theirs, mine):
        return AlreadyApplied(reply or Reply())
    if base is None or same_words(theirs, base):
        return NoConflict()
    return Conflicting((Difference(field, line(mine), line(theirs), line(base)),))


def found_new(
    kind: Kind,
    present: Iterable[Document],
    looks_like_ours: Callable[[Document], bool],
    newest_id: int,
    *,
    task_id: int | None = None,
) -> Finding:
    """Whether something that was made is among what is there now.

    None that is newer and looks like ours is not done; two or more cannot be told apart.
    """
    twins = [one for one in present if int(one["id"]) > newest_id and looks_like_ours(one)]
    if len(twins) != 1:
        return Finding(done=None if twins else False)
    made = int(twins[0]["id"])
    return Finding(True, Reply(made, (News(kind, made, twins[0], task_id),)))


def first_new(present: Iterable[tuple[int, str]], title: str, newest_id: int) -> int | None:
    """The first thing of this title, by ids and titles, that is newer than what was known."""
    return min(
        (one for one, other in present if one > newest_id and same_words(other, title)),
        default=None,
    )


def gone(kind: Kind, thing_id: int, task_id: int | None = None) -> Reply:
    """The reply that says that something is there no more."""
    return Reply(news=(News(kind, thing_id, None, task_id),))


def made(kind: Kind, document: Document, task_id: int | None = None, *more: News) -> Reply:
    """The reply that says what was made."""
    new = int(document["id"])
    return Reply(new, (News(kind, new, document, task_id), *more))


def said(kind: Kind, document: Document, task_id: int | None = None) -> Reply:
    """The reply that says what something is like now."""
    return Reply(news=(News(kind, int(document["id"]), document, task_id),))
