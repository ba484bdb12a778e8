"""Selectors that find one element of a page: alone, or with its place among all that they find."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from winnow.document.document import Document
from winnow.document.selectors import lasting_marks, readable, select, selector_of

_MARKS = ("class", "id")


class ExactSelectors:
    """Names the elements of one document; what all names need is counted once."""

    def __init__(self, document: Document) -> None:
        self._document = document

    def of(self, element: int) -> str:
        """A selector that finds this element alone; "" for body and above, or if it is too long.

        Its path of children begins at a name, class or id that no other element has, or at the
        body; ``:nth-of-type()`` stands where siblings would be found too.
        """
        steps: list[str] = []
        while element >= 0 and self._document.name_of(element) not in ("body", "html"):
            parent = int(self._document.elements.parent[element])
            step, unique = self._step(element), self._is_unique(element, -1)
            if not unique and not self._is_unique(element, parent):
                step += f":nth-of-type({self._places[element]})"
            steps.insert(0, step)
            if unique:
                return readable(" > ".join(steps))
            element = parent
        is_below_body = steps and element >= 0 and self._document.name_of(element) == "body"
        return readable(" > ".join(["body", *steps])) if is_below_body else ""

    def _step(self, element: int) -> str:
        return self._document.name_of(element) + "".join(self._marks(element))

    def _marks(self, element: int) -> tuple[str, ...]:
        return lasting_marks(self._document.attributes_of(element, _MARKS))

    def _is_unique(self, element: int, parent: int) -> bool:
        """Whether the element has a mark, or a name, that no other has; below ``parent`` or, for
        -1, on the page."""
        name = self._document.name_of(element)
        return any(self._counts[parent, name, mark] == 1 for mark in ("", *self._marks(element)))

    @cached_property
    def _counts(self) -> Counter[tuple[int, str, str]]:
        """How many elements have a name and mark, by parent, and on the page (-1)."""
        return Counter(self._marked())

    def _marked(self) -> Iterator[tuple[int, str, str]]:
        document, parents = self._document, self._document.elements.parent.tolist()
        for element, parent in enumerate(parents):
            attributes = document.attributes_of(element, _MARKS)
            marks = {f".{name}" for name in attributes.get("class", "").split()}
            if attributes.get("id"):
                marks.add(f"#{attributes['id']}")
            for mark in ("", *marks):
                yield -1, document.name_of(element), mark
                if parent >= 0:
                    yield parent, document.name_of(element), mark

    @cached_property
    def _places(self) -> list[int]:
        """Each element's place, from 1, among the siblings of its name."""
        seen: Counter[tuple[int, str]] = Counter()
        places = []
        for element, parent in enumerate(self._document.elements.parent.tolist()):
            key = (parent, self._document.name_of(element))
            seen[key] += 1
            places.append(seen[key])
        return places


@dataclass(frozen=True, slots=True)
class PlacedSelectors:
    """Of the elements of one document; each selector is looked for once."""

    document: Document
    _found: dict[str, dict[int, int]] = field(default_factory=dict)

    def of(self, element: int) -> tuple[str, int] | None:
        """Selector and place, from 0; None where no selector finds the element."""
        selector = selector_of(self.document, element) if element >= 0 else ""
        if not selector:
            return None
        if selector not in self._found:
            matches = select(self.document, selector)
            self._found[selector] = {each: place for place, each in enumerate(matches)}
        place = self._found[selector].get(element, -1)
        return (selector, place) if place >= 0 else None
