"""A chapter read aloud: EPUB 3's media overlays, sentence by sentence (EPUB 3.3, section 9)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

AUDIO: Final = "audio.mp3"
OVERLAY: Final = "chapter1.smil"
ACTIVE: Final = "reading"
STYLE: Final = f".{ACTIVE} {{ background-color: #ffe28a; color: #000; }}\n"


@dataclass(frozen=True, slots=True)
class Narration:
    """The first chapter as MP3, a core media type; ``ends``: seconds after which each sentence of
    ``mark_sentences`` has ended."""

    body: bytes = field(repr=False)
    ends: tuple[float, ...] = field(repr=False)

    @property
    def seconds(self) -> float:
        return self.ends[-1]


def overlay(ids: Sequence[str], narration: Narration) -> bytes:
    """The overlay's SMIL. Raises ValueError where there are other sentences than were spoken."""
    times = pairwise((0.0, *narration.ends))
    pars = "".join(
        f'<par id="p{number}"><text src="chapter1.xhtml#{name}"/>'
        f'<audio src="{AUDIO}" clipBegin="{start:.3f}s" clipEnd="{end:.3f}s"/></par>\n'
        for number, (name, (start, end)) in enumerate(zip(ids, times, strict=True), 1)
        if f"{start:.3f}" != f"{end:.3f}"
    )
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n'
        '<smil xmlns="http://www.w3.org/ns/SMIL" xmlns:epub="http://www.idpf.org/2007/ops" '
        'version="3.0"><body>\n'
        f"{pars}</body></smil>\n"
    ).encode()


MANIFEST: Final = (
    f'<item id="m1" href="{OVERLAY}" media-type="application/smil+xml"/>'
    f'<item id="sound" href="{AUDIO}" media-type="audio/mpeg"/>'
)


def metadata(narration: Narration) -> str:
    """The package's metadata of the overlay (section 9.3.5)."""
    clock = f"{narration.seconds:.3f}s"
    return (
        f'<meta property="media:duration" refines="#m1">{clock}</meta>'
        f'<meta property="media:duration">{clock}</meta>'
        f'<meta property="media:active-class">{ACTIVE}</meta>'
    )
