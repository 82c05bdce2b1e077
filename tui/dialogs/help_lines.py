"""The lines of the help: the keys of a screen in groups, by what one wants to do."""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from textual.binding import ActiveBinding

from tui.widgets.bars import key_name

_CHORDS = (("stage.", "Stage"), ("folders.", "Folder"), ("go.", "Go"), ("task.copy", "Copy"))
_GROUPS = (
    ("Marks", re.compile(r"(task|subtask|rows)\.mark.*")),
    ("Always", re.compile(r"board\.(undo|redo|refresh|back)|(app|go)\..*|list\.(refresh|back)")),
    (
        "Move",
        re.compile(
            r"(cursor|rows|preview)\.(?!open|lift).*|\w+\.back|boards\..*-pane"
            r"|(list|task|thread|subtask|field|activity|folders)\.(cursor|first|last|top|next|previous"
            r"|before|unread|page|part|scroll|up|down|group-(before|after)).*"
        ),
    ),
    ("Card", re.compile(r"(task|card|mine)\..*")),
    ("View", re.compile(r"(board|column|list|thread)\..*")),
    ("Own commands", re.compile(r"own\..*")),
    ("Pending changes", re.compile(r"waiting\..*")),
)
"""Groups by what one wants to do, with the ids of their actions; the first that matches holds."""
_FIRST, _LAST = ("Move", "View"), ("Always",)
"""The groups right below those of the screen itself, and the last one; chords are between them, in
the order of `_CHORDS`."""
_SHORT: Mapping[str, str] = {
    "cursor.left": "stage on the left",
    "cursor.right": "stage on the right",
    "cursor.first-column": "first stage",
    "cursor.last-column": "last stage",
    "cursor.column-1": "stage by number",
    "cursor.previous-news": "previous update",
    "cursor.next-news": "next update by others",
    "task.lift": "lift, carry, drop card",
    "task.mark-range": "mark a range",
    "task.links": "open web page or link",
    "task.new": "new card",
    "task.new-form": "new with all fields",
    "task.block": "block by a card",
    "task.empty-fields": "empty fields",
    "board.pick-filter": "filter by picking",
    "board.filter-mine": "only my cards",
    "board.density": "lines per card",
    "board.swimlanes": "swimlanes",
    "board.back": "cancel, clear marks",
    "column.collapse": "fold stage",
    "column.zoom": "show stage alone",
    "column.fold-lane": "fold swimlane",
    "list.back": "cancel, go back",
    "app.palette": "any action by name",
    "go.boards": "boards",
    "go.find": "find",
    "go.next": "next card to take",
    "go.blocker": "blocker",
    "go.jump-back": "back to where you were",
    "go.my-work": "my work",
    "go.inbox": "inbox",
    "go.views": "views",
    "go.standup": "standup",
    "go.timeline": "timeline",
    "go.insight": "insight",
    "go.activity": "activity",
    "go.people": "people",
    "go.labels": "labels",
    "go.members": "members",
    "go.custom_fields": "custom fields",
    "go.waiting": "pending changes",
    "go.archived_cards": "archived cards",
    "go.profiles": "profiles",
    "go.settings": "settings",
    "go.webhooks": "webhooks",
    "task.copy-title": "number and title",
    "task.copy-link": "link",
    "task.copy-branch": "name of git branch",
    "stage.new-right": "new on the right",
    "stage.new-left": "new on the left",
    "stage.rename": "rename",
    "stage.edit": "edit",
    "stage.color": "set colour",
    "stage.lift": "move",
    "stage.sort": "sort cards",
    "stage.archive": "archive",
    "stage.archive-cards": "archive its cards",
    "stage.archived": "archived stages",
    "folders.new": "new",
    "folders.rename": "rename",
    "folders.delete": "delete",
    "folders.put": "put board in",
    "folders.take-out": "take board out",
    "boards.rename": "title and description",
    "boards.archived": "archived boards",
    "boards.archive": "archive or restore",
    "boards.type": "to-do boards, roadmaps",
    "boards.other-pane": "folders or boards",
    "standup.lens": "by board or by person",
    "standup.copy": "copy as Markdown",
    "standup.copy-plain": "copy as text",
    "standup.earlier": "a day earlier",
    "standup.later": "a day later",
    "standup.topic": "add parked topic",
}
"""Words for lines of the help that have little room, by the ids of their actions. Those below the
heading of a chord stand in the order of use."""


class KeyLine(NamedTuple):
    """An action with its keys; digits that go to different places have no `action_id`."""

    keys: tuple[str, ...]
    text: str
    group: str
    searched: str
    action_id: str = ""


def group_of(binding_id: str, keys: Sequence[str]) -> str:
    """The group of an action in the help, where chords are groups of their own."""
    group = next((group for group, ids in _GROUPS if ids.fullmatch(binding_id)), "")
    if group != "Move" and keys and all(" " in key.strip() for key in keys):
        word = next((word for begin, word in _CHORDS if binding_id.startswith(begin)), "")
        return f"{word}: {keys[0].split()[0]} then" if word else group or "Chords"
    return group or binding_id.partition(".")[0].replace("_", " ").capitalize()


def key_lines(bindings: Mapping[str, ActiveBinding], words: Mapping[str, str]) -> list[KeyLine]:
    """Actions with their keys by group: first what is special to the screen.

    Each is found by its label, by its keys, by its name and by its `words`.
    """
    keys: dict[str, list[str]] = {}
    labels: dict[str, str] = {}
    first: dict[str, str] = {}
    for key, active in bindings.items():
        if active.binding.id and not active.binding.system:
            label = active.tooltip or active.binding.description
            # Actions with the same label share a line, as do all keys of one action.
            name = first.setdefault(label, active.binding.id)
            keys.setdefault(name, []).append(key_name(key))
            labels[name] = label
    lines: dict[str, KeyLine] = {}
    for name, label in labels.items():
        shown, text = keys[name], _SHORT.get(name, label[:1].lower() + label[1:])
        searched = " ".join((label, *shown, name.partition(".")[2], words.get(name, "")))
        # Several digits do several things, so none of them can be run from here.
        is_range = len([key for key in shown if key.isdecimal()]) > 1
        group, runs = group_of(name, shown), "" if is_range else name
        lines[name] = KeyLine(tuple(shown), text, group, searched, runs)
    groups = list(dict.fromkeys(line.group for line in lines.values()))
    groups.sort(
        key=lambda group: (
            group in _LAST,
            _chord_place(group),
            _FIRST.index(group) + 1 if group in _FIRST else 0,
        )
    )
    order = {name: place for place, name in enumerate(_SHORT)}
    first_names = sorted(
        lines,
        key=lambda name: (
            groups.index(lines[name].group),
            order.get(name, len(order)) if ": " in lines[name].group else 0,
        ),
    )
    return [lines[name] for name in first_names]


def _chord_place(group: str) -> int:
    # Groups that are no chord come first.
    words = [word for _, word in _CHORDS]
    return words.index(group.partition(": ")[0]) + 1 if ": " in group else 0
