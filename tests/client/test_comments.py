"""What may be said in a comment, and how people are mentioned in it."""

from collections.abc import Awaitable, Callable

import pytest
from hypothesis import given, settings, strategies as st

from tests.client.scripted import client, ok
from tui.client import errors
from tui.client.client import Client
from tui.client.resources.comments import LONGEST_COMMENT, mark_mentions, mention
from tui.model.task import Person

_PEOPLE = [Person(1, "Ann", "ann"), Person(2, "Ann Lee", "ann.lee"), Person(3, "Bob", "Bob")]

_WRITES: list[Callable[[Client, str], Awaitable[object]]] = [
    lambda c, text: c.create_comment(1, 3, text),
    lambda c, text: c.create_comment(1, 3, text, parent_id=4),
    lambda c, text: c.update_comment(1, 3, 4, text),
]


@pytest.mark.parametrize("write", _WRITES)
@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("é" * (LONGEST_COMMENT // 2 + 1), "is too long"),
        ("\ud800" * (LONGEST_COMMENT + 1), "is too long"),
        ("", "must not be empty"),
        (" \n\t", "must not be empty"),
    ],
    ids=["long", "broken", "empty", "blank"],
)
async def test_a_comment_that_services_spoil_is_not_sent(
    write: Callable[[Client, str], Awaitable[object]], text: str, reason: str
) -> None:
    one, script = client(ok({"comment": {"id": 4}}))
    with pytest.raises(errors.Refused) as caught:
        await write(one, text)
    assert dict(caught.value.params) == {"comment": reason}
    assert not caught.value.may_have_happened
    assert script.requests == []


@pytest.mark.parametrize("write", _WRITES)
async def test_the_longest_comment_is_sent(
    write: Callable[[Client, str], Awaitable[object]],
) -> None:
    one, script = client(ok({"comment": {"id": 4}}))
    await write(one, "a" * LONGEST_COMMENT)
    assert len(script.requests) == 1


async def test_an_image_alone_is_a_comment() -> None:
    one, _ = client(ok({"comment": {"id": "4", "images": [{"id": "7"}]}}))
    assert (await one.create_comment(1, 3, "", image_ids=[7]))["images"][0]["id"] == 7


@pytest.mark.parametrize(
    ("typed", "text", "ids"),
    [
        ("hi @ann", f"hi {mention('ann')}", (1,)),
        ("@ann.lee, @bob and @ann.", "{ann.lee}, {Bob} and {ann}.", (2, 3, 1)),
        ("@ANN @ann", "{ann} {ann}", (1,)),
        ("@\u200bann\u200c!", "{ann}!", (1,)),
        ("@\u200bann\u200cie", "{ann}ie", (1,)),
        ("@annie @an ann", "@annie @an ann", ()),
        ("me@ann.example x@@ann @ann@host @ann.example", None, ()),
        ("(@ann)\n@bob", "({ann})\n{Bob}", (1, 3)),
        ("", "", ()),
    ],
)
def test_a_mention_is_marked(typed: str, text: str | None, ids: tuple[int, ...]) -> None:
    expected = typed if text is None else text
    for person in _PEOPLE:
        expected = expected.replace(f"{{{person.login}}}", mention(person.login))
    assert mark_mentions(typed, _PEOPLE) == (expected, ids)


def test_who_has_no_login_is_told_by_id_alone() -> None:
    ann, bob = Person(1, "Ann", "ann"), Person(2, "Bob Cook")
    assert mark_mentions("Hi @bob Cook and @ann, not @Bob Cooker", [ann, bob]) == (
        f"Hi @bob Cook and {mention('ann')}, not @Bob Cooker",
        (2, 1),
    )
    assert mark_mentions("@Bob Cook", [bob]) == ("@Bob Cook", (2,))
    assert mark_mentions("@Bob Cook", [bob, Person(3, "bob cook")]) == ("@Bob Cook", ())
    assert mark_mentions("@jım", [Person(1, "Jim", "jim")]) == ("@jım", ())


def test_nobody_to_mention_leaves_the_text() -> None:
    assert mark_mentions("@ann", []) == ("@ann", ())
    assert mark_mentions("@ann @", [Person(4, "")]) == ("@ann @", ())


@settings(deadline=None)
@given(st.text(alphabet="@ an.Bo\u200b\u200cleé\n", max_size=40))
def test_marking_again_changes_nothing(typed: str) -> None:
    text, ids = mark_mentions(typed, _PEOPLE)
    assert mark_mentions(text, _PEOPLE) == (text, ids)
    unmarked = text.replace("\u200b", "").replace("\u200c", "")
    assert unmarked.casefold() == typed.replace("\u200b", "").replace("\u200c", "").casefold()
