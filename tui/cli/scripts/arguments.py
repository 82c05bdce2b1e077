"""The arguments of the commands that read boards."""

import argparse
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tui.cli.scripts.writing_arguments import add_how, how_of

if TYPE_CHECKING:
    from tui.cli.scripts.card import Wanted

_CODES = " The exit code is 0 if that worked, 1 if not, and 2 if the arguments are wrong."
_OFFLINE = (
    " If the service is not reached, what is known is printed, and how old it is on standard error."
)
_BOARDS = "List the boards that are not archived, newest first." + _OFFLINE + _CODES
_TASKS = (
    "List the cards that a query finds, in the words of the filter (/) in the program, such as"
    " label:bug @me due:week; without one, all cards. Put -- before a query that begins with -."
    + _OFFLINE
    + " The exit code is 0 if cards were found, 1 if none or nothing is known, and 2 if the"
    " arguments are wrong."
)
_SHOW = "Print a card with its fields, description, subtasks and comments." + _OFFLINE + _CODES
_SYNC = (
    "Send the pending changes, and read the news of all boards. The exit code is 0 if all of it"
    " worked, 1 if a change is still pending or the service was not reached, and 2 if the arguments"
    " are wrong."
)
_HERE = (
    "Print the card after which the current git branch is named, such as 12-fix-login-redirect, or"
    " move it to a stage." + _OFFLINE + " A move is kept, and sent later." + _CODES
)
_COMPLETION = (
    'Print a script that completes commands and options. For bash, put eval "$(callboard'
    ' completion bash)" into ~/.bashrc; zsh alike; for fish, write it into'
    " ~/.config/fish/completions/callboard.fish."
)

_TOUR = (
    "Make the board that teaches the keys again, and open it on a terminal. No other board is"
    " changed." + _CODES
)
_STANDUP = (
    "On a terminal, and without a format, this opens the program in the standup. Otherwise it reads"
    " the news of the boards once and prints the standup as plain text, Markdown or JSON. Without"
    " --board and --folder it is about the boards of the last standup, else the board opened last,"
    " else all boards. If the service is not reached, what is known is printed, and how old it is"
    " on standard error. The exit code is 0 if the standup was printed, 1 if nothing is known, and"
    " 2 if the arguments are wrong."
)
_INSIGHT = (
    "Print, for some weeks, how many cards were in each stage, how old the open cards are, and how"
    " many were closed each week. Without --board it is about the boards of the last standup, else"
    " the board opened last, else all boards. If the service is not reached, what is known is"
    " printed. The exit code is 0 if figures were printed, 1 if nothing is known, and 2 if the"
    " arguments are wrong."
)
_MOST_WEEKS = 57
"""Activities are kept for 400 days."""
_MAN = "Print the manual page as roff; callboard man | man -l - shows it."

Commands = argparse._SubParsersAction  # noqa: SLF001 (argparse gives the type no public name)


def add_reading(
    commands: "Commands[argparse.ArgumentParser]", program: argparse.ArgumentParser
) -> None:
    """Add `boards`, `tasks`, `show`, `here`, `sync`, `tour`, `completion` and `man`."""
    boards = commands.add_parser("boards", help="list the boards", description=_BOARDS)
    boards.set_defaults(run=_list_boards)
    tasks = commands.add_parser("tasks", help="list cards", description=_TASKS)
    tasks.set_defaults(run=_list_tasks)
    tasks.add_argument("query", metavar="QUERY", nargs="*", help="as in the filter of a board")
    add_board(tasks, action="append", default=[])
    for parser in (boards, tasks):
        parser.add_argument("-q", "--quiet", action="store_true", help="print only the ids")
    show = commands.add_parser("show", help="print a card", description=_SHOW)
    show.set_defaults(run=_show)
    show.add_argument("card", metavar="CARD", help="its number, its title, or a part of that")
    add_board(show, default="")
    here = commands.add_parser("here", help="the card of this git branch", description=_HERE)
    here.set_defaults(run=_here)
    here.add_argument("stage", metavar="STAGE", nargs="?", help="move it there")
    add_how(here)
    sync = commands.add_parser("sync", help="send and read everything", description=_SYNC)
    sync.set_defaults(run=_sync)
    sync.add_argument("-q", "--quiet", action="store_true", help="say only what did not work")
    for parser in (boards, tasks, show, sync):
        parser.add_argument("--json", action="store_true", help="for programs")
    tour = commands.add_parser("tour", help="the board that teaches the keys", description=_TOUR)
    tour.set_defaults(run=_show_tour)
    completion = commands.add_parser(
        "completion", help="completion for a shell", description=_COMPLETION
    )
    completion.add_argument("shell", choices=("bash", "zsh", "fish"))
    completion.set_defaults(run=_complete, program=program)
    man = commands.add_parser("man", help="print the manual page", description=_MAN)
    man.set_defaults(run=_print_man, program=program)


def add_figures(commands: "Commands[argparse.ArgumentParser]") -> None:
    """Add `standup` and `insight`."""
    _add_standup(commands)
    _add_insight(commands)


