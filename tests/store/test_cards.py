"""Cards as rows: whatever is written comes back as the same task, and only when it is looked at."""

from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings, strategies as st

from tests.fakes.boards import packed
from tui.client.documents import Document
from tui.model.blocked_by import Blocker
from tui.model.board import Board, BoardView, Stage
from tui.model.custom_field import FieldValue
from tui.model.lane import Chunk, order
from tui.model.people import Account
from tui.model.query.language import QueryContext, parse
from tui.model.query.matching import filtered
from tui.model.task import Label, Person, Priority, Status, Task
from tui.store.cache.file import Cache, open_cache
from tui.store.documents.assemble import Assembler
from tui.store.documents.cards import row_of
from tui.store.views.board_state import Truth

NOW = datetime(2026, 11, 26, 9, 0, tzinfo=UTC)
FRAME = {"id": 1, "title": "Relaunch", "stages": [{"id": 1}, {"id": 2}]}
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
WALL_CLOCK = st.none() | st.datetimes()
INSTANT = st.none() | st.datetimes(timezones=st.just(UTC))
COUNT = st.integers(0, 2**40)
TASK = st.builds(
    Task,
    id=st.integers(1, 2**50),
    board_id=st.just(1),
    stage_id=st.just(2),
    title=TEXT,
    status=st.sampled_from(Status),
    priority=st.sampled_from(Priority),
    position=st.floats(allow_nan=False, allow_infinity=False) | st.integers(0, 9),
    description=TEXT,
    due_at=WALL_CLOCK,
    started_at=WALL_CLOCK,
    archived_at=st.none(),
    created_at=INSTANT,
    updated_at=INSTANT,
    parent_id=st.none(),
    labels=st.lists(st.builds(Label, COUNT, TEXT, TEXT), max_size=2).map(tuple),
    assignees=st.lists(st.builds(Person, COUNT, TEXT, TEXT), max_size=2).map(tuple),
    comments_count=COUNT,
    subtasks_done=COUNT,
    subtasks_total=COUNT,
    attachments_count=COUNT,
    source=TEXT,
    created_by=st.none() | COUNT,
    values=st.lists(st.builds(FieldValue, COUNT, TEXT | st.booleans()), max_size=2).map(tuple),
    cover=st.sampled_from(["", "#4bce97"]),
    blockers=st.lists(st.builds(Blocker, COUNT, TEXT), max_size=2).map(tuple),
)


@given(st.lists(TASK, min_size=1, max_size=4, unique_by=lambda task: task.id))
def test_a_chunk_says_the_same_packed_and_unpacked(tasks: list[Task]) -> None:
    (chunk,), plain = packed(tasks).chunks, Chunk(tuple(sorted(tasks, key=order)))
    assert (list(chunk.ids), list(chunk.positions)) == (list(plain.ids), list(plain.positions))
    assert (len(chunk), chunk.rows, chunk.first) == (len(plain), plain.rows, plain.first)
    assert chunk.tally == plain.tally
    people = {person.id for task in tasks for person in task.assignees}
    labels = {label.id for task in tasks for label in task.labels}
    assert all(map(chunk.may_have, people | labels)), "none is missed"
    assert not chunk.may_have(max({0, *people, *labels}) + 1)
    named = {blocker.id for task in tasks for blocker in task.blockers}
    assert all(map(chunk.may_name, named)), "none is missed"
    fields = {value.field_id for task in tasks for value in task.values}
    assert not chunk.may_name(max({0, *named, *fields}) + 1)
    assert chunk.is_packed
    assert chunk.tasks == plain.tasks
    assert chunk.first == plain.first
    assert chunk.tasks is chunk.tasks
    assert not chunk.is_packed


def test_equal_labels_and_people_are_one_object() -> None:
    task = Task(1, 1, 2, "Task", labels=(Label(3, "bug"),), assignees=(Person(7, "Ann"),))
    one, two = packed([task, replace(task, id=2)])
    assert one.labels is two.labels
    assert one.assignees is two.assignees


def test_what_is_archived_or_a_subtask_has_no_row() -> None:
    assert row_of(Task(1, 1, 2, "", archived_at=datetime(2026, 11, 26))) is None  # noqa: DTZ001
    assert row_of(Task(1, 1, 2, "", parent_id=5)) is None


def document(number: int) -> st.SearchStrategy[Document]:
    """A task as a service sends it: on a board, archived, a subtask, or in no stage."""
    return st.fixed_dictionaries(
        {
            "id": st.just(number),
            "board_id": st.sampled_from([1, 1, 1, 2, None]),
            "stage_id": st.sampled_from([1, 2, 2, None]),
            "title": st.sampled_from(["Pay", "\x1b[31mRed", None]),
            "status": st.sampled_from(["open", "closed", "later"]),
            "position": st.sampled_from([None, 1.0, 2.5]),
            "archived_at": st.sampled_from([None, None, None, "2026-01-01 00:00:00"]),
            "parent_id": st.sampled_from([None, None, None, 5]),
            "due_at": st.sampled_from([None, "2026-12-01 17:30:00", "0000-00-00 00:00:00"]),
            "labels": st.sampled_from([[], [{"id": 3, "title": "Blocked", "bg_color": "red"}]]),
            "task_custom_fields": st.sampled_from(
                [[], [{"foreign_id": 5, "settings": {"value": True}}], [{"foreign_id": None}]]
            ),
        }
    )


