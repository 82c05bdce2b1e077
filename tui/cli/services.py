"""`callboard login`, `logout`, `profiles` and `check`: the services that were added.

A service is stored only after it was checked successfully. On a terminal, invalid input is asked
for again, with the previous input as the default; otherwise it is an error. A password is typed
without being shown, or read from standard input or the environment; it is never an argument, never
printed, and stored in a file of its own or in the keyring.
"""

import asyncio
import shutil
import sys
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import partial
from shlex import quote
from typing import TypeVar

from tui.cli.output import ask, ask_secret, say, write_json
from tui.client.discovery import FoundService, is_same_place
from tui.client.errors import WrongCredentials
from tui.client.http.credentials import Secret
from tui.config.capabilities_file import CapabilitiesFile
from tui.config.passwords import (
    PasswordUnknown,
    find_password,
    password_in_environment,
    source_in_words,
)
from tui.config.paths import Places, make_folder
from tui.config.profiles import Profile
from tui.config.settings import chosen_name, load_settings
from tui.config.settings_writing import set_timezone
from tui.connecting.profile_check import CheckResults, CheckStep, look
from tui.errors import CallboardError, CannotGoOn, WrongInput
from tui.profiles.local import known_profiles
from tui.profiles.login import (
    CheckFailed,
    NewProfile,
    NotUsable,
    check_login,
    forget_profile,
    left_behind,
    profile_to_leave,
    suggested_name,
    web_address,
)
from tui.profiles.protocol import Login
from tui.text import clean
from tui.text.clean import counted
from tui.workspace import memory_of

T = TypeVar("T")

NOT_GOOD = 1
_MARGIN = " " * 21
_WORDS = {True: "ok", False: "failed", None: "note"}
_SHOWN = 20
_MOST_TRIES = 5
"""Services lock accounts after repeated wrong passwords."""
_LONGEST = 10_000


def log_in(wanted: Login, profile: str) -> int:
    """Ask for missing arguments, check them, and store the profile."""
    try:
        return _log_in(wanted._replace(name=wanted.name or profile))
    except (KeyboardInterrupt, EOFError):
        raise CannotGoOn("interrupted; nothing was saved.") from None


def _log_in(wanted: Login) -> int:
    new = NewProfile(Places.find(), wanted)
    service = _find_service(wanted, new)
    if not new.profile.name:
        suggestion = suggested_name(service.url)
        _until_good(lambda: new.set_name(_ask("Name here", "NAME", suggestion)))
    password, findings = _try(wanted, new, service)
    new.store(password)
    _say_findings(findings.steps)
    profile, where = new.profile, "the keyring of this system"
    if profile.password_file is not None:
        where = f"{profile.password_file}, which you alone can read"
    say(f"The profile {profile.name} is kept in {new.file.path}.")
    say(f"The password is kept in {where}.")
    say(f"Open it with: {'callboard' if wanted.is_default else f'callboard -p {profile.name}'}")
    return 0


def _find_service(wanted: Login, new: NewProfile) -> FoundService:
    typed = ""

    def find() -> FoundService:
        nonlocal typed
        if typed or not wanted.url:
            typed = _ask("Address of the site", "--url", typed or new.profile.url)
        else:
            typed = wanted.url
        address = web_address(typed)
        if sys.stdin.isatty():
            say("Looking for boards …")
        try:
            service = asyncio.run(new.find(address))
        except CheckFailed as error:
            if sys.stdin.isatty():
                raise
            _say_findings(error.findings.steps[-1:])
            raise _not_kept(wanted.name, "no service could be used at that address") from error
        # The password goes to where the address led, which the user has not typed.
        if not is_same_place(address, service.url):
            say(f"{address} redirects to {service.url}")
            question = "Send your password there? y/n"
            if not (sys.stdin.isatty() and _ask(question, "--url", "n") in ("y", "yes")):
                raise CannotGoOn(
                    "that address redirects to another host, so nothing was sent.",
                    hint=f"If that is right, use: --url {quote(service.url)}",
                )
        return service

    service = _until_good(find)
    site = service.site
    if site is not None:
        say(f"Found {site.name or 'a site'}, with boards at {service.url}")
        if site.authorization:
            say("Create an application password for Callboard there, in a browser:")
            say(f"  {site.authorization}")
    return service


