"""The items of a project of GitHub, as `gh project item-list --format json` writes them.

An item is in the stage of its status. What a project calls priority, due or target date, and start
is that of the card; its other fields are listed.
"""

from datetime import datetime

from tui.model.task import Priority
from tui.transfer.formats.fields import field_of, priority_called
from tui.transfer.formats.json_values import JsonRecord
from tui.transfer.losses import Losses
from tui.transfer.moments import day
from tui.transfer.sheet import Sheet, SheetCard, SheetStage, says_done, with_link

_NO_STATUS = "No status"
_READ = frozenset({"id", "content", "title", "status", "labels", "assignees", "milestone"})
_URL = "https://github.com/"


def is_project(value: object) -> bool:
    """Whether a JSON value is the items of a project."""
    return (
        isinstance(value, dict)
        and isinstance(value.get("items"), list)
        and not {"number", "title"} & value.keys()
    )


def read_project(project: JsonRecord, name: str) -> Sheet:
    """The items as a board called `name`. Raises `NotReadable`."""
    losses = Losses()
    cards = [_card(item, index) for index, item in enumerate(project.records("items"), start=1)]
    losses.of_board(
        "items that are not in the file, as --limit was lower",
        max(0, int(project.number("totalCount")) - len(cards)),
    )
    titles = dict.fromkeys(card.stage for card in cards)
    stages = [SheetStage(title, says_done(title)) for title in titles]
    stages.sort(key=lambda stage: (stage.closes, stage.title != _NO_STATUS))
    return Sheet(name, f"github project {name}", tuple(stages), tuple(cards), lost=losses.lines())


def issue_key(repository: str, number: str, url: str) -> str:
    """The key of an issue, the same wherever it was read."""
    of_github = f"{_URL}{repository}"
    if repository and number and (not url or url.startswith((of_github, "https://api."))):
        return f"github {of_github}/issues/{number}"
    return f"github {url or number}" if url or number else ""


def _card(item: JsonRecord, index: int) -> SheetCard:
    item.belongs_to(index)
    content = item.record("content")
    kind, number, url = (content.text(name) for name in ("type", "number", "url"))
    if kind not in ("", "Issue", "DraftIssue"):
        content.leave("type")
    repository = content.text("repository").removeprefix(_URL)
    stage = item.text("status") or _NO_STATUS
    milestone = item.record("milestone")
    dates: dict[str, datetime | None] = {"due": _date(milestone, "dueOn")}
    priority = Priority.LOW
    for name in item.names():
        if name in _READ:
            continue
        match field_of(name):
            case "due" | "start" as field if not dates.get(field) and (at := _date(item, name)):
                dates[field] = at
            case "priority" if recognized := priority_called(item.word(name)):
                priority = recognized
            case _:
                if name == "repository" and item.word(name).removeprefix(_URL) == repository:
                    continue
                item.leave(name)
    own_id, titles = item.text("id"), (item.text("title"), content.text("title"))
    own_id = own_id and f"github {own_id}"
    return SheetCard(
        titles[0] or titles[1],
        key=issue_key(repository, number, url) or own_id,
        stage=stage,
        description=with_link(content.text("body"), number, url),
        labels=tuple(filter(None, (*item.texts("labels"), milestone.text("title")))),
        people=tuple((name,) for name in item.texts("assignees")),
        due_at=dates["due"],
        started_at=dates.get("start"),
        priority=priority,
        is_done=says_done(stage),
    )


def _date(record: JsonRecord, name: str) -> datetime | None:
    return record.understood(name, day(record.word(name)))
