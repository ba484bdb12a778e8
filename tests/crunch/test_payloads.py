"""Nothing runs in a page that Crunch pruned, at no level, where it is not on its own site."""

from __future__ import annotations

import pytest

from tests.document.render.pages import dangers
from tests.document.render.test_payloads import CASES, PAGE
from winnow.document.parsing.parse import serialise
from winnow.document.values import Format, MethodOptions, Page, Recipe
from winnow.engine.pipeline import transform

GATEWAY = "http://127.0.0.1:8080/"
WORDS = "words of the page " * 20
"""So many that it is none of those that scripts write, and which no gateway shows."""


@pytest.mark.parametrize("level", [1, 12])
@pytest.mark.parametrize("payload", CASES)
def test_nothing_runs_in_the_gateway(payload: str, level: int) -> None:
    recipe = Recipe("crunch", Format.PRUNED, options=MethodOptions(level), link_prefix=GATEWAY)
    markup = PAGE.replace("Before.", WORDS).format(payload)
    page = Page(markup.encode(), "https://example.org/a.html")
    body = transform(page, recipe).body.decode()
    for reading in (body, serialise(body)):
        assert list(dangers(reading)) == []


@pytest.mark.parametrize(
    ("recipe", "stays"),
    [
        (Recipe("crunch", Format.PRUNED, options=MethodOptions(12), live=True), True),
        (Recipe("crunch", Format.PRUNED, options=MethodOptions(11), live=True), True),
        (Recipe("crunch", Format.PRUNED, options=MethodOptions(10), live=True), False),
        (Recipe("crunch", Format.PRUNED, options=MethodOptions(12)), False),
        (Recipe("crunch", Format.HTML, options=MethodOptions(12), live=True), False),
        (Recipe("auto", Format.PRUNED, options=MethodOptions(12), live=True), False),
    ],
)
def test_scripts_stay_on_the_pages_own_site_at_levels_11_and_12_alone(
    recipe: Recipe, stays: bool
) -> None:
    page = Page(b"<p onclick=go()>" + b"words of the page. " * 9 + b"<script>go()</script>")
    body = transform(page, recipe).body
    assert (b"<script>go()</script>" in body) is stays
    assert (b"onclick" in body) is stays
