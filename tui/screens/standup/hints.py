"""Which keys of a standup come first in the footer, with the words for them now."""

from collections.abc import Sequence

from tui.model.standup.writing import Lens
from tui.screens.keys import Hints
from tui.screens.standup.rows import EVERYTHING, StandupTurn
from tui.screens.standup.state import Speakers

_ON_CARDS: Hints = {"card.open": "open", "task.close": "close"}
_OF_LENSES: dict[Lens, Hints] = {
    Lens.WALK: {
        **_ON_CARDS,
        "standup.lens": "by person",
        "standup.topic": "park",
        "standup.copy": "copy",
        "standup.boards": "boards",
        "standup.next-speaker": "speaker",
        "board.undo": "undo",
    },
    Lens.BY_PERSON: {
        "standup.next-speaker": "first speaker",
        **_ON_CARDS,
        "standup.lens": "by board",
        "standup.shuffle": "shuffle",
        "standup.timer": "timer",
        "standup.topic": "park",
        "standup.copy": "copy",
    },
}


def first_hints(lens: Lens, speakers: Speakers, turns: Sequence[StandupTurn]) -> Hints:
    """The hints of the lens; during a turn, first the next and the previous speaker."""
    if speakers.present == EVERYTHING:
        return _OF_LENSES[lens]
    return {
        "standup.next-speaker": speakers.after(turns, 1).short or "all",
        "standup.previous-speaker": speakers.after(turns, -1).short or "all",
        "standup.timer": "stop timer" if speakers.is_timed else "timer",
        **_ON_CARDS,
        "standup.topic": "park",
        "list.back": "all",
    }
