"""Answers that no service should give, made from those that services gave.

`python -m tests.client.mutating 5000` tries so many of them; a second number is the first seed.
What is found is told with its seed: `python -m tests.client.mutating 1 SEED` tries that again.
"""

import asyncio
import json
import random
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields, is_dataclass, replace
from functools import cache
from typing import Any

from tests.client.guarantee import broken
from tests.client.lossless import documents, noted_records
from tests.client.recorded import HERE, WHOLE, Exchange, load, replay
from tests.store.lanes import lanes
from tui.client.errors import ApiError
from tui.model import task as model
from tui.schema.boards import Board
from tui.schema.tasks import Task
from tui.store.documents.assemble import Assembler
from tui.text import clean

_MOST_CHANGES = 6
_DEEPER = 0.92
_TORN = 0.05
_ALL_POISONED = 0.25
_OTHER_STATUS = 0.12
_REFUSED = 0.2
_FIRST_REFUSAL = 400
_STATUSES = (200, 201, 204, 400, 401, 403, 404, 409, 413, 422, 429, 500, 503)

POISONS = (
    "\x1b]0;owned\x07",
    "\x1b[2J\x1b[31m",
    "\x9b31m\x90q\x9c",
    "\u202eevil\u2066",
    "\ud800",
    "\udc1b[2J",
    "\x00\x08\x7f\r",
    "\u2028\ufeff\U000e0041",
    "[bold red]@click=app.quit[/]",
    "<script>&lt;&#27;&#x9b;[2J</script>",
    "a" * 20_000,
    "9" * 5_000,
    "0000-00-00 00:00:00",
    "9999-12-31T23:59:59-14:00",
    "0001-01-01 00:00:00+14:00",
    '{"a":' * 500 + "1" + "}" * 500,
)
_ODDITIES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 2**63, -(2**63) - 1, 10**400, 0.5, -0.0, 1e308, "", " ", "0", "1",
    "1e999", "NaN", "null", "yes", [], {}, [[]], [None], {"": None}, {"id": 0}, {"id": "1"},
    {"ID": 1, "id": "x"}, [{"id": 1}] * 3, {"0": {"id": 1}, "7": {"ID": 2}}, {"data": None},
)  # fmt: skip
_WRITTEN = {
    "@deep list@": "[" * 3_000 + "]" * 3_000,
    "@deep object@": '{"a":' * 3_000 + "1" + "}" * 3_000,
    "@replies in replies@": '[{"id":1,"replies":' * 45 + "[]" + "}]" * 45,
    "@not a number@": "NaN",
    "@infinity@": "-Infinity",
    "@half a sign@": '"\\ud83d"',
    "@many@": "[" + ",".join(["{}"] * 3_000) + "]",
}
"""What Python's encoder does not write, by what stands for it until then."""

_Change = Callable[[random.Random, Any], Any]


def mutated(exchange: Exchange, dice: random.Random) -> Exchange:
    """An exchange whose answer has a few things wrong with it."""
    try:
        value = exchange.body
    except ValueError:
        value = exchange.content.decode(errors="replace")
    if dice.random() < _ALL_POISONED:
        value = poisoned(value, dice.choice(POISONS))
    for _ in range(dice.randint(0, _MOST_CHANGES)):
        value = _somewhere(dice, value)
    content = _written(value)
    if dice.random() < _TORN:
        at = dice.randrange(len(content))
        content = content[:at] + dice.choice((b"", b"\xff\x80", b"\0", content[at + 1 :]))
    status = dice.choice(_STATUSES) if dice.random() < _OTHER_STATUS else exchange.status
    return replace(exchange, content=content, status=status)


def poisoned(value: Any, poison: str) -> Any:
    """The value with the same poison in every text that is neither a number nor a date."""
    if isinstance(value, dict):
        return {key: poisoned(inner, poison) for key, inner in value.items()}
    if isinstance(value, list):
        return [poisoned(inner, poison) for inner in value]
    is_words = isinstance(value, str) and not value[:1].isdigit()
    return f"{value[:3]}{poison}{value[3:]}" if is_words else value


def _written(value: Any) -> bytes:
    text = json.dumps(value)
    for name, written in _WRITTEN.items():
        text = text.replace(json.dumps(name), written, 2)
    return text.encode("ascii")


def _somewhere(dice: random.Random, value: Any) -> Any:
    """The value, changed at one place in it."""
    places: list[Any] = []
    if isinstance(value, dict):
        places = list(value)
    elif isinstance(value, list):
        places = list(range(len(value)))
    if not places or dice.random() > _DEEPER:
        return dice.choice(_CHANGES)(dice, value)
    place = dice.choice(places)
    changed = value.copy()
    changed[place] = _somewhere(dice, value[place])
    return changed


