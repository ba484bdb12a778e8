"""The style sheets of a marked page, written into it, and where its links and pictures lead.

For marked_page.py: a frame without scripts and without an address of its own loads nothing itself.
"""

from __future__ import annotations

import re
from base64 import urlsafe_b64encode
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote

from winnow.document.render.addresses import Addresses
from winnow.document.render.original.attribute_writer import AttributeWriter
from winnow.document.render.style_sheets import Write

_HELD: Final = re.compile(r"\bposition\s*:\s*(?:fixed|(?:-webkit-)?sticky)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class MarkedAddresses(Addresses):
    """``links`` and ``images``: what stands before the address of a page and of a picture."""

    links: str = ""
    images: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "roots", None)

    def link(self, address: str) -> str:
        """A place on the page itself, or ``links`` with the address; "" for any other."""
        found = Addresses(self.base, "", self.page).link(address)
        if not found.startswith(("http://", "https://")):
            return found if found.startswith("#") else ""
        return self.links + quote(found, safe="")

    def resource(self, address: str) -> str:
        """``images`` with the address in base64url, which needs no quoting in any place."""
        found = Addresses(self.base).resource(address)
        if not found.startswith(("http://", "https://")):
            return found
        return self.images + urlsafe_b64encode(found.encode()).decode()


def unfixed(css: str) -> str:
    """What is held in the window (a banner, a menu) stands where it comes in the page: there it
    lies over no other part, and each part can be seen and pointed at."""
    return _HELD.sub("position:static", css)


def harmless(addresses: MarkedAddresses) -> Write:
    """How a sheet at an address is written: nothing in it acts or is held, its addresses led on."""
    there = addresses.page, addresses.links, addresses.images

    def written(css: str, base: str) -> str:
        return unfixed(AttributeWriter(MarkedAddresses(base, "", *there)).stylesheet(css))

    return written
