"""`callboard serve` in a process of its own, on a port of its own."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PASSWORD = "correct horse"
_PATIENCE_SECONDS = 30


@dataclass
class Launched:
    """A server that listens; `lines` are those of its log that were read so far."""

    process: subprocess.Popen[str]
    address: str
    lines: list[dict[str, Any]]

    @property
    def host(self) -> str:
        """Where it is, without the path."""
        return self.address.removesuffix("/v2")

    @property
    def port(self) -> int:
        """The port it listens on."""
        return int(self.host.rpartition(":")[2])

    def read_until(self, message: str) -> dict[str, Any]:
        """The next line of the log with this message."""
        assert self.process.stderr is not None, "the log of the server is no pipe"
        for line in self.process.stderr:
            self.lines.append(json.loads(line))
            if self.lines[-1]["message"] == message:
                return self.lines[-1]
        log = "\n".join(map(str, self.lines))
        raise AssertionError(f"the server ended without the line {message!r} in its log:\n{log}")

    def stop(self, number: int = signal.SIGTERM) -> int:
        """Send a signal, read the rest of the log, and say how it ended."""
        self.process.send_signal(number)
        return self.ended()

    def ended(self) -> int:
        """Read the rest of the log, and say how it ended."""
        _, rest = self.process.communicate(timeout=_PATIENCE_SECONDS)
        self.lines += [json.loads(line) for line in rest.splitlines()]
        return self.process.returncode


@contextmanager
def launched(home: Path, *arguments: str) -> Iterator[Launched]:
    """A server on a free port of this machine, ended in any case."""
    process = subprocess.Popen(  # noqa: S603 - our own program
        serve_command("--port", "0", *arguments),
        env=serve_environment(home),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        server = Launched(process, "", [])
        server.address = server.read_until("listening")["address"]
        yield server
    finally:
        process.kill()
        process.communicate()


def listening(home: Path, *arguments: str) -> tuple[subprocess.Popen[bytes], str]:
    """A server that listens, with its address; its log goes to a file, so nobody has to read it."""
    log = home / "serve.log"
    with log.open("wb") as out:
        process = subprocess.Popen(  # noqa: S603 - our own program
            serve_command(*arguments),
            env=serve_environment(home),
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=out,
        )
    while process.poll() is None:
        for line in log.read_bytes().splitlines():
            with suppress(ValueError):  # it is not written to its end yet
                if address := json.loads(line).get("address"):
                    return process, str(address)
        time.sleep(0.02)  # the log of another process tells nobody that it grew
    raise RuntimeError(log.read_text("utf-8"))


def ran(home: Path, *arguments: str, told: str = "") -> subprocess.CompletedProcess[str]:
    """`callboard serve` with arguments with which it ends by itself; `told` is what it reads."""
    return subprocess.run(  # noqa: S603 - our own program
        serve_command(*arguments),
        env=serve_environment(home),
        input=told,
        capture_output=True,
        text=True,
        timeout=_PATIENCE_SECONDS,
        check=False,
    )


def serve_command(*arguments: str) -> list[str]:
    """What starts the server, or one of its own commands."""
    return [sys.executable, "-m", "tui", "serve", *arguments]


def serve_environment(home: Path) -> dict[str, str]:
    """What the server finds in its environment: little, and `home` for all that it keeps."""
    return {
        "CALLBOARD_HOME": str(home),
        "PATH": os.environ.get("PATH", ""),
        "PYTHONPATH": str(Path(__file__).parents[2]),
    }
