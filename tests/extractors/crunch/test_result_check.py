"""The result check: a filter that changes too little or too much is undone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.extractors.crunch.test_walk import METHODS, PAGES
from winnow.document.document import Document
from winnow.extractors.crunch.crunch_extractor import Crunch
from winnow.extractors.crunch.filter_state import Filtered, PageSize, Sizes
from winnow.extractors.crunch.result_check import Check

WORDS = "some words that are no link at all "
PORTAL = f"<p>{WORDS}</p>" + "<p><a href=/x>a link to one of our many stories</a></p>" * 60


@pytest.mark.parametrize(
    ("before", "after", "why"),
    [
        (PageSize(100, 1000), PageSize(50, 500), ""),
        (PageSize(100, 1000), PageSize(49, 490), "it would take 51% of the words"),
        (PageSize(3, 1000), PageSize(0, 990), "it would leave no words"),
        (PageSize(0, 1000), PageSize(0, 10), ""),
        (PageSize(100, 10000), PageSize(99, 9995), "it would change next to nothing"),
        (PageSize(100, 10000), PageSize(99, 9994), ""),
        (PageSize(100, 1000), PageSize(100, 1000), ""),
    ],
)
def test_each_edge_of_the_thresholds(before: PageSize, after: PageSize, why: str) -> None:
    assert Check(0.5, 0.0005).fault(before, after) == why


def test_without_thresholds_only_a_blank_page_is_undone() -> None:
    assert Check(1.0, 0.0).fault(PageSize(9, 9), PageSize(1, 1)) == ""
    assert Check(1.0, 0.0).fault(PageSize(9, 9), PageSize(0, 1)) == "it would leave no words"


def test_a_portal_of_links_is_no_longer_blank() -> None:
    document = Document.from_html(PORTAL)
    assert len(kept(document, Crunch(2, check=False))) < len(kept(document, Crunch(2)))


def test_what_was_undone_is_reported() -> None:
    reasons = Crunch(2).extract(Document.from_html(PORTAL)).reasons
    assert reasons == ("the filter text-links was undone: it would take 98% of the words",)


@given(html=PAGES, method=METHODS)
def test_no_page_with_words_is_blank_behind_the_check(html: str, method: Crunch) -> None:
    checked = Crunch(method.level, modern=method.modern, only_links=method.only_links)
    document = Document.from_html(html)
    if document.piece_words[~document.hidden].sum():
        assert kept(document, checked)


@given(html=PAGES, drastic=st.sampled_from([0.2, 0.5, 0.9]))
def test_each_filter_that_worked_took_no_more_than_its_share(html: str, drastic: float) -> None:
    document, method = Document.from_html(html), Crunch(1, drastic=drastic)
    sizes = Sizes(document)
    state, undone = method.filtered(document, method.options_at(1))
    plain, _ = Crunch(1, check=False).filtered(document, method.options_at(1))
    assert undone or (state.removed_pieces == plain.removed_pieces).all()
    assert sizes.of(state).words >= sizes.of(plain).words


def test_the_size_of_a_page_counts_what_is_left() -> None:
    document = Document.from_html("<div><p>two words<b>one</b></p></div><p>three more words</p>")
    nothing, sizes = Filtered.nothing(document), Sizes(document)
    assert sizes.of(nothing) == PageSize(6, len(document.markup))
    gone = nothing.without(document, [document.elements_named("div")[0]])
    assert sizes.of(gone).words == 3
    assert sizes.of(gone).markup == len(document.markup) - len(
        "<div><p>two words<b>one</b></p></div>"
    )


def kept(document: Document, method: Crunch) -> str:
    spans = method.extract(document).spans
    return " ".join(document.text[span.start : span.end] for span in spans)
