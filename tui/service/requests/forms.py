"""Parsing of form bodies into the same objects as JSON, and of file uploads (4.4).

Names with brackets are nested objects and lists, so that a handler gets the same body from a form
and from JSON: `customField[options][]=a` is `{"customField": {"options": ["a"]}}`. Every value is
text, which the field's reader converts. Contradictory names are refused. A file stays in memory
until it has been checked; its name is used for display only.
"""

import asyncio
import re
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Any

from starlette.datastructures import Headers, UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser

from tui.service.errors import ServiceError, invalid
from tui.text import clean

JSON_TYPE = "application/json"
FORM_TYPE = "application/x-www-form-urlencoded"
MULTIPART_TYPE = "multipart/form-data"

_MOST_FIELDS = 1000
_NAME = re.compile(r"([^\[\]]+)((?:\[[^\[\]]*\]){0,4})")
_PART = re.compile(r"\[([^\[\]]*)\]")
# Decoded in runs of this length, so that other requests can run beside a form of megabytes.
_ESCAPES = re.compile(rb"%[0-9A-Fa-f]{2}(?:%[0-9A-Fa-f]{2}){0,9999}")
_FILE_FIELD = "file"
_MOST_PARTS = 10
_LONGEST_NAME, _LONGEST_PATH = 200, 4_096
_PIECE = 64 * 1024
_PATH_ENDS = re.compile(r"[/\\]")


def media_type(content_type: str) -> str:
    """The media type in a Content-Type header, without its parameters."""
    return content_type.partition(";")[0].strip().lower()


def parse_form(raw: bytes) -> dict[str, Any]:
    """The fields of a form or of a query string.

    `a[b]=1` is a field of an object, `a[]=1` and `a[0]=1` are entries of a list. Raises
    `ServiceError` 400 when they cannot be read or are more than a thousand.
    """
    if raw.count(b"&") >= _MOST_FIELDS:
        raise _unreadable()
    form: dict[str, Any] = {}
    for field in filter(None, raw.split(b"&")):
        name, _, value = field.partition(b"=")  # a missing value is empty
        match = _NAME.fullmatch(_decoded(name))
        if match is None:
            raise _unreadable()
        _put(form, [match[1], *_PART.findall(match[2])], _decoded(value))
    return {name: _with_lists(value) for name, value in form.items()}


def _decoded(raw: bytes) -> str:
    """A decoded name or value; an invalid percent sign stands for itself."""
    try:
        return _ESCAPES.sub(
            lambda match: bytes.fromhex(match[0].replace(b"%", b"").decode()),
            raw.replace(b"+", b" "),
        ).decode()
    except UnicodeDecodeError as error:
        raise _unreadable() from error


def _put(form: dict[str, Any], path: list[str], value: str) -> None:
    """Set a value at a path; an entry without a name gets the next number."""
    *steps, last = path
    for step in steps:
        form = form.setdefault(step or str(len(form)), {})
        if not isinstance(form, dict):
            raise _unreadable()
    name = last or str(len(form))
    if isinstance(form.get(name), dict):
        raise _unreadable()
    form[name] = value


def _with_lists(value: object) -> object:
    """A value of a form; objects with the keys 0, 1, 2 and so on become lists."""
    if not isinstance(value, dict):
        return value
    parts = {name: _with_lists(part) for name, part in value.items()}
    # `[]` gets the numbers 0, 1, 2 … in `_put`, so both notations end here.
    is_list = list(parts) == [str(number) for number in range(len(parts))]
    return list(parts.values()) if is_list else parts


def _unreadable() -> ServiceError:
    return ServiceError(400, "invalid_form", "The fields of the form cannot be read.")


@dataclass(frozen=True, slots=True)
class UploadedFile:
    """An uploaded file with its title."""

    title: str
    content: bytes


async def read_upload(headers: Headers, raw: bytes) -> UploadedFile:
    """The field `file` of a multipart form.

    Raises 400 if the form is invalid, 422 if it has no file.
    """
    parser = MultiPartParser(headers, _stream(raw), max_files=1, max_fields=_MOST_PARTS)
    parser.spool_max_size = 2**31  # no part is written to disk; the body's size is limited before
    try:
        form = await parser.parse()
    except (MultiPartException, KeyError, ValueError) as error:
        message = "The body must be a multipart form with the field “file”."
        raise ServiceError(400, "invalid_form", message) from error
    file = form.get(_FILE_FIELD)
    if not isinstance(file, UploadFile):
        await form.close()
        raise invalid(_FILE_FIELD, "is required and must be a file")
    content = await file.read()
    await form.close()
    # The last part of a file name, as one terminal-safe line.
    name = _PATH_ENDS.split((file.filename or "")[-_LONGEST_PATH:])[-1]
    return UploadedFile(clean.line(name).strip()[:_LONGEST_NAME] or "image", content)


async def _stream(raw: bytes) -> AsyncGenerator[bytes, None]:
    for start in range(0, len(raw), _PIECE):
        yield raw[start : start + _PIECE]
        await asyncio.sleep(0)  # 16 MB take 15 ms, in which others are answered
