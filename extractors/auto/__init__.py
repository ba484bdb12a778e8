"""``auto``: a learned classifier of blocks, and what trains, runs and explains it."""

from typing import Final

EXTRACTORS: Final = {"auto": f"{__name__}.auto_extractor:Auto"}
TRAINER: Final = "winnow.evaluation.training.train_auto:train"
