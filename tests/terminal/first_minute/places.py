"""Every screen, dialog and part with keys: how a person comes there, and what is seen then.

What there is to see and to press follows from the program: its screens, its dialogs, and the
bindings that each class adds to those of its bases. `missing` says which line is to be added.
"""

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from textual.binding import Binding
from textual.screen import ModalScreen

from tests.terminal.first_minute.furnished import BOARD, CARD, COMMENT
from tests.terminal.first_minute.in_conflict import OTHER_TITLE, OWN_TITLE
from tui.actions.action import Action, declared_actions
from tui.screens.base import CallboardScreen
from tui.screens.binding_ids import holders


@dataclass(frozen=True, slots=True)
class Way:
    """The keys from the first board to a place, what its title has in it, and what else is seen.

    What is seen shows that the last key was handled. `home` names the fixture of the home. At
    `side`, a column, the place has a panel of its own where the terminal is wide.
    """

    keys: str
    title: str
    shows: tuple[str, ...] = ()
    home: str = "furnished"
    side: int | None = None


_TASK = ("1 Description", "2 Subtasks", "5 Activity")

WAYS = {
    # Screens.
    "BoardScreen": Way("", BOARD, (CARD, "Oil the chairs")),
    "TaskScreen": Way("enter", BOARD, _TASK, side=-4),
    "ThreadScreen": Way("T j", "#5", (COMMENT, "1 reply", "2/3")),
    "BoardsScreen": Way("g b", "Boards", (BOARD,), side=2),
    "StandupScreen": Way("g s", "Standup", ("Clean the pond",)),
    "PendingScreen": Way("g u", "Pending changes", (OTHER_TITLE, OWN_TITLE), home="in_conflict"),
    "SettingsScreen": Way("g comma", "Settings", ("theme", "density")),
    "MyWorkScreen": Way("g m", "My work", (CARD,)),
    "InboxScreen": Way("g o", "Inbox", ("No new notifications",)),
    "TimelineScreen": Way("d t o m o r r o w enter g d", BOARD, ("tomorrow",)),
    "ViewForecastScreen": Way("g v g i tab", "Forecast", ("My work",)),
    "ViewInsightScreen": Way("g v g i", "Insight", ("My work",)),
    "ViewTimelineScreen": Way("d t o m o r r o w enter g v g d", "My work", (CARD,)),
    "ViewsScreen": Way("g v", "Views", ("Due this week",)),
    "ProfilesScreen": Way("g p", "Profiles", ("embedded",)),
    "LabelsScreen": Way("g l", BOARD, ("Labels", "urgent", "later")),
    "CustomFieldsScreen": Way("g c", BOARD, ("Custom fields", "Cost")),
    "MembersScreen": Way("g t", BOARD, ("Members", "Bob Cook")),
    "AgentLogScreen": Way("O", BOARD, ("Agents in the last hour", "Nothing was changed by agents")),
    "ActivityScreen": Way("g a", BOARD, ("Activity", "commented")),
    "InsightScreen": Way("g i", "Insight", (BOARD,)),
    "ForecastScreen": Way("g i tab", "Forecast", (BOARD,)),
    "ArchivedCardsScreen": Way("g x", BOARD, ("Archived cards", "Old roses")),
    "ArchivedStagesScreen": Way("S R", BOARD, ("Archived stages", "Attic")),
    "WebhooksScreen": Way("g w", "Webhooks", ("From the shop",)),
    "PeopleScreen": Way("g b g t", "People", ("Bob Cook", "House")),
    # Dialogs.
    "AddressDialog": Way("enter o", "No display", ("example.org/hinge",)),
    "AskDialog": Way("g m e", "Title of #", (CARD,)),
    "AttachDialog": Way("c ctrl+o", "Attach pictures"),
    "BlockedByDialog": Way("b", "Blocked by", (CARD,)),
    "BlockerInput": Way("b", "Blocked by"),
    "CardMenu": Way("comma", "#", ("Edit title", "Delete …")),
    "ChooseDialog": Way("B", "Swimlanes by", ("Person", "Priority")),
    "CommentEditor": Way("c", "Comment on"),
    "ConfirmDialog": Way("D", "Delete “"),
    "ConflictDialog": Way("g u enter", "", ("Yours", "Theirs"), home="in_conflict"),
    "DateDialog": Way("d", f"Due date of “{CARD}”", ("tomorrow", "next week")),
    "DetailsDialog": Way("g w enter", "Webhook “From the shop”"),
    "FilterDialog": Way("f", "Filter", ("Label", "Person")),
    "FormDialog": Way("N", "New card", ("Title", "Due date")),
    "HelpDialog": Way("?", "Keys that work here", ("edit title",)),
    "KeyDialog": Way("g comma G e", "New key"),
    "FindAnywhereDialog": Way("g f", "Find anywhere", (BOARD,)),
    "MoveToDialog": Way("m", f"Move “{CARD}” to", ("Backlog", "House")),
    "PaletteDialog": Way(":", "Actions", ("Open card",)),
    "PasteLines": Way("enter 2 P", f"Subtasks of “{CARD}”"),
    "PickLabels": Way("t", f"Labels of “{CARD}”", ("urgent", "later")),
    "PickMany": Way("a", f"Assign people to “{CARD}”", ("Bob Cook",)),
    "PickParent": Way("g w n", "New webhook", (BOARD, "House")),
    "PickPerson": Way("g t n", f"Add to “{BOARD}”"),
    "PictureDialog": Way("T j j v", "gate.png"),
    "TextEditor": Way("E", f"Description of “{CARD}”", ("rusts",)),
    "ViewForm": Way("g v V", "Edit view", ("Filter",)),
    "WriteDialog": Way("g u enter e", "The title of both", home="in_conflict"),
    # What has keys within them, or is their base.
    "ActivityList": Way("enter 5", BOARD, _TASK, side=-4),
    "Choices": Way("g v V enter enter", "Edit view", ("All boards",)),
    "Calendar": Way("d tab", f"Due date of “{CARD}”"),
    "CallboardScreen": Way("", BOARD, (CARD,)),
    "CardListScreen": Way("g m", "My work", (CARD,)),
    "CommentExtract": Way("enter 3", BOARD, _TASK, side=-4),
    "Deck": Way("1 g g", BOARD),
    "Dialog": Way("p", f"Priority of “{CARD}”"),
    "FieldList": Way("enter 4", BOARD, _TASK, side=-4),
    "FindDialog": Way("m", f"Move “{CARD}” to"),
    "FolderPane": Way("g b h", "Boards", (BOARD, "Outside"), side=2),
    "LineInput": Way("/", BOARD, ("5 of 5 cards",)),
    "PickLine": Way("t", f"Labels of “{CARD}”"),
    "PickList": Way("S c j", "Colour of", ("▌ ■■ green",)),
    "Preview": Way("E ctrl+r", f"Description of “{CARD}”", ("the shop[1]",)),
    "RowList": Way("g l", BOARD, ("Labels", "urgent")),
    "StandupList": Way("g s tab", "Standup", ("No movement",)),
    "SubtaskList": Way("enter 2 j", BOARD, ("▌◦ Before one",), side=-4),
    "TableScreen": Way("g c", BOARD, ("Custom fields", "Cost")),
    "TextInput": Way("g l n", "New label"),
    "TimelineList": Way("d t o m o r r o w enter g d", BOARD, ("tomorrow",)),
    "TitleInput": Way("n", BOARD),
    "WritingArea": Way("c space @", "Comment on", ("Bob Cook",)),
}
"""Every class of the program that is opened, or has keys of its own."""

