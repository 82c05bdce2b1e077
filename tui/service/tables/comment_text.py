"""What a person typed into a comment, as text that is kept and as HTML that is shown (2.5).

The rule it keeps: a comment is plain text; nothing in it is markup. Addresses become links,
without the full stop behind them. A mention is `@`, U+200B, the login, U+200C, and counts only
for people who are named beside it.
"""

import re
from collections.abc import Mapping
from html import escape

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
