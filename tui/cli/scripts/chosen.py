"""What arguments mean: things by id, name or a part of it; texts, of files and standard input.

What names nothing raises `NothingFound`; what may mean several things, or is missing or cannot be
read, raises `WrongInput`, and nothing was changed.
"""

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TypeVar

from tui.config.settings_file import nearest
from tui.errors import CallboardError, WrongInput, reason_of
from tui.model.board import Board, BoardView, Stage
from tui.model.detail import SubtaskGroup
from tui.model.find import number_of
from tui.model.folder import Folder
from tui.model.people import Account, initials_of
from tui.model.query.language import name_of_label, names_of_person
from tui.model.task import Label, Person, Task
from tui.text import clean
from tui.text.clean import quoted

_CANDIDATES = 5
_MOST_BYTES = 1024 * 1024
_STDIN = "-"

Titled = TypeVar("Titled", bound="Board | Folder | Stage | SubtaskGroup | Task")
Thing = TypeVar("Thing", bound="Board | Folder | Stage | SubtaskGroup | Task | Label | Person")


class NothingFound(CallboardError):
    """There is nothing of a name."""


def chosen(words: str, among: Sequence[Titled], what: str) -> Titled:
    """The board, stage, folder or group that is meant; `what` is its kind."""
    return _chosen(words, among, what, lambda thing: (thing.title,))


def named_boards(words: Sequence[str], boards: Sequence[Board]) -> list[Board]:
    """The boards that are named, each once; all without names."""
    return list(dict.fromkeys(chosen(name, boards, "board") for name in words)) or [*boards]


def chosen_card(words: str, views: Iterable[BoardView]) -> Task:
    """The card that is meant: a number is never part of a title."""
    tasks = [task for view in views for task in view.all_tasks()]
    number = number_of(words)
    if not number:
        return chosen(words, tasks, "card")
    task = next((task for task in tasks if task.id == number), None)
    if task is None:
        raise NothingFound(f"there is no card #{number} on these boards.")
    return task


def chosen_person(words: str, view: BoardView, me: Account) -> Person:
    """The member of a board that is meant by name, login or initials."""
    if words.casefold() in ("me", "@me"):
        own = me.among(view.people)
        if own is None:
            raise NothingFound(f"you are not a member of {quoted(view.board.title)}.")
        return own
    initials = initials_of(view.people)
    return _chosen(
        words.removeprefix("@"),
        view.people,
        "member",
        lambda person: (*names_of_person(person), initials.get(person.id, "")),
    )


def chosen_group(words: str, among: Sequence[SubtaskGroup]) -> SubtaskGroup:
    """The group of subtasks that is meant by its title, or by what is shown in its place."""
    return _chosen(words, among, "group", lambda group: (group.in_words, group.title))


def chosen_label(words: str, view: BoardView) -> Label:
    """The label of a board that is meant by title or colour."""
    return _chosen(words, view.labels, "label", lambda label: (name_of_label(label),))


def _chosen(
    words: str, among: Sequence[Thing], what: str, names_of: Callable[[Thing], Sequence[str]]
) -> Thing:
    # An id comes before a name, and a name before a part of one.
    wanted = _comparable(words)
    if not wanted:
        raise WrongInput(f"the name of a {what} is empty.")
    names = [(thing, [*map(_comparable, names_of(thing))]) for thing in among]
    matches = (
        [thing for thing in among if str(thing.id) == wanted.removeprefix("#")]
        or [thing for thing, own in names if wanted in own]
        or [thing for thing, own in names if any(wanted in name for name in own)]
    )
    if not matches:
        candidates = [name for thing in among for name in names_of(thing)]
        raise NothingFound(
            f"no {what} is called {quoted(clean.line(words))}.", hint=nearest(words, candidates)
        )
    if len(matches) > 1:
        listed = [f"{quoted(names_of(thing)[0])} ({thing.id})" for thing in matches[:_CANDIDATES]]
        listed += ["…"] if len(matches) > _CANDIDATES else []
        raise WrongInput(
            f"{quoted(clean.line(words))} is in the names of {len(matches)} {what}s:"
            f" {', '.join(listed)}",
            hint="Type more of the name, or the id.",
        )
    return matches[0]


def _comparable(name: str) -> str:
    return " ".join(clean.line(name).casefold().split())


def is_from_input(words: Sequence[str]) -> bool:
    """Whether the text is on standard input: `-`, or no words while something is piped."""
    if words:
        return list(words) == [_STDIN]
    return not sys.stdin.isatty()


def words_given(words: Sequence[str], what: str) -> str:
    """The words, or what standard input holds; `what` is said to be missing otherwise."""
    text = read_input() if is_from_input(words) else " ".join(words)
    if not text.strip():
        raise WrongInput(f"{what} is empty: nothing was changed.")
    return text


def title_given(words: str) -> str:
    """A title in one line, which is not empty."""
    title = " ".join(clean.line(words).split())
    if not title:
        raise WrongInput("there is an empty title: nothing was changed.")
    return title


def file_given(name: str, what: str) -> str:
    """What a file holds, `-` for standard input, nothing for the null device.

    A file that is empty may be a mistake.
    """
    if name == os.devnull:
        return ""
    if name == _STDIN:
        return words_given([name], what)
    try:
        with Path(name).open("rb") as file:
            text = _as_text(file.read(_MOST_BYTES + 1), name)
    except OSError as error:
        raise WrongInput(
            f"{name} cannot be read: {reason_of(error)}. Nothing was changed."
        ) from error
    if not text.strip():
        raise WrongInput(f"{name} is empty: nothing was changed.")
    return text


def read_input() -> str:
    """The text on standard input."""
    return _as_text(sys.stdin.buffer.read(_MOST_BYTES + 1), "standard input")


def _as_text(content: bytes, source: str) -> str:
    if len(content) > _MOST_BYTES:
        raise WrongInput(f"{source} is longer than 1 MB: nothing was changed.")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        # Other encodings and binary files get the same message.
        text = "\0"
    if "\0" in text:
        raise WrongInput(f"{source} is not text in UTF-8: nothing was changed.")
    return text
