"""The actions that a screen offers, each with its context."""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, TypeVar

from tui.actions.action import Action
from tui.actions.availability import ADMINISTRATOR, MEMBER, READ_ONLY, VIEWER, unavailable
from tui.actions.host import Host

C = TypeVar("C")


class Offered(NamedTuple):
    """An action, and what returns the context it runs on."""

    action: Action[Any]
    context: Callable[[], Any]


class OfferedActions:
    """The actions of a screen by id: runs them, or says why one is unavailable."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._offered: dict[str, Offered] = {}

    def add(self, actions: Iterable[Action[C]], on: C) -> None:
        """Offer actions that run on the context `on`; the screen's bindings hold their keys."""
        self.add_for(actions, lambda: on)

    def add_for(self, actions: Iterable[Action[C]], context: Callable[[], C]) -> None:
        """Offer actions that run on what `context` returns at that moment."""
        self._offered |= {action.id: Offered(action, context) for action in actions}

    @property
    def ids(self) -> frozenset[str]:
        """The ids of the offered actions."""
        return frozenset(self._offered)

    @property
    def actions(self) -> list[Action[Any]]:
        """The offered actions, in the order they were added."""
        return [offered.action for offered in self._offered.values()]

    def unavailable(self, action_id: str) -> str | None:
        """The reason why a binding is unavailable on this screen, by its id; None if it is not."""
        action = self._offered[action_id].action if action_id in self._offered else None
        return unavailable(action_id, action, self._host.context.store, self._host.role)

    def says_why_not(self, action_id: str) -> bool:
        """If an action is unavailable, say why and what to press instead, and return True."""
        reason = self.unavailable(action_id)
        if reason:
            is_forbidden = reason in (READ_ONLY, VIEWER, MEMBER, ADMINISTRATOR)
            is_missing = action_id in self._offered and not is_forbidden
            hint = self._offered[action_id].action.instead if is_missing else ""
            self._host.say(reason, hint=hint)
        return bool(reason)

    def works_while_moving(self, action_id: str) -> bool:
        """Whether an action is available while something is lifted.

        It may be one of the screen below, which is drawn too.
        """
        return action_id in self._offered and self._offered[action_id].action.while_moving

    async def run(self, action_id: str) -> None:
        """Run an action; one that opens a dialog runs in a worker."""
        action, context = self._offered[action_id]
        if action.asks:
            self._host.dialogs.run(action.run(context()))
        else:
            await action.run(context())

    async def perform(self, action_id: str) -> bool:
        """Run an action, or say why it is unavailable; False if this screen does not offer it."""
        if action_id not in self._offered:
            return False
        if not self.says_why_not(action_id):
            await self.run(action_id)
        return True
