"""The client of deployed services, and the choice between it and that of the specification."""

from typing import Any

from tui.client.capabilities import UNKNOWN, Capabilities
from tui.client.client import Client
from tui.client.editions.comments import CheckedComments
from tui.client.editions.deletion import CheckedDeletions
from tui.client.editions.forms import Forms
from tui.client.editions.moving import CheckedMoves
from tui.client.editions.properties import CheckedProperties
from tui.client.editions.reading import ToleratedReading
from tui.client.editions.stages import CheckedStages
from tui.client.http.session import Session


class DeployedClient(
    CheckedMoves,
    CheckedProperties,
    CheckedStages,
    CheckedComments,
    CheckedDeletions,
    ToleratedReading,
):
    """All endpoints of a service that may deviate from the specification.

    Each method works the same on every deployed service.
    """

    def __init__(self, *args: Any, **known: Any) -> None:
        super().__init__(*args, **known)
        self.forms = Forms(self.service)


def client_for(session: Session, *, capabilities: Capabilities = UNKNOWN, **known: Any) -> Client:
    """A client for a service, which reads nothing back if the service is trusted."""
    kind = Client if capabilities.is_trusted else DeployedClient
    return kind(session, capabilities=capabilities, **known)
