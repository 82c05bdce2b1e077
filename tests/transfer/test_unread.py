"""Whatever a file has besides is taken or listed, in every format."""

import csv
import json
from collections.abc import Iterator, Sequence
from dataclasses import astuple
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from tests.harness.cases import mostly_long
from tests.transfer.test_programs import EXPORTS
from tests.transfer.test_samples import SAMPLES
from tui.transfer.losses import field_called
from tui.transfer.reading import read_sheet
from tui.transfer.sheet import Sheet

_FILES = sorted((*EXPORTS.iterdir(), *SAMPLES.iterdir()))
JSON_FILES = [file for file in _FILES if file.suffix == ".json" and "lines" not in file.name]
CSV_FILES = [file for file in _FILES if file.suffix == ".csv"]
MARKDOWN_FILES = [file for file in _FILES if file.suffix == ".md"]
NAMES = st.from_regex(r"x[A-Za-z_-]{2,12}[a-z]", fullmatch=True)
"""Of fields that no program has."""
WORDS = st.from_regex(r"[a-z]{1,8}( [a-z]{1,8}){0,3}|2026-12-01", fullmatch=True)
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.booleans() | st.integers(-5, 5) | st.floats(-9, 9) | WORDS,
    lambda inner: (
        st.lists(inner, min_size=1, max_size=2)
        | st.dictionaries(NAMES, inner, min_size=1, max_size=2)
    ),
    max_leaves=4,
)
NOTHING = st.sampled_from([None, "", " ", [], {}, [None], {"x": {"y": [""]}}])
_READ = frozenset(
    {
        *("milestone", "labels", "comments", "assignees", "projectItems", "content", "time_stats"),
        *("attachments", "checklists", "checkItems", "cover", "annotations", "actions", "data"),
    }
)
"""The parts of cards that readers look into; others are listed as a whole."""


def _read(text: str, file: Path) -> Sheet:
    return read_sheet(text.encode(), file.stem, "", {})


def _cards(value: Any) -> Sequence[dict[str, Any]]:
    """The cards of a file."""
    if isinstance(value, dict):
        value = value.get("cards") or value["items"]
    cards: Sequence[dict[str, Any]] = value
    return cards


def _parts(value: Any) -> Iterator[dict[str, Any]]:
    """A card, and the objects within it that readers look into."""
    if isinstance(value, dict):
        if value.get("type") == "updateCard":  # history
            return
        yield value
        for name, inner in value.items():
            if name in _READ:
                yield from _parts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _parts(inner)


def _parsed(file: Path) -> Any:
    text = file.read_text(encoding="utf-8")
    pages, end = [], 0
    decoder = json.JSONDecoder()
    while text[end:].strip():
        end += len(text[end:]) - len(text[end:].lstrip())
        page, end = decoder.raw_decode(text, end)
        pages.append(page)
    return pages[0] if len(pages) == 1 else [item for page in pages for item in page]


@mostly_long("file", JSON_FILES, every=2, ids=lambda file: file.name)
@given(st.data())
def test_a_field_of_cards_is_listed_with_how_many_have_it(file: Path, data: st.DataObject) -> None:
    value = _parsed(file)
    known = len(_read(json.dumps(value), file).cards)
    name, count = data.draw(NAMES), 0
    for card in _cards(value):
        has_it = data.draw(st.booleans())
        card[name] = data.draw(VALUES if has_it else NOTHING)
        is_card = not card.get("isTemplate") and card.get("cardRole") != "separator"
        count += has_it and is_card and card.get("status") not in ("deleted", "recurring")
    sheet = _read(json.dumps(value), file)
    assert len(sheet.cards) == known
    cards = "1 card" if count == 1 else f"{count} cards"
    assert (f"{field_called(name)}: {cards}" in sheet.lost) == bool(count)


