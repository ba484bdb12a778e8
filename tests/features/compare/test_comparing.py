"""Methods side by side: words, agreement, strips, rows and curves of a page."""

from __future__ import annotations

import pytest

from tests.extractors.layout.pages import document as site_page
from tests.extractors.layout.test_auto_combination import EIGHT, KEY
from tests.winnow.conftest import ARTICLE, PAGE
from winnow.document.values import Page, Recipe, SiteKnowledge
from winnow.engine.method_parameters import parameters_of
from winnow.extractors.site_learners import pack
from winnow.features.compare.comparing import compare
from winnow.features.compare.jobs import CELLS, Compared
from winnow.jobs.codec import pack_result, unpack_result

METHODS = ("bte", "lqf", "plain", "nothing-such")


@pytest.fixture(scope="module")
def found() -> Compared:
    return compare(Page(PAGE.encode(), "https://farm.example/"), METHODS)


def test_every_method_says_what_it_keeps(found: Compared) -> None:
    bte, lqf, plain, missing = found.trials
    article = sum(len(text.replace(";", "").split()) for text in ARTICLE)
    assert (found.title, found.words) == ("Winnowing", article + 5)
    assert bte.words == lqf.words == article
    assert plain.words == found.words
    assert all(trial.milliseconds > 0 for trial in found.trials[:3])
    assert "nothing-such" in missing.failure
    assert missing.words == 0


def test_agreement_is_f1_and_a_failure_agrees_with_none(found: Compared) -> None:
    bte, lqf, plain, missing = found.trials
    share = 2 * bte.words / (bte.words + plain.words)
    assert bte.overlaps == pytest.approx((1, 1, share, 0))
    assert bte.agreement == lqf.agreement == pytest.approx((1 + share) / 2)
    assert plain.agreement == pytest.approx(share)
    assert missing.agreement == 0


def test_neighbours_with_the_same_verdicts_are_one_row(found: Compared) -> None:
    assert [(row.blocks, row.verdicts) for row in found.rows] == [
        (3, "0090"),
        (2, "9990"),
        (2, "0090"),
    ]
    assert found.rows[0].text == "Home ¶ Farm ¶ Shop"
    assert sum(row.words for row in found.rows) == found.words
    assert found.more == 0


def test_plots_stay_in_the_unit_square(found: Compared) -> None:
    assert [curve.title for curve in found.curves] == [
        "Document slope curve",
        "Token scores, summed",
        "Learned token scores, summed",
        "Blocks’ chances",
    ]
    for curve in found.curves:
        assert all(0 <= x <= 1.0001 and 0 <= y <= 1 for x, y in curve.points)
        assert all(0 <= low < high <= 1.0001 for low, high in curve.areas)
    assert len(found.trials[0].strip) == CELLS
    assert sum(bar.words for bar in found.bars) == found.words
    assert [bar.linked for bar in found.bars] == [1, 1, 1, 0, 0, 1, 1]
    assert [bar.kept for bar in found.bars] == [0, 0, 0, 1, 1, 0, 0]


def test_a_finding_crosses_as_json(found: Compared) -> None:
    assert unpack_result(pack_result(found), Compared) == found


def test_an_empty_page_can_be_compared() -> None:
    found = compare(Page(b""), ("bte", "lqf"))
    assert (found.words, found.rows, found.curves, found.bars) == (0, (), (), ())


def test_a_huge_page_is_cut_short_and_says_so() -> None:
    body = "".join(f"<p>word word<p><a href=/>link {n}</a>" for n in range(400))
    found = compare(Page(body.encode()), ("lqf",))
    assert (len(found.rows), found.more) == (300, 500)
    assert len(found.bars) == 160


def test_rows_on_which_methods_differ_state_each_rule() -> None:
    found = compare(Page(PAGE.encode(), "https://farm.example/"), ("lqf", "plain"))
    for row in found.rows:
        differ = len(set(row.verdicts)) > 1
        assert len(row.rules) == (2 if differ else 0)
        assert all(row.rules)
    assert any("in links" in row.rules[0] for row in found.rows if row.rules)


def test_the_site_s_own_pages_count() -> None:
    known = SiteKnowledge(pack({"layout": EIGHT}), KEY, pages=8)
    page = Page(site_page(50).markup.encode(), site_page(50).page.url)
    recipes = (Recipe(), Recipe(knowledge=known))
    alone, informed = (compare(page, ("auto", "bte"), recipe) for recipe in recipes)
    assert informed.trials[0].words < alone.trials[0].words
    assert "static on this site" in informed.trials[0].reasons[-1]
    assert informed.trials[1].words == alone.trials[1].words


def test_the_compared_methods_declare_their_parameters(found: Compared) -> None:
    declared = {(each.method, each.name): each for each in found.parameters}
    threshold = declared["lqf", "threshold"]
    assert (threshold.default, threshold.least, threshold.most) == ("0.5", 0, 1)
    assert not threshold.whole
    assert unpack_result(pack_result(found), Compared) == found
    several = parameters_of(["memory", "memory:k=3", "vips:8", "nothing-such"])
    names = [(each.method, each.name) for each in several]
    assert len(names) == len(set(names))
    assert {("memory", "algorithm"), ("memory", "k"), ("vips", "granularity")} <= set(names)
    assert {each.name: each.choices for each in several}["algorithm"] == ("ib1", "igtree")
