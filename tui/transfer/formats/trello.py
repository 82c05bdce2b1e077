"""Trello: the JSON of a board, from its menu “Print, export, and share”.

A list is a stage, a checklist a group of subtasks; what is archived there is archived. The export
holds the last thousand actions, so comments from before these are missing.
"""

from collections.abc import Iterator, Mapping
from datetime import datetime

from tui.model.colors import COLORS
from tui.transfer.formats.json_values import Record
from tui.transfer.sheet import (
    Losses,
    Sheet,
    SheetCard,
    SheetComment,
    SheetStage,
    SheetSubtask,
    moment,
    says_done,
)

_MOST_ACTIONS = 1_000
_COMMENTS = ("commentCard", "copyCommentCard")
_DEFAULT_CHECKLIST = "Checklist"


def is_trello(value: object) -> bool:
    """Whether a JSON value is the export of a board."""
    return isinstance(value, dict) and "cards" in value and "lists" in value


def read_trello(value: object) -> Sheet:
    """The board of an export. Raises `NotReadable`."""
    board, losses = Record(value), Losses()
    lists = sorted(board.records("lists"), key=lambda one: one.number("pos"))
    kept = [one for one in lists if not one.flag("closed")] or lists[:1]
    titles = {one.text("id"): one.text("name") for one in kept}
    archived = {one.text("id") for one in lists} - titles.keys()
    nameless = [title for title in titles.values() if not title.strip()]
    losses.add("lists without a name, whose cards are in the first stage", len(nameless))
    names = {
        one.text("id"): (one.text("fullName"), one.text("username"))
        for one in board.records("members")
    }
    colors = {
        _label_title(one): color
        for one in board.records("labels")
        if (color := COLORS.get(_color_name(one)))
    }
    subtasks = _subtasks_by_card(board, losses)
    comments = _comments_by_card(board)
    cards = []
    for one in sorted(board.records("cards"), key=lambda card: card.number("pos")):
        own_id = one.text("id")
        losses.add("stickers", len(one.values("stickers")))
        losses.add("values of custom fields", len(one.values("customFieldItems")))
        list_id = one.text("idList")
        cards.append(
            SheetCard(
                one.text("name"),
                key=own_id and f"trello {own_id}",
                stage=titles.get(list_id, ""),
                description="\n\n".join(filter(None, (one.text("desc"), _attachments(one)))),
                labels=tuple(_label_title(label) for label in one.records("labels")),
                people=tuple(names.get(member, (member,)) for member in one.texts("idMembers")),
                due_at=_date(one, "due", losses),
                started_at=_date(one, "start", losses),
                subtasks=tuple(subtasks.get(own_id, ())),
                comments=tuple(comments.get(own_id, ())),
                is_done=one.flag("dueComplete") or says_done(titles.get(list_id, "")),
                is_archived=one.flag("closed") or list_id in archived,
            )
        )
    lost = list(losses.lines())
    if archived:
        lost.append("archived lists: their cards are in the archive, of the first stage")
    if len(board.values("actions")) >= _MOST_ACTIONS:
        lost.append("comments from before the last 1,000 actions, which Trello does not export")
    return Sheet(
        board.text("name"),
        source=f"trello {board.text('id') or board.text('name')}",
        stages=tuple(SheetStage(title, says_done(title)) for title in titles.values()),
        cards=tuple(cards),
        colors=colors,
        lost=tuple(lost),
    )


def _color_name(label: Record) -> str:
    # Trello's names are as green, green_dark and green_light.
    name, _, shade = label.text("color").partition("_")
    return f"dark {name}" if shade == "dark" else name


def _label_title(label: Record) -> str:
    return label.text("name") or _color_name(label)


def _date(card: Record, name: str, losses: Losses) -> datetime | None:
    words = card.text(name)
    at = moment(words) if words else None
    if words and at is None:
        losses.add("dates that are not understood")
    return at


def _attachments(card: Record) -> str:
    lines = []
    for one in card.records("attachments"):
        if url := one.text("url"):
            name = one.text("name").translate({ord(sign): None for sign in "[]"})
            lines.append(f"- [{name}](<{url}>)" if name and name != url else f"- <{url}>")
    return "\n".join(("Attachments:", "", *lines)) if lines else ""


def _subtasks_by_card(board: Record, losses: Losses) -> Mapping[str, list[SheetSubtask]]:
    subtasks: dict[str, list[SheetSubtask]] = {}
    for checklist in sorted(board.records("checklists"), key=lambda one: one.number("pos")):
        group = checklist.text("name")
        for item in sorted(checklist.records("checkItems"), key=lambda one: one.number("pos")):
            losses.add("dates of subtasks", "due" in item)
            losses.add("assignees of subtasks", "idMember" in item)
            losses.add("subtasks without a title", not item.text("name").strip())
            subtasks.setdefault(checklist.text("idCard"), []).append(
                SheetSubtask(
                    item.text("name"),
                    is_done=item.text("state") == "complete",
                    group="" if group == _DEFAULT_CHECKLIST else group,
                )
            )
    return subtasks


def _comments_by_card(board: Record) -> Mapping[str, list[SheetComment]]:
    comments: dict[str, list[SheetComment]] = {}
    for card_id, comment in _comments(board):
        comments.setdefault(card_id, []).insert(0, comment)  # the latest is the first
    return comments


def _comments(board: Record) -> Iterator[tuple[str, SheetComment]]:
    for action in board.records("actions"):
        if action.text("type") in _COMMENTS:
            data, author = action.record("data"), action.record("memberCreator")
            name = author.text("fullName") or author.text("username")
            card_id = data.record("card").text("id")
            yield card_id, SheetComment(data.text("text"), name, moment(action.text("date")))
