"""The settings of a run, which may be changed while the program runs."""

from pathlib import Path
from typing import Any

from tui.config.settings import Settings, understood
from tui.config.settings_file import SettingsFile
from tui.config.settings_writing import with_value, write


class CurrentSettings:
    """The settings now, and their file; without a path they are in memory only."""

    def __init__(self, settings: Settings | None = None, path: Path | None = None) -> None:
        self.settings = settings or Settings()
        self._path = path
        self._file = SettingsFile(path or Path("config.toml"), "")

    def set(self, name: str, value: Any, table: str = "") -> None:
        """Change a setting, in the file too; None takes it out, which means the default.

        Raises `CallboardError` if the file cannot be read or changed, or the value is not allowed;
        then nothing is changed.
        """
        file = self._file if self._path is None else SettingsFile.read(self._path)
        file = with_value(file, name, value, table)
        field = table or name
        settings = self.settings._replace(**{field: getattr(understood(file), field)})
        if self._path is not None:
            write(file)
        self._file, self.settings = file, settings
