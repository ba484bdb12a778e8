"""On every written page everything that could be done can still be done."""

from __future__ import annotations

import pytest

from tests.tasks.markup import CHANGED, LEFT, READ
from tests.tasks.pages import TaskPage, pages
from winnow.config.settings import Settings
from winnow.document.purposes import treatments_of
from winnow.document.values import Page, Recipe, Treatment
from winnow.engine.pipeline import transform

PAGES = tuple(pages())
ALLOWED = {
    READ: {Treatment.EXTRACT},
    CHANGED: {Treatment.EXTRACT, Treatment.TIDY},
    LEFT: {Treatment.ORIGINAL, Treatment.TIDY},
    "any": set(Treatment),
}


def test_there_are_two_hundred_pages_and_more_all_different() -> None:
    assert len({page.html for page in PAGES}) > 200


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_no_task_is_lost(page: TaskPage) -> None:
    recipe = Recipe(treatments=treatments_of(Settings().purposes), live=True)
    rendered = transform(Page(page.html.encode(), "https://site.example/page"), recipe)
    assert rendered.treatment in ALLOWED[page.expected], rendered.purpose_reason
    shown = rendered.body.decode() or page.html
    flat = shown.replace('"', "")
    assert [kept for kept in page.keeps if kept.replace('"', "") not in flat] == []
