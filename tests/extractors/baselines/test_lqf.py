"""Link quota filter: per block-level element, without the nested ones."""

import pytest

from winnow.document.document import Document
from winnow.extractors.baselines.lqf import LinkQuotaFilter


def kept(html: str, threshold: float = 0.5) -> str:
    document = Document.from_html(html)
    spans = LinkQuotaFilter(threshold).extract(document).spans
    return "|".join(document.text[span.start : span.end] for span in spans)


@pytest.mark.parametrize(
    ("threshold", "stays"), [(0.25, False), (0.49, False), (0.5, True), (0.75, True)]
)
def test_a_block_goes_when_its_quota_is_above_the_threshold(threshold: float, stays: bool) -> None:
    assert kept("<p>abcd<a href=x>efgh</a></p>", threshold) == ("abcdefgh" if stays else "")


def test_nested_blocks_are_judged_by_themselves() -> None:
    assert kept("<div><a href=x>menu</a><p>prose here</p></div>") == "prose here"
    assert kept("<div>prose here<p><a href=x>menu</a></p>more</div>") == "prose here|more"


def test_a_link_of_one_letter_is_all_of_its_block() -> None:
    assert kept("<p>prose</p><p><a href=x>x</a></p>") == "prose"


def test_a_block_without_text_stays_with_its_image() -> None:
    assert kept("<p><img src=x></p>") == "\ufffc"


def test_a_button_is_no_block_of_its_own() -> None:
    assert kept("<p><a href=x>menu menu</a><button>Go</button></p>") == ""
    assert kept("<p>prose<button><a href=x>Go</a></button></p>") == "proseGo"
    assert kept("<div><button><button><a href=x>Go</a></button></button></div>") == ""
