"""``vips`` put together, without a browser."""

import pytest

from tests.extractors.vips.layouts import laid_out
from winnow.document.document import Document
from winnow.extractors import registry
from winnow.extractors.errors import LayoutError, ParameterError
from winnow.extractors.vips.page_layout import PageLayout
from winnow.extractors.vips.vips_extractor import Vips

SENTENCE = "The river rose in the night and by morning the lower road was under water. "
PAGE = f"""<body box='0 0 1000 1000'>
<nav box='0 0 1000 100' bg=navy><a href=/>Home</a> <a href=/news>News</a> <a href=/x>Sport</a></nav>
<main box='0 150 1000 900'><p box='0 150 1000 500'>{SENTENCE * 3}</p>
<p box='0 510 1000 900'>{SENTENCE * 4}</p></main>
<footer box='0 950 1000 1000'>Imprint</footer>"""


@pytest.mark.parametrize("score", ["words", "auto"])
def test_the_best_block_is_kept(score: str) -> None:
    tree = laid_out(PAGE)
    found = Vips(score=score).extract_laid_out(tree.document, tree.layout)
    kept = "".join(tree.document.text[span.start : span.end] for span in found.spans)
    assert kept.split() == (SENTENCE * 7).split()


def test_the_granularity_is_the_main_parameter() -> None:
    assert registry.make("vips:6") == Vips(granularity=6)
    assert registry.make("vips").name == "vips"
    assert registry.make("vips:granularity=3,score=words").name == "vips:granularity=3,score=words"


@pytest.mark.parametrize("wrong", ["vips:0", "vips:11", "vips:score=length"])
def test_parameters_out_of_bounds_are_refused(wrong: str) -> None:
    with pytest.raises(ParameterError):
        registry.make(wrong)


def test_only_the_model_that_scores_is_in_the_fingerprint() -> None:
    assert ":" in Vips().fingerprint
    assert ":" not in Vips(score="words").fingerprint


def test_a_page_that_cannot_be_laid_out_gives_nothing_and_says_why(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(_: Document) -> PageLayout:
        raise LayoutError("The page is too large.")

    monkeypatch.setattr(Vips, "layouter", staticmethod(refuse))
    found = Vips().extract(Document.from_html(PAGE))
    assert (found.spans, found.confidence, found.reasons) == ((), 0.0, ("The page is too large.",))
