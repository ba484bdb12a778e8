"""English sentences that are translated where a person reads them.

Logs, header fields and problem documents have the English text, which the sentence itself is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

NOTHING: Final[Mapping[str, object]] = {}


class Sentence(str):
    """An English text that knows its template and what fills it, so that it can be translated."""

    __slots__ = ("template", "values")

    template: str
    values: Mapping[str, object]

    def __new__(
        cls, text: str, template: str = "", values: Mapping[str, object] = NOTHING
    ) -> Sentence:
        made = super().__new__(cls, text)
        made.template, made.values = template or text, values
        return made


def says(template: str, /, **values: object) -> Sentence:
    """A sentence; ``template`` is a literal, of which the catalogues are made."""
    return Sentence(template.format_map(values), template, values)


def N_(text: str) -> str:  # noqa: N802 - gettext's customary name
    """Marks a literal as one for the catalogues; it is translated where it is shown."""
    return text
