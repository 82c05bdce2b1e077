"""Encodes request bodies: JSON, a form, or a file (section 2).

The length is known before sending; the body is sent in pieces, to report progress.
"""

import json
import re
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from urllib.parse import urlencode

from tui.client.documents import BytesListener
from tui.client.endpoints import Encoding, RequestLine

_PIECE = 64 * 1024
_MEDIA_TYPE = re.compile(r"[\w.+-]+/[\w.+-]+", re.ASCII)
_ANY_BYTES = "application/octet-stream"
_UPLOAD_FIELD = "file"


@dataclass(frozen=True, slots=True)
class Upload:
    """A file to send, with its media type; `progress` is called as it is sent."""

    name: str
    content_type: str
    content: bytes = field(repr=False)
    progress: BytesListener | None = None


Body = Mapping[str, object] | Upload


def without_none(**members: object) -> dict[str, object]:
    """A body of the members that are not None."""
    return {name: value for name, value in members.items() if value is not None}


@dataclass(frozen=True, slots=True)
class EncodedBody:
    """A body as sent over the wire."""

    content_type: str
    content: bytes = field(repr=False)
    progress: BytesListener | None = None

    def to_send(self) -> bytes | AsyncIterator[bytes]:
        """The whole body, or its pieces if progress is reported."""
        return self.content if self.progress is None else self._pieces(self.progress)

    async def _pieces(self, progress: BytesListener) -> AsyncIterator[bytes]:
        """The body in pieces; one counts as sent when the next one is requested."""
        size = len(self.content)
        for start in range(0, size, _PIECE):
            yield self.content[start : start + _PIECE]
            progress(min(start + _PIECE, size), size)


def encode_body(route: RequestLine, body: Body) -> EncodedBody:
    """Encode a body as its route requires.

    Raises `TypeError` for a file where none is accepted, or the other way round.
    """
    if isinstance(body, Upload) != (route.encoding is Encoding.MULTIPART):
        raise TypeError(f"{route} does not take {type(body).__name__}")
    if isinstance(body, Upload):
        return _multipart(body)
    if route.encoding is Encoding.FORM:
        pairs = [pair for name, value in body.items() for pair in _pairs(name, value)]
        content = urlencode(pairs, errors="replace").encode("ascii")
    else:
        # With escapes, since UTF-8 cannot encode lone surrogates that somebody pasted.
        content = json.dumps(body).encode("ascii")
    return EncodedBody(route.encoding.value, content)


def _pairs(name: str, value: object) -> Iterator[tuple[str, str]]:
    """A value as form fields: nested names in brackets, the elements of a list as `name[]`."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _pairs(f"{name}[{key}]", inner)
    elif isinstance(value, (list, tuple)):
        for index, inner in enumerate(value):
            is_plain = not isinstance(inner, (Mapping, list, tuple))
            yield from _pairs(f"{name}[]" if is_plain else f"{name}[{index}]", inner)
    elif isinstance(value, bool):
        yield name, str(value).lower()
    else:
        yield name, "" if value is None else str(value)


def _multipart(upload: Upload) -> EncodedBody:
    """A form with one file; its digest is the boundary, which it cannot contain itself."""
    boundary = f"callboard-{sha256(upload.content).hexdigest()[:32]}"
    name = upload.name.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")
    is_plain = _MEDIA_TYPE.fullmatch(upload.content_type)
    head = (
        f"--{boundary}\r\n"
        f'Content-Disposition: form-data; name="{_UPLOAD_FIELD}"; filename="{name}"\r\n'
        f"Content-Type: {upload.content_type if is_plain else _ANY_BYTES}\r\n\r\n"
    )
    return EncodedBody(
        f"{Encoding.MULTIPART.value}; boundary={boundary}",
        head.encode(errors="replace") + upload.content + f"\r\n--{boundary}--\r\n".encode(),
        upload.progress,
    )
