"""`callboard serve`: the service for others, and the accounts of those who may use it.

The rule it keeps: a password is typed on a terminal or comes by standard input, and is never an
argument, where every user of the machine could read it.
"""

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import Any

_DATABASE_HELP = "the file of the boards (default: your own boards)"
_LARGEST_PORT, _MOST_WORKERS = 65_535, 64
_EPILOG = (
    "It listens on this machine alone unless there is a certificate (--tls-cert, --tls-key) or a "
    "proxy in front of it that encrypts (--behind-proxy). Make the first account with: "
    "callboard serve user add NAME"
)

Commands = argparse._SubParsersAction  # noqa: SLF001 (argparse gives the type no public name)


def add_serve(commands: "Commands[argparse.ArgumentParser]") -> None:
    """Let a parser read `serve` and everything below it."""
    serve = commands.add_parser("serve", help="serve boards to others", epilog=_EPILOG)
    serve.set_defaults(run=_serve)
    serve.add_argument("--host", default="127.0.0.1", help="the address to listen on (127.0.0.1)")
    serve.add_argument("--port", type=_port, default=8642, help="the port, 0 for any (8642)")
    serve.add_argument("--database", metavar="PATH", help=_DATABASE_HELP)
    serve.add_argument("--attachments", type=Path, metavar="FOLDER", help="where uploads are kept")
    serve.add_argument("--workers", type=_workers, default=1, help="how many processes (1)")
    serve.add_argument("--behind-proxy", action="store_true", help="trust the headers of a proxy")
    serve.add_argument("--public-url", metavar="URL", help="where others reach it, for links")
    serve.add_argument("--tls-cert", type=Path, metavar="FILE", help="a certificate, as PEM")
    serve.add_argument("--tls-key", type=Path, metavar="FILE", help="its key, as PEM")
    serve.add_argument("--mail", type=Path, metavar="FILE", help="where e-mails go, as TOML")
    _add_user(serve)


def _add_user(serve: argparse.ArgumentParser) -> None:
    below = serve.add_subparsers(title="commands", metavar="COMMAND")
    user = below.add_parser("user", help="add, list and remove accounts")
    actions = user.add_subparsers(title="commands", metavar="COMMAND", required=True)
    add = actions.add_parser("add", help="make an account; the first is an administrator")
    add.add_argument("name", metavar="NAME", help="what the person logs in as")
    add.add_argument("--display-name", default="", help="what others see (NAME)")
    add.add_argument("--email", default="", help="where notifications go")
    add.add_argument("--admin", action="store_true", help="may do everything on every board")
    password = actions.add_parser("password", help="give an account another password")
    password.add_argument("name", metavar="NAME")
    listed = actions.add_parser("list", help="list the accounts")
    remove = actions.add_parser("remove", help="remove an account; what it wrote stays")
    remove.add_argument("name", metavar="NAME")
    for parser, run in ((add, _add), (password, _password), (listed, _list), (remove, _remove)):
        parser.set_defaults(run=run)
        # Said after the command or before it, it is the same: no default may hide the latter.
        parser.add_argument(
            "--database", metavar="PATH", default=argparse.SUPPRESS, help=_DATABASE_HELP
        )


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > _LARGEST_PORT:
        raise argparse.ArgumentTypeError(f"must be a number from 0 to {_LARGEST_PORT}")
    return int(text)


def _workers(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= _MOST_WORKERS:
        raise argparse.ArgumentTypeError(f"must be a number from 1 to {_MOST_WORKERS}")
    return int(text)


def _serve(asked: Mapping[str, Any]) -> int:
    from tui.service.http.options import Options
    from tui.service.http.serving import serve

    return serve(
        Options(
            host=asked["host"],
            port=asked["port"],
            database=_database(asked),
            attachments=asked["attachments"],
            workers=asked["workers"],
            behind_proxy=asked["behind_proxy"],
            public_url=asked["public_url"],
            tls_cert=asked["tls_cert"],
            tls_key=asked["tls_key"],
            mail=asked["mail"],
        )
    )


def _add(asked: Mapping[str, Any]) -> int:
    from tui.cli import accounts

    return accounts.add(
        _database(asked),
        asked["name"],
        display_name=asked["display_name"],
        email=asked["email"],
        administrator=asked["admin"],
    )


def _password(asked: Mapping[str, Any]) -> int:
    from tui.cli import accounts

    return accounts.password(_database(asked), asked["name"])


def _list(asked: Mapping[str, Any]) -> int:
    from tui.cli import accounts

    return accounts.listed(_database(asked))


def _remove(asked: Mapping[str, Any]) -> int:
    from tui.cli import accounts

    return accounts.remove(_database(asked), asked["name"])


def _database(asked: Mapping[str, Any]) -> str:
    """The database that was named, or the person's own boards."""
    from tui.config.paths import Places

    return asked.get("database") or str(Places.find().boards)
