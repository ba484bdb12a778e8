"""Samples as a file: Opus by opusenc (opus-tools), MP3 by lame, each with its chapters."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from winnow.speech.engine import run
from winnow.speech.id3_chapters import with_chapters
from winnow.speech.ogg_comments import Chapter, with_comments
from winnow.speech.values import AudioFormat, SpeechError

PROGRAMS: Final = {AudioFormat.OPUS: "opusenc", AudioFormat.MP3: "lame"}
_KILOBITS: Final = {AudioFormat.OPUS: 24, AudioFormat.MP3: 48}


def command_for(form: AudioFormat, rate: int) -> list[str]:
    """How the encoder of a format is called. No text of a page is in it."""
    bits = str(_KILOBITS[form])
    if form is AudioFormat.OPUS:
        raw = ("--raw", "--raw-bits", "16", "--raw-chan", "1", "--raw-rate", str(rate))
        speed = ("--comp", "2")  # 10, as usual, takes twice as long
        return [PROGRAMS[form], "--quiet", "--speech", *speed, "--bitrate", bits, *raw, "-", "-"]
    raw = ("-r", "--bitwidth", "16", "--signed", "--little-endian", "-s", f"{rate / 1000:g}")
    return [PROGRAMS[form], "--quiet", *raw, "-m", "m", "-b", bits, "-", "-"]


def encoded(samples: Path, rate: int, form: AudioFormat, into: Path) -> None:
    """Raises SpeechError where the encoder is missing or fails."""
    command = command_for(form, rate)
    with samples.open("rb") as given, into.open("wb") as made:
        done = run(command, source=given, into=made)
    if done.returncode != 0:
        raise SpeechError("engine-failed", f"{command[0]} could not encode the sound.")


def tagged(
    file: bytes, form: AudioFormat, title: str, chapters: Sequence[Chapter], seconds: float
) -> bytes:
    """The file with its title and chapters."""
    if form is AudioFormat.OPUS:
        return with_comments(file, title, chapters)
    return with_chapters(file, title, chapters, seconds)
