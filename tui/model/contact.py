"""The contact of a CRM that a task is about, as it is typed and said.

The rule it keeps: a contact is known by its number alone; what is no number is explained.
"""

from tui.errors import CallboardError

LARGEST = 2**53 - 1
"""Beyond this a service that counts in floating point would name another contact."""


def typed_contact(words: str) -> int | None:
    """The number that was typed, with or without a `#`; None for nothing.

    Raises `CallboardError` for anything else.
    """
    digits = words.strip().removeprefix("#").strip()
    if not digits:
        return None
    if not (digits.isascii() and digits.isdecimal()) or not 0 < int(digits[:20]) <= LARGEST:
        raise CallboardError(
            f"A contact is a number from 1 to {LARGEST}.", hint="Look it up in the CRM."
        )
    return int(digits)


def contact_words(contact_id: int | None) -> str:
    """A contact for people."""
    return "no contact" if contact_id is None else f"contact #{contact_id}"
