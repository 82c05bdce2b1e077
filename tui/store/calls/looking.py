"""What others did and what a person has looked at, as the store tells it.

The rule it keeps: asking costs nothing; what was looked at is remembered on disk. A status tells
what waits for a person apart from what is on its way.
"""

from collections import Counter

from tui.model.account import Account
from tui.store.calls.present_ids import PresentIds
from tui.store.outbox.entry import Entry
from tui.store.protocol import StatusChanged, SyncStatus, Waiting, WaitingState
from tui.store.views.unseen import Marks


class Looking(PresentIds):
    """The part of the store that is about looking, not about changing."""

    def status(self, board_id: int | None = None) -> SyncStatus:
        """How fresh a board, or the list of boards, is and what is on its way."""
        parts = self._parts
        if board_id is None:
            states = Counter(entry.state for entry in parts.queue.all())
            return _without_what_is_stuck(parts.health.status(None), states, parts.queue.fail_on())
        board_id = self._current(board_id)
        going = parts.delivery.going(board_id)
        status = parts.health.status(board_id)._replace(to_send=going.to_send, sent=going.sent)
        failing = parts.queue.fail_on(board_id)
        return _without_what_is_stuck(status, parts.queue.states(board_id), failing)

    def waiting(self, board_id: int | None = None) -> tuple[Waiting, ...]:
        """The operations not accepted yet, oldest first; of one board or of all."""
        queue = self._parts.queue
        entries = queue.all() if board_id is None else queue.of(self._current(board_id))
        return tuple(map(self._waiting, entries))

    def _waiting(self, entry: Entry) -> Waiting:
        """An entry as screens see it; one that waits for another says for which."""
        queue = self._parts.queue
        waiting = entry.waiting()._replace(keeps_failing=entry.seq in queue.failing)
        first = queue.waits_for(entry) if entry.is_to_be_sent and not entry.reason else None
        return waiting if first is None else waiting._replace(after=first.operation.describe())

    @property
    def me(self) -> Account:
        """The account of the person at the keyboard."""
        return self._parts.unread.me

    def belongs_to(self, account: Account) -> None:
        """Whose store this is; what the person did elsewhere is no news either."""
        if account == self.me:
            return
        self._parts.others.me = self._parts.unread.me = account
        self._parts.details.tell_all_again()
        self._parts.listeners.tell(StatusChanged(None))

    def changed_by_others(self, board_id: int) -> Marks:
        """The cards of a board that others changed since it was looked at, by their ids."""
        return self._parts.unseen.of(board_id)

    async def looked_at(self, board_id: int, task_id: int) -> None:
        """The person looked at a card."""
        await self._parts.unseen.seen(board_id, frozenset({task_id}))

    async def left_board(self, board_id: int) -> None:
        """The person looked at a board and goes elsewhere."""
        await self._parts.unseen.seen(board_id)

    def merge_draft(self, waiting_id: int) -> str | None:
        """What to start from to put both texts of a conflict together; None if it is no text."""
        entry = self._parts.queue.get(waiting_id)
        if entry is None or entry.footing is None or entry.footing.before is None:
            return None
        return entry.operation.draft(entry.footing.before)


def _without_what_is_stuck(
    status: SyncStatus, states: Counter[WaitingState], failing: int
) -> SyncStatus:
    """A status in which what waits for a person is told apart from what is on its way.

    `states` says how many changes stand where.
    """
    conflicts, unsure = states[WaitingState.CONFLICT], states[WaitingState.UNSURE]
    return status._replace(
        on_the_way=status.on_the_way - conflicts - unsure - failing,
        conflicts=conflicts,
        unsure=unsure,
        failing=failing,
    )
