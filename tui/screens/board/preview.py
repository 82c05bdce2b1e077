"""The preview of the card at the cursor: a pane at the right of the columns.

It is drawn from what is in memory once the cursor rests on a card, and what is missing is loaded
after a longer rest, so that no step of the cursor waits for it. It marks nothing as seen or read.
"""

from datetime import datetime

from textual import events
from textual.geometry import Size
from textual.timer import Timer

from tui.actions.action import action
from tui.model.detail import DetailPart
from tui.screens.board.deck import Deck
from tui.store.events import DetailChanged, StatusChanged, StoreEvent
from tui.widgets.painted import Line, PaintedLines

LEAST_COLUMNS = 140
"""The width of the terminal from which on there is room for the preview."""
_WIDEST = 50
_DRAWN_AFTER = 0.2
"""The part of the rest after which the card is drawn; after all of it, it is loaded."""


class CardPreview(PaintedLines):
    """The card at the cursor of `deck`, if the user has switched its preview on for the board."""

    ground = "card"

    def __init__(self, deck: Deck) -> None:
        super().__init__()
        self.display = False
        self._cards, self._deck = deck.cards, deck
        self._rest: Timer | None = None
        self._rests_on: int | None = None
        self._loaded: dict[int, tuple[datetime | None, int]] = {}
        """The cards that were loaded, with what tells whether they were changed since."""

    @property
    def is_on(self) -> bool:
        """Whether it is switched on, also where there is no room for it."""
        return bool(self._cards.context.preferences.number(self._cards.board_id, "preview", 0))

    @action("board.preview", "backslash", "Show or hide preview", while_moving=True)
    def switch(self) -> None:
        if (width := self.app.size.width) < LEAST_COLUMNS:
            needs = f"the preview needs {LEAST_COLUMNS} columns"
            self._cards.say(f"{needs}: this terminal has {width}")
            return
        is_on = not self.is_on
        self._cards.context.preferences.keep(self._cards.board_id, preview=int(is_on))
        if not is_on:
            # Else the store goes on refreshing the card that was shown last.
            self._cards.store.close_task()
        self.take_room()

    def take_room(self) -> None:
        """Show the pane if it is switched on and the terminal is wide enough."""
        columns = self.app.size.width
        self.display = self.is_on and columns >= LEAST_COLUMNS
        width = min(_WIDEST, columns // 3) if self.display else 0
        if width != self._deck.aside:
            self._deck.aside = self.styles.width = width
            self.draw_anew()
            self._deck.redraw()
        self.follow()

    def follow(self) -> None:
        """Draw and load the card at the cursor once the cursor rests on it."""
        task = self._deck.current if self.display else None
        task_id = task.id if task is not None else None
        # Redraws call this too; the rest on the same card goes on.
        if self._rest is not None:
            if self.display and task_id == self._rests_on:
                return
            self._rest.stop()
            self._rest = None
        if self.display:
            self._rests_on = task_id
            pause = self._cards.context.rest_seconds * _DRAWN_AFTER
            self._rest = self.set_timer(pause, self._draw_at_rest)

    def _draw_at_rest(self) -> None:
        self._rest = None
        self.redraw()
        if self._lacks_details:
            pause = self._cards.context.rest_seconds * (1 - _DRAWN_AFTER)
            self._rest = self.set_timer(pause, self._load_at_rest)

    def _load_at_rest(self) -> None:
        self._rest, task = None, self._deck.current
        if task is None or not self._lacks_details or not self.screen.is_current:
            return
        self.redraw()
        store, board_id = self._cards.store, self._cards.board_id
        # What fails while the service is out of reach is not noted as loaded.
        if not store.status(board_id).problem:
            self._loaded[task.id] = (task.updated_at, task.comments_count)
        opening = store.open_task(board_id, task.id)
        self._cards.host.run_worker(opening, group="preview", exclusive=True)

    @property
    def _lacks_details(self) -> bool:
        task = self._deck.current
        if task is None:
            return False
        detail = self._cards.store.detail(task.id)
        if detail is None or self._loaded.get(task.id) != (task.updated_at, task.comments_count):
            return True
        parts = {DetailPart.COMMENTS: detail.comments, DetailPart.SUBTASKS: detail.groups}
        return any(parts[part] is None and part not in detail.why for part in parts)

    def hear(self, event: StoreEvent) -> None:
        task, may_lack = self._deck.current, self._loaded and isinstance(event, StatusChanged)
        if isinstance(event, DetailChanged) and task is not None and event.task_id == task.id:
            self.redraw()
        elif may_lack and self._cards.store.status().problem:
            self._loaded.clear()  # perhaps a part of them was not

    def redraw(self) -> None:
        if self.display:
            super().redraw()

    @property
    def links(self) -> tuple[str, ...]:
        """What can be opened from the texts of the card that is shown."""
        task = self._deck.current
        if not self.display or task is None:
            return ()
        from tui.screens.board.preview_lines import preview_links

        return preview_links(task, self._cards.store)

    def on_click(self, event: events.Click) -> None:
        self.follow_link_at(event)

    def lines_now(self, size: Size) -> list[Line]:
        task, view, cards = self._deck.current, self._cards.view, self._cards
        if not size.width or not size.height:
            return []
        if task is None or view is None:
            why, _ = self._deck.why_no_card
            return [((f"{why[0].upper()}{why[1:]}", "quiet"),)]
        # Reading descriptions takes modules that a board does not need.
        from tui.screens.board.preview_lines import preview_lines

        return preview_lines(task, view, cards.store, cards.now(), size)
