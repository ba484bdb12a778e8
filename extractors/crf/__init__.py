"""Blocks labelled by a linear-chain conditional random field (Victor, CleanEval 2007)."""

from typing import Final

EXTRACTORS: Final = {"crf": f"{__name__}.crf_extractor:Crf"}
TRAINER: Final = "winnow.evaluation.training.train_crf:train"
