"""While a proxy serves, rows of a site become counts, and counts improve the site."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.extractors.mss.pages import news
from tests.extractors.mss.test_site_counts import model_of
from winnow.document.document import Document
from winnow.document.values import Extraction, SiteKnowledge
from winnow.extractors.mss.mss_learner import LEARNER
from winnow.extractors.mss.site_counts import LARGEST, SiteCounts
from winnow.extractors.registry import make
from winnow.extractors.site_learners import (
    RowLearner,
    learned,
    learner_of,
    merged,
    pack,
    page_counts,
    unpack,
)

KEY = b"a secret of this computer, as it"
PAGES = 8
LETTERS = (
    "<p>Readers of the paper said what they think of it, as they do every week, and the editor "
    "answered them all.</p>"
)
LINKS = "<ul>" + "".join(f"<li><a href=/{at}>More {at}</a>" for at in range(25)) + "</ul>"
SITE = make("mss-site")


def usual(seed: int) -> Document:
    """A page on which a list of links parts the letters from the story."""
    return Document.from_html(news(seed, behind=LINKS + LETTERS))


def unusual() -> Document:
    """One on which nothing does: the letters look like the story's end."""
    return Document.from_html(news(6, behind=LETTERS))


def bootstrapped(pages: int = PAGES, now: int = 1) -> bytes:
    return LEARNER.learn([LEARNER.row(usual(seed), SITE, KEY) for seed in range(pages)], now)


def text(document: Document, extraction: Extraction) -> str:
    return "\n".join(document.text[span.start : span.end] for span in extraction.spans)


def test_what_pages_taught_improves_the_site() -> None:
    page, memory = unusual(), bootstrapped()
    alone = text(page, make("mss").extract(page))
    knowing = text(page, LEARNER.extract(page, SITE, memory, SiteKnowledge(memory, KEY)))
    assert "Readers of the paper" in alone
    assert "Readers of the paper" not in knowing
    assert "so it ended" in knowing


def test_another_computers_counts_say_nothing() -> None:
    page, memory = unusual(), bootstrapped()
    found = LEARNER.extract(page, SITE, memory, SiteKnowledge(memory, b"another key"))
    assert found.spans == SITE.extract(page).spans


def test_counts_of_few_pages_are_not_used() -> None:
    page, memory = unusual(), bootstrapped()
    found = LEARNER.extract(page, SITE, memory, SiteKnowledge(memory, KEY, pages=PAGES + 1))
    assert found == SITE.extract(page)


def test_a_page_that_comes_twice_counts_once() -> None:
    row = LEARNER.row(usual(1), SITE, KEY)
    assert LEARNER.pages(LEARNER.learn([row, row], 1)) == 1


def test_a_page_alone_adds_nothing_to_the_memory() -> None:
    assert LEARNER.observe(usual(1), SITE, KEY, 1) == b""


def test_neither_row_nor_counts_hold_words() -> None:
    row, memory = LEARNER.row(usual(1), SITE, KEY), bootstrapped()
    for held in (row, memory):
        assert not any(word in held for word in (b"river", b"Readers", b"Subscribe"))
    assert LEARNER.row(usual(1), SITE, b"another key") != row
    assert len(memory) < LARGEST


def counts_of(pages: int, stamp: int, seed: int) -> bytes:
    return SiteCounts(pages, stamp, model_of([1, 2, 3], seed)).as_bytes()


MEMORIES = st.one_of(
    st.just(b""), st.builds(counts_of, st.integers(1, 3), st.integers(1, 3), st.integers(1, 3))
)


@given(MEMORIES, MEMORIES, MEMORIES)
def test_the_order_of_merging_does_not_matter(one: bytes, two: bytes, three: bytes) -> None:
    merge = LEARNER.merge
    assert merge(one, two) == merge(two, one)
    assert merge(merge(one, two), three) == merge(one, merge(two, three))
    assert merge(one, one) == one == merge(one, b"")


def test_more_pages_win_then_later_counts() -> None:
    many, few, later = counts_of(9, 1, 1), counts_of(8, 2, 2), counts_of(9, 2, 3)
    assert LEARNER.merge(few, many) == many
    assert LEARNER.merge(many, later) == later


def test_pages_of_which_nothing_is_sure_teach_nothing() -> None:
    blank = Document.from_html("<p></p>")
    assert LEARNER.learn([LEARNER.row(blank, SITE, KEY)], 1) == b""
    assert LEARNER.learn([], 1) == b""
    assert LEARNER.pages(b"") == 0


@pytest.mark.parametrize("damage", [b"", b"x", b"\x05\x00nojso", b"\x02\x00{}xx"])
def test_other_bytes_are_no_row(damage: bytes) -> None:
    with pytest.raises(ValueError, match="no row"):
        LEARNER.learn([damage], 1)


def test_other_bytes_are_no_memory() -> None:
    with pytest.raises(ValueError, match="no counts"):
        LEARNER.merge(b"x", b"")
    with pytest.raises(ValueError, match="no counts"):
        LEARNER.extract(unusual(), SITE, b"x", SiteKnowledge(b"x", KEY))


def test_it_is_known_as_the_learner_of_mss_site() -> None:
    assert learner_of(SITE) is LEARNER
    assert isinstance(LEARNER, RowLearner)
    rows = [pack({LEARNER.name: LEARNER.row(usual(seed), SITE, KEY)}) for seed in range(PAGES)]
    packet = learned(rows, 7)
    assert page_counts(merged(b"", packet)) == {"mss-site": PAGES}
    assert unpack(packet) == {"mss-site": bootstrapped(now=7)}


def test_the_settings_are_those_of_the_latest_page() -> None:
    plain, bold = SITE, make("mss-site:boost=0")
    rows = [LEARNER.row(usual(seed), plain, KEY) for seed in range(PAGES)]
    rows[-1] = LEARNER.row(usual(PAGES - 1), bold, KEY)
    assert SiteCounts.from_bytes(LEARNER.learn(rows, 1)).model.boost == 0
