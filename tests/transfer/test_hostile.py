"""Files that are no good: one line says what is wrong and where, whatever they hold."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from tests.transfer.sheets import MARKED, TEXTS
from tui.text import clean
from tui.transfer import FORMATS
from tui.transfer.moments import written
from tui.transfer.reading import JSON_FORMATS, read_sheet
from tui.transfer.sheet import LONGEST_TEXT, LONGEST_TITLE, NotReadable, Sheet, SheetCard

SAMPLES = Path(__file__).with_name("samples")
EXPORTS = Path(__file__).with_name("exports")
_JSON_SAMPLES = [
    json.loads((SAMPLES / f"{name}.json").read_text(encoding="utf-8"))
    for name in ("trello", "github", "taskwarrior")
] + [
    json.loads((EXPORTS / f"{name}.json").read_text(encoding="utf-8"))
    for name in ("gitlab", "github-project", "trello-interface")
]
_FILES = sorted((*SAMPLES.iterdir(), *EXPORTS.iterdir()))
_VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXTS | MARKED,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)
_LINES = st.lists(
    st.sampled_from(
        ["", " ", "  ", "\t", "    ", "- ", "- [ ] ", "* [x] ", "> ", "## ", "# ", "| "]
    )
    | MARKED
    | TEXTS,
    max_size=24,
).map(lambda parts: "".join(part if part.endswith(" ") else f"{part}\n" for part in parts))


def _read(content: bytes, form: str = "", **columns: str) -> Sheet | None:
    """What is read, which is fit to be imported; None if it is not readable."""
    try:
        sheet = read_sheet(content, "board", form, columns)
    except NotReadable as error:
        for text in (error.message, error.hint):
            assert text == clean.line(text)
            assert len(text) < 2_000
        return None
    keys = [card.key for card in sheet.cards]
    stages = {stage.title for stage in sheet.stages}
    assert len(set(keys)) == len(keys)
    assert all(0 < len(title) <= LONGEST_TITLE for title in (*stages, *_titles(sheet)))
    assert all(card.stage in stages | {""} for card in sheet.cards)
    for text in (sheet.title, *_titles(sheet), *sheet.lost):
        assert text == clean.line(text)
    return sheet


def _titles(sheet: Sheet) -> Iterator[str]:
    for card in sheet.cards:
        yield card.title
        yield from card.labels
        yield from (one.title for one in card.subtasks)


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every list and object in a JSON value, with each index or key."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in items:
        yield value, key
        if isinstance(inner, dict | list):
            yield from _places(inner)


def test_every_format_has_a_reader_and_a_name() -> None:
    missing = FORMATS.keys() ^ {*JSON_FORMATS, "csv", "markdown"}
    assert not missing, "tui/transfer/__init__.py has the names, reading.py the readers"
    assert all(FORMATS[form] for form in JSON_FORMATS), "say what its program calls it"


@given(st.binary(max_size=200), st.sampled_from(("", *FORMATS)))
def test_any_bytes(content: bytes, form: str) -> None:
    _read(content, form)


@given(_LINES, st.sampled_from(("", "csv", "markdown")))
def test_any_lines(text: str, form: str) -> None:
    _read(text.encode(errors="surrogatepass"), form)


@given(_VALUES, st.sampled_from(("", *JSON_FORMATS)))
def test_any_json(value: Any, form: str) -> None:
    _read(json.dumps(value).encode(), form)


@given(st.data())
def test_a_sample_with_any_other_value_in_it(data: st.DataObject) -> None:
    sample = json.loads(json.dumps(data.draw(st.sampled_from(_JSON_SAMPLES))))
    for _ in range(data.draw(st.integers(1, 3))):
        holder, key = data.draw(st.sampled_from([*_places(sample)]))
        holder[key] = data.draw(_VALUES)
    _read(json.dumps(sample).encode())


@given(st.data())
def test_a_sample_with_any_bytes_in_it(data: st.DataObject) -> None:
    sample = data.draw(st.sampled_from(_FILES)).read_bytes()
    begin = data.draw(st.integers(0, len(sample)))
    end = data.draw(st.integers(begin, min(len(sample), begin + 20)))
    _read(sample[:begin] + data.draw(st.binary(max_size=8)) + sample[end:])


_TRELLO = {
    "name": "B",
    "lists": [{"id": "1", "name": "L"}],
    "cards": [{"name": "C", "idList": "1"}],
}


@pytest.mark.parametrize(
    ("content", "form", "what"),
    [
        (b"", "", "it is empty"),
        (b"\xef\xbb\xbf \r\n", "", "it is empty"),
        ("# Ü\n- ä".encode("utf-16")[:-1], "", "it is cut off in the middle of a letter of UTF-16"),
        (b"# A\n- caf\xe9\n", "", "line 2 is not text in UTF-8"),
        (b"# A\n\n- a\0b\n", "", "line 3 holds a NUL"),
        (b"hello", "", "its format is not recognised"),
        (b"{", "", "line 1 is no JSON: "),
        (b'{\n"name": "B",\n"lists": }', "", "line 3 is no JSON: "),
        (b"[" * 100_000, "", "it is nested too deeply"),
        (b"[" + b"9" * 5_000 + b"]", "", "it has a number that is too long"),
        (b'{"a": 1}', "", "it is JSON of no program that is known"),
        (b'{"a": 1}', "trello", "it is JSON, but not as trello writes it"),
        (b"[]", "github", "there are no cards in it"),
        (b'[{"title": 1.5, "number": 1}]', "", r"\[0\].title is a number, not a text"),
        (b'[{"title": "", "number": 1}]', "", "none of its cards has a title"),
        (
            b'[{"title": "A", "state": "OPEN", "labels": "bug"}]',
            "",
            r"\[0\].labels is “bug”, not a list",
        ),
        (json.dumps(_TRELLO | {"cards": [7]}).encode(), "", r"cards\[0\] is a number, not an obj"),
        (json.dumps(_TRELLO | {"cards": {"a": 1}}).encode(), "", "cards is an object, not a list"),
        (json.dumps(_TRELLO | {"cards": [{"id": "x"}]}).encode(), "", "none of its cards has a"),
        (
            b'[{"description": "A", "uuid": "1", "status": "odd\x1b"}]'.replace(
                b"\x1b", b"\\u001b"
            ),
            "",
            r"\[0\].status is “odd”, not one of pending",
        ),
        (b"title,stage\n,B\n,C\n", "", "none of its cards has a title"),
        (b"title,stage\nA,B,C\n", "", "line 2 has 3 cells, but the first names 2 columns"),
        (b'title,stage\n"A,B\n', "", "line 2 is no CSV: "),
        (b"Headline,Who\nA,B\n", "csv", "no column is known as that of titles, of “Headline”"),
        (b"Just some words.\n", "markdown", "it has neither headings nor lists"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(content: bytes, form: str, what: str) -> None:
    with pytest.raises(NotReadable, match=f"^{what}"):
        read_sheet(content, "board", form, {})


def test_a_column_that_is_not_there_is_named() -> None:
    with pytest.raises(NotReadable, match="no column “Kopf” among “Titel”, “Wer”"):
        read_sheet(b"Titel,Wer\nA,B\n", "board", "csv", {"title": "Kopf"})
    with pytest.raises(NotReadable, match="it is markdown, and --map is for CSV"):
        read_sheet(b"# A\n- B\n", "board", "markdown", {"title": "Kopf"})
    sheet = read_sheet(b"Titel,Wer\nA,ann\n", "board", "", {"title": "titel", "assignees": "Wer"})
    assert sheet.cards == (SheetCard("A", key="a\n", people=(("ann",),)),)


def test_columns_of_one_name_and_empty_cells_at_the_end_are_taken() -> None:
    content = b'Summary,Labels,Labels,Labels,Assignee\nA,x,"a;b",,ann,,\nB,"x, y",z\n'
    sheet = read_sheet(content, "board", "", {})
    assert [card.labels for card in sheet.cards] == [("x", "a", "b"), ("x", "y", "z")]
    assert sheet.cards[0].people == (("ann",),)
    assert sheet.lost == ()


def test_issues_of_the_interface_of_github_are_read() -> None:
    url = "https://github.com/ann/shop/issues/5"
    issue = {
        "url": "https://api.github.com/repos/ann/shop/issues/5",
        "html_url": url,
        "number": 5,
        "title": "Pay",
        "state": "closed",
        "comments": 3,
        "milestone": {"title": "v1", "due_on": "2026-12-01"},
    }
    sheet = read_sheet(json.dumps([issue]).encode(), "", "", {})
    (card,) = sheet.cards
    assert (sheet.title, card.key, card.is_done) == ("shop", f"github {url}", True)
    assert (card.labels, f"{card.due_at:%Y-%m-%d}") == (("v1",), "2026-12-01")
    assert sheet.lost == ("“comments”: 1 card",)


def test_control_characters_and_endless_texts_are_not_taken() -> None:
    text = "y" * (LONGEST_TEXT + 1)
    lines = ("# A\x1b[31m", "", f"- \x1b]0;x\x07B\u202e{'x' * 5_000}", f"    {text}", "")
    sheet = _read("\r\n".join(lines).encode())
    assert sheet is not None
    assert sheet.stages[0].title == "A"
    assert sheet.cards[0].title[:3] == "Bxx"
    assert len(sheet.cards[0].title) == LONGEST_TITLE
    assert len(sheet.cards[0].description) == LONGEST_TEXT
    assert sheet.lost == (
        "titles that were cut at 1,000 characters: 1",
        f"texts that were cut at {LONGEST_TEXT:,} characters: 1",
    )


def test_a_file_may_not_be_endless(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tui.transfer.reading.MOST_BYTES", 8)
    with pytest.raises(NotReadable, match="it is larger than 64 MB"):
        read_sheet(b"# A\n- bcde", "board", "", {})


def test_two_cards_of_the_same_name_are_two() -> None:
    sheet = _read(b"## A\n- same\n- same\n- \n## a\n- same\n")
    assert sheet is not None
    assert [stage.title for stage in sheet.stages] == ["A"]
    assert [card.key for card in sheet.cards] == ["same\na", "same\na\n2", "same\na\n3"]
    assert sheet.lost == ("cards without a title: 1",)


@pytest.mark.long
def test_many_cards_and_deep_lists_take_linear_time() -> None:
    many = "".join(f"- [ ] card {number} #tag\n" for number in range(20_000))
    deep = "".join(f"{' ' * depth}- [ ] deep\n" for depth in range(2_000))
    sheet = _read(f"## A\n{many}{deep}".encode())
    assert sheet is not None
    assert len(sheet.cards) == 20_000 + 2
    assert len(sheet.cards[-1].subtasks) == 1_998


@pytest.mark.parametrize(
    "content",
    [
        b"title,stage\nA,B\n,C\n",
        b'[{"title": "A", "number": 1}, {"title": " ", "number": 2}]',
        b'[{"uuid": "1", "description": "A", "status": "pending"}, {"status": "pending"}]',
        json.dumps(_TRELLO | {"cards": [{"name": "A"}, {"id": "x"}], "name": None}).encode(),
    ],
)
def test_a_card_without_a_title_does_not_keep_out_the_others(content: bytes) -> None:
    sheet = read_sheet(content, "board", "", {})
    assert [card.title for card in sheet.cards] == ["A"]
    assert "cards without a title: 1" in sheet.lost


def test_a_table_as_a_spreadsheet_saves_it_in_utf_16_is_read() -> None:
    text = "Title\tDue\r\nÜben\t1.12.2026\r\nLesen\t24.12.2026 08:30\r\nNie\t12/01/2026\r\n"
    sheet = read_sheet(text.encode("utf-16"), "board", "", {})
    assert [(card.title, written(card.due_at)) for card in sheet.cards] == [
        ("Üben", "2026-12-01"),
        ("Lesen", "2026-12-24 08:30"),
        ("Nie", ""),
    ]
    assert sheet.lost == ("“Due” (not understood): 1 card",)


def test_what_of_trello_has_no_name_is_named_as_lost() -> None:
    lists = [*_TRELLO["lists"], {"id": "2", "name": " "}]
    cards = [*_TRELLO["cards"], {"id": "c", "name": "D", "idList": "2"}]
    checklists = [{"idCard": "c", "name": "", "checkItems": [{"name": "E"}, {"state": "complete"}]}]
    board = {"name": "B", "lists": lists, "cards": cards, "checklists": checklists}
    sheet = read_sheet(json.dumps(board).encode(), "board", "", {})
    assert [(card.title, card.stage) for card in sheet.cards] == [("C", "L"), ("D", "")]
    assert [one.title for one in sheet.cards[1].subtasks] == ["E"]
    assert sheet.lost == (
        "lists without a name, whose cards are in the first stage: 1",
        "subtasks without a title: 1",
    )