def _try(wanted: Login, new: NewProfile, service: FoundService) -> tuple[Secret, CheckResults]:
    # The password that the service accepts, and the results.
    login = wanted.login
    preset: Secret | None = password_in_environment(new.profile.name)
    for _ in range(_MOST_TRIES):
        login = login or _until_good(
            lambda: check_login(_ask("Login name there", "--login", new.profile.login))
        )
        new.complete(service, login)  # fails before asking for a password that cannot be stored
        password = preset or _until_good(partial(_ask_password, login))
        findings = asyncio.run(new.try_out(password))
        if findings.is_good:
            return password, findings
        _say_findings(findings.steps)
        if not (isinstance(findings.failure, WrongCredentials) and sys.stdin.isatty()):
            break
        # The service does not tell which of the two is wrong.
        login, preset = "", None
    raise _not_kept(new.profile.name, "the service could not be used", new.profile)


def _not_kept(name: str, why: str, profile: Profile | None = None) -> CannotGoOn:
    # With a command line to repeat it, without the password.
    again = "" if profile is None else f" --url {quote(profile.url)} --login {quote(profile.login)}"
    return CannotGoOn(
        f"{why}, so the profile {name} was not saved." if name else f"{why}; nothing was saved.",
        hint=f"Try again with: callboard login {name}{again}" if again else "",
    )


def _ask_password(login: str) -> Secret:
    if sys.stdin.isatty():
        password = Secret(ask_secret(f"Password of {login}: "))
    else:
        password = Secret(sys.stdin.readline(_LONGEST).rstrip("\r\n"))
    if not password:
        raise NotUsable(
            "no password was given; nothing was saved.",
            hint="Type it, write it to standard input, or set CALLBOARD_PASSWORD.",
        )
    return password


def _until_good(ask: Callable[[], T]) -> T:
    # Asks again and again on a terminal; without one, invalid input is an error.
    while True:
        try:
            return ask()
        except CallboardError as error:
            if not sys.stdin.isatty():
                raise
            say(f"callboard: {error.message}")
            if error.hint:
                say(f"           {error.hint}")


def _ask(question: str, option: str, default: str = "") -> str:
    answer = ""
    if sys.stdin.isatty():
        answer = ask(f"{question} [{default}]: " if default else f"{question}: ")
    if not (answer or default):
        raise NotUsable(f"{question.lower()}: no input.", hint=f"Use {option}.")
    return answer or default


def list_profiles(*, as_json: bool) -> int:
    """Print every profile, the embedded one last."""
    places = Places.find()
    default = chosen_name("", load_settings(places.settings))
    rows = [
        {
            "name": row.profile.name,
            "url": row.profile.url,
            "login": row.profile.login,
            "password": "" if row.profile.is_embedded else source_in_words(row.profile),
            "is_default": row.is_current,
            "waiting": row.pending,
            "boards": row.boards,
        }
        for row in known_profiles(places, default)
    ]
    if as_json:
        write_json(rows)
        return 0
    width = max(len(str(row["name"])) for row in rows)
    for row in rows:
        where = "the boards on this machine"
        if row["url"]:
            where = f"{row['url']}  {row['login']}  password: {row['password']}"
        waiting = f"  pending changes: {row['waiting']}" if row["waiting"] else ""
        mark = "*" if row["is_default"] else " "
        say(f"{mark} {row['name']:{width}}  {where}{waiting}")
    return 0


