"""The help of a screen, and its command palette: the actions by label, the last used ones first.

What is found elsewhere is listed below them.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from textual.binding import ActiveBinding

from tui.actions.action import action
from tui.actions.host import Host, OfferedActions
from tui.actions.program import go_to
from tui.config.preferences import ALL_BOARDS
from tui.model.find import Found
from tui.screens.keys import Keys
from tui.widgets.bars import key_name

if TYPE_CHECKING:
    from tui.dialogs.palette import Command

_USED, _MOST = "actions", 20
_NOT_LISTED = ("cursor.", "app.palette")


class Palette:
    """The help and the palette of a screen, of its keys and the actions it offers."""

    def __init__(self, host: Host, keys: Keys, offered: OfferedActions) -> None:
        self._host = host
        self._keys = keys
        self._offered = offered

    @action("app.help", "question_mark", "Show keys", hint="help", while_moving=True)
    def show_help(self) -> None:
        from tui.dialogs.help import HelpDialog

        self._host.app.push_screen(HelpDialog(self._keys.available()))

    @action("app.palette", "ctrl+p,colon", "Open command palette", while_moving=True)
    def show(self) -> None:
        self._host.run_worker(self._choose(), group="palette", exclusive=True)

    async def _choose(self) -> None:
        from tui.dialogs.palette import PaletteDialog

        host, bound = self._host, self._keys.by_id()
        commands = self._commands(bound)
        preferences = host.context.preferences
        recent = preferences.recent(ALL_BOARDS, _USED)
        chosen = await host.ask(PaletteDialog(list(commands.values()), recent, host.context))
        waits_for = host.waits_for
        if isinstance(chosen, Found):
            if waits_for:
                host.say(waits_for)
            else:
                await go_to(chosen, host)
        if not isinstance(chosen, str):
            return
        preferences.used(ALL_BOARDS, _USED, [chosen], most=_MOST)
        if commands[chosen].reason == waits_for != "":
            host.say(waits_for)
        elif chosen in bound:
            await self._keys.run(bound[chosen][1])
        else:
            await self._offered.perform(chosen)

    def _commands(self, bound: Mapping[str, tuple[str, ActiveBinding]]) -> dict[str, "Command"]:
        from tui.dialogs.palette import Command

        waits_for, found, listed_actions = self._host.waits_for, {}, set()
        for name, (key, each) in bound.items():
            is_listed = each.tooltip and not name.startswith(_NOT_LISTED)
            if is_listed and each.binding.action not in listed_actions:
                listed_actions.add(each.binding.action)
                reason = self._offered.unavailable(name) or ("" if each.enabled else waits_for)
                found[name] = Command(name, each.tooltip, key_name(key), reason)
        for offered in self._offered.actions:
            if offered.id not in found and not offered.keys:
                reason = self._offered.unavailable(offered.id) or waits_for
                found[offered.id] = Command(offered.id, offered.label, reason=reason)
        return found
