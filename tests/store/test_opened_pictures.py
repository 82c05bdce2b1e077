"""Pictures in comments: from where they wait, from the service, and from what is kept of it."""

import os
from pathlib import Path

import pytest

from tests.service.pictures import png
from tests.store.fake_clock import FakeClock
from tests.store.faults import Fault
from tests.store.opened_board import Opened
from tests.store.service import ANN, BOARD, Service
from tui.client.errors import NotAllowed
from tui.errors import CallboardError
from tui.store import operations as change
from tui.store.events import UploadProgress
from tui.store.pictures import PictureFolder

PNG = png()
_LONGER_THAN_AN_ADDRESS = 2 * 24 * 3600.0


def _commented(service: Service, task: int) -> int:
    image = service.add_picture(task, PNG, by=ANN)
    service.add_comment(task, "See", by=ANN, images=[image])
    return image


async def test_a_picture_is_fetched_once(opened: Opened, service: Service) -> None:
    store, task, heard = opened.party.store, opened.things.task, list[tuple[int, int | None]]()
    image = _commented(service, task)
    await store.refresh_task(task)
    got = await store.picture(task, image, lambda so_far, total: heard.append((so_far, total)))
    assert got == PNG
    assert heard == [(len(PNG), len(PNG))]
    await opened.party.restart()
    assert await opened.party.store.picture(task, image) == PNG
    assert opened.party.remote.calls.count("picture") == 1


async def test_an_address_that_is_over_is_asked_for_again(
    opened: Opened, service: Service, clock: FakeClock
) -> None:
    store, task = opened.party.store, opened.things.task
    image = _commented(service, task)
    await store.refresh_task(task)
    clock.set(_LONGER_THAN_AN_ADDRESS)
    assert await store.picture(task, image) == PNG
    assert opened.party.remote.calls.count("picture") == 2  # by the old address and the new

    async def not_shown(*_: object) -> bytes:
        raise NotAllowed("This picture is no longer shown.", status=403)

    opened.party.remote.picture = not_shown
    (opened.party.folder / "cache" / "default" / "pictures" / str(image)).unlink()
    with pytest.raises(CallboardError, match="no longer shown"):
        await store.picture(task, image)


async def test_a_picture_on_its_way_is_shown_from_where_it_waits(
    opened: Opened, tmp_path: Path
) -> None:
    store, task = opened.party.store, opened.things.task
    file = tmp_path / "plan.png"
    file.write_bytes(PNG)
    upload = change.UploadImage.of(opened.task, await store.keep_picture(file))
    file.unlink()
    opened.party.remote.trouble = lambda _: Fault.UNREACHABLE
    await store.submit(upload, change.CreateComment.new(opened.task, "See", images=[upload.image]))
    assert await store.picture(task, upload.image_id) == PNG
    opened.party.remote.trouble = lambda call: (
        Fault.UNREACHABLE if call == "create_comment" else None
    )
    await store.refresh(BOARD)
    await opened.party.until(lambda: opened.party.remote.calls.count("create_comment"))
    assert await store.picture(task, upload.image_id) == PNG
    opened.party.remote.trouble = lambda _: None
    await store.refresh(BOARD)
    await opened.party.delivered()
    ((image,),) = (one.images for one in opened.detail.comments or () if one.text == "See")
    assert await store.picture(task, image.id) == PNG
    told = [event for event in opened.party.events if isinstance(event, UploadProgress)]
    assert {(one.task_id, one.image_id) for one in told} == {(task, upload.image_id)}
    assert [one.sent for one in told] == sorted({one.sent for one in told})
    assert told[-1].sent == told[-1].total


async def test_what_cannot_be_had_is_told(opened: Opened, service: Service) -> None:
    store, task = opened.party.store, opened.things.task
    with pytest.raises(CallboardError, match="no longer available"):
        await store.picture(task, -5)
    with pytest.raises(CallboardError, match="does not say where"):
        await store.picture(task, 5)
    image = _commented(service, task)
    await store.refresh_task(task)
    opened.party.remote.trouble = lambda _: Fault.UNREACHABLE
    with pytest.raises(CallboardError, match="cannot be reached"):
        await store.picture(task, image)


def test_the_pictures_looked_at_last_are_kept(tmp_path: Path) -> None:
    folder = PictureFolder(tmp_path / "pictures", limit_mb=1)
    content = bytes(400 * 1024)
    for number in (1, 2):
        folder.put(number, content)
        os.utime(tmp_path / "pictures" / str(number), (number, number))
    assert folder.get(1) == content
    folder.put(3, content)
    assert [folder.get(number) is not None for number in (1, 2, 3)] == [True, False, True]
    folder.put(4, bytes(2 << 20))
    assert folder.get(4) is None
    assert (tmp_path / "pictures" / "3").stat().st_mode & 0o777 == 0o600


def test_a_folder_that_cannot_be_used_keeps_nothing(tmp_path: Path) -> None:
    (tmp_path / "pictures").write_bytes(b"in the way")
    folder = PictureFolder(tmp_path / "pictures")
    folder.put(1, PNG)
    assert folder.get(1) is None
