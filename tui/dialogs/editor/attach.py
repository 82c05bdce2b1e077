"""A dialog for the paths of pictures, with completion.

The files of the answer exist; the caller checks whether they are pictures that can be sent.
"""

import asyncio
from collections.abc import Iterable
from pathlib import Path
from typing import ClassVar

from textual import work
from textual.binding import BindingType
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from tui.dialogs.base import Dialog
from tui.dialogs.editor.picture_files import Found, FoundEntry, completed, find
from tui.text.clean import size_in_words
from tui.text.keyed import keyed
from tui.widgets.keys import quiet_keys
from tui.widgets.text_input import TextInput

_LARGEST = 10 * 1024 * 1024


class AttachDialog(Dialog[tuple[Path, ...]]):
    """Asks for the paths of pictures; answers with at least one."""

    frame_class = "-wide"
    keys_text = (
        "{attach.complete:tab} completes   {attach.before:↑} {attach.next:↓} choose   ↵ adds   "
        "{attach.attach:ctrl+s} attaches   {attach.take-off:ctrl+x} removes   "
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

    def __init__(self, folder: str = "") -> None:
        super().__init__("Attach pictures")
        self._folder = folder
        self._chosen: list[Path] = []
        self._found = Found()

    def body(self) -> Iterable[Widget]:
        yield TextInput(
            self._folder,
            placeholder="~/Pictures/screenshot.png",
            compact=True,
            select_on_focus=False,
        )
        yield OptionList(markup=False)
        yield Static(classes="dialog-text", id="attach-said")

    def on_mount(self) -> None:
        self.query_one(OptionList).can_focus = False
        self._list_completions(self._folder)

    def on_input_changed(self, event: Input.Changed) -> None:
        self._list_completions(event.value)

    def on_input_submitted(self) -> None:
        """Add the file at the cursor or the typed one; without either, attach."""
        entry = self._highlighted()
        typed = self.query_one(Input).value.strip()
        if entry is not None and entry.is_folder:
            self._set_path(entry.typed)
        elif entry is not None:
            self._add(entry.typed)
        elif self._chosen and (not typed or typed.endswith("/")):
            self.action_attach()
        else:
            self._add(typed)

    def action_complete(self) -> None:
        """Complete the path to the common prefix of the entries, or to the entry at the cursor."""
        typed = self.query_one(Input).value
        longer = completed(typed, self._found.entries)
        entry = self._highlighted()
        if longer == typed and entry is not None:
            longer = entry.typed
        self._set_path(longer)

    def action_choose(self, by: int) -> None:
        entries = self.query_one(OptionList)
        if by > 0:
            entries.action_cursor_down()
        else:
            entries.action_cursor_up()

    def action_attach(self) -> None:
        if self._chosen:
            self.dismiss(tuple(self._chosen))
        else:
            self._say("nothing is chosen yet: type a path, then ↵")

    def action_take_off(self) -> None:
        if self._chosen:
            self._chosen.pop()
        self._say("")

    def _add(self, typed: str) -> None:
        """Add a file, or say why that is not possible."""
        if not typed:
            self._say(keyed("type the path of a picture; {attach.complete:tab} completes it"))
            return
        path = Path(typed).expanduser()
        try:
            size = path.stat().st_size
            is_file = path.is_file()
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or "there is no such file"
            self._say(f"{path.name}: {reason}")
            return
        if not is_file:
            self._say(f"{path.name or path} is a folder: choose a picture in it")
        elif size > _LARGEST:
            most = size_in_words(_LARGEST)
            self._say(f"{path.name} has {size_in_words(size)}; a picture may have {most}")
        else:
            if path not in self._chosen:
                self._chosen.append(path)
            folder, slash, _ = typed.rpartition("/")
            self._set_path(folder + slash)
            self._say("")

    def _say(self, problem: str) -> None:
        """Show a problem, or else the added files."""
        said = self.query_one("#attach-said", Static)
        chosen = ", ".join(path.name for path in self._chosen)
        words = problem or (f"{len(self._chosen)} to attach: {chosen}" if chosen else "")
        said.update(Content(words))
        said.set_class(bool(problem), "-refused")

    def _set_path(self, text: str) -> None:
        field = self.query_one(Input)
        field.value = text
        field.cursor_position = len(text)

    @work(exclusive=True, group="completions")
    async def _list_completions(self, typed: str) -> None:
        """List the completions of a path; this cancels an earlier lookup."""
        self._found = await asyncio.to_thread(find, typed)
        entries = self.query_one(OptionList)
        entries.clear_options()
        entries.add_options([Option(_shown(entry)) for entry in self._found.entries])
        is_narrowed = bool(typed) and not typed.endswith("/") and bool(self._found.entries)
        entries.highlighted = 0 if is_narrowed else None
        if self._found.problem and typed.strip() and not self._is_complete(typed):
            self._say(self._found.problem)
        else:
            self._say("")

    def _is_complete(self, typed: str) -> bool:
        return any(entry.typed == typed for entry in self._found.entries)

    def _highlighted(self) -> FoundEntry | None:
        index = self.query_one(OptionList).highlighted
        return None if index is None else self._found.entries[index]


def _shown(entry: FoundEntry) -> Content:
    size = "" if entry.is_folder else f"  {size_in_words(entry.size)}"
    return Content.assemble(entry.label, (size, "$quiet"))
