"""The actions of a screen as the palette and the menu of a card list them, and their order."""

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import NamedTuple

from tui.dialogs.help_lines import group_of

ASKS = " …"
"""The end of the label of an action that opens a dialog."""
MENU = (
    (
        ("Open", "task.open", "mine.open", "card.open", "subtask.open"),
        ("Edit title", "task.edit-title", "subtask.rename"),
        ("Close", "task.close"),
    ),
    (
        ("Move", "task.move-to", "subtask.to-group"),
        ("Assign", "task.assign"),
        ("Due date", "task.due"),
        ("Labels", "task.labels"),
        ("Block", "task.block"),
    ),
    (
        ("Copy link", "task.copy-link"),
        ("Duplicate", "task.clone", "subtask.clone"),
    ),
    (
        ("Archive", "task.archive", "subtask.archive"),
        ("Delete", "task.delete", "subtask.delete", "standup.delete"),
    ),
)
"""The groups of the menu of a card: a word, and the ids of actions, of which the first that the
screen has is listed."""
_CARD, _STAGE, _VIEW, _GO, _PROGRAM = "Card", "Stage", "View", "Go to", "Program"
_LAST = _STAGE, _VIEW, _GO, _PROGRAM
_OF_PREFIX = {"stage": _STAGE, "column": _STAGE, "rows": _VIEW, "go": _GO, "app": _PROGRAM}
_OF_HELP = {"Marks": _CARD, "Move": _VIEW, "Always": _VIEW}
"""The headings for groups of the help; others keep their names."""
OWN_COMMAND = "own."
"""How the ids of the user's own commands begin."""
_IN_MENU = {
    name: place for place, (_, *ids) in enumerate(chain.from_iterable(MENU)) for name in ids
}


class Command(NamedTuple):
    """An action in the palette; `words` are others that it is found by.

    `reason` is why it is unavailable now, empty if it is available, and `short` the same in the few
    words there is room for beside it.
    """

    id: str
    label: str
    key: str = ""
    reason: str = ""
    short: str = ""
    words: str = ""


def heading_of(command_id: str) -> str:
    """What an action concerns, such as a card or the program."""
    prefix = command_id.partition(".")[0]
    if prefix in _OF_PREFIX:
        return _OF_PREFIX[prefix]
    group = group_of(command_id, ()).replace("-", " ")
    return _OF_HELP.get(group, group)


def distance_of(command_id: str) -> int:
    """How far what an action concerns is from the card at the cursor: 0 for the card itself."""
    heading = heading_of(command_id)
    if heading == _CARD:
        return 0
    return _LAST.index(heading) + 2 if heading in _LAST else 1


def by_concern(commands: Iterable[Command]) -> dict[str, Sequence[Command]]:
    """The actions by headings: what concerns the card first, as in its menu, the program last.

    What is unavailable comes last below its heading.
    """
    groups: dict[str, list[Command]] = {}
    for command in sorted(commands, key=lambda command: distance_of(command.id)):
        groups.setdefault(heading_of(command.id), []).append(command)
    for group in groups.values():
        group.sort(
            key=lambda command: (bool(command.reason), _IN_MENU.get(command.id, len(_IN_MENU)))
        )
    return {**groups}
