"""Which elements no browser shows, and which of these a control of the page opens.

Beside what their own start tags say (``start_tags.hides``): the common frameworks' classes, and the
page's own plain rules, ``.name{display:none}`` or ``#name{display:none}`` outside of ``@media``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

from winnow.document import start_tags
from winnow.document.arrays import Elements, Pieces

ElementsNamed = Callable[[str], list[int]]

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
_FOLDS: Final = re.compile(r"accordion|collaps", re.I)
_MORE: Final = frozenset(
    "more readmore showmore seemore viewmore expand readthefullstory continuereading weiterlesen "
    "mehr mehrlesen mehranzeigen liresuite lirelasuite voirplus afficherplus leermas leerm\u00e1s "
    "vermas verm\u00e1s mostrarm\u00e1s leggitutto continua leesmeer meerlezen l\u00e4smer "
    "saibamais leiamais \u0447\u0438\u0442\u0430\u0442\u044c\u0434\u0430\u043b\u0435\u0435".split()
)
"""What stands on a control beside text that is cut off."""
_SHOWING: Final = re.compile(
    r"(?![\w-])[^{}]{0,500}\{[^{}]{0,500}(?:display\s*:(?!\s*none)|visibility\s*:\s*v)"
)
_COMMENT: Final = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_TARGETS: Final = (('="#', 2), ('aria-controls="', 4))
"""What stands before the ids of what controls open, and the index of its rarest letter."""
_PLAIN: Final = re.compile(r"[.#][\w-]+")
_LONGEST: Final = 30
"""Characters from a property's name to its value."""
_LONGEST_NAME: Final = 40
"""Characters of what stands on a control."""
_LONG: Final = 40
"""Characters of a text that a control would open."""
_SERIES: Final = 3
"""Long elements of one class that hides: questions' answers, tabs, replies; a script opens them."""
_READ: Final = frozenset({"class", "id", "role", "aria-modal", "open"})
_RULE: Final = 2000
"""Characters of a rule's selectors or declarations that are read."""
_PLACES: Final = 100
"""Places of a style sheet where a name is looked at."""
_MOST: Final = 16
"""Names of hidden elements that are looked for."""


@dataclass(frozen=True)
class _Tree:
    """What is looked at: a scan and the markup that it was made from."""

    markup: str
    text: str
    elements: Elements
    pieces: Pieces

    @cached_property
    def targets(self) -> frozenset[str]:
        """The ids that controls and links of the page name as what they open."""
        markup = self.markup
        starts = [
            at + len(mark)
            for mark, rare in _TARGETS
            for at in start_tags.standing(markup, mark, rare)
        ]
        named = (markup[at:end] for at in starts if (end := markup.find('"', at)) >= 0)
        return frozenset(name for names in named for name in names.split())

    def opening(self, element: int) -> str:
        return self.markup[self.elements.open_start[element] : self.elements.open_end[element]]

    def attributes(self, element: int) -> dict[str, str]:
        start, end = int(self.elements.open_start[element]), int(self.elements.open_end[element])
        return start_tags.attributes(self.markup, start, end, _READ)

    def length(self, element: int) -> int:
        """Characters of an element's text."""
        first, behind = self.elements.first_piece[element], self.elements.last_piece[element]
        return int(self.pieces.end[behind - 1] - self.pieces.start[first]) if behind > first else 0

    def piece(self, index: int) -> str:
        """A piece's letters; "" where there is no such piece."""
        if not 0 <= index < len(self.pieces):
            return ""
        words = self.text[self.pieces.start[index] : self.pieces.end[index]]
        return "".join(filter(str.isalnum, words.casefold())) if len(words) < _LONGEST_NAME else ""


def hidden_elements(
    markup: str, text: str, elements: Elements, pieces: Pieces, named: ElementsNamed
) -> list[int]:
    """The elements that hide what they hold, in order; ``named``: the elements of a name.

    O(markup + hidden elements).
    """
    tree = _Tree(markup, text, elements, pieces)
    found = set(elements.hides.nonzero()[0].tolist())
    found |= {each for each in named("dialog") if "open" not in tree.attributes(each)}
    found |= _hidden_by_name(tree, named("style"))
    return sorted(element for element in found if not _is_opened(tree, element))


