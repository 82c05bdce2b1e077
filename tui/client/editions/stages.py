"""Creates and changes stages where services expect other bodies and paths (4.2)."""

from collections.abc import Callable, Mapping

from tui.client.capabilities import StageBody, StageStatus
from tui.client.client import Client
from tui.client.documents import Document
from tui.client.editions.forms import Form, Forms
from tui.client.endpoints import Endpoint
from tui.client.errors import NotStored, after_success
from tui.client.http.bodies import without_none
from tui.schema.boards import Stage

_STATUS = "default_task_status"
"""The setting with the status that tasks get in a stage."""
_OPEN = "open"
"""Its default."""


class CheckedStages(Client):
    """Changes stages in the form that a service accepts, and checks what it stored."""

    forms: Forms

    async def create_stage(
        self, board_id: int, title: str, status: str | None = None, *, position: float | None = None
    ) -> list[Document]:
        """The stages of the reply; the new one has the `status`, also if the service ignored it."""
        create = super().create_stage
        if status in (None, _OPEN):
            return await create(board_id, title, status, position=position)
        # The reply may list every stage, so the new one is known by its id: services change titles.
        earlier_ids = {stage["id"] for stage in (await self.board(board_id)).get("stages", [])}
        stages = await create(board_id, title, status, position=position)
        added = (stage for stage in stages if stage["id"] not in earlier_ids)
        created = max(added, key=lambda stage: int(stage["id"]), default=None)
        if created is None or _has_setting(created, _STATUS, status):
            return stages
        # The stage exists: repeating the call would create a second one.
        with after_success():
            changed = await self.set_stage_setting(board_id, created["id"], title, _STATUS, status)
        return [changed if stage is created else stage for stage in stages]

    async def set_stage_setting(
        self, board_id: int, stage_id: int, title: str, name: str, value: object
    ) -> Document:
        """Set one of a stage's settings. Raises `NotStored` if the service does not store it."""
        if name != _STATUS:
            return await self._set_in_settings(board_id, stage_id, title, name, value)

        # All measured editions answer 200 to this setting in `update-stage` and store nothing; what
        # they store is the property `status`.
        async def send(form: Form) -> Document:
            if form["stage_status"] is StageStatus.SETTING:
                return await self._set_in_settings(board_id, stage_id, title, name, value)
            body = {"property": "status", "value": value}
            await self.service.ask(Endpoint.UPDATE_STAGE_PROPERTY, board_id, stage_id, body=body)
            stage = await self._stage(board_id, stage_id) or {}
            if not _has_setting(stage, name, value):
                raise _not_stored(stage)
            return stage

        return await self.forms.accepted([{"stage_status": way} for way in StageStatus], send)

    async def _set_in_settings(
        self, board_id: int, stage_id: int, title: str, name: str, value: object
    ) -> Document:
        stage = await self._stage(board_id, stage_id)
        settings = {**((stage or {}).get("settings") or {}), name: value}
        return await self.update_stage(
            board_id,
            stage_id,
            title,
            settings,
            is_stored=lambda stage: _has_setting(stage, name, value),
        )

    async def set_stage_color(
        self, board_id: int, stage_id: int, title: str, color: str
    ) -> Document:
        """Set a stage's colour. Raises `NotStored` if the service does not store it."""
        return await self.update_stage(
            board_id,
            stage_id,
            title,
            color=color,
            is_stored=lambda stage: _plain(stage.get("bg_color")) == _plain(color),
        )

    async def update_stage(
        self,
        board_id: int,
        stage_id: int,
        title: str,
        settings: Mapping[str, object] | None = None,
        color: str | None = None,
        *,
        is_stored: Callable[[Document], bool] = lambda _: True,
    ) -> Document:
        flat = without_none(title=title, settings=settings, bg_color=color)

        async def send(form: Form) -> Document:
            stage: Document = {}
            if form["stage_body"] is StageBody.PROPERTY:
                for name, value in flat.items():
                    stage = await self._set_property(board_id, stage_id, name, value)
                # The old paid edition answers 200 to a title or a colour, and changes nothing.
                stage = await self._stage(board_id, stage_id) or stage
                if _plain(str(stage.get("title")).strip()) != _plain(title.strip()):
                    raise _not_stored(stage)
            else:
                # The recent edition refuses a flat body with 422, the older ones with 500.
                body = flat
                if form["stage_body"] is StageBody.NESTED:
                    cover = await self._present_color(board_id, stage_id, color)
                    nested = without_none(title=title, settings=settings, cover_bg=cover)
                    body = {"stage": nested}
                answer = await self.service.ask(
                    Endpoint.UPDATE_STAGE, board_id, stage_id, body=body
                )
                stage = answer.document(Stage, "data", "updatedStage", "stage")
            if not is_stored(stage):
                raise _not_stored(stage)
            return stage

        async def look() -> Document | None:
            stage = await self._stage(board_id, stage_id)
            if stage is None or stage.get("title") != title:
                return None
            has = (_plain(stage.get(name)) == _plain(flat[name]) for name in flat)
            return stage if all(has) else None

        bodies = list(StageBody)
        # An empty title is refused in every body, so only one is sent.
        if not title.strip():
            bodies = [self.service.capabilities.stage_body or StageBody.FLAT]
        return await self.forms.accepted([{"stage_body": body} for body in bodies], send, look)

    async def _present_color(self, board_id: int, stage_id: int, color: str | None) -> str | None:
        # On every measured edition a nested body without `cover_bg` erases the stage's colour.
        if color is not None:
            return color
        stage = await self._stage(board_id, stage_id) or {}
        return str(stage.get("bg_color") or "") or None

    async def _set_property(
        self, board_id: int, stage_id: int, name: str, value: object
    ) -> Document:
        body = {"property": name, "value": value}
        answer = await self.service.ask(
            Endpoint.UPDATE_STAGE_PROPERTY, board_id, stage_id, body=body
        )
        return answer.document(Stage, "stage", "updatedStage", "data")


def _has_setting(stage: Document, name: str, value: object) -> bool:
    return _plain((stage.get("settings") or {}).get(name)) == _plain(value)


def _not_stored(stage: Document) -> NotStored:
    return NotStored(
        "The service reported the change of the stage, but did not store it.",
        hint="Its edition may not offer it.",
        details=f"stage {stage.get('id')}: {stage.get('bg_color')}, {stage.get('settings')}",
    )


def _plain(value: object) -> object:
    """A value in a form that ignores how services write it: numbers in digits, none, yes."""
    if isinstance(value, list | tuple):
        return sorted(map(str, value))
    return str(value or "").casefold()
