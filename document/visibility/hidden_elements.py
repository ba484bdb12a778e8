"""Which elements nobody sees: the one notion of seen, for every method, format and feature.

What their start tags say (``start_tags.hides``, ``hiding_styles``), the common frameworks' classes
and the page's own style sheets. External sheets do not count, so that a page is the same for
everybody. On doubt text stays: what a control opens, what a script fades in, what is most of the
page, short labels for the ear.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from winnow.document.arrays import MAY_HIDE, Elements, Pieces
from winnow.document.parsing import tags
from winnow.document.visibility.hiding_styles import (
    colour_of,
    declarations,
    ground_of,
    moves,
    way_of_hiding,
)
from winnow.document.visibility.scanned_tree import ScannedTree
from winnow.document.visibility.sheet_rules import Hidden, covers, hidden_by_name

ElementsNamed = Callable[[str], list[int]]

SPOKEN: Final = frozenset(
    "sr-only visually-hidden visuallyhidden visually-hidden-focusable screen-reader-text "
    "screenreader screen-reader-only screenreader-only a-offscreen offscreen u-sr-only is-sr-only "
    "element-invisible u-visually-hidden is-visually-hidden u-hiddenVisually assistive-text".split()
)
"""Classes of texts that a page cuts off for the eye."""
_FOLDS: Final = re.compile(r"accordion|collaps", re.I)
_MORE: Final = frozenset(
    "more readmore showmore seemore viewmore expand readthefullstory continuereading weiterlesen "
    "mehr mehrlesen mehranzeigen liresuite lirelasuite voirplus afficherplus leermas leerm\u00e1s "
    "vermas verm\u00e1s mostrarm\u00e1s leggitutto continua leesmeer meerlezen l\u00e4smer "
    "saibamais leiamais \u0447\u0438\u0442\u0430\u0442\u044c\u0434\u0430\u043b\u0435\u0435".split()
)
"""What stands on a control beside text that is cut off."""
_LONG: Final = 40
"""Characters of a text that a control would open."""
_SERIES: Final = 3
"""Long elements of one class that hides: questions' answers, tabs, replies; a script opens them."""
_HANDLE: Final = tags.table_of("h1 h2 h3 h4 h5 h6 summary button dt label th")
_PARAGRAPH: Final = tags.table_of("p li dd tr blockquote pre")
_ABOVE: Final = 4
"""Elements around a text that are looked at for one of them."""
_WAITS: Final = re.compile(
    r"fade|lazy|reveal|aos|wow|anim|load|cloak|flicker|fouc|slide|swiper|carousel|splide|slick|tab"
    r"|js|ready|framer|elementor-invisible|katex|mathjax|mjx",
    re.I,
)
"""In names of what a script shows in time, or typesets."""
_LABEL: Final = 160
"""Characters of a label for the ear."""
_STYLED: Final = re.compile(
    r"collapse|opacity|font-size:\s*[01.]|clip|scale|-\s?\d{3}|overflow|(?<![\w-])color", re.I
)
"""What a style holds that may hide, beside what ``start_tags.hides`` sees."""
_MOST_STYLES: Final = 2000
_NO_COLOUR: Final = "\0"  # of a ground without one: no style writes it
_AROUND: Final = 32
"""Elements around a text whose ground is looked for."""


def hidden_elements(
    markup: str, text: str, elements: Elements, pieces: Pieces, named: ElementsNamed
) -> list[int]:
    """The elements that hide what they hold, in order; ``named``: the elements of a name.

    O(markup + hidden elements).
    """
    tree = ScannedTree(markup, text, elements, pieces)
    found = set(elements.hides.nonzero()[0].tolist())
    found |= {each for each in named("dialog") if "open" not in tree.attributes(each)}
    found |= _hidden_by_rules(tree, named("style"))
    return sorted(element for element in found if not _is_opened(tree, element))


def _hidden_by_rules(tree: ScannedTree, styles: list[int]) -> set[int]:
    """The elements that a class, an id or a style hides, but for those that a script shows."""
    found = {**dict(_hidden_by_style(tree)), **dict(hidden_by_name(tree, styles))}
    found = {element: how for element, how in found.items() if not _is_in_doubt(tree, element, how)}
    above = {element for element in found if covers(tree, element, tree.attributes(element))}
    series = Counter(how.alike for each, how in found.items() if tree.length(each) >= _LONG)
    most = len(tree.text) // 2
    own = found.keys() - above
    drawn = sum(tree.length(each) for each in own if found[each].way != "display")
    return {
        element
        for element, how in found.items()
        if tree.length(element) <= most
        and (
            element in above
            or (
                (series[how.alike] < _SERIES or _stands_alone(tree, element, how))
                and (how.way == "display" or drawn <= most)
            )
        )
    }


