"""The actions that a screen offers, each with what it works on there."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from tui.actions.action import Action, On
from tui.actions.availability import VIEWER, unavailable
from tui.actions.host import Host


class Offered(NamedTuple):
    """An action, and what it works on."""

    action: Action[Any]
    on: Any


class OfferedActions:
    """Runs the actions of a screen, or says why one cannot be had."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._offered: dict[str, Offered] = {}

    def add(self, actions: Iterable[Action[On]], on: On) -> None:
        """Offer actions which work on this; their keys are in the bindings of the screen."""
        self._offered |= {action.id: Offered(action, on) for action in actions}

    @property
    def ids(self) -> frozenset[str]:
        """The ids of the actions that are offered."""
        return frozenset(self._offered)

    @property
    def actions(self) -> list[Action[Any]]:
        """The actions that are offered."""
        return [offered.action for offered in self._offered.values()]

    def unavailable(self, action_id: str) -> str | None:
        """Why the action of a binding's id cannot be had here at all; None if it can."""
        action = self._offered[action_id].action if action_id in self._offered else None
        store, is_viewer = self._host.context.store, self._host.is_read_only
        return unavailable(action_id, action, store, is_viewer=is_viewer)

    def says_why_not(self, action_id: str) -> bool:
        """Say why an action cannot be had, and what can be done instead; whether that is so."""
        reason = self.unavailable(action_id)
        if reason:
            is_missing = action_id in self._offered and reason != VIEWER
            hint = self._offered[action_id].action.instead if is_missing else ""
            self._host.say(reason, hint=hint)
        return bool(reason)

    def works_while_moving(self, action_id: str) -> bool:
        """Whether an action can be had while something is lifted."""
        return self._offered[action_id].action.while_moving

    async def run(self, action_id: str) -> None:
        """Run an action."""
        action, on = self._offered[action_id]
        if action.asks:
            self._host.run_worker(action.run(on), group="dialog", exclusive=True)
        else:
            await action.run(on)

    async def perform(self, action_id: str) -> bool:
        """Run an action, or say why it cannot be had; whether it is offered."""
        if action_id not in self._offered:
            return False
        if not self.says_why_not(action_id):
            await self.run(action_id)
        return True
