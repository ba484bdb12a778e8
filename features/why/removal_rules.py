"""Why each block of a page was left out, in one word that a reader can check by looking at it.

The nearest element around a block that says what it is decides (its name, role, classes or id), as
long as nothing in that element was kept; then its links, where it stands and its length. What the
method computed is another matter (winnow.extractors.explanation).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import numpy as np

from winnow.document.arrays import Mask, prefix_sums
from winnow.document.blocks import Blocks
from winnow.document.document import Document
from winnow.features.why.jobs import RemovalReason

_BY_NAME: Final = {
    "nav": RemovalReason.MENU,
    "menu": RemovalReason.MENU,
    "footer": RemovalReason.FOOTER,
    "form": RemovalReason.FORM,
    "fieldset": RemovalReason.FORM,
    "aside": RemovalReason.BESIDE,
    "header": RemovalReason.HEADER,
}
_BY_ROLE: Final = {
    "navigation": RemovalReason.MENU,
    "menu": RemovalReason.MENU,
    "menubar": RemovalReason.MENU,
    "contentinfo": RemovalReason.FOOTER,
    "search": RemovalReason.FORM,
    "complementary": RemovalReason.BESIDE,
    "banner": RemovalReason.HEADER,
}
_BY_WORD: Final = {
    word: reason
    for reason, words in {
        RemovalReason.AD: "ad ads advert adverts advertisement advertisements advertising adslot "
        "adunit adsbygoogle sponsor sponsored sponsors promo promoted promotion taboola outbrain "
        "anzeige anzeigen werbung publicite publicidad publicidade",
        RemovalReason.COOKIES: "cookie cookies consent gdpr onetrust",
        RemovalReason.COMMENTS: "comment comments disqus respond kommentare commentaires "
        "comentarios commenti reacties komentarze komentarzy kommentarer yorumlar",
        RemovalReason.SHARING: "share sharing social sns",
        RemovalReason.SUBSCRIBING: "newsletter subscribe subscription signup paywall login",
        RemovalReason.RELATED: "related recommended recommendations recirc trending popular "
        "mostread teaser teasers",
        RemovalReason.MENU: "nav navbar navigation menu menus breadcrumb breadcrumbs pagination "
        "pager toc",
        RemovalReason.FOOTER: "footer copyright colophon legal",
        RemovalReason.ABOUT: "meta byline author date tags timestamp posted",
        RemovalReason.BESIDE: "sidebar aside widget widgets rail",
        RemovalReason.HEADER: "header masthead topbar",
    }.items()
    for word in words.split()
}
"""Words of classes and ids; of several in one element the first reason of this list counts."""
_ORDER: Final = list(dict.fromkeys(_BY_WORD.values()))
_WORD: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
_SAID: Final = frozenset({"class", "id", "role"})
_WEAK: Final = frozenset({RemovalReason.BESIDE, RemovalReason.HEADER})
"""Less telling than that a block is mostly links."""
_MOSTLY: Final = 0.5
_SHORT: Final = 5
"""Words below which a block is short."""


def removal_reasons(
    document: Document, blocks: Blocks, kept: Mask, by_rule: Mask
) -> Sequence[RemovalReason | None]:
    """A reason for each block of which nothing was kept, None for the others; shape (blocks,).

    ``kept``: which blocks hold something kept. ``by_rule``: which pieces a site's rule drops.
    """
    named = _NamedElements(document, np.repeat(kept, blocks.last_piece - blocks.first_piece))
    first = int(np.argmax(kept)) if kept.any() else len(kept)
    last = len(kept) - 1 - int(np.argmax(kept[::-1])) if kept.any() else -1

    def reason(block: int) -> RemovalReason:
        if by_rule[blocks.first_piece[block]]:
            return RemovalReason.RULE
        said = named.reason(int(blocks.element[block]))
        if said and said not in _WEAK:
            return said
        if blocks.link_density[block] > _MOSTLY:
            return RemovalReason.LINKS
        return said or _by_place(block, first, last, int(blocks.words[block]))

    return [None if kept[block] else reason(block) for block in range(len(blocks))]


def _by_place(block: int, first: int, last: int, words: int) -> RemovalReason:
    if last < 0:
        return RemovalReason.NO_ARTICLE
    if block > last:
        return RemovalReason.AFTER
    if block < first:
        return RemovalReason.BEFORE
    return RemovalReason.SHORT if words < _SHORT else RemovalReason.UNLIKE


class _NamedElements:
    """What elements say of themselves by name, role, classes and id; each is read once."""

    def __init__(self, document: Document, kept: Mask) -> None:
        self._document, self._before = document, prefix_sums(kept)
        self._found: dict[int, RemovalReason | None] = {-1: None}

    def reason(self, element: int) -> RemovalReason | None:
        """Of the nearest element around, itself included, that says what it is and holds nothing
        kept. O(depth), no recursion."""
        passed: list[int] = []
        while element not in self._found:
            passed.append(element)
            found = None if self._holds_kept(element) else self._own(element)
            if found or self._holds_kept(element):
                self._found[element] = found
                break
            element = int(self._document.elements.parent[element])
        result = self._found[element]
        self._found.update(dict.fromkeys(passed, result))
        return result

    def _holds_kept(self, element: int) -> bool:
        elements = self._document.elements
        first, last = elements.first_piece[element], elements.last_piece[element]
        return bool(self._before[last] > self._before[first])

    def _own(self, element: int) -> RemovalReason | None:
        name = self._document.name_of(element)
        if name in ("body", "html"):
            return None
        said = self._document.attributes_of(element, _SAID)
        words = _WORD.findall(f"{said.get('class', '')} {said.get('id', '')}")
        reasons = {_BY_WORD.get(word.lower()) for word in words}
        by_word = next((reason for reason in _ORDER if reason in reasons), None)
        return by_word or _BY_ROLE.get(said.get("role", "").lower()) or _BY_NAME.get(name)