ELSEWHERE = {
    "CommandPane": "a command must be in the settings: tests/screens/test_own_commands.py",
    "EvenSoDialog": "somebody else must change what is undone: tests/screens/test_trouble.py",
}
"""What no key of a first minute opens, with the reason."""

ASKS = {
    "activity.filter": "Show activity",
    "agents.filter": "Show …",
    "agents.undo-all": "Nothing was changed by agents",
    "archived.delete": "Delete “Old roses”?",
    "board.pick-filter": "Changed by others",
    "board.swimlanes": "Swimlanes by",
    "boards.delete": "to delete the board",
    "boards.duplicate": "Duplicate “",
    "boards.new": "New board",
    "boards.rename": "Board “",
    "boards.sort": "Sort the boards by",
    "comment.delete": "Delete your comment?",
    "comment.edit": "Edit your comment",
    "comment.link": "No link in this comment",
    "comment.new": "Comment on",
    "comment.picture": "picture",
    "comment.quote": "Reply to",
    "comment.reply": "Reply to",
    "custom-field.delete": "Delete the custom field",
    "custom-field.edit": "Custom field “Cost”",
    "custom-field.new": "New custom field",
    "folders.choose": "Show the boards of",
    "folders.delete": "folder",
    "folders.new": "Title of the new folder",
    "folders.put": "folder",
    "folders.rename": "folder",
    "forecast.filter": "Filter",
    "forecast.what-if": "How many cards",
    "go.activity": "Activity",
    "go.archived_cards": "Archived cards",
    "go.custom_fields": "Custom fields",
    "go.insight": "Insight",
    "go.labels": "Labels",
    "go.members": "Members",
    "go.people": "People",
    "go.timeline": "Timeline",
    "go.webhooks": "Webhooks",
    "inbox.filter": "Show …",
    "inbox.links": "No new notifications",
    "inbox.reply": "No new notifications",
    "label.delete": "Delete the label",
    "label.edit": "Label “",
    "label.merge": "Mark at least two labels",
    "label.new": "New label",
    "member.add": f"Add to “{BOARD}”",
    "member.remove": "?",
    "member.role": "me",
    "person.remove": "from which board?",
    "person.roles": "Roles of",
    "profile.edit": "Profile embedded",
    "profile.logout": "nothing to log out of",
    "profile.new": "Log in",
    "setting.add-key": "Only actions have keys",
    "setting.change": "Theme: ",
    "stage.archive": "Archive the stage “",
    "stage.archive-cards": "Archive all cards of “",
    "stage.color": "Colour of “",
    "stage.edit": "Stage “",
    "stage.new-left": "New stage left of “",
    "stage.new-right": "New stage right of “",
    "stage.rename": "Stage “",
    "stage.sort": "Sort the cards of “",
    "standup.boards": "Standup of which boards?",
    "standup.delete": "Delete “",
    "standup.since": "Since which day",
    "standup.topic": "A topic for later",
    "subtask.delete": "Delete “Before one”?",
    "subtask.paste": "Subtasks of “",
    "subtask.to-group": "Move “Before one”",
    "subtask.to-task": "Convert “Before one” to a card in",
    "task.assign": "Assign people to “",
    "task.block": "Blocked by",
    "task.clone": "Duplicate “",
    "task.comment": "Comment on",
    "task.delete": "Delete “",
    "task.due": "Due date of “",
    "task.edit-description": "Description of “",
    "task.labels": "Labels of “",
    "task.links": "",
    "task.move-to": "Move “",
    "task.new-form": "New card",
    "task.priority": "Priority of “",
    "task.start": "Start date of “",
    "task.to-subtask": "subtask",
    "list.sort": "Sort",
    "timeline.group": "",  # an agenda says why it has no other groups
    "view.edit": "Edit view",
    "view.group": "Group",
    "view.new": "New view",
    "waiting.discard": "Discard",
    "webhook.delete": "Delete the webhook",
    "webhook.new": "New webhook for which board?",
    "webhook.show": "Webhook “",
}
"""What each action with a dialog shows on the screen where it is pressed first."""

