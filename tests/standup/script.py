"""What a team of six did in November 2026 on two boards: written out, and chores by simple rules.

Ann (who made the boards), Bob, Eve, Ida and Joe are members, Vic is a viewer. Joe works late at
night. Nobody works on the 26th, a holiday, and on weekends only Joe does. All times are in UTC.
A line is a time, a login, a verb, the short name of a card, and what the verb needs:

    add CARD BOARD: TITLE      assign CARD LOGINS      due CARD DATE       label CARD blocked
    move CARD STAGE            comment CARD TEXT       priority CARD WORD  unlabel CARD blocked
    close|reopen|archive CARD  parts CARD COUNT (new subtasks)             finish CARD COUNT
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from random import Random

BOARDS = {
    "Website": ("Backlog", "Doing", "Review", "Done"),
    "Platform": ("Queue", "Building", "Testing", "Shipped"),
}
"""The stages of each board; the last one closes the cards moved into it."""
TEAM = {
    "ann": "Ann Lee",
    "bob": "Bob Ray",
    "eve": "Eve Moss",
    "ida": "Ida Norn",
    "joe": "Joe Park",
    "vic": "Vic Hall",
}
VIEWER = "vic"
HOLIDAY = date(2026, 11, 26)
FOUNDED = datetime(2026, 10, 29, 10, 0, tzinfo=UTC)
"""When Ann makes the boards."""

_WRITTEN: Mapping[str, str] = {
    "2026-10-29": """
        10:30 ann add login Website: Fix the login redirect
        10:31 ann add search Website: Empty state of the search
        10:32 ann add footer Website: Footer with *all* [links]
        10:33 ann add prices Website: New page of prices
        10:34 ann add images Website: Smaller images on the start page
        10:40 ann add dns Platform: Move the DNS zone
        10:41 ann add backup Platform: Restore a backup once
        10:42 ann add mails Platform: Send failed mails again
    """,
    "2026-11-02": """
        09:40 ann assign login ann
        09:41 ann move login Doing
        10:00 bob assign search bob
        10:01 bob priority search medium
        10:02 bob move search Doing
        11:00 eve assign footer eve
        11:05 eve move footer Doing
        13:00 bob assign dns bob joe
        13:05 bob move dns Building
    """,
    "2026-11-03": """
        09:30 ida assign prices ida
        09:31 ida due prices 2026-11-10 12:00
        14:00 bob move search Review
        15:00 ida add feed Website: Feed of the news
        15:01 ida assign feed ida bob
        22:30 joe assign backup joe
        22:40 joe move backup Building
    """,
    "2026-11-04": """
        10:00 ann due login 2026-11-06 17:00
        10:10 ann parts login 3
        16:00 ann finish login 1
        16:30 ida move feed Doing
    """,
    "2026-11-05": """
        10:00 eve label footer blocked
        10:01 eve comment footer Blocked: waiting for the lawyers
        15:00 ann move login Review
        15:30 bob move dns Testing
    """,
    "2026-11-06": """
        10:00 ida move prices Doing
        11:00 ida close images
        13:00 ida move feed Review
        14:05 bob move search Done
        15:00 ida move feed Doing
        15:10 eve add menu Website: Keyboard focus in the menu
        15:11 eve move menu Doing
        15:30 ida add tables Website: Tables on small screens
        15:31 ida assign tables ida
        16:20 bob comment login The redirect works in Safari too
    """,
    "2026-11-07": """
        22:40 joe add cookies Website: Banner without tracking
        23:10 joe comment login Not behind a proxy
    """,
    "2026-11-08": """
        23:50 joe assign cookies joe
        23:55 joe move cookies Doing
    """,
    "2026-11-09": """
        08:15 ann reopen images
        11:00 ann finish login 2
        11:30 ann move login Done
        14:00 eve unlabel footer blocked
        14:30 eve comment footer The lawyers sent the text
    """,
    "2026-11-10": """
        09:00 eve assign menu eve
        10:00 ida assign mails ida bob
        10:01 ida move mails Building
        15:00 eve move footer Review
        16:00 ida move prices Review
    """,
    "2026-11-11": """
        10:00 bob archive search
        11:00 ida move prices Done
        14:00 ann add certs Platform: Renew certificates by itself
        14:01 ann priority certs high
        14:02 ann assign certs ann
        14:30 ann move certs Building
    """,
    "2026-11-12": """
        09:30 eve move footer Done
        10:30 ida move feed Review
        16:00 ann add logs Platform: Logs as JSON
        16:01 ann assign logs eve
    """,
    "2026-11-13": """
        10:00 bob move feed Done
        10:30 ida due mails 2026-11-17 17:00
        11:00 eve move logs Building
        12:00 joe due backup 2026-11-18 17:00
        15:00 eve move menu Review
    """,
    "2026-11-16": """
        10:30 joe move dns Shipped
        10:50 ida parts mails 4
        11:30 bob comment mails The third one never arrives
        14:00 eve finish mails 1
        15:00 ida move mails Testing
        23:30 joe move backup Testing
    """,
    "2026-11-17": """
        03:15 ann move certs Shipped
        09:00 eve add deploy Platform: Deploy with one command
        09:05 eve assign deploy eve
        09:06 eve due deploy 2026-11-20 12:00
        13:10 eve move logs Testing
        13:11 eve move logs Shipped
        15:00 ida label mails blocked
        15:01 ida comment mails Blocked: the provider limits us
        18:50 ann archive logs
    """,
    "2026-11-18": """
        08:50 bob add alerts Platform: Alerts to the telephone
        08:55 bob assign alerts bob
        09:05 bob move alerts Building
        09:00 bob assign images bob
        09:10 bob move images Doing
        13:00 joe move backup Shipped
        14:00 ann add about Website: Photos of the team
        14:05 ann assign about vic
        14:06 ann priority about medium
    """,
    "2026-11-19": """
        09:30 eve move menu Done
        10:00 ann move about Doing
        14:00 eve move deploy Building
        14:30 eve add icons Website: Icons in one file
        14:31 eve assign icons eve
        15:00 eve move icons Doing
        16:00 ida unlabel mails blocked
    """,
    "2026-11-20": """
        10:00 ida add finder Website: Search in the archive
        10:05 ida assign finder ida
        10:10 ida move finder Doing
        10:15 bob add mobile Website: Menu on small screens
        10:16 bob assign mobile bob ann
        10:20 bob move mobile Doing
        15:00 ann move about Review
        15:30 eve due deploy 2026-11-23 12:00
    """,
    "2026-11-23": """
        09:00 eve move icons Review
        09:30 bob move mails Shipped
        10:00 bob move images Review
        10:30 ann add rates Platform: Limit the rate of requests
        14:00 eve move deploy Testing
        14:20 eve comment deploy It takes nine minutes
        23:20 joe move cookies Review
    """,
    "2026-11-24": """
        08:00 ida add fonts Website: Fonts from our own server
        10:00 ida assign fonts ida
        14:00 bob move images Done
        15:00 joe priority cookies high
    """,
    "2026-11-25": """
        09:30 ida move fonts Doing
        10:00 eve move deploy Shipped
        11:00 ida label finder blocked
        11:01 ida comment finder Blocked: the index is too large
        14:30 ann add legal Website: Legal notice
        14:31 ann due legal 2026-11-29 10:00
        14:32 ann assign legal ann
        15:00 bob comment about Which team?
        16:00 ida comment finder Blocked: waiting for a larger disk
        17:00 bob archive images
    """,
    "2026-11-26": """
        22:10 joe move cookies Done
    """,
    "2026-11-27": """
        08:20 ida move finder Review
        08:25 eve comment about The people of the first page
        08:40 joe archive cookies
        14:00 ann move about Done
    """,
}
_CHORES = (
    "Update the packages",
    "Rotate the keys",
    "Shorten the build",
    "Empty the attic",
    "Thank the testers",
    "Delete old branches",
    "Tidy the icons",
    "Check the alarms",
    "Proofread the help",
    "Upgrade the database",
    "Compress the pictures",
    "Order new disks",
    "Reply to the survey",
    "Split the pipeline",
)
_SEED = 2


@dataclass(frozen=True, slots=True)
class Happening:
    """Something that a person does at a time."""

    at: datetime
    who: str
    verb: str
    card: str
    value: str = ""

    def __str__(self) -> str:
        """A line for people."""
        words = f"{self.at:%a %d %b %H:%M} {self.who} {self.verb} {self.card} {self.value}"
        return words.rstrip()


def month() -> list[Happening]:
    """Everything that happens, in order."""
    return sorted([*_written(), *_chores()], key=lambda one: one.at)


def _written() -> Iterator[Happening]:
    for day, lines in _WRITTEN.items():
        for line in lines.strip().splitlines():
            at, *words = line.split(maxsplit=4)
            yield Happening(datetime.fromisoformat(f"{day}T{at}+00:00"), *words)


def _chores() -> Iterator[Happening]:
    """Each is begun on a working day by somebody, and goes through the stages in a few days.

    Chores of the two boards take turns. In the third stage somebody else may comment; two working
    days after the end the card is archived.
    """
    random = Random(_SEED)  # noqa: S311 - the same every time
    people = [login for login in TEAM if login != VIEWER]
    days = [day for day in map(_after_founding, range(4, 33)) if _is_working(day)]
    for number, title in enumerate(_CHORES, 1):
        board = tuple(BOARDS)[number % 2]
        _, second, third, last = BOARDS[board]
        index = random.randrange(len(days))
        who = people[random.randrange(len(people))]
        card = f"chore{number}"
        steps = [
            ("add", f"{board}: {title}", 0),
            ("assign", who, 0),
            ("move", second, 0),
            ("move", third, 1 + random.randrange(4)),
            ("comment", "Looks good to me", 0),
            ("move", last, random.randrange(3)),
            ("archive", "", 2),
        ]
        minutes = random.randrange(60)
        commenter = people[random.randrange(len(people))]
        for hour, (verb, value, later) in enumerate(steps, 9):
            index += later
            if index >= len(days):
                break
            if verb == "comment" and commenter == who:
                continue
            at = datetime.combine(days[index], time(hour, minutes), UTC)
            yield Happening(at, commenter if verb == "comment" else who, verb, card, value)


def _after_founding(days: int) -> date:
    return FOUNDED.date() + timedelta(days)


def _is_working(day: date) -> bool:
    return day.weekday() < 5 and day != HOLIDAY


if __name__ == "__main__":
    print(*month(), sep="\n")  # noqa: T201 - to be read
