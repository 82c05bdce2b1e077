"""Actions that every screen offers: to go to another screen, or to something found."""

from tui.actions.action import action
from tui.actions.host import Host
from tui.model.find import Found, Thing
from tui.navigation import (
    BoardRequested,
    BoardsRequested,
    ListRequested,
    PendingRequested,
    SettingsRequested,
    StandupRequested,
    TaskRequested,
    ThreadRequested,
)
from tui.text.clean import quoted
from tui.text.keyed import keyed


class ProgramActions:
    """What works on every screen."""

    def __init__(self, host: Host) -> None:
        self._host = host

    @action("go.waiting", "g u", "Go to pending changes")
    def show_pending(self) -> None:
        self._host.post_message(PendingRequested())

    @action("go.find", "g f", "Find anywhere", asks=True)
    async def find(self) -> None:
        from tui.dialogs.palette import FindAnywhereDialog

        found = await self._host.ask(FindAnywhereDialog(self._host.context))
        if isinstance(found, Found):
            await go_to(found, self._host)

    @action("go.standup", "g s", "Go to standup")
    def show_standup(self) -> None:
        self._host.post_message(StandupRequested())

    @action("go.my-work", "g m", "Go to my work")
    def show_my_work(self) -> None:
        self._host.post_message(ListRequested("my_work", None))

    @action("go.settings", "g comma", "Go to settings")
    def show_settings(self) -> None:
        self._host.post_message(SettingsRequested())

    @action("go.profiles", "g p", "Go to profiles")
    def show_profiles(self) -> None:
        self._host.post_message(ListRequested("profiles", None))

    @action("app.tour", "", "Show the tour", asks=True, changes_more=True)
    async def show_tour(self) -> None:
        from tui.dialogs.questions import ConfirmDialog
        from tui.tour import TITLE, make_tour

        text = keyed(
            "Its cards teach the keys. No other board is changed; {go.boards:g b} lists it,"
            " {boards.archive:A} archives it."
        )
        if await self._host.ask(ConfirmDialog(f"Make a new board “{TITLE}”?", text)):
            store = self._host.context.store
            board_id = await make_tour(await store.service())
            await store.refresh()
            self._host.post_message(BoardRequested(board_id))


async def go_to(found: Found, on: Host) -> None:
    """Open a board, or a task or its comments: on top of its board, or of what is on top of one.

    So Esc goes back to a list or a standup. The application is asked, because the screen in front
    may be closed on the way.
    """
    if found.thing is Thing.BOARD:
        said = f"{quoted(found.title)} is archived"
        archived = BoardsRequested(
            said,
            "{boards.archived:t} lists archived boards, {boards.archive:A} restores one",
        )
        on.app.post_message(archived if found.is_archived else BoardRequested(found.id))
        return
    if len(on.app.screen_stack) == 1:
        card_id = found.id if found.thing is Thing.CARD else found.task_id
        on.app.post_message(BoardRequested(found.board_id, card_id))
    else:
        await on.context.store.load_board(found.board_id)
    if found.thing is Thing.COMMENT:
        on.app.post_message(ThreadRequested(found.board_id, found.task_id, found.id))
    else:
        parent_id = found.task_id or None
        on.app.post_message(TaskRequested(found.board_id, found.id, parent_id))
