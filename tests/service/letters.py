"""A sender for tests: it keeps letters, and fails when it is told to."""

from dataclasses import dataclass, field

from tui.service.mail.mail import Letter, MailRoom


@dataclass
class Desk:
    """Takes letters instead of a server."""

    letters: list[Letter] = field(default_factory=list)
    failures: list[Exception] = field(default_factory=list)

    def send(self, letter: Letter) -> None:
        if self.failures:
            raise self.failures.pop(0)
        self.letters.append(letter)

    def delivered(self, room: MailRoom) -> list[Letter]:
        """Everything that was sent, once the room has closed."""
        room.close()
        return self.letters
