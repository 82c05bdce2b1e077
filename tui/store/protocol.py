"""The protocol by which screens use the store.

Screens read frozen views, submit operations and subscribe to events (`tui.store.events`). Reads
return what is in memory; data that has to be fetched arrives later and is announced by an event.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

from tui.client.capabilities import Feature
from tui.model.board import Board, BoardView
from tui.model.comment import Thread
from tui.model.detail import TaskDetail
from tui.model.events.history import BoardHistory
from tui.model.events.remote_changes import RemoteChange
from tui.model.find import Found
from tui.model.lane import Tally
from tui.model.people import Account
from tui.model.picture_names import KeptPicture
from tui.model.relations import Relations
from tui.model.task import Task
from tui.store.events import PendingChange, Reversal, StoreEvent, SyncStatus, Undone
from tui.store.operations.base import Operation
from tui.store.remote import Remote

if TYPE_CHECKING:
    from tui.model.query.language import Query, QueryContext
    from tui.model.work.agent_log import AgentChange

Resolution = Literal["mine", "theirs", "text"]
"""Which value wins a conflict: ours, theirs, or a merged text."""

FIRST_CARDS = 40
"""How many cards of each stage the preview of a board has until all are in memory."""
Pause = Callable[[], Awaitable[object]]
"""Waits for something."""


class FoundCards(NamedTuple):
    """The boards that were looked through, each with the cards found and no others.

    `missing` are the ids of boards that are not cached yet; `about` is what names in the query
    mean.
    """

    views: tuple[BoardView, ...]
    missing: tuple[int, ...]
    about: "QueryContext"


class Store(Protocol):
    """Local copies of boards, with optimistic changes that are sent in the background."""

    @property
    def me(self) -> Account:
        """The user's account."""

    @property
    def is_read_only(self) -> bool:
        """Whether nothing can be changed or sent: `submit` and its like raise `CallboardError`."""

    def offers(self, feature: Feature) -> bool | None:
        """Whether the service offers a feature; None if not known (yet)."""

    async def service(self) -> Remote:
        """The service, for what is not cached (`tui.store.online` reads it).

        Raises `CallboardError` if there is no connection.
        """

    def subscribe(self, listener: Callable[[StoreEvent], None]) -> Callable[[], None]:
        """Call `listener` with every event, on the event loop.

        Returns what ends the subscription.
        """

    def boards(self) -> tuple[Board, ...]:
        """All known boards, archived ones too, newest first."""

    def board(self, board_id: int) -> BoardView | None:
        """A board with pending changes applied; None if it is not cached yet."""

    async def load_board(self, board_id: int) -> BoardView | None:
        """A cached board with all its tasks and pending changes; None if it is not cached."""

    async def find_cards(
        self, query: "Query", board_ids: Sequence[int], now: datetime, within: Collection[int]
    ) -> FoundCards:
        """The cards on some boards that a query matches, with pending changes applied.

        Names in it mean what they mean on all of `board_ids`; only the boards `within` are looked
        through, in the order of `board_ids`. Boards are not loaded into memory for this.
        """

    async def count_cards(
        self, query: "Query", board_ids: Sequence[int], now: datetime, within: Collection[int]
    ) -> Mapping[int, int]:
        """How many cards `find_cards` would find on each board that is cached."""

    def relations(self) -> Relations:
        """Which cards of all boards block which, with pending changes applied.

        It is the same object until something about them changes.
        """

    async def tally(self, board_id: int) -> Tally | None:
        """How many cards of a board are open or blocked, and when they are due, as read last.

        None if they were not read in the last week.
        """

    async def history(self, board_id: int, task_id: int | None = None) -> BoardHistory:
        """What is known of the history of a board, with pending changes.

        If a task is given, `seen_since` has that one only: a board may have very many.
        """

    async def read_history(self, board_id: int, since: datetime) -> None:
        """Read the activity log of a board back to `since` (aware), as far as it is not known.

        A very long log is read in parts: call it again. What was read before an error stays.
        Raises `CallboardError`.
        """

    async def read_archived(self, board_id: int, since: datetime) -> None:
        """Read the cards closed and archived since then (aware), as far as the history tells.

        They are among the `archived_tasks` then. Raises `CallboardError`.
        """

    async def comments(self, board_id: int) -> Mapping[int, Thread]:
        """The cached comments on the cards of a board by task, with pending changes."""

    def losses(self) -> tuple[str, ...]:
        """What may have been lost with damaged files, in words, until that is acknowledged."""

    async def acknowledge_losses(self) -> None:
        """The user knows what may have been lost: it is not named any more."""

    def status(self, board_id: int | None = None) -> SyncStatus:
        """Freshness and pending changes of a board, or of the list of boards."""

    def pending(self, board_id: int | None = None) -> tuple[PendingChange, ...]:
        """The operations not accepted yet, oldest first; of one board or of all."""

    async def open_board(self, board_id: int, *, after: Pause | None = None) -> None:
        """Keep a board fresh from now on, and hold all of it in memory.

        It is loaded once `after` has passed, if given; until then its first tasks are shown.
        """

    async def close_board(self) -> None:
        """Stop polling the open board."""

    async def follow(self, board_ids: Sequence[int], *, by: str = "") -> None:
        """Keep these boards fresh too, beside the open one.

        They take the place of those that were named before `by` the same.

        The first of them are told of changes at once where the service can wait for them.
        """

    async def submit(self, *operations: Operation) -> None:
        """Write these operations to disk, draw them and send them; together they are one undo step.

        Raises `tui.errors.CallboardError` if they could not be written; then nothing changed.
        """

    async def undo(self, board_id: int, *, force: bool = False) -> Undone | None:
        """Undo the last step on a board; returns it, None if there is none.

        Raises `UndoNeedsConfirmation` if the user has to confirm first, unless `force`, and
        `tui.errors.CallboardError` if the last change was refused: there is nothing to undo then.
        """

    async def redo(self, board_id: int, *, force: bool = False) -> Undone | None:
        """Redo the step undone last; returns it, None if there is none.

        Raises `UndoNeedsConfirmation` as `undo` does.
        """

    async def board_of_last(self, stack: Literal["undo", "redo"]) -> int | None:
        """The board with the newest step to undo or redo, of all boards; None if there is none."""

    async def agent_changes(self, since: datetime) -> Sequence["AgentChange"]:
        """What agents changed on this profile since a moment (aware), newest first."""

    async def agent_reversal(
        self, agent: str, since: datetime, board_ids: Collection[int], by_others: Mapping[int, str]
    ) -> Reversal:
        """What undoes the changes that an agent made since then on these boards.

        What has changed since is left, and said; `by_others` names who else has changed cards.
        """

    async def submit_reversal(self, agent: str, reversal: Reversal) -> None:
        """Undo the changes of an agent, as one step of the user."""

    def act_as(self, origin: str) -> None:
        """Note with all changes from now on what makes them in place of the user."""

    async def archived_tasks(self, board_id: int) -> tuple[Task, ...]:
        """The archived tasks of a board that are cached, in no particular order."""

    async def tasks_of_archived_stage(self, board_id: int, stage_id: int) -> tuple[Task, ...]:
        """The tasks that a stage had when it was archived here, in order; empty if not known."""

    def everything(self) -> AsyncIterator[Sequence[Found]]:
        """Boards, people, tasks and comments in memory and in the cache, a slice at a time.

        With pending changes; a damaged cache ends it.
        """

    async def refresh(self, board_id: int | None = None, *, only_changes: bool = False) -> None:
        """Fetch a board, or the list of boards, now.

        With `only_changes` the board, which need not be open, is fetched in full only where the
        service cannot tell what changed. Failed requests are reported by the status. Raises
        `CallboardError` if there is no connection and none can be made.
        """

    async def retry(self, pending_id: int, *, force: bool = False) -> None:
        """Send a refused or undetermined operation again, or a waiting one now.

        An undetermined one is read back first. If that does not tell whether it took effect, it
        stays undetermined (`PendingChange.was_checked_again`), and `force` sends it without reading
        back.
        """

    async def discard(self, pending_id: int) -> bool:
        """Drop an operation and its dependants; False if it turns out to have taken effect.

        One that may have been sent is read back first; if it took effect, its dependants stay.
        Raises `CallboardError` if it is being sent, or if it has dependants and cannot be read
        back.
        """

    def count_dependants(self, pending_id: int) -> int:
        """How many operations need what this one creates, and would be dropped with it."""

    async def resolve(self, pending_id: int, how: Resolution, text: str | None = None) -> None:
        """Resolve a conflict.

        “mine” is sent on top of the current value, “theirs” drops our change, and “text” sends the
        merged `text`. Raises `CallboardError` if there is no such conflict.
        """

    def merge_draft(self, pending_id: int) -> str | None:
        """The starting text for merging both sides of a conflict.

        None if it is not about a text.
        """

    def changed_by_others(self, board_id: int) -> Mapping[int, RemoteChange]:
        """The cards of a board changed by others and not looked at since, by their ids."""

    async def mark_seen(self, board_id: int, task_ids: Collection[int] | None = None) -> None:
        """Remove the marks of these cards that others changed, or of all cards of a board."""

    def set_visible(self, *, is_visible: bool) -> None:
        """Tell whether the program is visible; polling pauses while it is not."""

    def suspend(self) -> None:
        """Let another program send, as this one is about to be stopped.

        It sends again once it runs, unless another one does.
        """

    def detail(self, task_id: int) -> TaskDetail | None:
        """An opened task with pending changes applied; None if it was not opened lately."""

    async def open_task(self, board_id: int, task_id: int) -> None:
        """Load what is cached of a task, and fetch the rest in the background."""

    def close_task(self) -> None:
        """Stop refreshing the open task."""

    async def refresh_task(self, task_id: int) -> None:
        """Fetch an opened task now; problems are reported by the board's status."""

    async def older_comments(self, task_id: int) -> None:
        """Fetch the next older page of comments. Raises `CallboardError`."""

    async def older_activities(self, task_id: int) -> None:
        """Fetch activities, or their next older page. Raises `CallboardError`."""

    async def description_source(self, task_id: int) -> str:
        """The raw HTML description of a task or subtask, to start an edit from."""

    async def comment_source(self, task_id: int, comment_id: int) -> str:
        """The raw text of a comment or reply, to start an edit from."""

    def unread_comments(self, task_id: int) -> frozenset[int]:
        """The ids of comments and replies of others that the user has not read."""

    async def mark_comments_read(self, task_id: int) -> None:
        """Mark all comments of a task that are in memory as read."""

    async def keep_picture(self, path: Path) -> KeptPicture:
        """Copy a picture until it is uploaded, for `UploadImage` and a comment that shows it.

        Raises `CallboardError` for what cannot be read, is no picture, or is too large.
        """

    async def picture(
        self, task_id: int, image_id: int, progress: Callable[[int, int | None], None] | None = None
    ) -> bytes:
        """The bytes of a picture in a comment, from the cache or from the service.

        `progress` is called with bytes so far and in all, if known. Raises `CallboardError`.
        """