def _dropped(dice: random.Random, value: Any) -> Any:
    """Without one of its elements; a value without elements is gone."""
    if not value or not isinstance(value, (dict, list)):
        return None
    rest = value.copy()
    rest.pop(dice.choice(list(value) if isinstance(value, dict) else range(len(value))))
    return rest


def _renamed(dice: random.Random, value: Any) -> Any:
    if not value or not isinstance(value, dict):
        return {dice.choice(POISONS): value}
    name = dice.choice(list(value))
    new = dice.choice((*POISONS, "id", "ID", "data", "zero_dates", "next_stage", "document"))
    return {(new if key == name else key): inner for key, inner in value.items()}


def _with_poison(dice: random.Random, value: Any) -> Any:
    poison = dice.choice(POISONS)
    return f"{value[:40]}{poison}{value[40:]}" if isinstance(value, str) else poison


def _wrapped(dice: random.Random, value: Any) -> Any:
    return dice.choice(([value], {"0": value}, {"data": value}, {"id": 1, "x": value}, str(value)))


def _doubled(_dice: random.Random, value: Any) -> Any:
    return value * 2 if isinstance(value, (list, str)) else [value, value]


_CHANGES: tuple[_Change, ...] = (
    _dropped,
    _renamed,
    _with_poison,
    _wrapped,
    _doubled,
    lambda dice, _: dice.choice(_ODDITIES),
    lambda dice, _: dice.choice([*_WRITTEN]),
)


async def check(exchange: Exchange) -> None:
    """Let the client read an answer: it says what is wrong in a line, or what it gives is clean."""
    with noted_records() as parts:
        try:
            result = await replay(exchange)
        except ApiError as error:
            _expect_words(error)
            return
    for kind, document in parts:
        losses = broken(document, kind)
        assert not losses, f"read as {kind}, {document!r:.500} breaks its record: {losses}"
    for document in documents(result):
        json.dumps(document, ensure_ascii=False, allow_nan=False).encode()
    for name, text in _texts("", _model(parts)):
        safe = clean.text(text) if name == "description" else clean.line(text)
        assert text == safe, f"{name} {text!r:.200} reached the model"


def _expect_words(error: ApiError) -> None:
    message = error.message
    assert message, f"{type(error).__name__} has no message"
    assert message == clean.line(message), f"the message is no clean line: {message!r}"


def _model(parts: Iterable[tuple[Any, dict[str, Any]]]) -> list[object]:
    """What the store makes of records."""
    assembler = Assembler()
    made: list[object] = []
    tasks: list[model.Task | None] = []
    for kind, document in parts:
        if kind is Task:
            tasks.append(assembler.task(document))
        elif kind is Board:
            made += [assembler.board(document), assembler.empty_view(document)]
    return [*made, *tasks, lanes(task for task in tasks if task is not None)]


def _texts(name: str, value: object) -> Iterator[tuple[str, str]]:
    """Every text in a model, with the name of the field that it is in."""
    if isinstance(value, str):
        yield name, value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _texts(name, inner)
    elif isinstance(value, (list, tuple)):
        for inner in value:
            yield from _texts(name, inner)
    elif is_dataclass(value):
        for field in fields(value):
            yield from _texts(field.name, getattr(value, field.name))


@cache
def exchanges(refused: bool) -> list[Exchange]:
    """What is mutated: the whole set of recordings where it lies beside the project."""
    recorded = load(WHOLE if WHOLE.is_dir() else HERE)
    return [exchange for exchange in recorded if (exchange.status >= _FIRST_REFUSAL) is refused]


def drawn(seed: int) -> Exchange:
    """The mutated exchange of a seed."""
    dice = random.Random(seed)  # noqa: S311 - the same again for the same seed
    return mutated(dice.choice(exchanges(dice.random() < _REFUSED)), dice)


def main(times: int, first: int = 0) -> int:
    """Try seeds one after another; returns how many found something."""
    found = 0
    for seed in range(first, first + times):
        exchange = drawn(seed)
        try:
            asyncio.run(check(exchange))
        except Exception:  # noqa: BLE001 - whatever is raised is what is looked for
            found += 1
            sys.stdout.write(f"seed {seed}: {exchange.name} {exchange.content[:500]!r}\n")
            traceback.print_exc(limit=-4)
    sys.stdout.write(f"{times} answers, {found} not taken well\n")
    return found


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])) > 0)
