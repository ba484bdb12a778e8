"""Changes of a page's markup, which an extraction asks of the pruned format."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import NamedTuple


class Operation(StrEnum):
    """What the pruned renderer does to one element, besides keeping or dropping text."""

    REMOVE = "remove"
    UNWRAP = "unwrap"
    EMPTY = "empty"
    REPLACE = "replace"
    DROP_ATTRIBUTE = "drop-attribute"
    SET_ATTRIBUTE = "set-attribute"
    APPEND = "append"


class Edit(NamedTuple):
    """One change of markup: ``element`` is an index into ``Document.elements``.

    ``value`` is markup for REPLACE and APPEND, an attribute's name for DROP_ATTRIBUTE,
    ``NAME=VALUE`` for SET_ATTRIBUTE, which counts behind what is dropped; names are lower-case.
    """

    element: int
    operation: Operation
    value: str = ""


def set_attributes(edits: Iterable[Edit]) -> Iterator[tuple[str, str]]:
    """The names and values of the attributes that edits set."""
    for edit in edits:
        if edit.operation is Operation.SET_ATTRIBUTE:
            name, _, value = edit.value.partition("=")
            yield name, value
