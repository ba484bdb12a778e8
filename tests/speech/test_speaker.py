"""An article is spoken by a process of its own, each mark by its voice, within bounds."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.programs import require_program
from tests.speech.programs import output_of, require_speech, stand_in
from winnow.jobs.results import SpokenSentence
from winnow.speech.speaker import Speaker, formats_of
from winnow.speech.values import AudioFormat, SpeechBounds, SpeechError, SpeechJob

SENTENCES = (
    SpokenSentence((("", "The mill"),), "The mill"),
    SpokenSentence((("", "It turned."),)),
    SpokenSentence((("", "They said "), ("de", "guten Morgen"), ("", " to it."))),
    SpokenSentence((("", "The end"),), "The end"),
    SpokenSentence((("", "It stands."),)),
)


def job(engine: object, form: AudioFormat = AudioFormat.OPUS) -> SpeechJob:
    return SpeechJob(SENTENCES, "The mill", "en-GB", form, str(engine))


async def test_each_language_mark_is_spoken_by_its_voice_and_timed() -> None:
    require_program("opusenc")
    with stand_in() as engine:
        audio = await Speaker()(job(engine))
        calls = (engine.parent / "spoken").read_text().splitlines()
    assert calls[2:5] == [
        "-v en-gb --stdin --stdout|They said ",
        "-v de --stdin --stdout|guten Morgen",
        "-v en-gb --stdin --stdout| to it.",
    ]
    assert audio.ends == pytest.approx([0.04, 0.08, 0.2, 0.24, 0.28])
    assert audio.body.startswith(b"OggS")


async def test_text_is_no_option_of_the_engine() -> None:
    require_program("opusenc")
    text = "--compile=en -w /tmp/x \x01+100P [[h@l'oU]] \x00"
    with stand_in() as engine:
        bad = replace_sentences(job(engine), (SpokenSentence((("-w/tmp/x", text),)),))
        await Speaker()(bad)
        calls = (engine.parent / "spoken").read_text()
    assert calls == "-v en-gb --stdin --stdout|--compile=en -w /tmp/x  +100P [ [h@l'oU]]  \n"


def replace_sentences(given: SpeechJob, sentences: tuple[SpokenSentence, ...]) -> SpeechJob:
    return SpeechJob(sentences, given.title, given.language, given.form, given.engine)


async def test_a_voice_that_is_missing_is_that_of_the_article() -> None:
    require_program("opusenc")
    with stand_in('case "$2" in de|en-gb) exit 1;; esac') as engine:
        await Speaker()(job(engine))
        calls = (engine.parent / "spoken").read_text().splitlines()
    assert [call.split()[1] for call in calls] == [
        "en-gb",
        "en",
        "en",
        "en",
        "de",
        "en-gb",
        "en",
        "en",
        "en",
        "en",
    ]


async def test_a_job_that_takes_too_long_is_killed_with_all_that_it_started() -> None:
    with stand_in('sleep 600 & echo $! > "$(dirname "$0")/child"; sleep 600') as engine:
        speaker = Speaker(SpeechBounds(seconds=3.0))
        with pytest.raises(SpeechError, match="longer than allowed"):
            async with asyncio.timeout(60):
                await speaker(job(engine))
        child = int((engine.parent / "child").read_text())
        await until(lambda: not is_running(child))


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not holds():  # noqa: ASYNC110 - in another process
            await asyncio.sleep(0.05)


def is_running(number: int) -> bool:
    try:
        state = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


async def test_a_reader_who_goes_away_ends_the_job() -> None:
    with stand_in('echo $$ > "$(dirname "$0")/child"; sleep 600') as engine:
        task = asyncio.create_task(Speaker()(job(engine)))
        started = engine.parent / "child"
        await until(lambda: started.exists() and bool(started.read_text().strip()))
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await until(lambda: not is_running(int(started.read_text())))


async def test_an_engine_that_fails_or_writes_no_sound_is_an_error() -> None:
    for more in ("exit 1", "echo hello; exit 0"):
        with stand_in(more) as engine, pytest.raises(SpeechError, match="engine"):
            await Speaker()(job(engine))
    with pytest.raises(SpeechError, match="cannot be started"):
        await Speaker()(job("/nowhere/engine"))


async def test_an_engine_that_writes_without_end_is_bounded() -> None:
    failure = pytest.raises(SpeechError, match=r"too long|engine|ended early")
    with stand_in("exec cat /dev/zero") as engine, failure:
        await Speaker()(job(engine))


def test_without_an_engine_there_are_no_formats() -> None:
    assert formats_of("") == ()
    assert formats_of("/nowhere/engine") == ()


async def test_espeak_ng_speaks_an_opus_file_with_chapters_that_opusinfo_reads(
    tmp_path: Path,
) -> None:
    require_speech()
    audio = await Speaker()(job("espeak-ng"))
    file = tmp_path / "a.opus"
    file.write_bytes(audio.body)
    found = await asyncio.to_thread(output_of, "opusinfo", file)
    assert "TITLE=The mill" in found
    assert "CHAPTER000=00:00:00.000" in found
    assert "CHAPTER001NAME=The end" in found
    assert "WARNING" not in found
    length = sum(
        float(value) * unit
        for value, unit in zip(
            found.split("Playback length: ")[1]
            .split(maxsplit=1)[0]
            .replace("m:", " ")
            .rstrip("s")
            .split(),
            (60, 1),
            strict=True,
        )
    )
    assert length == pytest.approx(audio.ends[-1], abs=0.05)
    assert all(end > start for start, end in zip(audio.ends, audio.ends[1:], strict=False))


async def test_lame_writes_an_mp3_file_behind_its_chapters() -> None:
    require_speech()
    audio = await Speaker()(job("espeak-ng", AudioFormat.MP3))
    assert audio.body.startswith(b"ID3\x04")
    sizes = zip(audio.body[6:10], (21, 14, 7, 0), strict=True)
    size = 10 + sum(byte << shift for byte, shift in sizes)
    assert audio.body[size] == 0xFF
    assert audio.body[10:size].count(b"CHAP") == 2
    assert b"The end" in audio.body[10:size]
