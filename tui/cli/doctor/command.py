"""`callboard doctor`: whether all is well, and what to do where it is not.

The rule it keeps: it works when everything else is broken, so whatever goes wrong while something
is looked at is a line of the report. Only `--repair` changes anything, and loses no change of a
person's.
"""

import argparse
from collections.abc import Mapping
from typing import Any

_DOCTOR = (
    "Look at cache, waiting changes, settings, terminal and service, and say in words what is well"
    " and what to do about what is not. Nothing is changed without --repair. The exit code is 0 if"
    " there is no problem and 1 if there is one."
)

Commands = argparse._SubParsersAction  # noqa: SLF001 (argparse gives the type no public name)


def add_doctor(commands: "Commands[argparse.ArgumentParser]") -> None:
    """Let a parser read `doctor`."""
    doctor = commands.add_parser("doctor", help="see whether all is well", description=_DOCTOR)
    doctor.set_defaults(run=_run)
    doctor.add_argument("name", metavar="NAME", nargs="?", default="", help="which profile")
    doctor.add_argument("--json", action="store_true", help="for programs")
    doctor.add_argument("--offline", action="store_true", help="leave the service alone")
    doctor.add_argument(
        "--repair",
        action="store_true",
        help="offer to save what a damaged file of changes holds, to mend the cache, and to take"
        " the time zone of the profile from its site",
    )
    doctor.add_argument("--yes", action="store_true", help="accept what --repair offers")


def _run(asked: Mapping[str, Any]) -> int:
    from tui.cli.doctor.report import examine

    return examine(
        asked["name"] or asked.get("profile", ""),
        as_json=asked["json"],
        is_offline=asked["offline"],
        repairs=asked["repair"],
        says_yes=asked["yes"],
    )
