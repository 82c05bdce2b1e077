"""A standup in words: Markdown, plain text and JSON, with hostile titles too."""

import json
from dataclasses import replace
from datetime import UTC, timedelta
from zoneinfo import ZoneInfo

from hypothesis import given, strategies as st
from markdown_it import MarkdownIt

from tests.model.standup.team import ANN, NOW, SINCE, both, platform, task, website
from tui.model.events.history import Event, EventKind
from tui.model.standup.report import BoardSource, standup
from tui.model.standup.window import midnight
from tui.model.standup.writing import Lens, document, markdown, plain, slack

WALK = """\
# Standup: Website, Platform

Monday 9 November 2026, since Friday 6 November

2 closed · 1 moved · 1 blocked · 2 overdue · 2 stale · 1 unassigned · 1 new comment

As of Mon 9 Nov 08:30. Activity before Sat 7 Nov 10:00 is not loaded.

## Website: Done (2)

- #141 Put away · Done · seen closed Fri 15:00
- #131 Finished · Ann Lee · Done · closed Fri 14:05, moved Doing → Done

## Website: Review (2 of 1)

- **blocked: the DNS, overdue, stale** · #122 Waits · Bob Ray · 6d · 2d overdue · 1 new comment
- #121 For the viewer · Vic Hall · 3d · medium

## Website: Doing (3)

- **stale** · #112 Seen for long · Ann Lee · ≥7d · high
- **unassigned** · #113 Nobody's
- #111 Fresh · Ann Lee, Bob Ray · 45m · moved Backlog → Doing · ☑4/7

## Website: Backlog (4, 1 new)

- **overdue** · #103 Overdue here · Bob Ray · 2d overdue

## Platform: Queue (2)
"""
BY_PERSON = """\
Standup: Website

Monday 9 November 2026, since Friday 6 November

2 closed · 1 moved · 1 blocked · 2 overdue · 2 stale · 1 unassigned · 1 new comment

Ann Lee

Done or moved

- #111 Fresh · with Bob Ray · Doing · 45m · moved Backlog → Doing · ☑4/7
- #131 Finished · Done · closed Fri 14:05, moved Doing → Done

Now

- #111 Fresh · with Bob Ray · Doing · 45m · moved Backlog → Doing · ☑4/7

Next

- #102 Pay the bill · Backlog · due wed

Needs attention

- stale · #112 Seen for long · Doing · ≥7d · high

Bob Ray

Done or moved

- #111 Fresh · with Ann Lee · Doing · 45m · moved Backlog → Doing · ☑4/7
- #131 Finished · with Ann Lee · Done · closed Fri 14:05, moved Doing → Done

Now

- #111 Fresh · with Ann Lee · Doing · 45m · moved Backlog → Doing · ☑4/7

Needs attention

- blocked: the DNS, overdue, stale · #122 Waits · Review · 6d · 2d overdue · 1 new comment
- overdue · #103 Overdue here · Backlog · 2d overdue

Eve Moss

Done or moved

- #131 Finished · with Ann Lee · Done · closed Fri 14:05, moved Doing → Done

Next

- #104 Just made · Backlog · new

Vic Hall (no movement)

Now

- #121 For the viewer · Review · 3d · medium

Unassigned

- #113 Nobody's · Doing
"""


def test_the_boards_are_walked_in_markdown() -> None:
    assert markdown(both(), Lens.WALK) == WALK


def test_the_people_are_heard_in_plain_text_and_with_the_boards_in_markdown() -> None:
    assert plain(standup([website()], NOW, SINCE), Lens.BY_PERSON) == BY_PERSON
    said = markdown(both(), Lens.BY_PERSON)
    assert (
        "\n## Vic Hall (no movement)\n\n### Now\n\n- #121 For the viewer · Website › Review" in said
    )
    assert (
        "- #104 Just made · Website › Backlog · new\n- #201 First of the queue · Platform › Q"
        in said
    )
    assert said.endswith("\n## Unassigned\n\n- #113 Nobody's · Website › Doing\n")


def test_for_slack_numbers_are_links_and_texts_of_others_are_no_markup() -> None:
    source = website()
    card = replace(source.view.tasks[12][0], title="<!channel> | <https://x|y> & co")
    view = replace(source.view, tasks={**source.view.tasks, 12: (card, *source.view.tasks[12][1:])})
    found = standup([replace(source, view=view)], NOW, SINCE)
    lines = slack(found, Lens.WALK, "https://example.org/{board}|?a=1&b={id}").splitlines()
    assert lines[0] == "*Standup: Website*"
    assert "*Review (2 of 1)*" in lines
    page = "https://example.org/1%7C?a=1&amp;b"
    hostile = "&lt;!channel&gt; | &lt;https://x|y&gt; &amp; co"
    assert any(line.startswith(f"• <{page}={card.id}|#{card.id}> {hostile} · ") for line in lines)
    assert any(
        line.startswith(f"• *blocked: the DNS, overdue, stale* · <{page}=122|#122> Waits · ")
        for line in lines
    )
    assert "• *stale* · #112 Seen for long · Ann Lee · ≥7d · high" in slack(found, Lens.WALK, "")