def check(name: str, profile: str, *, as_json: bool) -> int:
    """Check a profile and print the result; 0 if it can be used, else 1."""
    places = Places.find()
    settings = load_settings(places.settings)
    checked = settings.profile(chosen_name(name or profile, settings))
    findings = CheckResults(())
    if not checked.is_embedded:
        try:
            password = find_password(checked)
        except PasswordUnknown as error:
            step = CheckStep("password", is_good=False, said=error.message, hint=error.hint)
            findings = CheckResults((step,), failure=error)
        else:
            make_folder(places.data / checked.name)
            memory = memory_of(places, checked)
            if not memory.begin(checked):
                # The file is about another service or login: a check must not overwrite it.
                memory = CapabilitiesFile()
            findings = asyncio.run(look(checked, password, memory))
    if as_json:
        write_json(
            {
                "profile": checked.name,
                "url": checked.url,
                "login": checked.login,
                "ok": findings.is_good,
                "boards": findings.boards,
                "clock_seconds": findings.clock_seconds,
                "site_timezone": findings.timezone,
                "user_id": findings.user_id,
                "features": findings.features,
                "steps": [asdict(step) for step in findings.steps],
            }
        )
    elif checked.is_embedded:
        say(f"{checked.name}: the boards on this machine; nothing to check.")
    else:
        _say_findings(findings.steps)
        zone = findings.timezone
        if zone and sys.stdin.isatty() and sys.stdout.isatty():
            answer = ask(f"Read its times as {zone} from now on? [y/N] ").lower()
            if answer in ("y", "yes"):
                say(keep_zone(places, checked.name, zone))
    return 0 if findings.is_good else NOT_GOOD


def keep_zone(places: Places, name: str, zone: str) -> str:
    """Read the times of a profile in a time zone from now on; returns what to say of it."""
    set_timezone(places.settings, name, zone)
    return f"The profile {name} now has the time zone {zone}."


def _say_findings(steps: Sequence[CheckStep]) -> None:
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else sys.maxsize
    for step in steps:
        lines = [f"{_WORDS[step.is_good]:8}{step.name:13}{step.said}"]
        if step.hint:
            lines.append(f"{_MARGIN}{step.hint}")
        for line in lines:
            for part in textwrap.wrap(
                clean.line(line),
                width,
                subsequent_indent=_MARGIN,
                break_long_words=False,
                break_on_hyphens=False,
            ):
                say(part)


def log_out(name: str, *, keeps_changes: bool, says_yes: bool) -> int:
    """Log out of a profile; ask before something that was not sent is lost."""
    places = Places.find()
    profile_to_leave(places, name)
    lost = () if keeps_changes else left_behind(places, name)
    if lost and not says_yes:
        keeps_changes = _keeps(name, lost)
    left = forget_profile(places, name, keeps_changes=keeps_changes)
    if keeps_changes:
        say(f"The password and the cache of {name} were removed; unsent changes are kept.")
        say(f"They are sent after: callboard login {name} --force")
    else:
        say(f"Removed the profile {name}, with its password and cache.")
    if left:
        say(f"{left[:1].upper()}{left[1:]}.")
    return 0


def _keeps(name: str, lost: Sequence[str]) -> bool:
    things = counted(len(lost), "thing")
    say(f"{things} of {name} did not reach the service:")
    for words in lost[:_SHOWN]:
        say(f"  {words}")
    if len(lost) > _SHOWN:
        say(f"  … and {len(lost) - _SHOWN} more")
    if not sys.stdin.isatty():
        raise WrongInput(
            f"{things} would be lost; nothing was changed.",
            hint="Use --keep-changes to keep them, or --yes to discard them.",
        )
    try:
        answer = ask("Keep them, discard them, or cancel? [k/d/C] ").lower()
    except (KeyboardInterrupt, EOFError):
        answer = ""
    if answer not in ("k", "keep", "d", "discard"):
        raise CannotGoOn("cancelled; nothing was changed.")
    return answer.startswith("k")
