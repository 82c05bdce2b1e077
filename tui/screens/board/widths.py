"""Which columns of a board are shown in the room there is, and how wide they are."""

from collections.abc import Mapping, Sequence

from tui.screens.board.column import COLLAPSED_WIDTH

LEAST_WIDTH = 22
"""The least width of a column, unless it is shown alone."""


def columns_in_view(widths: Sequence[int], room: int, first: int, over: int) -> range:
    """The columns to show: as many as fit into `room`, from `first` on unless that hides `over`.

    `widths` are the least widths of all columns.
    """
    first, end = min(first, over), over + 1
    while first < over and sum(widths[first:end]) > room:
        first += 1
    while end < len(widths) and sum(widths[first : end + 1]) <= room:
        end += 1
    while first > 0 and sum(widths[first - 1 : end]) <= room:
        first -= 1
    return range(first, end)


def shares(room: int, view: range, folded: Sequence[bool]) -> Mapping[int, int | None]:
    """The widths of the columns in view; None divides the room evenly.

    If not all are in view, the widths are fixed, so that scrolling does not change them: a column
    whose width changes is drawn twice.
    """
    unfolded = [index for index, is_folded in enumerate(folded) if not is_folded]
    count = sum(index in view for index in unfolded)
    if count == len(unfolded):
        return dict.fromkeys(view)
    room -= COLLAPSED_WIDTH * (len(view) - count)
    widths: dict[int, int | None] = dict.fromkeys(view)
    for index in unfolded:
        if index in view:
            nth = unfolded.index(index) % count
            widths[index] = room * (nth + 1) // count - room * nth // count
    return widths
