"""Idempotency keys: requests repeated under the same key are carried out once.

The reply is stored in the transaction of its change. Only successful replies are stored: a refused
request may be sent again under its key.
"""

import hashlib
import re
from dataclasses import dataclass
from datetime import timedelta

from starlette.requests import Request
from starlette.responses import Response

from tui.service.call import Call
from tui.service.errors import ServiceError
from tui.service.requests.forms import Upload
from tui.service.requests.replies import RawJson, json_reply
from tui.service.times import iso

KEY_HEADER = "Idempotency-Key"
REPLAYED_HEADER = "Idempotent-Replayed"
KEY_PATTERN = "[!-~]{1,128}"

_KEPT_FOR = timedelta(days=2)
_ROWS_BETWEEN_CLEANINGS = 64


@dataclass(frozen=True, slots=True)
class KeyedRequest:
    """A request's idempotency key, and a digest of its content."""

    key: str
    digest: str

    @classmethod
    def of(cls, request: Request, raw: bytes, upload: Upload | None) -> "KeyedRequest | None":
        """The key of a request and its digest; None without a key.

        The digest covers method, path, query and body; of an upload, its name and content, because
        the boundary of a multipart form differs each time. Raises 422 for a malformed key.
        """
        keys = request.headers.getlist(KEY_HEADER)
        if not keys:
            return None
        if len(keys) > 1 or not re.fullmatch(KEY_PATTERN, keys[0]):
            raise ServiceError(
                422,
                "invalid_idempotency_key",
                f"{KEY_HEADER} must be 1 to 128 printable ASCII characters without spaces.",
            )
        digest = hashlib.sha256()
        body = raw if upload is None else upload.title.encode() + b"\0" + upload.content
        for part in (request.method, request.url.path, request.url.query):
            digest.update(part.encode() + b"\0")
        digest.update(body)
        return cls(keys[0], digest.hexdigest())

    def stored_reply(self, call: Call) -> Response | None:
        """The stored reply to an earlier request of the same account with this key.

        Raises 422 if the earlier request had another content.
        """
        own = {"account_id": call.user.id, "idempotency_key": self.key}
        row = call.db.find("idempotent_reply", **own)
        if row is None:
            return None
        if row["digest"] != self.digest:
            raise ServiceError(
                422,
                "idempotency_key_reused",
                f"This {KEY_HEADER} was used for a different request; nothing was changed.",
            )
        return json_reply(RawJson(row["body"]), row["status"], {REPLAYED_HEADER: "true"})

    def store(self, call: Call, reply: Response) -> None:
        """Store a reply for at least two days; every 64th one deletes older replies."""
        row_id = call.db.insert(
            "idempotent_reply",
            account_id=call.user.id,
            idempotency_key=self.key,
            digest=self.digest,
            status=reply.status_code,
            body=bytes(reply.body).decode(),
            created_at=call.stamp,
        )["id"]
        if row_id % _ROWS_BETWEEN_CLEANINGS == 0:
            call.db.run(
                "delete from idempotent_reply where created_at < :limit",
                limit=iso(call.now - _KEPT_FOR),
            )
