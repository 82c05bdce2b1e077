"""A file that comes with a request, as a multipart form (4.4).

The rule it keeps: the file stays in memory until it has been judged; its name is only words to
show, without a path and without anything a terminal would act on.
"""

import re
from collections.abc import AsyncGenerator
from dataclasses import dataclass

from starlette.datastructures import Headers, UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser

from tui.service.errors import ServiceError, invalid
from tui.text import clean

MULTIPART_TYPE = "multipart/form-data"

_FIELD = "file"
_MOST_FIELDS = 10
_LONGEST_NAME, _LONGEST_PATH = 200, 4_096
_PATH_ENDS = re.compile(r"[/\\]")


@dataclass(frozen=True, slots=True)
class Upload:
    """A file that somebody sent: the words it is called by, and what is in it."""

    title: str
    content: bytes


class _InMemoryParser(MultiPartParser):
    """A parser that never writes a part to the disk; the size of the body is limited before."""

    spool_max_size = 2**31


async def read_upload(headers: Headers, raw: bytes) -> Upload:
    """The field `file` of a multipart form.

    Raises 400 when the form cannot be read, 422 when there is no file in it.
    """
    parser = _InMemoryParser(headers, _stream(raw), max_files=1, max_fields=_MOST_FIELDS)
    try:
        form = await parser.parse()
    except (MultiPartException, KeyError, ValueError) as error:
        raise _unreadable() from error
    file = form.get(_FIELD)
    if not isinstance(file, UploadFile):
        await form.close()
        raise invalid(_FIELD, "is required and must be a file")
    content = await file.read()
    await form.close()
    return Upload(_title(file.filename or ""), content)


async def _stream(raw: bytes) -> AsyncGenerator[bytes, None]:
    yield raw


def _title(name: str) -> str:
    """The last part of a file's name, as one clean line."""
    return (
        clean.line(_PATH_ENDS.split(name[-_LONGEST_PATH:])[-1]).strip()[:_LONGEST_NAME] or "image"
    )


def _unreadable() -> ServiceError:
    return ServiceError(
        400, "invalid_form", "The body must be a multipart form with the field “file”."
    )
