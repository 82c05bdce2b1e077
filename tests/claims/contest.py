"""Agents that claim cards of one board at once, chosen as by `callboard next --claim`."""

import asyncio
import random
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import httpx

from tui.client.client import Client
from tui.client.documents import Document
from tui.client.errors import Conflict
from tui.client.resources.tasks import Claim

OPEN, DOING = 0, 1
"""The stages of the board from which cards are taken, and to which they go."""


class Contest(NamedTuple):
    """How often each card was claimed, and how many claims were lost.

    Of these `unclear` ones did not say for certain that nothing was changed.
    """

    claims: Counter[int]
    lost: int
    unclear: int = 0

    @property
    def doubles(self) -> int:
        """How many claims too many there were."""
        return sum(count - 1 for count in self.claims.values())


class Slow(httpx.AsyncBaseTransport):
    """Takes up to so many seconds for a request, and as many for its response."""

    def __init__(self, transport: httpx.AsyncBaseTransport, most: float, seed: int) -> None:
        self._transport = transport
        self._most = most
        self._chance = random.Random(seed)  # noqa: S311 (not for secrets)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        await asyncio.sleep(self._chance.uniform(0, self._most))
        response = await self._transport.handle_async_request(request)
        await asyncio.sleep(self._chance.uniform(0, self._most))
        return response


async def contest(clients: Sequence[Client], board_id: int, person_id: int) -> Contest:
    """Let each client, which is an agent of the same person, claim cards until none is left."""
    board = await clients[0].board(board_id)
    stages = [int(stage["id"]) for stage in board["stages"]]
    claims, lost, unclear = Counter[int](), 0, 0

    async def work(number: int, client: Client) -> None:
        nonlocal lost, unclear
        own_lost, chance = 0, random.Random(number)  # noqa: S311 (not for secrets)
        while free := _free(await client.tasks(board_id), stages[OPEN]):
            # Who was too slow leaves the first ones to the others.
            task = chance.choice(free[: 2 * own_lost + 1])
            name = f"agent {number}"
            claim = Claim(stages[OPEN], (), (), stages[DOING], person_id, agent=name)
            try:
                await client.claim_task(board_id, int(task["id"]), claim)
            except Conflict as error:
                own_lost, lost = own_lost + 1, lost + 1
                unclear += error.may_have_happened
            else:
                own_lost = 0
                claims[int(task["id"])] += 1

    async with asyncio.TaskGroup() as agents:
        for number, client in enumerate(clients):
            agents.create_task(work(number, client))
    return Contest(claims, lost, unclear)


def _free(tasks: Sequence[Document], stage_id: int) -> list[Document]:
    free = [task for task in tasks if task.get("stage_id") == stage_id and not task["assignees"]]
    return sorted(free, key=lambda task: (float(task["position"]), int(task["id"])))


async def make_board(client: Client, cards: int) -> int:
    """A board with so many cards in its first stage."""
    board = await client.create_board("Contest", "", "to-do")
    board_id, stages = int(board["id"]), board["stages"]
    for number in range(cards):
        await client.create_task(board_id, int(stages[OPEN]["id"]), f"Card {number}")
    return board_id
