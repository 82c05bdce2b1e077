"""The base class of actions: a command with its keys and its labels for footer, help and palette.

A screen lists its actions; its key bindings, footer hints, help, palette and the reasons why an
action is unavailable are derived from that list.
"""

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

    - `id` identifies it in the user's key map.
    - `keys` are its default keys, separated by commas; a blank joins the keys of a chord. May be
      empty.
    - `label` is shown in help, palette and chords: verb first, 40 characters at most.
    - `hint` is its label of one or two words in the footer; empty leaves it out there.
    - `changes_board`: not available to viewers of the board (5.5).
    - `manages_board`: available only to managers of the board (5.5).
    - `administers`: available only to administrators of the whole service.
    - `changes_more`: changes something else than a board. In read-only mode neither this nor any of
      the three above is available.
    - `needs` is the feature of the service that it requires; `instead` is the hint shown if the
      service lacks it.
    - `asks`: it opens a dialog, so it runs in a worker and does not block key handling.
    - `while_moving`: it is available while a card is lifted.
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
