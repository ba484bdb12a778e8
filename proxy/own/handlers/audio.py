"""``/-/audio?url=``: an article as a file to listen to: Opus, MP3, or EPUB with its voice."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol

from winnow.jobs.results import SpokenSentence
from winnow.proxy.http.proxy_errors import ClientFaultError
from winnow.proxy.own.audio_jobs import AudioJobs
from winnow.proxy.own.downloads import file_name, file_response, in_ranges
from winnow.proxy.own.handlers.article_fetch import ArticleFetch, Images, Record
from winnow.proxy.own.handlers.book import book_response
from winnow.proxy.own.handlers.page_parameters import address_of
from winnow.proxy.own.router import OwnRequest, OwnResponse, only
from winnow.proxy.own.translation import says
from winnow.speech.values import AudioFormat, SpeechJob, SpokenAudio

EPUB: Final = "epub"
Narration = tuple[bytes, tuple[float, ...]]


class Narrator(Protocol):
    """Cuts articles into sentences, and binds books that speak. Raises TransformError."""

    async def sentences(
        self, chapter: Mapping[str, Any], images: Images
    ) -> tuple[SpokenSentence, ...]: ...

    async def narrated(
        self, chapter: Mapping[str, Any], images: Images, narration: Narration
    ) -> bytes: ...


@dataclass(frozen=True)
class SpokenArticles:
    """Makes files of articles for handlers."""

    narrator: Narrator
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
            book = await self.narrator.narrated(record, images, (spoken.body, spoken.ends))
            return book_response(book, f"{record['title'] or 'winnow'} spoken")
        if kind not in list(AudioFormat):
            raise ClientFaultError(says("The formats are opus, mp3 and epub."), 400, "bad-format")
        made = await self._spoken(owner, record, AudioFormat(kind), {})
        name = f"{file_name(str(record['title'] or ''), 'winnow')}.{kind}"
        return file_response(made.body, made.form.media_type, name)

    async def _spoken(
        self, owner: str, record: Record, form: AudioFormat, images: Images
    ) -> SpokenAudio:
        sentences = await self.narrator.sentences(record, images)
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
