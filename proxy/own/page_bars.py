"""The bar of each extracted page, and the line in an original one, in the reader's language."""

from __future__ import annotations

from dataclasses import dataclass

from winnow.document.values import Rendered, Treatment
from winnow.jobs.small_gateway import OWN_NAME
from winnow.proxy.access.requester import RequestHead
from winnow.proxy.own.templates.bar import BarView, make_bar
from winnow.proxy.own.templates.choice_forms import ChoiceLinks
from winnow.proxy.own.templates.languages import choose_language
from winnow.proxy.own.templates.notice_line import notice_line


@dataclass(frozen=True)
class PageBars:
    """``extractors``: the methods that a reader may choose."""

    extractors: frozenset[str]

    def variant(self, request: RequestHead) -> str:
        return choose_language(request.headers.joined("accept-language"))

    def __call__(self, request: RequestHead, url: str, rendered: Rendered, prefix: str) -> bytes:
        language = choose_language(request.headers.joined("accept-language"))
        others = tuple(sorted(self.extractors - {rendered.extractor}))
        page = BarView(
            url,
            rendered.words_kept,
            rendered.words_total,
            rendered.extractor,
            others,
            rendered.treatment is Treatment.TIDY,
        )
        return make_bar(page, language, _links(url, prefix)).markup


def page_notice(request: RequestHead, url: str, reason: str, prefix: str, *, styled: bool) -> bytes:
    """A NoticeRenderer."""
    language = choose_language(request.headers.joined("accept-language"))
    return notice_line(url, reason, language, _links(url, prefix), styled=styled)


def _links(url: str, prefix: str) -> ChoiceLinks:
    """Links for a page; by the page's own scheme, so that its origin is sent with them."""
    base = prefix.rstrip("/") or f"{url.partition(':')[0]}://{OWN_NAME}"
    return ChoiceLinks(base, gateway=bool(prefix))
