"""``python -m benchmarks.audio_files``: what an article as an audio file costs, by CPU time.

An article of 2,000 words (``--words``) is cut into sentences, spoken by espeak-ng and encoded; the
time of all processes counts.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import sys
from collections.abc import Iterator, Sequence
from typing import Final

from winnow.engine.books import book_of, sentences_of
from winnow.jobs.job_types import BindJob, SentencesJob
from winnow.speech.speaker import Speaker, formats_of
from winnow.speech.values import AudioFormat, SpeechJob, SpokenAudio

_WORDS: Final = (
    "the of and to in a is that for it was on are as with his they at be this from have or by one "
    "had not but what all were when we there can an your which their said if do will each about "
    "river village morning bridge water people never again between another country something "
    "children together mountain sometimes important government different following"
).split()


def batched(items: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    """itertools.batched, which Python 3.11 lacks."""
    return (items[start : start + size] for start in range(0, len(items), size))


def article(words: int) -> dict[str, str]:
    """An extraction's JSON: paragraphs of five sentences of sixteen words, a heading every ten."""
    chosen = random.Random(1).choices(_WORDS, k=words)  # noqa: S311 - a benchmark's text
    sentences = [" ".join(some).capitalize() + "." for some in batched(chosen, 16)]
    paragraphs = [f"<p>{' '.join(some)}</p>" for some in batched(sentences, 5)]
    parts = [f"<h2>Part</h2>{''.join(some)}" for some in batched(paragraphs, 10)]
    fields = dict.fromkeys(("byline", "publishedTime", "dir", "siteName"), "")
    return {"title": "A story", "lang": "en", "url": "", "content": "".join(parts), **fields}


def spent() -> float:
    """CPU seconds of this process and of those that have ended."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def spoken(record: dict[str, str], form: AudioFormat) -> SpokenAudio:
    sentences = sentences_of(SentencesJob(record, {}))
    job = SpeechJob(sentences, record["title"], record["lang"], form)
    return asyncio.run(Speaker()(job))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--words", type=int, default=2000)
    words = parser.parse_args().words
    record, say = article(words), sys.stdout.write
    for form in formats_of("espeak-ng"):
        start = spent()
        audio = spoken(record, form)
        seconds = spent() - start
        say(
            f"{words:,} words as {form.value}: {seconds:.1f} s of CPU, {audio.ends[-1] / 60:.1f} "
            f"minutes, {len(audio.ends)} sentences, {len(audio.body) / 1e6:.1f} MB\n"
        )
    start = spent()
    narration = spoken(record, AudioFormat.MP3)
    book = book_of(BindJob([record], "", {}, (narration.body, narration.ends)))
    say(f"as EPUB with audio: {spent() - start:.1f} s of CPU, {len(book) / 1e6:.1f} MB\n")


if __name__ == "__main__":
    main()
