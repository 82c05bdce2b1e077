"""Going to the lists around boards: labels, members, activity and the like."""

from collections.abc import Callable
from typing import NamedTuple

from tui.actions.action import action
from tui.actions.host import Host
from tui.actions.old import Action
from tui.client.capabilities import Feature
from tui.navigation import ListRequested


class ListsContext(NamedTuple):
    """The board whose lists are shown; its id is None for those of the whole service."""

    host: Host
    board_id: Callable[[], int | None]


class GoToList(Action[ListsContext]):
    """Shows a list, by the name of its module in `tui.screens.lists`."""

    def __init__(self, name: str, keys: str, label: str, needs: Feature | None = None) -> None:
        self.id, self.keys, self.label, self.needs = f"go.{name}", keys, label, needs
        self.name = name

    async def run(self, on: ListsContext) -> None:
        on.host.post_message(ListRequested(self.name, on.board_id()))


LISTS_OF_BOARD = (
    GoToList("labels", "g l", "Go to labels"),
    GoToList("custom_fields", "g c", "Go to custom fields", Feature.CUSTOM_FIELDS),
    GoToList("members", "g t", "Go to members"),
    GoToList("activity", "g a", "Go to activity"),
    GoToList("insight", "g i", "Go to insight"),
    GoToList("archived_cards", "g x", "Go to archived cards"),
    GoToList("webhooks", "g w", "Go to webhooks"),
)
"""The lists of one board."""


class ListsOfService:
    """Going to the lists of the whole service, offered on the list of boards."""

    def __init__(self, host: Host) -> None:
        self._host = host

    @action("go.people", "g t", "Go to people", arguments=("people",))
    @action("go.activity", "g a", "Go to activity", arguments=("activity",))
    @action("go.webhooks", "g w", "Go to webhooks", arguments=("webhooks",))
    def show(self, name: str) -> None:
        self._host.post_message(ListRequested(name, None))


LISTS = sorted(
    {
        "archived_stages",
        "my_work",
        "people",
        "profiles",
        *(each.name for each in LISTS_OF_BOARD),
    }
)
"""The names of all lists."""