@pytest.mark.parametrize("file", JSON_FILES, ids=lambda file: file.name)
@given(st.data())
def test_a_field_of_any_part_is_listed(file: Path, data: st.DataObject) -> None:
    value = _parsed(file)
    name = data.draw(NAMES)
    parts = [
        part
        for card in _cards(value)
        if not card.get("isTemplate") and card.get("cardRole") != "separator"
        if card.get("status") not in ("deleted", "recurring")
        for part in _parts(card)
    ]
    data.draw(st.sampled_from(parts))[name] = data.draw(VALUES)
    lost = _read(json.dumps(value), file).lost
    assert any(name in line and line.endswith(": 1 card") for line in lost), lost


def test_a_number_of_comments_that_is_silent_hides_nothing_of_a_comment() -> None:
    (file,) = (file for file in JSON_FILES if file.name == "github.json")
    value = _parsed(file)
    comments = [comment for card in _cards(value) for comment in card["comments"]]
    comments[0]["isSpoiler"] = False
    assert f"{field_called('comments.isSpoiler')}: 1 card" in _read(json.dumps(value), file).lost


@mostly_long("file", CSV_FILES, every=2, ids=lambda file: file.name)
@given(st.data())
def test_a_column_is_listed_with_how_many_cards_have_it(file: Path, data: st.DataObject) -> None:
    text = file.read_text(encoding="utf-8-sig")
    above, text = text.split("\n", 1) if text.startswith("sep=") else ("", text)
    delimiter = ";" if above or file.name == "semicolons.csv" else ","
    rows = [row for row in csv.reader(StringIO(text), delimiter=delimiter) if row]
    heading = next(at for at, row in enumerate(rows) if row[0].strip() and len(row) > 1)
    name, at = data.draw(NAMES), data.draw(st.integers(0, len(rows[heading])))
    count = 0
    for number, row in enumerate(rows):
        value = ""
        if number == heading:
            value = name
        elif number > heading:
            value = data.draw(st.just("") | st.just(" ") | WORDS)
            count += bool(value.strip())
        row.insert(at, value)
    output = StringIO()
    csv.writer(output, delimiter=delimiter).writerows(rows)
    sheet = _read(f"{above}\n{output.getvalue()}" if above else output.getvalue(), file)
    cards = "1 card" if count == 1 else f"{count} cards"
    assert (f"{field_called(name)}: {cards}" in sheet.lost) == bool(count)


@pytest.mark.parametrize("file", MARKDOWN_FILES, ids=lambda file: file.name)
@given(st.data())
def test_a_line_of_markdown_is_in_a_card_or_listed(file: Path, data: st.DataObject) -> None:
    lines = file.read_text(encoding="utf-8").split("\n")
    begin = lines.index("---", 2) if "---" in lines[:2] else 0
    settings = next((at for at, line in enumerate(lines) if line.startswith("%%")), len(lines))
    name, word = data.draw(NAMES), data.draw(NAMES)
    line = data.draw(
        st.sampled_from(
            [
                *(f"{name} {word}", f"- {name}: {word}", f"  - {name}: {word}", f"#{name} {word}"),
                *(f"- [ ] {name} {word}", f"\t- [ ] {name} {word}", f"\t{name} #{word}"),
                *(f"### {name} {word}", f"    [{name}:: {word}]", f"\t{name}:: {word}"),
            ]
        )
    )
    lines.insert(data.draw(st.integers(begin + 1, settings)), line)
    before, sheet = _read(file.read_text(encoding="utf-8"), file), _read("\n".join(lines), file)
    texts = " ".join(str(astuple(card)) for card in sheet.cards)
    assert (name in texts and word in texts) or sheet.lost != before.lost


def test_a_field_of_the_file_is_listed() -> None:
    text = "---\ntags:\n  - a\nauthor: Ann\nempty:\n---\n## A\n- B\n"
    sheet = read_sheet(text.encode(), "x", "", {})
    assert sheet.lost == ("“tags” of the file: 1", "“author” of the file: 1")
    board = {"name": "B", "lists": [{"id": "l", "name": "L", "softLimit": 3}], "cards": []}
    sheet = read_sheet(json.dumps(board | {"xtra": 1}).encode(), "x", "", {})
    assert {*sheet.lost} == {"“lists.softLimit” of the board: 1", "“xtra” of the board: 1"}
