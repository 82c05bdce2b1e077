"""Checks words that are read: labels of actions, retired terms, class names, failing asserts.

`python -m tests.lint.words` writes each mistake on a line, and ends with 1 if there is one.
"""

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from textual.binding import Binding

from tui.screens.binding_ids import holders

ROOT = Path(__file__).parent.parent.parent
LONGEST = 40

RETIRED = {
    "The rule it keeps": "the rule itself",
    r"\bbrothers\b": "siblings",
    r"\bcourtesy\b": "what is left to others, and why",
    r"\bdeeds?\b": "action, operation",
    r"\beasel\b": "screen, picture",
    r"\bmurmur": "log, notify",
    r"\bshelf\b": "cache, archive",
    "an ear on": "subscribed to",
    "answer that is not understood": "unexpected answer",
    "be taken back": "be undone",
    "changes that wait": "pending changes",
    "done again": "redone",
    "in (the|your|its) hand": "lifted",
    "puts? back": "cancel",
    "says why not": "not available: …",
    "waiting changes": "pending changes",
    "way home": "reply",
    "what others (changed|did)": "updates by others",
    "what was (said|done)": "comments, activity",
    "who works on": "assignees",
    "whoever": "anyone who, the person who",
}
"""Words of our own, and what the field says."""


def labels() -> Iterator[tuple[str, str]]:
    """What each binding is called in help and palette, by its id."""
    for holder in holders():
        for base in holder.__mro__:
            if base.__module__.startswith("tui."):
                for binding in base.__dict__.get("BINDINGS", ()):
                    if isinstance(binding, Binding) and (binding.id or binding.show):
                        yield binding.id or "", binding.tooltip or binding.description


def wrong_labels() -> Iterator[str]:
    """The labels that are long, have a full stop or brackets, or begin without a capital."""
    found = dict(labels())
    if not found:
        yield "no action has a label: let `holders` in tui/screens/binding_ids.py find the screens"
    for name, label in found.items():
        if len(label) > LONGEST:
            yield f"{name}: shorten “{label}” from {len(label)} to {LONGEST} characters"
        if not re.fullmatch(r"[A-Z][^.()]*", label):
            yield f"{name}: begin “{label}” with a capital, without full stops and brackets"


def texts() -> Iterator[Path]:
    """Everything that is read: the program, its styles, its help and the README."""
    yield ROOT / "README.md"
    for folder in ("tui", "styles"):
        yield from sorted(
            path for path in (ROOT / folder).rglob("*") if path.suffix in {".py", ".tcss", ".md"}
        )


def retired_words() -> Iterator[str]:
    """The lines with words that are used no more."""
    retired = re.compile("|".join(RETIRED), re.IGNORECASE)
    one_by_one = {re.compile(words, re.IGNORECASE): say for words, say in RETIRED.items()}
    for path in texts():
        for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
            if retired.search(line):
                for words, say in one_by_one.items():
                    if found := words.search(line):
                        place = f"{path.relative_to(ROOT)}:{number}"
                        yield f"{place}: say “{say}” instead of “{found[0]}”: {line.strip()}"


def ambiguous_names() -> Iterator[str]:
    """The public class names that stand for several classes, with their modules.

    A word of the interface may stand for its record in `tui/schema` and its value in `tui/model`.
    """
    modules: defaultdict[str, list[Path]] = defaultdict(list)
    for path in sorted((ROOT / "tui").rglob("*.py")):
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                modules[node.name].append(path.relative_to(ROOT))
    for name, paths in sorted(modules.items()):
        folders = [path.parts[1] for path in paths]
        if len(paths) > 1 and folders != ["model", "schema"]:
            where = ", ".join(map(str, paths))
            yield f"{name}: rename all of these classes but one after what they are of: {where}"


def bare_asserts() -> Iterator[str]:
    """The asserts of drivers and fakes that say nothing: pytest explains those of tests alone."""
    for path in sorted((ROOT / "tests").rglob("*.py")):
        source = path.read_text("utf-8")
        if "assert " in source and not path.name.startswith("test_"):
            for node in ast.walk(ast.parse(source)):
                if isinstance(node, ast.Assert) and node.msg is None:
                    place = f"{path.relative_to(ROOT)}:{node.lineno}"
                    yield f"{place}: add what was awaited and what was seen: {ast.unparse(node)}"


if __name__ == "__main__":
    mistakes = [*wrong_labels(), *retired_words(), *ambiguous_names(), *bare_asserts()]
    sys.stdout.writelines(f"{mistake}\n" for mistake in mistakes)
    sys.exit(bool(mistakes))
