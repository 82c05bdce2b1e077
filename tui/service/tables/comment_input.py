"""What a request says of a comment: its text, its pictures, whom it mentions, who wrote it (4.4).

The rule it keeps: a comment has text or a picture; a mention counts for members who are named
beside the text and in it.
"""

from dataclasses import dataclass
from typing import Any

from tui.service import values
from tui.service.accounts.accounts import user_documents
from tui.service.call import Call
from tui.service.errors import ServiceError, invalid
from tui.service.requests.body import Fields, optional
from tui.service.tables.assignees import member_ids
from tui.service.tables.comment_text import LONGEST, comment_html, mentioned_logins, raw_text


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


def read_comment(call: Call, before: str, old: dict[str, Any], mentioned_before: list[int]) -> Said:
    """Read the text and the pictures of the body. Raises 400 when there is neither, 422."""
    asked = WriteComment(call.body)
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
