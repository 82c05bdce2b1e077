"""GitHub: issues as `gh issue list --json …`, `gh issue view --json …` and `gh api` write them.

An issue is in the stage of its project, if `projectItems` are there, else in Open or Closed. A
milestone is a label, and its date is when the issue is due.
"""

import re

from tui.transfer.formats.json_values import Record
from tui.transfer.sheet import (
    Losses,
    Sheet,
    SheetCard,
    SheetComment,
    SheetStage,
    moment,
    says_done,
)

_OPEN, _CLOSED = "Open", "Closed"
_REPOSITORY = re.compile(r"https?://[^/]+/([^/]+/[^/]+)/(?:issues|pull)/\d+")
_MARKS = frozenset({"number", "state", "url", "body", "assignees", "labels", "createdAt"})


def is_github(value: object) -> bool:
    """Whether a JSON value is a list of issues, or one issue."""
    first = value[0] if isinstance(value, list) and value else value
    return isinstance(first, dict) and "title" in first and bool(_MARKS & first.keys())


def read_github(value: object) -> Sheet:
    """The issues as a board. Raises `NotReadable`."""
    losses, colors, repositories = Losses(), dict[str, str](), dict[str, None]()
    cards = []
    issues = value if isinstance(value, list) else [value]
    # Of a list the latest is the first.
    for index, item in reversed([*enumerate(issues)]):
        issue = Record(item, f"[{index}]")
        for label in issue.records("labels"):
            colors[label.text("name")] = f"#{label.text('color')}"
        url = issue.text("html_url") or issue.text("url")
        if match := _REPOSITORY.fullmatch(url):
            repositories[match[1]] = None
        cards.append(_card(issue, url, losses))
    of = [*repositories]
    stages = dict.fromkeys((_OPEN, *(card.stage for card in cards if card.stage != _CLOSED)))
    return Sheet(
        of[0].partition("/")[2] if len(of) == 1 else "Issues",
        source=f"github {' '.join(of)}",
        stages=(*(SheetStage(each, says_done(each)) for each in stages), SheetStage(_CLOSED, True)),
        cards=tuple(cards),
        colors={title: color for title, color in colors.items() if len(color) == len("#rrggbb")},
        lost=losses.lines(),
    )


def _card(issue: Record, url: str, losses: Losses) -> SheetCard:
    number, title = issue.text("number"), issue.text("title")
    is_closed = issue.text("state").upper() == "CLOSED" or issue.flag("closed")
    stage = next(
        (
            name
            for one in issue.records("projectItems")
            if (name := one.record("status").text("name"))
        ),
        _CLOSED if is_closed else _OPEN,
    )
    milestone = issue.record("milestone")
    if issue.text("stateReason").upper() == "NOT_PLANNED":
        losses.add("issues closed as not planned, which are only closed here")
    has_comments = issue.has_list("comments")
    if not has_comments:  # gh api tells their number
        losses.add("comments", int(issue.number("comments")))
    link = f"[{'#' + number if number else url}](<{url}>)" if url else ""
    due = milestone.text("dueOn") or milestone.text("due_on")
    return SheetCard(
        title,
        key=f"github {url or f'{number} {title}'.strip()}",
        stage=stage,
        description="\n\n".join(filter(None, (issue.text("body").replace("\r\n", "\n"), link))),
        labels=tuple(
            filter(
                None,
                (*(one.text("name") for one in issue.records("labels")), milestone.text("title")),
            )
        ),
        people=tuple(
            (one.text("name") or one.text("login"), one.text("login"))
            for one in issue.records("assignees")
        ),
        due_at=moment(due) if due else None,
        comments=tuple(
            SheetComment(
                one.text("body"),
                one.record("author").text("login"),
                moment(one.text("createdAt")),
            )
            for one in (issue.records("comments") if has_comments else ())
        ),
        is_done=is_closed,
    )
