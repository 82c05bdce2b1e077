"""What is around the boards of the design: their week, a task with all its parts, what is found."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from types import MappingProxyType
from typing import cast

from tests.fakes.store import FakeStore
from tests.pictures.insight import lives
from tests.pictures.lists import ListService
from tests.pictures.platform import (
    INVITED,
    MOBILE,
    MONDAY,
    PLATFORM,
    TEAM,
    at,
    mobile,
    preferences as platform_preferences,
    store,
    view,
)
from tui.config.preferences import ALL_BOARDS, SEEN, Preferences
from tui.model.board import BoardView
from tui.model.comment import Comment
from tui.model.custom_field import CustomField, FieldType, FieldValue
from tui.model.detail import SubtaskGroup, TaskDetail
from tui.model.events.activity import Activity
from tui.model.events.history import BoardHistory, Event, EventKind
from tui.model.events.remote_changes import ChangeKind, RemoteChange
from tui.model.find import Found, Thing
from tui.model.task import Person, Priority, Status
from tui.store.documents.shapes import Document
from tui.store.events import PendingChange, PendingState, SyncStatus
from tui.store.operations import MoveTask, set_due
from tui.store.operations.base import FieldDifference
from tui.store.remote import Remote

OPENED, LIFTED = 9, 4
COMMENT = (
    "Emeka watches the lag from 18:00, I take over at 20:00.\n\n"
    "- if it passes **30 s**, we stop and roll back\n- @cora tells the customers either way"
)
ANN, BOB, CORA, DIMITRI, EMEKA, FATIMA = TEAM.values()
_CLOSED, _MOVED, _SAID = EventKind.CLOSED, EventKind.MOVED, EventKind.COMMENTED
_FRIDAY = -3
_FLOW = ("Backlog", "In Progress", "Review", "Testing", "Done")


def _did(card: int, by: Person, when: tuple[int, str], kind: EventKind, *stages: str) -> Event:
    """An event; `stages` are those that a card left and entered, or what was said."""
    old, new = stages if len(stages) > 1 else ("", *(stages or ("",)))
    return Event(0, card, kind, at(*when), by, old, new)


def _history(board: int, seen: dict[int, int], *events: Event) -> BoardHistory:
    """`seen` says for how many days cards are known to be in their stages."""
    ordered = sorted(events, key=lambda event: event.at)
    return BoardHistory(
        board,
        tuple(replace(event, board_id=board) for event in ordered),
        at(-35),
        at(0),
        records_moves=True,
        seen_since=MappingProxyType({card: at(-days) for card, days in seen.items()}),
    )


def _of_platform() -> BoardHistory:
    return _history(
        PLATFORM,
        {7: 19},
        _did(9, ANN, (-9, "08:00"), _MOVED, "Backlog", "In Progress"),
        _did(19, EMEKA, (-8, "08:00"), _MOVED, "Backlog", "In Progress"),
        _did(7, CORA, (-4, "10:00"), _SAID, "Blocked: waiting for the new fonts licence"),
        _did(5, CORA, (_FRIDAY, "09:30"), _CLOSED),
        _did(20, ANN, (_FRIDAY, "10:47"), _CLOSED),
        _did(27, DIMITRI, (_FRIDAY, "15:13"), _CLOSED),
        _did(8, EMEKA, (_FRIDAY, "15:47"), _CLOSED),
        _did(6, BOB, (_FRIDAY, "08:30"), _MOVED, "Backlog", "Review"),
        _did(2, BOB, (_FRIDAY, "08:31"), _MOVED, "Backlog", "Review"),
        _did(1, ANN, (_FRIDAY, "08:32"), _MOVED, "Backlog", "In Progress"),
        _did(4, CORA, (_FRIDAY, "08:33"), _MOVED, "Backlog", "In Progress"),
        _did(20, BOB, (_FRIDAY, "11:00"), _SAID, "Who tells the customers?"),
        _did(20, CORA, (_FRIDAY, "11:30"), _SAID, "The newsletter does."),
        _did(5, BOB, (_FRIDAY, "12:00"), _SAID, "Works here too."),
        _did(2, EMEKA, (_FRIDAY, "12:10"), _SAID, "429 or 503?"),
        _did(1, BOB, (_FRIDAY, "13:00"), _SAID, "the login cookie is SameSite=Strict"),
        _did(1, CORA, (_FRIDAY, "13:20"), _SAID, "Then Lax it is."),
        _did(19, BOB, (_FRIDAY, "14:00"), _SAID, "Seen again in the night."),
        _did(7, BOB, (_FRIDAY, "14:30"), _SAID, "The vendor answers on Tuesday."),
    )


def _of_mobile() -> BoardHistory:
    return _history(
        MOBILE,
        {},
        _did(33, DIMITRI, (-6, "08:00"), _MOVED, "Ideas", "Doing"),
        _did(35, FATIMA, (-2, "08:00"), _MOVED, "Ideas", "Doing"),
        _did(31, FATIMA, (-1, "08:00"), _MOVED, "Doing", "Review"),
        _did(33, DIMITRI, (_FRIDAY, "10:00"), _SAID,
             "Blocked: certificate expired, Apple has answered to ann only"),
        _did(33, DIMITRI, (_FRIDAY, "10:05"), _SAID, "@ann can you forward Apple’s mail?"),
    )  # fmt: skip


def _from_backlog_to_done() -> BoardView:
    """The board with the stages that its figures are about."""
    whole = view()
    stages = tuple(stage for stage in whole.stages if stage.title in _FLOW)
    return replace(whole, stages=stages, tasks={each.id: whole.tasks[each.id] for each in stages})


def week() -> FakeStore:
    """Both boards with what happened on them since Friday, and the comments on a card."""
    both = store(_from_backlog_to_done(), mobile())
    both.histories = {PLATFORM: _of_platform(), MOBILE: _of_mobile()}
    both.details = {OPENED: postgres()}
    asked = (RemoteChange(number, ChangeKind.COMMENTED) for number in (OPENED, 33))
    both.marks = {**both.marks, **{change.task_id: change for change in asked}}
    return both


def since_friday() -> Preferences:
    """What was chosen, and when both boards were left: before the last comments."""
    kept, left_at = platform_preferences(), int(at(_FRIDAY, "10:01").timestamp())
    kept.keep(ALL_BOARDS, **{SEEN: dict.fromkeys((PLATFORM, MOBILE), left_at)})
    return kept


def half_a_year() -> FakeStore:
    """The board with the cards that came and went before."""
    kept, recent = store(_from_backlog_to_done()), _of_platform()
    before = [event for event in lives(MONDAY, _FLOW) if at(-140) <= event.at <= at(0)]
    events = sorted((*before, *recent.events), key=lambda event: event.at)
    kept.histories = {
        PLATFORM: replace(recent, events=tuple(events), complete_since=at(-140)),
    }
    return kept


_FIELDS = (
    CustomField(1, PLATFORM, "Story points", FieldType.NUMBER),
    CustomField(2, PLATFORM, "Area", FieldType.SELECT, ("Database", "Network")),
    *(
        CustomField(number, PLATFORM, f"Unused {number}", FieldType.TEXT)
        for number in range(3, 12)
    ),
)  # fmt: skip
_DESCRIPTION = (
    "<p>Move the main database from 15 to 17 in the window on 7 December.</p>"
    "<ol><li>Rehearse on <code>staging-eu</code> with a copy of production</li>"
    "<li>Rollback: keep the old volume for 48 hours</li></ol>"
    "<p>Staging shows 3 minutes of downtime at 400 GB.</p>"
)
_SUBTASKS = (
    "Restore last night’s backup on staging",
    "Run the whole test suite against 17",
    "Write the rollback, have it read by Emeka",
    "Tell support and the three big customers",
    "Freeze deployments on 7 Dec from 18:00",
)


def _said(number: int, who: Person, when: tuple[int, str], text: str) -> Comment:
    mentions = (ANN.id,) if "@ann" in text else ()
    return Comment(number, OPENED, text, author=who, created_at=at(*when), mentions=mentions)


def platform_with_fields() -> BoardView:
    """The board as it is where its tasks have fields of their own."""
    whole = replace(view(), fields=_FIELDS)
    task = whole.task(OPENED)
    assert task is not None, f"the card {OPENED} is not on the board"
    return whole.with_task(
        replace(
            task, description=_DESCRIPTION, priority=Priority.MEDIUM, comments_count=3,
            created_at=at(-14), created_by=CORA.id, updated_at=at(0, "07:00"),
            started_at=MONDAY - timedelta(days=14),
        )
    )  # fmt: skip


def postgres() -> TaskDetail:
    """The third card of In Progress, opened."""
    task = platform_with_fields().task(OPENED)
    assert task is not None, f"the card {OPENED} is not on the board"
    subtasks = tuple(
        replace(
            task, id=900 + number, title=title, parent_id=OPENED, stage_id=None, labels=(),
            priority=Priority.LOW, assignees=(), due_at=None, started_at=None, description="",
            comments_count=0, subtasks_done=0, subtasks_total=0,
            status=Status.CLOSED if number < 2 else Status.OPEN,
        )
        for number, title in enumerate(_SUBTASKS)
    )  # fmt: skip
    return TaskDetail(
        task,
        groups=(SubtaskGroup(90, "Steps", subtasks),),
        comments=(
            _said(93, EMEKA, (0, "07:00"), "The rollback reads well. One question: who watches "
                  "replication lag while we wait?"),
            _said(92, CORA, (_FRIDAY, "16:19"), "@ann when is the window for 漢字 customers? Their "
                  "night is our morning."),
            _said(91, ANN, (_FRIDAY, "10:02"), "Rehearsal took 3 min 10 s."),
        ),
        values=(FieldValue(1, "5"), FieldValue(2, "Database")),
        activities=(
            Activity(99, "moved", "stage", "Backlog", "In Progress", "", ANN, at(-9, "08:00")),
            Activity(98, "created", "task", "", "", "Backlog", CORA, at(-14)),
        ),
        watching=True,
        watchers=(EMEKA, CORA, ANN),
        all_comments=True,
        all_activities=True,
    )  # fmt: skip


def opened() -> FakeStore:
    """The board with a task that can be opened; its last comment is not read yet."""
    kept = store(platform_with_fields())
    kept.now = kept.now._replace(pending=1)
    kept.details = {OPENED: postgres()}
    kept.histories = {PLATFORM: _of_platform()}
    kept.unread = frozenset({93})
    return kept


def _cards(on: BoardView) -> list[Found]:
    return [
        Found(
            Thing.CARD, card.id, card.title, on.board.id, on.board.title, stage.title,
            people=card.assignees, is_closed=card.is_closed,
        )
        for stage in on.stages
        for card in on.in_stage(stage.id)
    ]  # fmt: skip


def findable() -> FakeStore:
    """The board with everything that a cache of many boards would find."""
    kept = store(view(), mobile())
    cora = replace(CORA, login="cora.login")
    kept.found = (
        *_cards(view()),
        *_cards(mobile()),
        Found(Thing.CARD, 88, "Login page: contrast of the error text", 3, "Website relaunch",
              "Done", is_closed=True),
        Found(Thing.COMMENT, 71, "the login cookie is SameSite=Strict", PLATFORM, "Platform",
              "Fix login redirect loop after SSO", 1, (BOB,), at(_FRIDAY, "13:00")),
        Found(Thing.COMMENT, 72, "no login needed for the sandbox", MOBILE, "Mobile app",
              "Push notifications on iOS 19", 33, (ANN,), at(-11)),
        Found(Thing.BOARD, 7, "Login & accounts", 7, "Login & accounts"),
        Found(Thing.PERSON, CORA.id, cora.name, place="Platform", people=(cora,)),
    )  # fmt: skip
    return kept


class _People(ListService):
    """The people of the team, one of whom has not come yet."""

    async def members(self, board_id: int) -> list[Document]:
        del board_id
        return [{"ID": person.id, "is_super": False} for person in (*TEAM.values(), INVITED)]


def members() -> FakeStore:
    """The boards with their people, and the service that knows more of them."""
    platform = view()
    fatima = replace(FATIMA, name="Fatima Rahal · 萩原")
    people = (*tuple(TEAM.values())[:-1], fatima, INVITED)
    kept = store(replace(platform, board=replace(platform.board, people=people)), mobile())
    kept.remote = cast("Remote", _People())
    return kept


def offline() -> FakeStore:
    """The service does not answer; three changes wait."""
    kept = store(replace(view(), pending=frozenset({1, 2, 9})))
    kept.now = SyncStatus(
        pending=3, checked_at=at(0, "08:48"), problem="boards.example.org cannot be reached."
    )
    return kept


def refuse_a_move(kept: FakeStore) -> None:
    """The service refuses that a card went to Review."""
    board = kept.views[PLATFORM]
    card = board.task(LIFTED)
    assert card is not None, f"the card {LIFTED} is not on the board"
    stage = board.stages[3]
    moved = MoveTask.on(card, stage.id, board.end_of(stage.id), stage_title=stage.title)
    kept.refuse(moved, "only managers move cards to Review.")


def conflict() -> FakeStore:
    """Ann and Emeka both changed a card."""
    kept = store()
    card = kept.views[PLATFORM].task(LIFTED)
    assert card is not None, f"the card {LIFTED} is not on the board"
    both: Sequence[FieldDifference] = (
        FieldDifference(
            "stage", ours="Review, 2nd", current="Testing, 1st", base="In Progress, 2nd"
        ),
        FieldDifference("due", ours="Fri 4 Dec", current="Thu 3 Dec", base="Wed 2 Dec"),
    )
    change = set_due(card, MONDAY.replace(hour=17) + timedelta(days=11))
    kept.kept = [
        PendingChange(1, PLATFORM, change, PendingState.CONFLICT, at(0, "08:58"),
                      differences=tuple(both))
    ]  # fmt: skip
    kept.now = kept.now._replace(conflicts=1)
    return kept


class _Labels(ListService):
    """The labels that tasks have: all but the last one."""

    async def used_labels(self, board_id: int) -> list[Document]:
        del board_id
        return [{"id": number} for number in (1, 2, 3, 4, 5, 6, 7, 9)]


def labelled() -> FakeStore:
    """The board with the days on which its cards were made, and old ones in the archive."""
    whole, ages = view(), {1: 0, 10: 3, 4: 0, 15: 21, 7: 4}
    for number, days in ages.items():
        card = whole.task(number)
        assert card is not None, f"the card {number} is not on the board"
        whole = whole.with_task(replace(card, created_at=at(-days)))
    card = whole.task(1)
    assert card is not None, "the card 1 is not on the board"
    labels = {label.title: label for label in whole.labels}
    kept = store(whole)
    kept.archived = tuple(
        replace(
            card, id=800 + number, labels=(labels[title],), created_at=at(-days),
            archived_at=MONDAY - timedelta(days=2), status=Status.CLOSED,
        )
        for number, (title, days) in enumerate(
            (*(("bug", 90),) * 25, *(("api", 80),) * 18, ("Größeres Thema", 21), ("bugs", 460))
        )
    )  # fmt: skip
    kept.remote = cast("Remote", _Labels())
    return kept
