"""Audio jobs are bounded in number and length, and a file that was made is not made again."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

import pytest

from winnow.features.listen.audio_jobs import MOST_WAITING, AudioJobs
from winnow.jobs.results import SpokenSentence
from winnow.proxy.http.proxy_errors import ClientFaultError, TransformError
from winnow.speech.values import AudioFormat, SpeechError, SpeechJob, SpokenAudio


@dataclass
class Voice:
    """Speaks when it may."""

    may: asyncio.Event = field(default_factory=asyncio.Event)
    said: list[str] = field(default_factory=list)
    at_once: int = 0
    most_at_once: int = 0

    async def __call__(self, job: SpeechJob) -> SpokenAudio:
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        await self.may.wait()
        self.at_once -= 1
        self.said.append(job.title)
        return SpokenAudio(job.form, job.title.encode(), (1.0,))


def jobs(voice: Voice, formats: tuple[AudioFormat, ...] = tuple(AudioFormat)) -> AudioJobs:
    return AudioJobs(voice, formats, "espeak-ng", 100)


def job(title: str, text: str = "text", form: AudioFormat = AudioFormat.OPUS) -> SpeechJob:
    return SpeechJob((SpokenSentence((("", text),)),), title, "en", form)


async def test_a_reader_has_one_job_at_a_time_and_few_wait() -> None:
    voice = Voice()
    made = jobs(voice)
    first = asyncio.create_task(made("ann", job("1")))
    await asyncio.sleep(0)
    with pytest.raises(ClientFaultError, match="being made already") as busy:
        await asyncio.wait_for(made("ann", job("2")), 60)
    assert busy.value.status == 503
    others = [asyncio.create_task(made(f"reader {n}", job(f"r{n}"))) for n in range(MOST_WAITING)]
    await asyncio.sleep(0)
    with pytest.raises(ClientFaultError, match="being made already"):
        await asyncio.wait_for(made("one more", job("3")), 60)
    voice.may.set()
    await asyncio.gather(first, *others)
    assert voice.most_at_once == 1
    assert (await made("ann", job("2"))).body == b"2"


async def test_what_was_made_is_not_made_again() -> None:
    voice = Voice()
    voice.may.set()
    made = jobs(voice)
    assert await made("ann", job("1")) == await made("bob", job("1"))
    await made("ann", job("1", form=AudioFormat.MP3))
    assert voice.said == ["1", "1"]


async def test_a_long_article_is_refused() -> None:
    with pytest.raises(ClientFaultError, match="more than 100 characters") as long:
        await jobs(Voice())("ann", job("1", "x" * 101))
    assert long.value.status == 413


async def test_without_an_engine_it_says_so() -> None:
    with pytest.raises(ClientFaultError, match="espeak-ng") as missing:
        await jobs(Voice(), (AudioFormat.MP3,))("ann", job("1"))
    assert missing.value.status == 501


async def test_a_job_that_fails_gives_its_place_back() -> None:
    async def mute(_job: SpeechJob) -> SpokenAudio:
        raise SpeechError("engine-failed", "The speech engine spoke nothing.")

    made = AudioJobs(mute, tuple(AudioFormat), "espeak-ng", 100)
    for _ in range(2):
        with pytest.raises(TransformError, match="spoke nothing"):
            await made("ann", job("1"))
