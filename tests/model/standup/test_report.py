"""Every card is where the rules say, on any board with any history."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from hypothesis import given, strategies as st

from tests.model.standup.team import ANN, BERLIN, BLOCKED, BOB, EVE, NOW, SINCE, VIC, both, website
from tui.model.blocked_by import Blocker
from tui.model.board import Board, BoardView, Stage, StageKind
from tui.model.events.history import BoardHistory, Event, EventKind, Stay, stays, thresholds
from tui.model.people import Account
from tui.model.relations import related
from tui.model.stage_kinds import kinds_of
from tui.model.standup.report import (
    BoardSource,
    Flag,
    SectionKind,
    Standup,
    StandupCard,
    rows_of,
    standup,
)
from tui.model.standup.window import midnight
from tui.model.task import Label, Person, Status, Task

STRANGER = Person(9, "Zoe Stranger", "zoe")
PEOPLE = (ANN, BOB, EVE, VIC)
TITLES = ("Inbox", "Doing", "Review", "Testing", "Done")
WALL = NOW.replace(tzinfo=None)
MOMENTS = st.integers(0, 9 * 24 * 12).map(lambda n: NOW.astimezone(UTC) - timedelta(minutes=5 * n))


@st.composite
def sources(draw: st.DrawFn, board_id: int) -> BoardSource:
    """A board with up to five stages, cards in all of them, and a random history."""
    count = draw(st.integers(1, 5))
    stages = tuple(
        Stage(
            10 * board_id + index,
            board_id,
            TITLES[index],
            default_status=draw(st.sampled_from(Status)),
            limit=draw(st.none() | st.integers(0, 2)),
            kind=draw(st.none() | st.sampled_from(StageKind)),
        )
        for index in range(count)
    )
    tasks: dict[int, list[Task]] = {stage.id: [] for stage in stages}
    archived = []
    for number in range(draw(st.integers(0, 8))):
        stage = draw(st.sampled_from(stages))
        task = Task(
            100 * board_id + number,
            board_id,
            stage.id,
            f"Card {number}",
            draw(st.sampled_from(Status)),
            due_at=draw(st.none() | st.integers(-90, 90).map(lambda h: WALL + timedelta(hours=h))),
            created_at=draw(st.none() | MOMENTS),
            labels=draw(st.sampled_from([(), (BLOCKED,), (Label(7, "blocked by"),)])),
            assignees=tuple(
                draw(st.lists(st.sampled_from([*PEOPLE, STRANGER]), max_size=2, unique=True))
            ),
        )
        if draw(st.integers(0, 4)):
            tasks[stage.id].append(task)
        else:
            archived.append(replace(task, archived_at=NOW.astimezone(UTC)))
    ids = [task.id for lane in tasks.values() for task in lane] + [task.id for task in archived]
    events = st.builds(
        Event,
        st.just(board_id),
        st.sampled_from([*ids, 99]),
        st.sampled_from(EventKind),
        MOMENTS,
        st.none() | st.sampled_from(PEOPLE),
        st.sampled_from(TITLES),
        st.sampled_from(TITLES),
        is_observed=st.booleans(),
    )
    made = sorted(draw(st.lists(events, max_size=12)), key=lambda event: event.at)
    board = Board(board_id, f"Board {board_id}", people=PEOPLE, viewers=frozenset({VIC.id}))
    view = BoardView(
        board, stages, {key: tuple(lane) for key, lane in tasks.items()}, people=PEOPLE
    )
    seen = {one: draw(MOMENTS) for one in ids[::2]}
    history = BoardHistory(board_id, tuple(made), draw(st.none() | MOMENTS), NOW, seen_since=seen)
    return BoardSource(view, history, tuple(archived))


def ids(rows: tuple[StandupCard, ...]) -> list[int]:
    return [row.task.id for row in rows]


def stages_of(view: BoardView, kind: StageKind) -> list[Stage]:
    """The stages of a kind, from the right to the left."""
    kinds = kinds_of(view.stages)
    return [stage for stage in reversed(view.stages) if kinds[stage.id] is kind]


def opened(source: BoardSource, stages: list[Stage]) -> list[Task]:
    tasks = [task for stage in stages for task in source.view.in_stage(stage.id)]
    return [task for task in tasks if task.status is Status.OPEN]


def happened(source: BoardSource, task: Task, kind: EventKind) -> list[Event]:
    """What happened to a task in the window."""
    events = [event for event in source.history.events if event.task_id == task.id]
    return [event for event in events if event.kind is kind and event.at >= SINCE]


def every_row(of: Standup) -> list[StandupCard]:
    sections = [*of.walk, *(one for speaker in of.people for one in speaker.sections), of.nobody]
    return [row for section in sections for row in section.rows]


@given(sources(1))
def test_a_board_is_walked_from_done_to_the_backlog(source: BoardSource) -> None:
    found = standup([source], NOW, SINCE)
    active = stages_of(source.view, StageKind.ACTIVE)
    tasks = [*source.view.all_tasks(), *source.archived]
    closed = {
        task.id: happened(source, task, EventKind.CLOSED)[-1].at
        for task in tasks
        if task.is_closed and happened(source, task, EventKind.CLOSED)
    }
    expected = [SectionKind.DONE] if closed else []
    expected += [SectionKind.STAGE for stage in active if opened(source, [stage])]
    expected += [SectionKind.BACKLOG for _ in stages_of(source.view, StageKind.BACKLOG)]
    assert [section.kind for section in found.walk] == expected
    shown = [section.stage for section in found.walk if section.kind is SectionKind.STAGE]
    assert shown == [stage for stage in active if opened(source, [stage])]
    for section in found.walk:
        if section.kind is SectionKind.DONE:
            assert set(ids(section.rows)) == set(closed)
            times = [closed[task_id] for task_id in ids(section.rows)]
            assert times == sorted(times, reverse=True)
            continue
        assert section.stage
        own = opened(source, [section.stage])
        assert section.count == len(own)
        if section.kind is SectionKind.STAGE:
            assert set(ids(section.rows)) == {task.id for task in own}
            assert section.is_over_limit == (
                section.stage.limit is not None and len(own) > section.stage.limit
            )
        else:
            pressing = {task.id for task in own if is_blocked(task) or is_late(task)}
            assert set(ids(section.rows)) == pressing
        ranks = [list(Flag).index(row.flags[0]) if row.flags else 9 for row in section.rows]
        assert ranks == sorted(ranks)


def is_blocked(task: Task) -> bool:
    return BLOCKED in task.labels


def is_late(task: Task) -> bool:
    return task.due_at is not None and task.due_at < WALL


@given(sources(1), sources(2))
def test_each_person_has_their_cards_and_no_open_card_is_left_out(
    one: BoardSource, two: BoardSource
) -> None:
    found = standup([one, two], NOW, SINCE)
    rows = {row.task.id: row for source in (one, two) for row in rows_of(source, NOW, SINCE)}
    stuck = {key for key, row in rows.items() if {"blocked", "overdue", "stale"} & {*row.flags}}
    by_name = {speaker.person: speaker for speaker in found.people}
    every = [*opened(one, list(one.view.stages)), *opened(two, list(two.view.stages))]
    people = {*PEOPLE[:3], *(person for task in every for person in task.assignees)}
    quiet = []
    for person in sorted(people, key=lambda each: each.name.casefold()):
        moved, current, soon, queues = set(), [], [], []
        for source in (one, two):
            active = stages_of(source.view, StageKind.ACTIVE)
            for task in (*source.view.all_tasks(), *source.archived):
                if task.archived_at and not task.is_closed:
                    continue
                moves = happened(source, task, EventKind.MOVED)
                if moves and moves[0].old == moves[-1].new:
                    moves = []
                closed = happened(source, task, EventKind.CLOSED) if task.is_closed else []
                counted = moves + closed[-1:]
                if counted and (person in task.assignees or any(e.by == person for e in counted)):
                    moved.add(task.id)
            own = [task for task in opened(source, active) if person in task.assignees]
            current += [task.id for task in own if task.id not in stuck]
            queue = opened(source, stages_of(source.view, StageKind.BACKLOG))
            queue = [task for task in queue if person in task.assignees and task.id not in stuck]
            limit = WALL + timedelta(days=3)
            soon += [task for task in queue if task.due_at and task.due_at < limit]
            queues += [queue[0].id] if queue else []
        coming = [task.id for task in sorted(soon, key=lambda task: str(task.due_at))] or queues
        own_stuck = {task.id for task in every if person in task.assignees and task.id in stuck}
        events = [*one.history.since(SINCE), *two.history.since(SINCE)]
        is_quiet = not moved and not any(event.by == person for event in events)
        has_cards = bool(current or coming or own_stuck)
        quiet += [person] if is_quiet and not has_cards and person in PEOPLE[:3] else []
        speaker = by_name.pop(person, None)
        if speaker is None:
            assert not moved | set(current) | set(coming) | own_stuck
            continue
        assert speaker.moved == (not is_quiet)
        assert set(ids(speaker.section(SectionKind.MOVED).rows)) == moved
        assert set(ids(speaker.section(SectionKind.NOW).rows)) == set(current)
        assert ids(speaker.section(SectionKind.NEXT).rows) == coming
        assert set(ids(speaker.section(SectionKind.STUCK).rows)) == own_stuck
        latest = [row.movement[-1].at for row in speaker.section(SectionKind.MOVED).rows]
        assert latest == sorted(latest, reverse=True)
    assert not by_name
    assert list(found.no_movement) == quiet
    unassigned = [
        task
        for source in (one, two)
        for task in opened(source, stages_of(source.view, StageKind.ACTIVE))
    ]
    assert {row.task.id for row in found.nobody.rows} == {
        task.id for task in unassigned if not task.assignees
    }


def test_a_stay_is_whole_if_its_beginning_and_its_end_were_recorded() -> None:
    def event(
        hour: int, kind: EventKind, old: str = "", new: str = "", *, seen: bool = False
    ) -> Event:
        at = NOW.astimezone(UTC) + timedelta(hours=hour)
        return Event(1, 5, kind, at, old=old, new=new, is_observed=seen)

    moved, hour = EventKind.MOVED, timedelta(hours=1)
    events = (
        event(0, EventKind.CREATED),
        event(2, moved, "Inbox", "Doing"),
        event(3, EventKind.COMMENTED),
        event(4, moved, "Doing", "Review", seen=True),
        event(5, moved, "Doing", "Review"),
        event(9, moved, "Other", "Testing"),
        event(10, EventKind.REMOVED),
        event(20, moved, "Testing", "Done"),
        event(22, moved, "Done", "Doing"),
    )
    whole = [Stay("Inbox", 2 * hour), Stay("Doing", 3 * hour), Stay("Done", 2 * hour)]
    assert list(stays(BoardHistory(1, events))) == whole


@given(st.lists(st.integers(1, 500), max_size=40))
def test_the_threshold_is_the_85th_percentile_if_there_is_history(hours: list[int]) -> None:
    start = NOW.astimezone(UTC)
    events = [
        event
        for task_id, length in enumerate(hours)
        for event in (
            Event(1, task_id, EventKind.CREATED, start),
            Event(1, task_id, EventKind.MOVED, start + timedelta(hours=length), old="Doing"),
        )
    ]
    found = thresholds(BoardHistory(1, tuple(sorted(events, key=lambda event: event.at))))
    if len(hours) < 10:
        assert not found
        return
    most = found["Doing"] / timedelta(hours=1)
    assert most in hours
    assert sum(length <= most for length in hours) >= 0.85 * len(hours)
    assert sum(length < most for length in hours) < 0.85 * len(hours)


def test_a_card_is_stale_only_beyond_the_threshold_also_with_a_lower_bound() -> None:
    source = website()
    for hours, is_stale in ((-1, True), (0, False), (1, False)):
        seen = {112: NOW.astimezone(UTC) - timedelta(days=5, hours=-hours)}
        history = replace(source.history, seen_since=seen)
        rows = rows_of(replace(source, history=history), NOW, SINCE)
        row = next(row for row in rows if row.task.id == 112)
        assert (Flag.STALE in row.flags) == is_stale


def test_one_person_sees_their_own_part_and_an_actor_without_an_id_is_known_by_name() -> None:
    own = both().only(Account("BOB"))
    assert [speaker.person for speaker in own.people] == [BOB]
    assert not own.walk + own.nobody.rows + own.no_movement
    source = website()
    by_name = Event(
        1, 102, EventKind.COMMENTED, NOW.astimezone(UTC), Person(0, "vic hall"), new="Hello"
    )
    events = (*source.history.events, by_name)
    found = standup([replace(source, history=replace(source.history, events=events))], NOW, SINCE)
    assert next(one for one in found.people if one.person == VIC).moved


def test_own_comments_are_not_new() -> None:
    comments = tuple(
        Event(1, 112, EventKind.COMMENTED, NOW.astimezone(UTC), person, new="Hello")
        for person in (ANN, ANN, BOB, None)
    )
    history = replace(website().history, events=comments)

    def new(me: Account) -> int:
        rows = rows_of(replace(website(), history=history), NOW, SINCE, me)
        return next(row for row in rows if row.task.id == 112).new_comments

    assert [new(me) for me in (Account(), Account(ANN.login), Account("bob"))] == [4, 2, 3]


def test_a_longer_window_has_all_of_a_shorter_one() -> None:
    longer = standup([website()], NOW, midnight(SINCE.date().replace(day=1), NOW))
    shorter = standup([website()], NOW, NOW.replace(hour=0, minute=0))
    assert {row.task.id for row in every_row(shorter)} <= {row.task.id for row in every_row(longer)}
    assert longer.since == datetime(2026, 11, 1, tzinfo=BERLIN)


def test_a_card_that_waits_for_another_is_blocked_and_says_by_which() -> None:
    source = website()
    first, second = [*source.view.in_stage(11)][:2]
    waiting = replace(second, blockers=(Blocker(first.id),))
    source = replace(
        source, view=source.view.with_task(waiting), relations=related([first, waiting])
    )
    rows = {row.task.id: row for row in every_row(standup([source], NOW, SINCE))}
    assert Flag.BLOCKED in rows[waiting.id].flags
    assert rows[waiting.id].reason == f"#{first.id} {first.title}"
