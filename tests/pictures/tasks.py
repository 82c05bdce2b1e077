"""A task to look at, with everything around it: subtasks, comments, fields and what was done."""

from dataclasses import replace
from datetime import datetime

from tests.fakes.boards import ANN, JON, MIRA, NOW, task
from tests.pictures.boards import launch, on_the_wall
from tui.model.board import BoardView
from tui.model.comment import Comment, CommentImage
from tui.model.custom_field import CustomField, FieldType, FieldValue
from tui.model.detail import DetailPart, Reminder, SubtaskGroup, TaskDetail
from tui.model.events.activity import Activity
from tui.model.task import Person, Priority, Status, Task

OPENED = 412
UNREAD = 73
LENA = Person(4, "Lena Óskarsdóttir", "lena")

SAID = on_the_wall(0, 8)

FIELDS = (
    CustomField(1, 1, "Customer", FieldType.TEXT),
    CustomField(2, 1, "Effort", FieldType.SELECT, ("small", "medium", "large")),
    CustomField(3, 1, "Security review", FieldType.CHECKBOX),
    CustomField(4, 1, "Report", FieldType.URL),
)


def board() -> BoardView:
    """The board of the pictures, which asks more of its tasks."""
    whole = replace(launch(), fields=FIELDS)
    opened = whole.task(OPENED)
    assert opened is not None, f"the card {OPENED} is not on the board of `launch`"
    return whole.with_task(replace(opened, comments_count=4, source="web", updated_at=SAID))


def login_redirect() -> TaskDetail:
    """The first card of the board, opened."""
    found = board().task(OPENED)
    assert found is not None, f"the card {OPENED} is not on the board"
    return TaskDetail(
        found,
        groups=(
            SubtaskGroup(
                51, "The round trip",
                (
                    _subtask(501, "Find where the address is lost", status=Status.CLOSED),
                    _subtask(502, "Carry it in the signed state", assignees=(ANN,)),
                    _subtask(503, "Follow addresses of our own only", priority=Priority.HIGH),
                ),
            ),
            SubtaskGroup(52, "Telling people", (_subtask(504, "A note for those who run it"),)),
        ),
        comments=_comments(),
        values=(FieldValue(1, "Nordlicht AG"), FieldValue(2, "medium"), FieldValue(3, value=True)),
        activities=_activities(),
        watching=True,
        watchers=(ANN, MIRA),
        reminder=Reminder("on_due_date", NOW.replace(day=18, hour=9)),
        all_comments=True,
        all_activities=True,
    )  # fmt: skip


def without_extras() -> TaskDetail:
    """The same where the service offers less."""
    opened = login_redirect()
    return replace(
        opened,
        task=replace(opened.task, subtasks_done=0, subtasks_total=0),
        groups=None,
        values=None,
        activities=None,
        why={
            DetailPart.SUBTASKS: "This service offers no subtasks.",
            DetailPart.VALUES: "This service offers no custom fields.",
            DetailPart.ACTIVITIES: "This service does not tell what was done.",
        },
    )


def _subtask(number: int, title: str, **values: object) -> Task:
    made = task(number, title, 0, **values)
    return replace(made, stage_id=None, parent_id=OPENED)


def _comments() -> tuple[Comment, ...]:
    picture = CommentImage(9, "state-lost.png", "image/png", "48 kB", "https://example.org/9.png")
    first = _said(
        71, MIRA, 1, 9, "It also happens with links from mails. @ann can you look whether the"
        " state survives when the session is new?",
    )  # fmt: skip
    replies = (
        _said(72, ANN, 1, 11, "It does not: the cookie is set too late."),
        _said(UNREAD, JON, 0, 8, "Then the signed state is the way."),
    )
    return (
        replace(
            first,
            images=(picture,),
            mentions=(ANN.id,),
            replies=tuple(replace(reply, parent_id=first.id) for reply in replies),
        ),
        _said(70, LENA, 8, 14, "Steps: sign out, open https://example.org/b/7, sign in."),
    )


def _said(number: int, who: Person, days: int, hour: int, text: str) -> Comment:
    return Comment(number, OPENED, text, author=who, created_at=on_the_wall(days, hour))


def _activities() -> tuple[Activity, ...]:
    def done(
        number: int,
        who: Person,
        when: datetime,
        what: str,
        *,
        old: str = "",
        new: str = "",
        description: str = "",
    ) -> Activity:
        action, column = what.split(maxsplit=1)
        return Activity(number, action, column, old, new, description, who, when)

    return (
        done(909, JON, on_the_wall(0, 8), "added reply", new="Then the signed state is the way."),
        done(908, MIRA, on_the_wall(1, 10), "changed priority", old="medium", new="high"),
        done(907, MIRA, on_the_wall(1), "added label", new="auth"),
        done(906, ANN, on_the_wall(1), "changed status", old="closed", new="open"),
        done(905, ANN, on_the_wall(2, 16), "changed due_at", new="2026-11-18 17:00:00"),
        done(904, ANN, on_the_wall(2, 15), "added assignee", new="Jon Reyes"),
        done(903, LENA, on_the_wall(7, 12), "moved stage", old="Doing", new="Backlog"),
        done(902, LENA, on_the_wall(8, 14), "created subtask", new="Find where it is lost"),
        done(901, LENA, on_the_wall(9), "created task", description="Doing"),
    )
