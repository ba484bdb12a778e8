"""A page shown as a recipe says: what else a rendering tells of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.winnow.conftest import PAGE
from winnow.document.values import Page, Profile, Recipe
from winnow.engine.pipeline import transform

ARTICLE = Page(
    PAGE.replace("</head>", "<link rel=next href=/story?page=2></head>").encode(),
    "https://farm.example/story",
)
NEXT = "https://farm.example/story?page=2"


@pytest.mark.parametrize(("size", "pages", "following"), [(0, 3, NEXT), (4000, 3, ""), (0, 1, "")])
def test_the_next_page_is_named_where_pages_are_joined_and_shown_whole(
    size: int, pages: int, following: str
) -> None:
    """A page in parts leads to its own next part: joined pages would never be reached."""
    recipe = Recipe("bte", profile=Profile.BASIC, pages=pages)
    recipe = replace(recipe, part=replace(recipe.part, size=size))
    assert transform(ARTICLE, recipe).next_page == following
