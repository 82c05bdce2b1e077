"""Activities of a board as the service recorded them, as sentences and by day.

A sentence begins with the person. An unknown action is shown in the service's words, and a sentence
with a missing value is not used.
"""

from collections.abc import Iterable
from datetime import date, datetime, timedelta
from string import Formatter

from tui.model.people import Account
from tui.model.task import Person
from tui.record import record
from tui.text.dates import day_in_words, local, stamp_in_words

SOMEBODY = "Someone"
NO_DAY = "Some time ago"

_VERBS = {"updated": "changed", "set": "changed", "create": "created", "delete": "deleted"}

_SENTENCES: dict[tuple[str, str], tuple[str, ...]] = {
    ("created", "task"): ("created it in {about}", "created it"),
    ("deleted", "task"): ("deleted it",),
    ("archived", "task"): ("archived it",),
    ("restored", "task"): ("restored it",),
    ("moved", "stage"): ("moved it from {old} to {new}", "moved it to {new}", "moved it"),
    ("changed", "stage"): ("moved it from {old} to {new}", "moved it to {new}", "moved it"),
    ("moved", "position"): ("moved it up or down",),
    ("moved", "task"): ("moved it to the board {new}", "moved it to another board"),
    ("moved", "subtask group"): ("moved it from {old} to {new}", "moved it to {new}"),
    ("converted", "task"): ("converted it to a subtask of “{new}”", "converted it to a subtask"),
    ("converted", "subtask"): ("converted it to a card in {new}", "converted it to a card"),
    ("created", "subtask"): ("added the subtask “{new}”", "added a subtask"),
    ("added", "subtask"): ("converted “{new}” to a subtask of it", "added a subtask"),
    ("removed", "subtask"): (
        "converted the subtask “{old}” to a card",
        "converted a subtask to a card",
    ),
    ("deleted", "subtask"): ("deleted the subtask “{old}”", "deleted a subtask"),
    ("created", "subtask group"): ("added the group “{new}”", "added a group"),
    ("changed", "subtask group"): ("renamed the group “{old}” to “{new}”", "renamed a group"),
    ("deleted", "subtask group"): (
        "deleted the group “{old}” {about}",
        "deleted the group “{old}”",
        "deleted a group",
    ),
    ("added", "assignee"): ("assigned {new}", "assigned someone"),
    ("removed", "assignee"): ("unassigned {old}", "unassigned someone"),
    ("deleted", "assignee"): ("unassigned {old}", "unassigned someone"),
    ("joined", "task"): ("joined it",),
    ("joined", "assignee"): ("joined it",),
    ("added", "comment"): ("commented: {new}", "commented"),
    ("created", "comment"): ("commented: {new}", "commented"),
    ("changed", "comment"): ("changed a comment to: {new}", "changed a comment"),
    ("deleted", "comment"): ("deleted a comment: {old}", "deleted a comment"),
    ("added", "reply"): ("replied: {new}", "replied"),
    ("created", "reply"): ("replied: {new}", "replied"),
    ("changed", "reply"): ("changed a reply to: {new}", "changed a reply"),
    ("deleted", "reply"): ("deleted a reply: {old}", "deleted a reply"),
    ("added", "label"): ("added the label {new}", "added a label"),
    ("removed", "label"): ("removed the label {old}", "removed a label"),
    ("changed", "title"): ("renamed it from “{old}” to “{new}”", "renamed it to “{new}”"),
    ("changed", "description"): ("changed the description",),
    ("changed", "priority"): ("set the priority from {old} to {new}", "set the priority to {new}"),
    ("changed", "due date"): ("set the due date to {new}", "removed the due date {old}"),
    ("changed", "start date"): ("set the start date to {new}", "removed the start date {old}"),
    ("changed", "reminder"): ("set the reminder: {new}", "removed the reminder"),
    ("changed", "completion"): ("set when it was completed to {new}", "removed its completion"),
    ("changed", "settings"): ("changed the cover",),
    ("changed", "contact"): ("linked it to contact #{new}", "unlinked contact #{old}"),
    ("changed", "custom field"): (
        "set {about} from {old} to {new}",
        "set {about} to {new}",
        "cleared {about}, which was {old}",
        "cleared {about}",
    ),
}
"""Sentences for each action on a task; the first one whose values are all known is used."""

_ON_BOARD: dict[tuple[str, str], tuple[str, ...]] = {
    ("changed", "title"): ("renamed the board to “{new}”",),
    ("changed", "description"): ("changed the description of the board",),
    ("changed", "role"): ("changed the role of {about} from {old} to {new}", "changed a role"),
    ("changed", "custom field options"): ("changed the options of “{about}”",),
    ("changed", "custom field type"): ("changed the type of “{about}” from {old} to {new}",),
    ("changed", "stage colour"): ("changed the colour of the stage “{about}”",),
    ("changed", "settings"): ("changed the settings of the board",),
    ("changed", "stage settings"): ("changed the settings of the stage “{new}”",),
    ("moved", "task"): ("moved “{old}” to the board {new}", "moved a card to another board"),
    ("moved", "stages"): ("moved the stages: {new}", "moved the stages"),
    ("sorted", "stage"): ("sorted the stage “{new}” {about}", "sorted the stage “{new}”"),
}
_ON_BOARD_BY_VERB: dict[str, tuple[str, ...]] = {
    "created": ("created the {name} “{new}”", "created the {name}"),
    "duplicated": ("copied the {name} to “{new}”", "copied the {name}"),
    "changed": ("changed the {name} “{old}” to “{new}”", "changed the {name} “{new}”"),
    "archived": ("archived the {name} “{old}”", "archived the {name}"),
    "restored": ("restored the {name} “{new}”", "restored the {name}"),
    "deleted": ("deleted the {name} “{old}”", "deleted a {name}"),
    "added": ("added {new} as {name}",),
    "removed": ("removed {old} as {name}",),
}
"""Sentences for each action on a board or one of its stages, labels, members and the like."""


