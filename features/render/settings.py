"""The setting of pages that scripts write."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from winnow.config.setting_fields import setting


@dataclass(frozen=True, slots=True)
class RenderSettings:
    """Which pages a browser draws where nobody asks for it."""

    SECTION: ClassVar[str] = "render"

    mode: str = setting(
        "no",
        "Run the scripts of pages that the gateway, the API, feeds and books read, in a headless "
        "Chromium: no, when-empty (only where there is no text without), always.",
        choices=("no", "when-empty", "always"),
        path="extraction.render",
    )
