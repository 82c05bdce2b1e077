"""The arguments of `callboard login`, `callboard profiles` and `callboard check`.

Only argparse is imported here. A password is never an argument.
"""

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tui.config.profiles import is_path_word, is_timezone

_LOGIN = (
    "Add a service: asks for the address of its site, your login name and the password there, finds"
    " the boards, tries everything out at once and keeps it. Without a terminal, give --url and"
    " --login, and the password as the first line of standard input or in CALLBOARD_PASSWORD."
)
_CHECK = (
    "Try out a profile: whether its service is reached and believes you, and what it offers."
    " Nothing is changed there. On a terminal it offers to set the time zone of the site's clock in"
    " the profile. The exit code is 0 if all is well and 1 if not."
)

Commands = argparse._SubParsersAction  # noqa: SLF001 (argparse gives the type no public name)


def add_services(commands: "Commands[argparse.ArgumentParser]") -> None:
    """Let a parser read `login`, `profiles` and `check`."""
    login = commands.add_parser("login", help="add a service", description=_LOGIN)
    login.set_defaults(run=_log_in)
    login.add_argument("name", metavar="NAME", nargs="?", help="what to call it here")
    login.add_argument("--url", metavar="URL", default="", help="any address of its site")
    login.add_argument("--login", metavar="LOGIN", default="", help="your login name there")
    login.add_argument("--ca-file", type=Path, metavar="FILE", help="its own authority, as PEM")
    login.add_argument("--path-word", type=_path_word, help="the service's own word in its paths")
    login.add_argument("--timezone", type=_timezone, help="of its clock, such as Europe/Berlin")
    login.add_argument("--keyring", action="store_true", help="keep the password in the keyring")
    login.add_argument("--default", action="store_true", help="open it when no other is named")
    login.add_argument("--force", action="store_true", help="replace the one of that name")
    profiles = commands.add_parser("profiles", help="list the services that were added")
    profiles.set_defaults(run=_list)
    profiles.add_argument("--json", action="store_true", help="for programs")
    check = commands.add_parser("check", help="try out a service", description=_CHECK)
    check.set_defaults(run=_check)
    check.add_argument("name", metavar="NAME", nargs="?", default="", help="which (the default)")
    check.add_argument("--json", action="store_true", help="for programs")


def _path_word(text: str) -> str:
    if not is_path_word(text):
        raise argparse.ArgumentTypeError("must be one word")
    return text


def _timezone(text: str) -> str:
    if not is_timezone(text):
        raise argparse.ArgumentTypeError("must be a zone such as Europe/Berlin, or +06:00")
    return text


def _log_in(asked: Mapping[str, Any]) -> int:
    from tui.cli import login

    return login.log_in(
        login.Wanted(
            name=asked["name"] or asked["profile"],
            url=asked["url"],
            login=asked["login"],
            ca_file=asked["ca_file"],
            path_word=asked["path_word"],
            timezone=asked["timezone"],
            in_keyring=asked["keyring"],
            is_default=asked["default"],
            force=asked["force"],
        )
    )


def _list(asked: Mapping[str, Any]) -> int:
    from tui.cli import profiles

    return profiles.list_profiles(as_json=asked["json"])


def _check(asked: Mapping[str, Any]) -> int:
    from tui.cli import check

    return check.check(asked["name"] or asked["profile"], as_json=asked["json"])
