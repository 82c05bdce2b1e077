"""The settings: all that are declared, and the keys of all actions, changed where they are."""

from typing import Any, ClassVar

from textual.binding import BindingType

from tui.actions.action import Action, bindings
from tui.actions.host import ErrorsSaid
from tui.config.profiles import EMBEDDED
from tui.config.settings_writing import literal
from tui.context import Context
from tui.navigation import SettingsChanged
from tui.screens.lists.content import ListContext
from tui.screens.lists.screen import ListScreen
from tui.screens.settings.content import Row, SettingRow, SettingsContent, read, text_of
from tui.screens.settings.key_map import BoundKey, KeyMap
from tui.theme import THEMES
from tui.widgets.bars import key_name


class SettingsContext(ListContext[Row]):
    """The settings that the actions run on."""

    content: SettingsContent


class ChangeSetting(Action[SettingsContext]):
    """Asks for another value of the setting, or for the key of the action."""

    id, keys, label, hint = "setting.change", "e", "Change setting or key", "change"
    changes_more = True
    asks = True

    async def run(self, on: SettingsContext) -> None:
        row = on.need_row()
        if isinstance(row, BoundKey):
            await _ask_key(on, row, is_added=False)
        elif row is not None:
            value = await _ask_value(on, row)
            if value is not None and _set(on, row.name, value):
                _say_changed(on, row)


class AddKey(Action[SettingsContext]):
    """Asks for one more key of the action."""

    id, keys, label, asks = "setting.add-key", "a", "Add key", True
    changes_more = True

    async def run(self, on: SettingsContext) -> None:
        row = on.need_row()
        if isinstance(row, SettingRow):
            on.say("only actions have keys", hint="search for one with /")
        elif row is not None:
            await _ask_key(on, row, is_added=True)


class Reset(Action[SettingsContext]):
    """Takes settings and keys out of the file, which means their defaults."""

    id, keys, label, hint = "setting.reset", "D", "Reset to default", "default"
    changes_more = True

    async def run(self, on: SettingsContext) -> None:
        rows = on.need_rows()
        changed = [row for row in rows if not on.content.is_default(row)]
        if rows and not changed:
            on.say("this is the default already")
        for row in changed:
            why_not = _why_no_default(on, row) if isinstance(row, BoundKey) else ""
            table = "keys" if isinstance(row, BoundKey) else ""
            if why_not:
                on.say(why_not, error=True)
            elif _set(on, on.content.key(row), None, table):
                _say_changed(on, row)


def _say_changed(on: SettingsContext, row: Row) -> None:
    value = on.content.value(row)
    if isinstance(row, BoundKey):
        on.say(f"{row.label}: {value}")
    else:
        hint = "used from the next start on" if row.setting.is_read_at_start else ""
        on.say(f"set {row.name} to {value}", hint=hint)


def _set(on: SettingsContext, name: str, value: Any, table: str = "") -> bool:
    """Change a setting and show that; whether it was possible."""
    with ErrorsSaid(on.host):
        on.content.current.set(name, value, table)
        on.host.post_message(SettingsChanged())
        on.reload()
        return True
    return False


async def _ask_value(on: SettingsContext, row: SettingRow) -> Any:
    """Another value of a setting; None if cancelled."""
    from tui.dialogs.ask import AskDialog
    from tui.dialogs.choose import ChooseDialog, lettered

    now = getattr(on.content.current.settings, row.name)
    if isinstance(now, bool):
        return not now
    title = f"{row.name}: {row.setting.about}"
    choices = row.setting.choices
    if row.name == "theme":
        own = [one.name for one in THEMES]
        choices = tuple(dict.fromkeys([*own, *on.host.app.available_themes]))
    elif row.name == "default_profile":
        choices = (*on.content.current.settings.profiles, EMBEDDED)
    if choices:
        options = lettered((str(one), str(one)) for one in choices)
        chosen = await on.ask(ChooseDialog(title, options, str(now)))
        return next((one for one in choices if str(one) == chosen), None)
    typed = await on.ask(
        AskDialog(
            title,
            text_of(now),
            reading=lambda words: f"{row.name} = {literal(read(row, words))}",
            replaces=True,
        )
    )
    return None if typed is None else read(row, typed)


async def _ask_key(on: SettingsContext, row: BoundKey, *, is_added: bool) -> None:
    """Ask for a key of an action, which others lose after confirmation."""
    from tui.dialogs.confirm import ConfirmDialog
    from tui.dialogs.key import KeyDialog

    key_map, remapped = on.content.key_map, dict(on.content.current.settings.keys)
    own = key_map.keys(row, remapped)

    def judge(key: str) -> tuple[str, bool]:
        if why_not := key_map.why_not(row, key, remapped):
            return why_not, False
        others = ", ".join(other.label for _, other in key_map.conflicts(row, key, remapped))
        return (f"It is {others}, which has other keys." if others else ""), True

    verb = "Add a key" if is_added else "New key"
    key = await on.ask(KeyDialog(f"{verb}: {row.label}", judge, key_name))
    if key is None:
        return
    losers = [other for _, other in key_map.conflicts(row, key, remapped)]
    if losers:
        names = ", ".join(other.label for other in losers)
        text = f"‘{key_name(key)}’ is {names}, which keeps its other keys."
        if not await on.ask(ConfirmDialog(f"Take the key from {names}?", text)):
            return
    for other in losers:
        kept = [one for one in key_map.keys(other, remapped) if one != key]
        if not _set(on, other.id, ",".join(kept), "keys"):
            return
    keys = [*own, key] if is_added else [key]
    if _set(on, row.id, ",".join(dict.fromkeys(keys)), "keys"):
        _say_changed(on, row)


def _why_no_default(on: SettingsContext, row: BoundKey) -> str:
    """Why an action cannot have its default keys back; empty if it can."""
    remapped = {k: v for k, v in on.content.current.settings.keys.items() if k != row.id}
    for key in on.content.key_map.keys(row, remapped):
        for _, other in on.content.key_map.conflicts(row, key, remapped):
            if other.id in remapped:
                return f"‘{key_name(key)}’ is {other.label} now: reset that first"
    return ""


ACTIONS: tuple[Action[SettingsContext], ...] = (ChangeSetting(), AddKey(), Reset())


class SettingsScreen(ListScreen):
    """The settings."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(ACTIONS)

    def __init__(self, context: Context, key_map: KeyMap) -> None:
        content = SettingsContent(context.current, key_map)
        super().__init__(context, None, content, ACTIONS, heading=content.heading)
