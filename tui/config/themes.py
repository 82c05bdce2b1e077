"""The user's own themes in the settings file: `[themes.NAME]` with colours by role.

This module is imported only if there are any.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from tui.config.settings_file import (
    BadSetting,
    Rule,
    SettingsError,
    SettingsFile,
    is_text,
    nearest,
)
from tui.model.colors import is_color
from tui.text import clean

TABLE, BASE = "themes", "based_on"
ROLES = (
    "ground", "card", "bar", "raised", "line", "text", "strong", "quiet", "accent", "on-accent",
    "cursor", "cursor-text", "mark", "mark-text", "hand", "hand-text", "bad", "on-bad", "warn",
    "good", "news",
)  # fmt: skip
"""What a theme has colours for; `tui.theme` says where they are drawn."""

_SHORT = {"dark": "callboard-dark", "light": "callboard-light"}
_COLOR = Rule(
    lambda value: isinstance(value, str) and is_color(value),
    'a colour in quotes, such as "#82aaff"',
)
_RULES = {
    **dict.fromkeys(ROLES, _COLOR),
    BASE: Rule(is_text, 'the name of a theme in quotes, such as "dark" or "nord"'),
}


class OwnTheme(NamedTuple):
    """The colours of some roles; the others are those of the theme that it is based on."""

    based_on: str
    colors: Mapping[str, str]


def read_themes(tables: Mapping[str, Any], file: SettingsFile) -> dict[str, OwnTheme]:
    """The themes in the table `themes` of a settings file. Raises `SettingsError`."""
    themes = {name: _read_theme(name, table, file) for name, table in tables.items()}
    for name, theme in themes.items():
        bases, base = {name}, theme.based_on
        while base in themes and base not in bases:
            bases.add(base)
            base = themes[base].based_on
        if base in bases:
            wanted = f"the name of a theme that is not based on “{name}” itself"
            raise BadSetting(BASE, file.place(BASE, (TABLE, name)), wanted)
    return themes


def _read_theme(name: str, table: Any, file: SettingsFile) -> OwnTheme:
    if not isinstance(table, dict):
        raise BadSetting(name, file.place(name, (TABLE,)), f"a table of its own, [{TABLE}.NAME]")
    # Textual makes a class of the name, and takes commas for several names.
    if re.fullmatch(r"[A-Za-z0-9_-]{1,24}", name) is None or name in _SHORT:
        raise SettingsError(
            f"“{clean.line(name)}” in {file.place(name, (TABLE,))} cannot be the name of a theme.",
            hint="Use up to 24 letters of a to z, digits and dashes; “dark” and “light” are taken.",
        )
    file.check(table, _RULES, (TABLE, name))
    colors = dict(table)
    base: str = colors.pop(BASE, "dark")
    return OwnTheme(_SHORT.get(base, base), colors)


def check_names(themes: Mapping[str, OwnTheme], given: Sequence[str], file: SettingsFile) -> None:
    """Raise `SettingsError` if a theme has a given name, or is based on none that has colours."""
    bases = [*themes, *(name for name in given if not name.startswith("ansi"))]
    for name, theme in themes.items():
        if name in given:
            raise SettingsError(
                f"“{name}” in {file.place(name, (TABLE,))} is already the name of a theme.",
                hint="Choose another name.",
            )
        if theme.based_on not in bases:
            lacks = "has no colours of its own" if theme.based_on in given else "is unknown"
            place = file.place(BASE, (TABLE, name))
            raise SettingsError(
                f"“{BASE}” in {place}: the theme “{clean.line(theme.based_on)}” {lacks}.",
                hint=nearest(theme.based_on, bases) or f"Themes: {', '.join(bases)}.",
            )
