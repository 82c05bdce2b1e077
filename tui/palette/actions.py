"""Every action of the screen by its name, from the bindings.

What is not available, or not now, is listed too, with the reason.
"""

from collections.abc import Iterator

from textual.app import App
from textual.binding import ActiveBinding
from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.screen import Screen

from tui.screens.base import CallboardScreen
from tui.widgets.bars import key_name


class ActionProvider(Provider):
    """Finds actions by their names, tooltips and ids."""

    async def discover(self) -> Hits:
        """Every action, before anything is typed."""
        for title, each, key in self._actions():
            yield DiscoveryHit(title, self._run(each), help=key)

    async def search(self, query: str) -> Hits:
        """The actions that fit what is typed."""
        matcher = self.matcher(query)
        for title, each, key in self._actions():
            score = matcher.match(f"{title} {each.binding.id or ''}")
            if score > 0:
                yield Hit(score, matcher.highlight(title), self._run(each), help=key)

    def _actions(self) -> Iterator[tuple[str, ActiveBinding, str]]:
        """The actions of the screen the palette was opened on, each once, with its key."""
        seen: set[str] = set()
        for key, each in self.screen.active_bindings.items():
            name = each.binding.id or ""
            if not name or name in seen or name.startswith(("cursor.", "app.palette", "input.")):
                continue
            seen.add(name)
            title = each.tooltip or each.binding.description
            reason = self._unavailable(name) or ("" if each.enabled else "not now")
            yield title, each, key_name(key) + (f" · {reason}" if reason else "")

    def _unavailable(self, action: str) -> str:
        """Why an action cannot be had on the screen the palette was opened on; empty if it can."""
        if not isinstance(self.screen, CallboardScreen):
            return ""
        return self.screen.actions.unavailable(action) or ""

    def _run(self, each: ActiveBinding) -> "_Run":
        return _Run(self.app, self.screen, each)


class _Run:
    """Runs the action of a binding on the node it was declared on, or says why it cannot."""

    def __init__(self, app: App[object], screen: Screen[object], binding: ActiveBinding) -> None:
        self._app = app
        self._screen = screen
        self._binding = binding

    async def __call__(self) -> None:
        if isinstance(self._screen, CallboardScreen):
            await self._screen.keys.run(self._binding)
        else:
            await self._app.run_action(self._binding.binding.action, self._binding.node)
