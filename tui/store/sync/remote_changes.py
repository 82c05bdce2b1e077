"""What others did on a board, told from what a list of its tasks brought.

What the person did, here or with another program, is never news. Who did something is asked for
once for all that a list brought, and where that cannot be told it is told without a name.
"""

import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from tui.client.errors import ApiError
from tui.model.activity import Activity
from tui.model.board import BoardView
from tui.model.people import Account
from tui.model.remote_changes import ChangeKind, RemoteChange, actor
from tui.store.cache.board_writer import COUNTS, Exchanged
from tui.store.core import Core
from tui.store.documents.assemble import Assembler, instant, wall_clock
from tui.store.documents.assemble_detail import DetailAssembler
from tui.store.operations.base import AlreadyApplied, Operation
from tui.store.outbox.entry import Entry
from tui.store.outbox.marks import Unseen
from tui.store.remote import Remote
from tui.store.views.details import Details
from tui.text.clean import line, quoted

_OF_MANY = ("board", "stage")
_A_MOMENT = timedelta(seconds=5)


@dataclass(slots=True)
class Own:
    """What the person changed on a board since its list was fetched.

    `things` are the ids named by these changes; `of_many` says whether one of them brought or took
    many tasks.
    """

    things: set[int] = field(default_factory=set)
    of_many: bool = False

    def __bool__(self) -> bool:
        """Whether they changed anything."""
        return self.of_many or bool(self.things)


class RemoteChangeTracker:
    """Tells the person, whose account is `me`, what others did."""

    def __init__(self, core: Core, unseen: Unseen, details: Details) -> None:
        self._unseen = unseen
        self._queue = core.queue
        self._details = details
        self._outbox = core.outbox
        self._disk = core.disk
        self._assembler = DetailAssembler(Assembler())
        self.me = Account()
        self._own: defaultdict[int, Own] = defaultdict(Own)

    def did(self, operation: Operation) -> None:
        """The service accepted a change of the person's own, made by whichever program."""
        own = self._own[operation.board_id]
        own.things |= operation.refers
        own.of_many |= operation.subject.kind in _OF_MANY
        around = self._details.around(operation.task_id)
        if around is not None:
            own.things.add(around.task.id)

    def begin_list(self, board_id: int) -> Own:
        """A list is about to be asked for; what was done until now is in it."""
        return self._own.pop(board_id, Own())

    def not_listed(self, board_id: int, own: Own) -> None:
        """What was asked for brought nothing: what `begin_list` said may be in the next answer."""
        self._own[board_id].things |= own.things
        self._own[board_id].of_many |= own.of_many

    async def tell(
        self, view: BoardView, own: Own, exchanged: Sequence[Exchanged], remote: Remote
    ) -> None:
        """Mark the cards that others changed; `own` is what `begin_list` said."""
        board_id = view.board.id
        since = self._own.get(board_id, Own())
        things, of_many = own.things | since.things, own.of_many or since.of_many
        unsure = _Unsure(self._queue.of(board_id))
        found = []
        for one in exchanged:
            kinds = [kind for kind in one.kinds if kind not in COUNTS or one.task_id not in things]
            is_of_many = of_many and kinds and kinds[0] in (ChangeKind.NEW, ChangeKind.GONE)
            if is_of_many or _was_never_seen(one, view):
                continue
            if kinds and not unsure.is_about(one):
                found.append((one, kinds))
        if not found:
            return
        done = await self._activities(board_id, remote, [one for one, _ in found])
        news = []
        for one, kinds in found:
            told = ((kind, actor(kind, done[one.task_id], self.me)) for kind in kinds)
            kind, who = next(((kind, who) for kind, who in told if who is not None), (None, ""))
            if kind is not None:
                news.append(RemoteChange(one.task_id, kind, _detail(kind, one, view), who or ""))
        if news:
            await self._unseen.heard(board_id, news)

    async def _activities(
        self, board_id: int, remote: Remote, exchanged: Iterable[Exchanged]
    ) -> Mapping[int, Sequence[Activity]]:
        """What was done to each task since it was asked last; nothing where that is not told."""
        setting = f"newest-activity-{board_id}"
        by_task: defaultdict[int, list[Activity]] = defaultdict(list)
        try:
            documents = await remote.board_activities(board_id)
            told = [one for one in self._assembler.activities(documents) if one.task_id and one.by]
            newest = int(await self._disk.run(self._outbox.setting, setting) or 0)
            if told and told[0].id != newest:
                await self._disk.run(self._outbox.set_setting, setting, str(told[0].id))
        except (ApiError, sqlite3.Error, ValueError):
            return by_task
        changed_at = {one.task_id: instant(one.document.get("updated_at")) for one in exchanged}
        for one in told:
            task_id = one.task_id or 0
            if one.id > newest if newest else _is_as_old(one, changed_at.get(task_id)):
                by_task[task_id].append(one)
        return by_task


def _is_as_old(activity: Activity, changed_at: datetime | None) -> bool:
    """Whether an activity is what a task was changed by last, by the service's own times."""
    if activity.at is None or changed_at is None:
        return False
    return abs(activity.at - changed_at) <= _A_MOMENT


class _Unsure:
    """The person's own changes of which the service may know without our knowing that it does.

    Another program of theirs may be sending one at this moment, so whatever is as one of them
    makes it counts as theirs.
    """

    def __init__(self, entries: Iterable[Entry]) -> None:
        self._entries = [entry for entry in entries if entry.is_drawn]
        may_be_done = [entry for entry in self._entries if entry.baseline is not None]
        self._things = {entry.subject.id for entry in may_be_done}
        makers = [entry.operation for entry in self._entries if entry.operation.creates is not None]
        self._titles = {getattr(operation, "title", None) for operation in makers}

    def is_about(self, exchanged: Exchanged) -> bool:
        """Whether what differs may come from one of these."""
        is_new = exchanged.kinds[0] is ChangeKind.NEW
        return (
            exchanged.task_id in self._things
            or (is_new and exchanged.document.get("title") in self._titles)
            or any(self._is_as_made_by(entry, exchanged) for entry in self._entries)
        )

    @staticmethod
    def _is_as_made_by(entry: Entry, exchanged: Exchanged) -> bool:
        is_of_it = entry.subject.kind == "task" and entry.subject.id == exchanged.task_id
        return is_of_it and isinstance(entry.operation.check(exchanged.document), AlreadyApplied)


def _was_never_seen(exchanged: Exchanged, view: BoardView) -> bool:
    """Whether a task is gone that stood in a stage that is gone itself."""
    is_gone = exchanged.kinds[0] is ChangeKind.GONE
    return is_gone and not any(
        str(one.id) == str(exchanged.document.get("stage_id")) for one in view.stages
    )


def _detail(kind: ChangeKind, exchanged: Exchanged, view: BoardView) -> str:
    """What completes the sentence."""
    get = exchanged.document.get
    if kind in (ChangeKind.NEW, ChangeKind.GONE, ChangeKind.RENAMED):
        return quoted(line(str(get("title") or "")))
    if kind is ChangeKind.MOVED:
        stage = next((one for one in view.stages if str(one.id) == str(get("stage_id"))), None)
        return "another stage" if stage is None else quoted(stage.title)
    if kind is ChangeKind.DUE:
        moment = wall_clock(get("due_at"))
        return "never" if moment is None else f"{moment:%Y-%m-%d}"
    return line(str(get("priority") or "low")) if kind is ChangeKind.PRIORITY else ""
