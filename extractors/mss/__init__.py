"""Maximum subsequence segmentation with learned scores (Pasternack & Roth 2009, section 6.2)."""

from typing import Final

EXTRACTORS: Final = {
    "mss": f"{__name__}.mss_extractors:Mss",
    "mss-hr": f"{__name__}.mss_extractors:MssRule",
    "mss-site": f"{__name__}.mss_site:MssSite",
    "mss-cleaneval": f"{__name__}.mss_extractors:MssCleanEval",
}
TRAINER: Final = "winnow.evaluation.training.train_mss:train"
