"""Letters: sent on a thread of their own, by SMTP, and never in anybody's way."""

import base64
import logging
import smtplib
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_string, policy

import pytest

from tests.service.letters import Desk
from tui.service.mail import Email, MailQueue
from tui.service.smtp import MailSettings, MailSettingsWrong, SmtpSender

_LETTER = Email("bob@example.org", "Größe", "Line one\n.\nLine three\n")
_TABLE = {"host": "localhost", "from": "board@example.org", "security": "none"}


@dataclass
class _Blocked:
    """A server that does not answer until it is allowed to."""

    allowed: threading.Event = field(default_factory=threading.Event)
    sent: list[Email] = field(default_factory=list)

    def send(self, letter: Email) -> None:
        self.allowed.wait(10)
        self.sent.append(letter)


def test_posting_waits_for_nobody_and_keeps_the_order() -> None:
    server = _Blocked()
    room = MailQueue(server)
    letters = [Email("a@b", str(number), "") for number in range(5)]
    for letter in letters:
        room.post(letter)
    assert server.sent == []
    server.allowed.set()
    room.close()
    assert server.sent == letters


def test_a_line_that_is_full_drops_letters_and_says_so(caplog: pytest.LogCaptureFixture) -> None:
    server = _Blocked()
    room = MailQueue(server)
    for _ in range(1002):
        room.post(_LETTER)
    assert "dropped" in caplog.text
    server.allowed.set()
    room.close()
    assert 1000 <= len(server.sent) <= 1001


def test_a_failure_is_logged_without_secrets_and_stops_nothing(
    caplog: pytest.LogCaptureFixture,
) -> None:
    refusal = smtplib.SMTPAuthenticationError(535, b"bob hunter2 is wrong")
    desk = Desk(failures=[refusal, OSError("hunter2")])
    room = MailQueue(desk)
    for _ in range(3):
        room.post(_LETTER)
    assert desk.delivered(room) == [_LETTER]
    assert caplog.text.count("could not be sent") == 2
    assert "SMTPAuthenticationError" in caplog.text
    assert "hunter2" not in caplog.text
    assert "bob" not in caplog.text


def test_a_closed_room_takes_no_more(caplog: pytest.LogCaptureFixture) -> None:
    desk = Desk()
    room = MailQueue(desk)
    room.close()
    with caplog.at_level(logging.WARNING):
        room.post(_LETTER)
    room.close()
    assert desk.letters == []
    assert "closed" in caplog.text


def test_closing_does_not_wait_for_a_server_that_hangs() -> None:
    server = _Blocked()
    room = MailQueue(server)
    room.post(_LETTER)
    room.close(patience=0.01)
    assert server.sent == []
    server.allowed.set()


@dataclass
class _Post:
    """What a server was told."""

    port: int
    lines: list[str] = field(default_factory=list)


@contextmanager
def _server(*, refuses: bool = False) -> Iterator[_Post]:
    """A server that takes one letter, or refuses the login."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        post = _Post(listener.getsockname()[1])
        thread = threading.Thread(target=_talk, args=(listener, post, refuses), daemon=True)
        thread.start()
        yield post
        thread.join(10)
        assert not thread.is_alive()


def _talk(listener: socket.socket, post: _Post, refuses: bool) -> None:
    link, _ = listener.accept()
    with link, link.makefile("rw", newline="\r\n", encoding="utf-8") as file:
        is_letter = False

        def say(words: str) -> None:
            file.write(words + "\n")
            file.flush()

        say("220 hello")
        for raw in file:
            line = raw.rstrip("\r\n")
            post.lines.append(line)
            if is_letter:
                if line == ".":
                    is_letter = False
                    say("250 kept")
            elif line.lower().startswith("ehlo"):
                say("250-hello")
                say("250 AUTH PLAIN")
            elif line.startswith("AUTH"):
                say("535 no" if refuses else "235 welcome")
            elif line.lower() == "data":
                is_letter = True
                say("354 go on")
            elif line.lower() == "quit":
                say("221 bye")
                return
            else:
                say("250 yes")


def test_a_letter_goes_out_by_smtp() -> None:
    with _server() as post:
        table = _TABLE | {"port": post.port, "login": "me", "password": "hunter2"}
        SmtpSender(MailSettings.read(table)).send(_LETTER)
    sent = base64.b64encode(b"\0me\0hunter2").decode()
    assert f"AUTH PLAIN {sent}" in post.lines
    begins = post.lines.index("data") + 1
    letter = message_from_string("\n".join(post.lines[begins:-2]), policy=policy.default)
    assert (letter["To"], letter["From"]) == ("bob@example.org", "board@example.org")
    assert (letter["Subject"], letter["Auto-Submitted"]) == ("Größe", "auto-generated")
    assert "Line three" in post.lines


def test_a_refused_login_says_no_password() -> None:
    with _server(refuses=True) as post:
        table = _TABLE | {"port": post.port, "login": "me", "password": "hunter2"}
        sender = SmtpSender(MailSettings.read(table))
        with pytest.raises(smtplib.SMTPException) as refused:
            sender.send(_LETTER)
    assert "hunter2" not in f"{refused.value!r} {sender!r}"


def test_a_server_that_cannot_encrypt_gets_no_letter() -> None:
    with _server() as post:
        table = _TABLE | {"port": post.port, "security": "starttls", "login": "me"}
        with pytest.raises(smtplib.SMTPNotSupportedError):
            SmtpSender(MailSettings.read(table)).send(_LETTER)
    assert not any(line.startswith("AUTH") for line in post.lines)


@pytest.mark.parametrize("subject", ["x\nBcc: all@example.org", "x\r\ny"])
def test_a_head_of_two_lines_is_never_sent(subject: str) -> None:
    with _server() as post:
        sender = SmtpSender(MailSettings.read(_TABLE | {"port": post.port}))
        with pytest.raises(ValueError, match="linefeed or carriage return"):
            sender.send(Email("bob@example.org", subject, ""))


@pytest.mark.parametrize(
    ("change", "name"),
    [
        ({"host": ""}, "host"),
        ({"host": 7}, "host"),
        ({"from": "nobody"}, "from"),
        ({"port": 0}, "port"),
        ({"port": "25"}, "port"),
        ({"port": True}, "port"),
        ({"security": "maybe"}, "security"),
        ({"host": "mail.example.org", "login": "me"}, "security"),
    ],
)
def test_wrong_settings_are_named(change: dict[str, object], name: str) -> None:
    with pytest.raises(MailSettingsWrong) as refused:
        MailSettings.read(_TABLE | {"password": "hunter2"} | change)
    assert f"“{name}”" in refused.value.message
    assert refused.value.hint
    assert "hunter2" not in str(refused.value)


@pytest.mark.parametrize(("security", "port"), [("starttls", 587), ("tls", 465), ("none", 25)])
def test_the_port_follows_from_the_security(security: str, port: int) -> None:
    settings = MailSettings.read(_TABLE | {"security": security, "password": "hunter2"})
    assert settings.port == port
    assert "hunter2" not in repr(settings)
