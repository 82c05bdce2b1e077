"""Declares arguments by their usage, and reports wrong ones."""

import argparse
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NoReturn, Self

from tui.cli.output import columns, for_people
from tui.text import clean

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

vars(argparse)["_"] = lambda text: text
"""It would look for translations of its texts in files, a hundred times a start."""

_CHOICE = re.compile(r"argument \S+: invalid choice: '([^']*)' \(choose from (.*)\)")
_USAGE = re.compile(r"^((?:-\S+ ?)*)(\[?)([^.\]]*)((?:\.\.\.)?)\]?$")
"""Options, if any; the value, in brackets if it may be missing, with dots if there may be more."""
EXAMPLES = "examples:"
"""The first line of an epilog, whose lines are not wrapped."""
_FEW = 9
"""The most choices that an error lists."""


def matching(accepts: Callable[[str], bool], wanted: str) -> Callable[[str], str]:
    """The type of an argument that must be what `accepts` does, which is called `wanted`."""

    def read(text: str) -> str:
        if not accepts(text):
            raise argparse.ArgumentTypeError(f"must be {wanted}")
        return text

    return read


def number(least: int, most: int) -> Callable[[str], int]:
    """The type of an argument that is a number within bounds, both included."""
    is_number = matching(
        lambda text: text.isdecimal() and least <= int(text) <= most,
        f"a number from {least} to {most}",
    )
    return lambda text: int(is_number(text))


class _Formatter(argparse.HelpFormatter):
    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=columns() - 2)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        # argparse would fill the commands into one paragraph.
        if text.startswith(EXAMPLES):
            return text
        return super()._fill_text(text, width, indent)

    def _format_action_invocation(self, action: argparse.Action) -> str:
        # Python before 3.13 writes the value behind each name.
        text = super()._format_action_invocation(action)
        *short, last = text.split(", ")
        return (
            ", ".join([*(name.split()[0] for name in short), last])
            if action.option_strings
            else text
        )


class Parser(argparse.ArgumentParser):
    """Reports wrong arguments in one line, with a pointer to the help."""

    def __init__(self, **how: Any) -> None:
        super().__init__(formatter_class=_Formatter, **how)
        self._positionals.title = "arguments"

    def about(self, text: str) -> Self:
        """Set the description, and the examples: lines that begin with `$`."""
        lines = [line.strip() for line in text.strip().splitlines()]
        examples = [line.removeprefix("$ ") for line in lines if line.startswith("$ ")]
        self.description = " ".join(line for line in lines if not line.startswith("$ ")).strip()
        self.epilog = "\n  ".join([EXAMPLES, *examples])
        return self

    def _print_message(self, message: str, file: "SupportsWrite[str] | None" = None) -> None:
        super()._print_message(for_people(message), file)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        # Subparsers call this too: the command that got the unknown argument reports it.
        options_read, unknown = super().parse_known_args(args, namespace)
        if unknown:
            options = [*self._option_string_actions] if unknown[0].startswith("--") else []
            self._fail(unknown[0].partition("=")[0], "", options)
        return options_read, unknown

    def error(self, message: str) -> NoReturn:
        if wrong := _CHOICE.fullmatch(message):
            choices = re.findall(r"[\w-]+", wrong[2])
            among = f"; use one of {', '.join(choices)}" if len(choices) <= _FEW else ""
            self._fail(wrong[1], among, choices)
        self._end(message, "")

    def _fail(self, word: str, among: str, choices: Sequence[str]) -> NoReturn:
        # Imported here, as only an error needs it and every command loads this module.
        from tui.config.settings_file import nearest

        message = f"“{clean.line(word)}” is not valid here{among}."
        self._end(message, nearest(word, choices))

    def _end(self, message: str, hint: str) -> NoReturn:
        hint = hint or f"Run {self.prog} --help."
        self.exit(2, f"{self.prog}: {message}\n{' ' * len(self.prog)}  {hint}\n")


def add_argument(
    where: "argparse._ActionsContainer", usage: str, brief: str, name: str = "", **how: Any
) -> None:
    """Add an argument as a usage has it: `CARD`, `[NAME]`, `CARD...`, `-q --quiet`, `--due DATE`.

    An option with dots may be given several times, and one without a value is a switch. `name` is
    the parameter that takes it, if it is not called like the argument. Without a default the value
    is an empty text or list, with a type None.
    """
    ((names, bracket, value, dots),) = _USAGE.findall(usage)
    options = names.split()
    if options and name:
        how["dest"] = name
    if not value:
        where.add_argument(*options, action="store_true", help=brief, **how)
        return
    if value.startswith("{"):
        how["choices"] = value.strip("{}").split(",")
    else:
        how["metavar"] = value
    if "type" not in how:
        how.setdefault("default", [] if dots else "")
    if options and dots:
        how["action"] = "append"
        brief = f"{brief} (repeatable)"
    elif not options:
        # argparse refuses `dest` for a positional argument: its name is the parameter.
        options = [name or value.lower()]
        how["nargs"] = {"[": "?", "...": "+", "[...": "*"}.get(bracket + dots)
    where.add_argument(*options, help=brief or None, **how)


def add_choices(where: "argparse._ActionsContainer", name: str, briefs: Mapping[str, str]) -> None:
    """Add options without a value, each of which gives its name to the parameter `name`."""
    for option, brief in briefs.items():
        where.add_argument(
            f"--{option}", dest=name, action="store_const", const=option, default="", help=brief
        )


def commands_below(
    parser: argparse.ArgumentParser, path: str
) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """Every command by its path, such as `/serve/user`."""
    yield path, parser
    for action in parser._actions:  # noqa: SLF001 (argparse tells its options in no other way)
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001
            for name, below in action.choices.items():
                yield from commands_below(below, f"{path}/{name}")
