"""Comments that lose part of what was said, and pictures that are refused."""

import re
from dataclasses import dataclass, field
from html import escape
from typing import Any

from tests.quirky.asking import Answer, Asked, Onward, breakdown, objects
from tests.quirky.quirks import Quirks

LARGEST_TEXT = 65_535
_COMMENTS = "/projects/{board}/tasks/{task}/comments"
_TAG = re.compile(r"</?[a-zA-Z][^>]*>")
_MEGABYTE = 1 << 20
_ICO = b"\r\n\r\n\x00\x00\x01\x00"
_TOO_LARGE = b"<html><head><title>413 Request Entity Too Large</title></head></html>"
_NO_IMAGE = {"file": {"mimetypes": "The file must be a image type."}}


_NO_AUTHOR = {"created_by": {"required": "The created_by field is required."}}


@dataclass(frozen=True, slots=True)
class Commenting:
    """Takes comments and pictures; remembers which comments are never listed."""

    quirks: Quirks
    _hidden: dict[int, int] = field(default_factory=dict)
    """The task of each, by its id."""

    async def __call__(self, asked: Asked, onward: Onward) -> Answer:
        if asked.path.endswith("/comment-image-upload"):
            return self._refused(asked.content) or await onward(asked)
        if "/comments" not in asked.path:
            return await onward(asked)
        if isinstance(asked.body.get("comment"), str):
            asked = asked.saying(asked.body | {"comment": self._kept(asked.body["comment"])})
        if asked.ids("POST", _COMMENTS):
            answer = await self._made(asked, onward)
        else:
            answer = await onward(asked)
        listed = asked.ids("GET", _COMMENTS)
        if listed and answer.is_success:
            self._hide(answer.body, listed["task"])
        if self.quirks.comments_stripped and answer.is_json:
            for record in objects(answer.body):
                raw = record.get("raw_description")
                if isinstance(raw, str):
                    record["raw_description"] = escape(raw, quote=False)
        return answer

    async def _made(self, asked: Asked, onward: Onward) -> Answer:
        """Make a comment, or refuse it."""
        is_reply = asked.body.get("comment_type") == "reply"
        if is_reply and not asked.body.get("parent_id") and self.quirks.orphan_replies:
            await onward(asked.saying(asked.body | {"comment_type": "comment"}))
            return Answer(400, "Undefined array key parent_id")
        if self.quirks.author_required and not asked.body.get("comment_by"):
            return Answer(422, _NO_AUTHOR)
        is_hidden = not is_reply and self._hides(asked)
        if asked.body.get("parent_id") == "":
            asked = asked.saying(asked.body | {"parent_id": None})
        answer = await onward(asked)
        if is_hidden and answer.is_success:
            answer.body["comment"]["parent_id"] = False
            self._hidden[answer.body["comment"]["id"]] = answer.body["comment"]["task_id"]
        return answer

    def _hides(self, asked: Asked) -> bool:
        """Whether a comment is stored as an answer to nothing, because of its `parent_id`."""
        said = asked.body.get("parent_id", "missing")
        if self.quirks.null_parent_hides:
            return said in (None, "missing")
        return self.quirks.null_parent_required and said is not None

    def _hide(self, body: dict[str, Any], task_id: int) -> None:
        """Leave comments out of a page that are never listed."""
        page = body["comments"]
        page["data"] = [one for one in page["data"] if one["id"] not in self._hidden]
        page["total"] -= list(self._hidden.values()).count(task_id)
        body["total"] = page["total"]

    def _kept(self, text: str) -> str:
        """What is left of a text."""
        if self.quirks.comments_stripped:
            text = _TAG.sub("", text)
        if self.quirks.comments_cut:
            text = text.encode()[:LARGEST_TEXT].decode(errors="ignore")
        return text

    def _refused(self, upload: bytes) -> Answer | None:
        """The refusal of a picture; None if it is taken."""
        if not self.quirks.small_images:
            return None
        if len(upload) > 10 * _MEGABYTE:
            return Answer(413, content=_TOO_LARGE, media_type="text/html")
        if len(upload) > 8 * _MEGABYTE:
            return breakdown("Cannot use object of type t_Error as array")
        if len(upload) > 2 * _MEGABYTE or _ICO in upload[:1000]:
            return Answer(422, _NO_IMAGE)
        return None
