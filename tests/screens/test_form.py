"""Forms: fields, options, what is refused, and what is answered."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest

from tests.fakes.boards import small
from tests.fakes.store import FakeStore
from tests.screens.driving import Driver, opened
from tui.dialogs.form import Answers, Check, Choice, FormDialog, FormField, Send
from tui.errors import CallboardError
from tui.model.custom_field import CustomField

COLOURS = [Choice("#1", "green"), Choice("#2", "grey"), Choice("#3", "red")]


class Asked:
    """A form in front of a person, and its answers."""

    def __init__(self, person: Driver) -> None:
        self.person = person
        self.answers: list[Answers | None] = []

    @property
    def answer(self) -> Answers | None:
        """The only answer."""
        assert len(self.answers) == 1
        return self.answers[0]


@asynccontextmanager
async def asked(
    fields: Sequence[FormField], check: Check | None = None, send: Send | None = None
) -> AsyncIterator[Asked]:
    """A form on top of a board."""
    async with opened(FakeStore(small()), size=(80, 24)) as person:
        form = Asked(person)
        dialog = FormDialog("New thing", fields, verb="create", check=check, send=send)
        await person.app.push_screen(dialog, form.answers.append)
        await person.pilot.pause()
        yield form


@pytest.mark.long
async def test_every_kind_of_field_is_answered() -> None:
    fields = [
        FormField("title", "Title"),
        FormField("colour", "Colour", "#2", COLOURS),
        FormField("template", "Template", value=False),
        FormField("stages", "Stages", "one", is_lines=True),
    ]
    async with asked(fields) as form:
        await form.person.type("Wall")
        await form.person.press("down", "right", "down", "space", "tab", "end", "enter")
        await form.person.type("two")
        await form.person.press("ctrl+s")
        assert form.answer == {
            "title": "Wall", "colour": "#3", "template": "yes", "stages": "one\ntwo",
        }  # fmt: skip


@pytest.mark.long
async def test_enter_answers_from_any_line_and_esc_from_none() -> None:
    async with asked([FormField("title", "Title", "x"), FormField("on", "On", value=True)]) as form:
        await form.person.press("up", "enter")
        assert form.answer == {"title": "x", "on": "yes"}
    async with asked([FormField("title", "Title", "x")]) as form:
        await form.person.press("escape")
        assert form.answer is None


async def test_an_option_is_found_by_typing_its_start() -> None:
    async with asked([FormField("colour", "Colour", "#1", COLOURS)]) as form:
        await form.person.type("grey")
        assert "‹ grey ›" in form.person.text
        await form.person.type("r")
        await form.person.press("enter")
        assert form.answer == {"colour": "#3"}


async def test_what_is_not_valid_is_explained_and_can_be_corrected() -> None:
    async with asked([FormField("title", "Title", is_required=True)]) as form:
        await form.person.press("enter")
        assert "Title is required." in form.person.text
        assert form.answers == []
        await form.person.type("Wall")
        await form.person.press("enter")
        assert form.answer == {"title": "Wall"}


async def test_a_field_that_cannot_be_changed_says_why() -> None:
    fields = [
        FormField("on", "Labels", value=True, why_not="not offered here"),
        FormField("t", "Title"),
    ]
    async with asked(fields) as form:
        assert "not offered here" in form.person.text
        await form.person.press("space", "enter")
        assert form.answer == {"on": "yes", "t": ""}


async def test_a_form_stays_open_until_the_service_accepts_it() -> None:
    sent = list[Answers]()
    may_answer = asyncio.Event()

    async def send(answers: Answers) -> None:
        sent.append(answers)
        await may_answer.wait()
        if answers["title"] == "Wall":
            raise CallboardError("That name is taken.", hint="Choose another.")

    async with asked([FormField("title", "Title", "Wall")], send=send) as form:
        form.person.send("enter", "enter")
        await form.person.pilot.pause()
        assert "sending …" in form.person.text
        may_answer.set()
        await form.person.press()
        assert sent == [{"title": "Wall"}]
        assert "That name is taken. Choose another." in form.person.text
        assert "1 key typed meanwhile was dropped" in form.person.text
        await form.person.type("s")
        await form.person.press("enter")
        await form.person.pilot.pause()
        assert form.answer == {"title": "Walls"}


async def test_a_form_that_the_service_never_accepts_keeps_what_was_typed() -> None:
    sent, cancelled = list[Answers](), list[Answers]()

    async def send(answers: Answers) -> None:
        sent.append(answers)
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            cancelled.append(answers)
            raise

    async with asked([FormField("title", "Title", "Wall")], send=send) as form:
        form.person.app.patience = 0.0
        form.person.send("enter")
        await form.person.pilot.pause()
        assert "still working …   esc cancel" in form.person.text
        form.person.send("x")
        await form.person.pilot.pause()
        assert "1 key waits" in form.person.text
        await form.person.press("escape")
        assert "it may still have been sent" in form.person.text
        assert "1 key typed meanwhile was dropped" in form.person.text
        assert sent == cancelled == [{"title": "Wall"}]
        assert form.answers == []
        await form.person.press("escape")
        assert form.answers == [None]


async def test_keys_after_a_form_wait_until_it_is_accepted() -> None:
    may_answer = asyncio.Event()

    async def send(_: Answers) -> None:
        await may_answer.wait()

    async with asked([FormField("title", "Title", "Wall")], send=send) as form:
        form.person.send("enter", "j", "x")
        await form.person.pilot.pause()
        assert form.answers == []
        may_answer.set()
        await form.person.press()
        assert form.answer == {"title": "Wall"}
        assert form.person.here == "b"
        assert "Closed “b”" in form.person.said


@pytest.mark.parametrize(
    ("keys", "title", "done"),
    [
        ("g c e", "Custom field", "Changed"),
        ("N", "New card", "Added"),
        pytest.param("g l n", "New label", "Added the label", marks=pytest.mark.long),
        pytest.param("g c n", "New custom field", "Added the custom field", marks=pytest.mark.long),
        pytest.param("g b n", "New board", "Added", marks=pytest.mark.long),
    ],
)
async def test_what_was_typed_into_a_form_stays_while_the_disk_is_full(
    keys: str, title: str, done: str
) -> None:
    store = FakeStore(replace(small(), fields=(CustomField(1, 1, "Customer"),)))
    async with opened(store) as person:
        await person.press(*keys.split())
        assert title in person.text
        store.failure = CallboardError("The disk is full.", hint="Make room.")
        await person.burst(*"typed")
        await person.press("enter")
        assert "The disk is full. Make room." in person.text
        assert "typed" in person.text
        assert title in person.text
        store.failure = None
        await person.press("enter")
        assert done in person.text
        assert store.submitted
