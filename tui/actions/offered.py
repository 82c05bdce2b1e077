"""The actions that a screen offers: what a key or the palette runs, and why it may be refused."""

from collections.abc import Callable
from functools import partial
from inspect import isawaitable
from typing import NamedTuple, TypeVar

from tui.actions.action import Action, declared_actions
from tui.actions.availability import (
    ADMINISTRATOR,
    MEMBER,
    READ_ONLY,
    VIEWER,
    unavailable,
)
from tui.actions.host import ErrorsSaid, Host

C = TypeVar("C")


class Offered(NamedTuple):
    """An action, and what it calls."""

    action: Action
    call: Callable[[], object]


class OfferedActions:
    """The actions of a screen by id: runs them, or says why one is unavailable."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._offered: dict[str, Offered] = {}

    def offer(self, owner: object) -> None:
        """Offer the decorated methods of the screen, or of an object that it owns."""
        self.offer_for(type(owner), lambda: owner)

    def offer_for(self, owner: type[C], current: Callable[[], C]) -> None:
        """Offer the decorated methods of what `current` returns when an action runs."""

        def call(name: str, action: Action) -> object:
            return getattr(current(), name)(*action.arguments)

        for name, action in declared_actions(owner):
            self._offered[action.id] = Offered(action, partial(call, name, action))

    @property
    def ids(self) -> frozenset[str]:
        """The ids of the offered actions."""
        return frozenset(self._offered)

    @property
    def actions(self) -> list[Action]:
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
        """Run an action, and show the error that it raises; one that asks runs in a worker."""
        offered = self._offered[action_id]
        if offered.action.asks:
            self._host.dialogs.run(self._run(offered))
        else:
            await self._run(offered)

    async def _run(self, offered: Offered) -> None:
        with ErrorsSaid(self._host):
            result = offered.call()
            if isawaitable(result):
                await result

    async def perform(self, action_id: str) -> bool:
        """Run an action, or say why it is unavailable; False if this screen does not offer it."""
        if action_id not in self._offered:
            return False
        if not self.says_why_not(action_id):
            await self.run(action_id)
        return True
