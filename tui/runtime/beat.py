"""The moments at which the program looks for what nobody tells it.

All looks fall on multiples of their pause, so that it wakes once for several of them: to wake takes
longer than a look.
"""


def until_beat(pause: float, now: float) -> float:
    """Seconds until the next multiple of a pause, from the time of a monotonic clock on."""
    return pause - now % pause