def add_board(parser: argparse.ArgumentParser, **how: Any) -> None:
    """Add `--board`."""
    parser.add_argument("--board", metavar="NAME", help="by title, part of it, or id", **how)


def _list_boards(asked: Mapping[str, Any]) -> int:
    from tui.cli.scripts import listing

    return listing.list_boards(
        listing.Wanted(
            as_json=asked["json"],
            only_ids=asked["quiet"],
            profile=asked["profile"],
            ascii_only=asked["ascii"],
        )
    )


def _list_tasks(asked: Mapping[str, Any]) -> int:
    from tui.cli.scripts import listing

    return listing.list_tasks(
        listing.Wanted(
            query=" ".join(asked["query"]),
            boards=asked["board"],
            as_json=asked["json"],
            only_ids=asked["quiet"],
            profile=asked["profile"],
            ascii_only=asked["ascii"],
        )
    )


def _show(asked: Mapping[str, Any]) -> int:
    from tui.cli.scripts import card

    return card.show(_card(asked)._replace(card=asked["card"], board=asked["board"]))


def _here(asked: Mapping[str, Any]) -> int:
    from tui.cli.scripts import card

    if asked["stage"] is None:
        return card.here(_card(asked))
    from tui.cli.scripts.changing import Target, move

    return move(how_of(asked), None, Target(asked["stage"]))


def _card(asked: Mapping[str, Any]) -> "Wanted":
    from tui.cli.scripts.card import Wanted

    return Wanted(as_json=asked["json"], profile=asked["profile"], ascii_only=asked["ascii"])


def _sync(asked: Mapping[str, Any]) -> int:
    from tui.cli.scripts import sync

    return sync.sync(
        sync.Wanted(is_quiet=asked["quiet"], as_json=asked["json"], profile=asked["profile"])
    )


def _complete(asked: Mapping[str, Any]) -> int:
    from tui.cli.completion import script

    return script(asked["program"], asked["shell"])


def _print_man(asked: Mapping[str, Any]) -> int:
    from tui.cli.man import page

    return page(asked["program"])


def _show_tour(asked: Mapping[str, Any]) -> int:
    from tui.cli.scripts import tour

    return tour.show_tour(asked["profile"], ascii_only=asked["ascii"])


def _add_standup(commands: "Commands[argparse.ArgumentParser]") -> None:
    """Add `standup`."""
    parser = commands.add_parser("standup", help="what happened lately", description=_STANDUP)
    parser.set_defaults(run=_hold_standup)
    add_board(parser, action="append", default=[])
    parser.add_argument("--folder", metavar="NAME", default="", help="the boards of a folder")
    whom = parser.add_mutually_exclusive_group()
    whom.add_argument("--team", action="store_true", help="about everybody (the default)")
    whom.add_argument("--me", action="store_true", help="only your own part, by person")
    parser.add_argument(
        "--since", metavar="DATE", default="", help="such as fri or 2026-11-02 (last working day)"
    )
    lens = parser.add_mutually_exclusive_group()
    lens.add_argument("--walk", action="store_true", help="stage by stage (the default)")
    lens.add_argument("--by-person", action="store_true", help="what each person does")
    formats = parser.add_mutually_exclusive_group()
    for name, brief in (("md", "as Markdown"), ("json", "for programs"), ("plain", "as text")):
        formats.add_argument(
            f"--{name}", dest="format", action="store_const", const=name, default="", help=brief
        )


def _hold_standup(asked: Mapping[str, Any]) -> int:
    from tui.cli.scripts import standup

    wanted = standup.Wanted(
        boards=asked["board"],
        folder=asked["folder"],
        only_me=asked["me"],
        since=asked["since"],
        by_person=asked["by_person"],
        format=asked["format"],
        profile=asked["profile"],
        ascii_only=asked["ascii"],
    )
    if wanted.format or not (sys.stdin.isatty() and sys.stdout.isatty()):
        return standup.print_standup(wanted)
    from tui.cli.scripts.standup_start import open_program

    return open_program(wanted)


def _add_insight(commands: "Commands[argparse.ArgumentParser]") -> None:
    """Add `insight`."""
    parser = commands.add_parser("insight", help="figures of boards", description=_INSIGHT)
    parser.set_defaults(run=_print_insight)
    add_board(parser, action="append", default=[])
    parser.add_argument(
        "--weeks", type=_weeks, default=4, metavar="N", help="how many weeks (default: 4)"
    )
    parser.add_argument("--json", action="store_true", help="for programs")


def _weeks(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= _MOST_WEEKS:
        raise argparse.ArgumentTypeError(f"must be a number from 1 to {_MOST_WEEKS}")
    return int(text)


def _print_insight(asked: Mapping[str, Any]) -> int:
    from tui.cli.scripts import insight

    return insight.print_insight(
        insight.Wanted(
            boards=asked["board"],
            weeks=asked["weeks"],
            profile=asked["profile"],
            as_json=asked["json"],
            ascii_only=asked["ascii"],
        )
    )
