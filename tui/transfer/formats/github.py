"""GitHub: issues as `gh issue list --json …`, `gh issue view --json …` and `gh api` write them.

An issue is in the stage of its project, if `projectItems` are there, else in Open or Closed. A
milestone is a label, and its date is when the issue is due. What `gh project item-list` writes is
read in `github_project`.
"""

import re
from collections.abc import Sequence

from tui.transfer.formats.github_project import is_project, issue_key, read_project
from tui.transfer.formats.json_values import JsonRecord, first_object
from tui.transfer.losses import Losses
from tui.transfer.moments import day, moment
from tui.transfer.sheet import Sheet, SheetCard, SheetComment, SheetStage, says_done, with_link

_OPEN, _CLOSED = "Open", "Closed"
_REPOSITORY = re.compile(
    r"https?://(?:api\.github\.com/repos/|[^/]+/(?:api/v3/repos/)?)([^/]+/[^/]+)"
)
_MARKS = frozenset({"number", "state", "url", "body", "assignees", "labels", "createdAt"})
_NO_REASON = frozenset({"", "completed", "reopened"})
_PERSON = ("id", "node_id", "avatar_url", "gravatar_id", "url", "html_url", "type", "site_admin?")
SILENT = frozenset(
    {
        *("id", "node_id", "databaseId", "fullDatabaseId", "repository_url", "labels_url"),
        *("comments_url", "events_url", "timeline_url", "html_url", "url", "locked?", "closed?"),
        *(
            "author_association",
            "authorAssociation",
            "assignee",
            "isPinned?",
            "draft?",
            "isDraft?",
            "state",
        ),
        *("isCrossRepository?", "comments?", "score", "parent_issue_url?", "reactions.url"),
        *("reactions.*?", "sub_issues_summary.*?", "issue_dependencies_summary.*?"),
        *("milestone.id", "milestone.node_id", "milestone.number", "milestone.state"),
        *("milestone.url", "milestone.html_url", "milestone.labels_url", "milestone.open_issues"),
        *("milestone.closed_issues", "repository.id", "repository.url", "repository.name"),
        *(f"assignees.{name}" for name in (*_PERSON, "databaseId", "is_bot?", "isBot?")),
        *(f"assignees.{name}_url" for name in ("followers", "following", "gists", "starred")),
        *(f"assignees.{name}_url" for name in ("subscriptions", "organizations", "repos")),
        *("assignees.events_url", "assignees.received_events_url", "assignees.user_view_type"),
        *("labels.id", "labels.node_id", "labels.url", "labels.default?", "labels.isDefault?"),
        *("comments.id", "comments.url", "comments.authorAssociation", "comments.author.*"),
        *("comments.includesCreatedEdit?", "comments.isMinimized?", "comments.viewerDidAuthor?"),
        *("projectItems.status.optionId", "content.id"),
    }
)
"""What of an issue is no content, as `JsonRecord.list_unread` has it."""


def is_github(value: object) -> bool:
    """Whether a JSON value is a list of issues, one issue, or the items of a project."""
    names = first_object(value).keys()
    return ("title" in names and bool(_MARKS & names)) or is_project(value)


def read_github(root: JsonRecord, name: str) -> Sheet:
    """The issues as a board. Raises `NotReadable`."""
    if not root.has_list(""):
        return read_project(root.record(""), name)
    losses, colors, repositories = Losses(), dict[str, str](), dict[str, None]()
    cards = []
    # Of a list the latest is the first.
    for index, issue in reversed([*enumerate(root.records(""))]):
        issue.belongs_to(index)
        for label in issue.records("labels"):
            colors[label.text("name")] = f"#{label.text('color')}"
        repository = _repository(issue)
        if repository:
            repositories[repository] = None
        cards.append(_card(issue, index, repository, losses))
    names = [*repositories]
    stages = dict.fromkeys((_OPEN, *(card.stage for card in cards if card.stage != _CLOSED)))
    return Sheet(
        names[0].partition("/")[2] if len(names) == 1 else "Issues",
        source=f"github {' '.join(names)}",
        stages=(
            *(SheetStage(title, says_done(title)) for title in stages),
            SheetStage(_CLOSED, True),
        ),
        cards=tuple(cards),
        # Without a color in the file it is the sign alone.
        colors={title: color for title, color in colors.items() if len(color) == len("#rrggbb")},
        lost=losses.lines(),
    )


def _repository(issue: JsonRecord) -> str:
    if (name := issue.word("repository")) and "/" in name:
        return "/".join(name.split("/")[-2:])
    if "repository" in issue:
        repository = issue.record("repository")
        if name := repository.text("nameWithOwner") or repository.text("full_name"):
            return name
    urls = (issue.text("html_url"), issue.text("url"), issue.text("repository_url"))
    matches = (_REPOSITORY.match(url) for url in urls)
    return next((match[1] for match in matches if match), "")


def _card(issue: JsonRecord, index: int, repository: str, losses: Losses) -> SheetCard:
    number, url = issue.text("number"), issue.text("html_url") or issue.text("url")
    is_closed = issue.flag("closed") or issue.text("state").upper() in ("CLOSED", "MERGED")
    names = (item.record("status").text("name") for item in issue.records("projectItems"))
    stage = next(filter(None, names), _CLOSED if is_closed else _OPEN)
    reasons = {issue.text(name).casefold() for name in ("stateReason", "state_reason")}
    if "not_planned" in reasons:
        losses.of_card("issues closed as not planned, which are only closed here", index)
    elif reasons - _NO_REASON:
        issue.leave("stateReason")
        issue.leave("state_reason")
    milestone = issue.record("milestone")
    due_name = "dueOn" if "dueOn" in milestone else "due_on"
    labels = [label.text("name") for label in issue.records("labels")]
    return SheetCard(
        issue.text("title"),
        key=issue_key(repository, number, url),
        stage=stage,
        description=with_link(issue.text("body"), number, url),
        labels=tuple(filter(None, (*labels, milestone.text("title")))),
        people=tuple(
            (person.text("name") or person.text("login"), person.text("login"))
            for person in issue.records("assignees")
        ),
        due_at=milestone.understood(due_name, day(milestone.text(due_name))),
        comments=tuple(_comments(issue)),
        is_done=is_closed,
    )


def _comments(issue: JsonRecord) -> Sequence[SheetComment]:
    # The interface tells their number alone, which is then listed.
    return [
        SheetComment(
            comment.text("body"),
            comment.record("author").text("login"),
            moment(comment.text("createdAt")),
        )
        for comment in (issue.records("comments") if issue.has_list("comments") else ())
    ]
