"""What a service offers: probed by safe calls, remembered, and told with the reason."""

from collections.abc import Awaitable, Callable, Mapping

import httpx
import pytest

from tests.client.deployed_services.deployed import NO_ROUTE
from tests.client.scripted import Script, ok, session
from tests.service.pictures import png
from tui.client import errors
from tui.client.capabilities import FOR_ADMINISTRATORS, UNKNOWN, Capabilities, Feature
from tui.client.client import Client
from tui.client.editions.client import client_for
from tui.client.editions.probing import ensure, probe

_MISSING = ok(NO_ROUTE, 404)
_FORBIDDEN = ok({"code": "rest_forbidden", "message": "Sorry."}, 403)
_PROBED = {
    "/projects/1/tasks/1/subtasks": Feature.SUBTASKS,
    "/projects/1/custom-fields": Feature.CUSTOM_FIELDS,
    "/admin/folders": Feature.FOLDERS,
    "/service-users": Feature.SERVICE_USERS,
    "/search-service-users": Feature.USER_SEARCH,
    "/projects/1/has-data-changed": Feature.CHANGE_NEWS,
}
_TOLD_BY_OTHERS = (Feature.ROLES, Feature.BOARD_MOVES, Feature.SUBTASK_COPIES)


class Edition:
    """Answers each path as told, and everything else with one answer."""

    def __init__(self, otherwise: httpx.Response, **by_feature: httpx.Response) -> None:
        self.answers: Mapping[Feature, httpx.Response] = {
            Feature[name]: answer for name, answer in by_feature.items()
        }
        self.otherwise = otherwise
        self.script = Script(self.answer)
        self.learnt: list[Capabilities] = []

    def client(self, known: Capabilities = UNKNOWN) -> Client:
        return client_for(session(self.script), capabilities=known, learned=self.learnt.append)

    def answer(self, request: httpx.Request) -> httpx.Response:
        feature = _PROBED.get(request.url.path.removeprefix("/site/v2"))
        told = self.answers.get(feature, self.otherwise) if feature else self.otherwise
        return httpx.Response(told.status_code, headers=told.headers, content=told.content)


async def test_an_edition_with_nothing_more_is_known_after_one_look() -> None:
    edition = Edition(_MISSING)
    async with edition.client() as client:
        await probe(client)
        known = client.service.capabilities
        assert known.missing == {*_PROBED.values()}
        assert [known.offers(feature) for feature in _TOLD_BY_OTHERS] == [False] * 3
        assert sorted(edition.script.asked) == sorted(f"GET {path}" for path in _PROBED)
        await probe(client)
        assert len(edition.script.asked) == len(_PROBED)
    assert edition.learnt[-1] == known


@pytest.mark.parametrize(
    "answer",
    [
        _FORBIDDEN,
        ok({"message": "No query results for model [Task]"}, 404),
        ok({"code": "plugin_exception", "message": "x"}, 500),
        ok("Unauthorized Action", 400),
    ],
)
async def test_any_answer_of_its_own_means_that_it_is_there(answer: httpx.Response) -> None:
    edition = Edition(answer)
    async with edition.client() as client:
        await probe(client)
        known = client.service.capabilities
    assert known.offered == {*_PROBED.values()}
    assert known.offers(Feature.ROLES) is known.offers(Feature.BOARD_MOVES) is True


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (ok({"message": "No."}, 401), errors.WrongCredentials),
        (httpx.Response(502, text="<html>"), errors.ServerFault),
        (httpx.Response(503, json={"message": "x"}), errors.ServerFault),
    ],
)
async def test_an_answer_of_somebody_else_teaches_nothing(
    answer: httpx.Response, kind: type[errors.ApiError]
) -> None:
    edition = Edition(answer)
    async with edition.client() as client:
        with pytest.raises(kind):
            await probe(client)
    assert edition.learnt == []


async def test_a_page_teaches_nothing_and_the_others_are_asked_for_all_the_same() -> None:
    edition = Edition(_MISSING, FOLDERS=httpx.Response(404, text="<html>no</html>"))
    async with edition.client() as client:
        await probe(client)
        assert client.service.offers(Feature.FOLDERS) is None
        assert client.service.offers(Feature.SUBTASKS) is False


@pytest.mark.parametrize("there", ["SUBTASKS", "CUSTOM_FIELDS"])
async def test_roles_are_told_by_the_company_they_keep(there: str) -> None:
    edition = Edition(_MISSING, **{there: _FORBIDDEN})
    async with edition.client() as client:
        await probe(client)
        assert client.service.offers(Feature.ROLES) is True
        assert client.service.offers(Feature.BOARD_MOVES) is True
        assert client.service.offers(Feature.FOLDERS) is False


