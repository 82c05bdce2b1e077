"""Reading back what the service says, and handing on what it said.

The rule it keeps: a task that is not there is an answer (None), not an error; every other error
goes on to whoever sends.
"""

from tui.client.errors import NotThere
from tui.store.operations.base import Finding, News, Reply
from tui.store.remote import Document, Remote


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


def is_archived(task: Document) -> bool:
    """Whether a task as the service said it is archived; a zero date counts as none."""
    return not is_no_date(task.get("archived_at"))


def is_no_date(value: object) -> bool:
    """Whether a time stamp as the service said it stands for no date at all."""
    return not value or str(value).startswith("0000-00-00")
