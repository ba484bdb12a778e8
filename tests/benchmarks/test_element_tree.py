"""The features of memory are those of an ElementTree, but for what a document keeps whole."""

from __future__ import annotations

import pytest

from benchmarks.element_tree import FeatureDifferences, differences
from winnow.document.values import Page

PLAIN = (
    "<title>A title</title><body><h1>THE HARBOUR</h1>one <b>two</b> three.<!-- no one --> Four!"
    "<ul><li>Five<li>Six?</ul><p>Seven <i>eight</i>\u00a0nine<br>ten<my:tag>eleven</my:tag>"
)


def differing(html: str) -> FeatureDifferences:
    return differences(Page(html.encode(), None, "utf-8"))


def test_a_page_without_such_elements_has_the_same_features() -> None:
    elements, differ, without = differing(PLAIN)
    assert (differ, without) == (0, 0)
    assert elements > 10


@pytest.mark.parametrize(
    "element",
    [
        "<select><option>A<option>B</select>",
        "<object><param name=a value=b>Without it</object>",
    ],
)
def test_the_neighbours_of_one_that_is_kept_whole_have_other_tags_near_them(element: str) -> None:
    found = differing(f"{PLAIN}{element}<p>Twelve")
    assert found.differ > 0
    assert found.differ_without == 0
