"""Text as deployed services let it through: control characters, tags, entities, secrets."""

import json
import re
from dataclasses import dataclass, replace
from html import escape
from typing import Any

from tests.quirky.asking import Answer, Asked, Onward
from tests.quirky.quirks import Quirks

LEAK = (
    " (SQL: select * from `t_boards` where `id` = 1)"
    " in /srv/www/plugins/boards/app/Models/Board.php on line 42"
)
_HIDDEN_AT = 0xF0000
_CONTROLS = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]"
)
_HIDDEN = re.compile("[\U000f0000-\U000fffff]")
_TAG = re.compile(r"</?[a-zA-Z][^>]*>")
_TITLES = ("title", "label", "name")


@dataclass(frozen=True, slots=True)
class Texts:
    """Hides control characters from the real service, which would remove them, in private ones."""

    quirks: Quirks

    async def __call__(self, asked: Asked, onward: Onward) -> Answer:
        answer = await onward(self._taken(asked))
        if not answer.is_json:
            return answer
        if self.quirks.hostile_text:
            answer = replace(answer, body=_shown(answer.body))
        if not answer.is_success and isinstance(answer.body, dict):
            self._mark_up(answer.body)
        return answer

    def _taken(self, asked: Asked) -> Asked:
        if not asked.headers.get("content-type", "").startswith("application/json"):
            return asked
        try:
            body = json.loads(asked.content or b"{}")
        except ValueError:
            return asked
        if self.quirks.tags_stripped:
            body = _stripped(body)
        if self.quirks.hostile_text:
            body = _each_text(body, lambda text: _CONTROLS.sub(_hide, text))
        return replace(asked, content=json.dumps(body).encode())

    def _mark_up(self, body: dict[str, Any]) -> None:
        message = body.get("message")
        if not isinstance(message, str) or body.get("code") in ("rest_no_route", "rest_forbidden"):
            return
        if self.quirks.marked_up_messages:
            message = message.replace("“", "<b>&ldquo;").replace("”", "&rdquo;</b>")
            message = message if "<" in message else escape(message)
        if self.quirks.leaking_messages and not message.rstrip(".").endswith("not found"):
            message += LEAK
        body["message"] = message


def _hide(found: re.Match[str]) -> str:
    return chr(_HIDDEN_AT + ord(found[0]) % 0x10000)


def _shown(value: Any) -> Any:
    return _each_text(value, lambda text: _HIDDEN.sub(_show, text))


def _show(found: re.Match[str]) -> str:
    return chr(ord(found[0]) - _HIDDEN_AT)


def _each_text(value: Any, change: Any) -> Any:
    """A document with every text in it changed."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, list):
        return [_each_text(item, change) for item in value]
    if isinstance(value, dict):
        return {key: _each_text(item, change) for key, item in value.items()}
    return value


def _stripped(value: Any, name: str = "") -> Any:
    """A document whose titles have no tags and no runs of blanks."""
    if isinstance(value, dict):
        named = value.get("property")
        return {
            key: _stripped(item, str(named) if key == "value" and named else key)
            for key, item in value.items()
        }
    if isinstance(value, str) and name in _TITLES:
        return " ".join(_TAG.sub("", value).split())
    return value
