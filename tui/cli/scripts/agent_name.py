"""The name of an agent that acts for the user, as it was given."""

from tui.errors import WrongInput
from tui.text import clean
from tui.text.agent_marks import LONGEST_NAME, SIGN


def agent_given(words: str) -> str:
    """The name of an agent that was given. Raises `WrongInput`."""
    name = " ".join(clean.line(words).split()).removeprefix(SIGN).strip()
    if len(name) > LONGEST_NAME or ":" in name:
        raise WrongInput(f"an agent’s name has at most {LONGEST_NAME} characters and no colon.")
    return name
