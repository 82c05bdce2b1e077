"""A dialog that shows a picture of a comment and can save it or open it in a viewer.

Pictures are fetched in a worker and decoded on a thread. One that cannot be shown can still be
saved. Existing files are never overwritten.
"""

import asyncio
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import ClassVar

from textual import work
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widget import Widget
from textual.worker import WorkType

from tui.context import Context
from tui.dialogs.base import Dialog, DialogMessage
from tui.errors import CallboardError
from tui.model.comment import CommentImage
from tui.model.picture_names import file_name, free_name
from tui.runtime.key_queue import await_worker
from tui.text.clean import size_in_words
from tui.text.keyed import keyed
from tui.widgets.picture import (
    Graphics,
    HalfBlocks,
    can_decode,
    can_use,
    check,
    drawn_by_terminal,
    graphics_of,
    half_blocks,
)

_NO_EXTRA = "To show pictures, install the extra:  pip install 'callboard[images]'"


class PictureDialog(Dialog[None]):
    """Shows one picture of a comment, in the best way that the terminal supports."""

    keys_text = "{picture.save:s} save   {picture.open:o} open   {dialog.cancel:esc} back"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("s", "save", "save", id="picture.save", tooltip="Save picture"),
        Binding("o", "open", "open", id="picture.open", tooltip="Open picture"),
        Binding("q,enter", "cancel", "back", id="picture.back", show=False, tooltip="Back"),
    ]

    def __init__(
        self, context: Context, task_id: int, image: CommentImage, graphics: Graphics | None = None
    ) -> None:
        super().__init__(f"{image.title or 'picture'}  {image.size}".rstrip())
        self._store = context.store
        self._task_id = task_id
        self._image = image
        self._file_name = file_name(image.title, image.content_type)
        self._graphics = graphics_of(os.environ) if graphics is None else graphics
        self._content: bytes | None = None
        self._room = VerticalScroll(id="picture-room")
        self._message = DialogMessage("fetching …", id="picture-said")

    def body(self) -> Iterable[Widget]:
        return self._room, self._message

    def on_mount(self) -> None:
        # Half blocks are scaled to the room, which has a size only after the layout.
        self.call_after_refresh(self._fetch)

    @work(exclusive=True, group="picture")
    async def _fetch(self) -> None:
        try:
            content = self._content = await self._store.picture(
                self._task_id, self._image.id, self._show_progress
            )
            drawn = await self._drawn(content)
        except CallboardError as error:
            self._message.show(f"{error.message} {error.hint}".strip(), is_problem=True)
            return
        await self._room.remove_children()
        if drawn is not None:
            await self._room.mount(drawn)
            self._message.show("")
        else:
            kind = f"{self._image.content_type or 'a picture'}, {size_in_words(len(content))}."
            self._message.show(kind if can_decode() else f"{kind} {_NO_EXTRA}")

    async def _drawn(self, content: bytes) -> Widget | None:
        if self._graphics is Graphics.NONE or not can_decode():
            return None
        if can_use(self._graphics):
            # Kind and size are checked before the widget decodes the picture.
            await asyncio.to_thread(check, content)
            return drawn_by_terminal(self._graphics, content)
        width, height = self._room.size
        return HalfBlocks(
            await asyncio.to_thread(half_blocks, content, max(2, width), max(2, height))
        )

    def _show_progress(self, received: int, total: int | None) -> None:
        of_all = f" of {size_in_words(total)}" if total else ""
        stops = keyed("{dialog.cancel:esc} cancel")
        self._message.show(f"fetching … {size_in_words(received)}{of_all}   {stops}")

    def action_save(self) -> None:
        if self._content is None:
            self._message.show("the picture is not loaded yet")
            return
        save: WorkType[None] = partial(self._save, self._content)
        saving = self.run_worker(save, group="dialog", exclusive=True)
        # Esc does not cut short a file that is being written.
        await_worker(self.app, self, saving, may_cancel=lambda: False)

    async def _save(self, content: bytes) -> None:
        from tui.dialogs.questions import AskDialog

        suggested = f"{_folder()}/{self._file_name}"
        answer = await self.app.push_screen_wait(
            AskDialog("Save picture as", suggested, reading=_where)
        )
        if answer is None:
            return
        try:
            path = await asyncio.to_thread(_saved, Path(answer), content)
        except OSError as error:
            reason = error.strerror or "the system refused"
            again = keyed("{picture.save:s} to save it elsewhere.")
            self._message.show(f"Not saved: {reason}. {again}", is_problem=True)
        else:
            self._message.show(f"saved as {path}")

    @work(exclusive=True, group="open")
    async def action_open(self) -> None:
        if self._content is None:
            self._message.show("the picture is not loaded yet")
            return
        saves = keyed("{picture.save:s} to save it.")
        viewer = _viewer()
        if viewer is None:
            no_display = "No display to open it on."
            self._message.show(f"{no_display} {saves} {self._image.url}")
            return
        # The folder stays: the viewer reads the file after this program has gone on.
        path = Path(tempfile.mkdtemp(prefix="callboard-")) / self._file_name
        try:
            path = await asyncio.to_thread(_saved, path, self._content)
            subprocess.Popen(  # noqa: S603, ASYNC220 (a fixed program, not waited for)
                [viewer, str(path)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        except OSError as error:
            problem = f"Could not open it: {error.strerror}. {saves}"
            self._message.show(problem, is_problem=True)
        else:
            self._message.show("opened")


def _folder() -> str:
    return "~/Downloads" if Path("~/Downloads").expanduser().is_dir() else "."


def _where(typed: str) -> str:
    path = Path(typed.strip()).expanduser()
    if not typed.strip() or path.is_dir():
        raise CallboardError("File name is required.")
    if not path.parent.is_dir():
        raise CallboardError(f"No such folder: {path.parent}.")
    free = free_name(path.name, lambda name: (path.parent / name).exists())
    return f"{path.parent / free}" + ("" if free == path.name else "  (keeps the existing file)")


def _saved(path: Path, content: bytes) -> Path:
    folder = path.expanduser().parent
    path = folder / free_name(path.name, lambda name: (folder / name).exists())
    # `x` fails if the name was taken meanwhile; nothing is overwritten.
    with path.open("xb") as file:
        file.write(content)
    return path


def _viewer() -> str | None:
    if sys.platform == "darwin":
        return shutil.which("open")
    if os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        return shutil.which("xdg-open")
    return None
