"""Bars cast from a mould: what all pages' bars share is made once, the rest is put in.

``proxy.pages.bar`` says what a bar is; these are the same bytes for a tenth of the time. A mould is
the bar of a page that cannot be, cut wherever something stands that depends on the page.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Final
from urllib.parse import quote_plus, urlsplit

from cachetools import LRUCache
from markupsafe import escape

from proxy.pages.bar import BarView, make_bar
from proxy.pages.choosing import Links, page_site
from proxy.pages.languages import Language
from proxy.pages.messages import number

_PAGE: Final = "://stand-in.invalid/a page"
_KEPT, _TOTAL = 1_111_111_111, 2_222_222_222
MOST: Final = 64
"""Moulds that are kept: one for each language, method, scheme and place of our own pages."""

_Mould = tuple[str | int, ...]
"""Markup, and between it the numbers of the values that are put there."""


@dataclass(frozen=True)
class Moulds:
    """The moulds used last."""

    _kept: LRUCache[object, _Mould] = field(default_factory=lambda: LRUCache(MOST))

    def bar(self, shown: BarView, language: Language, links: Links) -> bytes:
        """The markup of ``make_bar``. Raises ValueError for what is no address of a page."""
        values = _values(shown, language, links)
        scheme = urlsplit(shown.page).scheme
        key = (scheme, shown.extractor, shown.others, language, links.base, links.epoch)
        mould = self._kept.get(key)
        if mould is None:
            page = f"{scheme}{_PAGE}"
            stand_in = replace(shown, page=page, words_kept=_KEPT, words_total=_TOTAL)
            mould = self._kept[key] = _mould(stand_in, language, links)
        pieces = [values[part] if isinstance(part, int) else part for part in mould]
        return "".join(pieces).encode()


def _mould(stand_in: BarView, language: Language, links: Links) -> _Mould:
    markup = make_bar(stand_in, language, links).markup.decode()
    values = _values(stand_in, language, links)
    cuts = "|".join(re.escape(value) for value in values)
    parts = re.split(f"({cuts})", markup)
    return tuple(values.index(part) if at % 2 else part for at, part in enumerate(parts))


def _values(shown: BarView, language: Language, links: Links) -> tuple[str, ...]:
    """All in a bar that depends on its page: its address, two ways, two proofs and two counts."""
    return (
        quote_plus(shown.page),
        str(escape(shown.page)),
        links.proof_of_site(page_site(shown.page)),
        links.proof_of_page(shown.page),
        number(shown.words_kept, language),
        number(shown.words_total, language),
    )
