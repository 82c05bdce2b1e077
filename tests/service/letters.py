"""A sender for tests: it keeps letters, and fails when it is told to."""

from dataclasses import dataclass, field

from tui.service.mail import Email, MailQueue


@dataclass
class Desk:
    """Takes letters instead of a server."""

    letters: list[Email] = field(default_factory=list)
    failures: list[Exception] = field(default_factory=list)

    def send(self, letter: Email) -> None:
        if self.failures:
            raise self.failures.pop(0)
        self.letters.append(letter)

    def delivered(self, room: MailQueue) -> list[Email]:
        """Everything that was sent, once the room has closed."""
        room.close()
        return self.letters
