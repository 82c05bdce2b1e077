"""The arguments of the commands that read boards and change cards."""

import argparse
from functools import partial

from tui.cli.parser import Commands, add_command, add_json, whole_number

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
_MAN = "Print the manual page as roff; callboard man | man -l - shows it."
_HOW = (
    " A card is named by its number, its title or a part of that. The command waits until the"
    " service has accepted the change. If the service is not reached, the change is kept and sent"
    " later, which standard error says. The exit code is 0 if it was accepted or kept, 1 if it was"
    " refused, and 2 if the arguments are wrong."
)
_ADD = (
    "Add a card, or with - one for each line of standard input, which may be a Markdown list. Marks"
    " at the end of a title set fields, as in the program: #label @person !high ^fri. Put the title"
    " in single quotes, as a shell has its own use for such signs. Without --board it is added to"
    " the board opened last, or the only one; without --stage to the first." + _HOW
)
_EDIT = "Set fields of a card." + _HOW
_MOVE = (
    "Move a card to a stage of its board, or of another one. It goes to the bottom, unless it is in"
    " the stage already." + _HOW
)
_DONE = "Close cards." + _HOW
_ASSIGN = (
    "Add people to the assignees of a card; they are named by name, login or initials, and you are"
    " @me." + _HOW
)
_LABEL = "Put labels on a card." + _HOW
_COMMENT = (
    "Comment on a card, in Markdown, where @login mentions somebody; with - the comment is read"
    " from standard input." + _HOW
)
_NAMED = "by title, part of it, or id"
_WEEKS = partial(whole_number, least=1, most=57)
"""Activities are kept for 400 days."""


def add_reading(commands: Commands, program: argparse.ArgumentParser) -> None:
    """Add `boards`, `tasks`, `show`, `here`, `sync`, `tour`, `completion` and `man`."""
    boards = add_command(
        commands,
        "boards",
        "scripts.listing:list_boards",
        brief="list the boards",
        description=_BOARDS,
    )
    tasks = add_command(
        commands, "tasks", "scripts.listing:list_tasks", brief="list cards", description=_TASKS
    )
    tasks.add_argument("query", metavar="QUERY", nargs="*", help="as in the filter of a board")
    _add_boards(tasks)
    for parser in (boards, tasks):
        parser.add_argument(
            "-q", "--quiet", dest="only_ids", action="store_true", help="print only the ids"
        )
    show = add_command(
        commands, "show", "scripts.card:show", brief="print a card", description=_SHOW
    )
    _add_card(show)
    _add_board(show)
    here = add_command(
        commands,
        "here",
        "scripts.changing:here",
        brief="the card of this git branch",
        description=_HERE,
    )
    here.add_argument("stage", metavar="STAGE", nargs="?", help="move it there")
    _add_how(here)
    sync = add_command(
        commands, "sync", "scripts.sync:sync", brief="send and read everything", description=_SYNC
    )
    _add_quiet(sync)
    add_json(boards, tasks, show, sync)
    add_command(
        commands,
        "tour",
        "scripts.tour:show_tour",
        brief="the board that teaches the keys",
        description=_TOUR,
    )
    completion = add_command(
        commands,
        "completion",
        "completion:script",
        brief="completion for a shell",
        description=_COMPLETION,
    )
    completion.add_argument("shell", choices=("bash", "zsh", "fish"))
    man = add_command(commands, "man", "man:page", brief="print the manual page", description=_MAN)
    for parser in (completion, man):
        parser.set_defaults(program=program)


