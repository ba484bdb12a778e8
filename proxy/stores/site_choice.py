"""What is decided for one site, by a reader, for everybody or in the operator's file: one value.

As it is stored it is a text for each of its fields, of which each kept or dropped part is one.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from typing import Any, Final, TypeVar

MOST_PARTS: Final = 100
"""Kept and dropped parts of one site; the oldest go."""
_PART: Final = "part "


class SiteMode(StrEnum):
    """What is done with pages, whatever their purpose: extracted, tidied or nothing."""

    ALWAYS = "always"
    TIDY = "tidy"
    NEVER = "never"


@dataclass(frozen=True, slots=True)
class PartRule:
    """A part of a site that is always kept, or dropped; its test: the article at ``url`` has (has
    not) ``words``, "" for none."""

    selector: str
    drops: bool = False
    url: str = ""
    words: str = ""


@dataclass(frozen=True, slots=True)
class Choice:
    """None leaves a field to whom is asked next (``over``), in the end to the settings.

    ``extractor``: the method with its parameters, Crunch's filters among them; ``level``: 1 to 12
    of Crunch's ladder. ``comments``, ``images``, ``render``: as in Recipe. ``pages``: how many of
    an article are joined at most. ``transform_anyway``: although the site says ``no-transform``.
    """

    mode: SiteMode | None = None
    extractor: str | None = None
    level: int | None = None
    comments: str | None = None
    images: str | None = None
    render: str | None = None
    pages: int | None = None
    transform_anyway: bool | None = None
    parts: tuple[PartRule, ...] = field(default=())

    @property
    def keep(self) -> tuple[str, ...]:
        """The selectors of what is always part of the extraction."""
        return tuple(part.selector for part in self.parts if not part.drops)

    @property
    def drop(self) -> tuple[str, ...]:
        """The selectors of what never is."""
        return tuple(part.selector for part in self.parts if part.drops)

    def with_part(self, part: PartRule) -> Choice:
        """The next value, with one more part; one for each selector."""
        return replace(self, parts=(*self.without_part(part.selector).parts, part)[-MOST_PARTS:])

    def without_part(self, selector: str) -> Choice:
        """The next value, without the part of a selector."""
        left = tuple(part for part in self.parts if part.selector != selector)
        return replace(self, parts=left)


Kind = TypeVar("Kind", bound=Choice)
NO_CHOICE: Final = Choice()
_NAMES: Final = tuple(each.name for each in fields(Choice) if each.name != "parts")


def in_force(choices: Iterable[Choice], kind: type[Kind]) -> Kind:
    """Field by field what the first says that says something, method and level as one field.

    Parts add up; of two for one selector the first holds.
    """
    found: dict[str, Any] = {}
    parts: dict[str, PartRule] = {}
    for choice in choices:
        has_method = found.get("extractor") or found.get("level")
        for name in _NAMES:
            value = getattr(choice, name)
            if value and not (has_method and name in {"extractor", "level"}):
                found.setdefault(name, value)
        for part in choice.parts:
            parts.setdefault(part.selector, part)
    return kind(**found, parts=tuple(parts.values()))


def said(choice: Choice) -> dict[str, Any]:
    """The fields that say something."""
    return {name: value for name in (*_NAMES, "parts") if (value := getattr(choice, name))}


def told(choice: Choice) -> dict[str, str]:
    """The fields as they are stored."""
    found = {name: str(value) for name in _NAMES if (value := getattr(choice, name)) is not None}
    for part in choice.parts:
        found[_PART + part.selector] = json.dumps([part.drops, part.url, part.words])
    return found


def with_told(choice: Choice, name: str, text: str) -> Choice:
    """The inverse, for one field. Raises ValueError or TypeError for what nobody stored."""
    if name.startswith(_PART):
        drops, url, words = json.loads(text)
        return choice.with_part(PartRule(name.removeprefix(_PART), bool(drops), url, words))
    if name not in _NAMES:
        raise ValueError(f"There is no field {name!r} of a site.")
    return replace(choice, **{name: _READERS.get(name, str)(text)})


_READERS: Final[Mapping[str, Any]] = {
    "mode": SiteMode,
    "level": int,
    "pages": int,
    "transform_anyway": "True".__eq__,
}
