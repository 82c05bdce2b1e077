"""Going to the lists around boards: labels, members, activity and the like."""

from collections.abc import Callable

from tui.actions.action import action, declared_actions
from tui.actions.host import Host
from tui.client.capabilities import Feature
from tui.navigation import ListRequested


class ListsOfBoard:
    """Goes to the lists of a board; the arguments are the modules in `tui.screens.lists`."""

    def __init__(self, host: Host, board_id: Callable[[], int]) -> None:
        self._host = host
        self._board_id = board_id

    @action("go.labels", "g l", "Go to labels", arguments=("labels",))
    @action(
        "go.custom_fields",
        "g c",
        "Go to custom fields",
        needs=Feature.CUSTOM_FIELDS,
        arguments=("custom_fields",),
    )
    @action("go.members", "g t", "Go to members", arguments=("members",))
    @action("go.activity", "g a", "Go to activity", arguments=("activity",))
    @action("go.insight", "g i", "Go to insight", arguments=("insight",))
    @action("go.archived_cards", "g x", "Go to archived cards", arguments=("archived_cards",))
    @action("go.webhooks", "g w", "Go to webhooks", arguments=("webhooks",))
    def go(self, name: str) -> None:
        self._host.post_message(ListRequested(name, self._board_id()))


class ListsOfService:
    """Goes to the lists of the whole service, on the list of boards."""

    def __init__(self, host: Host) -> None:
        self._host = host

    @action("go.people", "g t", "Go to people", arguments=("people",))
    @action("go.activity", "g a", "Go to activity", arguments=("activity",))
    @action("go.webhooks", "g w", "Go to webhooks", arguments=("webhooks",))
    def go(self, name: str) -> None:
        self._host.post_message(ListRequested(name, None))


LISTS = sorted(
    {"archived_stages", "my_work", "profiles"}.union(
        str(each.arguments[0])
        for owner in (ListsOfBoard, ListsOfService)
        for _, each in declared_actions(owner)
    )
)
"""The names of all lists."""
