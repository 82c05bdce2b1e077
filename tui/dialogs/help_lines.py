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
    ("Pending changes", re.compile(r"waiting\..*")),
)
"""Groups by what one wants to do, with the ids of their actions; the first that matches holds."""
_FIRST, _LAST = ("Move", "View"), ("Always",)
"""The groups right below those of the screen itself, and the last one; chords are between them, in
the order of `_CHORDS`."""
_SHORT: Sequence[Mapping[str, str]] = (
    {"cursor.left": "cursor", "cursor.down": "", "cursor.up": "", "cursor.right": ""},
    {"rows.next": "next", "rows.before": "previous row"},
    {"cursor.first": "first", "cursor.last": "last card"},
    {"rows.first": "first", "rows.last": "last row"},
    {"rows.group-before": "previous", "rows.group-after": "next group"},
    {"cursor.first-column": "first", "cursor.last-column": "last stage"},
    {"cursor.column-1": "stage by number"},
    {"cursor.previous-news": "updates by others", "cursor.next-news": ""},
    {"task.scroll-down": "scroll down", "task.scroll-up": "up"},
    {"task.part": "next", "task.part-before": "previous section"},
    {"task.part-text": "section by number", "task.part-subtasks": "", "task.part-comments": "",
     "task.part-fields": ""},
    {"task.previous": "previous", "task.next": "next card"},
    {"boards.folders-pane": "to folders", "boards.boards-pane": "boards"},
    {"task.lift": "lift, carry, drop"},
    {"task.move-left": "move one step", "task.move-down": "", "task.move-up": "",
     "task.move-right": ""},
    {"subtask.move-down": "move one step", "subtask.move-up": ""},
    {"card.previous": "previous", "card.next": "next stage"},
    {"task.new": "new", "task.new-form": "with all fields"},
    {"task.start": "start", "task.due": "due date"},
    {"task.assign": "assign people", "task.assign-me": "me"},
    {"task.block": "block with a reason"},
    {"task.comment": "comment", "task.thread": "comments"},
    {"task.move-to": "move to", "task.clone": "clone"},
    {"task.archive": "archive", "task.delete": "delete"},
    {"task.links": "web page or link"},
    {"task.empty-fields": "empty fields"},
    {"task.mark": "mark", "task.mark-range": "mark a range"},
    {"board.filter": "filter: type", "board.pick-filter": "pick"},
    {"board.filter-mine": "only my cards"},
    {"board.density": "lines of a card"},
    {"column.collapse": "fold", "column.zoom": "show alone"},
    {"board.swimlanes": "swimlanes", "column.fold-lane": "fold one"},
    {"board.undo": "undo", "board.redo": "redo"},
    {"board.back": "cancel, clear marks"},
    {"list.back": "cancel, go back"},
    {"app.palette": "any action by name"},
    {"go.boards": "boards", "go.find": "find", "go.my-work": "my work"},
    {"go.standup": "standup", "go.insight": "insight", "go.activity": "log"},
    {"go.people": "people"},
    {"go.labels": "labels", "go.members": "members", "go.custom_fields": "fields"},
    {"go.waiting": "pending", "go.archived_cards": "archived"},
    {"go.profiles": "profiles", "go.settings": "settings"},
    {"task.copy-title": "title", "task.copy-link": "link", "task.copy-branch": "branch"},
    {"stage.new-right": "new right", "stage.new-left": "left"},
    {"stage.rename": "name", "stage.edit": "settings", "stage.color": "colour"},
    {"stage.lift": "move", "stage.sort": "sort its cards"},
    {"stage.archive": "archive", "stage.archive-cards": "its cards"},
    {"stage.archived": "archived stages"},
    {"go.webhooks": "webhooks"},
    {"folders.new": "new", "folders.rename": "name", "folders.delete": "delete"},
    {"folders.put": "put board in", "folders.take-out": "out"},
    {"boards.rename": "title and description"},
    {"boards.archived": "archived boards"},
    {"boards.archive": "archive or restore"},
    {"boards.type": "to-do boards, roadmaps"},
    {"boards.other-pane": "folders or boards"},
    {"standup.lens": "by board or by person"},
    {"standup.previous-speaker": "previous", "standup.next-speaker": "next speaker"},
    {"standup.copy": "copy as Markdown", "standup.copy-plain": "text"},
    {"standup.earlier": "a day earlier", "standup.later": "later"},
    {"standup.topic": "add parked topic"},
)  # fmt: skip
"""Words for lines of the help, by the ids of their actions: several that belong together have one
line, if more than one of them is there."""


class KeyLine(NamedTuple):
    """An action with all its keys, or several actions of a family."""

    keys: tuple[str, ...]
    text: str
    group: str
    searched: str


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
    together = {name: short for short in _SHORT for name in short}
    lines: dict[str, KeyLine] = {}
    for name, label in labels.items():
        short = together.get(name, {})
        names = [part for part in short if part in keys]
        text = ", ".join(filter(None, (short[part] for part in names)))
        if not text or (len(names) == 1 < len(short)):  # while typing, parts of a line are missing
            names, text = [name], label[:1].lower() + label[1:]
        shown = keys[name] if len(names) == 1 else [_main_key(keys[part]) for part in names]
        searched = " ".join(
            word
            for part in names
            for word in (labels[part], *keys[part], part.partition(".")[2], words.get(part, ""))
        )
        line = KeyLine(tuple(shown), text, group_of(name, shown), searched)
        lines.setdefault(names[0], line)
    groups = list(dict.fromkeys(line.group for line in lines.values()))
    groups.sort(
        key=lambda group: (
            group in _LAST,
            _chord_place(group),
            _FIRST.index(group) + 1 if group in _FIRST else 0,
        )
    )
    order = {name: place for place, name in enumerate(together)}
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


def _main_key(keys: Sequence[str]) -> str:
    # The one that has a place in the group of its chord, else the shortest.
    return min(keys, key=lambda key: (not key.startswith("g "), len(key)))
