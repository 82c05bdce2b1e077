"""Actions as classes, which run on a context; `tui.actions.action` replaces them by methods."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from inspect import isawaitable
from typing import Any, Generic, TypeVar

from textual.binding import Binding, BindingType

from tui.client.capabilities import Feature

On = TypeVar("On", contravariant=True)  # noqa: PLC0105  one name says enough
"""The context that an action runs on."""


class Action(ABC, Generic[On]):
    """A stateless command that a key or the palette runs on a context.

    The attributes are those of `tui.actions.action.Action`.
    """

    id: str
    keys: str = ""
    label: str
    hint: str = ""
    changes_board: bool = False
    manages_board: bool = False
    administers: bool = False
    changes_more: bool = False
    needs: Feature | None = None
    instead: str = ""
    asks: bool = False
    while_moving: bool = False

    @abstractmethod
    async def run(self, on: On) -> None:
        """Run the action, or say why it is not possible."""


class Do(Action[On]):
    """An action that calls one function, which may be asynchronous."""

    def __init__(
        self,
        action_id: str,
        keys: str,
        label: str,
        do: Callable[[On], object],
        *,
        hint: str = "",
        while_moving: bool = False,
    ) -> None:
        self.id, self.keys, self.label = action_id, keys, label
        self.hint, self.while_moving = hint, while_moving
        self._do = do

    async def run(self, on: On) -> None:
        result = self._do(on)
        if isawaitable(result):
            await result


def bindings(*lists: Iterable[Action[Any]]) -> list[BindingType]:
    """The key bindings of actions, for the `BINDINGS` of a screen or widget."""
    return [
        Binding(
            action.keys,
            f"screen.run('{action.id}')",
            action.hint or action.label,
            id=action.id,
            show=bool(action.hint),
            tooltip=action.label,
        )
        for actions in lists
        for action in actions
        if action.keys
    ]
