"""Changes stages where services expect other bodies and paths (4.2)."""

from collections.abc import Callable, Mapping

from tui.client.capabilities import StageBody
from tui.client.client import Client
from tui.client.documents import Document
from tui.client.editions.forms import Form, Forms
from tui.client.endpoints import Endpoint
from tui.client.errors import NotStored
from tui.client.http.bodies import without_none
from tui.schema.boards import Stage


class CheckedStages(Client):
    """Changes stages in the form that a service accepts, and checks what it stored."""

    forms: Forms

    async def set_stage_setting(
        self, board_id: int, stage_id: int, title: str, name: str, value: object
    ) -> Document:
        """Set one of a stage's settings. Raises `NotStored` if the service does not store it."""
        stage = await self._stage(board_id, stage_id)
        settings = {**((stage or {}).get("settings") or {}), name: value}
        return await self.update_stage(
            board_id,
            stage_id,
            title,
            settings,
            is_stored=lambda stage: (
                _plain((stage.get("settings") or {}).get(name)) == _plain(value)
            ),
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
            else:
                body = flat
                if form["stage_body"] is StageBody.NESTED:
                    nested = without_none(title=title, settings=settings, cover_bg=color)
                    body = {"stage": nested}
                answer = await self.service.ask(
                    Endpoint.UPDATE_STAGE, board_id, stage_id, body=body
                )
                stage = answer.document(Stage, "data", "updatedStage", "stage")
            if not is_stored(stage):
                raise NotStored(
                    "The service reported the change of the stage, but did not store it.",
                    hint="Its edition may not offer it.",
                    details=f"stage {stage.get('id')}: {stage.get('bg_color')},"
                    f" {stage.get('settings')}",
                )
            return stage

        async def look() -> Document | None:
            stage = await self._stage(board_id, stage_id)
            if stage is None or stage.get("title") != title:
                return None
            has = (_plain(stage.get(name)) == _plain(flat[name]) for name in flat)
            return stage if all(has) else None

        bodies = list(StageBody)
        if not title.strip():
            bodies = [self.service.capabilities.stage_body or StageBody.FLAT]
        return await self.forms.accepted([{"stage_body": body} for body in bodies], send, look)

    async def _set_property(
        self, board_id: int, stage_id: int, name: str, value: object
    ) -> Document:
        # An unknown property may change nothing.
        body = {"property": name, "value": value}
        answer = await self.service.ask(
            Endpoint.UPDATE_STAGE_PROPERTY, board_id, stage_id, body=body
        )
        return answer.document(Stage, "stage", "updatedStage", "data")


def _plain(value: object) -> object:
    """A value in a form that ignores how services write it: numbers in digits, none, yes."""
    if isinstance(value, list | tuple):
        return sorted(map(str, value))
    return str(value or "").casefold()
