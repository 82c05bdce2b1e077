"""The profiles of this machine, for the program; modules with the client are imported on demand."""

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tui.config.paths import Places
from tui.config.profiles import EMBEDDED, Profile
from tui.config.settings import load_settings
from tui.store.files.waiting_changes import cached_boards, waiting_changes

if TYPE_CHECKING:
    from tui.profiles.protocol import KnownProfile, Login, ProfileChange


class LocalProfiles:
    """Implements `Profiles`; `current` is the name of the profile that is open."""

    def __init__(self, places: Places, current: str) -> None:
        self._places = places
        self._current = current

    async def known(self) -> "Sequence[KnownProfile]":
        return await asyncio.to_thread(known_profiles, self._places, self._current)

    async def log_in(self, login: "Login") -> str:
        from tui.profiles.login import log_in

        return await log_in(self._places, login)

    async def change(self, name: str, change: "ProfileChange") -> None:
        from tui.profiles.login import change_profile

        await change_profile(self._places, name, change)

    async def left_behind(self, name: str) -> Sequence[str]:
        from tui.profiles.login import left_behind, profile_to_leave

        # The open profile is in use by this very program, which that would refuse.
        if name != self._current:
            await asyncio.to_thread(profile_to_leave, self._places, name)
        return await asyncio.to_thread(left_behind, self._places, name)

    async def log_out(self, name: str, *, keeps_changes: bool) -> str:
        from tui.profiles.login import forget_profile

        return await asyncio.to_thread(
            forget_profile, self._places, name, keeps_changes=keeps_changes
        )

    async def check(self, name: str) -> None:
        from tui.workspace import check_move, memory_of

        profile = load_settings(self._places.settings).profile(name)
        if not profile.is_embedded:
            check_move(self._places, profile, memory_of(self._places, profile))


def known_profiles(places: Places, current: str) -> "Sequence[KnownProfile]":
    """Every profile with what is kept of it, the embedded one last. Raises `SettingsError`."""
    from tui.profiles.protocol import KnownProfile

    settings = load_settings(places.settings)
    return [
        KnownProfile(
            profile,
            boards=cached_boards(places.cache, profile.name),
            pending=waiting_changes(places.data, profile.name),
            is_default=profile.name == settings.default_profile,
            is_current=profile.name == current,
        )
        for profile in (*settings.profiles.values(), Profile(EMBEDDED))
    ]