WRITES = st.lists(
    st.lists(st.integers(1, 6).flatmap(document), max_size=5) | st.integers(1, 6), max_size=6
)
"""Each step writes some tasks, or forgets one."""


def board(cache: Cache) -> Truth:
    """The board as read from its cards."""
    whole = cache.whole(1)
    assert whole is not None
    return Truth(Assembler().empty_view(whole.board), whole.newest_id, whole.lanes)


@settings(deadline=None)
@given(WRITES)
def test_a_board_read_from_rows_is_the_board_assembled_from_documents(
    writes: list[list[Document] | int],
) -> None:
    assembler, documents = Assembler(), dict[int, Document]()
    with TemporaryDirectory() as folder:
        cache, _ = open_cache(Path(folder) / "cache.sqlite3", NOW)
        with closing(cache):
            cache.put_board(FRAME)
            for step in writes:
                if isinstance(step, int):
                    cache.forget_task(step)
                    documents.pop(step, None)
                else:
                    cache.put_tasks(step)
                    documents |= {int(task["id"]): task for task in step}
                assembled = Truth(assembler.empty_view(FRAME))
                for task in filter(None, map(assembler.task, documents.values())):
                    assembled.put(task)
                assert board(cache).view == assembled.view
                totals = {id_: len(lane) for id_, lane in assembled.view.tasks.items() if lane}
                assert cache.cards.totals(1) == totals


def test_only_the_cards_that_are_looked_at_are_unpacked() -> None:
    tasks = [Task(number, 1, 2, f"Task {number}", position=float(number)) for number in range(999)]
    lane = packed(tasks)
    assert (len(lane), lane.row_of(700), 998 in lane.ids) == (999, 700, True)
    assert lane.positions[650] == (650, 650.0)
    assert lane.merged([]) == lane
    assert [chunk.is_packed for chunk in lane.chunks] == [True] * 4
    assert lane[350].title == "Task 350"
    changed = lane.without({310}).merged([Task(310, 1, 2, "Back", position=900.5)])
    assert changed.row_of(310) == 900
    assert [chunk.is_packed for chunk in changed.chunks] == [True, False, True, False]


def test_finding_the_cards_of_a_person_unpacks_no_others() -> None:
    ann = Person(7, "Ann", "ann")
    tasks = [Task(number, 1, 2, f"Task {number}", position=float(number)) for number in range(999)]
    tasks[600] = replace(tasks[600], assignees=(ann,))
    stages, lanes = (Stage(2, 1, "Open"),), {2: packed(tasks)}
    view = BoardView(Board(1, "Relaunch"), stages, lanes, people=(ann,))
    about = QueryContext.of([view], Account("ann", 7), datetime(2026, 11, 26))  # noqa: DTZ001
    found = filtered(view, parse("@me is:open"), about)
    assert [task.id for task in found.in_stage(2)] == [600]
    assert [chunk.is_packed for chunk in view.in_stage(2).chunks] == [True, True, False, True]


def test_what_is_urgent_comes_between_the_groups_of_a_long_list(tmp_path: Path) -> None:
    cache, _ = open_cache(tmp_path / "cache.sqlite3", NOW)
    with closing(cache):
        cards = [{"id": number, "board_id": 1, "stage_id": 2} for number in range(1, 601)]
        cache.put_board(FRAME)
        cache.put_tasks(cards)
        pauses: list[int] = []
        whole = cache.whole(1, lambda: pauses.append(len(pauses)))
        assert whole is not None
        assert [len(chunk) for chunk in whole.lanes[2].chunks] == [256, 256, 88]
        assert pauses == [0, 1, 2]
        assert [*whole.lanes[2].ids] == [*range(1, 601)]


def test_a_card_that_another_program_moves_meanwhile_is_read_once(tmp_path: Path) -> None:
    path = tmp_path / "cache.sqlite3"
    cards = [{"id": 7, "board_id": 1, "stage_id": 1}, {"id": 8, "board_id": 1, "stage_id": 2}]
    (cache, _), (other, _) = open_cache(path, NOW), open_cache(path, NOW)
    with closing(cache), closing(other):
        cache.put_board(FRAME)
        cache.put_tasks(cards)

        def move_between_stages(statement: str) -> None:
            if "from card" in statement and "stage_id = 2" in statement:
                cache.connection.set_trace_callback(None)
                other.put_tasks([{**cards[0], "stage_id": 2}, {**cards[1], "stage_id": 1}])

        cache.connection.set_trace_callback(move_between_stages)
        read = board(cache).view.all_tasks()
        assert sorted(task.id for task in read) == [7, 8]
        assert {task.id: task.stage_id for task in board(cache).view.all_tasks()} == {7: 2, 8: 1}
