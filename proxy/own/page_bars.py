"""The bar of each extracted page, in the reader's language."""

from __future__ import annotations

from dataclasses import dataclass

from winnow.document.values import Rendered
from winnow.jobs.small_gateway import OWN_NAME
from winnow.proxy.access.request_head import RequestHead
from winnow.proxy.own.templates.bar import BarView, make_bar
from winnow.proxy.own.templates.choice_forms import ChoiceLinks
from winnow.proxy.own.templates.languages import choose_language


@dataclass(frozen=True)
class PageBars:
    """``extractors``: the methods that a reader may choose."""

    extractors: frozenset[str]

    def variant(self, request: RequestHead) -> str:
        return choose_language(request.headers.joined("accept-language"))

    def __call__(self, request: RequestHead, url: str, rendered: Rendered, prefix: str) -> bytes:
        language = choose_language(request.headers.joined("accept-language"))
        others = tuple(sorted(self.extractors - {rendered.extractor}))
        page = BarView(url, rendered.words_kept, rendered.words_total, rendered.extractor, others)
        base = prefix.rstrip("/") or f"{url.partition(':')[0]}://{OWN_NAME}"
        return make_bar(page, language, ChoiceLinks(base, gateway=bool(prefix))).markup
