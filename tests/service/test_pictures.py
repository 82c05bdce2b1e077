"""Pictures in comments: recognised, kept, shown for a while, and gone with their comment."""

import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.service import pictures
from tests.service.world import File, World, furnished_world
from tui.service.account_keeping import remove_account
from tui.service.attachments import Attachments
from tui.service.times import SiteClock

COMMENTS = "/projects/1/tasks/1/comments"
UPLOAD = "/projects/1/tasks/1/comment-image-upload"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "attachments"


@pytest.fixture
def world(folder: Path) -> Iterator[World]:
    world = furnished_world(attachments=Attachments(folder))
    yield world
    world.close()


def _upload(world: World, file: File | None = None, who: str = "bob") -> Any:
    return world.done(who, "POST", UPLOAD, file or File(pictures.png())).at("imageAttachment")


def _comment(world: World, who: str = "bob", **body: object) -> Any:
    sent = {"comment_type": "comment", **body}
    return world.done(who, "POST", COMMENTS, sent).at("comment")


def _files(folder: Path) -> list[Path]:
    return sorted(folder.iterdir()) if folder.exists() else []


@pytest.mark.parametrize("picture", pictures.TYPES, ids=lambda picture: str(picture.__name__))
def test_every_listed_format_is_recognised_and_comes_back(
    world: World, picture: Callable[..., bytes]
) -> None:
    image = _upload(world, File(picture(), "x.exe", "text/html"))
    assert image["attachment_type"] == pictures.TYPES[picture]
    response = world.fetch("nobody", "GET", image["secure_url"])
    assert response.content == picture()
    assert response.headers["content-type"] == pictures.TYPES[picture]
    assert response.headers["x-content-type-options"] == "nosniff"
    assert "sandbox" in response.headers["content-security-policy"]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"#!/bin/sh\nrm -rf ~\n",
        b"<svg xmlns='http://www.w3.org/2000/svg' onload='x()'/>",
        b"<html><script>x()</script>",
        b"%PDF-1.7",
        b"RIFF\0\0\0\0WAVEfmt ",
        b"\0\0\0\x18ftypmp42" + bytes(12),
        pictures.png()[:20],
        pictures.jpeg()[:6],
        pictures.tiff()[:12],
        pictures.webp()[:14],
        pictures.avif()[:30],
        pictures.ico()[:8],
        b"\0\0\1\0\0\0",
    ],
)
def test_what_is_no_picture_is_refused(world: World, folder: Path, content: bytes) -> None:
    answer = world.ask("bob", "POST", UPLOAD, File(content, "innocent.png"))
    assert (answer.status, answer.body["code"]) == (422, "invalid_field")
    assert _files(folder) == []


@pytest.mark.parametrize(
    "bomb",
    [
        pictures.png(50_000, 50_000),
        pictures.png(0, 5),
        pictures.png(20_000, 20_000),
        pictures.gif(65_535, 65_535),
        pictures.bmp(2**31 - 1, 1),
        pictures.jpeg(65_500, 65_500),
        pictures.tiff(2**32 - 1, 65_535),
        pictures.webp(2**24, 2**24),
        pictures.lossless_webp(16_384, 16_384),
        pictures.avif(2**32 - 1, 2**32 - 1),
        pictures.heic(100_000, 100_000),
        pictures.png_ico(60_000, 60_000),
    ],
)
def test_a_picture_that_claims_too_many_pixels_is_refused(
    world: World, folder: Path, bomb: bytes
) -> None:
    answer = world.ask("bob", "POST", UPLOAD, File(bomb))
    assert (answer.status, list(answer.at("data.params"))) == (422, ["file"])
    assert "pixels" in answer.body["message"]
    assert _files(folder) == []


def test_a_file_beyond_the_limit_is_refused_and_one_within_is_not(
    world: World, folder: Path
) -> None:
    limit = 10 * 1024 * 1024
    picture = pictures.png()
    largest = picture + bytes(limit - len(picture))
    assert world.ask("bob", "POST", UPLOAD, File(largest + b"\0")).status == 413
    assert _files(folder) == []
    assert _upload(world, File(largest))["file_size"] == "10.0 MB"
    body = world.ask("bob", "POST", UPLOAD, File(bytes(100 * 1024 * 1024)))
    assert (body.status, body.body["code"]) == (413, "too_large")


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("../../etc/passwd", "passwd"),
        ("C:\\temp\\a.png", "a.png"),
        ("/", "image"),
        ("..", ".."),
        ("\x1b[2Jx.png", "x.png"),
        ("a" * 300 + ".png", "a" * 200),
        ("blümchen 🌷.png", "blümchen 🌷.png"),
    ],
)
def test_a_name_is_only_words(world: World, folder: Path, name: str, title: str) -> None:
    image = _upload(world, File(pictures.png(), name))
    assert image["title"] == title
    assert [path.name for path in _files(folder)] == [image["file_path"]]
    response = world.fetch("nobody", "GET", image["secure_url"])
    assert "\n" not in response.headers["content-disposition"]
    assert response.status_code == 200


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"", "multipart/form-data; boundary=x"),
        (b"--x\r\n", "multipart/form-data; boundary=x"),
        (b"junk", "multipart/form-data; boundary=x"),
        (b"junk", "multipart/form-data"),
        (
            b"--x\r\nContent-Disposition: form-data\r\n\r\n1\r\n--x--",
            "multipart/form-data; boundary=x",
        ),
    ],
)
def test_a_body_that_is_no_form_with_a_file_is_refused(
    world: World, folder: Path, content: bytes, kind: str
) -> None:
    answer = world.ask("bob", "POST", UPLOAD, content=content, headers={"content-type": kind})
    assert answer.status in (400, 422)
    assert answer.body["code"] in ("invalid_form", "invalid_field")
    assert _files(folder) == []


