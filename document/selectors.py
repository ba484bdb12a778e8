"""A subset of CSS selectors: finds elements of a document, and derives a selector for one.

Compounds of name, ``#id``, ``.class``, ``[attribute]``, ``[attribute=value]`` and, behind a name,
``:nth-of-type(NUMBER)``, joined by blanks (descendant) and ``>`` (child); the rest of Selectors
level 4 raises SelectorError.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Protocol

from winnow.document.arrays import Elements
from winnow.document.errors import SelectorError
from winnow.document.parsing import tags

if TYPE_CHECKING:
    from winnow.document.document import Document

_NAME: Final = r"-?[^\x00-@\[-\^`{-\x7f][^\x00-,./:-@\[-\^`{-\x7f]*"
"""All that is not ASCII may stand in a name (CSS Syntax 3, section 4.2). Written by what may not: a
class of characters with so large a range takes 20 ms to compile."""
_COMPOUND: Final = re.compile(
    rf"""(?P<tag>\*|{_NAME})?(?P<rest>(?:[#.]{_NAME}|\[{_NAME}(?:=(?:"[^"]*"|'[^']*'|[\w-]+))?\])*)
    (?::nth-of-type\((?P<nth>[1-9][0-9]{{0,5}})\))?""",
    re.VERBOSE,
)
_PART: Final = re.compile(
    rf"""(?P<mark>[#.])(?P<name>{_NAME})|\[(?P<key>{_NAME})(?:=(?P<value>"[^"]*"|'[^']*'|[\w-]+))?\]"""
)
_STEP: Final = re.compile(r"\s*>\s*|\s+")
_IDENTIFIER: Final = re.compile(rf"{_NAME}\Z")
MAX_LENGTH: Final = 300
"""Characters of one selector."""
_MOST_STEPS: Final = 4


@dataclass(frozen=True, slots=True)
class Compound:
    """What one element must be; ``direct``: the compound before it must match its very parent.

    ``nth``: its place among the siblings of its name, 0 for any.
    """

    tag: str
    attributes: tuple[tuple[str, str | None], ...]
    classes: frozenset[str]
    direct: bool
    nth: int = 0


@lru_cache(maxsize=1024)
def parse_selector(selector: str) -> tuple[Compound, ...]:
    """The compounds from the outermost to the element itself. Raises SelectorError."""
    text = selector.strip()
    if not text or len(text) > MAX_LENGTH:
        raise SelectorError(f"A selector has 1 to {MAX_LENGTH} characters.")
    found: list[Compound] = []
    position, direct = 0, False
    while True:
        match = _COMPOUND.match(text, position)
        unnamed = match is not None and match["nth"] and match["tag"] in (None, "*")
        if match is None or match.end() == position or unnamed:
            raise SelectorError(f"{selector!r} is no selector that is understood here.")
        found.append(_compound(match, direct))
        if match.end() == len(text):
            return tuple(found)
        step = _STEP.match(text, match.end())
        if step is None:
            raise SelectorError(f"{selector!r} is no selector that is understood here.")
        position, direct = step.end(), ">" in step[0]


def _compound(match: re.Match[str], direct: bool) -> Compound:
    attributes: list[tuple[str, str | None]] = []
    classes = set()
    for part in _PART.finditer(match["rest"]):
        if part["mark"] == "#":
            attributes.append(("id", part["name"]))
        elif part["mark"]:
            classes.add(part["name"])
        else:
            value = part["value"]
            attributes.append((part["key"].lower(), value.strip("\"'") if value else None))
    tag = (match["tag"] or "*").lower()
    nth = int(match["nth"] or 0)
    return Compound(tag, tuple(attributes), frozenset(classes), direct, nth)


def select(document: Document, selector: str) -> list[int]:
    """The elements that a selector matches, in document order. Raises SelectorError."""
    compounds = parse_selector(selector)
    search = Search(document, {each.tag: _places(document, each) for each in compounds if each.nth})
    return [
        element
        for element in _named(document, compounds[-1].tag)
        if search.fits(element, compounds[-1]) and search.matches(element, compounds)
    ]


def _named(document: Document, tag: str) -> Iterable[int]:
    """The elements that may have this name."""
    if tag in tags.CODES and tag:
        return document.elements_named(tag)
    return range(len(document.elements))


def _places(document: Document, compound: Compound) -> Mapping[int, int]:
    """The place of each element of the compound's name among its siblings of that name."""
    seen: Counter[int] = Counter()
    places = {}
    for element in _named(document, compound.tag):
        if document.name_of(element) == compound.tag:
            parent = int(document.elements.parent[element])
            seen[parent] += 1
            places[element] = seen[parent]
    return places


class _Searched(Protocol):
    """What selectors are tried on: a document, or what is known before there is one."""

    @property
    def elements(self) -> Elements: ...
    def name_of(self, element: int) -> str: ...
    def attributes_of(self, element: int) -> dict[str, str]: ...


@dataclass(frozen=True, slots=True)
class Search:
    """``places``: by name, where a compound asks for one."""

    document: _Searched
    places: Mapping[str, Mapping[int, int]]

    def matches(self, element: int, compounds: tuple[Compound, ...]) -> bool:
        """Whether the ancestors fit; backtracks where a compound may match at several heights."""
        if len(compounds) == 1:
            return True
        outer, direct = compounds[:-1], compounds[-1].direct
        parent = int(self.document.elements.parent[element])
        while parent >= 0:
            if self.fits(parent, outer[-1]) and self.matches(parent, outer):
                return True
            if direct:
                return False
            parent = int(self.document.elements.parent[parent])
        return False

    def meets(self, element: int, compounds: tuple[Compound, ...]) -> tuple[bool, int]:
        """Whether an element and the nearest ancestors that fit meet a selector, and how many
        elements were looked at: what backtracking alone would find is not."""
        taken, parents = 1, self.document.elements.parent
        if not self.fits(element, compounds[-1]):
            return False, taken
        for compound, inner in zip(compounds[-2::-1], compounds[:0:-1], strict=True):
            element, taken = int(parents[element]), taken + 1
            while element >= 0 and not inner.direct and not self.fits(element, compound):
                element, taken = int(parents[element]), taken + 1
            if element < 0 or (inner.direct and not self.fits(element, compound)):
                return False, taken
        return True, taken

    def fits(self, element: int, compound: Compound) -> bool:
        """Whether an element is what a compound says, whatever stands around it."""
        if compound.tag not in ("*", self.document.name_of(element)):
            return False
        if compound.nth and self.places[compound.tag][element] != compound.nth:
            return False
        if not compound.attributes and not compound.classes:
            return True
        attributes = self.document.attributes_of(element)
        classes = attributes.get("class", "")
        for name in compound.classes:
            if name not in classes or name not in classes.split():
                return False
        return all(
            key in attributes and value in (None, attributes[key])
            for key, value in compound.attributes
        )


def selector_of(document: Document, element: int) -> str:
    """A selector for an element that likely holds on the site's other pages too.

    An ``id`` ends the path; classes come before mere names; "" for the page's body and above.
    """
    steps: list[str] = []
    while element >= 0 and document.name_of(element) not in ("body", "html"):
        attributes = document.attributes_of(element)
        steps.insert(0, document.name_of(element) + "".join(lasting_marks(attributes)))
        if _lasting(attributes.get("id", "")) or len(steps) == _MOST_STEPS:
            break
        element = int(document.elements.parent[element])
    return readable(" > ".join(steps))


def readable(selector: str) -> str:
    """The selector; "" if it is too long, or has an element's name that no selector can hold."""
    try:
        parse_selector(selector)
    except SelectorError:
        return ""
    return selector


def lasting_marks(attributes: Mapping[str, str]) -> tuple[str, ...]:
    """``#id``, or else up to three ``.class``, that do not look made for this page alone."""
    if _lasting(attributes.get("id", "")):
        return (f"#{attributes['id']}",)
    names = [name for name in attributes.get("class", "").split() if _lasting(name)]
    return tuple(f".{name}" for name in names[:3])


def _lasting(name: str) -> bool:
    """Whether a name can stand in a selector and does not look made for this page alone."""
    return bool(_IDENTIFIER.match(name)) and sum(map(str.isdigit, name)) < 3
