"""The settings: all that are declared, and the keys of all actions, changed where they are."""

from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple

from textual.binding import BindingType

from tui.actions.host import ErrorsSaid
from tui.actions.old import Action, bindings
from tui.config.current import CurrentSettings
from tui.config.profiles import EMBEDDED
from tui.config.settings import SETTINGS, Setting, Settings
from tui.config.settings_writing import literal
from tui.context import Context
from tui.errors import CallboardError
from tui.navigation import SettingsChanged
from tui.screens.lists.content import ListContext
from tui.screens.lists.screen import ListScreen
from tui.screens.settings.key_map import BoundKey, KeyMap
from tui.text.cells import fit
from tui.theme import THEMES
from tui.widgets import glyphs
from tui.widgets.bars import key_name
from tui.widgets.painted import Line

_WIDE = 60
_NAME, _VALUE, _KEYS, _LABEL = 15, 18, 22, 44


class SettingRow(NamedTuple):
    """A setting."""

    name: str
    setting: Setting


Row = SettingRow | BoundKey


class SettingsContent:
    """All settings, and the keys of all actions."""

    title, row, opens = "Settings", "setting", "setting.change"
    move = None

    def __init__(self, current: CurrentSettings, key_map: KeyMap) -> None:
        self.current = current
        self.key_map = key_map

    async def load(self) -> None:
        """Do nothing: all is known."""

    def rows(self) -> Sequence[Row]:
        return (*(SettingRow(*each) for each in SETTINGS.items()), *self.key_map.actions)

    def key(self, row: Row) -> str:
        return row.name if isinstance(row, SettingRow) else row.id

    def words(self, row: Row) -> str:
        if isinstance(row, SettingRow):
            name = row.name.replace("_", " ")
            return f"{name} {row.name} {self.value(row)} {row.setting.about}"
        return f"{row.label} {row.id} {self.value(row)}"

    def heading(self, row: Row) -> str | tuple[str, ...]:
        if isinstance(row, SettingRow):
            return row.setting.section
        return f"Keys: {row.section}"

    def is_default(self, row: Row) -> bool:
        settings = self.current.settings
        if isinstance(row, SettingRow):
            return bool(getattr(settings, row.name) == default_of(row.name))
        return row.id not in settings.keys

    def value(self, row: Row) -> str:
        """The value of a setting, or the keys of an action, as people read it."""
        settings = self.current.settings
        if isinstance(row, SettingRow):
            return text_of(getattr(settings, row.name)) or "none"
        return "  ".join(map(key_name, self.key_map.keys(row, settings.keys)))

    def line(self, row: Row, width: int) -> Line:
        changed = "" if self.is_default(row) else f"{glyphs.NEWS} "
        role = "heading" if changed else "meta"
        value = (changed + self.value(row), role)
        if isinstance(row, BoundKey):
            room = min(_LABEL, width - _KEYS - 2) if width >= _WIDE else max(1, width * 3 // 5)
            return ((f"{fit(row.label, room)} ", "title"), (fit(value[0], width - room - 1), role))
        name = (f"{fit(row.name, _NAME)} ", "title")
        if width < _WIDE:
            return (name, (fit(value[0], max(1, width - _NAME - 1)), role))
        room = width - _NAME - _VALUE - 2
        return (name, (f"{fit(value[0], _VALUE)} ", role), (fit(row.setting.about, room), "meta"))

    def empty(self) -> tuple[str, str]:
        return "no settings", ""


def default_of(name: str) -> Any:
    """The default of a setting."""
    return Settings._field_defaults[name]


def text_of(value: Any) -> str:
    """A value as it is typed."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def read(row: SettingRow, typed: str) -> Any:
    """The value of a setting that was typed. Raises `CallboardError` if it is not allowed."""
    default, said = default_of(row.name), " ".join(typed.split())
    value: Any = said
    if isinstance(default, tuple):
        value = said.replace(",", " ").split()
    elif isinstance(default, int) and said.isdecimal():
        value = int(said)
    if not row.setting.rule.accepts(value):
        wanted = row.setting.rule.wanted.replace(" in quotes", "")
        raise CallboardError(f"This must be {wanted}.")
    return value


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
            on.say("only actions have keys", hint="search for one with {list.search:/}")
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
        if not await on.confirm(f"Take the key from {names}?", text):
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
