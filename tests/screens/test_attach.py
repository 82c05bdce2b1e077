"""Choosing pictures by their paths, and looking at one."""

from dataclasses import replace
from pathlib import Path
from threading import Event

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, Static

from tests.drivers.quiet import until_work_ends
from tests.fakes.boards import small
from tests.fakes.store import FakeStore
from tests.screens.driving import Driver, application
from tests.widgets.test_picture import picture
from tui.app import CallboardApp
from tui.context import Context
from tui.dialogs.editor.attach import AttachDialog, Completions, completed, find
from tui.dialogs.picture import PictureDialog
from tui.model.comment import CommentImage
from tui.widgets.picture import Graphics, HalfBlocks


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "shots").mkdir()
    (tmp_path / "shots" / "one.png").write_bytes(picture(4, 4))
    (tmp_path / "shots" / "one more.png").write_bytes(picture(4, 4))
    (tmp_path / "shots" / "notes.txt").write_text("no picture")
    (tmp_path / "shots" / ".hidden.png").write_bytes(b"")
    (tmp_path / "shots" / "large.jpg").touch()
    with (tmp_path / "shots" / "large.jpg").open("wb") as file:
        file.truncate(11 * 1024 * 1024)
    return tmp_path


def test_folders_and_pictures_are_found(folder: Path) -> None:
    found = find(f"{folder}/sh")
    assert [entry.label for entry in found.entries] == ["shots/"]
    assert completed(f"{folder}/sh", found.entries) == f"{folder}/shots/"
    found = find(f"{folder}/shots/")
    assert [entry.label for entry in found.entries] == ["large.jpg", "one more.png", "one.png"]
    found = find(f"{folder}/shots/O")
    assert completed(f"{folder}/shots/o", found.entries) == f"{folder}/shots/one"
    assert [entry.label for entry in find(f"{folder}/shots/.h").entries] == [".hidden.png"]
    assert "No such file" in find(f"{folder}/nowhere/x").problem
    assert find("~nobody-has-this-name/x").problem
    assert find("a\0b/").problem


async def rest(pilot: Pilot[None]) -> None:
    """Until what was typed has been looked for."""
    await pilot.pause()
    await until_work_ends(pilot.app)
    await pilot.pause()


async def test_a_path_typed_at_once_is_completed(folder: Path) -> None:
    app, may_list = application(FakeStore(small())), Event()

    def slow(typed: str) -> Completions:
        may_list.wait()
        return find(typed)

    async with app.run_test(size=(100, 30)) as pilot:
        person = Driver(app, pilot)
        await app.push_screen(AttachDialog(f"{folder}/", completions=slow))
        person.send("s", "tab", *"one.", "tab", "enter")
        await pilot.pause()
        may_list.set()
        await person.press()
        await rest(pilot)
        assert "1 to attach: one.png" in said(app, "#attach-said")


def said(app: CallboardApp, where: str) -> str:
    return str(app.screen.query_one(where, Static).render())


async def test_several_are_chosen_with_the_keys(folder: Path) -> None:
    app = application(FakeStore(small()))
    answers: list[tuple[Path, ...] | None] = []
    async with app.run_test(size=(100, 30)) as pilot:
        app.push_screen(AttachDialog(f"{folder}/sh"), answers.append)
        await rest(pilot)
        for keys in (["tab"], ["enter"], ["ctrl+s"]):
            await pilot.press(*keys)
            await rest(pilot)
        assert "nothing selected yet" in said(app, "#attach-said")
        await pilot.press("l", "a")
        await rest(pilot)
        await pilot.press("enter")
        await rest(pilot)
        assert "a picture may have 10.0 MB" in said(app, "#attach-said")
        app.screen.query_one(Input).value = f"{folder}/shots/one"
        await rest(pilot)
        for keys in (["enter"], ["down", "down", "down", "enter"], ["n", "o", "enter"]):
            await pilot.press(*keys)
            await rest(pilot)
        await pilot.press("ctrl+s")
        await pilot.pause()
    assert answers == [(folder / "shots" / "one more.png", folder / "shots" / "one.png")]


@pytest.mark.long
async def test_a_picture_is_shown_and_saved_beside_what_is_there(tmp_path: Path) -> None:
    store = FakeStore(small())
    store.pictures[7] = picture(8, 8)
    image = CommentImage(7, "../shot.png", "image/png", "1 KB")
    app = application(store)
    context = Context(store)
    (tmp_path / "shot.png").write_bytes(b"mine")
    async with app.run_test(size=(80, 24)) as pilot:
        app.push_screen(PictureDialog(context, 1, image, Graphics.BLOCKS))
        await rest(pilot)
        assert app.screen.query_one(HalfBlocks).size.width == 8
        await pilot.press("s")
        await pilot.pause()
        app.screen.query_one(Input).value = f"{tmp_path}/nowhere/x.png"
        await pilot.press("enter")
        assert "No such folder" in said(app, "#reading")
        app.screen.query_one(Input).value = f"{tmp_path}/shot.png"
        await pilot.press("enter")
        await rest(pilot)
        assert "shot (2).png" in said(app, "#picture-said")
        await pilot.press("escape")
        app.push_screen(PictureDialog(context, 1, replace(image, id=8), Graphics.BLOCKS))
        await rest(pilot)
        assert "cannot be had" in said(app, "#picture-said")
        await pilot.press("s", "escape")
        store.pictures[9] = b"GIF89a nonsense"
        app.push_screen(PictureDialog(context, 1, replace(image, id=9), Graphics.BLOCKS))
        await rest(pilot)
        assert "This kind of picture cannot be shown." in said(app, "#picture-said")
        await pilot.press("escape")
        app.push_screen(PictureDialog(context, 1, image, Graphics.NONE))
        await rest(pilot)
        assert "image/png" in said(app, "#picture-said")
    assert (tmp_path / "shot.png").read_bytes() == b"mine"
    assert (tmp_path / "shot (2).png").read_bytes() == store.pictures[7]
