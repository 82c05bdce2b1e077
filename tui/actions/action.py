"""Actions: methods that a key or the palette runs.

A method of a screen becomes an action by a decorator with its key and its words:

    class LabelsScreen(TableScreen[Label]):
        @board_action("label.merge", "m", "Merge marked labels into one", hint="merge", asks=True)
        async def merge(self) -> None: ...

Actions that several screens share are methods of a plain object. The screen names its class in
`actions_of` and hands the object to `self.actions.offer`. Bindings, footer, help, palette, the
user's key map and the reasons why an action is unavailable are derived from the decorators.

A `CallboardError` that an action raises is shown on the status line.
"""

from collections.abc import Callable
from dataclasses import KW_ONLY
from functools import partial
from typing import TypeVar

from textual.binding import Binding, BindingType

from tui.client.capabilities import Feature
from tui.record import record

Method = TypeVar("Method", bound=Callable[..., object])
_ATTRIBUTE = "declared_actions"


@record
class Action:
    """What a decorator says of a method; several decorators make several actions of it.

    - `id` identifies it in the user's key map.
    - `keys` are its default keys, separated by commas; a blank joins the keys of a chord. May be
      empty.
    - `label` is shown in help, palette and chords: verb first, 40 characters at most.
    - `hint` is its label of one or two words in the footer; empty leaves it out there.
    - `words` are others that palette and help find it by.
    - `changes_board`: not available to viewers of the board (5.5).
    - `manages_board`: available only to managers of the board (5.5).
    - `administers`: available only to administrators of the whole service.
    - `changes_more`: changes something else than a board. In read-only mode neither this nor any of
      the three above is available.
    - `needs` is the feature of the service that it requires; `instead` is the hint shown if the
      service lacks it.
    - `asks`: it opens a dialog, so it runs in a worker and does not block key handling.
    - `while_moving`: it is available while a card is lifted.
    - `arguments` are passed to the method.
    """

    id: str
    keys: str
    label: str
    _: KW_ONLY
    hint: str = ""
    words: str = ""
    changes_board: bool = False
    manages_board: bool = False
    administers: bool = False
    changes_more: bool = False
    needs: Feature | None = None
    instead: str = ""
    asks: bool = False
    while_moving: bool = False
    arguments: tuple[object, ...] = ()

    def __call__(self, method: Method) -> Method:
        setattr(method, _ATTRIBUTE, (self, *getattr(method, _ATTRIBUTE, ())))
        return method

    @property
    def binding(self) -> Binding:
        """The binding of its keys, which `CallboardScreen.action_run` handles."""
        return Binding(
            self.keys,
            f"screen.run('{self.id}')",
            self.hint or self.label,
            id=self.id,
            show=bool(self.hint),
            tooltip=self.label,
        )


action = Action
board_action = partial(Action, changes_board=True)
"""The decorator of an action that changes the board."""


def declared_actions(owner: type) -> tuple[tuple[str, Action], ...]:
    """The names of the decorated methods of a class and its bases, each with an action.

    A method that overrides a decorated one keeps its actions, unless it is decorated itself.
    """
    declared: dict[str, tuple[Action, ...]] = {}
    for base in reversed(owner.__mro__):
        for name, value in vars(base).items():
            if hasattr(value, _ATTRIBUTE):
                declared[name] = getattr(value, _ATTRIBUTE)
    return tuple(
        (name, declaration) for name, actions in declared.items() for declaration in actions
    )


def bindings(*owners: type) -> list[BindingType]:
    """The key bindings of the actions of classes, for the `BINDINGS` of a screen or widget."""
    return [
        declaration.binding
        for owner in owners
        for _, declaration in declared_actions(owner)
        if declaration.keys
    ]


def own_bindings(screen: type) -> list[BindingType]:
    """The bindings that a screen adds to those of its bases."""
    values = vars(screen)
    own = (
        declaration for value in values.values() for declaration in getattr(value, _ATTRIBUTE, ())
    )
    methods = [declaration.binding for declaration in own if declaration.keys]
    return [*values.get("BINDINGS", ()), *methods, *bindings(*values.get("actions_of", ()))]
