"""What has been learnt of a service so far, and who is told.

The rule it keeps: only news are told, once each; what is known already is learnt silently.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

from tui.client.capabilities import Capabilities, Feature

Learned = Callable[[Capabilities], None]
"""Hears of everything that is known, whenever it has become more or other."""


def ignore(_: Capabilities) -> None:
    """Remember nothing."""


def _now() -> datetime:
    return datetime.now(UTC)


class Memory:
    """Holds the present `capabilities`; `clock` gives the time (aware)."""

    def __init__(
        self,
        capabilities: Capabilities,
        learned: Learned = ignore,
        clock: Callable[[], datetime] = _now,
    ) -> None:
        self._capabilities = capabilities
        self._learned = learned
        self._clock = clock

    @property
    def capabilities(self) -> Capabilities:
        """What is known now."""
        return self._capabilities

    @property
    def is_trusted(self) -> bool:
        """Whether the service's word is enough, so that nothing is read back."""
        return self._capabilities.is_trusted

    def learn(self, known: Capabilities) -> None:
        """Take over what is known now, and tell it if it is news."""
        if known == self._capabilities:
            return
        self._capabilities = replace(known, learnt_at=self._clock().replace(microsecond=0))
        self._learned(self._capabilities)

    def learn_features(self, answers: dict[Feature, bool]) -> None:
        """Note which features the service has and which it does not have."""
        there = {feature for feature, is_there in answers.items() if is_there}
        absent = answers.keys() - there
        known = self._capabilities
        self.learn(
            replace(
                known,
                offered=known.offered - absent | there,
                missing=known.missing - there | absent,
            )
        )
