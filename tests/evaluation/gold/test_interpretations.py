"""An article may begin at its headline or byline and end with a byline (section 4.1)."""

import pytest

from winnow.evaluation.gold.interpretations import bylines_of, interpretations
from winnow.evaluation.gold.packages import PackageEntry

MAIN = "The river rose last night. Nobody slept in the lower town until the water went."
PAGE = (
    "<title>River rises</title><nav><a href=/>Home</a> River rises</nav><h1>River rises</h1>"
    "{before}<p>{main}</p>{behind}<footer>Imprint</footer>"
)


def entry(before: str = "", behind: str = "", **notes: object) -> PackageEntry:
    page = PAGE.format(before=before, main=MAIN, behind=behind)
    return PackageEntry("1", page.encode(), MAIN, notes)


def test_without_notes_the_main_text_is_the_only_answer() -> None:
    assert interpretations(entry()) == ()


def test_from_the_nearest_headline_on_whatever_stands_between() -> None:
    found = interpretations(entry("<p>12 May</p>", title="River rises"))
    assert found == (f"river rises 12 may {MAIN}",)


def test_from_the_byline_on_with_its_by() -> None:
    page = entry("<p>By Ann Poe</p>", title="River rises", authors="Ann Poe, Bo Li")
    assert set(interpretations(page)) == {
        f"river rises by ann poe {MAIN}",
        f"by ann poe {MAIN}",
    }


def test_up_to_six_answers_with_a_closing_byline() -> None:
    page = entry("<p>Ann Poe</p>", "<p>Ann Poe</p>", title="River rises", author="Ann Poe")
    starts = ("river rises ann poe ", "ann poe ", "")
    answers = {f"{start}{MAIN}{end}" for start in starts for end in (" ann poe", "")}
    assert set(interpretations(page)) == answers - {MAIN}


def test_what_the_package_tells_comes_first() -> None:
    found = interpretations(entry(title="River rises", variants=["told"]))
    assert found == ("told", f"river rises {MAIN}")


def test_a_gold_that_is_not_on_the_page_has_no_surroundings() -> None:
    page = PackageEntry(
        "1", b"<h1>River rises</h1><p>Other words.</p>", MAIN, {"title": "River rises"}
    )
    assert interpretations(page) == ()


@pytest.mark.parametrize(
    ("notes", "names"),
    [
        ({}, []),
        ({"byline": "Ann Poe", "author": "X"}, [["ann", "poe"]]),
        ({"authors": "Ann Poe, Bo Li"}, [["ann", "poe"], ["bo", "li"]]),
        ({"gold_json": {"authors": ["Ann Poe", ""]}}, [["ann", "poe"]]),
    ],
)
def test_packages_name_authors_in_several_ways(
    notes: dict[str, object], names: list[list[str]]
) -> None:
    assert bylines_of(PackageEntry("1", b"", "", notes)) == names