_SWITCHED = {
    ("changed", "status", "closed"): "closed it",
    ("changed", "status", "open"): "reopened it",
    ("changed", "template", "yes"): "made it a template",
    ("changed", "template", "no"): "made it an ordinary card again",
}
"""Sentences for a new value of what has two."""
_CHECKED = {"true": "yes", "false": "no"}


@record
class Activity:
    """An activity as the service recorded it.

    `action` and `column` are the service's words, such as "moved" and "stage"; `old` and `new` are
    empty if not known. `task_id` is None for an activity of the board itself; `emails` are the
    person's. `via` is what did it in place of the person, such as “mcp”, or empty.
    """

    id: int
    action: str
    column: str = ""
    old: str = ""
    new: str = ""
    description: str = ""
    by: Person | None = None
    at: datetime | None = None
    task_id: int | None = None
    emails: tuple[str, ...] = ()
    via: str = ""

    def is_by(self, account: Account) -> bool:
        """Whether this account did it."""
        return self.by is not None and account.owns(self.by.id, (self.by.login, *self.emails))


@record
class ShownActivity:
    """An activity as shown: its time of day, if known, and the parts of its sentence."""

    id: int
    at: str
    who: str
    what: str


@record
class Day:
    """The activities of one day."""

    title: str
    entries: tuple[ShownActivity, ...]


def sentence(activity: Activity) -> str:
    """The whole sentence: “Alice moved it from Doing to Review”."""
    return f"{who(activity)} {what(activity)}"


def who(activity: Activity) -> str:
    """The person's name."""
    return (activity.by and (activity.by.name.strip() or activity.by.login)) or SOMEBODY


def what(activity: Activity) -> str:
    """The rest of the sentence after the person's name, about “it”, the task."""
    verb, name, values = _parts(activity)
    words = _SWITCHED.get((verb, name, values["new"]))
    if words is None:
        words = _worded(_SENTENCES.get((verb, name), ()), values) or _as_said(verb, name, values)
    return f"{_via(activity)}{words}"


def what_on_board(activity: Activity) -> str:
    """The rest of the sentence for an activity of the board itself."""
    verb, name, values = _parts(activity)
    values["name"] = {"admin": "manager"}.get(name, name)
    wordings = _ON_BOARD.get((verb, name)) or _ON_BOARD_BY_VERB.get(verb, ())
    words = _worded(wordings, values) or _as_said(verb, name, values)
    return f"{_via(activity)}{words}"


def _via(activity: Activity) -> str:
    return f"(via {activity.via}) " if activity.via else ""


def action_of(activity: Activity) -> tuple[str, str]:
    """The verb, and what it was done to, in our words: ("changed", "due date")."""
    verb, name, _ = _parts(activity)
    return verb, name


def _parts(activity: Activity) -> tuple[str, str, dict[str, str]]:
    # The start of the program does without these names.
    from tui.text.plain_names import column_in_words

    verb = activity.action.strip().casefold().replace("_", " ")
    name = column_in_words(activity.column)
    about = activity.description.strip().removeprefix("on stage ")
    if verb == "sorted":  # “by due_at descending”
        about = " ".join(column_in_words(word) if "_" in word else word for word in about.split())
    old, new = (_value(name, text) for text in (activity.old, activity.new))
    return _VERBS.get(verb, verb), name, {"old": old, "new": new, "about": about}


def _value(name: str, text: str) -> str:
    """A value for the user: times in words, and what only programs call so."""
    from tui.text.plain_names import group_in_words, reminder_in_words

    text = text.strip()
    if name == "custom field":
        return _CHECKED.get(text) or stamp_in_words(text).removesuffix(" 00:00")
    if name == "reminder" and (text == "none" or "_" in text):
        return reminder_in_words(text)
    return group_in_words(text) if name == "subtask group" else stamp_in_words(text)


def _worded(wordings: Iterable[str], values: dict[str, str]) -> str:
    """The first sentence whose values are all known; empty if there is none."""
    for wording in wordings:
        if all(values[field] for _, field, _, _ in Formatter().parse(wording) if field):
            return wording.format(**values)
    return ""


def by_day(
    activities: Iterable[Activity], now: datetime, *, oldest_first: bool = False
) -> tuple[Day, ...]:
    """The activities by day, newest first by default; `now` is wall-clock time."""
    days: dict[str, list[ShownActivity]] = {}
    # By id, since the services' times are in whole seconds.
    for activity in sorted(activities, key=lambda activity: activity.id, reverse=not oldest_first):
        at = local(activity.at) if activity.at is not None else None
        title = day_title(at.date(), now.date()) if at is not None else NO_DAY
        clock = f"{at:%H:%M}" if at is not None else ""
        days.setdefault(title, []).append(
            ShownActivity(activity.id, clock, who(activity), what(activity))
        )
    return tuple(Day(title, tuple(entries)) for title, entries in days.items())


def day_title(day: date, today: date) -> str:
    """A day: Today, Yesterday, Fri 20 Nov, with the year if it is another one."""
    if day == today:
        return "Today"
    if day == today - timedelta(days=1):
        return "Yesterday"
    return day_in_words(day, today.year)


def _as_said(verb: str, name: str, values: dict[str, str]) -> str:
    action = " ".join(filter(None, (verb or "changed", name)))
    old, new, about = values["old"], values["new"], values["about"]
    change = f"{old} → {new}" if old and new else new or (f"was {old}" if old else "")
    return f"{action}{f': {change}' if change else ''}{f' ({about})' if about else ''}"
