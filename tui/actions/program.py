"""Actions that every screen offers: to go to another screen, or to something found."""

from tui.actions.action import Action, Do
from tui.actions.host import ErrorsSaid, Host
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


class FindAnywhere(Action[Host]):
    """Asks for a board, card, comment or person, and goes there."""

    id, keys, label, asks = "go.find", "g f", "Find anywhere", True

    async def run(self, on: Host) -> None:
        from tui.dialogs.found import FindAnywhereDialog, Finder

        found = await on.ask(FindAnywhereDialog(Finder(on.context)))
        if found is not None:
            await go_to(found, on)


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


class ShowTour(Action[Host]):
    """Makes the board that teaches the keys again, beside the others, and opens it."""

    id, label = "app.tour", "Show the tour"
    asks = True
    changes_more = True

    async def run(self, on: Host) -> None:
        from tui.dialogs.confirm import ConfirmDialog
        from tui.tour import TITLE, make_tour

        text = keyed(
            "Its cards teach the keys. No other board is changed; {go.boards:g b} lists it,"
            " {boards.archive:A} archives it."
        )
        if not await on.ask(ConfirmDialog(f"Make a new board “{TITLE}”?", text)):
            return
        with ErrorsSaid(on):
            store = on.context.store
            board_id = await make_tour(await store.service())
            await store.refresh()
            on.post_message(BoardRequested(board_id))


def to_my_work(hint: str = "") -> Action[Host]:
    """The action that shows the user's cards on all boards."""
    return Do(
        "go.my-work",
        "g m",
        "Go to my work",
        lambda on: on.post_message(ListRequested("my_work", None)),
        hint=hint,
    )


PROGRAM_ACTIONS: tuple[Action[Host], ...] = (
    Do(
        "go.waiting", "g u", "Go to pending changes", lambda on: on.post_message(PendingRequested())
    ),
    FindAnywhere(),
    Do("go.standup", "g s", "Go to standup", lambda on: on.post_message(StandupRequested())),
    to_my_work(),
    Do("go.settings", "g comma", "Go to settings", lambda on: on.post_message(SettingsRequested())),
    Do(
        "go.profiles",
        "g p",
        "Go to profiles",
        lambda on: on.post_message(ListRequested("profiles", None)),
    ),
    ShowTour(),
)
