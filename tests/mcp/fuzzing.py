"""Writes made-up lines to `callboard mcp`, most of them nearly messages.

Whatever is on a line, the program goes on, each request gets one answer with its id, and each line
that is no message an error; nothing else is written to standard output, and nothing beside it.

    python -m tests.mcp.fuzzing [LINES] [SEED]     so many, or 10,000; with that seed, or 0
"""

import json
import queue
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.drivers.program import COMMAND, environment

_CHUNK, _SECONDS = 50, 120
_LINE_LIMIT, _LONG_ONES = 4_000_000, 0.02
_OF_LINES = ("The line is ", "A message is ", "The id of a message is ")
"""How the errors begin that are about a line."""
_NASTY: tuple[Any, ...] = (
    *(
        None,
        True,
        False,
        0,
        -1,
        1.5,
        10**30,
        [],
        {},
        [[]],
        [1],
        {"a": {}},
        "",
        " ",
        "\0",
        "\x1b[2J",
    ),
    *(
        "é猫",
        "x" * 5_000,
        "9" * 5_000,
        "callboard://[::1/1",
        "callboard://card/6",
        "../..",
        "\u202e",
    ),
)
_RAW_VALUES = (
    b"NaN",
    b"-Infinity",
    b"1e999",
    rb'"\ud83d"',
    rb'"\u0000"',
    b"9" * 5_000,
    b"01",
    b"'a'",
)
_BYTES = (
    b"\xff",
    b"\0",
    b"\xef\xbb\xbf",
    b"[",
    b"}",
    b'"',
    b"\\",
    b",",
    b"\r",
    rb"\udc00",
    b"\x80",
)
_READING: tuple[tuple[str, dict[str, Any]], ...] = (
    ("boards", {}),
    ("overview", {"board": "platform"}),
    ("forecast", {"board": "platform", "cards": 3, "by": "fri", "filter": "label:bug"}),
    ("tasks", {"query": "is:open", "boards": ["platform"], "start": 1}),
    ("show", {"card": "6", "board": "platform", "start": 1}),
    ("standup", {"boards": ["platform"], "since": "monday", "by_person": True}),
)
_CHANGING: tuple[tuple[str, dict[str, Any]], ...] = (
    ("add", {"title": "One !high\nTwo #bug", "board": "platform", "stage": "open"}),
    ("edit", {"card": "6", "title": "Mine", "due": "2037-11-06", "priority": "low"}),
    ("move", {"card": "6", "stage": "open", "end": "top"}),
    ("done", {"cards": ["6"], "reopen": True}),
    ("assign", {"card": "6", "people": ["@me"], "remove": True}),
    ("label", {"card": "6", "labels": ["bug"], "remove": True}),
    ("subtask", {"card": "6", "subtasks": ["First"], "done": True}),
    ("comment", {"card": "6", "text": "It works."}),
)
_OTHERS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("ping", {}),
    ("tools/list", {"cursor": "1"}),
    ("resources/list", {"cursor": "0"}),
    ("resources/templates/list", {}),
    ("resources/read", {"uri": "callboard://board/3?start=1"}),
    ("prompts/list", {}),
    ("prompts/get", {"name": "next_card", "arguments": {"board": "platform"}}),
    ("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {}}),
    ("logging/setLevel", {"level": "debug"}),
    ("completion/complete", {"ref": {"type": "ref/prompt", "name": "x"}, "argument": {}}),
)
_NOTIFICATIONS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("notifications/initialized", {}),
    ("notifications/cancelled", {"requestId": 1, "reason": "no more"}),
    ("notifications/progress", {"progressToken": 1, "progress": 0.5, "total": 1}),
    ("notifications/roots/list_changed", {"_meta": {"progressToken": "a"}}),
)


class Faults(Exception):
    """What the program did wrong."""


@dataclass
class Asked:
    """What a line asks for: the answers that are due, by id, and those that may be missing."""

    answers: Counter[str] = field(default_factory=Counter)
    errors: int = 0
    cancelled: set[str] = field(default_factory=set)

    def read(self, line: bytes) -> None:
        """Count what is due for a line."""
        if not line.strip():
            return
        document = _document_of(line)
        number = document.get("id") if document else None
        if document is None or not _is_message(document):
            self.errors += 1
        elif "method" in document and "id" in document:
            self.answers[json.dumps(number)] += 1
        elif document.get("method") == "notifications/cancelled":
            cancelled = (document.get("params") or {}).get("requestId")
            self.cancelled |= {json.dumps(cancelled), json.dumps(str(cancelled))}
            if isinstance(cancelled, str) and cancelled.isdecimal():
                self.cancelled.add(cancelled)


