"""The furniture of a page: what its site has on every page, what stands beside what it is for.

Found by landmark (HTML standard, 4.3; WAI-ARIA 1.2, 5.3.4), by role, and by the names that sites
give their parts in ``class`` and ``id``: English ones, whatever the page's language.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from enum import StrEnum
from functools import lru_cache
from typing import Final

import numpy as np

from winnow.document.arrays import Mask, range_sums
from winnow.document.document import Document
from winnow.document.parsing import start_tags, tags
from winnow.engine.purpose.purpose_signs import SEARCH, elements_inside, elements_of, inputs


class Furniture(StrEnum):
    """Kinds of furniture; ``NAMED``: a header, footer or menu by its name alone."""

    LANDMARK = "header, menu or footer"
    NAMED = "header, menu or footer by its name"
    NOTICE = "notice"
    BESIDE = "sidebar, promotion or links to share"
    OTHERS = "other offers"


_ROLES: Final = {
    "banner": Furniture.LANDMARK, "contentinfo": Furniture.LANDMARK,
    "navigation": Furniture.LANDMARK, "complementary": Furniture.BESIDE,
}  # fmt: skip
_TAGS: Final = {"nav": Furniture.LANDMARK, "aside": Furniture.BESIDE}
_OF_PAGE: Final = "header footer"
"""Landmarks where they stand in no section of these kinds."""
_SECTIONS: Final = "article main aside"
_BARS: Final = frozenset("nav navbar navigation menu header footer masthead topbar".split())
_PLACES: Final = frozenset(
    "site page global main the shop web store group layout primary secondary mobile desktop top "
    "bottom left right side sub category app mega utility bar inner wrap wrapper container content "
    "link links legal section area widget widgets block row col column region buttons icons "
    "media".split()
)
"""What a name of a header, menu or footer may hold besides: else it is a part's of something."""
_BESIDE: Final = frozenset(
    "sidebar social share sharing ads advert advertisement promo promos promotion "
    "promotions".split()
)
_OTHERS: Final = frozenset(
    "related recommended recommendation recommendations recently also upsell upsells".split()
)
_NOTICE: Final = re.compile(
    r"cookie|gdpr|consent|newsletter|announcement|skip-?(?:link|to|nav)", re.IGNORECASE
)
_USED: Final = re.compile(
    r"breadcrumb|paginat|pager|paging|filter|facet|refine|sort|cart|basket|checkout|gallery|search",
    re.IGNORECASE,
)
"""Names of what something is done with, in furniture too."""
_CARTS: Final = ("/cart", "/basket", "/bag", "/checkout", "/panier", "/warenkorb")
"""In the addresses of links that lead to what was chosen."""
_PART: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|\d+")
_HASH: Final = re.compile(r"_+(?=[a-z]*[A-Z0-9])[A-Za-z0-9-]{5,}\Z")
"""What CSS modules put behind a name."""
_FEW: Final = 3
_HELD: Final = tags.table_of("h1 main header footer")
_MAIN: Final = tags.table_of("main")


def used_parts(document: Document) -> Mask:
    """Headlines, breadcrumbs, filters, carts, searches and the like; shape (elements,)."""
    found = np.zeros(len(document.elements), dtype=np.bool_)
    found[[element for element, name in _names(document) if _USED.search(name)]] = True
    found &= ~_holding(document, _HELD)
    found[elements_of(document, _OF_PAGE)] = False
    found[document.elements_named("h1")] = True
    found[_forms(document)] = True
    links = elements_of(document, "a")
    starts, ends = document.elements.open_start[links], document.elements.open_end[links]
    found[links[start_tags.holding(document.markup, starts, ends, _CARTS)]] = True
    return found


def _forms(document: Document) -> list[int]:
    """The forms in which more is written than an address and a name."""
    fields = np.zeros(len(document.elements), dtype=np.int32)
    for field, kind, names in inputs(document):
        fields[field] = 3 if kind == "search" or SEARCH.search(names) else 1
    forms = elements_of(document, "form")
    many = range_sums(fields, forms, document.elements.last[forms]) > 2
    found: list[int] = forms[many].tolist()
    return found


def furniture(document: Document) -> Iterator[tuple[int, Furniture]]:
    """Elements and what kind of furniture each is; none is around the page's own part."""
    holds_own, holds_any = _holding(document, _MAIN), _holding(document, _HELD)
    for element, kind in _landmarks(document):
        if not holds_own[element]:
            yield element, kind
    body = set(document.elements_named("body"))
    names = list(_names(document))
    counts = Counter(name for _, name in names)
    for element, name in names:
        if (
            counts[name] <= _FEW
            and not holds_any[element]
            and element not in body
            and element
            and (named := _kind(name))
        ):
            yield element, named


def _holding(document: Document, table: Mask) -> Mask:
    """Which elements have one of some tags inside; shape (elements,)."""
    elements = document.elements
    behind = np.arange(1, len(elements) + 1)
    found: Mask = range_sums(table[elements.tag], behind, elements.last) > 0
    return found


def _landmarks(document: Document) -> Iterator[tuple[int, Furniture]]:
    for tag, kind in _TAGS.items():
        yield from ((element, kind) for element in document.elements_named(tag))
    inside = elements_inside(document, elements_of(document, _SECTIONS))
    for element in elements_of(document, _OF_PAGE).tolist():
        if not inside[element]:
            yield element, Furniture.LANDMARK
    elements = document.elements
    (roles,) = start_tags.values(document.markup, elements.open_start, elements.open_end, ("role",))
    yield from ((element, _ROLES[role]) for element, role in roles if role in _ROLES)


def _names(document: Document) -> Iterator[tuple[int, str]]:
    """Each element that has a class or an id, with it."""
    elements, markup = document.elements, document.markup
    for starts, ends in (
        (elements.class_start, elements.class_end),
        (elements.id_start, elements.id_end),
    ):
        named = ends.nonzero()[0]
        bounds = zip(named.tolist(), starts[named].tolist(), ends[named].tolist(), strict=True)
        yield from ((element, markup[start:end]) for element, start, end in bounds)


@lru_cache(maxsize=4096)
def _kind(value: str) -> Furniture | None:
    """What kind of furniture the first token of a class or id names that names one."""
    if _USED.search(value):
        return None
    return next(filter(None, map(_kind_of_token, value.split())), None)


def _kind_of_token(token: str) -> Furniture | None:
    if "[" in token or ":" in token:  # a utility class: a size or a state, no name
        return None
    if _NOTICE.search(token):
        return Furniture.NOTICE
    for name in (token, _HASH.sub("", token)):
        parts = frozenset(part.lower() for part in _PART.findall(name))
        if not parts.isdisjoint(_OTHERS):
            return Furniture.OTHERS
        if all(len(part) < 3 or part.isdigit() for part in parts - _BARS - _BESIDE - _PLACES):
            if not parts.isdisjoint(_BARS):
                return Furniture.NAMED
            if not parts.isdisjoint(_BESIDE):
                return Furniture.BESIDE
    return None
