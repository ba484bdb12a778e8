"""Vision-based page segmentation over the boxes that a browser gives a page."""

from typing import Final

EXTRACTORS: Final = {"vips": f"{__name__}.vips_extractor:Vips"}
