"""Articles as audio files: one job at a time for each reader, few together, within bounds."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Final

from cachetools import LRUCache
from msgspec import msgpack

from winnow.features.listen.templates.audio_links import NO_ENGINE
from winnow.proxy.http.proxy_errors import ClientFaultError, TransformError
from winnow.proxy.own.translation import says
from winnow.speech.values import AudioFormat, SpeechError, SpeechJob, SpokenAudio

MOST_WAITING: Final = 4
"""Jobs that wait for their turn; further ones are refused."""
KEPT: Final = 64 * 1024 * 1024
"""Bytes of files that were made lately, in memory."""
Speak = Callable[[SpeechJob], Awaitable[SpokenAudio]]
"""Raises SpeechError."""


@dataclass(frozen=True)
class AudioJobs:
    """``formats``: what can be made here; none without a speech engine. ``most``: characters."""

    speak: Speak
    formats: tuple[AudioFormat, ...]
    engine: str
    most: int
    _places: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(1))
    _owners: set[str] = field(default_factory=set)
    _made: LRUCache[bytes, SpokenAudio] = field(
        default_factory=lambda: LRUCache(KEPT, getsizeof=lambda audio: len(audio.body))
    )

    async def __call__(self, owner: str, job: SpeechJob) -> SpokenAudio:
        """Raises ClientFaultError where it cannot be made now, TransformError where not at all."""
        if job.form not in self.formats:
            raise ClientFaultError(NO_ENGINE, 501, "no-engine")
        if sum(len(text) for each in job.sentences for _, text in each.parts) > self.most:
            message = says("This article has more than {most} characters.", most=self.most)
            raise ClientFaultError(message, 413, "too-large")
        key = hashlib.sha256(msgpack.encode(job)).digest()
        if (made := self._made.get(key)) is None:
            async with self._place(owner):
                made = await self._spoken(job)
            if len(made.body) <= KEPT:
                self._made[key] = made
        return made

    @asynccontextmanager
    async def _place(self, owner: str) -> AsyncIterator[None]:
        if owner in self._owners or len(self._owners) > MOST_WAITING:
            raise ClientFaultError(_BUSY, 503, "busy")
        self._owners.add(owner)
        try:
            async with self._places:
                yield
        finally:
            self._owners.discard(owner)

    async def _spoken(self, job: SpeechJob) -> SpokenAudio:
        try:
            return await self.speak(job)
        except SpeechError as error:
            raise TransformError(error.reason, str(error)) from error


_BUSY: Final = says("An audio file is being made already. Try again when it is ready.")
