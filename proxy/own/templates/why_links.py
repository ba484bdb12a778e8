"""The addresses of the pages about what was left out of one page. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from urllib.parse import urlencode

from winnow.proxy.own.templates.why_frame import FRAME


@dataclass(frozen=True, slots=True)
class WhyLinks:
    """``options``: by which the page is extracted. ``annotates``: whether it may be annotated."""

    url: str
    options: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    annotates: bool = False

    def why(self, view: str = "") -> str:
        """The page, or one of its views."""
        return self._at("/-/why", {"view": view} if view else {})

    def frame(self) -> str:
        """The page with its marks."""
        return self._at(FRAME, {})

    def other(self, path: str) -> str:
        """Another own page about the same page."""
        return f"{path}?{urlencode({'url': self.url})}"

    def _at(self, path: str, more: Mapping[str, str]) -> str:
        return f"{path}?{urlencode({'url': self.url, **self.options, **more})}"
