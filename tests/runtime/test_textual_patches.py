"""Each patch of Textual: that it still fits, that it still does something, and life without it."""

import asyncio
import codecs
import importlib
import inspect
import pkgutil
import subprocess
import sys
from collections.abc import Callable

import pytest
from rich.console import RenderableType
from textual._compositor import LayoutUpdate
from textual.app import App
from textual.css.model import RuleSet
from textual.dom import DOMNode
from textual.drivers import linux_driver
from textual.screen import Screen

import tui.dialogs
import tui.screens
import tui.widgets
from tests.fakes.boards import bare_details, small
from tests.fakes.store import FakeStore
from tests.screens.driving import Driver, connected, key_event
from tui.app import CallboardApp
from tui.context import Context
from tui.runtime import textual_patches
from tui.runtime.dirty_lines import DirtyLines
from tui.runtime.textual_patches import (
    PatchedApp,
    ProgramScreen,
    let_be_switched,
    until_read,
)
from tui.screens.task.screen import TaskScreen
from tui.store.protocol import Pause

pytestmark = pytest.mark.painted

LEAVING = (PatchedApp, "_replace_screen")
ERRORS = (PatchedApp, "_fatal_error")
DISPLAY = (PatchedApp, "_display")
RENDERING = (DirtyLines, "render_full_update", "render_partial_update")


class Counting(CallboardApp):
    """The program, with its frames counted."""

    frames = whole_frames = 0

    def action_fail(self) -> None:
        """What a key does that fails."""
        raise RuntimeError("broken")

    def _display(self, screen: Screen[object], renderable: RenderableType | None) -> None:
        self.frames += renderable is not None
        self.whole_frames += isinstance(renderable, LayoutUpdate)
        super()._display(screen, renderable)


def program(store: FakeStore | None = None) -> Counting:
    """The program on a small board."""
    store = store or FakeStore(small(), details=bare_details(small()))
    return Counting(Context(store), connect=connected, board_id=1)


def without(monkeypatch: pytest.MonkeyPatch, patched: type, *names: str) -> None:
    """Leave a patch out, as after an upgrade that it no longer fits."""
    for name in names:
        monkeypatch.delattr(patched, name)


@pytest.mark.parametrize("patch", [LEAVING, ERRORS, DISPLAY, RENDERING])
def test_textual_still_has_what_is_overridden(patch: tuple[type, *tuple[str, ...]]) -> None:
    patched, *names = patch
    for name in names:
        assert name in vars(patched), (
            f"Textual's {patched.__mro__[1].__name__}.{name} is gone or takes something else: "
            f"{patched.__name__} leaves Textual alone. Fit it to the new Textual, or delete it."
        )


def test_no_other_class_overrides_what_is_private() -> None:
    for package in (tui.screens, tui.dialogs, tui.widgets):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            importlib.import_module(module.name)
    for each in subclasses(DOMNode) - {ProgramScreen, PatchedApp}:
        methods = {name for name, value in vars(each).items() if inspect.isfunction(value)}
        private = {name for name in methods if name.startswith("_") and not name.startswith("__")}
        for base in each.__mro__[1:]:
            if each.__module__.startswith("tui.") and base.__module__.startswith("textual."):
                assert not private & set(vars(base)), f"{each} overrides methods of {base}"


def subclasses(of: type) -> set[type]:
    """All classes below one."""
    direct: list[type] = of.__subclasses__()
    return {*direct, *(below for each in direct for below in subclasses(each))}


class Old:
    """What a patch was written for."""

    def gone(self) -> None: ...
    def more(self) -> None: ...
    async def waits(self) -> None: ...
    def same(self, _one: int) -> None: ...


class New:
    """What an upgrade made of it."""

    def more(self, _what: int) -> None: ...
    def waits(self) -> None: ...
    def same(self, _one: float) -> None: ...


@pytest.mark.parametrize("changed", ["gone", "more", "waits"])
def test_a_patch_is_left_out_as_a_whole_where_anything_has_changed(changed: str) -> None:
    patched = type("Patched", (New,), dict(vars(Old)))
    textual_patches.leave_out_if_changed(patched, New, "same")
    assert "same" in vars(patched)
    textual_patches.leave_out_if_changed(patched, New, "same", changed)
    assert not {"same", changed} & set(vars(patched))


