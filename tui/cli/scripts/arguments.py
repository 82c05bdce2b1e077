"""The arguments of the commands that read boards."""

import argparse
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