async def test_it_can_be_asked_again() -> None:
    edition = Edition(_MISSING)
    async with edition.client() as client:
        offers = client.service.offers
        await probe(client)
        edition.otherwise = _FORBIDDEN
        await probe(client)
        assert offers(Feature.FOLDERS) is False
        await probe(client, again=True)
        assert offers(Feature.FOLDERS) is True
        assert offers(Feature.ROLES) is True


async def test_what_is_known_is_not_asked_for() -> None:
    edition = Edition(_MISSING)
    known = Capabilities(offered=frozenset({Feature.SUBTASKS}), missing=frozenset({Feature.ROLES}))
    async with edition.client(known) as client:
        await probe(client, 5)
        assert client.service.offers(Feature.ROLES) is False
    assert not any("subtasks" in call for call in edition.script.asked)
    assert "GET /projects/5/custom-fields" in edition.script.asked


async def test_the_own_service_is_asked_nothing() -> None:
    edition = Edition(_MISSING)
    async with edition.client(Capabilities.embedded()) as client:
        await probe(client)
        for feature in Feature:
            client.service.require(feature)
            await ensure(client, feature)
    assert edition.script.asked == []


@pytest.mark.parametrize("feature", Feature)
async def test_the_reason_is_in_words(feature: Feature) -> None:
    edition = Edition(_MISSING)
    async with edition.client(Capabilities(missing=frozenset({feature}))) as client:
        why = "Only administrators" if feature in FOR_ADMINISTRATORS else "edition does not offer"
        with pytest.raises(errors.NotOffered, match=why):
            client.service.require(feature)
    async with edition.client() as client:
        client.service.require(feature)


async def test_subtasks_by_name() -> None:
    edition = Edition(_MISSING)
    async with edition.client(Capabilities(missing=frozenset({Feature.SUBTASKS}))) as client:
        with pytest.raises(errors.NotOffered) as caught:
            client.service.require(Feature.SUBTASKS)
    assert caught.value.message == "This service’s edition does not offer subtasks."


@pytest.mark.parametrize(
    ("call", "feature"),
    [
        (lambda c: c.folders(), Feature.FOLDERS),
        (lambda c: c.subtask_groups(1, 3), Feature.SUBTASKS),
        (lambda c: c.make_viewer(1, 2), Feature.VIEWER_ROLES),
        (lambda c: c.make_manager(1, 2), Feature.ROLES),
        (lambda c: c.upload_image(1, 2, "p.png", png()), Feature.PICTURES),
        (lambda c: Client.search_users(c, "a"), Feature.USER_SEARCH),
        (lambda c: c.remove_user(1, 2), Feature.REMOVAL_FROM_BOARD),
        (lambda c: c.reposition_field(1, 2, 1), Feature.CUSTOM_FIELD_ORDER),
        (lambda c: c.clone_subtask(1, 2), Feature.SUBTASK_COPIES),
        (lambda c: c.ask_changes(1, "x"), Feature.CHANGE_NEWS),
    ],
)
async def test_what_is_met_on_the_way_teaches_too(
    call: Callable[[Client], Awaitable[object]], feature: Feature
) -> None:
    edition = Edition(_MISSING)
    async with edition.client() as client:
        with pytest.raises(errors.NotOffered, match="edition does not offer") as caught:
            await call(client)
        with pytest.raises(errors.NotOffered):
            client.service.require(feature)
    assert caught.value.status == 404
    assert [known.missing for known in edition.learnt] == [{feature}]


async def test_what_is_missing_is_not_asked_for_again() -> None:
    edition = Edition(_MISSING)
    async with edition.client() as client:
        for _ in range(2):
            with pytest.raises(errors.NotOffered, match="does not offer subtasks"):
                await client.subtask_groups(1, 3)
        with pytest.raises(errors.NotOffered, match="groups of subtasks"):
            await client.create_subtask_group(1, 3, "Group")
    assert len(edition.script.asked) == 1


@pytest.mark.parametrize(("told", "has_groups"), [("subtaskGroups", True), ("data", False)])
async def test_a_list_of_subtasks_tells_whether_there_are_groups(
    told: str, has_groups: bool
) -> None:
    edition = Edition(ok({told: []}))
    async with edition.client() as client:
        await client.subtask_groups(1, 3)
        offers = client.service.offers
        assert offers(Feature.SUBTASKS) is True
        assert offers(Feature.SUBTASK_GROUPS) is has_groups
        assert offers(Feature.SUBTASK_COPIES) is (None if has_groups else False)


async def test_a_route_that_stands_for_nothing_teaches_nothing() -> None:
    edition = Edition(_MISSING)
    async with edition.client() as client:
        with pytest.raises(errors.NotOffered):
            await client.labels(1)
    assert edition.learnt == []


async def test_the_services_own_word_is_in_its_paths() -> None:
    script = Script(_MISSING)
    async with client_for(session(script), path_word="kanban") as client:
        await probe(client)
    assert {"GET /kanban-users", "GET /search-kanban-users"} <= set(script.asked)
