"""``crunch``: Crunch's heuristics (Gupta, Kaiser et al., WWW 2003, WWW 2005, WWWJ 2005).

Imports nothing: its levels and lists of ads are read where no parser is loaded.
"""

from typing import Final

EXTRACTORS: Final = {"crunch": f"{__name__}.crunch_extractor:Crunch"}
TRAINER: Final = "winnow.evaluation.training.train_crunch:train"
