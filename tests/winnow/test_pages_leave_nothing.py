"""A process that extracts keeps no page: the same ones again cost no more objects."""

from __future__ import annotations

import gc
import sys

import pytest

from benchmarks.load.origin import page
from winnow.document.values import Format, Page, Recipe
from winnow.engine.pipeline import transform
from winnow.extractors import registry

WARM, ROUNDS = 3, 5
PAGES = [
    Page(page(number, paragraphs=6), f"http://127.0.0.1/{number}", "utf-8") for number in (1, 2)
]
OBJECTS = 250
"""Python itself makes some dozen in these rounds; a document that stays is fifty or more."""


def blocks(recipe: Recipe) -> int:
    """The objects that there are after both pages."""
    for each in PAGES:
        transform(each, recipe)
    gc.collect()
    return sys.getallocatedblocks()


@pytest.mark.parametrize("name", registry.names())
def test_the_same_pages_again_leave_no_object(name: str) -> None:
    recipe = Recipe(extractor=name)
    held = [blocks(recipe) for _ in range(WARM + ROUNDS)]
    assert held[-1] - held[WARM - 1] < OBJECTS


@pytest.mark.parametrize("form", [Format.PRUNED, Format.MARKDOWN, Format.EPUB])
def test_no_format_leaves_an_object(form: Format) -> None:
    recipe = Recipe(extractor="bte", format=form)
    held = [blocks(recipe) for _ in range(WARM + ROUNDS)]
    assert held[-1] - held[WARM - 1] < OBJECTS
