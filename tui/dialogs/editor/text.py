"""The full-screen editor of a text, which can also be edited in `$VISUAL` or `$EDITOR`.

The text is saved as a draft while it is typed. Only the caller deletes the draft, after the text
was submitted. If the text is rejected, the reason is shown and the text can be corrected.
"""

import os
import shlex
import signal
import subprocess
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import partial
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import ClassVar, NamedTuple, Protocol, runtime_checkable

from textual import events, on
from textual.app import ComposeResult, SuspendNotSupported
from textual.binding import ActiveBinding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.strip import Strip
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import TextArea

from tui.config.drafts import DraftOfOne, Drafts
from tui.dialogs.editor.area import WritingArea
from tui.model.task import Person
from tui.runtime.textual_patches import ProgramScreen
from tui.text.cells import cut
from tui.text.keyed import keyed
from tui.widgets import glyphs
from tui.widgets.bars import Bar, hint_line, key_name, ways_line
from tui.widgets.keys import HOW_TO_QUIT, hinted_keys, quiet_keys
from tui.widgets.painted import Line, Painted, Span, fitted, line_width
from tui.widgets.reading_pane import ReadingPane

DRAFT_SECONDS = 0.4
"""The delay in seconds from a change to writing the draft."""

_WARN_FROM = 0.8
"""The fraction of the limit from which the length is highlighted."""


@runtime_checkable
class Speaking(Protocol):
    """A screen with a status line."""

    def say(self, text: str, *, hint: str = "") -> None:
        """Show a message on the status line."""


Suspend = Callable[[], AbstractContextManager[None]]
"""Releases the terminal for the duration of a block, like `App.suspend`."""

Run = Callable[[Sequence[str]], int]
"""Runs a program in the terminal and returns its exit code. Raises `OSError`."""


class Edited(NamedTuple):
    """The edited text, with a message and a hint for the status line."""

    text: str
    message: str = ""
    hint: str = ""
    is_error: bool = False


