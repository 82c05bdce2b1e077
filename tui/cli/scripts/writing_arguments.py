"""The arguments of the commands that change cards."""

import argparse
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tui.cli.scripts.writing import How

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
_PRIORITIES = ("low", "medium", "high")

Commands = argparse._SubParsersAction  # noqa: SLF001 (argparse gives the type no public name)


def add_writing(commands: "Commands[argparse.ArgumentParser]") -> None:
    """Add `add`, `edit`, `move`, `done`, `assign`, `label` and `comment`."""
    add = _command(commands, "add", "add cards", _ADD, _add)
    add.add_argument("title", metavar="TITLE", nargs="*", help="the title with marks, or -")
    add.add_argument("--board", metavar="NAME", default="", help="by title, part of it, or id")
    add.add_argument("--stage", metavar="NAME", default="", help="by title, part of it, or id")
    edit = _command(commands, "edit", "set fields of a card", _EDIT, _edit)
    _add_card(edit)
    edit.add_argument("--title", metavar="TITLE", help="a new title")
    edit.add_argument("--description", metavar="FILE", help="Markdown of a file, or - for input")
    edit.add_argument("--priority", choices=_PRIORITIES, help="a new priority")
    for name in ("due", "start"):
        edit.add_argument(f"--{name}", metavar="DATE", help="such as fri or 2026-12-01, or none")
    move = _command(commands, "move", "move a card", _MOVE, _move)
    _add_card(move)
    move.add_argument("stage", metavar="STAGE", help="by title, part of it, or id")
    where = move.add_mutually_exclusive_group()
    where.add_argument("--top", action="store_true", help="to the top of the stage")
    where.add_argument("--bottom", action="store_true", help="to the bottom, also within it")
    where.add_argument("--board", metavar="NAME", default="", help="to a stage of another board")
    done = _command(commands, "done", "close cards", _DONE, _close)
    done.add_argument("cards", metavar="CARD", nargs="+", help="by number, or by title")
    done.add_argument("--reopen", action="store_true", help="reopen them instead")
    assign = _command(commands, "assign", "assign people to a card", _ASSIGN, _assign)
    _add_card(assign)
    assign.add_argument("people", metavar="PERSON", nargs="+", help="by name, login or initials")
    assign.add_argument("--remove", action="store_true", help="remove them instead")
    label = _command(commands, "label", "put labels on a card", _LABEL, _label)
    _add_card(label)
    label.add_argument("labels", metavar="LABEL", nargs="+", help="by title, or part of it")
    how = label.add_mutually_exclusive_group()
    how.add_argument("--remove", action="store_true", help="take them off instead")
    how.add_argument("--create", action="store_true", help="create those that are missing")
    comment = _command(commands, "comment", "comment on a card", _COMMENT, _comment)
    _add_card(comment)
    comment.add_argument("text", metavar="TEXT", nargs="+", help="the comment, or -")


def _command(
    commands: "Commands[argparse.ArgumentParser]", name: str, brief: str, about: str, run: Any
) -> argparse.ArgumentParser:
    parser = commands.add_parser(name, help=brief, description=about)
    parser.set_defaults(run=run)
    add_how(parser)
    return parser


def add_how(parser: argparse.ArgumentParser) -> None:
    """Add the options that all commands that change something have."""
    parser.add_argument("--json", action="store_true", help="for programs")
    parser.add_argument("-q", "--quiet", action="store_true", help="say only what did not work")
    parser.add_argument(
        "-n", "--dry-run", action="store_true", help="print the requests, and send none"
    )


def _add_card(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("card", metavar="CARD", help="its number, its title, or a part of that")


def how_of(asked: Mapping[str, Any]) -> "How":
    """The options of `add_how`."""
    from tui.cli.scripts.writing import How

    return How(
        profile=asked["profile"],
        as_json=asked["json"],
        is_quiet=asked["quiet"],
        is_dry=asked["dry_run"],
        ascii_only=asked["ascii"],
    )


def _add(asked: Mapping[str, Any]) -> int:
    from tui.cli.scripts import adding

    wanted = adding.Wanted(asked["board"], asked["stage"])
    return adding.add(how_of(asked), wanted, asked["title"])


def _edit(asked: Mapping[str, Any]) -> int:
    from tui.cli.scripts import changing

    names = changing.Fields._fields
    fields = changing.Fields(**{name: asked[name] for name in names})
    return changing.edit(how_of(asked), asked["card"], fields)


def _move(asked: Mapping[str, Any]) -> int:
    from tui.cli.scripts import changing

    target = changing.Target(asked["stage"], asked["top"], asked["bottom"], asked["board"])
    return changing.move(how_of(asked), asked["card"], target)


def _close(asked: Mapping[str, Any]) -> int:
    from tui.cli.scripts import changing

    return changing.close(how_of(asked), asked["cards"], reopens=asked["reopen"])


def _assign(asked: Mapping[str, Any]) -> int:
    from tui.cli.scripts import changing

    return changing.assign(how_of(asked), asked["card"], asked["people"], removes=asked["remove"])


def _label(asked: Mapping[str, Any]) -> int:
    from tui.cli.scripts import changing

    return changing.label(
        how_of(asked),
        asked["card"],
        asked["labels"],
        removes=asked["remove"],
        creates=asked["create"],
    )


def _comment(asked: Mapping[str, Any]) -> int:
    from tui.cli.scripts import changing

    return changing.comment(how_of(asked), asked["card"], asked["text"])
