"""The handlers of a message are those that Textual finds, in its order."""

from collections.abc import Callable
from functools import partial, wraps
from inspect import getmembers, isfunction, signature

import textual._callback
from textual import events, on
from textual.message import Message
from textual.message_pump import MessagePump
from textual.widget import Widget
from textual.widgets import Input

from tests.boards import small
from tests.fake_store import FakeStore
from tests.screens.driving import opened
from tui.app import CallboardApp
from tui.runtime import textual_patches
from tui.runtime.textual_patches import count_parameters, handlers_of


class Base(Widget):
    """Handles by a name and by a decorator."""

    def on_key(self) -> None: ...

    @on(events.Key)
    @on(events.Paste)
    def decorated(self) -> None: ...


class Below(Base):
    """Handles the same once more, and what comes from some widget."""

    async def _on_key(self, event: events.Key) -> None: ...

    def decorated(self) -> None: ...

    @on(Input.Changed, "#a")
    def selected(self) -> None: ...


def names(node: MessagePump, message: Message) -> list[tuple[str, str]]:
    """The classes and the names of handlers."""
    found = handlers_of(node, message.handler_name, message)
    return [(base.__name__, method.__name__) for base, method in found]


def test_textual_finds_handlers_by_ours() -> None:
    assert vars(MessagePump)["_get_dispatch_methods"] is handlers_of, (
        "Textual's MessagePump._get_dispatch_methods is gone or takes something else."
    )


async def test_they_are_those_that_textual_finds() -> None:
    key, paste = events.Key("a", "a"), events.Paste("a")
    changed = Input.Changed(Input(id="a"), "")
    messages = (key, paste, changed, events.Focus(), events.Mount(), events.Idle())
    async with opened(FakeStore(small())) as person:
        nodes = [Base(), Below(), *person.app.screen.walk_children(with_self=True), person.app]
        for node in nodes:
            for message in messages:
                found = textual_patches._find_handlers(node, message.handler_name, message)
                textual = [(base.__name__, method.__name__) for base, method in found]
                assert names(node, message) == textual


def test_what_prevents_the_default_action_is_the_last_of_its_class() -> None:
    key, seen = events.Key("a", "a"), []
    for base, method in handlers_of(Below(), "on_key", key):
        seen.append((base.__name__, method.__name__))
        key.prevent_default()
    assert seen == [("Below", "_on_key")]
    assert names(Below(), events.Key("a", "a"))[:2] == [("Below", "_on_key"), ("Base", "decorated")]


def each_kind(
    one: int, /, two: int = 0, *more: int, three: int, four: int = 1, **named: int
) -> None:
    """A function with parameters of each kind."""


@wraps(each_kind)
def wrapped() -> None:
    """A function that looks like another one."""


def test_the_parameters_of_handlers_are_counted_as_textual_does() -> None:
    assert vars(textual._callback)["_count_parameters"] is count_parameters, (
        "Textual's _callback._count_parameters is gone."
    )
    functions: list[Callable[..., object]] = [each_kind, wrapped, partial(each_kind, 1), print]
    functions += [Base().decorated, Base, *methods(Widget), *methods(CallboardApp)]
    for function in functions:
        assert count_parameters(function) == len(signature(function).parameters), function


def methods(of: type) -> list[Callable[..., object]]:
    """All functions of a class."""
    return [function for _, function in getmembers(of, isfunction)]
