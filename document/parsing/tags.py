"""Classes of HTML element names: which break lines, which hold no text.

After the HTML standard, section 15, "Rendering".
"""

from __future__ import annotations

from functools import cache
from typing import Final

import numpy as np
import numpy.typing as npt

INLINE, SPACE, LINE, BLOCK, CELL, ITEM, OUTER = range(7)
"""How strongly an element's edge parts the text before from the text after.

The strongest edge in a gap decides its separator: a cell's edge beats the paragraph's inside it.
"""

SEPARATORS: Final = ("", " ", "\n", "\n\n", "\t", "\n", "\n\n")
"""The text that stands for each edge (docs/formats.md, "Plain text")."""


def _names(names: str) -> tuple[str, ...]:
    return tuple(names.split())


_BLOCKS: Final = _names(
    "html body address article aside blockquote center details dialog dir div fieldset "
    "figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr legend listing main menu "
    "nav noframes noscript optgroup p plaintext pre search section summary xmp caption colgroup "
    "col frameset frame"
)
_ITEMS: Final = _names("li dt dd tr option")
_CELLS: Final = _names("td th")
_OUTERS: Final = _names("table thead tbody tfoot ul ol dl")
_INLINES: Final = _names(
    "a abbr acronym area audio b base basefont bdi bdo bgsound big br button canvas cite code "
    "data datalist del dfn em embed font head i iframe img input ins kbd keygen label link map "
    "mark marquee math meta meter nobr noembed object output param picture progress q rb rp rt "
    "rtc ruby s samp script select slot small source span strike strong style sub sup svg "
    "template textarea time title track tt u var video wbr"
)

NAMES: Final = ("", *sorted({*_BLOCKS, *_ITEMS, *_CELLS, *_OUTERS, *_INLINES}))
"""Element names by tag code; code 0 is every other name (custom elements, typing errors)."""

CODES: Final = {name: code for code, name in enumerate(NAMES)}


def codes_of(names: str) -> frozenset[int]:
    """The tag codes of blank-separated element names."""
    return frozenset(CODES[name] for name in names.split())


@cache
def table_of(names: str) -> npt.NDArray[np.bool_]:
    """For each tag code whether it is one of blank-separated names; shape (len(NAMES),)."""
    return np.isin(np.arange(len(NAMES)), list(codes_of(names)))


VOID: Final = codes_of(
    "area base basefont bgsound br col embed frame hr img input keygen link meta param source "
    "track wbr"
)
RAW_TEXT: Final = ("script", "style", "iframe", "noembed", "noframes", "xmp")
"""Elements whose content is unescaped (HTML standard, 13.3). ``plaintext`` see document.parse."""

MEDIA: Final = codes_of("img video audio object embed svg math canvas iframe")
"""Each is one U+FFFC in the text; what is inside is no text."""

SILENT: Final = codes_of(
    "script style template select datalist textarea title head noembed noframes"
)
"""Their content is no text of the page. ``noscript`` is not among them: forums keep posts there."""

OPAQUE: Final = (MEDIA | SILENT) - codes_of("head img embed")
"""Their inner elements are not recorded. ``head`` is silent but its elements are."""

PREFORMATTED: Final = codes_of("pre listing xmp plaintext")


def _edge(name: str) -> int:
    for names, edge in ((_BLOCKS, BLOCK), (_ITEMS, ITEM), (_CELLS, CELL), (_OUTERS, OUTER)):
        if name in names:
            return edge
    return LINE if name == "br" else INLINE


EDGES: Final = tuple(_edge(name) for name in NAMES)
"""The edge of each tag code. Unknown names are inline, as browsers lay them out."""

BLOCK_LEVEL: Final = frozenset(code for code, edge in enumerate(EDGES) if edge >= BLOCK)
"""Tag codes of the block-level elements (blocks, items, cells, tables and lists)."""
