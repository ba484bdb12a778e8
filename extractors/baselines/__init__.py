"""Methods that learn nothing: what others are measured beside."""

from typing import Final

EXTRACTORS: Final = {
    "plain": f"{__name__}.plain:Plain",
    "largest-block": f"{__name__}.largest_block:LargestBlock",
    "simple-mss": f"{__name__}.simple_mss:SimpleMss",
    "bte": f"{__name__}.bte:BodyTextExtraction",
    "dsc": f"{__name__}.dsc:DocumentSlopeCurve",
    "lqf": f"{__name__}.lqf:LinkQuotaFilter",
}
