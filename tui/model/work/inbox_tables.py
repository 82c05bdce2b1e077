"""The inbox as values of JSON, and back; what is no entry is left out."""

from datetime import datetime
from typing import Any

from tui.model.work.inbox import Inbox, InboxEntry, InboxKind
from tui.text.clean import line
from tui.text.dates import wall_clock

_ENTRIES, _KNOWN = "entries", "known"


def inbox_of(values: dict[str, Any]) -> Inbox:
    """The inbox in what was stored, without what is none."""
    entries = [*filter(None, map(_entry, _list(values.get(_ENTRIES))))]
    known = {
        int(board): {int(card): bool(waits) for card, waits in cards.items() if _is_id(card)}
        for board, cards in _dict(values.get(_KNOWN)).items()
        if _is_id(board) and isinstance(cards, dict)
    }
    return Inbox({entry.key: entry for entry in entries}, known)


def values_of(inbox: Inbox) -> dict[str, Any]:
    """What to store of an inbox."""
    return {
        _ENTRIES: [_table(entry) for entry in inbox.entries.values()],
        _KNOWN: {
            str(board): {str(card): int(waits) for card, waits in cards.items()}
            for board, cards in inbox.known.items()
        },
    }


def _table(entry: InboxEntry) -> dict[str, Any]:
    table: dict[str, Any] = {
        "key": entry.key,
        "kind": entry.kind.value,
        "board": entry.board_id,
        "card": entry.task_id,
        "at": entry.at.isoformat(),
        "title": entry.title,
        "who": entry.who,
        "text": entry.text,
        "comment": entry.comment_id,
        "read_at": entry.read_at.isoformat() if entry.read_at is not None else None,
    }
    return {name: value for name, value in table.items() if value not in ("", None)}


def _entry(table: Any) -> InboxEntry | None:
    if not isinstance(table, dict):
        return None
    try:
        at, read_at = _time(table["at"]), table.get("read_at")
        comment_id = table.get("comment")
        entry = InboxEntry(
            str(table["key"]),
            InboxKind(table["kind"]),
            int(table["board"]),
            int(table["card"]),
            at,
            title=line(str(table.get("title", ""))),
            who=line(str(table.get("who", ""))),
            text=line(str(table.get("text", ""))),
            comment_id=comment_id if type(comment_id) is int else None,
            read_at=_time(read_at) if read_at is not None else None,
        )
        entry.words(wall_clock())  # a date in it may be none
    except (KeyError, ValueError, TypeError, OverflowError):
        return None
    return entry


def _time(text: Any) -> datetime:
    at = datetime.fromisoformat(text)
    if at.tzinfo is None:
        raise ValueError(text)
    return at


def _is_id(text: Any) -> bool:
    return isinstance(text, str) and text.removeprefix("-").isdecimal()


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
