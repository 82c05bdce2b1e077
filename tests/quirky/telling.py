"""Replies to writes that tell of more than was asked, or that it failed when it did not."""

from dataclasses import dataclass, field

from tests.quirky.asking import Answer, Asked, Onward, breakdown, is_task, objects
from tests.quirky.quirks import Quirks

_LATELY = 30


@dataclass(slots=True)
class Telling:
    """Rounds off replies to writes; remembers the tasks that were touched, by board."""

    quirks: Quirks
    every: int
    """Of so many writes the last one fails after it has written."""
    _written: int = 0
    _touched: dict[int, list[int]] = field(default_factory=dict)

    async def __call__(self, asked: Asked, onward: Onward) -> Answer:
        answer = await onward(asked)
        if not asked.is_writing or not answer.is_success or not answer.is_json:
            return answer
        if self.quirks.fails_after_writing:
            self._written += 1
            if self._written % self.every == 0:
                return breakdown("MySQL server has gone away")
        ids = asked.ids("POST", "/projects/{board}/stage-create")
        if ids and self.quirks.all_stages_told:
            board = await onward(asked.instead("GET", f"/projects/{ids['board']}"))
            answer.body["updatedStages"] = board.body["board"]["stages"]
        if self.quirks.all_tasks_told and "updatedTasks" in answer.body:
            await self._tell_all(asked, answer, onward)
        return answer

    async def _tell_all(self, asked: Asked, answer: Answer, onward: Onward) -> None:
        board_id = int(asked.path.split("/")[2])
        touched = [record["id"] for record in objects(answer.body) if is_task(record)]
        lately = [*self._touched.get(board_id, []), *touched]
        self._touched[board_id] = list(dict.fromkeys(reversed(lately)))[_LATELY::-1]
        listed = await onward(asked.instead("GET", f"/projects/{board_id}/tasks"))
        tasks = {task["id"]: task for task in listed.body.get("tasks", ())}
        for task_id in self._touched[board_id]:
            if task_id not in tasks:
                read = await onward(asked.instead("GET", f"/projects/{board_id}/tasks/{task_id}"))
                if read.is_success:
                    tasks[task_id] = read.body["task"]
        told = [tasks[task_id] for task_id in self._touched[board_id] if task_id in tasks]
        answer.body["updatedTasks"] = told
