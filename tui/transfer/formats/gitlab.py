"""GitLab: issues as `glab issue list --output json` and `glab api` write them.

An issue is in Open or Closed; a milestone is a label.
"""

import re

from tui.transfer.formats.json_values import JsonRecord, first_object
from tui.transfer.losses import Losses
from tui.transfer.moments import day, moment
from tui.transfer.sheet import Sheet, SheetCard, SheetComment, SheetStage, with_link

_OPEN, _CLOSED = "Open", "Closed"
_PROJECT = re.compile(r"https?://[^/]+/(.+?)(?:/-)?/(?:issues|work_items|merge_requests)/\d+")
_USUAL = {"issue_type": "issue", "type": "issue", "severity": "unknown"}
_PERSON = ("id", "state", "locked?", "avatar_url", "web_url", "public_email")
SILENT = frozenset(
    {
        *("id", "project_id", "_links.*", "references.*", "links.*", "assignee", "moved_to_id?"),
        *("task_completion_status.*", "has_tasks", "task_status", "subscribed?", "imported?"),
        *("imported_from", "confidential?", "discussion_locked?", "merge_requests_count?"),
        *("user_notes_count?", "upvotes?", "downvotes?", "blocking_issues_count?", "weight?"),
        *(
            "time_stats.time_estimate?",
            "time_stats.total_time_spent?",
            "epic_iid",
            "epic_issue_id?",
            "issue_link_id?",
            "label_details.*",
        ),
        *(f"assignees.{name}" for name in _PERSON),
        *(f"milestone.{name}" for name in ("id", "iid", "project_id", "group_id", "state")),
        *(f"milestone.{name}" for name in ("web_url", "expired?", "created_at", "updated_at")),
        *(f"labels.{name}" for name in ("id", "text_color", "description_html", "priority")),
        *("labels.is_project_label?", "labels.archived?"),
        *("Notes.id", "Notes.noteable_id", "Notes.noteable_iid", "Notes.noteable_type"),
        *("Notes.author.*", "Notes.project_id", "Notes.system?", "Notes.resolvable?", "Notes.type"),
    }
)
"""What of an issue is no content, as `JsonRecord.list_unread` has it."""


def is_gitlab(value: object) -> bool:
    """Whether a JSON value is a list of issues, or one issue."""
    return {"iid", "title"} <= first_object(value).keys()


def read_gitlab(root: JsonRecord, name: str) -> Sheet:
    """The issues as a board. Raises `NotReadable`."""
    del name
    losses, colors, projects = Losses(), dict[str, str](), dict[str, None]()
    cards = []
    # Of a list the latest is the first.
    for index, issue in reversed([*enumerate(root.records(""))]):
        issue.belongs_to(index)
        project = _project(issue)
        if project:
            projects[project] = None
        cards.append(_card(issue, index, project, colors, losses))
    paths = [*projects]
    return Sheet(
        paths[0].rpartition("/")[2] if len(paths) == 1 else "Issues",
        source=f"gitlab {' '.join(paths)}",
        stages=(SheetStage(_OPEN), SheetStage(_CLOSED, closes=True)),
        cards=tuple(cards),
        colors=colors,
        lost=losses.lines(),
    )


def _project(issue: JsonRecord) -> str:
    full = issue.record("references").text("full").partition("#")[0]
    match = _PROJECT.match(issue.text("web_url"))
    return full or (match[1] if match else "")


def _card(
    issue: JsonRecord, index: int, project: str, colors: dict[str, str], losses: Losses
) -> SheetCard:
    number, url = issue.text("iid"), issue.text("web_url")
    is_closed = issue.text("state").casefold() in ("closed", "merged")
    milestone = issue.record("milestone")
    due_at = issue.understood("due_date", day(issue.text("due_date")))
    of_milestone = day(milestone.text("due_date"))
    if of_milestone is None or due_at is not None:
        milestone.leave("due_date")
    for name, usual in _USUAL.items():
        if issue.word(name).casefold() != usual:
            issue.leave(name)
    # Once opened as a record, it is listed part by part.
    issue.record("time_stats")
    return SheetCard(
        issue.text("title"),
        key=f"gitlab {project}#{number}" if number else f"gitlab {url}".rstrip(),
        stage=_CLOSED if is_closed else _OPEN,
        description=with_link(issue.text("description"), number, url),
        labels=tuple(filter(None, (*_labels(issue, colors), milestone.text("title")))),
        people=tuple(
            (person.text("name") or person.text("username"), person.text("username"))
            for person in issue.records("assignees")
        ),
        due_at=due_at or of_milestone,
        started_at=issue.understood("start_date", day(issue.text("start_date"))),
        comments=tuple(
            SheetComment(
                note.text("body"),
                note.record("author").text("name") or note.record("author").text("username"),
                moment(note.text("created_at")),
            )
            for note in issue.records("Notes")
            if _is_comment(note, index, losses)
        ),
        is_done=is_closed,
    )


def _is_comment(note: JsonRecord, index: int, losses: Losses) -> bool:
    if is_history := note.flag("system"):
        losses.of_card("history, such as moves", index)
        note.skip()
    return not is_history


def _labels(issue: JsonRecord, colors: dict[str, str]) -> list[str]:
    # Texts, with their colors beside them or not; or with `with_labels_details` objects.
    for label in issue.records("label_details"):
        colors[label.text("name")] = label.text("color")
    if any(isinstance(value, str) for value in issue.values("labels")):
        return issue.texts("labels")
    for label in issue.records("labels"):
        colors[label.text("name")] = label.text("color")
    return [label.text("name") for label in issue.records("labels")]
