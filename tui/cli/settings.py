"""`callboard settings`: prints all settings as a documented TOML file."""

from collections.abc import Iterator

from tui.cli.output import say
from tui.config.declared import SETTINGS
from tui.config.paths import Places
from tui.config.settings import Settings, load_settings
from tui.config.settings_writing import literal


def print_settings() -> int:
    """Print the settings. Raises `SettingsError`."""
    places = Places.find()
    say(f"# {places.settings}")
    for line in documented(load_settings(places.settings)):
        say(line)
    return 0


def documented(settings: Settings) -> Iterator[str]:
    """The lines of a file with these settings; those that have their defaults are comments."""
    section, defaults = "", Settings()
    for name, one in SETTINGS.items():
        if one.section != section:
            section = one.section
            yield ""
            yield f"## {section}"
        value = getattr(settings, name)
        mark = "# " if value == getattr(defaults, name) else ""
        yield ""
        yield f"# {one.about}; {one.rule.wanted}"
        yield f"{mark}{name} = {literal(value)}"
    yield ""
    yield "## Keys, by the ids that the palette shows"
    yield "[keys]" if settings.keys else '# [keys]  "task.lift" = "space,insert"'
    for name, keys in settings.keys.items():
        yield f"{literal(name)} = {literal(keys)}"
