"""What holds for every operation on boards, stages, labels and opened tasks."""

from dataclasses import replace
from importlib import import_module
from inspect import isabstract

from hypothesis import given, settings, strategies as st

from tests.fakes.boards import small
from tests.lint import tables
from tests.store.opened_tasks import BOARD, Opened, opened, operations
from tui.model.board import Board, BoardView
from tui.model.comment import Comment
from tui.model.detail import TaskDetail
from tui.model.task import Person, Task
from tui.store import operations as change
from tui.store.operations.base import KINDS, Baseline, Nothing, Operation
from tui.store.operations.ids import local_ids
from tui.store.outbox.codec import decode, encode
from tui.text.clean import line

BOARDS: tuple[Board, ...] = (BOARD, Board(2, "Other"))


@st.composite
def situations(draw: st.DrawFn) -> tuple[Opened, Operation]:
    now = draw(opened())
    return now, draw(operations(now))


def after(now: Opened, *operations: Operation) -> Opened:
    """What is drawn after these operations, one after the other."""
    view, detail = now
    for operation in operations:
        view, detail = operation.apply(view), operation.apply_detail(detail)
    return view, detail


def boards_after(*operations: Operation) -> tuple[Board, ...]:
    boards = BOARDS
    for operation in operations:
        boards = operation.apply_boards(boards)
    return tuple(map(_in_order, boards))


def _in_order(board: Board) -> Board:
    """A board whose members are in order; who comes back is the last one."""
    return replace(board, people=tuple(sorted(board.people, key=lambda one: one.id)))


def visible(now: Opened) -> tuple[object, ...]:
    """What taking something back promises to bring back."""
    view, detail = now
    return _visible_board(view), _visible_detail(detail)


def _visible_board(view: BoardView) -> tuple[object, ...]:
    stages = [
        (
            replace(stage, position=0.0),
            [_card(one) for one in view.in_stage(stage.id)],
        )
        for stage in view.stages
    ]
    assert view.people == view.board.people
    return _in_order(view.board), stages, sorted(view.labels, key=lambda label: label.id)


def _card(task: Task) -> tuple[object, ...]:
    return (
        task.id,
        task.title,
        task.status,
        task.priority,
        task.description,
        task.due_at,
        task.started_at,
        task.comments_count,
        frozenset(task.labels),
        frozenset(task.assignees),
    )


def _visible_detail(detail: TaskDetail) -> tuple[object, ...]:
    groups = [
        (group.title, [_card(one)[:6] for one in group.subtasks])
        for group in sorted(detail.groups or (), key=lambda group: group.id)
    ]
    return (
        _card(detail.task),
        groups,
        [_words(comment) for comment in detail.comments or ()],
        detail.values,
        detail.watching,
        detail.reminder,
        detail.cover,
        detail.is_template,
        detail.contact_id,
    )


def _words(comment: Comment) -> tuple[object, ...]:
    return comment.id, comment.text, comment.parent_id


@settings(deadline=None)
@given(situations())
def test_an_inverse_restores_what_was_there(case: tuple[Opened, Operation]) -> None:
    before, operation = case
    view, detail = before
    inverse = operation.inverse(view, detail)
    if isinstance(operation, change.MoveTaskToBoard):
        assert inverse[0].board_id == operation.to_board_id
        return
    if isinstance(operation, change.DuplicateBoard):
        assert [one.board_id for one in inverse] == [operation.board_id]
        return
    if operation.lost_when_undone().endswith("without its replies."):
        assert isinstance(operation, change.DeleteComment)
        assert operation.comment.replies
        return
    assert visible(after(before, operation, *inverse)) == visible(before)
    if not isinstance(operation, change.CreateBoard):
        assert boards_after(operation, *inverse) == BOARDS


def test_an_undone_claim_reopens_a_card_that_its_stage_closed() -> None:
    view = small()
    task, closing = next(iter(view.in_stage(1))), view.stage(3)
    assert closing is not None
    claim = change.ClaimTask.on(task, Person(1, "Me Myself", "me"), closing)
    now = claim.apply(view)
    claimed = now.task(task.id)
    assert claimed is not None
    assert claimed.is_closed
    for inverse in claim.inverse(view):
        now = inverse.apply(now)
    assert _visible_board(now) == _visible_board(view)


@settings(max_examples=10, deadline=None)
@given(situations())
def test_operations_survive_json(case: tuple[Opened, Operation]) -> None:
    (view, detail), operation = case
    for one in (operation, *operation.inverse(view, detail)):
        assert decode(encode(one)) == one


@settings(max_examples=10, deadline=None)
@given(situations())
def test_a_new_id_reaches_everything_that_is_named(case: tuple[Opened, Operation]) -> None:
    (view, detail), operation = case
    everything = (operation, *operation.inverse(view, detail))
    local = {one for each in everything for one in local_ids(each)}
    ids = {one: number for number, one in enumerate(sorted(local), start=1000)}
    for one in everything:
        renamed = one.renamed(ids)
        assert local_ids(renamed) == frozenset()
        assert min({*renamed.refers, renamed.subject.id}) > 0
        assert one.renamed({}) == one


@settings(max_examples=10, deadline=None)
@given(situations())
def test_what_an_operation_draws_by_a_local_id_it_holds(case: tuple[Opened, Operation]) -> None:
    before, operation = case
    _, detail = after(before, operation)
    drawn = {one.id for one in detail.subtasks() if one.id < 0}
    drawn |= {one.id for one in detail.comments or () if one.id < 0}
    drawn |= {one.id for one in detail.groups or () if one.id < 0}
    assert drawn <= local_ids(operation)


