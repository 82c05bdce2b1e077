"""How much an archive may hold for its size.

The rule it keeps: what a file unpacks to is bounded by what it is long, whatever it claims; an
archive that would break this bound is written without compression.
"""

LONGEST_LINE = 128 * 1024 * 1024
"""Bytes of one row; a request, from which every row came, is far shorter."""

LONGEST_MANIFEST = 64 * 1024 * 1024

_FREE = 16 * 1024 * 1024
_TIMES = 100


def is_dense(unpacked: int, packed: int) -> bool:
    """Whether so many bytes are too many for a file that is `packed` bytes long."""
    return unpacked > _FREE + _TIMES * packed
