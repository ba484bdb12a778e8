"""The pages of this feature, by path."""

from __future__ import annotations

from collections.abc import Mapping

from winnow.feature import Context
from winnow.features.listen.audio import AudioPage, SpokenArticles
from winnow.features.listen.audio_jobs import AudioJobs
from winnow.features.listen.listen import ListenPage
from winnow.features.listen.settings import SpeechSettings
from winnow.features.listen.templates.audio_links import AUDIO
from winnow.features.listen.templates.listen_page import LISTEN
from winnow.proxy.own.handlers.html_errors import people_pages
from winnow.proxy.own.router import OwnPage
from winnow.speech.speaker import Speaker, formats_of


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
