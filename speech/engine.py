"""A speech engine: a program that is called as espeak-ng is, once for each run of text.

``PROGRAM -v VOICE --stdin --stdout`` reads UTF-8 and writes WAV. Text goes to its standard input
alone, and a voice is a language tag (BCP 47): neither can be an option or name a file.
"""

from __future__ import annotations

import os
import re
import struct
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import BinaryIO, Final

from winnow.speech.values import SpeechError

UNPRIVILEGED: Final = 65534
"""The user "nobody": who programs of the system run as where we are root."""
_TAG: Final = re.compile(r"[a-z]{2,3}(?:-[a-z0-9]{2,8}){0,3}\Z")
_UNSPOKEN: Final = re.compile("[\x00-\x1f\x7f\ud800-\udfff]+")
_PHONEMES: Final = re.compile(r"\[(?=\[)")
"""espeak-ng reads what stands in [[...]] as phonemes."""
_LAST: Final = "en"


@dataclass(frozen=True, slots=True)
class Sound:
    """Samples of 16 bits, little-endian, one channel; ``rate`` of them a second."""

    rate: int
    samples: bytes = field(repr=False)


@dataclass(frozen=True)
class Engine:
    """``language``: of text that names none."""

    program: str
    language: str = ""
    _voices: dict[str, str] = field(default_factory=dict)

    def spoken(self, language: str, text: str) -> Sound:
        """Raises SpeechError where the program speaks it with no voice."""
        known = self._voices.get(language)
        for voice in (known,) if known else voices_for(language, self.language):
            done = run(
                [self.program, "-v", voice, "--stdin", "--stdout"], plain(text).encode("utf-8")
            )
            if done.returncode == 0 and done.stdout:
                self._voices[language] = voice
                return sound_of(done.stdout)
        raise SpeechError("engine-failed", f"The speech engine {self.program} spoke nothing.")


def run(
    command: list[str],
    given: bytes | None = None,
    source: BinaryIO | None = None,
    into: int | BinaryIO = subprocess.PIPE,
) -> subprocess.CompletedProcess[bytes]:
    """A program of the system, in our process group and bounds; as nobody where we are root.

    It reads ``given`` or ``source``. Raises SpeechError if it is missing.
    """
    user = UNPRIVILEGED if os.geteuid() == 0 else None
    try:
        return subprocess.run(  # noqa: S603 - the program of the settings
            command,
            input=given,
            stdin=source,
            stdout=into,
            stderr=subprocess.DEVNULL,
            check=False,
            cwd="/",
            env=environment(),
            user=user,
            group=user,
            extra_groups=None if user is None else [],
        )
    except OSError as error:
        raise SpeechError("no-engine", f"{command[0]} cannot be started.") from error


def environment() -> Mapping[str, str]:
    """Nothing of our own environment that is a secret."""
    kept = ("PATH", "LD_LIBRARY_PATH", "ESPEAK_DATA_PATH")
    return {"LANG": "C.UTF-8", **{name: os.environ[name] for name in kept if name in os.environ}}


def voices_for(language: str, otherwise: str) -> tuple[str, ...]:
    """Voices by language tag, the best first: the whole tag, its language, that of the article."""
    found: dict[str, None] = {}
    for written in (language, otherwise, _LAST):
        tag = written.lower().replace("_", "-")
        if _TAG.match(tag):
            found |= {tag: None, tag.partition("-")[0]: None}
    return tuple(found)


def plain(text: str) -> str:
    """Without what an engine takes for a command: control characters, phonemes in brackets."""
    return _PHONEMES.sub("[ ", _UNSPOKEN.sub(" ", text))


def sound_of(wav: bytes) -> Sound:
    """The samples of a WAV file, whatever length its header says. Raises SpeechError."""
    rate, at = 0, 12
    while wav[:4] == b"RIFF" and at + 8 <= len(wav):
        name, size = struct.unpack_from("<4sI", wav, at)
        if name == b"fmt " and len(wav) >= at + 24:
            coding, channels, rate, _, _, bits = struct.unpack_from("<HHIIHH", wav, at + 8)
            if (coding, channels, bits) != (1, 1, 16):
                break
        if name == b"data" and rate:
            samples = wav[at + 8 : at + 8 + size]
            return Sound(rate, samples[: len(samples) // 2 * 2])
        at += 8 + size + size % 2
    raise SpeechError("engine-failed", "The speech engine wrote no WAV of 16 bits, one channel.")
