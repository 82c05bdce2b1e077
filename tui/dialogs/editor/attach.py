"""A dialog for the paths of pictures, with completion like in a shell.

The files of the answer exist; the caller checks whether they are pictures that can be sent. Folders
are read on a thread and up to a limit, so that a huge or unresponsive one does not block the user.
"""

import asyncio
import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import ClassVar, NamedTuple

from textual import work
from textual.binding import BindingType
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input, OptionList
from textual.widgets.option_list import Option
from textual.worker import Worker, WorkerCancelled

from tui.dialogs.base import Dialog, DialogMessage
from tui.model.picture_names import PICTURE_SUFFIXES
from tui.text.clean import line, size_in_words
from tui.text.keyed import keyed
from tui.widgets.keys import quiet_keys
from tui.widgets.text_input import TextInput

_LARGEST = 10 * 1024 * 1024
_MOST_READ = 20_000
_MOST_SHOWN = 200


class PathEntry(NamedTuple):
    """A folder, or a picture with its size in bytes; `typed` is the path as a user types it."""

    typed: str
    is_folder: bool
    size: int = 0

    @property
    def label(self) -> str:
        """The file name for display; a folder ends with a slash."""
        name = self.typed.rstrip("/").rpartition("/")[2] or self.typed
        return line(name) + ("/" if self.is_folder else "")


class Completions(NamedTuple):
    """The completions of a path; `problem` says why there are none."""

    entries: tuple[PathEntry, ...] = ()
    problem: str = ""


class AttachDialog(Dialog[tuple[Path, ...]]):
    """Asks for the paths of pictures; answers with at least one."""

    frame_class = "-wide"
    keys_text = (
        "{attach.complete:tab} complete   {attach.before:↑} {attach.next:↓} choose   ↵ add   "
        "{attach.attach:ctrl+s} attach   {attach.take-off:ctrl+x} remove   "
        "{dialog.cancel:esc} cancel"
    )
    BINDINGS: ClassVar[list[BindingType]] = quiet_keys(
        "attach",
        ("complete", "tab", "complete", "Complete path"),
        ("next", "down", "choose(1)", "Next entry"),
        ("before", "up", "choose(-1)", "Previous entry"),
        ("attach", "ctrl+s", "attach", "Attach"),
        ("take-off", "ctrl+x", "take_off", "Remove last picture"),
        priority=True,
    )

    def __init__(
        self, folder: str = "", *, completions: Callable[[str], Completions] | None = None
    ) -> None:
        super().__init__("Attach pictures")
        self._completions = completions or find
        self._chosen: list[Path] = []
        self._entries: tuple[PathEntry, ...] = ()
        hint = "~/Pictures/screenshot.png"
        self._input = TextInput(folder, placeholder=hint, compact=True, select_on_focus=False)
        self._list = OptionList(markup=False)
        self._list.can_focus = False
        self._message = DialogMessage(classes="dialog-text", id="attach-said")
        self._listing: Worker[None] | None = None

    def body(self) -> Iterable[Widget]:
        return self._input, self._list, self._message

    def on_mount(self) -> None:
        self._listing = self._list_completions(self._input.value)

    def on_input_changed(self, event: Input.Changed) -> None:
        self._listing = self._list_completions(event.value)

    async def _until_listed(self) -> None:
        # Typing cancels a listing and starts another: wait until the one for the present text ends,
        # as the keys that choose and complete are about what has been typed.
        awaited: Worker[None] | None = None
        while self._listing is not None and self._listing is not awaited:
            awaited = self._listing
            with suppress(WorkerCancelled):
                await awaited.wait()

    async def on_input_submitted(self) -> None:
        await self._until_listed()
        entry, typed = self._highlighted, self._input.value.strip()
        if entry is not None and entry.is_folder:
            self._type(entry.typed)
        elif entry is not None:
            self._add(entry.typed)
        elif self._chosen and (not typed or typed.endswith("/")):
            self.action_attach()
        else:
            self._add(typed)

    async def action_complete(self) -> None:
        await self._until_listed()
        longer = completed(self._input.value, self._entries)
        if longer == self._input.value and self._highlighted is not None:
            longer = self._highlighted.typed
        self._type(longer)

    async def action_choose(self, by: int) -> None:
        await self._until_listed()
        if by > 0:
            self._list.action_cursor_down()
        else:
            self._list.action_cursor_up()

    def action_attach(self) -> None:
        if self._chosen:
            self.dismiss(tuple(self._chosen))
        else:
            self._explain("nothing selected yet: type a path, then press ↵")

    def action_take_off(self) -> None:
        del self._chosen[-1:]
        self._explain("")

    @property
    def _highlighted(self) -> PathEntry | None:
        index = self._list.highlighted
        return None if index is None else self._entries[index]

    def _add(self, typed: str) -> None:
        if not typed:
            self._explain(keyed("type the path of a picture; {attach.complete:tab} to complete it"))
            return
        path = Path(typed).expanduser()
        try:
            # `stat` raises `ValueError` for a path with a null character.
            size = path.stat().st_size
            is_file = path.is_file()
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or "no such file"
            self._explain(f"{path.name}: {reason}")
            return
        if not is_file:
            self._explain(f"{path.name or path} is a folder: choose a picture in it")
        elif size > _LARGEST:
            most = size_in_words(_LARGEST)
            self._explain(f"{path.name} has {size_in_words(size)}; a picture may have {most}")
        else:
            if path not in self._chosen:
                self._chosen.append(path)
            folder, slash, _ = typed.rpartition("/")
            self._type(folder + slash)
            self._explain("")

    def _explain(self, problem: str) -> None:
        names = ", ".join(path.name for path in self._chosen)
        chosen = f"{len(self._chosen)} to attach: {names}" if self._chosen else ""
        self._message.show(problem or chosen, is_problem=bool(problem))

    def _type(self, path: str) -> None:
        self._input.value = path
        self._input.cursor_position = len(path)

    @work(exclusive=True, group="completions")
    async def _list_completions(self, typed: str) -> None:
        self._entries, problem = await asyncio.to_thread(self._completions, typed)
        self._list.clear_options()
        for entry in self._entries:
            size = "" if entry.is_folder else f"  {size_in_words(entry.size)}"
            self._list.add_option(Option(Content.assemble(entry.label, (size, "$quiet"))))
        is_narrowed = bool(typed) and not typed.endswith("/") and bool(self._entries)
        # Enter takes a match only once a name is begun; after a slash it attaches what is chosen.
        self._list.highlighted = 0 if is_narrowed else None
        self._explain(problem if typed.strip() else "")


