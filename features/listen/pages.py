"""The pages of this feature, by path."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from winnow.feature import Context
from winnow.features.listen.audio import AudioPage, SpokenArticles
from winnow.features.listen.audio_jobs import AudioJobs
from winnow.features.listen.settings import SpeechSettings
from winnow.features.listen.templates.audio_links import AUDIO, audio_address
from winnow.features.listen.templates.listen_page import LISTEN, listen_page
from winnow.proxy.own.handlers.article_fetch import ArticleFetch
from winnow.proxy.own.handlers.html_errors import people_pages
from winnow.proxy.own.handlers.page_parameters import address_of, looks_of
from winnow.proxy.own.router import OwnPage, OwnRequest, OwnResponse, only, shown
from winnow.speech.speaker import Speaker, formats_of


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


def pages(context: Context) -> Mapping[str, OwnPage]:
    articles, spoken = context.articles(), context.once(spoken_articles)
    return people_pages(
        {LISTEN: ListenPage(articles, spoken.kinds), AUDIO: AudioPage(articles, spoken)}
    )


def spoken_articles(context: Context) -> SpokenArticles:
    """What makes files of articles, with the programs of this computer: one for all features."""
    settings = context.settings.of(SpeechSettings)
    formats = formats_of(settings.engine)
    jobs = AudioJobs(Speaker(), formats, settings.engine, settings.length)
    return SpokenArticles(context.workers, jobs)