def test_two_files_at_once_are_refused(world: World, folder: Path) -> None:
    part = b'--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nGIF89a\r\n'
    kind = {"content-type": "multipart/form-data; boundary=x"}
    answer = world.ask("bob", "POST", UPLOAD, content=part * 2 + b"--x--\r\n", headers=kind)
    assert (answer.status, answer.body["code"]) == (400, "invalid_form")
    assert _files(folder) == []


def test_files_are_readable_by_their_owner_only(world: World, folder: Path) -> None:
    _upload(world)
    modes = [stat.S_IMODE(path.stat().st_mode) for path in (folder, *_files(folder))]
    assert modes == [0o700, 0o600]


def test_a_failure_behind_the_file_takes_it_away_again(world: World, folder: Path) -> None:
    world.link.execute("drop table service_key")
    assert world.ask("bob", "POST", UPLOAD, File(pictures.png())).status == 500
    assert _files(folder) == []


def test_a_folder_that_cannot_be_written_to_is_told(world: World, folder: Path) -> None:
    folder.write_text("in the way")
    answer = world.ask("bob", "POST", UPLOAD, File(pictures.png()))
    assert (answer.status, answer.body["code"]) == (503, "read_only")


def test_a_picture_is_looked_at_and_stored_before_anybody_is_held_up(folder: Path) -> None:
    noted: list[bool] = []

    class Watched(Attachments):
        def keep(self, content: bytes) -> str:
            noted.append(garden.link.in_transaction)
            return super().keep(content)

    garden = furnished_world(attachments=Watched(folder))
    _upload(garden)
    statements: list[str] = []
    garden.link.set_trace_callback(statements.append)
    assert garden.ask("bob", "POST", UPLOAD, File(pictures.png()[:20])).status == 422
    garden.link.set_trace_callback(None)
    garden.close()
    assert noted == [False]
    assert "begin immediate" not in statements


def test_who_may_not_upload_costs_no_file(folder: Path) -> None:
    noted: list[int] = []

    class Watched(Attachments):
        def keep(self, content: bytes) -> str:
            noted.append(len(content))
            return super().keep(content)

    world = furnished_world(attachments=Watched(folder))
    answer = world.ask("vic", "POST", UPLOAD, File(pictures.png()))
    world.close()
    assert (answer.status, noted) == (403, [])


def test_uploads_do_not_pile_up(world: World, folder: Path) -> None:
    for _ in range(50):
        _upload(world)
    answer = world.ask("bob", "POST", UPLOAD, File(pictures.png()))
    assert (answer.status, answer.body["code"]) == (409, "too_many_uploads")
    assert len(_files(folder)) == 50
    _comment(world, images=[1])
    _upload(world)


def test_a_service_that_keeps_no_files_says_so() -> None:
    world = furnished_world()
    answer = world.ask("bob", "POST", UPLOAD, File(pictures.png()))
    assert (answer.status, answer.body["code"]) == (503, "no_attachments")
    world.close()


def test_a_picture_alone_is_a_comment(world: World) -> None:
    image = _upload(world)
    comment = _comment(world, images=[image["id"]])
    assert (comment["description"], comment["images"][0]["object_id"]) == ("", comment["id"])
    listed = world.done("vic", "GET", COMMENTS).at("comments.data.0")
    assert [one["id"] for one in listed["images"]] == [image["id"]]
    without = world.done("vic", "GET", f"{COMMENTS}?include_images=false")
    assert without.at("comments.data.0.images") == []


def test_a_picture_is_attached_once_by_who_uploaded_it(world: World) -> None:
    image = _upload(world)["id"]
    sent = {"comment_type": "comment", "images": [image]}
    assert world.ask("ann", "POST", COMMENTS, sent).body["code"] == "image_not_found"
    _comment(world, images=[image])
    assert world.ask("bob", "POST", COMMENTS, sent).body["code"] == "image_not_found"
    assert world.done("vic", "GET", COMMENTS).at("total") == 2


