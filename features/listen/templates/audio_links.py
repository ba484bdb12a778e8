"""Where articles are as files to listen to, and links to them. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple
from urllib.parse import urlencode

from winnow.proxy.own.checked_values import Address, own_address
from winnow.proxy.own.templates.navigation import SAVED_PAGES
from winnow.proxy.own.translation import N_, _, says

AUDIO: Final = "/-/audio"
NO_ENGINE: Final = says(
    "Audio files need a speech engine and an encoder on the computer that runs Winnow: "
    "espeak-ng with opus-tools or lame."
)
_KINDS: Final = {
    "opus": N_("Audio (Opus)"),
    "mp3": N_("Audio (MP3)"),
    "epub": N_("EPUB with audio"),
}


def audio_address(url: str, kind: str) -> str:
    """The file of any page."""
    return f"{AUDIO}?{urlencode({'url': url, 'format': kind})}"


def audio_path(number: int, kind: str) -> str:
    """The file of a saved page."""
    name = "spoken.epub" if kind == "epub" else f"audio.{kind}"
    return f"{SAVED_PAGES}/{number}/{name}"


class AudioFile(NamedTuple):
    """A link to a file, which is made when it is followed."""

    target: Address
    text: str


def audio_files(files: Mapping[str, str]) -> tuple[AudioFile, ...]:
    """Links to files, given by their kind."""
    return tuple(AudioFile(own_address(to), _(_KINDS[kind])) for kind, to in files.items())
