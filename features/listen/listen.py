"""``/-/listen?url=``: a page's article, read aloud by the browser's own voices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from winnow.features.listen.templates.audio_links import audio_address
from winnow.features.listen.templates.listen_page import listen_page
from winnow.proxy.own.handlers.article_fetch import ArticleFetch
from winnow.proxy.own.handlers.page_parameters import address_of, looks_of
from winnow.proxy.own.router import OwnRequest, OwnResponse, only, shown


@dataclass(frozen=True)
class ListenPage:
    """Nothing of the text leaves the browser unless the reader chooses an online voice.

    ``kinds``: the audio files that can be made here.
    """

    articles: ArticleFetch
    kinds: Sequence[str] = ()

    async def __call__(self, request: OwnRequest) -> OwnResponse:
        only(request, "GET", "HEAD")
        url = address_of(request)
        record = await self.articles.record(url, request, request.query)
        files = {kind: audio_address(url, kind) for kind in self.kinds}
        return shown(listen_page(record, url, looks_of(request), files))
