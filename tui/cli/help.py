"""`callboard help`: the topics, in a pager on a terminal."""

import argparse
import os
import shlex
import subprocess
import sys
from functools import cache
from shutil import get_terminal_size, which

from tui.cli.arguments import commands_below
from tui.cli.output import for_people, has_style, write
from tui.help import topics
from tui.help.topics import CODE, TopicLine

_WIDEST = 96
_BOLD, _PLAIN = "\x1b[1m", "\x1b[0m"


def show(topic: str, program: argparse.ArgumentParser) -> int:
    """Show a topic, the help of a command, or without a name the list of topics."""
    width = min(_WIDEST, get_terminal_size((_WIDEST, 24)).columns)
    commands = {path.strip("/"): parser for path, parser in commands_below(program, "")}
    if not topic:
        rows = "\n".join(f"| {name} | {topics.title(name)} |" for name in topics.names())
        text = f"| topic | |\n|---|---|\n{rows}\n\n`callboard help TOPIC` shows one."
        lines = list(topics.shown(text, width))
    elif topic not in topics.names() and topic in commands:
        lines = [TopicLine(line) for line in commands[topic].format_help().splitlines()]
    else:
        topics.check(topic)
        text = topics.markdown(topic, _keys_table)
        lines = list(topics.shown(text, width))
    _page(lines)
    return 0


@cache
def _keys() -> dict[str, dict[str, dict[str, list[str]]]]:
    # The keys of the user by section, group and label; all screens are imported for it.
    from tui.config.paths import Places
    from tui.config.settings import load_settings
    from tui.dialogs.help_lines import group_of
    from tui.screens.binding_ids import key_map
    from tui.widgets.bars import key_name

    every, remapped = key_map(), load_settings(Places.find().settings).keys
    keys: dict[str, dict[str, dict[str, list[str]]]] = {}
    for action in every.actions:
        names = [key_name(key) for key in every.keys(action, remapped)]
        group = keys.setdefault(action.section, {}).setdefault(group_of(action.id, names), {})
        group.setdefault(action.label, []).extend(names)
    return keys


def _keys_table(section: str) -> str:
    groups = _keys()[section]
    parts = []
    for group, by_label in groups.items():
        rows = [
            f"| {' '.join(f'`{key}`' for key in keys)} | {label} |"
            for label, keys in by_label.items()
        ]
        heading = [f"## {group}", ""] if len(groups) > 1 else []
        parts.append("\n".join([*heading, "| keys | |", "|---|---|", *rows]))
    # The bar as a key would end its cell of the table.
    return "\n\n".join(parts).replace("`|`", r"`\|`")


def _page(lines: list[TopicLine]) -> None:
    if not sys.stdout.isatty():
        write("".join(f"{line.text}\n" for line in lines))
        return
    is_styled = has_style(os.environ)
    text = "".join(f"{_styled(line) if is_styled else line.text}\n" for line in lines)
    try:
        pager = shlex.split(os.environ.get("PAGER", "")) or ["less"]
    except ValueError:  # a quotation mark is missing
        pager = ["less"]
    if which(pager[0]) is None or os.environ.get("TERM") == "dumb":
        write(text)
        return
    # F: no paging if all fits, R: show our escape sequences, X: leave the text on the screen.
    environment = {"LESS": "FRX", **os.environ}
    page = for_people(text)
    subprocess.run(pager, input=page, text=True, env=environment, check=False)  # noqa: S603 (the user's)


def _styled(line: TopicLine) -> str:
    if line.strong:
        return f"{_BOLD}{line.text[: line.strong]}{_PLAIN}{line.text[line.strong :]}"
    return CODE.sub(rf"{_BOLD}\1{_PLAIN}", line.text)
