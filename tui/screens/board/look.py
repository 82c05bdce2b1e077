"""How the cards of a board look: their lines, and what else all cards of it share."""

from collections.abc import Callable

from tui.actions.action import action
from tui.actions.tasks.cards import Cards
from tui.context import Density
from tui.model.board import BoardView
from tui.model.people import initials_of
from tui.screens.agent_progress import AgentsOnBoard
from tui.screens.board.card import CardLook
from tui.screens.board.tutorial import Tutorial
from tui.text.clean import counted

_ROOMY_HEIGHT = 30
"""From this height on cards have three lines, unless the user chose how many."""


class BoardLook:
    """The look of the cards of a board, which `redraw` draws."""

    def __init__(
        self,
        cards: Cards,
        tutorial: Tutorial,
        agents: AgentsOnBoard,
        redraw: Callable[[], None],
    ) -> None:
        self._cards = cards
        self._tutorial = tutorial
        self._agents = agents
        self._redraw = redraw
        self.density = Density.ROOMY
        self.fit()

    def fit(self) -> bool:
        """Take the lines that the user chose, else those that fit; whether they are others now."""
        context = self._cards.context
        usual = context.settings.density
        chosen = context.preferences.number(self._cards.board_id, "density", usual)
        is_high = self._cards.host.app.size.height >= _ROOMY_HEIGHT
        fitting = Density.ROOMY if is_high else Density.NORMAL
        previous, self.density = self.density, Density(chosen or fitting)
        return self.density != previous

    @action("board.density", "ctrl+e", "Change lines per card", words="compact", while_moving=True)
    def change_density(self) -> None:
        self.density = self.density.next
        self._cards.context.preferences.keep(self._cards.board_id, density=int(self.density))
        self._redraw()
        self._cards.say(f"{counted(self.density, 'line')} a card")

    def of(self, whole: BoardView) -> CardLook:
        """The look of the cards of a board now."""
        # Cards compare equal, and are not drawn again, within the same minute.
        now = self._cards.now().replace(second=0, microsecond=0)
        people = whole.people
        return CardLook(
            self.density,
            now,
            initials_of(people),
            self._cards.store.me,
            len(people) > 1,
            self._tutorial.ticked_ids(whole),
            self._cards.store.relations(),
            self._agents.progress(now),
        )
