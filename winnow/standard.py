"""What an extraction must reach, and the error for a page that cannot be transformed; no parser.

Stands apart from ``winnow.pipeline`` so that the process that answers starts without parsers.
"""

from __future__ import annotations

from dataclasses import dataclass

from winnow.parcels import Failure


class PipelineError(Exception):
    """A page that cannot be transformed; ``failure`` says why."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.failure = Failure(reason, message)


@dataclass(frozen=True, slots=True)
class Standard:
    """What an extraction must reach; below it a person should get the original."""

    min_words: int = 20
    min_confidence: float = 0.15
    min_share: float = 0.03
