"""The oracle, our scores beside it, and the table: on written layouts."""

import pytest

from benchmarks.vips.best_block import ORACLE, measured, of_page, table, timing
from tests.extractors.vips.layouts import laid_out
from winnow.document.document import Document
from winnow.evaluation.packages import PackageEntry
from winnow.extractors.errors import LayoutError
from winnow.extractors.vips.page_layout import PageLayout

GOLD = "The river rose in the night. By morning the lower road was under water."
PAGE = """<body box='0 0 900 900'><nav box='0 0 900 90' bg=navy>Home News Sport</nav>
<main box='0 150 900 800'><p box='0 150 900 400'>The river rose in the night.</p>
<p box='0 410 900 800'>By morning the lower road was under water.</p></main>
<footer box='0 850 900 900'>Imprint</footer>"""


def entry(gold: str = GOLD) -> PackageEntry:
    return PackageEntry("one", PAGE.encode(), gold, {})


def lay_out(document: Document) -> PageLayout:
    return laid_out(document.markup).layout


def test_the_oracle_finds_the_block_that_is_the_gold() -> None:
    found = of_page(laid_out(PAGE), GOLD, 8)
    assert found.scores[ORACLE].f1 == 1
    assert set(found.scores) == {ORACLE, "words", "auto"}


def test_no_choice_beats_the_oracle() -> None:
    for granularity in range(1, 11):
        found = of_page(laid_out(PAGE), "Home News", granularity)
        assert found.scores[ORACLE].f1 == max(score.f1 for score in found.scores.values()) < 1


def test_a_page_of_which_nothing_is_seen_scores_as_an_empty_answer() -> None:
    found = of_page(laid_out("<p>unseen"), GOLD, 8)
    assert (found.blocks, found.scores[ORACLE].f1) == (0, 0)


def test_every_page_is_measured_at_every_granularity() -> None:
    ((name, found, timed),) = measured([entry()], lay_out)
    assert name == "one"
    assert [each.granularity for each in found] == list(range(1, 11))
    assert min(timed.layout, timed.cutting) > 0
    assert [line.split()[0] for line in table([found]).splitlines()[1:]] == [
        str(each) for each in range(1, 11)
    ]
    assert "s a page" in timing([timed])


def test_a_page_that_cannot_be_laid_out_is_counted_apart() -> None:
    def refuse(_: Document) -> PageLayout:
        raise LayoutError("too slow")

    ((_, found, _timed),) = measured([entry()], refuse)
    assert found == ()


@pytest.mark.parametrize("granularity", [1, 10])
def test_the_table_tells_the_mean(granularity: int) -> None:
    pages = [[of_page(laid_out(PAGE), gold, granularity)] for gold in (GOLD, "elsewhere")]
    assert table(pages).splitlines()[1].split()[:5] == [
        str(granularity),
        str(pages[0][0].blocks),
        "0.500",
        "0.500",
        "0.500",
    ]
