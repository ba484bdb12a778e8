"""The process that speaks one article: a job on standard input, how it went on standard output.

It starts the engine and the encoder in its own process group, within bounds that they inherit; the
file is in the folder that its argument names. It has its lowest priority and ends by itself.
"""

from __future__ import annotations

import os
import resource
import signal
import sys
from pathlib import Path
from typing import Final

from msgspec import json

from winnow.jobs.oom_score import be_ended_first
from winnow.speech.encoding import encoded, tagged
from winnow.speech.engine import Engine
from winnow.speech.ogg_comments import Chapter
from winnow.speech.values import SpeechBounds, SpeechError, SpeechJob, SpeechResult

SOUND: Final = "sound"
_PRIORITY: Final = 10


def speak(job: SpeechJob, folder: Path) -> SpeechResult:
    """Write the file. Raises SpeechError."""
    samples, file = folder / "samples", folder / SOUND
    rate, ends = spoken(job, samples)
    chapters = chapters_of(job, ends)
    encoded(samples, rate, job.form, file)
    body = tagged(file.read_bytes(), job.form, job.title, chapters, ends[-1])
    file.write_bytes(body)
    return SpeechResult(ends)


def spoken(job: SpeechJob, samples: Path) -> tuple[int, tuple[float, ...]]:
    """Write all samples; their rate, and when each sentence ends. Raises SpeechError."""
    engine, rate, count = Engine(job.engine, job.language), 0, 0
    ends: list[float] = []
    with samples.open("wb") as out:
        for sentence in job.sentences:
            for language, text in sentence.parts:
                if not any(map(str.isalnum, text)):
                    continue
                sound = engine.spoken(language, text)
                if rate and sound.rate != rate:
                    raise SpeechError("engine-failed", "Voices of the engine differ in their rate.")
                rate = sound.rate
                count += out.write(sound.samples) // 2
            ends.append(count / rate if rate else 0.0)
    if not count:
        raise SpeechError("nothing-to-say", "The article has no text to speak.")
    return rate, tuple(ends)


def chapters_of(job: SpeechJob, ends: tuple[float, ...]) -> list[Chapter]:
    """Where each heading begins; the first chapter begins with the file."""
    starts = (0.0, *ends[:-1])
    found = [
        (start, sentence.chapter)
        for start, sentence in zip(starts, job.sentences, strict=True)
        if sentence.chapter
    ]
    if not found or found[0][0] > 0:
        found.insert(0, (0.0, job.title or "1"))
    return found


def bound(bounds: SpeechBounds) -> None:
    """Bound this process and those that it starts."""
    limits = {
        resource.RLIMIT_CPU: bounds.processor,
        resource.RLIMIT_AS: bounds.memory,
        resource.RLIMIT_FSIZE: bounds.sound,
        resource.RLIMIT_CORE: 0,
    }
    for kind, most in limits.items():
        _, hard = resource.getrlimit(kind)
        resource.setrlimit(kind, (most if hard < 0 else min(most, hard), hard))
    os.nice(_PRIORITY)
    signal.alarm(int(bounds.seconds) + 5)  # where nobody is left to end it


def main() -> None:
    bound(SpeechBounds())
    be_ended_first()
    job = json.decode(sys.stdin.buffer.read(), type=SpeechJob)
    try:
        result = speak(job, Path(sys.argv[1]))
    except SpeechError as error:
        result = SpeechResult(reason=error.reason, failure=str(error))
    except (OSError, MemoryError):
        result = SpeechResult(reason="too-large", failure="The article is too long to be spoken.")
    sys.stdout.buffer.write(json.encode(result))


if __name__ == "__main__":
    main()
