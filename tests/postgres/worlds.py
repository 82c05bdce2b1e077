"""Worlds of the service's tests on a PostgreSQL server, made quickly from templates."""

from collections.abc import Callable, Mapping
from pathlib import Path

from tests.postgres.server import Server
from tests.service.detailed_world import furnish_details
from tests.service.sharing_endpoints import furnish_sharing
from tests.service.world import World
from tui.service.attachments import Attachments
from tui.service.database.postgres import open_postgres

FURNISHING: Mapping[str, tuple[Callable[[World], None], ...]] = {
    "bare": (),
    "furnished": (World.furnish,),
    "detailed": (World.furnish, furnish_details),
    "sharing": (World.furnish, furnish_sharing),
}

_KEEP = """do $$ declare name text; begin
    create schema kept;
    for name in select tablename from pg_tables where schemaname = 'public' loop
        execute format('create table kept.%1$I as table public.%1$I', name);
    end loop;
end $$"""
_RENEW = """do $$ declare name text; counter text; begin
    set local session_replication_role = replica;
    for name in select tablename from pg_tables where schemaname = 'kept' loop
        execute format('delete from public.%1$I', name);
        execute format('insert into public.%1$I select * from kept.%1$I', name);
    end loop;
    for name, counter in
        select table_name, pg_get_serial_sequence('public.' || table_name, column_name)
        from information_schema.columns
        where table_schema = 'public' and is_identity = 'YES'
    loop
        execute format(
            'select setval(%L, (select coalesce(max(id), 0) + 1 from %I), false)', counter, name
        );
    end loop;
end $$"""


class Worlds:
    """Makes worlds, each with a database of its own."""

    def __init__(self, server: Server, folder: Path) -> None:
        self.server = server
        self.attachments = Attachments(folder)
        self._templates: dict[str, str] = {}
        self._made: list[World] = []
        self._lasting: dict[str, World] = {}
        self._fresh: list[World] = []

    def database(self, kind: str = "furnished") -> str:
        """The name of a new database that holds what that kind of world does."""
        if kind not in self._templates:
            self._templates[kind] = self._furnished(kind)
        return self.server.create(self._templates[kind])

    def world(self, kind: str = "furnished", *, name: str = "") -> World:
        """A world in a new database, or one more in the database of that name."""
        world = self._open(name or self.database(kind))
        self._made.append(world)
        return world

    def _open(self, name: str) -> World:
        return World(open_postgres(self.server.url(name)), attachments=self.attachments)

    def renewed(self, kind: str) -> World:
        """The one lasting world of that kind, as it was when it was made."""
        if kind not in self._lasting:
            self._lasting[kind] = self._open(self.database(kind))
            with self._lasting[kind].database.transaction(writing=True) as db:
                db.run(_KEEP)
        with self._lasting[kind].database.transaction(writing=True) as db:
            db.run(_RENEW)
        return self._lasting[kind]

    def fresh(self, kind: str = "furnished") -> World:
        """A world that remembers nothing, on the database of the lasting one as it was."""
        world = World(self.renewed(kind).database, attachments=self.attachments)
        self._fresh.append(world)
        return world

    def _furnished(self, kind: str) -> str:
        name = self.server.create()
        world = self._open(name)
        for furnish in FURNISHING[kind]:
            furnish(world)
        world.close()
        return name

    def close(self) -> None:
        """Close the worlds that were made."""
        for world in self._made:
            world.close()
        self._made.clear()
        for world in self._fresh:
            world.hang_up()
        self._fresh.clear()

    def end(self) -> None:
        """Close the worlds that last, and remove the server."""
        for world in self._lasting.values():
            world.close()
        self.server.remove()
