"""The keys of a board's filter."""

from tui.actions.old import Action, Do
from tui.screens.board.filtering import Filtering


class PickFilter(Action[Filtering]):
    """Asks for saved filters, labels, people and other values to filter by."""

    id, keys, label = "board.pick-filter", "f", "Filter by picked values, save filters"
    asks = True

    async def run(self, on: Filtering) -> None:
        from tui.screens.board.filter_picking import pick_filter

        await pick_filter(on)


class FilterMine(Action[Filtering]):
    """Shows only the user's cards, or no longer only these."""

    id, keys, label = "board.filter-mine", "M", "Show only my cards, or all"

    async def run(self, on: Filtering) -> None:
        from tui.model.query.terms import Kind, Special, Term

        mine = Term(Kind.PERSON, Special.ME)
        is_on = mine in on.query.terms
        if on.tasks.me is None and not is_on:
            on.tasks.say("you are not a member of this board, so no card is yours")
            return
        on.put((mine,), () if is_on else (mine,))
        shown, count = on.counts
        what = f"the filter shows {shown} of {count} cards" if on.words else "showing all cards"
        on.tasks.say(what, hint="{board.back:esc} clears it" if on.words else "")


FILTER_ACTIONS: tuple[Action[Filtering], ...] = (
    Do("board.filter", "slash", "Filter cards", Filtering.begin, hint="filter", while_moving=True),
    PickFilter(),
    FilterMine(),
)
