"""Comments that lose part of what was said, and pictures that are refused."""

import re
from dataclasses import dataclass
from html import escape

from tests.quirky.asking import Answer, Asked, Onward, fault, objects
from tests.quirky.quirks import Quirks

LARGEST_TEXT = 65_535
_COMMENTS = "/projects/{board}/tasks/{task}/comments"
_TAG = re.compile(r"</?[a-zA-Z][^>]*>")
_MEGABYTE = 1 << 20
_ICO = b"\r\n\r\n\x00\x00\x01\x00"
_TOO_LARGE = b"<html><head><title>413 Request Entity Too Large</title></head></html>"
_NO_IMAGE = {"file": {"mimetypes": "The file must be a image type."}}


@dataclass(frozen=True, slots=True)
class Commenting:
    """Takes comments and pictures."""

    quirks: Quirks

    async def __call__(self, asked: Asked, onward: Onward) -> Answer:
        if asked.path.endswith("/comment-image-upload"):
            return self._refused(asked.content) or await onward(asked)
        if "/comments" not in asked.path:
            return await onward(asked)
        if isinstance(asked.body.get("comment"), str):
            asked = asked.saying(asked.body | {"comment": self._kept(asked.body["comment"])})
        is_orphan = asked.body.get("comment_type") == "reply" and not asked.body.get("parent_id")
        if asked.ids("POST", _COMMENTS) and is_orphan and self.quirks.orphan_replies:
            await onward(asked.saying(asked.body | {"comment_type": "comment"}))
            return Answer(400, "Undefined array key parent_id")
        answer = await onward(asked)
        if self.quirks.comments_stripped and answer.is_json:
            for record in objects(answer.body):
                raw = record.get("raw_description")
                if isinstance(raw, str):
                    record["raw_description"] = escape(raw, quote=False)
        return answer

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
            return fault("Cannot use object of type t_Error as array")
        if len(upload) > 2 * _MEGABYTE or _ICO in upload[:1000]:
            return Answer(422, _NO_IMAGE)
        return None
