"""The settings: all that are declared, and the keys of all actions, changed where they are."""

from collections.abc import Sequence
from typing import Any

from tui.actions.action import action
from tui.config.profiles import EMBEDDED
from tui.config.settings import SETTINGS, Settings
from tui.config.settings_writing import literal
from tui.context import Context
from tui.errors import CallboardError
from tui.navigation import SettingsChanged
from tui.screens.lists.table import TableScreen
from tui.screens.settings.key_map import BoundKey, KeyMap
from tui.text.clean import counted
from tui.theme import THEMES
from tui.widgets import glyphs
from tui.widgets.bars import key_name
from tui.widgets.painted import Line
from tui.widgets.row_list import Heading, ListColumn, columns_line

_WIDE, _WIDEST = 66, 96
"""From these widths on, the key in the file stands beside a setting, and what it is about."""
_SETTING_COLUMNS = (
    ListColumn("title", limit=26, gap=1),
    ListColumn("value", most=_WIDE - 1),
    ListColumn("value", width=25, gap=1, least=_WIDE),
    ListColumn("in the file", width=16, role="quiet", gap=1, least=_WIDE),
    ListColumn("about", role="quiet", least=_WIDEST),
)
_KEY_COLUMNS = (
    ListColumn("action", limit=45, gap=1),
    ListColumn("keys", width=16, most=_WIDE - 1),
    ListColumn("keys", width=30, gap=1, least=_WIDE),
    ListColumn("in the file", role="quiet", least=_WIDEST),
)

Row = str | BoundKey
"""The name of a setting, or an action with its keys."""


