"""A user's own settings of the stages of a board, for which services have no field."""

from collections.abc import Mapping

from tui.config.preferences import Preferences
from tui.model.board import BoardView, StageKind

LIMITS, KINDS = "limits", "stage-kinds"
"""The names of the card limits of a board's stages, and of their kinds."""


def card_limits(preferences: Preferences, board_id: int) -> Mapping[int, int]:
    """The card limits of stages, by id."""
    return preferences.numbers_by_id(board_id, LIMITS)


def chosen_kinds(preferences: Preferences, board_id: int) -> Mapping[int, StageKind]:
    """The kinds of stages that were chosen, by id."""
    texts = preferences.texts_by_name(board_id, KINDS)
    return {
        int(key): StageKind(kind)
        for key, kind in texts.items()
        if key.removeprefix("-").isdecimal() and kind in set(StageKind)
    }


def with_own_settings(view: BoardView, preferences: Preferences) -> BoardView:
    """The view with the user's settings of its stages; itself if there are none."""
    board_id = view.board.id
    return view.with_own(card_limits(preferences, board_id), chosen_kinds(preferences, board_id))
