"""What pages share is found: static texts, main paths, the container; by the printed formulas."""

from __future__ import annotations

from functools import reduce
from itertools import combinations

import numpy as np
import pytest

from tests.extractors.layout.pages import FOOTER, MENU, WIDGET, document, markup, prose
from winnow.document.document import Document
from winnow.extractors.layout.content_decision import CHOICE, decide
from winnow.extractors.layout.layout_memory import merge, rows, trace
from winnow.extractors.layout.page_rows import page_rows_of
from winnow.extractors.layout.site_layout import SiteLayout, site_layout

KEY = b"secret"


def memory_of(*numbers: int) -> bytes:
    return reduce(merge, (trace(page_rows_of(document(number), KEY), 1) for number in numbers), b"")


TEN = memory_of(*range(10))


@pytest.fixture(scope="module")
def site() -> SiteLayout:
    return site_layout(TEN)


def test_what_stands_on_all_pages_is_static(site: SiteLayout) -> None:
    sight, page = page_rows_of(document(77), KEY), document(77)
    static = site.static(sight.text)
    texts = {
        page.text[sight.blocks.start[i] : sight.blocks.end[i]]
        for i, known in zip(sight.index.tolist(), static.tolist(), strict=True)
        if known
    }
    assert {WIDGET, FOOTER} <= texts
    assert not any("77" in text for text in texts)


def test_a_path_of_links_is_known(site: SiteLayout) -> None:
    sight = page_rows_of(document(77), KEY)
    links = site.is_links(site.path_index(sight.path))
    assert links[:8].all()
    assert not links[8:].any()


def test_main_paths_vary_and_hold_text(site: SiteLayout) -> None:
    sight = page_rows_of(document(77), KEY)
    index = site.path_index(sight.path)
    main = site.is_main(index)
    widget = site.static(sight.text)
    assert main.sum() >= 4
    assert not (main & widget).any()


def test_the_container_is_the_one_of_the_article(site: SiteLayout) -> None:
    sight = page_rows_of(document(77), KEY)
    assert site.container is not None
    assert site.container.key == int(sight.keys[sight.container[9]])
    assert site.container.purity > 0.75
    assert site.container.explained > 0.5


def test_difference_is_that_over_all_pairs() -> None:
    """DiffScore as printed, with the texts of a block as its letters."""
    found, site = rows(TEN), site_layout(TEN)
    for place, path in enumerate(site.paths.tolist()):
        pages = [
            {
                text: weight
                for text, weight, page, own in zip(
                    found.text.tolist(),
                    found.weight.tolist(),
                    found.page.tolist(),
                    found.path.tolist(),
                    strict=True,
                )
                if own == path and page == number
            }
            for number in range(10)
        ]
        pairs = list(combinations([texts for texts in pages if texts], 2))
        every = sum(sum(one.values()) + sum(other.values()) for one, other in pairs)
        apart = sum(
            sum(weight for text, weight in one.items() if text not in other)
            + sum(weight for text, weight in other.items() if text not in one)
            for one, other in pairs
        )
        assert site.varies[place] == pytest.approx(apart / every)


def test_a_page_left_out_says_nothing() -> None:
    one = page_rows_of(document(3), KEY).page
    without = site_layout(TEN, frozenset({one}))
    assert without.n == 9
    others = site_layout(memory_of(*(number for number in range(10) if number != 3)))
    assert np.array_equal(without.paths, others.paths)
    assert np.allclose(without.varies, others.varies)


def test_nothing_is_known_of_no_page() -> None:
    site = site_layout(b"")
    sight = page_rows_of(document(1), KEY)
    assert site.container is None
    assert not site.static(sight.text).any()
    assert not site.is_main(site.path_index(sight.path)).any()
    assert not site.is_links(site.path_index(sight.path)).any()


def test_the_container_of_the_content_may_be_the_first_of_its_page(site: SiteLayout) -> None:
    aside = f"<p>{prose(5, 2)}</p>"
    alone = markup(77).replace(f'<ul class="menu">{MENU}</ul>', "").replace("</body>", aside)
    page = Document.from_html(alone)
    sight = page_rows_of(page, KEY)
    assert site.container is not None
    assert sight.keys[0] == site.container.key
    found = decide(page, sight, site, CHOICE._replace(pure=0.0, pure_page=0.0))
    assert found.is_content.tolist() == [True, True, True, False, True, True, False, False]