class SettingsScreen(TableScreen[Row]):
    """All settings, and the keys of all actions."""

    heading, row_name, opens = "Settings", "setting", "setting.change"
    is_of_board = False
    keeps_order = True

    def __init__(self, context: Context, key_map: KeyMap) -> None:
        super().__init__(context)
        self._key_map = key_map

    def rows(self) -> Sequence[Row]:
        return (*SETTINGS, *self._key_map.actions)

    def key(self, row: Row) -> str:
        return row if isinstance(row, str) else row.id

    def words(self, row: Row) -> str:
        if isinstance(row, str):
            setting = SETTINGS[row]
            choices = " ".join(setting.choices.values())
            words = (setting.title, row, self._value(row), setting.about, choices, setting.section)
            return " ".join(words)
        return f"{row.label} {row.id} {self._value(row)}"

    def sections(self, row: Row) -> tuple[Heading, ...]:
        section = SETTINGS[row].section if isinstance(row, str) else f"Keys: {row.section}"
        return (Heading(section),)

    def line(self, row: Row, width: int) -> Line:
        is_default = self._is_default(row)
        value = self._value(row) if is_default else f"{glyphs.NEWS} {self._value(row)}"
        role = "quiet" if is_default else "strong"
        shown: Line = ((value, role),)
        if isinstance(row, BoundKey):
            return columns_line(_KEY_COLUMNS, (row.label, shown, shown, row.id), width)
        setting = SETTINGS[row]
        cells = (setting.title, shown, shown, row, setting.about)
        return columns_line(_SETTING_COLUMNS, cells, width)

    def _is_default(self, row: Row) -> bool:
        if isinstance(row, str):
            return bool(getattr(self.context.settings, row) == Settings._field_defaults[row])
        return row.id not in self.context.settings.keys

    def _value(self, row: Row) -> str:
        if isinstance(row, str):
            return SETTINGS[row].in_words(getattr(self.context.settings, row))
        return "  ".join(map(key_name, self._key_map.keys(row, self.context.settings.keys)))

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
                self._set(row, value)
                self._say_changed(row)

    @action("setting.add-key", "a", "Add key", changes_more=True, asks=True)
    async def add_key(self) -> None:
        row = self.need_row()
        if isinstance(row, str):
            self.say("only actions have keys", hint="search for one with {list.search:/}")
        elif row is not None:
            await self._ask_key(row, is_added=True)

    @action("setting.reset", "D", "Reset to default", hint="default", changes_more=True)
    def reset(self) -> None:
        rows = self.need_rows()
        changed = [row for row in rows if not self._is_default(row)]
        if rows and not changed:
            self.say("already the default")
        # By message, so that one that several rows have is shown once.
        problems: dict[str, str] = {}
        for row in changed:
            if isinstance(row, BoundKey) and (why_not := self._why_no_default(row)):
                problems[why_not] = ""
                continue
            try:
                self._set(row, None)
                self._say_changed(row)
            except CallboardError as error:
                problems[error.message] = error.hint
        if problems:
            self.say(" · ".join(problems), hint=[*problems.values()][-1], error=True)
        elif len(changed) > 1:
            self.say(f"{counted(len(changed), 'row')} reset to the default")

    def _why_no_default(self, row: BoundKey) -> str:
        remapped = dict(self.context.settings.keys)
        # The default key may meanwhile belong to an action that was remapped.
        del remapped[row.id]
        for key in self._key_map.keys(row, remapped):
            for _, holder in self._key_map.conflicts(row, key, remapped):
                if holder.id in remapped:
                    return f"‘{key_name(key)}’ is {holder.label} now: reset that first"
        return ""

    def _set(self, row: Row, value: Any) -> None:
        table = "keys" if isinstance(row, BoundKey) else ""
        try:
            self.context.current.set(self.key(row), value, table)
        finally:
            # Also after a failure, which has to undo what was previewed.
            self.post_message(SettingsChanged())
        self.load()

    def _say_changed(self, row: Row) -> None:
        if isinstance(row, BoundKey):
            self.say(f"{row.label}: {self._value(row)}")
        else:
            hint = "takes effect at the next start" if SETTINGS[row].is_read_at_start else ""
            self.say(f"{SETTINGS[row].title}: {self._value(row)}", hint=hint)

    async def _ask_value(self, row: str) -> Any:
        from tui.dialogs.questions import AskDialog, ChooseDialog, lettered

        value = getattr(self.context.settings, row)
        if isinstance(value, bool):
            return not value
        setting = SETTINGS[row]
        title, choices = f"{setting.title}: {setting.about}", tuple(setting.choices)
        if row == "theme":
            own = [theme.name for theme in THEMES]
            own += self.context.settings.themes
            choices = tuple(dict.fromkeys([*own, *self.app.available_themes]))
        elif row == "default_profile":
            choices = (*self.context.settings.profiles, EMBEDDED)
        if choices:
            options = lettered((str(choice), setting.in_words(choice)) for choice in choices)

            def show_theme(name: str) -> None:
                self.app.theme = name

            preview = show_theme if row == "theme" else None
            chosen = await self.ask(ChooseDialog(title, options, str(value), preview=preview))
            if preview is not None and chosen is None:
                self.post_message(SettingsChanged())  # gives the theme back
            return next((choice for choice in choices if str(choice) == chosen), None)
        typed = await self.ask(
            AskDialog(
                title,
                _as_typed(value),
                reading=lambda words: f"{row} = {literal(_read(row, words))}",
                replaces=True,
            )
        )
        return None if typed is None else _read(row, typed)

    async def _ask_key(self, row: BoundKey, *, is_added: bool) -> None:
        from tui.dialogs.questions import KeyDialog

        key_map, remapped = self._key_map, dict(self.context.settings.keys)

        def judge(key: str) -> tuple[str, bool]:
            if why_not := key_map.why_not(row, key, remapped):
                return why_not, False
            labels = ", ".join(holder.label for _, holder in key_map.conflicts(row, key, remapped))
            return (f"Now {labels}, which has other keys." if labels else ""), True

        verb = "Add a key" if is_added else "New key"
        key = await self.ask(KeyDialog(f"{verb}: {row.label}", judge, key_name))
        if key is None:
            return
        losers = [holder for _, holder in key_map.conflicts(row, key, remapped)]
        if losers:
            names = ", ".join(loser.label for loser in losers)
            text = f"‘{key_name(key)}’ is {names}, which keeps its other keys."
            if not await self.confirm(f"Move the key from {names}?", text):
                return
        # The key is taken from its holders first: no two actions have it at any time.
        for loser in losers:
            remaining_keys = [taken for taken in key_map.keys(loser, remapped) if taken != key]
            self._set(loser, ",".join(remaining_keys))
        keys = [*key_map.keys(row, remapped), key] if is_added else [key]
        self._set(row, ",".join(dict.fromkeys(keys)))
        self._say_changed(row)


def _as_typed(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _read(row: str, typed: str) -> Any:
    default, words = Settings._field_defaults[row], " ".join(typed.split())
    value: Any = words
    if isinstance(default, tuple):
        value = words.replace(",", " ").split()
    elif isinstance(default, int) and words.isdecimal():
        value = int(words)
    rule = SETTINGS[row].rule
    if not rule.accepts(value):
        wanted = rule.wanted.replace(" in quotes", "")
        raise CallboardError(f"Must be {wanted}.")
    return value