class Preview(VerticalScroll, can_focus=True):
    """The text as it will be shown, scrolled by keys."""

    BINDINGS: ClassVar[list[BindingType]] = quiet_keys(
        "preview",
        ("down", "j", "lines(1)", "Scroll down"),
        ("up", "k", "lines(-1)", "Scroll up"),
        ("half-down", "ctrl+d", "half(1)", "Scroll down half a page"),
        ("half-up", "ctrl+u", "half(-1)", "Scroll up half a page"),
    )

    def __init__(self) -> None:
        self.pane = ReadingPane("nothing written yet")
        self.pane.ground = "raised"
        self.pane.can_focus = False
        super().__init__(self.pane)

    def action_lines(self, lines: int) -> None:
        self.scroll_relative(y=lines, animate=False, immediate=True)

    def action_half(self, direction: int) -> None:
        self.action_lines(direction * max(1, self.size.height // 2))


class EditorHeading(Painted):
    """The upper edge of the editor: its title in a rule, and at the right a note about the text.

    Of a note that takes half of the line only the last part is shown.
    """

    ground = "raised"

    def __init__(self, title: str) -> None:
        super().__init__()
        self._title = title
        self._note: Line = ()

    def say(self, note: Line) -> None:
        if note != self._note:
            self._note = note
            self.refresh()

    def render_line(self, y: int) -> Strip:
        del y
        width, rule = self.size.width, glyphs.FRAME.across
        note = self._note if line_width(self._note) < width // 2 else self._note[-1:]
        end = ((" ", "accent"), *note, (f" {rule * 2}", "accent"))
        room = max(0, width - line_width(end) - 4)
        begin = ((f"{rule * 2} ", "accent"), (f"{cut(self._title, room)} ", "strong"))
        between = rule * (width - line_width((*begin, *end)))
        return self.strip(fitted((*begin, (between, "accent"), *end), width, "accent"))


class TextEditor(ProgramScreen[str | None], ModalScreen[str | None]):
    """Edits a text; answers None if the user leaves it, which keeps the draft.

    `draft` is the key of the draft in `drafts`. `people` are offered after an `@`. `as_html`
    converts the text for the preview; by default it is plain text. `longest` is the limit in bytes,
    `again` the key that reopens a draft, `outside` the function that runs the external editor.
    """

    done: ClassVar = "done"
    """What ctrl+s is called at the bottom."""
    BINDINGS: ClassVar[list[BindingType]] = [
        *hinted_keys(
            "edit",
            ("done", "ctrl+s", "done", "Done", "done"),
            ("leave", "escape", "leave", "Close and save draft", "save draft"),
            ("preview", "ctrl+r", "preview", "Preview or edit", "preview"),
            ("outside", "ctrl+g", "outside", "Edit in $VISUAL or $EDITOR", "editor"),
            ("original", "ctrl+t", "original", "Discard draft", ""),
            ("help", "f1", "help", "Show keys", ""),
            priority=True,
        ),
        HOW_TO_QUIT,
    ]

    def __init__(
        self,
        title: str,
        text: str,
        *,
        drafts: Drafts,
        draft: str,
        people: Sequence[Person] = (),
        as_html: Callable[[str], str] | None = None,
        longest: int | None = None,
        again: str = "",
        outside: Callable[[str], Edited] | None = None,
    ) -> None:
        super().__init__()
        self._original = text
        self._as_html = as_html or partial(escape, quote=False)
        self._longest = longest
        self.again = again
        self._outside = outside
        self.draft = DraftOfOne(drafts, draft, text)
        unsent = self.draft.text()
        self._is_from_draft = unsent is not None
        self.area = WritingArea(text if unsent is None else unsent, people)
        self._loaded = self.area.text
        self._preview = Preview()
        self._preview.display = False
        self._heading = EditorHeading(title)
        self._note = Bar()
        self._keys = Bar()
        self._hints: list[Span] = []
        self._help: list[Span] = []
        self._is_kept = unsent is not None
        self._timer: Timer | None = None
        self._has_left = False

    def compose(self) -> ComposeResult:
        with Vertical(id="editor-box"):
            yield self._heading
            yield self.area
            yield self._preview
            yield self.area.offered
            yield from self.compose_below()
            yield self._note
            yield self._keys

    def compose_below(self) -> Iterable[Widget]:
        """Widgets below the text; for subclasses."""
        return ()

    def on_mount(self) -> None:
        self.area.move_cursor(self.area.document.end)
        self.area.focus()
        self.tell_draft()
        self.call_after_refresh(self.show_keys)

    def on_unmount(self) -> None:
        # Also where the program ends, or the screen is taken away, while a text is being typed.
        if not self._has_left:
            self._keep()

    def on_resize(self) -> None:
        self.call_after_refresh(self.show_keys)

    @property
    def text(self) -> str:
        # A text area may change line ends, so the original is returned, not what was loaded.
        """The text; the original, byte for byte, if it was not edited."""
        written = self.area.text
        is_untouched = not self._is_from_draft and written == self._loaded
        return self._original if is_untouched else written

    def result(self) -> str | None:
        """The answer; None, after saying why, if the text is invalid. Subclasses extend it."""
        if self._longest is not None and (over := _size(self.text) - self._longest) > 0:
            self.tell(f"too long by {over:,} bytes: nothing was saved", error=True)
            return None
        return self.text

    def tell(self, words: str, *, hint: str = "", error: bool = False) -> None:
        """Show a message above the keys until something is typed; hide it if `words` is empty."""
        self._note.say(((f" {words}", "bad" if error else "news"), (f"  {hint}", "quiet")))
        self._note.display = bool(words)

    def action_done(self) -> None:
        answer = self.result()
        if answer is not None:
            self._keep()
            self._has_left = True
            self.dismiss(answer)

    def action_leave(self) -> None:
        if self.area.offered.display:
            self.area.stop_offering()
        elif self._preview.display:
            self.action_preview()
        else:
            self._keep()
            self._has_left = True
            below = self.app.screen_stack[-2]
            self.dismiss(None)
            if isinstance(below, Speaking):
                self.report_draft(below)

    def action_original(self) -> None:
        if self.text == self._original:
            self.tell("no draft: this is the saved text")
            return
        self._replace(self._original)
        self._loaded, self._is_from_draft = self.area.text, False
        self._keep()
        self.show_keys()
        self.tell("draft discarded", hint="ctrl+z to restore it")

    def action_preview(self) -> None:
        is_shown = not self._preview.display
        self.area.offered.show(())
        self._preview.display, self.area.display = is_shown, not is_shown
        self.tell_draft()
        if is_shown:
            self._preview.pane.show(self._as_html(self.text))
            self._preview.scroll_home(animate=False)
            self._preview.focus()
        else:
            self.area.focus()

    def action_outside(self) -> None:
        self._keep()
        edit = self._outside or partial(edit_outside, suspend=self.app.suspend, name=self.draft.key)
        edited = edit(self.text)
        if edited.text != self.text:
            self._replace(edited.text)
            self.tell_draft()
            self._keep()
            self._preview.pane.show(self._as_html(self.text))
        self.show_keys()
        if edited.message:
            self.tell(edited.message, hint=edited.hint, error=edited.is_error)

    def _replace(self, text: str) -> None:
        # Suppress `Changed`: it would arrive later and clear the message that is shown meanwhile.
        with self.area.prevent(TextArea.Changed):
            self.area.replace_all(text)
        self.area.offered.show(())

    def action_help(self) -> None:
        from tui.dialogs.help import HelpDialog

        self.app.push_screen(HelpDialog(self.active_bindings), self._run_chosen)

    async def _run_chosen(self, chosen: ActiveBinding | None) -> None:
        if chosen is not None:
            await self.app.run_action(chosen.binding.action, chosen.node)

    @on(TextArea.Changed)
    def note_change(self) -> None:
        # A timer that runs is not restarted: while somebody types, the draft is still written.
        if self._timer is None and not self._has_left:
            self._timer = self.set_timer(DRAFT_SECONDS, self._keep)
        self.tell_draft()
        self.show_keys()

    def on_key(self, event: events.Key) -> None:
        if self._preview.display and event.is_printable and event.key not in self.active_bindings:
            self.tell("this is the preview", hint=keyed("{edit.leave:esc} to go back to the text"))

    def show_keys(self) -> None:
        if not self._hints:
            hints: dict[str, Span] = {}
            for key, active in self.active_bindings.items():
                name = active.binding.id or key
                if name == "edit.help":
                    self._help.append((key_name(key), "keys"))
                if active.binding.show and active.node is self:
                    label = self.done if name == "edit.done" else active.binding.description
                    hints[name] = key_name(key), label
            self._hints = list(hints.values())
        ways = ways_line(self._help, self.size.width)
        self._keys.say(hint_line(self._hints, self.size.width - line_width(ways)), ways)
        self._say_length()

    def _say_length(self) -> None:
        length = _length_line(self.area.text, self._longest)
        self._heading.say(
            (*((("saved as a draft · ", "quiet"),) if self._is_kept else ()), *length)
        )

    def tell_draft(self) -> None:
        """Show the message about a restored draft, else clear the message line."""
        if self._is_from_draft:
            self.tell("your draft", hint=keyed("{edit.original:ctrl+t} to discard it"))
        else:
            self.tell("")

    def _keep(self) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
        problem = self.draft.keep(self.text)
        self._is_kept = self.draft.text() is not None
        self._say_length()
        if problem:
            hint = keyed("it is lost if you quit: press {edit.done:ctrl+s} to save it")
            self.tell(f"the draft cannot be saved: {problem}", hint=hint, error=True)

    def report_draft(self, below: Speaking) -> None:
        """Tell the screen below whether a draft was kept."""
        if self.text == self._original:
            below.say("nothing was changed")
        else:
            again = f"{self.again} to continue" if self.again else ""
            below.say("draft saved", hint=again)


def _length_line(text: str, longest: int | None) -> Line:
    if longest is None:
        return ((f"{len(text):,} characters", "quiet"),)
    used = _size(text)
    if used > longest:
        return ((f"{used - longest:,} bytes too long", "bad"),)
    role = "warn" if used > longest * _WARN_FROM else "quiet"
    return ((f"{used:,} of {longest:,}", role),)


def _size(text: str) -> int:
    return len(text.encode(errors="replace"))


def run_program(words: Sequence[str], environ: Mapping[str, str] | None = None) -> int:
    """Run a program in the terminal, ignoring ctrl+c in this process."""
    # The terminal sends ctrl+c to this process, too. A handler, not `SIG_IGN`, which the editor
    # would inherit: it could not be interrupted then.
    previous = signal.signal(signal.SIGINT, lambda *_: None)
    try:
        return subprocess.run(words, check=False, env=environ).returncode  # noqa: S603 (the user's own program)
    finally:
        signal.signal(signal.SIGINT, previous)


def edit_outside(
    text: str,
    suspend: Suspend,
    *,
    name: str = "text",
    environ: Mapping[str, str] = os.environ,
    run: Run = run_program,
) -> Edited:
    """Edit a text in `$VISUAL` or `$EDITOR`, while the program is suspended as by ctrl+z.

    If that fails, the text is kept, with a message. The temporary file is named after `name`,
    readable by the user only, and deleted afterwards.
    """
    editor = environ.get("VISUAL") or environ.get("EDITOR") or ""
    try:
        words = shlex.split(editor)
    except ValueError:
        return _failed(text, f"the editor “{editor}” has an unmatched quote")
    if not words:
        return _failed(text, "no editor is set", "set one, such as export EDITOR=nano")
    try:
        with TemporaryDirectory(prefix="callboard-", ignore_cleanup_errors=True) as folder:
            path = Path(folder) / f"{name}.md"
            path.touch(mode=0o600)
            path.write_bytes(text.encode(errors="replace"))
            with suspend():
                # An exception in this block would keep Textual from resuming the terminal.
                try:
                    code = run([*words, str(path)])
                except (OSError, ValueError) as error:
                    problem = f"{words[0]} cannot be started: {_reason(error)}"
                    return _failed(text, problem, "check $VISUAL or $EDITOR")
            written = path.read_bytes().decode(errors="replace")
    except SuspendNotSupported:
        return _failed(
            text, "this terminal cannot be handed to another program", "keep writing here"
        )
    except OSError as error:
        return _failed(text, f"the text cannot be passed to the editor: {_reason(error)}")
    return _outcome(text, written, words[0], code)


def _outcome(text: str, written: str, editor: str, code: int) -> Edited:
    if not text.endswith("\n"):
        written = written.removesuffix("\n")  # editors add it at the end of a file
    # The editor was ended by a signal: what it had saved counts.
    if code < 0 and written != text:
        return _failed(written, f"{editor} was killed; the text is what it had saved")
    # Editors exit with an error to discard what was written, such as Vim with `:cq`.
    if code != 0:
        how = f"exited with code {code}" if code > 0 else "was killed"
        return _failed(text, f"{editor} {how}: the text is unchanged")
    if written == text:
        hint = "an editor with its own window needs an option such as --wait"
        return Edited(text, "no changes made in the editor", hint)
    return Edited(written)


def _failed(text: str, message: str, hint: str = "") -> Edited:
    return Edited(text, message, hint, is_error=True)


def _reason(problem: Exception) -> str:
    reason = problem.strerror if isinstance(problem, OSError) else ""
    return (reason or "unknown reason").lower()