def test_a_change_sets_the_whole_list_of_pictures(world: World, folder: Path) -> None:
    old, kept, new = (_upload(world) for _ in range(3))
    comment = _comment(world, comment="look", images=[old["id"], kept["id"]])
    path = f"{COMMENTS}/{comment['id']}"
    same = world.done("bob", "PUT", path, {"comment": "see"}).at("comment")
    assert [one["id"] for one in same["images"]] == [old["id"], kept["id"]]
    body = {"images": [kept["id"], new["id"]]}
    changed = world.done("bob", "PUT", path, body).at("comment")
    assert [one["id"] for one in changed["images"]] == [kept["id"], new["id"]]
    assert changed["description"] == "see"
    assert {path.name for path in _files(folder)} == {kept["file_path"], new["file_path"]}
    assert world.fetch("bob", "GET", old["secure_url"]).status_code == 404


@pytest.mark.parametrize(
    ("who", "method", "path"),
    [
        ("bob", "DELETE", "/projects/1/tasks/comments/1"),
        ("ann", "DELETE", "/projects/1/tasks/1"),
        ("ann", "DELETE", "/projects/1"),
    ],
)
def test_pictures_go_with_what_they_are_in(
    world: World, folder: Path, who: str, method: str, path: str
) -> None:
    image = _upload(world)
    body = {"comment_type": "reply", "parent_id": 1, "images": [image["id"]]}
    world.done("bob", "POST", COMMENTS, body)
    assert len(_files(folder)) == 1
    world.done(who, method, path)
    assert _files(folder) == []
    assert world.fetch("bob", "GET", image["secure_url"]).status_code == 404


def test_waiting_pictures_go_at_once_with_their_board(world: World, folder: Path) -> None:
    image = _upload(world)
    world.done("ann", "DELETE", "/projects/1")
    assert _files(folder) == []
    assert world.link.execute("select count(*) from comment_image").fetchone()[0] == 0
    assert world.fetch("bob", "GET", image["secure_url"]).status_code == 404


def test_an_address_ends_with_the_membership_of_whom_it_was_given_to(world: World) -> None:
    _comment(world, images=[_upload(world)["id"]])

    def address(who: str) -> str:
        listed = world.done(who, "GET", COMMENTS).at("comments.data.0.images.0")
        return str(listed["secure_url"])

    addresses = {who: address(who) for who in ("root", "ann", "bob", "vic")}
    assert len(set(addresses.values())) == 4
    world.done("ann", "POST", "/projects/1/user/3/remove")
    with world.database.transaction(writing=True) as db:
        remove_account(db, SiteClock(world.clock), "vic")
    statuses = {
        who: world.fetch("nobody", "GET", link).status_code for who, link in addresses.items()
    }
    assert statuses == {"root": 200, "ann": 200, "bob": 403, "vic": 403}


def test_an_upload_that_nobody_attaches_goes_after_a_day(world: World, folder: Path) -> None:
    _upload(world)
    world.clock.advance(hours=23)
    _upload(world)
    assert len(_files(folder)) == 2
    world.clock.advance(hours=2)
    world.done("ann", "PUT", "/projects/1", {"title": "Garden"})
    assert len(_files(folder)) == 1


def test_an_address_ends_after_a_day(world: World) -> None:
    address = _upload(world)["secure_url"]
    world.clock.advance(hours=24)
    assert world.fetch("nobody", "GET", address).status_code == 200
    world.clock.advance(hours=1)
    response = world.fetch("nobody", "GET", address)
    assert (response.status_code, response.json()["code"]) == (403, "link_expired")


def test_an_address_is_the_same_for_an_hour(world: World) -> None:
    comment = _comment(world, images=[_upload(world)["id"]])
    world.clock.advance(minutes=29)
    again = world.done("bob", "GET", COMMENTS).at("comments.data.0.images.0")
    assert again["secure_url"] == comment["images"][0]["secure_url"]
    world.clock.advance(minutes=2)
    later = world.done("bob", "GET", COMMENTS).at("comments.data.0.images.0")
    assert later["secure_url"] != again["secure_url"]


def test_a_signature_is_for_one_picture_and_one_end(world: World) -> None:
    one, other = _upload(world), _upload(world)
    address = one["secure_url"]
    for forged in (
        address.replace(one["file_hash"], other["file_hash"]),
        address.replace("expires=", "expires=9"),
        address.replace("account=3", "account=2"),
        address.replace("account=3", "account=x"),
        address.replace("signature=", "signature=0"),
        address.partition("&")[0],
        address.partition("?")[0],
        address.partition("?")[0] + "?account=3&expires=soon&signature=%C3%A4",
        address.replace(one["file_hash"], "%2e%2e%2fb"),
    ):
        response = world.fetch("root", "GET", forged)
        assert response.status_code in (403, 404), forged
        assert response.json()["code"] in ("forbidden", "rest_no_route"), forged


def test_keys_differ_between_services(world: World, tmp_path: Path) -> None:
    other = furnished_world(attachments=Attachments(tmp_path / "other"))
    image = _upload(other)
    _upload(world)
    assert world.fetch("bob", "GET", image["secure_url"]).status_code == 403
    other.close()
