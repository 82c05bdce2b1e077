"""Which profile is meant when a person says nothing, or a name, or has set the environment."""

import os

from tui.config.profiles import PROFILE_VARIABLE
from tui.config.settings import Settings


def chosen_name(named: str, settings: Settings) -> str:
    """The name that was given, else that in the environment, else the default of the settings."""
    return named or os.environ.get(PROFILE_VARIABLE, "").strip() or settings.default_profile
