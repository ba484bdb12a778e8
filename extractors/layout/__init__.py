"""``layout``: what the pages of a site share, learned without an example (Webstemmer)."""

from typing import Final

EXTRACTORS: Final = {"layout": f"{__name__}.layout_extractor:LayoutExtractor"}