def _document_of(line: bytes) -> dict[str, Any] | None:
    def refuse(constant: str) -> None:
        raise ValueError(constant)

    if len(line) > _LINE_LIMIT:
        return None
    try:
        document = json.loads(line.decode(), parse_constant=refuse)
        json.dumps(document, ensure_ascii=False).encode()  # halves of pairs are no text
    except (ValueError, RecursionError):
        return None
    return document if isinstance(document, dict) else None


def _is_message(document: dict[str, Any]) -> bool:
    def is_id(value: Any) -> bool:
        return isinstance(value, str | int) and not isinstance(value, bool)

    if document.get("jsonrpc") != "2.0" or ("id" in document and not is_id(document["id"])):
        return False
    if _depth(document) > 150:
        return False
    has_parameters = isinstance(document.get("params"), dict | None)
    if isinstance(document.get("method"), str) and has_parameters:
        return True
    if "id" not in document:
        return False
    error = document.get("error")
    is_error = isinstance(error, dict) and isinstance(error.get("message"), str)
    return isinstance(document.get("result"), dict) or is_error


def _depth(value: Any) -> int:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + max(map(_depth, inner), default=0)


class Lines:
    """Makes lines up."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)  # noqa: S311
        self._number = 0

    def __iter__(self) -> Iterator[bytes]:
        while True:
            line = json.dumps(self._mutated(self._message())).encode()
            if self._random.random() < 0.25:
                line = self._damaged(line)
            yield line.replace(b"\n", b" ")

    def _message(self) -> dict[str, Any]:
        pick, chance = self._random, self._random.random()
        self._number += 1
        if chance < 0.15:
            method, params = pick.choice(_NOTIFICATIONS)
            params = dict(params)
            if "requestId" in params:
                params["requestId"] = self._number - pick.randint(1, 5)
            return {"jsonrpc": "2.0", "method": method, "params": params}
        if chance < 0.2:
            return {"jsonrpc": "2.0", "id": self._number, "result": {}}
        number = pick.choice((self._number, str(self._number), f"id-{self._number}"))
        if chance < 0.6:
            tool, given = pick.choice(_CHANGING if chance < 0.25 else _READING)
            method, params = "tools/call", {"name": tool, "arguments": dict(given)}
        else:
            method, params = pick.choice(_OTHERS)
        return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}

    def _mutated(self, message: dict[str, Any]) -> dict[str, Any]:
        # A copy with up to three of its values replaced, left out or named otherwise.
        whole: dict[str, Any] = json.loads(json.dumps(message))
        for _ in range(self._random.choice((0, 0, 1, 1, 2, 3))):
            inner, key = self._random.choice([*_places(whole)])
            chance = self._random.random()
            if chance < 0.7 or not isinstance(inner, dict):
                inner[key] = deepcopy(self._random.choice(_NASTY))
            elif chance < 0.85:
                del inner[key]
            else:
                inner[f"{key}x"] = inner.pop(key)
        return whole

    def _damaged(self, line: bytes) -> bytes:
        pick = self._random
        at, to = sorted(pick.randint(0, len(line)) for _ in range(2))
        match pick.randint(0, 8):
            case 0:
                line = line[:at]
            case 1:
                line = line[:at] + pick.choice(_BYTES) + line[at:]
            case 2:
                line = line[:at] + line[to:]
            case 3:
                line = line[:to] + line[at:to] + line[to:]
            case 4:
                line = line.replace(b":1", b":" + pick.choice(_RAW_VALUES), 1)
            case 5:
                size = pick.choice((10, 200, 5_000, 200_000))
                opened, closed = pick.choice(((b"[", b"]"), (b'{"a":', b"}")))
                nested = opened * size + b"1" + closed * pick.choice((0, size))
                line = line[:at] + nested + line[at:]
            case 6:
                line = pick.choice((b"", b" ", b"\r", b"[" + line + b"]", line + line, b"null"))
            case 7 if pick.random() < _LONG_ONES:
                line = line[:-1] + b" " * (_LINE_LIMIT + pick.randint(-9, 9) - len(line)) + b"}"
            case _:
                line += b"\r"
        return line


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    # Each value within, by what it is in, and its key there.
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in items:
        yield value, key
        if isinstance(inner, dict | list):
            yield from _places(inner)


class Program:
    """The program, with what it writes."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._errors = (home / "said").open("wb+")
        self._process = subprocess.Popen(  # noqa: S603
            [*COMMAND, "mcp"],
            env=environment(home),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
        )
        self._output: queue.Queue[bytes] = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self.answers = self.errors = 0

    def _read(self) -> None:
        assert self._process.stdout is not None, "`callboard mcp` has no pipe"
        with self._process.stdout:
            for line in self._process.stdout:
                self._output.put(line)
        self._output.put(b"")

    def ask(self, lines: list[bytes]) -> None:
        """Write lines, and wait for what is due for them. Raises `Faults`."""
        asked = Asked()
        for line in lines:
            asked.read(line)
        assert self._process.stdin is not None, "`callboard mcp` has no pipe"
        self._process.stdin.write(b"".join(line + b"\n" for line in lines))
        self._process.stdin.flush()
        deadline, errors = time.monotonic() + _SECONDS, 0
        due = asked.answers.copy()
        while errors < asked.errors or any(key not in asked.cancelled for key in due):
            try:
                line = self._output.get(timeout=max(0, deadline - time.monotonic()))
            except queue.Empty:
                raise Faults(f"no answer to {due}, {errors} of {asked.errors} errors") from None
            if not line:
                raise Faults("it ended")
            answer = json.loads(line)
            key = json.dumps(answer["id"])
            if answer.get("error", {}).get("message", "").startswith(_OF_LINES):
                errors += 1
            elif due[key] > 0:
                due[key] -= 1
            elif key not in asked.cancelled:
                raise Faults(f"an answer that nobody asked for: {line[:300]!r}")
            due = +due
            self.answers += 1
        self.errors += errors

    def end(self) -> None:
        """End the input. Raises `Faults` if the program does not end well."""
        assert self._process.stdin is not None, "`callboard mcp` has no pipe"
        self._process.stdin.close()
        code = self._process.wait(_SECONDS)
        self._reader.join()
        self._errors.seek(0)
        said = self._errors.read()
        self._errors.close()
        if code or said or [*self._home.rglob("crash.log")]:
            raise Faults(f"it ended with {code}, and said {said[-2_000:]!r}")


