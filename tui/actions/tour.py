"""The action that makes the tutorial board again."""

from tui.actions.action import Action
from tui.actions.host import ErrorsSaid, Host
from tui.navigation import BoardRequested


class ShowTour(Action[Host]):
    """Makes the board that teaches the keys again, beside the others, and opens it."""

    id, label = "app.tour", "Show the tour"
    asks = True
    changes_more = True

    async def run(self, on: Host) -> None:
        from tui.dialogs.confirm import ConfirmDialog
        from tui.tour import TITLE, make_tour

        text = "Its cards teach the keys. No other board is changed; g b lists it, A archives it."
        if not await on.ask(ConfirmDialog(f"Make a new board “{TITLE}”?", text)):
            return
        with ErrorsSaid(on):
            store = on.context.store
            board_id = await make_tour(await store.service())
            await store.refresh()
            on.post_message(BoardRequested(board_id))
