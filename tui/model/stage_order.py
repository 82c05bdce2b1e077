"""The moves that bring stages, or whatever has ids, from one order into another."""

from collections.abc import Sequence

from tui.model.board import Place


def moves_to(present: Sequence[int], wanted: Sequence[int]) -> list[tuple[int, Place]]:
    """The moves that bring one order to the other, each to a place among those before it.

    One that went far is one move, whichever way it went.
    """
    order = [one for one in present if one in wanted]
    moves: list[tuple[int, Place]] = []
    while order != list(wanted):
        at = next(i for i, one in enumerate(wanted) if order[i] != one)
        goes_far = order[at]
        far = wanted.index(goes_far)
        lonely = order[:at] + order[at + 1 :]
        lonely.insert(far, goes_far)
        if lonely[at] == wanted[at] and far > at + 1:
            moving, order = goes_far, lonely
        else:
            moving = wanted[at]
            order.remove(moving)
            order.insert(at, moving)
        index = order.index(moving)
        above = order[index - 1] if index else None
        below = order[index + 1] if index + 1 < len(order) else None
        moves.append((moving, Place(above, below)))
    return moves
