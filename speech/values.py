"""What is to be spoken, in which bounds, and what came of it. Values only."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from msgspec import Struct

from winnow.jobs.results import SpokenSentence


class AudioFormat(StrEnum):
    """The ending of a file's name."""

    OPUS = "opus"
    MP3 = "mp3"

    @property
    def media_type(self) -> str:
        """RFC 7845, section 9; RFC 3003."""
        return _TYPES[self]


_TYPES: Final = {AudioFormat.OPUS: "audio/ogg", AudioFormat.MP3: "audio/mpeg"}


class SpeechJob(Struct, frozen=True):
    """``language``: of sentences that name none. ``engine``: a program (winnow.speech.engine)."""

    sentences: tuple[SpokenSentence, ...]
    title: str
    language: str
    form: AudioFormat
    engine: str = "espeak-ng"


class SpeechResult(Struct, frozen=True):
    """``ends``: seconds after which each sentence has ended; ``failure``: why there is none."""

    ends: tuple[float, ...] = ()
    reason: str = ""
    failure: str = ""


@dataclass(frozen=True, slots=True)
class SpokenAudio:
    """A whole file; ``ends`` as in SpeechResult."""

    form: AudioFormat
    body: bytes = field(repr=False)
    ends: tuple[float, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class SpeechBounds:
    """``seconds`` of a whole job; ``processor``: seconds of each of its processes; the rest in
    bytes: ``memory`` of each process, ``sound`` before it is encoded."""

    seconds: float = 120.0
    processor: int = 60
    memory: int = 1024 * 1024 * 1024
    sound: int = 512 * 1024 * 1024


class SpeechError(Exception):
    """Nothing was spoken: a reason token and a sentence."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason
