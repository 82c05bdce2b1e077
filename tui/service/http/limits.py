"""What the server allows anybody who can reach it, before they have said who they are."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Sizes in bytes, times in seconds; the limits of connections hold for each process.

    `head_seconds` is how long a complete request line with headers may take, counted from the
    beginning of the connection or the end of the last reply. A body must come without a pause of
    `body_pause_seconds` and, after as much time again, with `body_bytes_per_second` on the average.
    After a reply to a request whose body is still coming, `linger_seconds` are left for the client
    to read it. A reply of which nothing was read for `stalled_seconds` is given up.
    """

    head_bytes: int = 32 * 1024
    head_seconds: float = 10.0
    body_pause_seconds: float = 20.0
    body_bytes_per_second: float = 1000.0
    linger_seconds: float = 5.0
    stalled_seconds: float = 60.0
    connections_per_address: int | None = 256
    connections: int = 900

    def body_deadline(self, begun: float, now: float, received: int) -> float:
        """Until when more of a body must come that began at one time and is so far now."""
        on_the_average = received / self.body_bytes_per_second
        return self.body_pause_seconds + min(now, begun + on_the_average)
