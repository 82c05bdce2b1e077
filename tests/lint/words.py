"""Checks words that are read: labels, retired terms and phrases, names, failing asserts.

`python -m tests.lint.words` writes each mistake on a line, and ends with 1 if there is one.
"""

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from textual.binding import Binding

from tests.texts.listing import shown_texts
from tui.screens.binding_ids import holders

ROOT = Path(__file__).parent.parent.parent
LONGEST = 40
_DRAWN = frozenset({"actions", "app.py", "cli", "config", "connecting", "dialogs", "model",
                    "profiles", "screens", "store", "widgets", "workspace.py"})  # fmt: skip
"""Whose texts people read; the client and the service speak to programs, too."""

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

PHRASES = {
    r"\w'(s|t|re|ll|ve)\b": "the apostrophe of texts: ’",
    r"\b(goes|go) out by (itself|themselves)\b": "will sync automatically",
    r"\b(has|have) other \w+ now\b": "the … of … were changed",
    r"\b(late|stuck)$": "overdue, blocked",
    r"(?<!\.)\b(some|no|every|any)body\b": "someone, no one, everyone, anyone",
    r"\banew\b": "again",
    r"\bbring\w* .*\bback\b": "restores",
    r"\bclone (sub)?task\b": "duplicate",
    r"(?<!leave )\bempty for n(one|ever)\b": "leave empty for none",
    r"\bgoes? on with\b": "to continue",
    r"\bis like that already\b": "is already up to date",
    r"\b(is|are) not here any more\b": "is no longer here",
    r"\bkept what you\b": "saved as a draft",
    r"\blater, kept\b": "save draft",
    r"\bmake it and take it\b": "create “…”",
    r"\b(makes|writes) (one|the first)\b": "to add one",
    r"\bneeds? you\b": "needs attention",
    r"\bno \w+ fits\b": "no … matches",
    r"\bof its own accord\b": "automatically",
    r"\bwas changed by both\b": "you and … both changed …",
    r"\bwithout its fellow\b": "unmatched",
    r"\byes, do it\b": "the verb that was asked about",
    r"↵ (choose|do|done|make|ok|take)\b": "open, select, save, add or next",
    r"\{dialog\.cancel:esc\}+ (done|later|no|stops)\b": "back, cancel, clear or close",
}
"""What was shown and is shown no more, and what to say; searched for in texts of the program."""

VAGUE = {
    "before": "previous, preceding, or what it is: a document, an order",
    "each": "what it is one of",
    "here": "what is open: a card, a stage",
    "made": "created, created_id, or what was built",
    "mine": "ours, own",
    "theirs": "current, remote",
    "told": "received, reported",
}
"""Names of things that leave a reader to find out what they are, and what to call these."""


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


def retired_phrases() -> Iterator[str]:
    """The texts of the program that people had to read twice, said as they once were."""
    phrases = {re.compile(phrase, re.IGNORECASE): say for phrase, say in PHRASES.items()}
    for text in shown_texts():
        if text.path.suffix == ".py" and text.path.parts[len(ROOT.parts) + 1] in _DRAWN:
            for phrase, say in phrases.items():
                if found := phrase.search(text.text):
                    yield f"{text.place}: say “{say}” instead of “{found[0]}”: {text.text}"


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


def vague_names() -> Iterator[str]:
    """The names in the program that do not say what they stand for."""
    for path in sorted((ROOT / "tui").rglob("*.py")):
        for line, name in vague_names_in(path.read_text("utf-8")):
            yield f"{path.relative_to(ROOT)}:{line}: rename “{name}”: {VAGUE[name]}"


def vague_names_in(source: str) -> Iterator[tuple[int, str]]:
    """The parameters, variables and attributes of a module that are vague, with their lines."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case (
                ast.arg(arg=str(name))
                | ast.Name(id=str(name), ctx=ast.Store())
                | ast.Attribute(attr=str(name), ctx=ast.Store())
                | ast.ExceptHandler(name=str(name))
                | ast.MatchAs(name=str(name))
                | ast.MatchStar(name=str(name))
            ) if name.strip("_") in VAGUE:
                yield node.lineno, name.strip("_")


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
    mistakes = [
        *wrong_labels(),
        *retired_words(),
        *retired_phrases(),
        *ambiguous_names(),
        *vague_names(),
        *bare_asserts(),
    ]
    sys.stdout.writelines(f"{mistake}\n" for mistake in mistakes)
    sys.exit(bool(mistakes))
