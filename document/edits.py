"""Changes of a page's markup, which an extraction asks of the pruned format."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class Operation(StrEnum):
    """What the pruned renderer does to one element, besides keeping or dropping text."""

    REMOVE = "remove"
    UNWRAP = "unwrap"
    EMPTY = "empty"
    REPLACE = "replace"
    DROP_ATTRIBUTE = "drop-attribute"
    APPEND = "append"


class Edit(NamedTuple):
    """One change of markup: ``element`` is an index into ``Document.elements``.

    ``value`` is markup for REPLACE and APPEND, an attribute's name for DROP_ATTRIBUTE.
    """

    element: int
    operation: Operation
    value: str = ""
