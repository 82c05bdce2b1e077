"""Fetching the changes of a board now, and what is said while the service is away."""

from tui.actions.action import action
from tui.actions.host import ErrorsSaid
from tui.actions.tasks.cards import Cards
from tui.model.events.remote_changes import summarize
from tui.store.events import SyncStatus
from tui.text.keyed import keyed

AGAIN = "{board.refresh:R} try now"
"""The key that refreshes a board; lists have their own."""


class RefreshActions:
    """Refreshing the board of the cards."""

    def __init__(self, cards: Cards) -> None:
        self._cards = cards

    @action("board.refresh", "R", "Refresh")
    def refresh(self) -> None:
        self._cards.say("refreshing …")
        self._cards.host.run_worker(self._refresh(), group="refresh", exclusive=True)

    async def _refresh(self) -> None:
        store, board_id = self._cards.store, self._cards.board_id
        previous = store.changed_by_others(board_id)
        with ErrorsSaid(self._cards.host, in_background=True):
            await store.refresh(board_id)
            status = store.status(board_id)
            if status.problem:
                text, keys = trouble(status)
                self._cards.say(text, hint=keys, error=True)
                return
            marks = store.changed_by_others(board_id)
            news = tuple(mark for task_id, mark in marks.items() if previous.get(task_id) != mark)
            self._cards.say(summarize(news) if news else "up to date")


def trouble(status: SyncStatus, again: str = AGAIN) -> tuple[str, str]:
    """A sync problem with its remedy and what becomes of pending changes, and which keys help."""
    count, note = status.pending, ""
    if count:
        changes, are = ("change", "is") if count == 1 else (f"{count} changes", "are")
        # With a remedy the changes wait for the user, not for the connection.
        note = f"Your {changes} {f'{are} kept' if status.remedy else 'will sync automatically'}."
    text = " ".join(filter(None, (status.problem, status.remedy, note)))
    return text, f"{again}  {{go.waiting:g u}} show" if count else again


def trouble_hint(status: SyncStatus, again: str = AGAIN) -> str:
    """The hint for a sync problem: its remedy, the number of pending changes, and the retry key."""
    count = status.pending
    waits = f"{count} change{'s wait' if count > 1 else ' waits'} here" if count else ""
    return " · ".join(filter(None, (status.remedy, waits, keyed(again))))
