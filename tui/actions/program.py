"""Going to other screens: what every screen offers, and the lists of a board and of the service."""

from collections.abc import Callable

from textual.message import Message
from textual.widgets import Input

from tui.actions.action import Action, action, declared_actions
from tui.actions.host import Host
from tui.client.capabilities import Feature
from tui.config.stage_settings import with_own_settings
from tui.jumps import Place
from tui.model.find import Found, Thing
from tui.navigation import (
    BoardRequested,
    BoardsRequested,
    ListRequested,
    PendingRequested,
    PlaceRequested,
    SettingsRequested,
    StandupRequested,
    TaskRequested,
    ThreadRequested,
    ViewListRequested,
)
from tui.text.clean import quoted
from tui.text.keyed import keyed


class ProgramActions:
    """What works on every screen."""

    def __init__(self, host: Host) -> None:
        self._host = host

    @action("go.waiting", "g u", "Go to pending changes", words="offline sync conflict")
    def go_to_pending(self) -> None:
        self._host.post_message(PendingRequested())

    @action("go.standup", "g s", "Go to standup", arguments=(StandupRequested,))
    @action(
        "go.my-work",
        "g m",
        "Go to my work",
        words="mention answer",
        arguments=(ListRequested, "my_work", None),
    )
    @action(
        "go.inbox",
        "g o",
        "Go to inbox",
        words="notifications mention unread",
        arguments=(ListRequested, "inbox", None),
    )
    @action(
        "go.views",
        "g v",
        "Go to views",
        words="table filter query all boards",
        arguments=(ListRequested, "views", None),
    )
    @action("go.boards", "g b", "Go to boards", arguments=(BoardsRequested,))
    @action(
        "go.settings",
        "g comma",
        "Go to settings",
        words="theme dark light",
        arguments=(SettingsRequested,),
    )
    @action(
        "go.profiles",
        "g p",
        "Go to profiles",
        words="log in login log out logout account",
        arguments=(ListRequested, "profiles", None),
    )
    def go(self, request: Callable[..., Message], *values: object) -> None:
        self._host.post_message(request(*values))

    @action("go.next", "g n", "Go to next card", words="take pick work choose")
    async def go_to_next(self) -> None:
        from tui.model.work.next_card import next_card

        context, board_id = self._host.context, self._host.board_here
        ids = [board.id for board in context.store.boards() if board.archived_at is None]
        views = [
            with_own_settings(view, context.preferences)
            for own_id in (ids if board_id is None else [board_id])
            if (view := await context.store.load_board(own_id)) is not None
        ]
        found = next_card(views, context.store.me, context.now(), context.store.relations())
        if found.task is None:
            self._host.say(found.why)
        else:
            context.jumps.note(self._host.place_here)
            request = BoardRequested(found.task.board_id, found.task.id, f"next card: {found.why}")
            self._host.post_message(request)

    @action("go.jump-back", "ctrl+o", "Go back to where you were", words="return jump link")
    def go_back(self) -> None:
        host, store = self._host, self._host.context.store
        if isinstance(host.app.focused, Input):
            host.say("first end typing", hint="{input.cancel:esc} to cancel it")
            return
        boards = {board.id for board in store.boards()}

        def is_there(place: Place) -> bool:
            lowest = place[0]
            return not isinstance(lowest, BoardRequested) or lowest.board_id in boards

        place = host.context.jumps.back(host.place_here, is_there)
        if place is None:
            hint = "first follow a link, {go.blocker:g e} or {go.find:g f}"
            host.say("nowhere to go back to", hint=hint)
        else:
            host.app.post_message(PlaceRequested(place))  # the screen may be closed on the way

    @action(
        "app.tour",
        "",
        "Show the tour",
        changes_more=True,
        needs=Feature.BOARD_CREATION,
        asks=True,
    )
    async def show_tour(self) -> None:
        from tui.dialogs.questions import ConfirmDialog
        from tui.tour import TITLE, make_tour

        text = keyed(
            "Its cards teach the keys. Your other boards are unchanged; {go.boards:g b} to list it,"
            " {boards.archive:A} to archive it."
        )
        if await self._host.ask(ConfirmDialog(f"Create a new board “{TITLE}”?", text)):
            store = self._host.context.store
            board_id = await make_tour(await store.service())
            await store.refresh()
            self._host.post_message(BoardRequested(board_id))


