"""Applications on a socket of this machine, in a thread of the tests."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import uvicorn
from starlette.types import ASGIApp

_UNTIL = 10.0


@contextmanager
def listening(make: Callable[[str], ASGIApp]) -> Iterator[str]:
    """The origin, as `http://127.0.0.1:8642`, at which an application answers meanwhile.

    `make` makes the application, which may need its origin for links.
    """
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        origin = f"http://127.0.0.1:{listener.getsockname()[1]}"
        config = uvicorn.Config(make(origin), lifespan="auto", ws="none", log_config=None)
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, args=([listener],), daemon=True)
        thread.start()
        yield origin
        server.should_exit = True
        thread.join(_UNTIL)
