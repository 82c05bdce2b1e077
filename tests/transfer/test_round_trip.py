"""What is written as Markdown or CSV is read as the same board."""

from dataclasses import replace

from hypothesis import given

from tests.transfer.sheets import sheets
from tui.transfer.formats.csv_writing import write_csv
from tui.transfer.formats.markdown_writing import write_markdown
from tui.transfer.reading import read_sheet
from tui.transfer.sheet import Sheet, SheetCard


def _read(text: str, form: str) -> Sheet:
    return read_sheet(text.encode(), "board", form, {})


def _unordered(sheet: Sheet) -> list[SheetCard]:
    # Tags come before other labels in a line.
    return [replace(card, labels=tuple(sorted(card.labels))) for card in sheet.cards]


@given(sheets())
def test_markdown_is_read_as_it_was_written(sheet: Sheet) -> None:
    if sheet.cards or sheet.stages:
        read = _read(write_markdown(sheet), "markdown")
        assert read.title == sheet.title
        assert read.stages == tuple(
            replace(stage, closes=was.closes)
            for stage, was in zip(sheet.stages, read.stages, strict=True)
        )
        for stage, was in zip(read.stages, sheet.stages, strict=True):
            assert stage.closes or not was.closes
        assert _unordered(read) == _unordered(sheet)
        assert not read.lost


@given(sheets())
def test_csv_is_read_as_it_was_written(sheet: Sheet) -> None:
    if sheet.cards:
        read = _read(write_csv(sheet), "csv")
        cards = [
            replace(card, key=was.key) for card, was in zip(sheet.cards, read.cards, strict=True)
        ]
        assert read.cards == tuple(cards)
        assert not read.lost
