"""Images: what may be uploaded, and what is told while it travels."""

import struct

import httpx
import pytest

from tests.client.recorded import PNG
from tests.client.scripted import Heard, client, ok, session
from tui.client import errors
from tui.client.editions.client import client_for
from tui.schema.images import image_type


def _boxes(brand: bytes, *compatible: bytes) -> bytes:
    rest = b"ftyp" + brand + b"\0\0\0\0" + b"".join(compatible)
    return struct.pack(">I", len(rest) + 4) + rest + b"\0\0\0\x08free"


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (PNG, "image/png"),
        (b"\xff\xd8\xff\xe0\0\x10JFIF", "image/jpeg"),
        (b"GIF89a\1\0\1\0", "image/gif"),
        (b"GIF87a\1\0\1\0", "image/gif"),
        (b"BM\x36\0\0\0", "image/bmp"),
        (b"II*\0\x08\0\0\0", "image/tiff"),
        (b"MM\0*\0\0\0\x08", "image/tiff"),
        (b"RIFF\x24\0\0\0WEBPVP8 ", "image/webp"),
        (b"\0\0\1\0\1\0", "image/x-icon"),
        (_boxes(b"avif", b"mif1"), "image/avif"),
        (_boxes(b"mif1", b"heic"), "image/heic"),
        (_boxes(b"heic"), "image/heic"),
        (_boxes(b"isom", b"mp42"), None),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", None),
        (b"%PDF-1.7", None),
        (b"RIFF\x24\0\0\0WAVEfmt ", None),
        (b"", None),
        (b"\0\0\0", None),
    ],
)
def test_the_first_bytes_tell_what_a_file_is(content: bytes, kind: str | None) -> None:
    assert image_type(content) == kind


async def test_an_image_is_sent_with_its_type_and_heard_of() -> None:
    requests: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        requests.append(request)
        return ok({"imageAttachment": {"id": "11", "object_id": 0}})

    heard = Heard()
    async with client_for(session(httpx.MockTransport(answer))) as one:
        image = await one.upload_image(1, 3, "a.txt", PNG, progress=heard)
    (request,) = requests
    assert image["id"] == 11
    assert request.headers["Content-Type"].startswith("multipart/form-data; boundary=")
    assert b'name="file"; filename="a.txt"\r\nContent-Type: image/png\r\n' in request.content
    assert PNG in request.content
    assert heard[-1] == (len(request.content), len(request.content))


async def test_what_is_no_image_is_not_sent() -> None:
    one, script = client(ok({}))
    with pytest.raises(errors.Refused, match=r"^notes.png is not an image") as caught:
        await one.upload_image(1, 3, "notes.png", b"just text")
    assert caught.value.params["file"].startswith("must be JPEG, GIF, PNG")
    assert script.requests == []


async def test_an_image_that_is_too_large_is_not_sent() -> None:
    one, script = client(ok({}))
    with pytest.raises(errors.TooLarge, match=r"has 12.0 MB; an image may have at most 10.0 MB"):
        await one.upload_image(1, 3, "big.png", PNG + bytes(12 << 20))
    assert script.requests == []


async def test_the_name_of_a_file_is_shown_as_clean_text() -> None:
    one, _ = client(ok({}))
    with pytest.raises(errors.Refused) as caught:
        await one.upload_image(1, 3, "\x1b[2Jx\u202e\n.png", b"text")
    assert caught.value.message.isprintable()
