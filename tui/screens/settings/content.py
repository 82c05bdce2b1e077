"""The rows of the settings screen: a setting with its value, or an action with its keys."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from tui.config.current import CurrentSettings
from tui.config.declared import SETTINGS, Setting
from tui.config.settings import Settings
from tui.errors import CallboardError
from tui.screens.settings.key_map import BoundKey, KeyMap
from tui.text.cells import fit
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
        """The section of a row."""
        if isinstance(row, SettingRow):
            return row.setting.section
        return f"Keys: {row.section}"

    def is_default(self, row: Row) -> bool:
        """Whether a row has its default."""
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