async def go_to(result: Found, host: Host) -> None:
    """Open a board, or a task or its comments: on top of its board, or of what is on top of one.

    So Esc goes back to a list or a standup. The application is asked, because the screen in front
    may be closed on the way.
    """
    host.context.jumps.note(host.place_here)
    if result.thing is Thing.BOARD:
        archived = BoardsRequested(
            f"{quoted(result.title)} is archived",
            "{boards.archived:t} to list archived boards, {boards.archive:A} to restore one",
        )
        host.app.post_message(archived if result.is_archived else BoardRequested(result.id))
        return
    if len(host.app.screen_stack) == 1:
        card_id = result.id if result.thing is Thing.CARD else result.task_id
        host.app.post_message(BoardRequested(result.board_id, card_id))
    else:
        await host.context.store.load_board(result.board_id)
    if result.thing is Thing.COMMENT:
        host.app.post_message(ThreadRequested(result.board_id, result.task_id, result.id))
    else:
        parent_id = result.task_id or None
        host.app.post_message(TaskRequested(result.board_id, result.id, parent_id))


def _list(module: str, keys: str, words: str = "", *, needs: Feature | None = None) -> Action:
    # The module in `tui.screens.lists`, which gives the list its id and its label.
    label = f"Go to {module.replace('_', ' ')}"
    return action(
        f"go.{module}", keys, label, words=words, needs=needs, asks=True, arguments=(module,)
    )


class ListsOfBoard:
    """Goes to the lists of the board that is shown, or that the user chooses."""

    def __init__(self, host: Host) -> None:
        self._host = host

    @_list("labels", "g l", "tag")
    @_list("custom_fields", "g c", needs=Feature.CUSTOM_FIELDS)
    @_list("members", "g t", "invite people team assignee")
    @_list("activity", "g a", "history log")
    @_list("insight", "g i", "statistics chart report")
    @_list("timeline", "g d", "agenda gantt calendar schedule dates")
    @_list("archived_cards", "g x", "restore")
    @_list("webhooks", "g w", needs=Feature.WEBHOOKS)
    async def go(self, name: str) -> None:
        view = self._host.view_here
        if view is not None and name in OF_VIEWS:
            self._host.post_message(ViewListRequested(OF_VIEWS[name], view))
            return
        board_id = self._host.board_here or await self._ask_board(name.replace("_", " "))
        if board_id is not None:
            self._host.post_message(ListRequested(name, board_id))

    async def _ask_board(self, list_name: str) -> int | None:
        from tui.dialogs.pick.find import Choice, Pick

        boards = self._host.context.store.boards()
        choices = [Choice(board.id, board.title) for board in boards if board.archived_at is None]
        if not choices:
            self._host.say("no boards yet", hint="{go.boards:g b} to add one")
            return None
        return await self._host.ask(Pick(f"{list_name.capitalize()} of which board?", choices))


class ListsOfService:
    """Goes to the lists of the whole service, on the list of boards."""

    def __init__(self, host: Host) -> None:
        self._host = host

    @_list("people", "g t", "invite members team")
    @_list("activity", "g a", "history log")
    @_list("webhooks", "g w", needs=Feature.WEBHOOKS)
    def go(self, name: str) -> None:
        self._host.post_message(ListRequested(name, None))


OF_VIEWS = {"insight": "insight", "timeline": "timeline"}
"""The lists that a view has too, each with its module in `tui.screens.view_lists`."""

LISTS = sorted(
    {"archived_stages", "forecast", "inbox", "my_work", "profiles", "views"}.union(
        str(declaration.arguments[0])
        for owner in (ListsOfBoard, ListsOfService)
        for _, declaration in declared_actions(owner)
    )
)
"""The names of all lists."""
