"""Changes of cards by others, as one sentence each."""

from collections.abc import Sequence
from enum import StrEnum

from tui.model.events.activity import Activity
from tui.model.people import Account
from tui.record import record
from tui.text.clean import listed


class ChangeKind(StrEnum):
    """The kind of a change; of several, the one that matters most to a board."""

    NEW = "new"
    MOVED = "moved"
    CLOSED = "closed"
    REOPENED = "reopened"
    RENAMED = "renamed"
    PEOPLE = "people"
    DUE = "due"
    PRIORITY = "priority"
    DESCRIBED = "described"
    LABELS = "labels"
    COMMENTED = "commented"
    SUBTASKS = "subtasks"
    FILES = "files"
    GONE = "gone"


_WORDS = {
    ChangeKind.NEW: ("{who} added {card} {detail}", "{card} {detail} is new"),
    ChangeKind.MOVED: ("{who} moved {card} to {detail}", "{card} moved to {detail}"),
    ChangeKind.CLOSED: ("{who} closed {card}", "{card} was closed"),
    ChangeKind.REOPENED: ("{who} reopened {card}", "{card} was reopened"),
    ChangeKind.RENAMED: ("{who} renamed {card} to {detail}", "{card} was renamed to {detail}"),
    ChangeKind.PEOPLE: (
        "{who} changed the assignees of {card}",
        "the assignees of {card} were changed",
    ),
    ChangeKind.DUE: ("{who} set {card} due {detail}", "{card} is now due {detail}"),
    ChangeKind.PRIORITY: (
        "{who} set the priority of {card} to {detail}",
        "the priority of {card} is now {detail}",
    ),
    ChangeKind.DESCRIBED: (
        "{who} updated the description of {card}",
        "the description of {card} was updated",
    ),
    ChangeKind.LABELS: ("{who} changed the labels of {card}", "the labels of {card} were changed"),
    ChangeKind.COMMENTED: ("{who} commented on {card}", "the comments on {card} were changed"),
    ChangeKind.SUBTASKS: (
        "{who} changed the subtasks of {card}",
        "the subtasks of {card} were changed",
    ),
    ChangeKind.FILES: ("{who} changed the files of {card}", "the files of {card} were changed"),
    ChangeKind.GONE: ("{who} removed {card} {detail}", "{card} {detail} is no longer here"),
}
"""The sentences with and without a known author."""
_NOT_DUE = ("{who} removed the due date of {card}", "{card} has no due date any more")
"""Those of a change of the due date without a date."""

_TOLD_AS = {
    ChangeKind.NEW: ("created", "restored", "converted"),
    ChangeKind.MOVED: ("moved", "stage"),
    ChangeKind.CLOSED: ("status", "closed", "moved"),
    ChangeKind.REOPENED: ("status", "opened", "moved"),
    ChangeKind.RENAMED: ("title",),
    ChangeKind.PEOPLE: ("assignee",),
    ChangeKind.DUE: ("due",),
    ChangeKind.PRIORITY: ("priority",),
    ChangeKind.DESCRIBED: ("description",),
    ChangeKind.LABELS: ("label",),
    ChangeKind.COMMENTED: ("comment", "reply"),
    ChangeKind.SUBTASKS: ("subtask",),
    ChangeKind.FILES: ("attachment", "image", "file"),
    ChangeKind.GONE: ("archived", "deleted", "moved", "converted"),
}
"""Words of activities for each kind; services use different ones."""


_MOST_NAMES = 3
"""How many people are named in a summary at most."""


@record
class RemoteChange:
    """A change of a card by others; `who` is empty if not known. Texts are terminal-safe."""

    task_id: int
    kind: ChangeKind
    detail: str = ""
    who: str = ""

    @property
    def words(self) -> str:
        """The sentence: “Alice moved #12 to “Review””."""
        is_not_due = self.kind is ChangeKind.DUE and not self.detail
        named, unnamed = _NOT_DUE if is_not_due else _WORDS[self.kind]
        sentence = (named if self.who else unnamed).format(
            who=self.who, card=f"#{self.task_id}", detail=self.detail
        )
        return " ".join(sentence.split())


def summarize(news: tuple[RemoteChange, ...]) -> str:
    """Several changes in one line: a single one's sentence, or how many cards, and by whom."""
    if len(news) == 1:
        return news[0].words
    people = list(dict.fromkeys(change.who for change in news))
    if not all(people):
        return f"{len(news)} cards were changed"
    named = people if len(people) <= _MOST_NAMES else [*people[: _MOST_NAMES - 1], "others"]
    return f"{len(news)} cards were changed by {listed(named)}"


def actor(kind: ChangeKind, activities: Sequence[Activity], me: Account) -> str | None:
    """The author of a change, "" if not known; None if it was `me`.

    `activities` are those of one task with known authors, newest first.
    """
    fitting = [activity for activity in activities if _tells_of(activity, kind)]
    by_others = [activity for activity in fitting or activities if not activity.is_by(me)]
    if not by_others:
        return None if activities else ""
    names = [_name(activity) for activity in by_others]
    # If no activity fits the kind, any of them names the author, unless several people did
    # something.
    return names[0] if fitting or len(set(names)) == 1 else ""


def _name(activity: Activity) -> str:
    """The name of who did it; empty if nothing is told of them but an e-mail."""
    by = activity.by
    return by.in_words if by is not None and (by.id or by.login) else by.name if by else ""


def _tells_of(activity: Activity, kind: ChangeKind) -> bool:
    words = f"{activity.action} {activity.column}".casefold()
    return any(word in words for word in _TOLD_AS[kind])