def _stands_alone(tree: ScannedTree, element: int, how: Hidden) -> bool:
    """Whether the page's own style does not display an element, which is no paragraph of a text
    that is folded, and nothing stands right before it by which a person may open it: a heading or a
    button."""
    before = int(tree.elements.first_piece[element]) - 1
    owner = int(tree.pieces.owner[before]) if before >= 0 else -1
    is_folded = bool(_PARAGRAPH[tree.elements.tag[element]])
    is_asked = how.is_ruled and how.way == "display" and not is_folded
    for _ in range(_ABOVE if is_asked else 0):
        if owner < 0 or _HANDLE[tree.elements.tag[owner]]:
            return owner < 0
        owner = int(tree.elements.parent[owner])
    return is_asked


def _is_in_doubt(tree: ScannedTree, element: int, how: Hidden) -> bool:
    """Whether an element is hidden in a way that a script or a style sheet may end, or is a label
    for the ear."""
    attributes = tree.attributes(element)
    if how.way == "display" or covers(tree, element, attributes):
        return False
    if how.moves or _WAITS.search(f"{attributes.get('class', '')} {attributes.get('id', '')}"):
        return True
    if how.way in ("font", "colour") and _is_styled_inside(tree, element):
        return True
    is_cut = how.way in ("clip", "place", "size")
    words = frozenset(attributes.get("class", "").split())
    return is_cut and tree.length(element) <= _LABEL and not words.isdisjoint(SPOKEN)


def _is_styled_inside(tree: ScannedTree, element: int) -> bool:
    """Whether what an element holds may have a look of its own."""
    start, end = int(tree.elements.open_end[element]), int(tree.elements.close_start[element])
    return any(tree.markup.find(name, start, end) >= 0 for name in (' class="', ' style="'))


def _hidden_by_style(tree: ScannedTree) -> Iterator[tuple[int, Hidden]]:
    """The elements whose own ``style`` hides them in other ways than ``start_tags.hides`` sees."""
    flagged = (tree.elements.hiding & MAY_HIDE).nonzero()[0]
    for element in flagged[:_MOST_STYLES].tolist():
        style = tree.attributes(element).get("style", "")
        if _STYLED.search(style):
            found = declarations(style)
            way = way_of_hiding(style) or _way_by_ground(tree, element, found)
            if way not in ("", "display"):
                yield element, Hidden(way, style, moves(found))


def _way_by_ground(tree: ScannedTree, element: int, found: Mapping[str, str]) -> str:
    """The way of a text in the colour of the ground that it stands on: the nearest that the page's
    styles name, white where nothing on the page sets any."""
    if "color" not in found or ground_of(found) or "background-image" in found:
        return ""
    parents, grounds = tree.elements.parent.data, tree.grounds
    around, colour = parents[element], colour_of(found["color"])
    for _ in range(_AROUND):
        if around < 0:
            break
        if around not in grounds:
            grounds[around] = _own_ground(tree, around) if tree.sets_ground(around) else None
        if (ground := grounds[around]) is not None:
            return "colour" if ground == colour else ""
        around = parents[around]
    return "colour" if colour == "#ffffff" and tree.is_plain else ""


def _own_ground(tree: ScannedTree, element: int) -> str | None:
    """The colour of an element's own ground, _NO_COLOUR of one without; None where it sets none."""
    attributes = tree.attributes(element)
    styles = declarations(attributes.get("style", ""))
    if any(name.startswith("background") for name in styles):
        return ground_of(styles) or _NO_COLOUR
    ground = attributes.get("bgcolor")
    return colour_of(ground.lower()) if ground else None


def _is_opened(tree: ScannedTree, element: int) -> bool:
    """Whether a control of the page opens a hidden element in its place."""
    first, behind = int(tree.elements.first_piece[element]), int(tree.elements.last_piece[element])
    if tree.length(element) < _LONG:
        return False
    attributes = tree.attributes(element)
    if covers(tree, element, attributes):
        return False
    names = " ".join([attributes.get(name, "") for name in ("class", "id", "role")])
    if attributes.get("role") == "tabpanel" or _FOLDS.search(names):
        return True
    beside = {tree.piece(first - 1), tree.piece(behind)}
    name = attributes.get("id")
    return not beside.isdisjoint(_MORE) or (bool(name) and name in tree.targets)
