"""The profiles: services with a login, opened in the program, added, changed and logged out of."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from tui.actions.action import action
from tui.config.profiles import EMBEDDED, PROFILE_VARIABLE, Profile
from tui.context import Context
from tui.errors import CallboardError
from tui.navigation import ProfileRequested
from tui.profiles.protocol import KnownProfile, Login, ProfileChange, Profiles
from tui.screens.lists.table import TableScreen
from tui.text import clean
from tui.text.cells import fit
from tui.text.clean import counted
from tui.widgets import glyphs
from tui.widgets.painted import Line

if TYPE_CHECKING:
    from tui.dialogs.form import Choice

KEEP, DISCARD = "keep", "discard"
_WIDE, _WIDER = 64, 100
"""The widths from which on a row shows the boards, and also where the password is."""
_NAME, _STATE, _BOARDS, _PENDING, _PASSWORD = 16, 8, 11, 12, 13
_SHOWN = 6
"""How many things that would be lost are named."""


class ProfilesScreen(TableScreen[KnownProfile]):
    """The profiles, the embedded one last."""

    heading, row_name, opens = "Profiles", "profile", "profile.open"
    nothing = ("no profiles", "{profile.new:n} to log in to a service")
    is_of_board = False

    def __init__(self, context: Context, board_id: int | None = None) -> None:
        super().__init__(context, board_id)
        self._rows: Sequence[KnownProfile] = ()

    async def load_rows(self) -> None:
        if self.context.profiles is not None:
            self._rows = await self.context.profiles.known()

    def rows(self) -> Sequence[KnownProfile]:
        return self._rows

    def key(self, row: KnownProfile) -> str:
        return row.profile.name

    def words(self, row: KnownProfile) -> str:
        return f"{row.profile.name} {_where(row.profile)}"

    def line(self, row: KnownProfile, width: int) -> Line:
        sign = glyphs.HERE if row.is_current else glyphs.PIN if row.is_default else " "
        profile = row.profile
        pending = f"{glyphs.ON_THE_WAY}{row.pending} pending" if row.pending else ""
        right: list[tuple[str, str]] = []
        state = "open now" if row.is_current else "at start" if row.is_default else ""
        if width >= _WIDE:
            right.append((f" {fit(state, _STATE)}", "accent" if row.is_current else "quiet"))
            right.append((f"{counted(row.boards, 'board'):>{_BOARDS}}", "quiet"))
        if row.pending or width >= _WIDE:
            right.append((f"{pending:>{_PENDING}}", "warn"))
        if width >= _WIDER:
            from tui.config.passwords import source_in_words

            source = "" if profile.is_embedded else source_in_words(profile)
            right.append((f"  {fit(source, _PASSWORD)}", "quiet"))
        room = width - 3 - sum(len(text) for text, _ in right)
        name = min(_NAME, max(1, room))
        where = fit(_where(profile), max(0, room - name - 1))
        return (
            (f" {sign} ", "accent" if row.is_current else "quiet"),
            (fit(clean.line(profile.name), name), "text"),
            (f" {where}" if room > name else "", "quiet"),
            *right,
        )

    def _profiles(self) -> Profiles:
        # Tests of a store have no profiles.
        if self.context.profiles is None:
            raise CallboardError("no profiles in this session.")
        return self.context.profiles

    @action("profile.open", "", "Open profile")
    async def open_profile(self) -> None:
        row = self.need_row()
        if row is None:
            return
        name = row.profile.name
        if row.is_current:
            hint = "{list.back:esc} to go back to its boards"
            self.say(f"profile {name} is already open", hint=hint)
            return
        await self._profiles().check(name)
        self.post_message(ProfileRequested(name))

    @action(
        "profile.new",
        "n",
        "Log in to a service",
        hint="log in",
        words="login",
        asks=True,
        changes_more=True,
    )
    async def log_in(self) -> None:
        from tui.client.http.credentials import Secret
        from tui.dialogs.form import Answers, FormDialog, FormField

        added = ""

        async def send(answers: Answers) -> None:
            nonlocal added
            added = await self._profiles().log_in(
                Login(
                    url=answers["url"],
                    login=answers["login"],
                    password=Secret(answers["password"]),
                    name=answers["name"],
                    in_keyring=answers["store"] == "keyring",
                    ca_file=Path(answers["authority"]) if answers["authority"] else None,
                    is_default=answers["default"] == "yes",
                )
            )

        fields = (
            FormField("url", "Address", placeholder="any page of the site"),
            FormField("login", "Login name"),
            FormField("password", "Password", is_hidden=True),
            FormField("name", "Name here", placeholder="from the address"),
            FormField("store", "Keep it in", "file", _stores()),
            FormField("default", "Open at start", value=False),
            FormField("authority", "CA file", placeholder="only for a private CA"),
        )
        if await self.ask(FormDialog("Log in", fields, verb="log in", send=send)):
            # The row of the new profile must be there before the cursor can go to it.
            await self.load_rows()
            self.load(added)
            self.say(f"logged in: {added}", hint="{rows.open:↵} to open its boards")

    @action("profile.edit", "e", "Edit profile", hint="edit", asks=True, changes_more=True)
    async def edit(self) -> None:
        from tui.client.http.credentials import Secret
        from tui.config.passwords import command_in_words, source_in_words
        from tui.dialogs.form import Answers, Choice, FormDialog, FormField

        row = self.need_row()
        if row is None:
            return
        profile = row.profile
        fields = [FormField("default", "Open at start", value=row.is_default)]
        if not profile.is_embedded:
            fixed_sources = [
                Choice("command", "a command"),
                Choice("environment", "the environment"),
            ]
            source, command = source_in_words(profile), command_in_words(profile)
            zone = "same as this machine"
            fields[:0] = [
                FormField("source", "Password from", source, [*_stores(), *fixed_sources]),
                FormField("password", "New password", is_hidden=True, placeholder="unchanged"),
                FormField("command", "Command", command, placeholder="pass show work"),
                FormField("timezone", "Time zone", profile.timezone, placeholder=zone),
            ]

        async def send(answers: Answers) -> None:
            change = ProfileChange(
                source=answers.get("source", ""),
                command=answers.get("command", ""),
                password=Secret(answers.get("password", "")),
                timezone=answers.get("timezone", ""),
                is_default=answers["default"] == "yes",
            )
            await self._profiles().change(profile.name, change)

        title = f"Profile {clean.line(profile.name)}"
        if await self.ask(FormDialog(title, fields, send=send)):
            self.load()
            hint = "takes effect when reopened" if row.is_current else ""
            if overriding := os.environ.get(PROFILE_VARIABLE, "").strip():
                hint = f"{PROFILE_VARIABLE} opens {clean.line(overriding)} at start"
            self.say(f"saved the profile {profile.name}", hint=hint)

    @action(
        "profile.logout",
        "D",
        "Log out",
        hint="log out",
        words="logout",
        asks=True,
        changes_more=True,
    )
    async def log_out(self) -> None:
        from tui.dialogs.questions import ChooseDialog, QuestionChoice

        row = self.need_row()
        if row is None:
            return
        name = row.profile.name
        if row.profile.is_embedded:
            self.say(
                "these boards are only on this machine: nothing to log out of",
                hint="{boards.delete:D} in the list of boards to delete one",
            )
            return
        profiles = self._profiles()
        lost = await profiles.left_behind(name)
        fate: str | None = DISCARD
        if lost:
            more = [f"… and {len(lost) - _SHOWN} more"] if len(lost) > _SHOWN else []
            fates = [
                QuestionChoice("k", "Keep until the next login", KEEP),
                QuestionChoice("d", "Discard forever", DISCARD),
            ]
            title = f"{counted(len(lost), 'unsent item')} of {name}"
            text = "\n".join([*lost[:_SHOWN], *more])
            fate = await self.ask(ChooseDialog(title, fates, text=text))
        if fate is None:
            return
        if not await self.confirm(
            f"Log out of {name}?", _what_goes(row, lost, fate), verb="log out"
        ):
            return
        keeps_changes = fate == KEEP
        # The open profile cannot be removed under its screens: the program leaves it first.
        if row.is_current:
            leaving = ProfileRequested(EMBEDDED, leaves=True, keeps_changes=keeps_changes)
            self.post_message(leaving)
            return
        left = await profiles.log_out(name, keeps_changes=keeps_changes)
        self.load()
        note = "; unsent changes are kept" if keeps_changes else ""
        self.say(f"logged out of {name}{note}", hint=left)


def _where(profile: Profile) -> str:
    if profile.is_embedded:
        return "boards on this machine"
    host = urlsplit(profile.url).netloc
    return clean.line(f"{profile.login} at {host}")


def _stores() -> "list[Choice[str]]":
    from tui.dialogs.form import Choice

    return [Choice("file", "a file"), Choice("keyring", "the keyring")]


def _what_goes(row: KnownProfile, lost: Sequence[str], fate: str) -> str:
    text = f"The password and the cached boards of {_where(row.profile)} will be removed."
    if fate == KEEP:
        text += f" {counted(len(lost), 'unsent item')} and the address will be kept."
    elif lost:
        text += f" {counted(len(lost), 'unsent item')} will be LOST."
    if row.is_current:
        text += " Then the boards on this machine will open."
    return text


SCREEN = ProfilesScreen
