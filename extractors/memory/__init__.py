"""Labels for title, heading and body learned from examples (Arizaleta 2009)."""

from typing import Final

EXTRACTORS: Final = {"memory": f"{__name__}.memory_extractor:Memory"}
TRAINER: Final = "winnow.evaluation.training.train_memory:train"
