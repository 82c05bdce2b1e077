"""Questions with one answer, and texts to read."""

import pytest

from tests.dialogs.showing import shown
from tests.fakes.boards import small
from tests.fakes.store import FakeStore
from tests.screens.driving import opened
from tui.dialogs.form import Choice as Option, FormDialog, FormField
from tui.dialogs.help import AddressDialog, DetailsDialog
from tui.dialogs.pick.many import PickChoice, PickMany
from tui.dialogs.questions import (
    OTHER,
    AskDialog,
    ChooseDialog,
    ConfirmDialog,
    KeyDialog,
    QuestionChoice,
    color_dialog,
    lettered,
)
from tui.dialogs.write import PasteLines, WriteDialog, Written
from tui.errors import CallboardError
from tui.model.colors import COLORS, read_color
from tui.text.checklist import checklist


async def test_only_y_confirms_and_enter_reminds_of_it() -> None:
    async with shown(lambda: ConfirmDialog("Delete [b]?", "It is [i]gone[/i] then.")) as front:
        assert "Delete [b]?" in front.text
        assert "It is [i]gone[/i] then." in front.text
        await front.press("enter")
        assert front.person.app.screen.query(".-reminded")
        await front.press("y")
        assert front.answers == [True]
    async with shown(lambda: ConfirmDialog("Delete?", "")) as front:
        await front.press("n")
        assert front.answers == [None]


@pytest.mark.long
async def test_what_is_typed_is_read_back_until_it_is_valid() -> None:
    def reading(words: str) -> str:
        if not words.isdecimal():
            raise CallboardError("That is no number.", hint="Type digits.")
        return f"twice {int(words) * 2}"

    async with shown(lambda: AskDialog("How many?", "x", reading=reading, replaces=True)) as front:
        assert "That is no number. Type digits." in front.text
        await front.press("enter")
        assert front.answers == []
        await front.type("21")
        assert "twice 42" in front.text
        await front.press("enter")
        assert front.answers == ["21"]
    async with shown(lambda: AskDialog("Why?", "because")) as front:
        await front.type(" so")
        await front.press("enter")
        assert front.answers == ["because so"]


@pytest.mark.long
async def test_a_key_that_no_dialog_takes_is_said_to_do_nothing() -> None:
    options = lettered((("a", "first"), ("b", "second")))
    async with shown(lambda: ChooseDialog("Which?", options)) as front:
        await front.press("z")
        assert "‘z’ does nothing here" in front.person.text
        await front.press("f5", "1")
        assert front.answers == ["a"]
    async with shown(lambda: ConfirmDialog("Delete?", "")) as front:
        await front.press("space")
        assert "‘Space’ does nothing here" in front.person.text
        assert front.person.app.screen.query(".-reminded")
        await front.press("f5")
        assert "‘f5’ does nothing here" in front.person.text
    async with shown(lambda: AskDialog("Why?", "because")) as front:
        await front.type(" z")
        await front.press("home", "right")
        assert "does nothing" not in front.person.text
        await front.press("f5")
        assert "‘f5’ does nothing here" in front.person.text


@pytest.mark.long
async def test_an_option_is_taken_by_its_key_or_from_the_cursor_on_the_present_one() -> None:
    options = [*lettered((("a", "first"), ("b", "second"))), QuestionChoice("n", "none", "")]
    async with shown(lambda: ChooseDialog("Which?", options, "b", text="One of these")) as front:
        assert "One of these" in front.text
        assert "second ✓" in front.text
        await front.press("q", "enter")
        assert front.answers == ["b"]
    async with shown(lambda: ChooseDialog("Which?", options, "gone")) as front:
        await front.press("n")
        assert front.answers == [""]


async def test_a_colour_is_chosen_by_name_and_one_of_its_own_stays_in_the_list() -> None:
    async with shown(lambda: color_dialog("Colour", "#123456")) as front:
        assert "#123456 ✓" in front.text
        await front.press("G", "enter")
        assert front.answers == [OTHER]


@pytest.mark.parametrize(
    ("words", "color"),
    [(" Dark  GREEN ", COLORS["dark green"]), ("4BCE97", "#4bce97"), ("#4bce97", "#4bce97")],
)
def test_colours_are_read_by_name_and_number(words: str, color: str) -> None:
    assert read_color(words) == color


def test_what_is_no_colour_is_explained() -> None:
    with pytest.raises(CallboardError, match="Not a colour"):
        read_color("#12")


