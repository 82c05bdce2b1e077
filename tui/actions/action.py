"""An action: what one key does, with its names for footer, help and palette.

A screen lists its actions; its key bindings, hints, help, palette and the reasons why something is
not possible all follow from the list.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from inspect import isawaitable
from typing import Any, Generic, TypeVar

from textual.binding import Binding, BindingType

from tui.client.capabilities import Feature

On = TypeVar("On")
"""What an action works on."""


class Action(ABC, Generic[On]):
    """One thing that can be done; it keeps no state of its own.

    - `id` names it in a person's key map.
    - `keys` are its default keys with commas between, a chord with a blank; it may have none.
    - `label` says what it does, for help, palette and chords: a verb first, 40 characters at most.
    - `hint` is a word or two for the footer, which shows no action without one.
    - `changes_board`: a viewer of the board may not do it (5.6).
    - `needs` is the feature of the service without which it is not possible, `instead` what to
      press then.
    - `asks`: it opens a dialog, and so runs beside the keys.
    - `while_moving`: it can be had while something is lifted.
    """

    id: str
    keys: str = ""
    label: str
    hint: str = ""
    changes_board: bool = False
    needs: Feature | None = None
    instead: str = ""
    asks: bool = False
    while_moving: bool = False

    @abstractmethod
    async def run(self, on: On) -> None:
        """Do it, or say why not."""


class Do(Action[On]):
    """An action that is one call."""

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
        doing = self._do(on)
        if isawaitable(doing):
            await doing


def bindings(*lists: Iterable[Action[Any]]) -> list[BindingType]:
    """The bindings of actions that have keys, for a screen or for a widget on it."""
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
