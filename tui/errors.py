"""The root of every error that is meant for a person.

A message is one clean sentence: what failed, what is safe and what to do about it. It holds no
credentials, no markup and no text that has not been cleaned.
"""


class CallboardError(Exception):
    """Something failed in a way that a person can be told about.

    `message` says what failed and what is safe; `hint` says what to press or type, or is empty.
    """

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class WrongInput(CallboardError):
    """Arguments, settings or what was typed are wrong, whatever the boards hold."""


class CannotGoOn(CallboardError):
    """Something the program needs cannot be used; it ends, says why, and has changed nothing."""


def reason_of(error: OSError) -> str:
    """Why a file could not be used, within a sentence."""
    return (error.strerror or "no reason").lower()
