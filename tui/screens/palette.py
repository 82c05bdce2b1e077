"""The help of a screen, and its command palette: the actions by label, the last used ones first.

What is found elsewhere is listed below them.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from textual.binding import ActiveBinding

from tui.actions.action import Action
from tui.actions.host import Host
from tui.actions.offered import OfferedActions
from tui.actions.program import go_to
from tui.config.preferences import ALL_BOARDS
from tui.model.find import Found
from tui.screens.keys import Keys
from tui.widgets.bars import key_name

if TYPE_CHECKING:
    from tui.dialogs.palette import Command

_USED, _MOST = "actions", 20
_NOT_LISTED = ("cursor.", "app.palette")


class PaletteContext(NamedTuple):
    """A screen, its keys and the actions it offers."""

    host: Host
    keys: Keys
    offered: OfferedActions


class ShowPalette(Action[PaletteContext]):
    """Asks for an action and runs it, or shows why it is not available."""

    id, keys, label = "app.palette", "ctrl+p,colon", "Open command palette"
    while_moving = True

    async def run(self, on: PaletteContext) -> None:
        on.host.run_worker(_choose(on), group="palette", exclusive=True)


class ShowHelp(Action[PaletteContext]):
    """Lists the keys that work on the screen."""

    id, keys, label, hint = "app.help", "question_mark", "Show keys", "help"
    while_moving = True

    async def run(self, on: PaletteContext) -> None:
        from tui.dialogs.help import HelpDialog

        on.host.app.push_screen(HelpDialog(on.keys.available()))


HELP_ACTIONS: tuple[Action[PaletteContext], ...] = (ShowHelp(),)
PALETTE_ACTIONS: tuple[Action[PaletteContext], ...] = (ShowPalette(),)


async def _choose(on: PaletteContext) -> None:
    """Ask for an action, remember it as the last used, and run it or show why not."""
    from tui.dialogs.found import Finder
    from tui.dialogs.palette import PaletteDialog

    preferences, bound = on.host.context.preferences, on.keys.by_id()
    commands = _commands(on, bound)
    recent = preferences.recent(ALL_BOARDS, _USED)
    finder = Finder(on.host.context)
    chosen = await on.host.ask(PaletteDialog(list(commands.values()), recent, finder))
    waits_for = on.host.waits_for
    if isinstance(chosen, Found):
        if waits_for:
            on.host.say(waits_for)
        else:
            await go_to(chosen, on.host)
    if not isinstance(chosen, str):
        return
    preferences.used(ALL_BOARDS, _USED, [chosen], most=_MOST)
    if commands[chosen].reason == waits_for != "":
        on.host.say(waits_for)
    elif chosen in bound:
        await on.keys.run(bound[chosen][1])
    else:
        await on.offered.perform(chosen)


def _commands(
    on: PaletteContext, bound: Mapping[str, tuple[str, ActiveBinding]]
) -> dict[str, "Command"]:
    """All actions by id: those with keys first, in the order of the bindings."""
    from tui.dialogs.palette import Command

    waits_for, found, listed_actions = on.host.waits_for, {}, set()
    for name, (key, each) in bound.items():
        is_listed = each.tooltip and not name.startswith(_NOT_LISTED)
        if is_listed and each.binding.action not in listed_actions:
            listed_actions.add(each.binding.action)
            reason = on.offered.unavailable(name) or ("" if each.enabled else waits_for)
            found[name] = Command(name, each.tooltip, key_name(key), reason)
    for action in on.offered.actions:
        if action.id not in found and not action.keys:
            reason = on.offered.unavailable(action.id) or waits_for
            found[action.id] = Command(action.id, action.label, reason=reason)
    return found