def add_writing(commands: Commands) -> None:
    """Add `add`, `edit`, `move`, `done`, `assign`, `label` and `comment`."""
    add = _add_change(commands, "add", "add", "add cards", _ADD)
    add.add_argument("title", metavar="TITLE", nargs="*", help="the title with marks, or -")
    _add_board(add)
    add.add_argument("--stage", metavar="NAME", default="", help=_NAMED)
    edit = _add_change(commands, "edit", "edit", "set fields of a card", _EDIT)
    _add_card(edit)
    edit.add_argument("--title", metavar="TITLE", help="a new title")
    edit.add_argument("--description", metavar="FILE", help="Markdown of a file, or - for input")
    edit.add_argument("--priority", choices=("low", "medium", "high"), help="a new priority")
    for name in ("due", "start"):
        edit.add_argument(f"--{name}", metavar="DATE", help="such as fri or 2026-12-01, or none")
    move = _add_change(commands, "move", "move", "move a card", _MOVE)
    _add_card(move)
    move.add_argument("stage", metavar="STAGE", help=_NAMED)
    where = move.add_mutually_exclusive_group()
    where.add_argument("--top", dest="is_top", action="store_true", help="to the top of the stage")
    where.add_argument(
        "--bottom", dest="is_bottom", action="store_true", help="to the bottom, also within it"
    )
    where.add_argument("--board", metavar="NAME", default="", help="to a stage of another board")
    done = _add_change(commands, "done", "close", "close cards", _DONE)
    done.add_argument("cards", metavar="CARD", nargs="+", help="by number, or by title")
    done.add_argument("--reopen", dest="reopens", action="store_true", help="reopen them instead")
    assign = _add_change(commands, "assign", "assign", "assign people to a card", _ASSIGN)
    _add_card(assign)
    assign.add_argument("people", metavar="PERSON", nargs="+", help="by name, login or initials")
    assign.add_argument("--remove", dest="removes", action="store_true", help="remove them instead")
    label = _add_change(commands, "label", "label", "put labels on a card", _LABEL)
    _add_card(label)
    label.add_argument("labels", metavar="LABEL", nargs="+", help="by title, or part of it")
    how = label.add_mutually_exclusive_group()
    how.add_argument("--remove", dest="removes", action="store_true", help="take them off instead")
    how.add_argument(
        "--create", dest="creates", action="store_true", help="create those that are missing"
    )
    comment = _add_change(commands, "comment", "comment", "comment on a card", _COMMENT)
    _add_card(comment)
    comment.add_argument("text", metavar="TEXT", nargs="+", help="the comment, or -")


def add_figures(commands: Commands) -> None:
    """Add `standup` and `insight`."""
    standup = add_command(
        commands,
        "standup",
        "scripts.standup:hold_standup",
        brief="what happened lately",
        description=_STANDUP,
    )
    _add_boards(standup)
    standup.add_argument("--folder", metavar="NAME", default="", help="the boards of a folder")
    whom = standup.add_mutually_exclusive_group()
    whom.add_argument("--team", action="store_true", help="about everybody (the default)")
    whom.add_argument(
        "--me", dest="only_me", action="store_true", help="only your own part, by person"
    )
    standup.add_argument(
        "--since", metavar="DATE", default="", help="such as fri or 2026-11-02 (last working day)"
    )
    lens = standup.add_mutually_exclusive_group()
    lens.add_argument("--walk", action="store_true", help="stage by stage (the default)")
    lens.add_argument("--by-person", action="store_true", help="what each person does")
    formats = standup.add_mutually_exclusive_group()
    for name, brief in (("md", "as Markdown"), ("json", "for programs"), ("plain", "as text")):
        formats.add_argument(
            f"--{name}", dest="format", action="store_const", const=name, default="", help=brief
        )
    insight = add_command(
        commands,
        "insight",
        "scripts.insight:print_insight",
        brief="figures of boards",
        description=_INSIGHT,
    )
    _add_boards(insight)
    insight.add_argument(
        "--weeks", type=_WEEKS, default=4, metavar="N", help="how many weeks (default: 4)"
    )
    add_json(insight)


def _add_change(
    commands: Commands, name: str, function: str, brief: str, about: str
) -> argparse.ArgumentParser:
    """Add a command that changes cards."""
    run = f"scripts.changing:{function}"
    parser = add_command(commands, name, run, brief=brief, description=about)
    _add_how(parser)
    return parser


def _add_how(parser: argparse.ArgumentParser) -> None:
    """Add the options that all commands that change something have."""
    add_json(parser)
    _add_quiet(parser)
    parser.add_argument(
        "-n",
        "--dry-run",
        dest="is_dry",
        action="store_true",
        help="print the requests, and send none",
    )


def _add_quiet(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-q", "--quiet", dest="is_quiet", action="store_true", help="say only what did not work"
    )


def _add_card(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("card", metavar="CARD", help="its number, its title, or a part of that")


def _add_board(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--board", metavar="NAME", default="", help=_NAMED)


def _add_boards(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--board", dest="boards", metavar="NAME", action="append", default=[], help=_NAMED
    )
