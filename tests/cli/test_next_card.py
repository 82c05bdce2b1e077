"""`callboard next`: the card to take now."""

import json

from tests.cli.conftest import Said


def test_the_card_to_take_is_printed_with_the_reason(said: Said) -> None:
    why = "due nov 2037, the earliest of 3 cards, assigned to you"
    assert said("next") == (0, f"#6 Mine\n“In Progress” on “Platform”: {why}\n", "")
    assert said("next", "--quiet") == (0, "6\n", "")
    said("add", "--board", "website", "Urgent ^today")
    code, text, _ = said("next", "--board", "web shop", "--board", "website", "--json")
    document = json.loads(text)
    assert (code, [*document]) == (0, ["card", "why"])
    assert document["card"]["title"] == "Urgent"
    assert "the earliest of 3 cards, unassigned" in document["why"]


def test_without_a_card_to_take_it_says_why(said: Said) -> None:
    said("label", "6", "Blocked", "--create")
    code, text, beside = said("next", "--board", "platform")
    assert (code, text) == (1, "")
    assert beside == "callboard: no card to take: 1 blocked.\n"
    code, text, _ = said("next", "--board", "platform", "--json")
    assert (code, json.loads(text)["card"]) == (1, None)
