"""The settings: all that are declared, and the keys of all actions, changed where they are."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from tui.actions.action import action
from tui.config.profiles import EMBEDDED
from tui.config.settings import SETTINGS, Setting, Settings
from tui.config.settings_writing import literal
from tui.context import Context
from tui.errors import CallboardError
from tui.navigation import SettingsChanged
from tui.screens.lists.table import TableScreen
from tui.screens.settings.key_map import BoundKey, KeyMap
from tui.text.cells import fit
from tui.text.clean import counted
from tui.theme import THEMES
from tui.widgets import glyphs
from tui.widgets.bars import key_name
from tui.widgets.painted import Line
from tui.widgets.row_list import Heading

_WIDE = 60
_NAME, _VALUE, _KEYS, _LABEL = 15, 18, 22, 44


class SettingRow(NamedTuple):
    """A setting."""

    name: str
    setting: Setting


Row = SettingRow | BoundKey


class SettingsScreen(TableScreen[Row]):
    """All settings, and the keys of all actions."""

    heading, row_name, opens = "Settings", "setting", "setting.change"
    is_of_board = False
    keeps_order = True

    def __init__(self, context: Context, key_map: KeyMap) -> None:
        super().__init__(context)
        self._key_map = key_map

    @property
    def _settings(self) -> Settings:
        return self.context.current.settings

    def rows(self) -> Sequence[Row]:
        return (*(SettingRow(*each) for each in SETTINGS.items()), *self._key_map.actions)

    def key(self, row: Row) -> str:
        return row.name if isinstance(row, SettingRow) else row.id

    def words(self, row: Row) -> str:
        if isinstance(row, SettingRow):
            name = row.name.replace("_", " ")
            return f"{name} {row.name} {self._value(row)} {row.setting.about}"
        return f"{row.label} {row.id} {self._value(row)}"

    def sections(self, row: Row) -> tuple[Heading, ...]:
        if isinstance(row, SettingRow):
            return (Heading(row.setting.section),)
        return (Heading(f"Keys: {row.section}"),)

    def line(self, row: Row, width: int) -> Line:
        is_default = self._is_default(row)
        value = self._value(row) if is_default else f"{glyphs.NEWS} {self._value(row)}"
        role = "quiet" if is_default else "strong"
        if isinstance(row, BoundKey):
            room = min(_LABEL, width - _KEYS - 2) if width >= _WIDE else max(1, width * 3 // 5)
            return ((f"{fit(row.label, room)} ", "text"), (fit(value, width - room - 1), role))
        name = (f"{fit(row.name, _NAME)} ", "text")
        if width < _WIDE:
            return (name, (fit(value, max(1, width - _NAME - 1)), role))
        room = width - _NAME - _VALUE - 2
        return (name, (f"{fit(value, _VALUE)} ", role), (fit(row.setting.about, room), "quiet"))

    def _is_default(self, row: Row) -> bool:
        if isinstance(row, SettingRow):
            return bool(getattr(self._settings, row.name) == _default(row.name))
        return row.id not in self._settings.keys

    def _value(self, row: Row) -> str:
        if isinstance(row, SettingRow):
            return _as_typed(getattr(self._settings, row.name)) or "none"
        return "  ".join(map(key_name, self._key_map.keys(row, self._settings.keys)))

    @action(
        "setting.change", "e", "Change setting or key", hint="change", changes_more=True, asks=True
    )
    async def change(self) -> None:
        row = self.need_row()
        if isinstance(row, BoundKey):
            await self._ask_key(row, is_added=False)
        elif row is not None:
            value = await self._ask_value(row)
            if value is not None:
                self._set(row.name, value)
                self._say_changed(row)

    @action("setting.add-key", "a", "Add key", changes_more=True, asks=True)
    async def add_key(self) -> None:
        row = self.need_row()
        if isinstance(row, SettingRow):
            self.say("only actions have keys", hint="search for one with {list.search:/}")
        elif row is not None:
            await self._ask_key(row, is_added=True)

    @action("setting.reset", "D", "Reset to default", hint="default", changes_more=True)
    def reset(self) -> None:
        rows = self.need_rows()
        changed = [row for row in rows if not self._is_default(row)]
        if rows and not changed:
            self.say("this is the default already")
        problems: dict[str, str] = {}
        for row in changed:
            if isinstance(row, BoundKey) and (why_not := self._why_no_default(row)):
                problems[why_not] = ""
                continue
            try:
                self._set(self.key(row), None, "keys" if isinstance(row, BoundKey) else "")
                self._say_changed(row)
            except CallboardError as error:
                problems[error.message] = error.hint
        if problems:
            self.say(" · ".join(problems), hint=[*problems.values()][-1], error=True)
        elif len(changed) > 1:
            self.say(f"{counted(len(changed), 'row')} reset to the default")

    def _why_no_default(self, row: BoundKey) -> str:
        remapped = {name: keys for name, keys in self._settings.keys.items() if name != row.id}
        for key in self._key_map.keys(row, remapped):
            for _, other in self._key_map.conflicts(row, key, remapped):
                if other.id in remapped:
                    return f"‘{key_name(key)}’ is {other.label} now: reset that first"
        return ""

    def _set(self, name: str, value: Any, table: str = "") -> None:
        try:
            self.context.current.set(name, value, table)
        finally:
            self.post_message(SettingsChanged())  # if it failed, what was previewed is given back
        self.load()

    def _say_changed(self, row: Row) -> None:
        if isinstance(row, BoundKey):
            self.say(f"{row.label}: {self._value(row)}")
        else:
            hint = "used from the next start on" if row.setting.is_read_at_start else ""
            self.say(f"set {row.name} to {self._value(row)}", hint=hint)

    async def _ask_value(self, row: SettingRow) -> Any:
        from tui.dialogs.questions import AskDialog, ChooseDialog, lettered

        value = getattr(self._settings, row.name)
        if isinstance(value, bool):
            return not value
        title = f"{row.name}: {row.setting.about}"
        choices = row.setting.choices
        if row.name == "theme":
            own = [theme.name for theme in THEMES]
            choices = tuple(dict.fromkeys([*own, *self.app.available_themes]))
        elif row.name == "default_profile":
            choices = (*self._settings.profiles, EMBEDDED)
        if choices:
            options = lettered((str(choice), str(choice)) for choice in choices)

            def show_theme(name: str) -> None:
                self.app.theme = name

            preview = show_theme if row.name == "theme" else None
            chosen = await self.ask(ChooseDialog(title, options, str(value), preview=preview))
            if preview is not None and chosen is None:
                self.post_message(SettingsChanged())  # gives the theme back
            return next((choice for choice in choices if str(choice) == chosen), None)
        typed = await self.ask(
            AskDialog(
                title,
                _as_typed(value),
                reading=lambda words: f"{row.name} = {literal(_read(row, words))}",
                replaces=True,
            )
        )
        return None if typed is None else _read(row, typed)

    async def _ask_key(self, row: BoundKey, *, is_added: bool) -> None:
        from tui.dialogs.questions import KeyDialog

        key_map, remapped = self._key_map, dict(self._settings.keys)

        def judge(key: str) -> tuple[str, bool]:
            if why_not := key_map.why_not(row, key, remapped):
                return why_not, False
            others = ", ".join(other.label for _, other in key_map.conflicts(row, key, remapped))
            return (f"It is {others}, which has other keys." if others else ""), True

        verb = "Add a key" if is_added else "New key"
        key = await self.ask(KeyDialog(f"{verb}: {row.label}", judge, key_name))
        if key is None:
            return
        losers = [other for _, other in key_map.conflicts(row, key, remapped)]
        if losers:
            names = ", ".join(other.label for other in losers)
            text = f"‘{key_name(key)}’ is {names}, which keeps its other keys."
            if not await self.confirm(f"Take the key from {names}?", text):
                return
        for other in losers:
            others = [taken for taken in key_map.keys(other, remapped) if taken != key]
            self._set(other.id, ",".join(others), "keys")
        keys = [*key_map.keys(row, remapped), key] if is_added else [key]
        self._set(row.id, ",".join(dict.fromkeys(keys)), "keys")
        self._say_changed(row)


def _default(name: str) -> Any:
    return Settings._field_defaults[name]


def _as_typed(value: Any) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _read(row: SettingRow, typed: str) -> Any:
    default, words = _default(row.name), " ".join(typed.split())
    value: Any = words
    if isinstance(default, tuple):
        value = words.replace(",", " ").split()
    elif isinstance(default, int) and words.isdecimal():
        value = int(words)
    if not row.setting.rule.accepts(value):
        wanted = row.setting.rule.wanted.replace(" in quotes", "")
        raise CallboardError(f"This must be {wanted}.")
    return value
