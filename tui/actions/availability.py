"""Why an action is unavailable: the mode, the user's role, or the service's features."""

from collections.abc import Mapping

from tui.actions.action import Action
from tui.client.capabilities import FOR_ADMINISTRATORS, Feature, why_missing
from tui.model.people import Role
from tui.store.protocol import Store

VIEWER = "You are a viewer of this board: you can read it but not change it."

MEMBER = "Only managers of this board may do that."

ADMINISTRATOR = "Only administrators of the service may do that."

READ_ONLY = "Read-only mode: nothing can be changed."

_FEW_WORDS = {
    VIEWER: "you are a viewer",
    MEMBER: "managers only",
    ADMINISTRATOR: "administrators only",
    READ_ONLY: "read-only mode",
    **{why_missing(feature): "not in this edition" for feature in Feature},
    **{why_missing(feature): "administrators only" for feature in FOR_ADMINISTRATORS},
}

CHANGING_KEYS: Mapping[str, Feature | None] = {
    "field.edit": None,
    "subtask.lift": None,
    "subtask.move-down": None,
    "subtask.move-up": None,
    "task.lift": None,
    "task.move-down": None,
    "task.move-left": None,
    "task.move-right": None,
    "task.move-up": None,
}
"""Binding ids of board changes that widgets handle without an action; the feature each needs."""


def unavailable(action_id: str, action: Action | None, store: Store, role: Role) -> str | None:
    """The reason why a key is unavailable, as a sentence; None if it is available or not known.

    `action` is None if a widget handles the key without one.
    """
    changes = action_id in CHANGING_KEYS if action is None else action.changes_board
    manages = action is not None and action.manages_board
    elsewhere = action is not None and (action.administers or action.changes_more)
    if store.is_read_only and (changes or manages or elsewhere):
        return READ_ONLY
    if role is Role.VIEWER and (changes or manages):
        return VIEWER
    if role is Role.MEMBER and manages:
        return MEMBER
    if action is not None and action.administers and store.me.is_administrator is False:
        return ADMINISTRATOR
    needs = CHANGING_KEYS.get(action_id) if action is None else action.needs
    return None if needs is None else missing(store, needs)


def in_few_words(reason: str) -> str:
    """The reason why an action is unavailable, as short as there is room for beside it."""
    return _FEW_WORDS.get(reason, reason)


def roles_on_offer(store: Store) -> list[Role]:
    """The roles that people can be given on boards.

    An edition that changes no roles can still add members and viewers; one that changes roles, but
    not to viewers, has none.
    """
    if store.offers(Feature.ROLES) is False:
        return [Role.MEMBER, Role.VIEWER]
    if store.offers(Feature.VIEWER_ROLES) is False:
        return [Role.MEMBER, Role.MANAGER]
    return [Role.MEMBER, Role.VIEWER, Role.MANAGER]


def missing(store: Store, feature: Feature) -> str | None:
    """The reason why the service lacks a feature; None if it offers it, or if that is not known."""
    return why_missing(feature) if store.offers(feature) is False else None
