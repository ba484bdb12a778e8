"""Which elements a class or an id hides, by the page's own style sheets and the common frameworks'
classes. External sheets do not count, so that a page is the same for everybody.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from winnow.document.parsing import start_tags
from winnow.document.selectors import Compound, Search
from winnow.document.visibility.hiding_styles import (
    HidingRule,
    ShowingRule,
    Weight,
    hiding_rules,
    showing_rules,
    without_comments,
)
from winnow.document.visibility.scanned_tree import ScannedTree
from winnow.document.visibility.screens import is_met

_CLASSES: Final = frozenset(
    ".hidden .hide .d-none .invisible .is-hidden .u-hidden .js-hidden .ng-hide "
    ".w-condition-invisible".split()
)
_NAMES: Final = frozenset(name[1:] for name in _CLASSES)
_SHOWN_AT_TIMES: Final = re.compile(
    r"(?:^|\s)(?:[^\s:]{1,40}:(?:[^\s:]{1,40}:)?(?:block|flex|grid|contents|visible|inline|table)[a-z-]*"
    r"|d-(?:sm|md|lg|xl|xxl)-(?!none)\S+|visible-\S+|show|in|active|open)(?=\s|$)"
)
"""Classes that show an element on wide screens, or once a script has run."""
_COVERS: Final = re.compile(
    r"modal|dialog|popup|popover|lightbox|overlay|drawer|offcanvas|dropdown|menu|tooltip|nav", re.I
)
"""What covers the page when it is opened, or leads away: in a name, ``class``, ``id`` or role."""
_MOST: Final = 16
"""Rules that are tried on an element."""
_MOST_STEPS: Final = 50_000
"""Elements that are looked at for what rules ask of those around."""


class Hidden(NamedTuple):
    """How an element is hidden, and what it has in common with others that are so."""

    way: str
    alike: str
    moves: bool = False
    is_ruled: bool = False
    """Whether a rule of the page's own says so, and no class of a framework alone."""


def covers(tree: ScannedTree, element: int, attributes: Mapping[str, str]) -> bool:
    """Whether an element covers the page when it is opened, or leads away."""
    names = " ".join([attributes.get(name, "") for name in ("class", "id", "role")])
    return "aria-modal" in attributes or bool(
        _COVERS.search(f"{names} {tree.opening(element)[1:12]}")
    )


def hidden_by_name(tree: ScannedTree, styles: list[int]) -> Iterator[tuple[int, Hidden]]:
    """The elements with a class or an id that hides."""
    elements, sheets = tree.elements, list(_sheets(tree, styles))
    rules = _by_rarest_name(sheets)
    names = _NAMES.union(name[1:] for name in rules) if rules else _NAMES
    named = {
        *start_tags.with_word(tree.markup, elements.class_start, elements.class_end, names),
        *start_tags.with_word(tree.markup, elements.id_start, elements.id_end, names),
    }
    search = _Rules(tree, sheets)
    for element in sorted(named):
        if elements.last_piece[element] <= elements.first_piece[element]:
            continue
        attributes = tree.attributes(element)
        classes = attributes.get("class", "")
        if _is_shown_at_times(classes):
            continue
        selectors = _selectors(attributes)
        if selectors & _CLASSES:
            yield element, Hidden("display", classes)
            continue
        asked = [each for name in selectors & rules.keys() for each in rules[name]][:_MOST]
        may_open = bool(asked) and not covers(tree, element, attributes)
        for rule, number in asked:
            if search.hides(element, selectors, rule, number, may_open=may_open):
                yield element, Hidden(rule.way, classes, rule.moves, is_ruled=True)
                break


@lru_cache(maxsize=1024)
def _is_shown_at_times(classes: str) -> bool:
    return _SHOWN_AT_TIMES.search(classes) is not None


def _by_rarest_name(sheets: Sequence[str]) -> dict[str, list[tuple[HidingRule, int]]]:
    """The rules that hide, each with its sheet's number, by the rarest name that it asks for."""
    every = [(rule, number) for number, css in enumerate(sheets) for rule in hiding_rules(css)]
    often = Counter(name for rule, _ in every for name in rule.names)
    found = defaultdict[str, list[tuple[HidingRule, int]]](list)
    for rule, number in every:
        found[min(rule.names, key=lambda name: (often[name], name))].append((rule, number))
    return found


class _Rules:
    """The rules of a page's style sheets on its elements, so many steps in all."""

    def __init__(self, tree: ScannedTree, sheets: Sequence[str]) -> None:
        self._sheets, self._search, self._steps = sheets, Search(tree, {}), _MOST_STEPS
        self._showing: dict[tuple[str, str], list[tuple[ShowingRule, int]]] = {}

    def hides(
        self, element: int, names: frozenset[str], rule: HidingRule, number: int, *, may_open: bool
    ) -> bool:
        """Whether a rule of the sheet of that number hides an element: no greater rule shows it,
        nor may a script (``may_open``) by giving it, or what is around it, another name."""
        if not self._meets(element, rule.compounds):
            return False
        weight = _order(rule.weight, number)
        for name in names:
            for other, at in self._that_show(name, rule.way):
                is_met = self._meets(element, other.compounds)
                if not is_met and may_open and at == number and name in rule.names:
                    return False
                if is_met and _order(other.weight, at) > weight:
                    return False
        return True

    def _that_show(self, name: str, way: str) -> list[tuple[ShowingRule, int]]:
        found = self._showing.get((name, way))
        if found is None:
            found = [
                (rule, at)
                for at, css in enumerate(self._sheets)
                if name in css
                for rule in showing_rules(css, name, way)
            ]
            self._showing[name, way] = found
        return found

    def _meets(self, element: int, compounds: tuple[Compound, ...]) -> bool:
        if self._steps <= 0 or not compounds:
            return False
        is_met, taken = self._search.meets(element, compounds)
        self._steps -= taken
        return is_met


def _order(weight: Weight, sheet: int) -> tuple[bool, int, int, int, int]:
    return (*weight[:3], sheet, weight.place)


def _selectors(attributes: Mapping[str, str]) -> frozenset[str]:
    """An element's classes and its id, with their sign."""
    classes = (f".{name}" for name in attributes.get("class", "").split())
    return frozenset((*classes, f"#{attributes.get('id', '')}"))


def _sheets(tree: ScannedTree, styles: list[int]) -> Iterator[str]:
    """The page's own style sheets that count on our screen."""
    elements = tree.elements
    for element in styles:
        media = tree.attributes(element).get("media", "")
        if not media or is_met(media):
            sheet = tree.markup[elements.open_end[element] : elements.close_start[element]]
            yield without_comments(sheet)
