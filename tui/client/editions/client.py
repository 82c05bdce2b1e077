"""The client of deployed services, and the choice between it and that of the specification."""

from typing import Any

from tui.client.answers import gather, read_documents
from tui.client.capabilities import UNKNOWN, Capabilities, Feature
from tui.client.client import Client
from tui.client.documents import BoardChanges, Document, DocumentPage
from tui.client.editions.boards import CheckedBoards
from tui.client.editions.claiming import CheckedClaims
from tui.client.editions.comments import CheckedComments
from tui.client.editions.fields import CheckedFields
from tui.client.editions.forms import Forms
from tui.client.editions.moving import CheckedMoves
from tui.client.editions.people import CheckedPeople
from tui.client.editions.properties import CheckedProperties
from tui.client.editions.stages import CheckedStages
from tui.client.endpoints import Endpoint
from tui.client.errors import NotOffered, Refused, ServerFault
from tui.client.http.session import HttpSession
from tui.client.resources.subtasks import NO_GROUP
from tui.client.values import as_rows
from tui.schema.tasks import SubtaskGroup, Task

_ARCHIVED_LISTED = "archived-tasks"
"""How a service announces that its list of tasks may have the archived ones."""
_PER_PAGE = 100


class DeployedClient(
    CheckedClaims,
    CheckedMoves,
    CheckedProperties,
    CheckedStages,
    CheckedComments,
    CheckedFields,
    CheckedPeople,
    CheckedBoards,
):
    """All endpoints of a service that may deviate from the specification.

    Each method works the same on every deployed service. The base classes write and read back;
    here is read what services list in other ways, or not at all.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.forms = Forms(self.service)
        self._parents: dict[int, int] = {}
        """The parent of each subtask that was listed, by id."""

    async def changes_since(self, board_id: int, since: str) -> BoardChanges | None:
        try:
            return await super().changes_since(board_id, since)
        except NotOffered:
            return None

    async def archived_tasks(self, board_id: int) -> list[Document]:
        """Raises `NotOffered` if the service lists them nowhere."""
        if self.offers(Feature.ARCHIVED_TASKS) is None:
            is_there = await self.service.announces(_ARCHIVED_LISTED)
            self.service.learn_features({Feature.ARCHIVED_TASKS: is_there})
        if self.offers(Feature.ARCHIVED_TASKS):
            return await super().archived_tasks(board_id)

        # Not in the specification, but every measured edition has these pages.
        async def fetch(number: int) -> DocumentPage:
            query = {"per_page": str(_PER_PAGE), "page": str(number)}
            answer = await self.service.ask(Endpoint.LIST_ARCHIVED_TASKS, board_id, query=query)
            return await answer.page(Task, "tasks", number)

        tasks = await gather(fetch)
        archived = (task for task in tasks if task.get("archived_at") and not task.get("parent_id"))
        return sorted(archived, key=lambda task: (task["archived_at"], task["id"]), reverse=True)

    async def task(self, board_id: int, task_id: int) -> Document:
        """One task; a refused subtask is searched in the list of its parent, if that is known."""
        try:
            return await super().task(board_id, task_id)
        except (Refused, ServerFault) as error:
            # The old paid edition answers 400 for a new subtask, but lists it below its parent.
            parent_id = self._parents.get(task_id)
            if error.is_passing or parent_id is None:
                raise
            groups = await self.subtask_groups(board_id, parent_id)
            subtasks: list[Document] = [
                row for group in groups for row in group.get("subtasks", [])
            ]
            subtask = next((row for row in subtasks if row["id"] == task_id), None)
            if subtask is None:
                raise
            return subtask

    async def subtask_groups(self, board_id: int, task_id: int) -> list[Document]:
        """The subtasks of a task by group.

        Those without a group are in the group `NO_GROUP`, the last; a service without groups has
        only that one.
        """
        answer = await self.service.ask(Endpoint.LIST_SUBTASKS, board_id, task_id)
        # The old paid edition sends a bare list of subtasks under `data`.
        has_groups = "subtaskGroups" in answer.value
        self.service.learn_features({Feature.SUBTASKS: True, Feature.SUBTASK_GROUPS: has_groups})
        rows = as_rows(answer.array("subtaskGroups" if has_groups else "data"))
        loose = [row for row in rows if _is_task(row)]
        listed = [row for row in rows if not _is_task(row)]
        groups = await read_documents(listed, SubtaskGroup, site=answer.site)
        if loose or not (has_groups or listed):
            subtasks = await read_documents(loose, Task, site=answer.site)
            groups.append({"id": NO_GROUP, "task_id": task_id, "value": "", "subtasks": subtasks})
        for group in groups:
            for subtask in group.get("subtasks", []):
                self._parents[subtask["id"]] = task_id
        return groups

    async def users(self) -> list[Document]:
        users = await super().users()
        self.service.learn_features({Feature.SERVICE_USERS: True})
        return users


def _is_task(row: object) -> bool:
    # Whether an element of the list is a subtask itself, as on services without groups.
    return isinstance(row, dict) and "subtasks" not in row and "parent_id" in row


def client_for(
    session: HttpSession, *, capabilities: Capabilities = UNKNOWN, **options: Any
) -> Client:
    """A client for a service, which reads nothing back if the service is trusted."""
    kind = Client if capabilities.is_trusted else DeployedClient
    return kind(session, capabilities=capabilities, **options)
