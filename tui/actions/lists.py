"""Going to the lists around boards: labels, members, activity and the like."""

from collections.abc import Callable

from tui.actions.action import Action
from tui.actions.host import Host
from tui.client.capabilities import Feature
from tui.navigation import ListRequested


class ListsContext:
    """The board whose lists are shown; its id is None for those of the whole service."""

    def __init__(self, host: Host, board_id: Callable[[], int | None]) -> None:
        self.host = host
        self._board_id = board_id

    def go_to(self, name: str) -> None:
        """Ask for a list by the name of its module in `tui.screens.lists`."""
        self.host.post_message(ListRequested(name, self._board_id()))


class GoToList(Action[ListsContext]):
    """Shows a list."""

    def __init__(self, name: str, keys: str, label: str, needs: Feature | None = None) -> None:
        self.id, self.keys, self.label, self.needs = f"go.{name}", keys, label, needs
        self.name = name

    async def run(self, on: ListsContext) -> None:
        on.go_to(self.name)


_ACTIVITY = GoToList("activity", "g a", "Go to activity")
_WEBHOOKS = GoToList("webhooks", "g w", "Go to webhooks")
LISTS_OF_BOARD = (
    GoToList("labels", "g l", "Go to labels"),
    GoToList("custom_fields", "g c", "Go to custom fields", Feature.CUSTOM_FIELDS),
    GoToList("members", "g t", "Go to members"),
    _ACTIVITY,
    GoToList("insight", "g i", "Go to insight"),
    GoToList("archived_cards", "g x", "Go to archived cards"),
    _WEBHOOKS,
)
"""The lists of one board."""
LISTS_OF_SERVICE: tuple[GoToList, ...] = (
    GoToList("people", "g t", "Go to people"),
    _ACTIVITY,
    _WEBHOOKS,
)
"""The lists of the whole service, offered on the list of boards."""
LISTS = sorted(
    {
        "archived_stages",
        "my_work",
        "profiles",
        *(each.name for each in (*LISTS_OF_BOARD, *LISTS_OF_SERVICE)),
    }
)
"""The names of all lists."""
