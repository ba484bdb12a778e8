"""The article of a page is extracted as its reader view is, whatever file is made of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from winnow.document.values import Format, Purpose, Treatment, treated
from winnow.proxy.decisions.policy import Policy
from winnow.proxy.decisions.request.request_mode import RequestMode
from winnow.proxy.own.handlers.page_parameters import article_recipe_at

URL = "https://site.example/page"
POLICY = Policy(treatments=treated(Treatment.EXTRACT))


def test_a_page_is_checked_as_one_that_is_opened() -> None:
    recipe = article_recipe_at({"format": "opus"}, URL, "ann", POLICY)
    assert recipe.format is Format.JSON
    assert dict(recipe.treatments)[Purpose.ARTICLE] is Treatment.EXTRACT


@pytest.mark.parametrize("query", [{"extractor": "lqf"}, {"level": "3"}, {"mode": "extract"}])
def test_what_the_query_names_is_taken_as_it_is(query: dict[str, str]) -> None:
    recipe = article_recipe_at(query, URL, "ann", POLICY)
    assert recipe.treatments == ()
    assert recipe.format is Format.JSON


def test_what_its_reader_chose_for_a_while_holds_for_that_reader() -> None:
    def view_of(owner: str, url: str) -> RequestMode:
        return RequestMode.EXTRACT if (owner, url) == ("ann", URL) else RequestMode.AUTO

    policy = replace(POLICY, view_of=view_of)
    assert article_recipe_at({}, URL, "ann", policy).treatments == ()
    assert article_recipe_at({}, URL, "bob", policy).treatments