async def test_a_key_or_chord_is_pressed_again_until_it_fits() -> None:
    def judge(key: str) -> tuple[str, bool]:
        return ("taken by another", False) if key == "a" else ("", True)

    async with shown(lambda: KeyDialog("New key", judge, str.upper)) as front:
        await front.press("a")
        assert "A taken by another" in front.text
        await front.press("enter")
        assert front.answers == [], "it cannot be taken"
        await front.press("b")
        assert "A B" in front.text
        await front.press("c")
        assert "A B" not in front.text, "a third key begins again"
        await front.press("backspace")
        assert "Press the new key" in front.text
        await front.press("g", "x", "enter")
        assert front.answers == ["g x"]


async def test_long_details_are_scrolled() -> None:
    details = [(f"Heading {number}", "text") for number in range(30)]
    async with shown(lambda: DetailsDialog("All", details)) as front:
        await front.press(*"jjj")
        assert "Heading 0 " not in front.text
        await front.press("up", "up", "up")
        assert "Heading 0 " in front.text
        await front.press("q")
        assert front.answers == [None]


async def test_an_address_is_copied_again() -> None:
    async with shown(lambda: AddressDialog("https://example.org/[b]")) as front:
        assert "https://example.org/[b]" in front.text
        await front.press("y")
        assert front.person.app.clipboard == "https://example.org/[b]"


async def test_a_text_goes_back_to_the_caller_either_way() -> None:
    for key, is_submitted in (("ctrl+s", True), ("escape", False)):
        async with shown(lambda: WriteDialog("Write", "one", "For whom?")) as front:
            assert "For whom?" in front.text
            await front.press("end", "!", key)
            assert front.answers == [Written("one!", is_submitted)]


async def test_lines_are_previewed_and_not_submitted_without_any() -> None:
    async with shown(lambda: PasteLines("Cards", "", checklist, "card")) as front:
        assert "one card per line" in front.text
        await front.press("ctrl+s")
        assert "nothing to add yet" in front.text
        await front.person.paste("\n".join(["[x] done", *"abcdefg"]))
        assert "… and 2 more 8 cards, 1 of them done" in front.text
        await front.press("ctrl+s")
        (written,) = front.answers
        assert written is not None
        assert written.is_submitted


async def test_the_keys_of_help_are_filtered_and_scrolled() -> None:
    async with opened(FakeStore(small()), size=(80, 24)) as person:
        await person.press("question_mark")
        before = person.text
        await person.press("pagedown")
        assert person.text != before
        await person.press("pageup")
        assert person.text == before
        await person.type("undo qq")
        assert "No results for “undo qq”" in person.text
        await person.press("backspace", "backspace", "backspace")
        assert "u  undo" in person.text
        await person.press(*("backspace",) * 4, "enter")
        assert person.here == "a"


async def test_several_choices_of_a_field_are_picked_in_a_list() -> None:
    field = FormField("who", "Who", "2,9", many=[Option("1", "Ann"), Option("2", "Bob")])
    async with shown(lambda: FormDialog("Form", [field, FormField("t", "Title")])) as front:
        assert "Bob, 9" in front.text, "one that is not there any more is named"
        assert "space select" in front.text
        await front.press("space", "space", "enter", "enter")
        assert front.answers == [{"who": "1,2", "t": ""}]


@pytest.mark.long
async def test_what_a_form_hides_is_not_folded() -> None:
    fields = [FormField("secret", "Secret", is_hidden=True), FormField("name", "Name")]
    async with shown(lambda: FormDialog("Form", fields, verb="log in")) as front:
        await front.type(" a  b ")
        assert "a  b" not in front.person.text
        await front.press("tab")
        await front.type(" a  b ")
        await front.press("enter")
        assert front.answers == [{"secret": " a  b ", "name": "a b"}]


@pytest.mark.long
async def test_the_footer_below_a_dialog_names_its_keys_and_none_that_do_not_work() -> None:
    async with shown(lambda: AskDialog("Name", "a")) as front:
        assert front.person.text.splitlines()[-1].split() == ["↵", "save", "esc", "cancel"]
    async with shown(lambda: ConfirmDialog("Delete it?", "all")) as front:
        assert front.person.text.splitlines()[-1].strip() == "y delete  esc cancel"
        await front.press("y")
        assert "space lift" in front.person.hints
    people = [PickChoice("1", "Ann"), PickChoice("2", "Bob")]
    async with shown(lambda: PickMany("Who?", people, frozenset())) as front:
        assert "space select Ann   ↵ save" in front.person.text
        assert front.person.text.splitlines()[-1].strip() == "↵ save  esc cancel"
    async with shown(lambda: KeyDialog("Key", lambda _: ("", True), str)) as front:
        assert front.person.text.splitlines()[-1].strip() == "esc close"
    async with shown(lambda: AskDialog("Name", "a")) as front:
        await front.person.pilot.resize_terminal(40, 15)
        assert front.person.text.splitlines()[-1].strip() == "↵ save  esc cancel"