def find(typed: str) -> Completions:
    """The folders and pictures that match a typed path. Blocks: not for the event loop."""
    if typed in ("~", ".", ".."):
        typed += "/"
    folder, slash, start = typed.rpartition("/")
    folder += slash
    where = Path(folder or ".")
    try:
        where = where.expanduser()
        # A folder may have millions of entries: only so many are looked at.
        with os.scandir(where) as entries:
            matches = [
                entry
                for entry in islice(entries, _MOST_READ)
                if entry.name.lower().startswith(start.lower())
                and (start or not entry.name.startswith("."))
            ]
        listed = [_entry(folder, match) for match in matches]
    except (OSError, RuntimeError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "cannot be read"
        return Completions(problem=f"{line(str(where))}: {reason}")
    completions = sorted(
        (entry for entry in listed if entry is not None),
        key=lambda entry: (not entry.is_folder, entry.typed.lower()),
    )
    problem = "" if completions else "no folder or picture starts with that"
    return Completions(tuple(completions[:_MOST_SHOWN]), problem)


def _entry(folder: str, entry: os.DirEntry[str]) -> PathEntry | None:
    try:
        if entry.is_dir():
            return PathEntry(f"{folder}{entry.name}/", is_folder=True)
        if Path(entry.name).suffix.lower() not in PICTURE_SUFFIXES:
            return None
        return PathEntry(folder + entry.name, is_folder=False, size=entry.stat().st_size)
    except OSError:
        return None


def completed(typed: str, entries: tuple[PathEntry, ...]) -> str:
    """The typed path, extended to the common prefix of the entries."""
    paths = [entry.typed for entry in entries]
    prefix = os.path.commonprefix(paths)  # noqa: RUF071 (letter by letter, as in a shell)
    return prefix if len(paths) == 1 or len(prefix) > len(typed) else typed
