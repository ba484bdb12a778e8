"""``/-/audio?url=``: an article as a file to listen to: Opus, MP3, or EPUB with its voice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from winnow.features.books.book import book_response
from winnow.features.books.jobs import BindJob
from winnow.features.listen.audio_jobs import AudioJobs
from winnow.features.listen.jobs import SentencesJob
from winnow.jobs.job_types import Workers
from winnow.proxy.http.proxy_errors import ClientFaultError
from winnow.proxy.own.downloads import file_name, file_response, in_ranges
from winnow.proxy.own.handlers.article_fetch import ArticleFetch, Images, Record
from winnow.proxy.own.handlers.page_parameters import address_of
from winnow.proxy.own.router import OwnRequest, OwnResponse, only
from winnow.proxy.own.translation import says
from winnow.speech.values import AudioFormat, SpeechJob, SpokenAudio

EPUB: Final = "epub"


@dataclass(frozen=True)
class SpokenArticles:
    """Makes files of articles for handlers."""

    workers: Workers
    jobs: AudioJobs

    @property
    def kinds(self) -> tuple[str, ...]:
        """The files that can be made here."""
        epub = (EPUB,) if AudioFormat.MP3 in self.jobs.formats else ()
        return (*(form.value for form in self.jobs.formats), *epub)

    async def file(self, owner: str, record: Record, kind: str, images: Images) -> OwnResponse:
        """Raises ClientFaultError, TransformError."""
        if kind == EPUB:
            spoken = await self._spoken(owner, record, AudioFormat.MP3, images)
            job = BindJob([record], "", images, (spoken.body, spoken.ends))
            name = f"{record['title'] or 'winnow'} spoken"
            return book_response(await self.workers.run(job), name)
        if kind not in list(AudioFormat):
            raise ClientFaultError(says("The formats are opus, mp3 and epub."), 400, "bad-format")
        made = await self._spoken(owner, record, AudioFormat(kind), {})
        name = f"{file_name(str(record['title'] or ''), 'winnow')}.{kind}"
        return file_response(made.body, made.form.media_type, name)

    async def _spoken(
        self, owner: str, record: Record, form: AudioFormat, images: Images
    ) -> SpokenAudio:
        types = {url: media_type for url, (_, media_type) in images.items()}
        sentences = await self.workers.run(SentencesJob(record, types))
        title, language = str(record["title"] or ""), str(record["lang"] or "")
        return await self.jobs(owner, SpeechJob(sentences, title, language, form, self.jobs.engine))


@dataclass(frozen=True)
class AudioPage:
    """Only we ourselves and typed addresses start a job (OwnFace.AUDIO)."""

    articles: ArticleFetch
    spoken: SpokenArticles

    async def __call__(self, request: OwnRequest) -> OwnResponse:
        only(request, "GET")
        url, kind = address_of(request), request.query.get("format", AudioFormat.OPUS.value)
        record = await self.articles.record(url, request, request.query)
        images = await self.articles.images([(url, record)], request.permit) if kind == EPUB else {}
        file = await self.spoken.file(request.head.owner, record, kind, images)
        return in_ranges(file, request.head.headers)
