"""What a request says of a comment: its text, its pictures, whom it mentions (4.4, 2.5).

A comment is plain text; nothing in it is markup. Addresses become links, without the full stop
behind them. A mention is `@`, U+200B, the login, U+200C, and counts only for members who are named
beside the text and in it.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from typing import Any

from tui.service import values
from tui.service.accounts.accounts import user_documents
from tui.service.call import Call
from tui.service.errors import ServiceError, invalid
from tui.service.requests.body import Fields, optional
from tui.service.tables.tasks import member_ids
from tui.text import clean

LONGEST = 65_535
_MENTION_BEGINS, _MENTION_ENDS = "@\u200b", "\u200c"
_PIECE = re.compile(r"(https?://[^\s<>\"'\u200b\u200c]+)|@\u200b([^\u200c\n]{1,200})\u200c")
_TRAILING = ".,;:!?"


def raw_text(typed: str) -> str:
    """The text without anything a terminal would act on; marks of mentions stay."""
    pieces = typed.split(_MENTION_BEGINS)
    return _MENTION_BEGINS.join(clean.text(piece) for piece in pieces).strip()


def mentioned_logins(raw: str) -> set[str]:
    """The logins that a text mentions."""
    return {match[2] for match in _PIECE.finditer(raw) if match[2]}


def comment_html(raw: str, mentioned: Mapping[str, tuple[int, str]]) -> str:
    """The text as HTML; `mentioned` gives the id and the name for the logins that are linked."""
    written: list[str] = []
    end = 0
    for match in _PIECE.finditer(raw):
        written.append(escape(raw[end : match.start()], quote=False))
        written.append(_link(match[1]) if match[1] else _mention(match[2], mentioned))
        end = match.end()
    written.append(escape(raw[end:], quote=False))
    return "".join(written)


def _link(address: str) -> str:
    bare = address.rstrip(_TRAILING)
    if bare.endswith(")") and "(" not in bare:
        bare = bare[:-1]
    rest = address[len(bare) :]
    return f'<a href="{escape(bare)}">{escape(bare, quote=False)}</a>{escape(rest, quote=False)}'


def _mention(login: str, mentioned: Mapping[str, tuple[int, str]]) -> str:
    if login not in mentioned:
        return escape(f"@{login}", quote=False)
    person_id, name = mentioned[login]
    return f'<a class="mention" href="#/member/{person_id}">{escape(name, quote=False)}</a>'


@dataclass(frozen=True, slots=True)
class Said:
    """The text, its HTML and settings, the pictures, and who is newly mentioned.

    `images` is None when the request says nothing of them.
    """

    raw: str
    html: str
    settings: dict[str, Any]
    images: list[int] | None
    newly_mentioned: list[int]


@values.takes(type="string")
def _typed(field: str, value: object) -> str:
    if not isinstance(value, str):
        raise invalid(field, "must be text")
    if len(value) > LONGEST or len(value.encode(errors="replace")) > LONGEST:
        raise invalid(field, "must have at most 64 kB")
    return value


class WriteComment(Fields):
    """What every comment may hold."""

    text = optional("comment", _typed)
    images = optional("images", values.ids)
    mentioned = optional("mentionData", values.ids)


def read_comment(
    call: Call, asked: WriteComment, before: str, old: dict[str, Any], mentioned_before: list[int]
) -> Said:
    """Read the text and the pictures of the body. Raises 400 when there is neither, 422."""
    images, text = asked.images, asked.text
    if text is None:
        text = before if images else ""
    raw = raw_text(text)
    if not raw and not images:
        raise ServiceError(400, "comment_empty", "A comment needs text or an image.")
    mentioned = _mentioned(call, raw, [*(asked.mentioned or ()), *mentioned_before])
    ids = sorted(person for person, _ in mentioned.values())
    return Said(
        raw=raw,
        html=comment_html(raw, mentioned),
        settings=old | {"raw_description": raw, "mentioned_id": ids},
        images=images,
        newly_mentioned=[person for person in ids if person not in mentioned_before],
    )


def _mentioned(call: Call, raw: str, named: list[int]) -> dict[str, tuple[int, str]]:
    """The id and the name of members who are named and mentioned in the text, by login."""
    members = member_ids(call, call.board_id)
    people = user_documents(call.db, (person for person in named if person in members), call.user)
    logins = mentioned_logins(raw)
    return {
        user["user_login"]: (user["ID"], user["display_name"])
        for user in people.values()
        if user["user_login"] in logins
    }
