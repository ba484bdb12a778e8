"""Addresses in a rendering: resolved, limited to harmless schemes, prefixed for the gateway.

RFC 3986, and the WHATWG URL standard's stripping.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final

from winnow.document import addresses
from winnow.document.addresses import joined, port_of, root_of
from winnow.document.compiled import loop, optional_module

_compiled: Any = optional_module("winnow.document.render.article._writer")

_IGNORED: Final = str.maketrans("", "", "\t\n\r")
_CONTROLS: Final = "".join(map(chr, range(0x21)))
_SCHEME: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_WEB: Final = frozenset({"http", "https"})
_LINKED: Final = _WEB | {
    "mailto",
    "tel",
    "sms",
    "geo",
    "xmpp",
    "irc",
    "ircs",
    "magnet",
    "news",
    "ftp",
}
_IMAGE_DATA: Final = re.compile(
    r"data:image/(?:png|jpe?g|gif|webp|avif|bmp|x-icon|svg\+xml)[;,]", re.IGNORECASE
)
_READY: Final = re.compile(
    r"https?://[A-Za-z0-9.-]+(?::[0-9]+)?/[^?#;\x00-\x20]*(?:\?[^#\x00-\x20]+)?"
)
_READY_BELOW_ROOT: Final = re.compile(r"/(?!/)[^?#;\x00-\x20]*(?:\?[^#\x00-\x20]+)?")
"""Addresses of which also nothing has to be stripped or quoted: three of four are such."""
MAX_DATA: Final = 100_000
"""An image inside its own address longer than this (characters) is left out."""
_CANDIDATE: Final = re.compile(r"\s*([^\s,]\S*[^\s,])(?:\s+([\d.]+[wxh]))?[^,]*(?:,|$)")


@dataclass(frozen=True, slots=True)
class Addresses:
    """``base``: what relative addresses stand on. ``prefix``: what leads links through the gateway.

    ``page`` is the page's own address, for links that stay on it.
    """

    base: str = ""
    prefix: str = ""
    page: str = ""
    roots: tuple[str, str] | None = field(init=False, repr=False, compare=False)
    """What is written before plain absolute addresses and before those below the root ("" where the
    base is none that such an address is simply put behind); None where more is done to them."""

    def __post_init__(self) -> None:
        site = root_of(self.base)
        object.__setattr__(self, "roots", (self.prefix, self.prefix + site if site else ""))

    def link(self, address: str) -> str:
        """Where a link leads; "" if it leads nowhere that a reader should go."""
        if plain := self.roots and ready(address, *self.roots):
            return plain
        address = clean(address)
        if address.startswith("#"):
            return address
        target = self._resolve(address)
        if "#" in target:
            page, _, fragment = target.partition("#")
            if fragment and page == self.page.partition("#")[0]:
                return "#" + fragment
        return self._with_prefix(target, _LINKED)

    def resource(self, address: str) -> str:
        """Where an image, a film or a sound is; "" if it cannot be shown."""
        if plain := self.roots and ready(address, *self.roots):
            return plain
        address = clean(address)
        if address[:5].lower() == "data:" and _IMAGE_DATA.match(address):
            return address if len(address) <= MAX_DATA else ""
        return self._with_prefix(self._resolve(address), _WEB) if address else ""

    def resources(self, candidates: str) -> str:
        """A ``srcset`` with each of its addresses resolved."""
        cleaned = clean(candidates)
        if plain := self.roots and _ready_set(cleaned, *self.roots):
            return plain
        found = [
            f"{address} {size}".rstrip()
            for candidate, size in _candidates(cleaned)
            if (address := self.resource(candidate))
        ]
        return ", ".join(found)

    def _resolve(self, address: str) -> str:
        return joined(self.base, address)

    def _with_prefix(self, target: str, schemes: frozenset[str]) -> str:
        if target.startswith(("https://", "http://")):
            return self.prefix + target.replace(" ", "%20")
        scheme = scheme_of(target)
        if scheme and scheme not in schemes:
            return ""
        target = target.replace(" ", "%20")
        return self.prefix + target if scheme in _WEB else target


def ready(address: str, absolute: str, below: str) -> str:
    """A plain address with what stands before it; "" for one that has to be resolved."""
    if "/." in address:
        return ""
    if _READY.fullmatch(address):
        return absolute + address
    return below + address if below and _READY_BELOW_ROOT.fullmatch(address) else ""


def ready_set(srcset: str, absolute: str, below: str) -> str:
    """A cleaned ``srcset`` of which all addresses are plain, each with what stands before it; ""
    for any other. The definition of the compiled loop.
    """
    found = list[str]()
    for candidate, size in _candidates(srcset) if srcset.isascii() else ():
        address = ready(candidate, absolute, below)
        if not address:
            return ""
        found.append(f"{address} {size}".rstrip())
    return ", ".join(found)


_ready_set = loop(_compiled and _compiled.ready_set, ready_set)


def clean(address: str) -> str:
    """An address as browsers read it: its edges stripped, no tabs and line breaks in it."""
    stripped = address.strip(_CONTROLS)
    return stripped if stripped.isprintable() else stripped.translate(_IGNORED)


def scheme_of(address: str) -> str:
    """The scheme in lower case; "" of a relative address."""
    found = _SCHEME.match(address)
    return found[0][:-1].lower() if found else ""


def host_of(address: str) -> str:
    """The host without ``www.``; "" if there is none."""
    return addresses.host_of(address).removeprefix("www.")


@lru_cache(maxsize=64)
def site_of(address: str) -> str:
    """The same with the port, where it is a rare one."""
    host = host_of(address)
    port = port_of(address)
    if not host or port in (None, 80, 443):
        return host
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def candidates_of(srcset: str) -> list[tuple[str, str]]:
    """The addresses of a ``srcset`` with their descriptors (HTML standard, 4.8.4.2.1)."""
    return _candidates(clean(srcset))


def _candidates(cleaned: str) -> list[tuple[str, str]]:
    return [(found[1], found[2] or "") for found in _CANDIDATE.finditer(cleaned)]