def _hidden_by_name(tree: _Tree, styles: list[int]) -> set[int]:
    """The elements with a class or an id that hides, but for those that a script opens."""
    classes = dict(_named_as_hidden(tree, styles))
    series = Counter(classes[each] for each in classes if tree.length(each) >= _LONG)
    most = len(tree.text) // 2
    return {
        element
        for element, named in classes.items()
        if series[named] < _SERIES and tree.length(element) <= most
    }


def _named_as_hidden(tree: _Tree, styles: list[int]) -> Iterator[tuple[int, str]]:
    """The elements with a class or an id that hides, and their classes."""
    elements, sheets = tree.elements, list(_sheets(tree, styles))
    rules = {name for sheet in sheets for name in _hidden_in(sheet)}
    names = _NAMES.union(name[1:] for name in rules) if rules else _NAMES
    named = {
        *start_tags.with_word(tree.markup, elements.class_start, elements.class_end, names),
        *start_tags.with_word(tree.markup, elements.id_start, elements.id_end, names),
    }
    found = {
        element: tree.attributes(element)
        for element in sorted(named)
        if elements.last_piece[element] > elements.first_piece[element]
    }
    selectors = {element: _selectors(attributes) for element, attributes in found.items()}
    used = sorted(rules.intersection(frozenset().union(*selectors.values())))[:_MOST]
    hiding = {name for name in used if not any(_is_shown_in(each, name) for each in sheets)}
    for element, attributes in found.items():
        classes = attributes.get("class", "")
        hides = not selectors[element].isdisjoint(_CLASSES | hiding)
        if hides and not _SHOWN_AT_TIMES.search(classes):
            yield element, classes


def _selectors(attributes: Mapping[str, str]) -> frozenset[str]:
    """An element's classes and its id, with their sign."""
    classes = (f".{name}" for name in attributes.get("class", "").split())
    return frozenset((*classes, f"#{attributes.get('id', '')}"))


class _Sheet(NamedTuple):
    """A style sheet: a stretch of a text, of the page's markup where it has no comments."""

    text: str
    start: int
    end: int


def _sheets(tree: _Tree, styles: list[int]) -> Iterator[_Sheet]:
    """The page's own style sheets that may hide something on every screen."""
    elements, markup = tree.elements, tree.markup
    for element in styles:
        if " media=" in tree.opening(element):
            continue
        start, end = int(elements.open_end[element]), int(elements.close_start[element])
        if markup.find("/*", start, end) < 0:
            yield _Sheet(markup, start, end)
        else:
            css = _COMMENT.sub("", markup[start:end])
            yield _Sheet(css, 0, len(css))


def _hidden_in(sheet: _Sheet) -> Iterator[str]:
    """The plain selectors of the rules of a style sheet that hide, outside of other blocks."""
    css, depth, done = sheet.text, 0, sheet.start
    for value in start_tags.hiding(*sheet, _LONGEST):
        brace = css.rfind("{", max(done, value - _RULE), value)
        start = max(done, brace - _RULE)
        before = max(css.rfind(sign, start, brace) for sign in "{}")
        is_first = before < 0 and start == sheet.start
        if brace < 0 or (before < 0 and not is_first) or css.find("}", brace, value) >= 0:
            continue
        begin = start if is_first else before + 1
        depth += css.count("{", done, begin) - css.count("}", done, begin)
        done = begin
        for name in map(str.strip, css[begin:brace].split(",")) if depth == 0 else ():
            if _PLAIN.fullmatch(name):
                yield name


def _is_shown_in(sheet: _Sheet, name: str) -> bool:
    """Whether another rule that names it shows it: in a state, in a place, on a wide screen."""
    places = start_tags.standing(sheet.text, name, 0, sheet.start, sheet.end)[:_PLACES]
    return any(_SHOWING.match(sheet.text, at + len(name), sheet.end) for at in places)


def _is_opened(tree: _Tree, element: int) -> bool:
    """Whether a control of the page opens a hidden element in its place."""
    first, behind = int(tree.elements.first_piece[element]), int(tree.elements.last_piece[element])
    if tree.length(element) < _LONG:
        return False
    attributes = tree.attributes(element)
    names = " ".join(attributes.get(name, "") for name in ("class", "id", "role"))
    if "aria-modal" in attributes or _COVERS.search(f"{names} {tree.opening(element)[1:12]}"):
        return False
    if attributes.get("role") == "tabpanel" or _FOLDS.search(names):
        return True
    beside = {tree.piece(first - 1), tree.piece(behind)}
    name = attributes.get("id")
    return not beside.isdisjoint(_MORE) or (bool(name) and name in tree.targets)