_BEGIN = (
    b'{"jsonrpc":"2.0","id":"begin","method":"initialize","params":{"protocolVersion":"2025-06-18",'
    b'"capabilities":{},"clientInfo":{"name":"fuzzing","version":"1"}}}'
)


def fuzz(home: Path, count: int, seed: int) -> tuple[int, int]:
    """Write so many lines to a program in a home; returns how many answers and errors came.

    Raises `Faults`, with the lines beside.
    """
    program, lines = Program(home), iter(Lines(seed))
    program.ask([_BEGIN])
    for first in range(0, count, _CHUNK):
        chunk = [next(lines) for _ in range(min(_CHUNK, count - first))]
        try:
            program.ask([*chunk, b'{"jsonrpc":"2.0","id":"last","method":"ping"}'])
        except (Faults, OSError) as error:
            (home / "lines").write_bytes(b"\n".join(chunk))
            raise Faults(
                f"lines {first} to {first + len(chunk)}, in {home}/lines: {error}"
            ) from error
    program.end()
    return program.answers, program.errors


def main(count: int = 10_000, seed: int = 0) -> None:
    """Fuzz, in a home of its own that stays if something is wrong."""
    import os

    from tests.cli.conftest import make_home

    home = Path(tempfile.mkdtemp(prefix="callboard-fuzzing-"))
    os.environ["LOGNAME"] = "me"
    make_home(home)
    begun = time.monotonic()
    answers, errors = fuzz(home, count, seed)
    seconds = time.monotonic() - begun
    print(f"{count:,} lines, {answers:,} answers, {errors:,} of them errors, {seconds:.0f} s")  # noqa: T201
    shutil.rmtree(home)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
