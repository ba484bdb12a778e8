"""What a page's author repeats costs its size, not the square of it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.growth import is_linear
from winnow.document.document import Document
from winnow.document.render.renderers import renderer_for
from winnow.document.values import Extraction, Format, Recipe, Span
from winnow.engine.purpose.purpose_signs import _types
from winnow.extractors.auto.features.head_metadata import head_of


def _shown(form: Format) -> Callable[[str], object]:
    def work(html: str) -> object:
        document = Document.from_html(html, "http://site.example/a")
        whole = Extraction("all", (Span(0, len(document.text)),))
        return renderer_for(Recipe(format=form)).render(document, whole)

    return work


LINKED = '<script type="application/ld+json">{"@type":%s</script><p>a'
CASES: dict[str, tuple[Callable[[str], object], str, str, int]] = {
    "siblings in an EPUB": (_shown(Format.EPUB), "<p>%s", "<b>a</b> ", 30_000),
    "brackets in Markdown": (_shown(Format.MARKDOWN), "<p>%s", "[", 8_000),
    "addresses in a style": (_shown(Format.PRUNED), "<style>%s</style><p>a", "url(", 2_000),
    "blanks in an address": (_shown(Format.PRUNED), "<style>url(%s</style><p>a", " ", 250),
    "blanks in linked data": (lambda html: head_of(Document.from_html(html)), LINKED, " ", 4_000),
    "blanks before a type": (lambda html: _types(Document.from_html(html)), LINKED, " ", 4_000),
}


@pytest.mark.parametrize("name", CASES)
def test_eight_times_as_much_costs_at_most_twenty_times(name: str) -> None:
    work, page, unit, size = CASES[name]
    work(page % "a")
    pages = [page % (unit * (times * size // len(unit))) for times in (1, 8)]
    assert is_linear(work, *pages)
