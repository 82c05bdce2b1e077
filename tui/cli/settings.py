"""The settings: read and used at the start of the program, and printed by `callboard settings`."""

from collections.abc import Iterator, MutableMapping
from typing import TYPE_CHECKING

from tui.config.paths import Places
from tui.config.settings import SETTINGS, Settings, load_settings
from tui.config.settings_file import SettingsError, SettingsFile, nearest
from tui.config.settings_writing import literal
from tui.text import clean
from tui.text.dates import customs

if TYPE_CHECKING:
    from textual.message import Message

    from tui.screens.settings.key_map import KeyMap


def read_settings(places: Places) -> tuple[Settings, list[str]]:
    """The settings, and warnings about remapped keys, which are checked only if there are any.

    Raises what `load_settings` raises, and `SettingsError` if a theme is unknown.
    """
    settings = load_settings(places.settings)
    from textual.theme import BUILTIN_THEMES

    from tui.theme import THEMES

    themes = [*(theme.name for theme in THEMES), *sorted(BUILTIN_THEMES)]
    if settings.themes:
        from tui.config.themes import check_names

        check_names(settings.themes, themes, SettingsFile.read(places.settings))
        themes += settings.themes
    if settings.theme not in themes:
        raise SettingsError(
            f"The theme “{clean.line(settings.theme)}” in {places.settings} is unknown.",
            hint=nearest(settings.theme, themes) or f"Themes: {', '.join(themes)}.",
        )
    if not settings.keys and not settings.commands:
        return settings, []
    from tui.screens.binding_ids import key_map

    # Only now are the ids of actions checked: they take long to import, and few users remap keys.
    keys = key_map(settings.commands.values())
    load_settings(places.settings, keys.ids)
    _check_commands(settings, keys, SettingsFile.read(places.settings))
    return settings, keys.warnings(settings.keys)


def _check_commands(settings: Settings, keys: "KeyMap", file: SettingsFile) -> None:
    # Raises `SettingsError` for a key of an own command that cannot be pressed or is taken.
    for command in settings.commands.values():
        place = file.place("key", ("commands", command.name))
        if reason := keys.why_refused(command.id, settings.keys):
            raise SettingsError(
                f"“key” in {place}: {clean.line(reason)}.",
                hint="Choose another key: ? in the program lists those that are taken.",
            )


def use(settings: Settings, environ: MutableMapping[str, str]) -> None:
    """Follow the settings of dates and editor, for the whole run."""
    customs.set(settings.customs)
    if settings.editor:
        environ["VISUAL"] = settings.editor


def first_request(settings: Settings, *, boards: bool) -> "Message | None":
    """What the settings show on top of the first screen, unless the list of boards is wanted."""
    if boards or settings.start not in ("my-work", "standup"):
        return None
    from tui.navigation import ListRequested, StandupRequested

    return StandupRequested() if settings.start == "standup" else ListRequested("my_work", None)


def print_settings() -> int:
    """Print the settings."""
    from tui.cli.output import say

    places = Places.find()
    say(f"# {places.settings}")
    for line in documented(load_settings(places.settings)):
        say(line)
    return 0


def documented(settings: Settings) -> Iterator[str]:
    """The lines of a file with these settings; those that have their defaults are comments."""
    section, defaults = "", Settings()
    for name, setting in SETTINGS.items():
        if setting.section != section:
            section = setting.section
            yield ""
            yield f"## {section}"
        value = getattr(settings, name)
        mark = "# " if value == getattr(defaults, name) else ""
        yield ""
        wanted = setting.choices_in_words(literal) or setting.rule.wanted
        yield f"# {setting.title}: {setting.about}; {wanted}"
        yield f"{mark}{name} = {literal(value)}"
    yield ""
    yield "## Keys, by the ids that the palette shows"
    yield "[keys]" if settings.keys else '# [keys]  "task.lift" = "space,insert"'
    for name, keys in settings.keys.items():
        yield f"{literal(name)} = {literal(keys)}"
    yield ""
    yield "## Your own commands on cards"
    if not settings.commands:
        yield '# [commands.issue]  title = "Issue", key = "alt+i", run = "gh issue view {id}"'
    for command in settings.commands.values():
        yield f"[commands.{command.name}]"
        yield f"title = {literal(command.title)}"
        if command.key:
            yield f"key = {literal(command.key)}"
        yield f"run = {literal(command.words)}"
        yield f"output = {literal(command.output)}"
    yield ""
    yield "## Your own themes: colours of some roles, and the theme that has the others"
    if not settings.themes:
        yield '# [themes.sea]  based_on = "dark", accent = "#5ad1c8"'
    for name, theme in settings.themes.items():
        yield f"[themes.{name}]"
        yield f"based_on = {literal(theme.based_on)}"
        for role, color in theme.colors.items():
            yield f"{role} = {literal(color)}"