@settings(deadline=None)
@given(st.data())
def test_two_that_are_merged_look_like_both(data: st.DataObject) -> None:
    before = data.draw(opened())
    first = data.draw(operations(before))
    between = after(before, first)
    candidates = [data.draw(operations(between)) for _ in range(4)]
    candidates += first.inverse(*before)
    later = [one for one in candidates if one.subject == first.subject]
    for one in later:
        merged = first.merged_with(one)
        if (
            merged is None
            or isinstance(one, change.ArchiveStage)
            or change.is_edit(one, "archived_at", "board")
        ):
            continue
        both = visible(after(before, first, one))
        alone = before if isinstance(merged, Nothing) else after(before, merged)
        assert visible(alone) == both
        if merged.changes_nothing:
            assert visible(before) == both


@settings(max_examples=10, deadline=None)
@given(situations())
def test_words_are_one_clean_line(case: tuple[Opened, Operation]) -> None:
    (view, detail), operation = case
    for one in (operation, *operation.inverse(view, detail)):
        assert one.describe() == line(one.describe())
        assert one.describe()
        assert one.lost_when_undone() == line(one.lost_when_undone())


def test_making_a_board_is_taken_back_by_archiving_it() -> None:
    made = change.CreateBoard.new("Third", "About it")
    view = BoardView(made.board)
    (back,) = made.inverse(view)
    assert [board.title for board in boards_after(made)] == ["Third", "Board", "Other"]
    assert [bool(board.archived_at) for board in boards_after(made, back)] == [True, False, False]


def test_duplicating_a_board_is_taken_back_by_archiving_the_copy() -> None:
    made = change.DuplicateBoard(-3, 1, "Board", "Third", BOARDS[0].type, with_tasks=True)
    (back,) = made.inverse(BoardView(made.board))
    assert [board.title for board in boards_after(made, made)] == ["Third", "Board", "Other"]
    assert [bool(board.archived_at) for board in boards_after(made, back)] == [True, False, False]
    assert made.refers == {1}
    renamed = made.merged_with(change.rename_board(made.board, "Fourth"))
    assert renamed == replace(made, title="Fourth")
    assert isinstance(made.merged_with(back), Nothing)


def test_the_last_of_the_stages_of_a_new_board_closes_tasks() -> None:
    arranged = change.ArrangeStages(1, "Board", ("Now", "Done"))
    stages = [
        {"id": 5, "title": "Now", "position": 1.0, "settings": {"default_task_status": "open"}},
        {"id": 4, "title": "Done", "position": 2.0, "settings": {"default_task_status": "closed"}},
        {"id": 3, "title": "Old", "position": 3.0, "archived_at": "2026-11-20 09:00:00"},
    ]
    assert arranged.is_done({"id": 1, "stages": stages}, Baseline())
    assert arranged.is_done(None, Baseline())
    assert not arranged.is_done({"id": 1, "stages": stages[:1]}, Baseline())
    assert not arranged.is_done({"id": 1, "stages": [{**stages[1], "id": 9}] * 2}, Baseline())
    open_end = {**stages[1], "settings": None}
    assert not arranged.is_done({"id": 1, "stages": [stages[0], open_end]}, Baseline())


def test_deleting_a_board_cannot_be_taken_back_and_says_so() -> None:
    deleted = change.DeleteBoard.on(BOARDS[0])
    assert boards_after(deleted) == BOARDS[1:]
    assert deleted.inverse(BoardView(BOARDS[0])) == ()
    assert "cannot be restored" in deleted.lost_when_undone()


def test_bringing_a_board_back_is_taken_back_by_archiving_it_as_of_then() -> None:
    archive = change.archive_board(BOARDS[0])
    archived = archive.apply(BoardView(BOARDS[0]))
    restore = change.restore_board(archived.board)
    boards = archive.apply_boards(BOARDS)
    assert restore.apply_boards(boards) == BOARDS
    (again,) = restore.inverse(archived)
    assert again.apply_boards(restore.apply_boards(boards)) == boards


def test_every_operation_is_kept_under_a_name_of_its_own() -> None:
    change.load()
    modules = [import_module(f"{change.__name__}.{module}") for module in change.MODULES]
    kinds = [one for each in modules for one in vars(each).values() if _is_kept(one)]
    lines = (f'@operation("NAME"), of {one.__name__}' for one in {*kinds} - {*KINDS.values()})
    unlisted = {*KINDS.values()} - {*kinds}
    shared = (f"{one.__name__}: {kind}" for kind, one in KINDS.items() if one.kept_as != kind)
    tables.check(
        tables.missing(lines, "a class of operations", "tui/store/operations/*.py"),
        tables.missing(
            (one.__module__.removeprefix(f"{change.__name__}.") for one in unlisted),
            "`MODULES`",
            change.__file__,
        ),
        tables.Edit("Keep each class of operations under one name:", sorted(shared)),
    )


def _is_kept(one: object) -> bool:
    is_operation = isinstance(one, type) and issubclass(one, Operation)
    return is_operation and not isabstract(one) and one is not Nothing


def test_a_picture_can_be_kept_as_json() -> None:
    upload = change.UploadImage(1, 2, -3, "a.png", "image/png", "1 KB", "/data/uploads/abc")
    comment = change.CreateComment.new(Task(2, 1, 11, "Task"), "Look", images=[upload.image])
    assert comment.refers >= {-3}
    assert decode(encode(upload)) == upload
    assert decode(encode(comment)) == comment
    assert comment.renamed({-3: 7}).images == (replace(upload.image, id=7),)
