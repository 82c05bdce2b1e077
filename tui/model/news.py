"""What somebody else did to a card since its board was last looked at, as one short sentence."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from tui.model.activity import Activity
from tui.model.people import Account


class NewsKind(StrEnum):
    """What was done; where several things were, the one that matters most to a board."""

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
    NewsKind.NEW: ("{who} made {card} {detail}", "{card} {detail} is new"),
    NewsKind.MOVED: ("{who} moved {card} to {detail}", "{card} moved to {detail}"),
    NewsKind.CLOSED: ("{who} closed {card}", "{card} was closed"),
    NewsKind.REOPENED: ("{who} reopened {card}", "{card} was reopened"),
    NewsKind.RENAMED: ("{who} renamed {card} to {detail}", "{card} is called {detail} now"),
    NewsKind.PEOPLE: ("{who} changed who works on {card}", "others work on {card} now"),
    NewsKind.DUE: ("{who} set {card} due {detail}", "{card} is due {detail} now"),
    NewsKind.PRIORITY: ("{who} gave {card} {detail} priority", "{card} has {detail} priority now"),
    NewsKind.DESCRIBED: ("{who} described {card} anew", "{card} has a new description"),
    NewsKind.LABELS: ("{who} changed the labels of {card}", "{card} has other labels"),
    NewsKind.COMMENTED: ("{who} commented on {card}", "{card} has other comments"),
    NewsKind.SUBTASKS: ("{who} changed the subtasks of {card}", "{card} has other subtasks"),
    NewsKind.FILES: ("{who} changed the files of {card}", "{card} has other files"),
    NewsKind.GONE: ("{who} took {card} {detail} off", "{card} {detail} is not here any more"),
}
"""How it is told with the name of who did it, and without."""

_TOLD_AS = {
    NewsKind.NEW: ("created", "restored", "converted"),
    NewsKind.MOVED: ("moved", "stage"),
    NewsKind.CLOSED: ("status", "closed", "moved"),
    NewsKind.REOPENED: ("status", "opened", "moved"),
    NewsKind.RENAMED: ("title",),
    NewsKind.PEOPLE: ("assignee",),
    NewsKind.DUE: ("due",),
    NewsKind.PRIORITY: ("priority",),
    NewsKind.DESCRIBED: ("description",),
    NewsKind.LABELS: ("label",),
    NewsKind.COMMENTED: ("comment", "reply"),
    NewsKind.SUBTASKS: ("subtask",),
    NewsKind.FILES: ("attachment", "image", "file"),
    NewsKind.GONE: ("archived", "deleted", "moved", "converted"),
}
"""Words of activities that tell of each kind; services record different things differently."""


@dataclass(frozen=True, slots=True)
class CardNews:
    """What somebody did to one card; `who` is empty where it is not known. Texts are clean."""

    task_id: int
    kind: NewsKind
    detail: str = ""
    who: str = ""

    @property
    def words(self) -> str:
        """The sentence: “Alice moved #12 to “Review””."""
        named, unnamed = _WORDS[self.kind]
        told = (named if self.who else unnamed).format(
            who=self.who, card=f"#{self.task_id}", detail=self.detail
        )
        return " ".join(told.split())


def told_together(news: tuple[CardNews, ...]) -> str:
    """Several pieces of news in one line: the last one alone, or how many cards they are about."""
    if len(news) == 1:
        return news[0].words
    people = list(dict.fromkeys(one.who for one in news if one.who))
    by = f" by {people[0]}" if len(people) == 1 and all(one.who for one in news) else ""
    return f"{len(news)} cards were changed{by}"


def actor(kind: NewsKind, activities: Sequence[Activity], me: Account) -> str | None:
    """Who did what is told as `kind`, "" if that is not known; None if it was `me`.

    `activities` are those of one task of which it is known who did them, newest first.
    """
    fitting = [one for one in activities if _tells_of(one, kind)]
    theirs = [one for one in fitting or activities if not one.is_by(me)]
    if not theirs:
        return None if activities else ""
    names = [one.by.name if one.by is not None else "" for one in theirs]
    return names[0] if fitting or len(set(names)) == 1 else ""


def _tells_of(activity: Activity, kind: NewsKind) -> bool:
    words = f"{activity.action} {activity.column}".casefold()
    return any(word in words for word in _TOLD_AS[kind])
