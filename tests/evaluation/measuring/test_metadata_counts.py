"""metadata_counts.py: exact, wrong, missing and spurious facts are told apart."""

import pytest

from winnow.evaluation.measuring.metadata_counts import (
    PageFacts,
    metadata_table,
    metadata_values,
    noted_facts,
)

GOLD = PageFacts("A headline: two parts", "Jane Doe and John Roe", "2025-03-09")


def test_a_right_answer_is_exact_in_all_three() -> None:
    answer = PageFacts("A headline - two parts", "John Roe, Jane Doe", "2025-03-09")
    assert metadata_values(answer, GOLD) == {
        "title.exact": 1.0,
        "byline.exact": 1.0, "byline.wrong": 0.0, "byline.missing": 0.0,
        "date.exact": 1.0, "date.wrong": 0.0, "date.missing": 0.0,
    }  # fmt: skip


def test_no_answer_is_missing_and_not_wrong() -> None:
    values = metadata_values(PageFacts(), GOLD)
    assert values["byline.missing"] == values["date.missing"] == 1.0
    assert values["byline.wrong"] == values["date.wrong"] == 0.0


def test_another_answer_is_wrong() -> None:
    values = metadata_values(PageFacts("B", "Jane Doe", "2025-03-10"), GOLD)
    assert values["byline.wrong"] == values["date.wrong"] == 1.0
    assert values["title.exact"] == values["byline.exact"] == values["date.exact"] == 0.0


@pytest.mark.parametrize(("answer", "spurious"), [(PageFacts(), 0.0), (PageFacts("", "J", "2"), 1)])
def test_where_the_page_has_none_an_answer_is_spurious(answer: PageFacts, spurious: float) -> None:
    assert metadata_values(answer, PageFacts()) == {
        "byline.spurious": spurious, "date.spurious": spurious,
    }  # fmt: skip


def test_a_package_may_have_the_month_alone() -> None:
    values = metadata_values(PageFacts(date="2015-11-20"), PageFacts(date="2015-11"))
    assert values["date.exact"] == 1.0


def test_notes_hold_the_facts_of_a_page() -> None:
    notes = {"title": " A\n headline ", "author": None, "date": "2025-03-09", "url": "x"}
    assert noted_facts(notes) == PageFacts("A headline", "", "2025-03-09")


def test_notes_that_do_not_speak_of_a_fact_call_no_answer_spurious() -> None:
    gold = noted_facts({"title": "A headline", "author": "UNKNOWN", "date": "2005-3-9 21:23:57"})

    values = metadata_values(PageFacts("A headline", "Jane Doe", "2005-03-09"), gold)

    assert values == {
        "title.exact": 1.0, "date.exact": 1.0, "date.wrong": 0.0, "date.missing": 0.0,
    }  # fmt: skip
    assert "byline" not in metadata_table("p", {"it": [values]})


def test_the_table_has_the_share_of_each_verdict_by_subject() -> None:
    right = metadata_values(GOLD, GOLD)
    wrong = metadata_values(PageFacts("B", "", "2025-03-10"), GOLD)
    lines = metadata_table("p", {"it": [right, wrong]}).splitlines()
    found = {tuple(line.split()[1:3]): line.split()[3] for line in lines[1:]}
    assert (
        found["title", "exact"] == found["byline", "missing"] == found["date", "wrong"] == "0.500"
    )
    assert found["date", "spurious"] == "0.000"


def test_a_package_without_notes_has_no_table() -> None:
    assert metadata_table("p", {"it": []}) == ""
