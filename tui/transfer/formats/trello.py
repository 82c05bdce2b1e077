"""Trello: the JSON of a board, from its menu “Print, export, and share”, or from its interface.

A list is a stage, a checklist a group of subtasks; what is archived there is archived. The export
holds the last thousand actions, so comments from before these are missing. The interface may have
the checklists, comments and members in the cards, and the cards in the lists.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain

from tui.model.colors import COLORS
from tui.transfer.formats.json_values import JsonRecord
from tui.transfer.losses import Losses, field_called
from tui.transfer.moments import moment
from tui.transfer.sheet import (
    Sheet,
    SheetCard,
    SheetComment,
    SheetStage,
    SheetSubtask,
    says_done,
)

_MOST_ACTIONS = 1_000
_COMMENTS = ("commentCard", "copyCommentCard")
_DEFAULT_CHECKLIST = "Checklist"
_SMART = re.compile(r' "smartCard-[a-z]+"(?=\))')
"""How Trello marks a link that it shows as a card."""
_NO_CARDS = {"separator": "separators between cards"}
SILENT = frozenset(
    {
        # The board: its own ids and addresses, and how it looks there.
        *("id", "nodeId", "idOrganization", "idEnterprise", "idMemberCreator", "shortLink", "url"),
        *("shortUrl", "limits", "prefs", "labelNames", "closed", "starred?", "subscribed?"),
        *("pinned?", "dateLastActivity", "dateLastView", "datePluginDisable", "ixUpdate"),
        *("idTags", "idBoardSource", "enterpriseOwned?", "premiumFeatures", "creationMethod"),
        *("creationMethodError", "memberships", "type", "templateGallery", "powerUps"),
        *("hasUnreadComments?", "invited?"),
        *("members.*", "customFields.*"),
        *(f"lists.{name}" for name in ("id", "idBoard", "idOrganization", "nodeId", "limits")),
        *("lists.subscribed?", "lists.creationMethod", "lists.type", "lists.datasource"),
        *(f"labels.{name}" for name in ("id", "idBoard", "idOrganization", "nodeId", "uses")),
        # A card: what it is called besides its id, and what is counted from the rest.
        *(f"card.{name}" for name in ("id", "idShort", "shortLink", "shortUrl", "nodeId")),
        *(f"card.{name}" for name in ("badges", "checkItemStates", "idBoard", "idChecklists")),
        *(f"card.{name}" for name in ("idLabels", "pos", "limits", "descData", "subscribed?")),
        *(f"card.{name}" for name in ("manualCoverAttachment?", "pinned?", "isTemplate?")),
        *(f"card.{name}" for name in ("creationMethod", "creationMethodError", "ixUpdate")),
        *(f"card.{name}" for name in ("idAttachmentCover", "dueComplete?", "mirrorSourceNodeId")),
        *(f"card.cover.{name}" for name in ("size", "brightness", "scaled", "edgeColor")),
        *(f"card.cover.{name}" for name in ("idAttachment", "idUploadedBackground")),
        *(f"card.labels.{name}" for name in ("id", "nodeId", "idBoard", "idOrganization", "uses")),
        *(f"card.attachments.{name}" for name in ("id", "pos", "previews", "edgeColor", "bytes")),
        *(f"card.attachments.{name}" for name in ("isUpload", "mimeType", "fileName")),
        *("card.attachments.isMalicious?", "card.members.*"),
        *(f"card.checklists.{name}" for name in ("id", "idBoard", "idCard", "limits")),
        *("card.checklists.creationMethod", "card.checklists.creationMethodError"),
        *(f"card.checklists.checkItems.{name}" for name in ("id", "idChecklist", "nameData")),
        *("card.checklists.checkItems.limits", "card.checklists.checkItems.textData"),
        *(f"card.comments.{name}" for name in ("id", "idMemberCreator", "appCreator", "limits")),
        *(f"card.comments.{name}" for name in ("display", "memberCreator.*", "data.card.*")),
        *(f"card.comments.data.{name}" for name in ("board", "list", "textData", "idCard")),
    }
)
"""What of an export is no content, as `JsonRecord.list_unread` has it."""


def is_trello(value: object) -> bool:
    """Whether a JSON value is the export of a board, or a list of its cards."""
    if isinstance(value, list):
        first = value[0] if value else None
        return isinstance(first, dict) and {"idList", "name"} <= first.keys()
    return isinstance(value, dict) and "lists" in value and ("cards" in value or "name" in value)


def read_trello(root: JsonRecord, name: str) -> Sheet:
    """The board of an export, called `name` if it has none. Raises `NotReadable`."""
    losses = Losses()
    if root.has_list(""):  # of cards alone, whose lists are not known
        return _read(JsonRecord({}), root.records(""), name, losses)
    board = root.record("")
    within = (board_list.records("cards") for board_list in board.records("lists"))
    return _read(board, [*board.records("cards"), *chain(*within)], name, losses)


def _read(board: JsonRecord, cards: Sequence[JsonRecord], name: str, losses: Losses) -> Sheet:
    lists = sorted(board.records("lists"), key=lambda item: item.number("pos"))
    # Cards need a stage, so that the first list stays even if all are archived.
    active = [board_list for board_list in lists if not board_list.flag("closed")] or lists[:1]
    names = {board_list.text("id"): board_list.text("name") for board_list in lists}
    titles = {board_list.text("id"): names[board_list.text("id")] for board_list in active}
    archived = names.keys() - titles.keys()
    nameless = [title for title in titles.values() if not title.strip()]
    losses.of_board("lists without a name, whose cards are in the first stage", len(nameless))
    for number, card in enumerate(cards):
        card.belongs_to(card.text("id") or number, "card")
    around = _Around(board, cards, losses)
    sheet_cards = [
        _card(card, titles, archived, around, losses)
        for card in sorted(cards, key=lambda item: item.number("pos"))
        if _is_card(card, losses)
    ]
    around.list_rest()
    lost = list(losses.lines())
    if archived:
        lost.append("archived lists: their cards are in the archive, of the first stage")
    if len(board.values("actions")) >= _MOST_ACTIONS:
        lost.append("comments from before the last 1,000 actions, which Trello does not export")
    title = board.text("name") or name
    return Sheet(
        title,
        source=f"trello {board.text('id') or title}",
        stages=tuple(SheetStage(title, says_done(title)) for title in titles.values()),
        cards=tuple(sheet_cards),
        colors=around.colors,
        lost=tuple(lost),
    )


def _is_card(card: JsonRecord, losses: Losses) -> bool:
    kind = "templates of cards" if card.flag("isTemplate") else _NO_CARDS.get(card.text("cardRole"))
    if kind:
        losses.of_board(kind)
        card.skip()
    return not kind


class _Around:
    # What an export has beside the cards, by the ids of these.

    def __init__(self, board: JsonRecord, cards: Sequence[JsonRecord], losses: Losses) -> None:
        self._losses = losses
        self.labels = {
            board_label.text("id"): board_label for board_label in board.records("labels")
        }
        self.fields = {
            field.text("id"): field.text("name") for field in board.records("customFields")
        }
        self.colors: dict[str, str] = {}
        of_cards = [label for card in cards for label in card.records("labels")]
        for label in (*self.labels.values(), *of_cards):
            title = _label_title(label)
            if color := COLORS.get(_color_name(label)):
                self.colors.setdefault(title, color)
        actions = [*board.records("actions"), *chain(*(card.records("actions") for card in cards))]
        self.people = _people([board, *cards], actions)
        self._subtasks: dict[str, list[SheetSubtask]] = {}
        self._comments: dict[str, list[SheetComment]] = {}
        for card in cards:
            for checklist in card.records("checklists"):
                self._take_checklist(checklist, card.text("id"))
        for checklist in sorted(board.records("checklists"), key=lambda item: item.number("pos")):
            self._take_checklist(checklist, checklist.text("idCard"))
        for action in actions:
            self._take_action(action)

    def subtasks_of(self, card_id: str) -> tuple[SheetSubtask, ...]:
        # Removed, so that what is left belongs to no card that was taken.
        return tuple(self._subtasks.pop(card_id, ()))

    def comments_of(self, card_id: str) -> tuple[SheetComment, ...]:
        return tuple(self._comments.pop(card_id, ())[::-1])  # the latest is the first

    def list_rest(self) -> None:
        """List what belongs to no card that was taken."""
        subtasks, comments = self._subtasks.values(), self._comments.values()
        self._losses.of_board("subtasks of no card", sum(map(len, subtasks)))
        self._losses.of_board("comments of no card", sum(map(len, comments)))

    def _take_checklist(self, checklist: JsonRecord, card_id: str) -> None:
        checklist.belongs_to(card_id, "card.checklists")
        group = checklist.text("name")
        for item in sorted(checklist.records("checkItems"), key=lambda item: item.number("pos")):
            self._subtasks.setdefault(card_id, []).append(
                SheetSubtask(
                    item.text("name"),
                    is_done=item.text("state") == "complete",
                    group="" if group == _DEFAULT_CHECKLIST else group,
                )
            )

    def _take_action(self, action: JsonRecord) -> None:
        data = action.record("data")
        card_id = data.record("card").text("id") or data.text("idCard")
        if action.text("type") not in _COMMENTS:
            if card_id:
                self._losses.of_card("history, such as moves", card_id)
            action.skip()
            return
        action.belongs_to(card_id, "card.comments")
        author = action.record("memberCreator")
        name = author.text("fullName") or author.text("username")
        text, at = data.text("text"), moment(action.text("date"))
        self._comments.setdefault(card_id, []).append(SheetComment(text, name, at))


def _people(
    holders: Sequence[JsonRecord], actions: Sequence[JsonRecord]
) -> Mapping[str, tuple[str, ...]]:
    # The names of members by id; those who have left the board are in its actions alone.
    people: dict[str, tuple[str, ...]] = {}

    def note(person: JsonRecord) -> None:
        names = (person.text("fullName") or person.text("name"), person.text("username"))
        if called := tuple(filter(None, names)):
            people.setdefault(person.text("id"), called)

    for holder in holders:
        for person in holder.records("members"):
            note(person)
    for action in actions:
        for name in ("member", "memberCreator"):
            note(action.record(name))
        note(action.record("data").record("member"))
    return people


def _card(
    card: JsonRecord,
    titles: Mapping[str, str],
    archived: Collection[str],
    around: _Around,
    losses: Losses,
) -> SheetCard:
    own_id, list_id = card.text("id"), card.text("idList")
    if list_id and list_id not in titles and list_id not in archived:
        card.leave("idList")
    # Once opened as a record, it is listed part by part.
    card.record("cover")
    for value in card.records("customFieldItems"):
        name = around.fields.get(value.text("idCustomField"), "")
        losses.of_card(f"custom field {field_called(name)}" if name else "custom fields", own_id)
        value.skip()
    labels = card.records("labels") or [
        around.labels[label_id]
        for label_id in _texts(card, "idLabels")
        if label_id in around.labels
    ]
    if not all(map(_label_title, labels)):
        losses.of_card("labels without a name or color", own_id)
    return SheetCard(
        card.text("name"),
        key=own_id and f"trello {own_id}",
        stage=titles.get(list_id, ""),
        description="\n\n".join(filter(None, (_description(card), _attachments(card)))),
        labels=tuple(map(_label_title, labels)),
        people=tuple(
            around.people.get(member_id, (member_id,)) for member_id in _texts(card, "idMembers")
        ),
        due_at=card.understood("due", moment(card.text("due"))),
        started_at=card.understood("start", moment(card.text("start"))),
        subtasks=around.subtasks_of(own_id),
        comments=around.comments_of(own_id),
        is_done=card.flag("dueComplete") or says_done(titles.get(list_id, "")),
        is_archived=card.flag("closed") or list_id in archived,
    )


def _texts(card: JsonRecord, name: str) -> Iterator[str]:
    return iter(dict.fromkeys(card.texts(name)))


def _description(card: JsonRecord) -> str:
    return _SMART.sub("", card.text("desc"))


def _color_name(label: JsonRecord) -> str:
    # Trello's names are as green, green_dark and green_light.
    name, _, shade = label.text("color").partition("_")
    return f"dark {name}" if shade == "dark" else name


def _label_title(label: JsonRecord) -> str:
    return label.text("name") or _color_name(label)


def _attachments(card: JsonRecord) -> str:
    lines = []
    for attachment in card.records("attachments"):
        if url := attachment.text("url"):
            name = attachment.text("name").translate({ord(sign): None for sign in "[]"})
            lines.append(f"- [{name}](<{url}>)" if name and name != url else f"- <{url}>")
    return "\n".join(("Attachments:", "", *lines)) if lines else ""
