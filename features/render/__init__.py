"""Pages that scripts write, drawn by a headless Chromium behind a proxy of its own.

docs/rendering.md
"""

from __future__ import annotations

from typing import Final

from winnow.feature import Feature, OwnAddress

FEATURE: Final = Feature(
    name="render",
    needs=("books",),
    settings="winnow.features.render.settings:RenderSettings",
    addresses=(OwnAddress("/-/render"),),
    pages="winnow.features.render.pages:pages",
    options="winnow.features.render.render_option:declare",
    drawing="winnow.features.render.browser_drawing:BrowserDrawing",
)
