"""All that is done differently at different services, by one name for each thing that people do.

The rule it keeps: this is the list, and nothing but the list; how each of them is done is in a
module of its own.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from tui.client.capabilities import Capabilities
from tui.client.dialect.assigning import Assignment
from tui.client.dialect.change_news import ChangeNews
from tui.client.dialect.changed import Changed
from tui.client.dialect.commenting import Commenting
from tui.client.dialect.deleting import Deleting
from tui.client.dialect.directory import BoardOrder, Directory
from tui.client.dialect.features import Features
from tui.client.dialect.memory import Memory
from tui.client.dialect.placing import Placing, Position
from tui.client.dialect.resources import Resources
from tui.client.dialect.restoring import Restored, Restoring
from tui.client.dialect.setting import Properties
from tui.client.dialect.site_time import SiteTime
from tui.client.dialect.task_reading import TaskReading
from tui.client.dialect.updating import StageUpdates
from tui.client.dialect.watching import Watches
from tui.client.records import BoardRecord, CommentRecord, StageRecord, TaskRecord, UserRecord
from tui.client.resources.boards import Changes
from tui.client.resources.listing import Listing
from tui.runtime.slices import Slicer


class Dialect:
    """Does at any service what the specification means. Every method may raise `ApiError`.

    `features` is what the service offers, `site` the clock that its dates are told by, `reading`
    how one task is read.
    """

    def __init__(self, resources: Resources, memory: Memory, site: SiteTime) -> None:
        boards, stages, tasks = resources.boards, resources.stages, resources.tasks
        comments, people = resources.comments, resources.people
        self._memory = memory
        self.site = site
        self.features = Features(resources, memory)
        self.reading = TaskReading(tasks, resources.subtasks)
        self._assignment = Assignment(tasks, self.reading, memory)
        self._watches = Watches(tasks, self.reading, memory)
        self._properties = Properties(
            tasks,
            self.reading,
            memory,
            site,
            people=self._assignment,
            watches=self._watches,
        )
        self._placing = Placing(tasks, stages, memory, self.features)
        self._restoring = Restoring(stages, tasks, self._placing, memory)
        self._commenting = Commenting(comments, memory)
        self._deleting = Deleting(boards, tasks, self._commenting, resources.labels, memory)
        self._stage_updates = StageUpdates(stages, memory)
        self._change_news = ChangeNews(boards, memory)
        self._directory = Directory(boards, people, self.features, memory)

    @property
    def capabilities(self) -> Capabilities:
        """What is known of the service now."""
        return self._memory.capabilities

    async def boards(
        self,
        *,
        archived: bool = False,
        search: str = "",
        board_type: str | None = None,
        order_by: BoardOrder = "id",
        descending: bool = True,
    ) -> Listing[BoardRecord]:
        """The active or the archived boards, filtered and sorted here (see `Directory.boards`)."""
        return await self._directory.boards(
            archived=archived,
            search=search,
            board_type=board_type,
            order_by=order_by,
            descending=descending,
        )

    async def delete_board(self, board_id: int) -> None:
        """Delete a board; one that is gone already is a success (see `Deleting.board`)."""
        await self._deleting.board(board_id)

    async def changes(self, board_id: int, since: str) -> Changes | None:
        """What has changed on a board since a `synced_at` (see `ChangeNews.ask`)."""
        return await self._change_news.ask(board_id, since)

    async def update_stage(
        self,
        board_id: int,
        stage_id: int,
        *,
        title: str,
        settings: Mapping[str, object] | None = None,
    ) -> StageRecord:
        """Change a stage's title and, unless None, its settings (see `StageUpdates.update`)."""
        return await self._stage_updates.update(board_id, stage_id, title=title, settings=settings)

    async def restore_stage(
        self, board_id: int, stage_id: int, order: Sequence[int] | None = None
    ) -> Restored:
        """Restore a stage with its tasks in `order` (see `Restoring.restore`)."""
        return await self._restoring.restore(board_id, stage_id, order)

    async def set_property(self, board_id: int, task_id: int, name: str, value: object) -> Changed:
        """Set a property of a task, whichever it is (see `Properties.set`)."""
        return await self._properties.set(board_id, task_id, name, value)

    async def set_date(
        self, board_id: int, task_id: int, name: str, when: datetime | None
    ) -> Changed:
        """Set a date of a task on the person's wall (see `Properties.set_date`)."""
        return await self._properties.set_date(board_id, task_id, name, when)

    async def assign(self, board_id: int, task_id: int, wanted: Collection[int]) -> Changed:
        """Make exactly these people the assignees of a task (see `Assignment.assign`)."""
        return await self._assignment.assign(board_id, task_id, wanted)

    async def watch(self, board_id: int, task_id: int, on: bool) -> Changed:
        """Watch a task, or stop (see `Watches.watch`)."""
        return await self._watches.watch(board_id, task_id, on)

    async def place_task(
        self,
        board_id: int,
        task_id: int,
        stage_id: int,
        index: int,
        others: Sequence[Position] = (),
        *,
        new_board_id: int | None = None,
    ) -> Changed:
        """Put a task at a place among the others of a stage (see `Placing.place`)."""
        return await self._placing.place(
            board_id, task_id, stage_id, index, others, new_board_id=new_board_id
        )

    async def delete_task(self, board_id: int, task_id: int) -> tuple[TaskRecord, ...]:
        """Delete a task; one that is gone already is a success (see `Deleting.task`)."""
        return await self._deleting.task(board_id, task_id)

    async def create_comment(
        self,
        board_id: int,
        task_id: int,
        text: str = "",
        *,
        parent_id: int | None = None,
        images: Sequence[int] = (),
        mentions: Sequence[int] = (),
    ) -> CommentRecord:
        """Add a comment or, with `parent_id`, a reply (see `Commenting.create`)."""
        return await self._commenting.create(
            board_id, task_id, text, parent_id=parent_id, images=images, mentions=mentions
        )

    async def update_comment(
        self,
        board_id: int,
        task_id: int,
        comment_id: int,
        text: str = "",
        *,
        images: Sequence[int] | None = None,
        mentions: Sequence[int] = (),
    ) -> CommentRecord:
        """Change one's own comment (see `Commenting.update`)."""
        return await self._commenting.update(
            board_id, task_id, comment_id, text, images=images, mentions=mentions
        )

    async def delete_comment(
        self, board_id: int, task_id: int, comment_id: int, *, parent_id: int | None = None
    ) -> None:
        """Delete one's own comment, or reply to `parent_id` (see `Deleting.comment`)."""
        await self._deleting.comment(board_id, task_id, comment_id, parent_id=parent_id)

    async def delete_label(self, board_id: int, label_id: int) -> None:
        """Delete a label of a board (see `Deleting.label`)."""
        await self._deleting.label(board_id, label_id)

    async def detach_label(self, board_id: int, task_id: int, label_id: int) -> None:
        """Take a label off a task (see `Deleting.task_label`)."""
        await self._deleting.task_label(board_id, task_id, label_id)

    async def people(self) -> Listing[UserRecord]:
        """Everybody the person can see (see `Directory.people`)."""
        return await self._directory.people()

    async def who_am_i(self, name: str, *, again: bool = False) -> int | None:
        """The user id behind a login name or an e-mail (see `Directory.who_am_i`)."""
        return await self._directory.who_am_i(name, again=again)

    def document(self, task: TaskRecord) -> dict[str, Any]:
        """A task as a document, its dates on the person's wall."""
        return self.site.localised(task.document())

    async def documents(self, tasks: Iterable[TaskRecord]) -> list[dict[str, Any]]:
        """Tasks as documents, made without holding the event loop."""
        slicer, documents = Slicer(), []
        for task in tasks:
            documents.append(self.document(task))
            await slicer.breathe()
        return documents
