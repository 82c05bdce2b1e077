"""The arguments of the commands that read boards and change cards."""

import argparse
from functools import partial

from tui.cli.parser import Commands, add_json, add_switch, whole_number

_CODES = " The exit code is 0 if that worked, 1 if not, and 2 if the arguments are wrong."
_OFFLINE = (
    " If the service is not reached or rejects the password, what is known is printed, and how old"
    " it is on standard error; the exit code is 1 if it rejects the password."
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
    " on standard error. The exit code is 0 if the standup was printed, 1 if nothing is known or"
    " the service rejects the password, and 2 if the arguments are wrong."
)
_INSIGHT = (
    "Print, for some weeks, how many cards were in each stage, how old the open cards are, and how"
    " many were closed each week. Without --board it is about the boards of the last standup, else"
    " the board opened last, else all boards. If the service is not reached, what is known is"
    " printed. The exit code is 0 if figures were printed, 1 if nothing is known or the service"
    " rejects the password, and 2 if the arguments are wrong."
)
_MAN = "Print the manual page as roff; callboard man | man -l - shows it."
_WAITS = (
    " The command waits until the service has accepted the change. If the service is not reached,"
    " the change is kept and sent later, which standard error says. The exit code is 0 if it was"
    " accepted or kept, 1 if it was refused or what is named is not there, and 2 if the arguments"
    " are wrong."
)
_HOW = " A card is named by its number, its title or a part of that." + _WAITS
_ADD = (
    "Add a card, or with - one for each line of standard input, which may be a Markdown list of at"
    " most 1,000 lines and 1 MB. Each card is printed as it is added. If that is interrupted, the"
    " same command with the same lines goes on with the others; with --again it adds all. Marks"
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
_BOARD = (
    "Add a board. Its stages are named in their order, each with --stage; cards in the last one are"
    " closed. Without any it has those of the service." + _WAITS
)
_MARKDOWN = "Markdown of a file, or - for input"
_STAGES = "a stage, in the order given"
_ITS_BOARD = "where the card is, by title, part of it, or id"
_NAMED = "by title, part of it, or id"
_WEEKS = partial(whole_number, least=1, most=57)
"""Activities are kept for 400 days."""


def add_reading(commands: Commands, program: argparse.ArgumentParser) -> None:
    """Add `boards`, `tasks`, `show`, `here`, `sync`, `tour`, `completion` and `man`."""
    boards = commands.add("boards", "scripts.listing:list_boards", "list the boards", _BOARDS)
    tasks = commands.add("tasks", "scripts.listing:list_tasks", "list cards", _TASKS)
    tasks.add_argument("query", metavar="QUERY", nargs="*", help="as in the filter of a board")
    _add_boards(tasks)
    for parser in (boards, tasks):
        add_switch(parser, "--quiet", "only_ids", "print only the ids", letter="-q")
    show = commands.add("show", "scripts.card:show", "print a card", _SHOW)
    _add_card_of_board(show)
    here = commands.add("here", "scripts.changing:here", "the card of this git branch", _HERE)
    here.add_argument("stage", metavar="STAGE", nargs="?", help="move it there")
    _add_how(here)
    sync = commands.add("sync", "scripts.sync:sync", "send and read everything", _SYNC)
    _add_quiet(sync)
    add_json(boards, tasks, show, sync)
    commands.add("tour", "scripts.tour:show_tour", "the board that teaches the keys", _TOUR)
    completion = commands.add(
        "completion", "parser_texts:script", "completion for a shell", _COMPLETION
    )
    completion.add_argument("shell", choices=("bash", "zsh", "fish"))
    man = commands.add("man", "parser_texts:page", "print the manual page", _MAN)
    for parser in (completion, man):
        parser.set_defaults(program=program)


def add_writing(commands: Commands) -> None:
    """Add `board add`, `add`, `edit`, `move`, `done`, `assign`, `label` and `comment`."""
    below = Commands(commands.add("board", "", "add boards", _BOARD), required=True)
    board = below.add("add", "scripts.boards:add_board", "add a board", _BOARD)
    _add_how(board)
    board.add_argument("title", metavar="TITLE", nargs="+", help="the title, or -")
    board.add_argument(
        "--type", dest="kind", choices=("to-do", "roadmap"), default="to-do", help="(to-do)"
    )
    board.add_argument(
        "--stage", dest="stages", metavar="TITLE", action="append", default=[], help=_STAGES
    )
    board.add_argument("--description", metavar="FILE", help=_MARKDOWN)
    board.add_argument("--currency", metavar="CODE", default="", help="such as EUR")
    board.add_argument("--folder", metavar="NAME", default="", help=_NAMED)
    add = commands.add("add", "scripts.adding:add", "add cards", _ADD)
    _add_how(add)
    add.add_argument("title", metavar="TITLE", nargs="*", help="the title with marks, or -")
    _add_board(add)
    add.add_argument("--stage", metavar="NAME", default="", help=_NAMED)
    add_switch(add, "--again", "again", "with -, also what an interrupted run has added")
    edit = _add_change(commands, "edit", "edit", "set fields of a card", _EDIT)
    _add_card_of_board(edit)
    edit.add_argument("--title", metavar="TITLE", help="a new title")
    edit.add_argument("--description", metavar="FILE", help=_MARKDOWN)
    edit.add_argument("--priority", choices=("low", "medium", "high"), help="a new priority")
    for name in ("due", "start"):
        edit.add_argument(f"--{name}", metavar="DATE", help="such as fri or 2026-12-01, or none")
    move = _add_change(commands, "move", "move", "move a card", _MOVE)
    _add_card(move)
    move.add_argument("stage", metavar="STAGE", help=_NAMED)
    where = move.add_mutually_exclusive_group()
    add_switch(where, "--top", "is_top", "to the top of the stage")
    add_switch(where, "--bottom", "is_bottom", "to the bottom, also within it")
    where.add_argument("--board", metavar="NAME", default="", help="to a stage of another board")
    move.add_argument("--from", dest="source", metavar="NAME", default="", help=_ITS_BOARD)
    done = _add_change(commands, "done", "close", "close cards", _DONE)
    done.add_argument("cards", metavar="CARD", nargs="+", help="by number, or by title")
    done.add_argument("--board", metavar="NAME", default="", help=_ITS_BOARD)
    add_switch(done, "--reopen", "reopens", "reopen them instead")
    assign = _add_change(commands, "assign", "assign", "assign people to a card", _ASSIGN)
    _add_card_of_board(assign)
    assign.add_argument("people", metavar="PERSON", nargs="+", help="by name, login or initials")
    add_switch(assign, "--remove", "removes", "remove them instead")
    label = _add_change(commands, "label", "label", "put labels on a card", _LABEL)
    _add_card_of_board(label)
    label.add_argument("labels", metavar="LABEL", nargs="+", help="by title, or part of it")
    how = label.add_mutually_exclusive_group()
    add_switch(how, "--remove", "removes", "take them off instead")
    add_switch(how, "--create", "creates", "create those that are missing")
    comment = _add_change(commands, "comment", "comment", "comment on a card", _COMMENT)
    _add_card_of_board(comment)
    comment.add_argument("text", metavar="TEXT", nargs="+", help="the comment, or -")


def add_figures(commands: Commands) -> None:
    """Add `standup` and `insight`."""
    standup = commands.add(
        "standup", "scripts.standup:hold_standup", "what happened lately", _STANDUP
    )
    _add_boards(standup)
    standup.add_argument("--folder", metavar="NAME", default="", help="the boards of a folder")
    whom = standup.add_mutually_exclusive_group()
    add_switch(whom, "--team", "team", "about everybody (the default)")
    add_switch(whom, "--me", "only_me", "only your own part, by person")
    standup.add_argument(
        "--since", metavar="DATE", default="", help="such as fri or 2026-11-02 (last working day)"
    )
    lens = standup.add_mutually_exclusive_group()
    add_switch(lens, "--walk", "walk", "stage by stage (the default)")
    add_switch(lens, "--by-person", "by_person", "what each person does")
    formats = standup.add_mutually_exclusive_group()
    for name, brief in (("md", "as Markdown"), ("json", "for programs"), ("plain", "as text")):
        formats.add_argument(
            f"--{name}", dest="format", action="store_const", const=name, default="", help=brief
        )
    insight = commands.add(
        "insight", "scripts.insight:print_insight", "figures of boards", _INSIGHT
    )
    _add_boards(insight)
    insight.add_argument(
        "--weeks", type=_WEEKS, default=4, metavar="N", help="how many weeks (default: 4)"
    )
    add_json(insight)


def _add_change(
    commands: Commands, name: str, function: str, brief: str, about: str
) -> argparse.ArgumentParser:
    run = f"scripts.changing:{function}"
    parser = commands.add(name, run, brief, about)
    _add_how(parser)
    return parser


def _add_how(parser: argparse.ArgumentParser) -> None:
    """Add the options that all commands that change something have."""
    add_json(parser)
    _add_quiet(parser)
    add_switch(
        parser,
        "--dry-run",
        "is_dry",
        "print the first request of each change, and send none",
        letter="-n",
    )


def _add_quiet(parser: argparse.ArgumentParser) -> None:
    add_switch(parser, "--quiet", "is_quiet", "say only what did not work", letter="-q")


def _add_card(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("card", metavar="CARD", help="its number, its title, or a part of that")


def _add_card_of_board(parser: argparse.ArgumentParser) -> None:
    _add_card(parser)
    parser.add_argument("--board", metavar="NAME", default="", help=_ITS_BOARD)


def _add_board(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--board", metavar="NAME", default="", help=_NAMED)


def _add_boards(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--board", dest="boards", metavar="NAME", action="append", default=[], help=_NAMED
    )
