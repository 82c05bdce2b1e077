"""Tools as the command line declares them: their names, descriptions and arguments.

What concerns a shell or a terminal is left out. An argument has the name of its option.
"""

import argparse
import re
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

from tui.cli.arguments import Parser, commands_below
from tui.cli.commands.table import add_commands
from tui.errors import WrongInput
from tui.text.cells import cut
from tui.text.clean import line, quoted

_OF_SHELLS = frozenset(
    {
        "help",
        "as_json",
        "is_quiet",
        "is_dry",
        "only_ids",
        "format",
        "team",
        "walk",
        "again",
        "claims",
    }
)
"""Arguments that an agent has no use for."""
_NAMING = ("claim", "progress")
"""The tools by which an agent says its name, which it has from then on."""
_ABOUT_SHELLS = re.compile(
    r"standard input|terminal|shell|print|interrupted|Put --|--json|--again|with -|without a format"
)
_LONGEST_TEXT, _LONGEST_NAME = 100_000, 60
MOST_DIGITS = 18
_SENTENCE = re.compile(r"(?<=\.)\s+")
_FROM_INPUT = re.compile(r"(?: of a file)?, or -(?: for input)?$")
_OPTION = re.compile(r"--(\w)")


class Argument(NamedTuple):
    """An argument of a tool: its name, what it is to a function, and its schema."""

    name: str
    parameter: str
    schema: Mapping[str, Any]
    default: Any = None
    is_required: bool = False


def text_schema(about: str) -> Mapping[str, Any]:
    """The schema of a text."""
    return {"type": "string", "description": about}


START = Argument(
    "start",
    "start",
    {
        "type": "integer",
        "minimum": 1,
        "description": "continue from here: the next_start of the last answer",
    },
    1,
)


@cache
def _commands() -> Mapping[str, argparse.ArgumentParser]:
    parser = Parser(prog="callboard")
    add_commands(parser)
    return {path.strip("/"): below for path, below in commands_below(parser, "")}


@cache
def _briefs() -> Mapping[str, str]:
    actions = _commands()[""]._actions  # noqa: SLF001 (argparse tells its options in no other way)
    return {
        choice.dest: choice.help or ""
        for action in actions
        if isinstance(action, argparse._SubParsersAction)  # noqa: SLF001
        for choice in action._choices_actions  # noqa: SLF001
    }


def changes_something(command: str) -> bool:
    """Whether a command changes boards: those that do can be tried without."""
    return any(action.dest == "is_dry" for action in _commands()[command]._actions)  # noqa: SLF001


def description(command: str) -> str:
    """What a command does, as far as it does not concern shells."""
    brief = _briefs()[command]
    first, *following = _SENTENCE.split(_commands()[command].description or "")
    if not first or _ABOUT_SHELLS.search(first):
        first = f"{brief[:1].upper()}{brief[1:]}."
    sentences = [first, *(sentence for sentence in following if not _ABOUT_SHELLS.search(sentence))]
    return without_dashes(" ".join(sentences))


def without_dashes(text: str) -> str:
    """A text with the names of options as agents use them."""
    return _OPTION.sub(r"\1", text)


def arguments(command: str) -> Iterator[Argument]:
    """The arguments of a command, but for those of shells."""
    by_parameter: dict[str, list[argparse.Action]] = {}
    for action in _commands()[command]._actions:  # noqa: SLF001
        is_name = action.dest == "agent" and command not in _NAMING
        if not is_name and action.dest not in _OF_SHELLS:
            by_parameter.setdefault(action.dest, []).append(action)
    for parameter, actions in by_parameter.items():
        yield _argument(parameter, actions)


def _argument(parameter: str, actions: list[argparse.Action]) -> Argument:
    first = actions[0]
    briefs = [_FROM_INPUT.sub("", action.help or "") for action in actions]
    option = next((name for name in first.option_strings if name.startswith("--")), "")
    is_text = not option and parameter == str(first.metavar or "").lower()
    schema: dict[str, Any]
    if len(actions) > 1:  # each gives its name
        choices = [action.const for action in actions]
        about = "; ".join(f"{name}: {brief}" for name, brief in zip(choices, briefs, strict=True))
        schema = {"type": "string", "enum": choices, "description": about}
    elif first.nargs == 0:
        schema = {"type": "boolean"}
    elif isinstance(first.default, list) and not is_text:
        schema = {"type": "array", "items": {"type": "string"}}
    else:
        schema = {"type": "string"} | ({"enum": [*first.choices]} if first.choices else {})
    if option and len(actions) == 1 and schema["type"] != "array":
        name = option.removeprefix("--").replace("-", "_")
    else:
        name = parameter
    schema.setdefault("description", without_dashes(briefs[0]))
    is_required = not option and first.nargs not in ("?", "*")
    default = [] if schema["type"] == "array" else "" if is_text else first.default
    return Argument(name, parameter, schema, default, is_required)


def schema_of(accepted: Collection[Argument]) -> dict[str, Any]:
    """The JSON schema of these arguments."""
    return {
        "type": "object",
        "properties": {argument.name: dict(argument.schema) for argument in accepted},
        "required": [argument.name for argument in accepted if argument.is_required],
        "additionalProperties": False,
    }


def read(accepted: Collection[Argument], given: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments that were given, by parameter, and the defaults of the others.

    Raises `WrongInput`.
    """
    names = [argument.name for argument in accepted]
    if unknown := [name for name in given if name not in names]:
        raise WrongInput(
            f"{quoted(cut(line(unknown[0]), _LONGEST_NAME))} is not an argument of this tool.",
            hint=f"There are: {', '.join(names)}." if names else "There are none.",
        )
    return {argument.parameter: _value(argument, given.get(argument.name)) for argument in accepted}


def _value(argument: Argument, value: Any) -> Any:
    if value is None or value == []:
        if argument.is_required:
            raise WrongInput(f"“{argument.name}” is missing: {argument.schema['description']}.")
        return argument.default
    kind, choices = argument.schema["type"], argument.schema.get("enum")
    if kind == "array":
        # One text may be given in place of a list of one.
        values = value if isinstance(value, list) else [value]
        return [_text(argument, item) for item in values]
    if kind == "boolean" and isinstance(value, bool):
        return value
    if kind == "integer" and str(value).isdecimal() and len(str(value)) <= MOST_DIGITS:
        if int(value) < argument.schema["minimum"]:
            raise WrongInput(f"“{argument.name}” must be {argument.schema['minimum']} or more.")
        return int(value)
    if kind != "string":
        raise WrongInput(f"“{argument.name}” must be of the type {kind}.")
    text = _text(argument, value)
    if choices and text not in choices:
        raise WrongInput(f"“{argument.name}” must be one of {', '.join(choices)}.")
    return text


def _text(argument: Argument, value: Any) -> str:
    # `bool` is a subclass of `int`.
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise WrongInput(f"“{argument.name}” must be text.")
    if len(text := str(value)) > _LONGEST_TEXT:
        raise WrongInput(f"“{argument.name}” is longer than {_LONGEST_TEXT:,} characters.")
    return text
