"""Which kind each own address is, as its feature says; winnow.proxy.access.own_faces decides by it.

Light: the command line imports it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final


class OwnFace(StrEnum):
    """Kinds of own addresses.

    ``harmless``: what a device needs before it has a password, nothing secret; ``fetch``: shows
    what is at the address ``url``; ``audio``: lasts long to make; ``show``: takes a document that
    any site's form sends; ``api``: for programs with a key; ``page`` and ``form``: all others.
    """

    HARMLESS = "harmless"
    PAGE = "page"
    FORM = "form"
    FETCH = "fetch"
    AUDIO = "audio"
    SHOW = "show"
    GATEWAY = "gateway"
    API = "api"


API_PATH: Final = "/-/api/"
HEALTHZ: Final = "/healthz"  # clusters ask it by custom
WPAD: Final = "/wpad.dat"  # browsers look for it at a host named wpad
SHEETS: Final = "/-/winnow/"
"""Below the origin of every page that is read through Winnow: style sheets, the same for all."""
READ_PATH: Final = "/-/read"
SHOW_PATH: Final = "/-/show"
_SAFE: Final = frozenset({"GET", "HEAD"})


@dataclass(frozen=True, slots=True)
class OwnFaces:
    """``exact`` by path, ``below`` by the path's begin; ``audio``: patterns of further files."""

    exact: Mapping[str, OwnFace] = field(default_factory=dict)
    below: Mapping[str, OwnFace] = field(default_factory=dict)
    audio: tuple[str, ...] = ()

    def of(self, path: str, method: str) -> OwnFace:
        """The kind of a request."""
        face = self._of(path)
        if face is OwnFace.PAGE or (face is OwnFace.SHOW and method != "POST"):
            return OwnFace.PAGE if method in _SAFE else OwnFace.FORM
        return face

    def is_open(self, path: str) -> bool:
        """Whether nobody is asked for a password there."""
        return self.exact.get(path) is OwnFace.HARMLESS

    def _of(self, path: str) -> OwnFace:
        if path in self.exact:
            return self.exact[path]
        if path.startswith(API_PATH):
            return OwnFace.API
        if any(re.fullmatch(pattern, path) for pattern in self.audio):
            return OwnFace.AUDIO
        above = (face for start, face in self.below.items() if path.startswith(start))
        return next(above, OwnFace.PAGE)


NO_FACES: Final = OwnFaces()
