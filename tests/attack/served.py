"""Sends the corpus to `callboard serve` on this machine and watches `/health` meanwhile.

Every pattern goes wherever text goes, as long as the service takes it; then 16 MB of it go there
once. The first line tells how long `/health` takes while nothing else is asked; each line tells the
memory of the server, and the most that it ever had.
"""

import base64
import http.client
import json
import select
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote_plus, urlsplit

import httpx

from tests.attack.corpus import (
    BOUNDARY,
    CONTROLS,
    HTML,
    JSON,
    PICTURES,
    UPLOADS,
    WORDS,
    Pattern,
    upload,
)
from tests.server.launched import PASSWORD, listening, ran
from tui.service.handlers.comments import LONGEST
from tui.service.requests.image_formats import LARGEST_FILE
from tui.service.requests.replies import LARGEST_BODY, LARGEST_UPLOAD
from tui.service.values import DESCRIPTION_LIMIT, TITLE_LIMIT

_HUGE = 16 * 1024 * 1024
_JSON, _FORM = "application/json", "application/x-www-form-urlencoded"
_MOST_SECONDS, _MOST_HEALTH_SECONDS = 2.0, 0.05
_IDLE_SECONDS = 2.0
_ATTEMPTS = 3
_PIECE = 64 * 1024
_ROOM = 1024


@dataclass(frozen=True, slots=True)
class _Way:
    """Where text goes into the service, and the longest text that is taken there."""

    method: str
    path: str
    kind: str
    body: Callable[[str], bytes]
    patterns: Mapping[str, Pattern]
    longest: int
    takes_huge: bool = True


@dataclass(slots=True)
class _Health:
    """The longest time that `/health` has taken since it was last asked for."""

    port: int
    worst: float = 0.0
    answers: int = 0

    def taken(self) -> tuple[float, int]:
        """The longest time and the number of answers, to begin anew."""
        found = self.worst, self.answers
        self.worst, self.answers = 0.0, 0
        return found

    @contextmanager
    def asked_all_the_time(self) -> Iterator[None]:
        """Ask on a thread of its own until this is left."""
        over = threading.Event()
        thread = threading.Thread(target=self._ask, args=(over,))
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()

    def _ask(self, over: threading.Event) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        while not over.wait(0.005):
            began = time.perf_counter()
            connection.request("GET", "/health")
            connection.getresponse().read()
            self.worst = max(self.worst, time.perf_counter() - began)
            self.answers += 1
        connection.close()


def main(chosen: Collection[str] | None = None) -> int:
    """Send everything, or only what goes `chosen` ways, print a line for each way and size.

    Returns the exit code.
    """
    with tempfile.TemporaryDirectory() as folder:
        made = ran(Path(folder), "user", "add", "ann", told=f"{PASSWORD}\n")
        if made.returncode:
            raise RuntimeError(made.stderr)
        process, address = listening(Path(folder), "--port", "0")
        try:
            return int(_attacked(process.pid, address, chosen))
        finally:
            process.kill()
            process.wait()


