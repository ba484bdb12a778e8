"""Formulas: each once, as MathML rather than as a picture or laid-out glyphs; their TeX sources."""

from __future__ import annotations

import re
from html import unescape
from itertools import accumulate
from typing import Final

import numpy as np

from winnow.document.document import Document
from winnow.document.parsing import tags
from winnow.document.parsing.signature import needs
from winnow.document.render.added_pieces import with_pieces
from winnow.document.render.selection import Segments

_MATH: Final = tags.CODES["math"]
_IMAGE: Final = tags.CODES["img"]
_CONTAINER: Final = re.compile(
    r"<mjx-container\b"
    r'|<[^>]* class="(?:[^"]* )?(?:katex|MathJax(?:_\w+)?|mjx-chtml|mwe-math-element)[ "]'
)
"""What KaTeX, MathJax 2 and 3 and MediaWiki put around MathML and another form of it."""
_DEEPEST: Final = 4
"""Elements between a container and its MathML."""
_PICTURE: Final = re.compile(
    r' src="(?!data:)[^"]{0,500}?'
    r"(?:/math/render/|wikimedia\.org/math/|latex\.php\?|latex\.codecogs\.com/|[?&;]cht=tx)"
)
"""Addresses of services that draw TeX; the picture's ``alt`` is the source."""
_ANNOTATION: Final = re.compile(
    r'<annotation[^>]*encoding="application/x-tex"[^>]*>([^<]*)<', re.IGNORECASE
)
_ALTTEXT: Final = re.compile(r'<math[^>]* alttext="([^"]*)"')
_ALT: Final = re.compile(r' alt="([^"]*)"')
_STYLED: Final = re.compile(r"\{\\(?:display|text)style\s*(.*)\}", re.DOTALL)
_BLOCK: Final = re.compile(r'<math[^>]* display="block"')
_TAG: Final = re.compile(r"<[^>]*>")


@needs("math")
def with_formulas_once(document: Document, segments: Segments) -> Segments:
    """The segments; of a formula that the page has in two forms its MathML alone. O(formulas)."""
    elements = document.elements
    is_selected = np.zeros(len(document.pieces), dtype=np.bool_)
    is_selected[segments.piece] = True
    gone, added = np.zeros_like(is_selected), np.zeros_like(is_selected)
    for formula in document.elements_named("math"):
        if (container := _container(document, formula)) < 0:
            continue
        inside = slice(int(elements.first_piece[container]), int(elements.last_piece[container]))
        if is_selected[inside].any():
            is_formula = elements.tag[document.pieces.owner[inside]] == _MATH
            gone[inside], added[inside] = ~is_formula, is_formula
    missing = (added & ~is_selected).nonzero()[0].astype(np.int32)
    found = with_pieces(document, segments, missing) if len(missing) else segments
    return found.joined(~gone[found.piece]) if gone.any() else found


def _container(document: Document, formula: int) -> int:
    """The outermost element that holds a formula's forms, -1 if there is none."""
    elements, found, around = document.elements, -1, formula
    for _ in range(_DEEPEST):
        around = int(elements.parent[around])
        if around < 0:
            break
        opening = slice(int(elements.open_start[around]), int(elements.open_end[around]))
        found = around if _CONTAINER.match(document.markup[opening]) else found
    return found


def tex_of(markup: str) -> str:
    """The TeX source of MathML, "" if it has none."""
    return _tex(_ANNOTATION.search(markup) or _ALTTEXT.match(markup))


def tex_of_picture(markup: str) -> str:
    """The TeX source of an ``<img>`` that shows a formula, "" of any other."""
    return _tex(_ALT.search(markup)) if _PICTURE.search(markup) else ""


def _tex(source: re.Match[str] | None) -> str:
    tex = " ".join(unescape(source[1]).split()) if source else ""
    styled = _STYLED.fullmatch(tex)
    return styled[1].strip() if styled and _is_balanced(styled[1]) else tex


def _is_balanced(tex: str) -> bool:
    depths = accumulate((sign == "{") - (sign == "}") for sign in tex)
    return all(depth >= 0 for depth in depths)


def formula_text(document: Document, element: int) -> str:
    """TeX between dollars, or a formula's letters and signs; "" for any other medium."""
    elements, code = document.elements, int(document.elements.tag[element])
    if code not in (_MATH, _IMAGE):
        return ""
    markup = document.markup[elements.open_start[element] : elements.close_end[element]]
    if tex := tex_of(markup) if code == _MATH else tex_of_picture(markup):
        return f"$${tex}$$" if _BLOCK.match(markup) else f"${tex}$"
    return " ".join(unescape(_TAG.sub(" ", markup)).split())
