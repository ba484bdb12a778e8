"""A text is never an option, a voice never a file, and WAV is read whatever its header says."""

from __future__ import annotations

import re
import struct

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from winnow.speech.engine import plain, sound_of, voices_for
from winnow.speech.values import SpeechError


@given(st.text(), st.text())
def test_a_voice_is_a_language_tag_whatever_a_page_says(language: str, article: str) -> None:
    voices = voices_for(language, article)
    assert voices[-1] == "en"
    assert all(re.fullmatch(r"[a-z]{2,3}(-[a-z0-9]{2,8})*", voice) for voice in voices)


@pytest.mark.parametrize(
    ("language", "voices"),
    [
        ("de-AT", ("de-at", "de", "fr", "en")),
        ("pt_BR", ("pt-br", "pt", "fr", "en")),
        ("", ("fr", "en")),
        ("--help", ("fr", "en")),
        ("../../etc/passwd", ("fr", "en")),
        ("de\n--compile", ("fr", "en")),
    ],
)
def test_the_voice_of_the_mark_then_that_of_the_article(
    language: str, voices: tuple[str, ...]
) -> None:
    assert voices_for(language, "fr") == voices


@given(st.text(st.sampled_from("a[\0\x1b\x7f\ud800 ")) | st.text())
@example("[[[h@l'oU]]")
def test_what_is_spoken_has_no_command_for_an_engine(text: str) -> None:
    spoken = plain(text)
    assert not re.search("[\x00-\x1f\x7f]", spoken)
    assert "[[" not in spoken
    spoken.encode()


def wav(samples: bytes, *, channels: int = 1, size: int | None = None) -> bytes:
    head = struct.pack("<IHHIIHH", 16, 1, channels, 22050, 44100, 2, 16)
    known = len(samples) if size is None else size
    listed = b"LIST" + struct.pack("<I", 3) + b"abc\0"
    data = b"data" + struct.pack("<I", known) + samples
    return b"RIFF\xff\xff\xff\xffWAVEfmt " + head + listed + data


@pytest.mark.parametrize("size", [None, 0x7FFFF000])
def test_samples_are_read_whatever_length_the_header_says(size: int | None) -> None:
    sound = sound_of(wav(b"\1\0\2\0", size=size))
    assert (sound.rate, sound.samples) == (22050, b"\1\0\2\0")


@pytest.mark.parametrize("file", [b"", b"RIFF", wav(b"", channels=2), b"ID3" + bytes(60)])
def test_anything_else_is_an_error(file: bytes) -> None:
    with pytest.raises(SpeechError, match="WAV"):
        sound_of(file)
