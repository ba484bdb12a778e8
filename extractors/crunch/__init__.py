"""``crunch``: Crunch's heuristics (Gupta, Kaiser et al., WWW 2003, WWW 2005, WWWJ 2005)."""

from winnow.extractors.crunch.crunch_extractor import Crunch

__all__ = ["Crunch"]