def _memory(process_id: int) -> str:
    """What a process holds in memory, where the system tells it."""
    try:
        status = Path(f"/proc/{process_id}/status").read_text("ascii")
    except OSError:
        return "not known"
    sizes = dict(line.split(":", 1) for line in status.splitlines())
    now, most = (int(sizes[name].split()[0]) // 1024 for name in ("VmRSS", "VmHWM"))
    return f"{now} MB, at most {most} MB"


def _attacked(process_id: int, address: str, chosen: Collection[str] | None) -> bool:
    """Send everything; whether anything took too long."""
    port = urlsplit(address).port or 0
    health = _Health(port)
    with health.asked_all_the_time():
        time.sleep(_IDLE_SECONDS)  # how long the idle service is measured
    worst, answers = health.taken()
    sys.stdout.write(f"idle: /health {worst * 1000:.0f} ms at most of {answers}\n")
    failed = False
    ways = _ways(address)
    for name, way in ((name, ways[name]) for name in chosen or ways):
        for longest in (way.longest, _HUGE) if way.takes_huge else (way.longest,):
            seconds: dict[str, float] = {}
            statuses: set[int] = set()
            worst, answers = 0.0, 0
            for pattern, make in way.patterns.items():
                body = way.body(make(longest))
                slow = float("inf")
                # Other programs only ever make it larger.
                for _ in range(_ATTEMPTS):
                    with health.asked_all_the_time():
                        seconds[pattern], status = _sent(port, way, body)
                    statuses.add(status)
                    latest, count = health.taken()
                    slow, answers = min(slow, latest), answers + count
                    if slow <= _MOST_HEALTH_SECONDS:
                        break
                worst = max(worst, slow)
            slowest = max(seconds, key=lambda pattern: seconds[pattern])
            is_slow = seconds[slowest] > _MOST_SECONDS or worst > _MOST_HEALTH_SECONDS
            failed = failed or is_slow
            sys.stdout.write(
                f"{'TOO SLOW ' if is_slow else ''}{name}, {longest:,} characters: "
                f"{len(seconds)} patterns, {sorted(statuses)}, slowest {seconds[slowest]:.3f} s "
                f"{slowest!r}; /health {worst * 1000:.0f} ms at most of {answers}; "
                f"memory {_memory(process_id)}\n"
            )
            sys.stdout.flush()
    return failed


def _ways(address: str) -> dict[str, _Way]:
    """A board with a task and a webhook, and the ways to put text into them."""
    with httpx.Client(auth=("ann", PASSWORD), timeout=60) as client:

        def asked(path: str, body: Any) -> Any:
            reply = client.post(address + path, json=body)
            reply.raise_for_status()
            return reply.json()

        board = asked("/projects", {"board": {"title": "Garden", "type": "to-do"}})["board"]
        place = {"board_id": board["id"], "stage_id": board["stages"][0]["id"]}
        task = asked(f"/projects/{board['id']}/tasks", {"task": {"title": "Dig", **place}})["task"]
        hook = {"name": "Mail", "board": board["id"], "stage": place["stage_id"]}
        webhook = asked("/webhooks", hook)["webhook"]["url"]
    tasks = f"/v2/projects/{board['id']}/tasks"
    path = f"{tasks}/{task['id']}"
    upload_path, upload_type = (
        f"{path}/comment-image-upload",
        f"multipart/form-data; boundary={BOUNDARY}",
    )
    text = {**CONTROLS, **WORDS}
    return {
        "title": _Way("PUT", path, _JSON, _property("title"), text, TITLE_LIMIT),
        "description": _Way("PUT", path, _JSON, _property("description"), HTML, DESCRIPTION_LIMIT),
        "comment": _Way("POST", f"{path}/comments", _JSON, _comment, text, LONGEST // 4, False),
        "webhook": _Way(
            "POST", webhook[webhook.index("/?") :], _FORM, _form, HTML, DESCRIPTION_LIMIT, False
        ),
        "JSON": _Way("POST", tasks, _JSON, _raw, JSON, LARGEST_BODY - _ROOM),
        "form": _Way("POST", "/v2/admin/folders", _FORM, _raw, WORDS, LARGEST_BODY // 2, False),
        "upload": _Way(
            "POST",
            upload_path,
            upload_type,
            lambda text: text.encode("latin-1"),
            UPLOADS,
            LARGEST_UPLOAD - _ROOM,
        ),
        "picture": _Way(
            "POST",
            upload_path,
            upload_type,
            lambda text: upload(text).encode("latin-1"),
            PICTURES,
            LARGEST_FILE,
            takes_huge=False,
        ),
    }


def _property(name: str) -> Callable[[str], bytes]:
    return lambda text: _as_json({"property": name, "value": text})


def _comment(text: str) -> bytes:
    return _as_json({"comment": text, "comment_type": "comment"})


def _as_json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode(errors="replace")


def _form(text: str) -> bytes:
    return f"title=x&description={quote_plus(text, errors='replace')}".encode()


def _raw(text: str) -> bytes:
    return text.encode(errors="replace")


def _sent(port: int, way: _Way, body: bytes) -> tuple[float, int]:
    """Send a request until its answer begins; how long that took in seconds, and its status.

    The status is 0 if the service closes the connection while it is still sent to.
    """
    credentials = base64.b64encode(f"ann:{PASSWORD}".encode()).decode()
    head = (
        f"{way.method} {way.path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
        f"Authorization: Basic {credentials}\r\nContent-Type: {way.kind}\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    left = memoryview(head.encode() + body)
    answer = b""
    began = time.perf_counter()
    with (
        socket.create_connection(("127.0.0.1", port), timeout=60) as link,
        suppress(ConnectionResetError, BrokenPipeError),
    ):
        while b"\r\n" not in answer:
            readable, writable, _ = select.select([link], [link] if left else [], [])
            if readable:
                answer += link.recv(_PIECE)
            elif writable:
                left = left[link.send(left[:_PIECE]) :]
    return time.perf_counter() - began, int(answer.split(maxsplit=2)[1]) if answer else 0