@pytest.mark.long
@pytest.mark.parametrize(
    "off",
    [
        *([], [LEAVING], [ERRORS], [RENDERING]),
        [LEAVING, ERRORS, RENDERING],
    ],
    ids=["none", "leaving", "errors", "rendering", "all"],
)
async def test_the_program_works_without_a_patch(
    off: list[tuple[type, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    for patch in off:
        without(monkeypatch, *patch)
    app = program()
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.pause()
        person = Driver(app, pilot)
        await person.press("j", "L")
        assert person.titles(2)[:2] == ["d", "b"]
        for _ in range(2):
            await person.press("enter")
            assert isinstance(app.screen, TaskScreen)
            assert "Priority" in person.text
            await person.press("escape")
            assert person.here == "b"
        await person.press("?", "escape", "q")
    assert (app.return_code, app.crash) == (0, "")


async def frames(opening: str) -> tuple[int, int]:
    """The frames of a key that puts something in front, and of leaving it: the fewest of a few."""
    app = program()
    opened, left = [], []
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.pause()
        for _ in range(4):
            start = app.frames
            await pilot.press(opening)
            middle = app.frames
            await pilot.press("escape")
            opened.append(middle - start)
            left.append(app.frames - middle)
    return min(opened), min(left)


@pytest.mark.long
async def test_it_is_the_patch_that_saves_frames_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    without(monkeypatch, *LEAVING)
    _, left = await frames("p")
    assert left > 1, "Textual paints once when a screen goes: `_replace_screen` can go."


async def test_not_all_is_painted_when_the_focus_moves() -> None:
    app = program()
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.pause()
        person = Driver(app, pilot)
        await person.press("enter")
        app.whole_frames = 0
        await person.press("4", "tab", "2", "5", "1")
        assert app.whole_frames == 0


class FailingStore(FakeStore):
    """A store with a mistake in it, and a secret at hand."""

    async def open_board(self, board_id: int, *, after: Pause | None = None) -> None:
        del after
        secret = "hush" * 2
        raise RuntimeError(f"broken at {board_id}, {len(secret)}")


def test_rules_of_styles_are_told_apart_by_identity_as_textual_does() -> None:
    first, equal = RuleSet(), RuleSet()
    assert first == equal
    assert len({first, equal}) == 2
    assert "return id(self)" in inspect.getsource(RuleSet)
    assert RuleSet.__hash__ is object.__hash__


async def test_an_error_is_kept_for_the_log(capsys: pytest.CaptureFixture[str]) -> None:
    app = program(FailingStore(small()))
    await app.run_async(headless=True, size=(80, 24))
    assert "RuntimeError: broken at 1" in app.crash, (
        "Textual does not call `_fatal_error` any more."
    )
    assert app.return_code == 1
    assert "broken" not in "".join(capsys.readouterr())


@pytest.mark.long
async def test_without_the_patch_textual_tells_an_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    without(monkeypatch, *ERRORS)
    app = program(FailingStore(small()))
    await app.run_async(headless=True, size=(80, 24))
    assert (app.return_code, app.crash) == (1, "")
    told = "".join(capsys.readouterr())
    assert "broken at 1" in told
    assert "hushhush" in told, "Textual leaves out local variables: `_fatal_error` can go."


async def test_a_key_that_fails_ends_the_program() -> None:
    app = program()
    app.bind("f5", "fail")

    async def press(_pilot: object) -> None:
        app.post_message(key_event("f5"))

    await app.run_async(headless=True, size=(100, 30), auto_pilot=press)
    assert "RuntimeError: broken" in app.crash
    assert app.return_code == 1


class TwoScreens(App[None]):
    """An application whose first screen is replaced, with or without our help."""

    def __init__(self, prepare: Callable[[Screen[None], App[None]], None]) -> None:
        super().__init__()
        self._prepare = prepare

    def get_default_screen(self) -> Screen[None]:
        screen = Screen[None]()
        self._prepare(screen, self)
        return screen


async def test_the_first_screen_can_be_switched() -> None:
    app = TwoScreens(let_be_switched)
    async with app.run_test():
        await app.switch_screen(Screen[None](id="second"))
        assert app.screen.id == "second"


async def test_textual_still_fails_at_the_first_screen() -> None:
    app = TwoScreens(lambda *_: None)
    async with app.run_test():
        failed = False
        try:
            await app.switch_screen(Screen[None]())
        except IndexError:
            failed = True
        assert failed, "Textual switches the first screen by itself: `let_be_switched` can go."


def test_bytes_that_are_no_utf_8_are_accepted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(linux_driver, "getincrementaldecoder", codecs.getincrementaldecoder)
    reading = inspect.getsource(linux_driver.LinuxDriver.run_input_thread)
    assert 'getincrementaldecoder("utf-8")()' in reading, "Textual decodes keys in another way."
    textual_patches.accept_any_byte()
    decoder = vars(linux_driver)["getincrementaldecoder"]("utf-8")
    assert decoder().decode(b"d\xe9j\xc3\xa0", final=False) == "déjà"
    assert decoder().decode(b"", final=True) == ""
    with pytest.raises(EOFError):  # else it would read nothing for ever
        decoder().decode(b"", final=False)


def test_a_driver_that_decodes_in_another_way_is_left_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delattr(linux_driver, "getincrementaldecoder")
    textual_patches.accept_any_byte()
    assert not hasattr(linux_driver, "getincrementaldecoder")


IMPORT = """
import contextlib, io, sys
from tui.runtime.textual_patches import no_terminal_to_ask

class Terminal(io.StringIO):
    is_asked = False

    def isatty(self):
        self.is_asked = True
        return False

terminal = sys.__stdout__ = Terminal()
with {hidden}():
    from textual_image import widget
assert sys.__stdout__ is terminal
print(terminal.is_asked)
"""


@pytest.mark.long
@pytest.mark.parametrize(
    ("hidden", "is_asked", "otherwise"),
    [
        ("no_terminal_to_ask", "False", "`textual_image` finds the terminal in another way."),
        ("contextlib.nullcontext", "True", "It asks nothing: `no_terminal_to_ask` can go."),
    ],
)
def test_an_import_asks_the_terminal_nothing(hidden: str, is_asked: str, otherwise: str) -> None:
    code = IMPORT.format(hidden=hidden)
    told = subprocess.run(  # noqa: S603  our own code
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert told.stdout.strip() == is_asked, otherwise


async def test_a_node_has_read_its_messages_when_it_has_handled_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    app = program()
    async with app.run_test() as pilot:
        await pilot.pause()
        handled: list[str] = []

        async def handle() -> None:
            await asyncio.sleep(0.01)
            handled.append("the message")

        app.screen.call_later(handle)
        await until_read(app.screen)
        assert handled
        await pilot.pause()
        with monkeypatch.context() as patch:
            patch.setattr(app.screen, "post_message", handled.append)
            await until_read(app.screen)
        assert len(handled) == 1, "one that waits is not sent a message"
