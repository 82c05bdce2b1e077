"""What was asked for, and whether it was done once, waits with a reason, or was given up.

Nothing is believed of what the stores say about their own success. What was
made and written is counted at the service.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tests.store.machine.player import Player
from tests.store.machine.wire import Write
from tui.model.ids import Kind
from tui.store.events import PendingChange, PendingState
from tui.store.operations.base import Operation
from tui.store.operations.boards import ArrangeStages
from tui.store.operations.edit import Edit
from tui.store.outbox.entry import OutboxEntry

Key = tuple[Kind, int]
_STUCK = (PendingState.UNSURE, PendingState.CONFLICT, PendingState.REFUSED)
_KINDS: dict[str, Kind] = {
    "clone_subtask": "task",
    "clone_task": "task",
    "create_board": "board",
    "create_comment": "comment",
    "create_field": "field",
    "create_label": "label",
    "create_stage": "stage",
    "create_subtask": "task",
    "create_subtask_group": "subtask_group",
    "create_task": "task",
    "duplicate_board": "board",
    "upload_image": "image",
}
_WORDS = {
    "CreateBoard": "title",
    "CreateComment": "text",
    "CreateField": "title",
    "CreateGroup": "title",
    "CreateLabel": "title",
    "CreateStage": "title",
    "CreateSubtask": "title",
    "CreateTask": "title",
    "DuplicateBoard": "title",
    "EditComment": "text",
}
_TITLED = ("task", "subtask_group", "stage")
_WRITTEN = frozenset(
    {
        "create_board",
        "create_comment",
        "create_field",
        "create_label",
        "create_stage",
        "create_subtask",
        "create_subtask_group",
        "create_task",
        "duplicate_board",
        "rename_subtask_group",
        "set_task",
        "update_comment",
        "update_stage",
    }
)


@dataclass(frozen=True)
class Asked:
    """One operation somebody asked for, by its number in their outbox."""

    who: int
    seq: int
    operation: Operation


class Ledger:
    """Counts what two people asked for, and what the service did."""

    def __init__(self, writes: Sequence[Write]) -> None:
        self._writes = writes
        self.asked: list[Asked] = []
        self._last = [0, 0]
        self._given_up: set[tuple[int, int]] = set()
        self._again: Counter[str] = Counter()
        self._doubts = 0

    def look_at(self, player: Player) -> list[Asked]:
        """Note what is in somebody's outbox that was not there before.

        What was refused and is sent again has a new number, but makes the same thing.
        """
        new = [
            Asked(player.number, entry.seq, entry.operation)
            for entry in player.store._core.queue.all()
            if entry.seq > self._last[player.number]
        ]
        self._last[player.number] = max((one.seq for one in new), default=self._last[player.number])
        made = {one.operation.creates for one in self.asked if one.who == player.number}
        self.asked += [
            one for one in new if one.operation.creates is None or one.operation.creates not in made
        ]
        return new

    def sends_again(self, entries: Sequence[OutboxEntry]) -> None:
        """A person has something sent again, which may have been done already."""
        for entry in entries:
            self._again[words_of(entry.operation)] += 1
            self._doubt(entry)

    def gives_up(self, player: Player, entries: Sequence[OutboxEntry]) -> None:
        """A person does not want something any more, though it may have been done already."""
        for entry in entries:
            self._given_up.add((player.number, entry.seq))
            self._doubt(entry)

    def _doubt(self, entry: OutboxEntry) -> None:
        if entry.operation.creates is not None and entry.state is PendingState.UNSURE:
            self._doubts += 1

    def is_being_made(self, player: Player, kind: Kind, real_id: int) -> bool:
        """Whether somebody made a thing and has not heard of it yet."""
        made = any(
            write.made == real_id and write.who == player.number and _kind(write) == kind
            for write in self._writes
        )
        return made and real_id not in player.store._core.queue.renames.values()

    def was_given_up(self, asked: Asked) -> bool:
        """Whether its person does not want it any more."""
        return (asked.who, asked.seq) in self._given_up

    def check_reasons(self, players: Sequence[Player]) -> None:
        """Whatever is stuck says why; nothing else is left once all could be delivered."""
        for player in players:
            unsure = [one for one in player.store.pending() if one.state is PendingState.UNSURE]
            for waiting in player.store.pending():
                if waiting.state is PendingState.WAITING and unsure:
                    continue  # it goes when it is known what became of the other
                assert waiting.state in _STUCK, waiting
                assert waiting.reason, waiting
                assert (waiting.state is PendingState.CONFLICT) == bool(waiting.differences), (
                    waiting
                )

    def check_made(self, players: Sequence[Player], is_there: set[Key]) -> None:
        """Everything that was to be made was made once, waits, or was given up."""
        made = {
            (_kind(write), write.made)
            for write in self._writes
            if write.made is not None and not self._arranged(write)
        }
        claimed = self._claimed(players)
        assert claimed <= made, f"never made: {claimed - made}"
        orphans = (made - claimed) & is_there
        assert len(orphans) <= self._doubts, f"made, but not known to be: {orphans}"

    def check_arranged(self) -> None:
        """No stage that a new board was to have was added twice."""
        arranged = Counter(write.arguments[1] for write in self._writes if self._arranged(write))
        assert all(times == 1 for times in arranged.values()), arranged

    def _arranged(self, write: Write) -> bool:
        """Whether a stage was added because a new board was to have it."""
        return write.name == "create_stage" and any(
            isinstance(one.operation, ArrangeStages) and write.arguments[1] in one.operation.titles
            for one in self.asked
        )

    def check_tasks(self, players: Sequence[Player], new: set[Key]) -> None:
        """The same for tasks, by what is new at a service whose writes are not all known."""
        orphans = {key for key in new if key[0] == "task"} - self._claimed(players)
        assert len(orphans) <= self._doubts, f"made, but not known to be: {orphans}"

    def _claimed(self, players: Sequence[Player]) -> set[Key]:
        """What stands for something that was to be made; all else waits, or was given up."""
        claimed: set[Key] = set()
        for asked in self.asked:
            local, queue = asked.operation.creates, players[asked.who].store._core.queue
            if local is None:
                continue
            real, waits = queue.renames.get(local), queue.maker_of(local) is not None
            if real is None:
                assert waits or self._is_withdrawn(asked), f"lost: {asked}"
                continue
            key = (asked.operation.subject.kind, real)
            assert not waits, f"made and waiting: {asked}"
            assert key not in claimed, f"two became one: {asked}"
            claimed.add(key)
        return claimed

    def _is_withdrawn(self, asked: Asked) -> bool:
        """Whether it was given up, or deleted again, by itself or with what it belongs to."""
        return self.was_given_up(asked) or any(
            self._is_unmade(asked.who, local)
            for local in asked.operation.refers | {asked.operation.creates}
            if local is not None and local < 0
        )

    def _is_unmade(self, who: int, local: int) -> bool:
        makers = [one for one in self.asked if one.who == who and one.operation.creates == local]
        deletions = (
            one
            for one in self.asked
            if one.who == who and one.operation.subject.id == local and _takes_away(one.operation)
        )
        return any(True for _ in deletions) or any(
            self.was_given_up(maker)
            or any(self._is_unmade(who, one) for one in maker.operation.refers if one < 0)
            for maker in makers
        )

    def check_written(self, players: Sequence[Player], is_there: set[Key]) -> None:
        """No words were written more often than asked for, and none that are said to be refused.

        Where somebody deleted what they were written to, what became of them cannot be seen. What
        is in conflict may have been written before somebody else changed it, if it was sent.
        """
        ids = {some_id for _, some_id in is_there}
        allowed = Counter(words_of(one.operation) for one in self.asked) + self._again
        refused = Counter(
            words_of(waiting.operation)
            for player in players
            for waiting in player.store.pending()
            if (waiting.state is PendingState.REFUSED or _is_unsent_conflict(waiting))
            and all(one in ids for one in waiting.operation.refers if one > 0)
        )
        written = Counter(_written(self._writes))
        for words, times in written.items():
            if words and words in allowed:
                most = allowed[words] - refused[words]
                assert times <= most, f"{words}: {times} times instead of {most}"


def _is_unsent_conflict(waiting: PendingChange) -> bool:
    return waiting.state is PendingState.CONFLICT and not waiting.attempts


def _takes_away(operation: Operation) -> bool:
    """Whether it deletes or archives what it is about."""
    if isinstance(operation, Edit):
        return operation.field == "archived_at" and bool(operation.text)
    name = type(operation).__name__
    return name.startswith(("Delete", "Archive")) and name != "ArchiveTasks"


def words_of(operation: Operation) -> str:
    """The words that an operation has written, if it is about words; else nothing."""
    if isinstance(operation, Edit):
        is_title = operation.field == "title" and operation.target.kind in _TITLED
        return operation.text if is_title else ""
    name = _WORDS.get(type(operation).__name__)
    return "" if name is None else str(getattr(operation, name))


def _kind(write: Write) -> Kind | None:
    return _KINDS.get(write.name)


def _written(writes: Sequence[Write]) -> Iterator[str]:
    for write in writes:
        if write.name in _WRITTEN:
            yield from (one for one in write.arguments if isinstance(one, str))
