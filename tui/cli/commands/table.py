"""The names of all commands, in the order of the help, with what each does in a few words."""

import argparse
from collections.abc import Mapping
from importlib import import_module

from tui.cli.commands.parts import Commands

_GROUPS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "reading": (
        "reading",
        {
            "boards": "list the boards",
            "tasks": "list cards",
            "inbox": "what is new for you",
            "show": "print a card",
            "next": "the card to take now",
            "here": "the card of this git branch",
            "status": "a line for prompts and status bars",
            "standup": "print the standup",
            "insight": "figures for boards",
            "agents": "what agents did lately; undo it",
            "watch": "follow changes, until interrupted",
            "sync": "send and fetch everything",
        },
    ),
    "changing": (
        "changing",
        {
            "add": "add cards",
            "start": "start work on a card",
            "claim": "claim a card before others do",
            "edit": "set fields of a card",
            "move": "move a card",
            "done": "close cards",
            "assign": "assign people to a card",
            "label": "put labels on a card",
            "subtask": "add subtasks to a card",
            "comment": "comment on a card",
            "progress": "say how far you are on a card",
            "board": "add boards",
            "tour": "the tutorial board",
        },
    ),
    "sharing": (
        "files and sharing",
        {
            "export": "export boards to a file",
            "import": "import such a file, or others",
            "serve": "serve boards to others",
            "mcp": "serve boards to an agent",
            "agent-guide": "how an agent works from boards",
            "web": "open the program in a browser",
        },
    ),
    "services": (
        "services, settings and help",
        {
            "login": "add a service",
            "logout": "forget a service",
            "profiles": "list services",
            "check": "test a service",
            "settings": "print all settings",
            "doctor": "check your setup",
            "completion": "completion for a shell",
            "hook": "print a hook for git",
            "help": "show a topic of the help",
        },
    ),
}
"""The modules beside this one, with the heading of each and its commands."""
_OF_ALL = ("completion", "help")
"""What these print is about all commands."""


def add_commands(parser: argparse.ArgumentParser, first: str = "") -> None:
    """Add every command to a parser; if the `first` argument names one, only those beside it."""
    briefs = {name: brief for _, within in _GROUPS.values() for name, brief in within.items()}
    # Suppressed here, as each command is listed in its group below.
    commands = Commands(parser, briefs, prog=parser.prog, help=argparse.SUPPRESS)
    # A start with the name of a command declares that group of commands only.
    is_one = first in briefs and first not in _OF_ALL
    for module, (heading, within) in _GROUPS.items():
        if is_one and first not in within:
            continue
        import_module(f"tui.cli.commands.{module}").add(commands)
        lines = {line.dest: line for line in commands.lines()}
        # argparse has no headings among subcommands, but it has groups of arguments with them.
        group = parser.add_argument_group(heading)
        group._group_actions.extend(lines[name] for name in within)  # noqa: SLF001 (as there)
