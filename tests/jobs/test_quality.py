"""When a result is too poor to be shown: the reasons in their order."""

import pytest

from winnow.document.values import Rendered
from winnow.jobs.quality import QualityLimits

STANDARD = QualityLimits(min_words=20, min_confidence=0.15, min_share=0.03)


@pytest.mark.parametrize(
    ("stored", "total", "confidence", "reason"),
    [
        (0, 500, 1.0, "no-article"),
        (19, 500, 1.0, "few-words"),
        (20, 500, 1.0, ""),
        (29, 1000, 1.0, "little-kept"),
        (30, 1000, 1.0, ""),
        (400, 500, 0.14, "low-confidence"),
        (400, 500, 0.15, ""),
    ],
)
def test_why_the_original_is_better(
    stored: int, total: int, confidence: float, reason: str
) -> None:
    rendered = Rendered(b"", "text/html", "auto", "", "", stored, total, confidence)
    assert STANDARD.shortfall(rendered) == reason


def test_of_any_length_a_letter_is_enough_and_no_word_is_none() -> None:
    for words, reason in ((1, ""), (0, "no-article")):
        rendered = Rendered(b"", "text/html", "auto", "", "", words, 1, 1.0)
        assert STANDARD.of_any_length().shortfall(rendered, 0) == reason
