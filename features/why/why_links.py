"""The addresses of the pages about what was left out of one page. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from urllib.parse import urlencode

from winnow.features.why.jobs import FIRST
from winnow.features.why.templates.frame_marks import FRAME, PART
from winnow.proxy.own.checked_values import Address, own_address, web_address


@dataclass(frozen=True, slots=True)
class WhyLinks:
    """``options``: by which the page is extracted. ``annotates``: whether it may be annotated.

    ``by_proxy``: the reader sees the page at its own address, not in the gateway.
    """

    url: str
    options: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    annotates: bool = False
    by_proxy: bool = False

    def why(self, view: str = "") -> Address:
        """The page, or one of its views."""
        return self._at("/-/why", {"view": view} if view else {})

    def stored(self, selector: str) -> Address:
        """The page, after a rule for this selector was stored."""
        return self._at("/-/why", {"saved": selector})

    def frame(self, stored: str = "") -> Address:
        """The page with its marks, at the part of a rule that was stored, or the first left out."""
        return Address(f"{self._at(FRAME, {'saved': stored} if stored else {})}#{FIRST}")

    def part(self, action: str, selector: str, place: int) -> Address:
        """The question whether a part of the page is to be kept, or dropped."""
        return self._at(PART, {"do": action, "selector": selector, "place": str(place)})

    def reader(self) -> Address:
        """The page about what the reader view leaves out."""
        return self._at("/-/why", {"mode": "extract"})

    def read(self) -> Address:
        """The page as it is shown."""
        if self.by_proxy and (shown := web_address(self.url)):
            return shown
        mode = {"mode": self.options["mode"]} if "mode" in self.options else {}
        return own_address(f"/-/read?{urlencode({'url': self.url, **mode})}")

    def other(self, path: str) -> Address:
        """Another own page about the same page."""
        return own_address(f"{path}?{urlencode({'url': self.url})}")

    def _at(self, path: str, more: Mapping[str, str]) -> Address:
        return own_address(f"{path}?{urlencode({'url': self.url, **self.options, **more})}")
