"""Who sends: one program at a time, and the next one when that one ends."""

import errno
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tui.store.files.lease import Lease

_HOLDER = """
import sys, time
from pathlib import Path
from tui.store.files.lease import Lease
lease = Lease(Path(sys.argv[1]))
print(lease.take(), flush=True)
sys.stdin.read()
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "sender.lock"


def test_one_has_it_and_the_next_gets_it_when_it_is_let_go(path: Path) -> None:
    one, other = Lease(path), Lease(path)
    assert one.take()
    assert one.take()
    assert not other.take()
    one.release()
    assert not one.is_held
    assert other.take()
    assert not one.take()
    other.release()


def test_a_program_that_is_killed_has_let_it_go(path: Path) -> None:
    command = [sys.executable, "-c", _HOLDER, str(path)]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    with subprocess.Popen(  # noqa: S603  our own interpreter and script
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "True\n"
        lease = Lease(path)
        assert not lease.take()
        holder.send_signal(signal.SIGKILL)
        holder.wait()
    assert lease.take()
    lease.release()


def test_a_program_that_is_started_by_us_does_not_keep_it(path: Path) -> None:
    lease = Lease(path)
    assert lease.take()
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as child:
        lease.release()
        other = Lease(path)
        assert other.take()
        other.release()
        child.kill()


def test_a_lock_on_a_file_that_was_deleted_locks_nobody_out(path: Path) -> None:
    one, other = Lease(path), Lease(path)
    assert one.take()
    path.unlink()
    assert other.take()
    assert not one.take()
    assert not one.is_held
    other.release()
    assert one.take()
    one.release()


@pytest.mark.parametrize("number", [errno.ENOLCK, errno.EOPNOTSUPP])
def test_where_files_cannot_be_locked_the_program_goes_on_alone_and_says_so(
    path: Path, number: int
) -> None:
    def cannot_lock(file: int, operation: int) -> None:
        del file, operation
        raise OSError(number, os.strerror(number))

    lease = Lease(path, cannot_lock)
    assert lease.take()
    assert "only once at a time" in lease.remark
    assert lease.take()
    lease.release()


def test_what_passes_is_waited_for(tmp_path: Path) -> None:
    lease = Lease(tmp_path / "missing" / "sender.lock")
    assert not lease.take()
    assert "wait" in lease.remark
    (tmp_path / "missing").mkdir()
    assert lease.take()
    assert not lease.remark
    lease.release()


def test_only_its_owner_can_read_the_file(path: Path) -> None:
    lease = Lease(path)
    lease.take()
    assert path.stat().st_mode & 0o777 == 0o600
    lease.release()