UNSEEN = {
    "address.copy": "the dialog has copied already, and says so",
    "app.redraw": "it paints what is on the screen already",
    "attach.attach": "nothing selected yet",
    "attach.before": "no file is offered",
    "attach.complete": "nothing is typed yet",
    "attach.next": "no file is offered",
    "attach.take-off": "nothing selected yet",
    "calendar.next-day": "the text has the focus",
    "calendar.previous-day": "the text has the focus",
    "conflict.choose-mine": "it is chosen",
    "conflict.down": "all of it is in sight",
    "conflict.up": "all of it is in sight",
    "date.previous-preset": "none is chosen",
    "details.up": "it is at the top",
    "filter.delete": "no filter was saved",
    "folders.page-up": "it is at the top",
    "form.calendar": "the title has the focus",
    "form.next-option": "a text has the focus",
    "form.previous-option": "a text has the focus",
    "input.line-above": "the title has one line",
    "input.line-below": "the title has one line",
    "preview.down": "all of it is in sight",
    "preview.half-down": "all of it is in sight",
    "preview.half-up": "it is at the top",
    "preview.up": "it is at the top",
    "rows.page-up": "it is at the top",
    "subtask.group-2": "only with a subtask in the hand it is a group",
    "task.page-down": "all of it is in sight",
    "task.page-up": "it is at the top",
    "task.part-text": "it is the part that is open",
    "task.scroll-down": "all of it is in sight",
    "task.scroll-up": "it is at the top",
}
"""The actions without an effect that could be seen, with the reason."""

