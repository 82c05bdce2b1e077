"""Actions as decorated methods: of a screen, and of objects that it owns."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from textual.app import ComposeResult

from tests.fakes.boards import small
from tests.fakes.store import FakeStore
from tests.screens.driving import Driver, opened
from tui.actions.action import action, bindings, declared_actions
from tui.client.capabilities import Feature
from tui.client.errors import Unreachable
from tui.context import Context
from tui.dialogs.questions import ConfirmDialog
from tui.model.people import Role
from tui.screens.base import CallboardScreen


class Basket:
    """What several screens share."""

    def __init__(self, screen: "FruitScreen") -> None:
        self.screen = screen

    @action("basket.clear", "c", "Clear basket", hint="clear", changes_board=True)
    def clear(self) -> None:
        self.screen.eaten.clear()

    @action("basket.first", "1", "Take first", arguments=("first",))
    @action("basket.second", "2", "Take second", arguments=("second",))
    async def take(self, which: str) -> None:
        self.screen.eaten.append(which)


class FruitScreen(CallboardScreen):
    """A screen with actions of its own, and those of a basket."""

    actions_of = (Basket,)
    is_viewer = False

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.eaten: list[str] = []
        self.actions.offer(Basket(self))

    def compose(self) -> ComposeResult:
        yield self.bar
        yield self.status
        yield self.status.footer

    @property
    def role(self) -> Role:
        return Role.VIEWER if self.is_viewer else Role.MANAGER

    @action("fruit.eat", "e", "Eat fruit", hint="eat")
    async def eat(self) -> None:
        self.eaten.append("apple")

    @action("fruit.buy", "b", "Buy fruit")
    async def buy(self) -> None:
        raise Unreachable("The market is closed.", hint="come tomorrow")

    @action("fruit.peel", "p", "Peel fruit", asks=True)
    async def peel(self) -> None:
        if await self.ask(ConfirmDialog("Peel?", "")):
            raise Unreachable("There is no knife.")

    @action("fruit.cook", "k", "Cook fruit", needs=Feature.ROLES, instead="eat it raw")
    async def cook(self) -> None:
        self.eaten.append("jam")


class RipeFruitScreen(FruitScreen):
    """It overrides one action as it is, and one with another key."""

    async def eat(self) -> None:
        self.eaten.append("ripe apple")

    @action("fruit.sell", "b", "Sell fruit")
    async def buy(self) -> None:
        self.eaten.append("sold")


@asynccontextmanager
async def shown(screen_class: type[FruitScreen]) -> AsyncIterator[tuple[Driver, FruitScreen]]:
    """A screen in front of a board."""
    store = FakeStore(small())
    store.missing = {Feature.ROLES}
    async with opened(store, size=(80, 12)) as person:
        context: Context = person.board.context
        screen = screen_class(context)
        await person.app.push_screen(screen)
        await person.press()
        yield person, screen


async def test_keys_run_the_methods_of_the_screen_and_of_what_it_owns() -> None:
    async with shown(FruitScreen) as (person, screen):
        await person.press("e", "1", "2")
        assert screen.eaten == ["apple", "first", "second"]
        assert " e eat  c clear " in person.text
        await person.press("c")
        assert not screen.eaten
        screen.is_viewer = True
        await person.press("e", "c")
        assert screen.eaten == ["apple"]
        assert "You are a viewer" in person.text
        await person.press("k")
        assert "eat it raw" in person.text


@pytest.mark.long
async def test_errors_of_actions_are_shown_whether_they_ask_or_not() -> None:
    async with shown(FruitScreen) as (person, _):
        await person.press("b")
        assert "The market is closed." in person.text
        assert "come tomorrow" in person.text
        await person.press("escape", "p")
        await person.press("y")
        assert "There is no knife." in person.text


async def test_a_subclass_overrides_an_action_with_or_without_another_decorator() -> None:
    async with shown(RipeFruitScreen) as (person, screen):
        await person.press("e", "b")
        assert screen.eaten == ["ripe apple", "sold"]
        assert "fruit.buy" not in {each.id for each in screen.actions.actions}


def test_a_description_gives_the_binding() -> None:
    (name, clear), *_ = declared_actions(Basket)
    assert (name, clear.id) == ("clear", "basket.clear")
    assert clear.binding.action == "screen.run('basket.clear')"
    assert len(bindings(Basket)) == 3
