"""Requests that deployed services accept in one of several forms."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from http import HTTPStatus
from typing import Any, TypeVar

from tui.client.errors import ApiError, NotOffered, NotStored, ServerFault, UnexpectedAnswer
from tui.client.service import RemoteService

T = TypeVar("T")
Form = Mapping[str, Any]
"""Fields of `Capabilities`, with values that say in which form a request is sent."""
_FORM_REFUSED = frozenset({400, 404, 405, 422, 500})
_NOTHING_WRITTEN = frozenset({405, 422})
"""A refused creation may have written after any other status."""


class Forms:
    """Sends requests in the form that a service accepts, and remembers which that is."""

    def __init__(self, service: RemoteService) -> None:
        self._service = service
        self._broken: list[Form] = []
        """Forms at which the service broke down."""

    async def accepted(
        self,
        forms: Sequence[Form],
        send: Callable[[Form], Awaitable[T]],
        look: Callable[[], Awaitable[T | None]] | None = None,
        *,
        is_repeatable: bool = True,
    ) -> T:
        """Make a request in the form that the service is known to accept, else in each of `forms`.

        The next one is tried after a definite answer, 400, 404, 405, 422 or 500, and after
        `NotStored`; after a 500 not if `look` returns what the request was to bring about. A
        request that is not `is_repeatable` is sent again only after 405 and 422; after a 500, which
        its caller has to look into, another form comes first the next time. The accepted form is
        remembered. Raises the error of the known form, or else the most telling one.
        """
        fields = self._service.capabilities
        match = [sum(getattr(fields, name) == form[name] for name in form) for form in forms]
        # Forms that broke the service come last, forms that match what is known of it first.
        order = sorted(
            range(len(forms)), key=lambda index: (forms[index] in self._broken, -match[index])
        )
        accepted = next(
            (forms[index] for index in order if match[index] == len(forms[index]) > 0), None
        )
        refusals: list[ApiError] = []
        for form in (forms[index] for index in order):
            try:
                result = await send(form)
            except ApiError as error:
                is_fault = error.status == HTTPStatus.INTERNAL_SERVER_ERROR
                # A form that worked before is not doubted for a fault.
                if is_fault and not is_repeatable and accepted is None:
                    self._broken.append(form)
                if not _is_about_form(error, is_repeatable=is_repeatable):
                    raise
                if error.may_have_happened and look is not None:
                    try:
                        present = await look()
                    except ApiError:
                        # Nobody can tell whether it took effect, so it is not sent again.
                        raise error from None
                    # It took effect in spite of the error, which says nothing about the form.
                    if present is not None:
                        return present
                refusals.append(error)
            else:
                self._service.learn(**form)
                self._broken = [broken for broken in self._broken if broken != form]
                return result
        raise refusals[0] if accepted is not None else max(refusals, key=_telling)


def _is_about_form(error: ApiError, *, is_repeatable: bool) -> bool:
    """Whether another form of a request may be accepted, and can do no harm."""
    if isinstance(error, NotStored | NotOffered):
        return True
    # A proxy's page may have any of these statuses, and says nothing about the form.
    statuses = _FORM_REFUSED if is_repeatable else _NOTHING_WRITTEN
    return error.status in statuses and not isinstance(error, UnexpectedAnswer)


def _telling(error: ApiError) -> int:
    return 0 if isinstance(error, NotOffered) else 1 if isinstance(error, ServerFault) else 2