def test_an_empty_standup_says_so_and_names_who_did_nothing() -> None:
    quiet = platform()
    now = NOW.replace(year=2027, month=1, day=4)
    whole = replace(quiet.history, complete_since=SINCE, read_at=now - timedelta(minutes=10))
    found = standup([replace(quiet, history=whole)], now, SINCE)
    assert markdown(found, Lens.WALK) == (
        "# Standup: Platform\n\nMonday 4 January 2027, since Friday 6 November 2026\n\n"
        "Nothing happened since Friday 6 November 2026.\n\n## Queue (2)\n"
    )
    nobodys = [replace(one, assignees=()) for one in quiet.view.tasks[20]]
    view = replace(quiet.view, tasks={20: tuple(nobodys)})
    found = standup([BoardSource(view, replace(whole, complete_since=None))], now, SINCE)
    assert plain(found, Lens.BY_PERSON) == (
        "Standup: Platform\n\nMonday 4 January 2027, since Friday 6 November 2026\n\n"
        "Some activity is not loaded.\n\n"
        "Nothing happened since Friday 6 November 2026.\n\nNo movement: Ann Lee, Eve Moss\n"
    )


@given(st.text("ab *_[]()<>&;#`~!\\|-+1.:/=\"'", min_size=1, max_size=12).map(str.strip))
def test_markdown_shows_the_titles_of_others_as_they_are(title: str) -> None:
    source = website()
    name = replace(ANN, name=title or "?")
    board = replace(source.view.board, title=title or "?", people=(name,))
    card = task(111, title or "?", 11, name, labels=source.view.tasks[12][1].labels)
    reason = Event(1, 111, EventKind.COMMENTED, NOW.astimezone(UTC), new=f"Blocked: {title}")
    view = replace(source.view, board=board, people=(name,), tasks={11: (card,)})
    history = replace(source.history, events=(reason,), read_at=NOW)
    found = standup([BoardSource(view, history)], NOW, SINCE)
    for lens in Lens:
        tokens = MarkdownIt("commonmark").enable("strikethrough").parse(markdown(found, lens))
        shown = [
            "".join(part.content for part in token.children or []).removeprefix("- ")
            for token in tokens
            if token.type == "inline"
        ]
        lines = [line.removeprefix("- ") for line in plain(found, lens).splitlines() if line]
        assert shown == lines
        strong = [
            part for token in tokens for part in token.children or [] if part.type == "strong_open"
        ]
        assert len(strong) == 1


def test_the_document_has_both_lenses_with_times_in_the_zone() -> None:
    told = json.loads(json.dumps(document(both())))
    assert list(told) == [
        *("title", "now", "since", "known", "boards", "walk", "people", "nobody", "no_movement")
    ]
    assert told["since"] == "2026-11-06T00:00:00+01:00"
    assert told["known"][1] == {
        "board": 2,
        "read_at": "2026-11-09T08:30:00+01:00",
        "complete_since": "2026-11-07T10:00:00+01:00",
    }
    assert [
        (one["section"], one["stage"], one["limit"], one["count"], one["new"])
        for one in told["walk"]
    ] == [
        ("done", None, None, 2, 0),
        ("stage", "Review", 1, 2, 0),
        ("stage", "Doing", None, 3, 0),
        ("backlog", "Backlog", None, 4, 1),
        ("backlog", "Queue", None, 2, 0),
    ]
    bob = told["people"][1]
    assert (bob["name"], bob["login"], bob["moved"], bob["next"]) == ("Bob Ray", "bob", True, [])
    assert bob["stuck"][0] == {
        "id": 122,
        "title": "Waits",
        "board": 1,
        "stage": "Review",
        "people": ["Bob Ray"],
        "flags": ["blocked", "overdue", "stale"],
        "blocked": "the DNS",
        "since": "2026-11-03T10:00:00+01:00",
        "since_is_exact": True,
        "closed_at": None,
        "moved": None,
        "new": False,
        "priority": "low",
        "due": "2026-11-07T17:00:00+01:00",
        "subtasks": [0, 0],
        "new_comments": 1,
    }
    assert bob["done"][1]["closed_at"] == "2026-11-06T14:05:00+01:00"
    assert bob["done"][1]["moved"] == ["Doing", "Done"]


def test_the_hours_are_those_of_the_zone() -> None:
    far = NOW.astimezone(ZoneInfo("Asia/Tokyo"))
    said = plain(standup([website()], far, SINCE), Lens.WALK)
    assert "closed Fri 22:05" in said


def test_a_window_that_begins_today_is_called_today() -> None:
    said = plain(standup([website()], NOW, midnight(NOW.date(), NOW)), Lens.WALK)
    assert "Monday 9 November 2026, today" in said


def test_no_card_is_unassigned_on_a_board_of_one_person() -> None:
    source = website()
    alone = replace(source, view=replace(source.view, people=(ANN,)))
    assert "unassigned" in plain(standup([source], NOW, SINCE), Lens.WALK)
    assert "unassigned" not in plain(standup([alone], NOW, SINCE), Lens.WALK)