_LAST = re.compile(
    r"[.-](archive|assign-me|close|confirm|delete|discard|keep|mine|next|open|order|refresh|remove|restore"
    r"|theirs|to-task)$|move-"
)
"""The ids of actions after which a place may not be as it was."""


@dataclass(frozen=True, slots=True)
class Press:
    """A key or chord of a place, and the words that are seen after it; none if any effect does."""

    keys: str
    action: str
    shows: str

    @property
    def is_last(self) -> bool:
        """Whether nothing can be pressed at the place afterwards, which may be another."""
        return not self.shows and _LAST.search(self.action) is not None


def screens_and_dialogs() -> list[str]:
    """The names of what is opened, in the order of `WAYS`."""
    names = {each.__name__ for each in opened()}
    return [name for name in WAYS if name in names]


def opened() -> list[type]:
    """Every screen and dialog of the program."""
    bases: list[type] = [CallboardScreen, ModalScreen]
    holders()  # imports all of them
    return [each for base in bases for each in _leaves(base) if each.__module__.startswith("tui.")]


def _leaves(base: type) -> Iterator[type]:
    subclasses: list[type] = base.__subclasses__()
    if not subclasses:
        yield base
    for each in subclasses:
        yield from _leaves(each)


def missing() -> list[str]:
    """The lines that are to be added here, one for each class or action that has none."""
    classes = {each.__name__ for each in (*opened(), *holders())} - ELSEWHERE.keys()
    asking = {action.id for action in _actions() if action.asks and action.keys}
    ways = sorted(classes - WAYS.keys())
    asks = sorted(asking - ASKS.keys())
    return [
        *(f'WAYS: "{name}": Way("KEYS FROM THE BOARD", "TITLE"),' for name in ways),
        *(f'ASKS: "{name}": "WORDS THAT ARE SEEN",' for name in asks),
    ]


def _actions() -> Iterator[Action]:
    for name, module in sorted(sys.modules.items()):
        if name.startswith("tui."):
            for owner in vars(module).values():
                if isinstance(owner, type):
                    yield from (action for _, action in declared_actions(owner))


def presses(name: str) -> list[Press]:
    """The keys that a class adds to those of its bases; first those that only ask."""
    holder = next((each for each in holders() if each.__name__ == name), None)
    added = vars(holder).get("BINDINGS", ()) if holder is not None else ()
    found = [
        Press(each.key.partition(",")[0], each.id or "", ASKS.get(each.id or "", ""))
        for each in added
        if isinstance(each, Binding)
    ]
    return sorted(found, key=lambda one: (one.is_last, not one.shows))


def in_turns(name: str) -> list[list[Press]]:
    """The same keys for several programs: one for each after which the place may be another."""
    keys = presses(name)
    return [[one for one in keys if not one.is_last], *([one] for one in keys if one.is_last)]
