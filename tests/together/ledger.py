"""What people and agents did, in plain values, and what the service holds."""

import sqlite3
from collections import Counter
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from tui.model.blocked_by import described
from tui.text.agent_marks import agent_of, progress_comment

_CARDS = """
    select task.id, task.title, task.status, stage.title, coalesce(task.description, '')
    from task join stage on stage.id = task.stage_id
    where task.archived_at is null and task.parent_id is null
    order by stage.position, stage.id, task.position, task.id
"""
_LABELS = "select task_id, label.title from task_label join label on label.id = label_id"
_ACTIVITIES = """
    select created_at, '#' || task_id, created_by, action, column_name, old_value, new_value
    from activity order by id
"""
_COMMENTS = "select task_id, description from comment order by id"


TITLE = 14
"""So many cells of a title are never cut."""
Shown = tuple[str, tuple[str, ...]]


@dataclass(slots=True)
class Card:
    """A card as the service holds it."""

    number: int
    title: str
    is_closed: bool
    stage: str
    blockers: frozenset[int]
    agents: tuple[str, ...]
    comments: list[str]


def held_cards(home: Path) -> dict[int, Card]:
    """The cards of the service, in the order of the board."""
    with closing(sqlite3.connect(home / "data" / "boards.sqlite3", timeout=10)) as boards:
        cards = {
            number: Card(
                number,
                title,
                status == "closed",
                stage,
                frozenset(blocker.id for blocker in described(text).blockers),
                (),
                [],
            )
            for number, title, status, stage, text in boards.execute(_CARDS)
        }
        for number, title in boards.execute(_LABELS):
            if number in cards and (agent := agent_of(title)):
                cards[number].agents += (agent,)
        for number, text in boards.execute(_COMMENTS):
            if number in cards:
                cards[number].comments.append(text)
    return cards


def activities(home: Path) -> list[str]:
    """What the service noted, oldest first."""
    with closing(sqlite3.connect(home / "data" / "boards.sqlite3", timeout=10)) as boards:
        return [" ".join(map(str, row)) for row in boards.execute(_ACTIVITIES)]


def drawn_cards(cards: dict[int, Card]) -> list[Shown]:
    """The cards as they are drawn, in order: the begin of each title, and its signs."""
    drawn = []
    for card in cards.values():
        is_blocked = any(
            blocker in cards and not cards[blocker].is_closed for blocker in card.blockers
        )
        signs = ["⊘"] * (is_blocked and not card.is_closed) + ["◇"] * bool(card.agents)
        title = f"{'✓ ' if card.is_closed else ''}{card.title}"
        drawn.append((title[: TITLE - 1].strip(), tuple(signs)))
    return drawn


@dataclass(slots=True)
class Ledger:
    """What was done: by card, each value as it was set last by the only one who sets it.

    `added` and `removed` are pairs of a card and what blocks it, each added and removed once at
    most; `comments` and the titles of `new` cards are unique; `holders` says which agent has which
    card.
    """

    titles: dict[int, str] = field(default_factory=dict)
    closed: dict[int, bool] = field(default_factory=dict)
    stages: dict[int, str] = field(default_factory=dict)
    added: set[tuple[int, int]] = field(default_factory=set)
    removed: set[tuple[int, int]] = field(default_factory=set)
    comments: list[str] = field(default_factory=list)
    new: list[str] = field(default_factory=list)
    progress: dict[int, tuple[str, str]] = field(default_factory=dict)
    holders: dict[int, str] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    story: list[str] = field(default_factory=list)

    def tell(self, what: str) -> None:
        """Note what was done, for when something is wrong."""
        self.story.append(f"{datetime.now(UTC):%H:%M:%S} {what}")

    @property
    def pairs(self) -> set[tuple[int, int]]:
        """Which card is blocked by which."""
        return self.added - self.removed

    def claimed(self, number: int, agent: str) -> None:
        """An agent says that a card is its own."""
        self.counts["claims"] += 1
        if number in self.holders:
            self.wrong.append(f"#{number} claimed by {agent}, though {self.holders[number]} has it")
        self.holders[number] = agent

    def differences(self, cards: dict[int, Card]) -> list[str]:
        """What the service holds otherwise than was done; none if all is there."""
        found = [f"#{number} is gone" for number in self.titles if number not in cards]
        for number, card in cards.items():
            name = f"#{number} {card.title}"
            found += [
                f"{name}: {what} is {there!r}, not {done[number]!r}"
                for what, done, there in (
                    ("the title", self.titles, card.title),
                    ("closed", self.closed, card.is_closed),
                    ("the stage", self.stages, card.stage),
                )
                if number in done and done[number] != there
            ]
            pairs = {blocker for waiting, blocker in self.pairs if waiting == number}
            if pairs != card.blockers:
                found.append(f"{name}: blocked by {sorted(card.blockers)}, not {sorted(pairs)}")
            if number in self.progress:
                agent, text = self.progress[number]
                if card.comments.count(progress_comment(agent, text)) != 1:
                    found.append(f"{name}: {agent} said {text!r}, there is {card.comments}")
            holder = self.holders.get(number)
            if card.agents != ((holder,) if holder else ()):
                found.append(f"{name}: held by {card.agents}, not by {holder}")
        titles = Counter(card.title for card in cards.values())
        found += [
            f"{title!r} is there {titles[title]} times" for title in self.new if titles[title] != 1
        ]
        every = Counter(text for card in cards.values() for text in card.comments)
        for text in self.comments:
            times = sum(count for each, count in every.items() if text in each)
            if times != 1:
                found.append(f"the comment {text!r} is there {times} times")
        return found
