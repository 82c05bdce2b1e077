"""Finds the handlers of a message once for each kind of node.

Textual looks through all base classes of a node for each message, which was a tenth of what a step
of the cursor took. It relies on private parts of Textual, see `textual_patches`.
"""

from collections.abc import Callable, Iterable
from functools import cache
from inspect import signature
from typing import Any

from textual.message import Message
from textual.message_pump import MessagePump

_Handler = tuple[type, Callable[..., Any]]
"""A function, and the class that has it."""

_find: Any = getattr(MessagePump, "_get_dispatch_methods", None)


@cache
def _handlers(node: type, message: type, name: str) -> tuple[_Handler, ...] | None:
    # As Textual finds them; None if some are only for what a selector matches.
    kinds = [kind for kind in message.__mro__ if issubclass(kind, Message)]
    found: dict[_Handler, None] = {}
    decorated: set[Callable[..., Any]] = set()
    for base in node.__mro__:
        own = vars(base)
        for kind in kinds:
            for method, selectors in (own.get("_decorated_handlers") or {}).get(kind, ()):
                if selectors:
                    return None
                if method not in decorated:
                    decorated.add(method)
                    found[base, method] = None
        named = own.get(f"_{name}") or own.get(name)
        if named is not None and not getattr(named, "_textual_on", None):
            found[base, named] = None
    return tuple(found)


def handlers_of(node: MessagePump, method_name: str, message: Message) -> Iterable[_Handler]:
    """The handlers of a message, bound to a node, in Textual's order.

    One that prevents the default action is the last of its class.
    """
    kind: type = type(message)
    handlers = _handlers(type(node), kind, method_name)
    if handlers is None:
        yield from _find(node, method_name, message)
        return
    before: type | None = None
    for base, method in handlers:
        if message._no_default_action and base is not before:  # noqa: SLF001  as Textual does
            return
        before = base
        yield base, method.__get__(node, base)


def find_handlers_once() -> None:
    """Make Textual use `handlers_of`, unless what it replaces has changed."""
    if _find is not None and list(signature(_find).parameters)[1:] == ["method_name", "message"]:
        setattr(MessagePump, "_get_dispatch_methods", handlers_of)  # noqa: B010  it is a method
