"""Pages without main content are told by a confidence below what the proxy asks for."""

from types import ModuleType

import pytest

from tests.extractors.auto import barren, barren_again
from winnow.document.document import Document
from winnow.document.values import Page, Recipe
from winnow.engine.pipeline import transform
from winnow.extractors.registry import make
from winnow.jobs.quality import QualityLimits


@pytest.mark.parametrize("written", [barren, barren_again], ids=["tuned on", "written later"])
def test_most_pages_without_main_content_are_passed_on(written: ModuleType) -> None:
    pages = [page for _, page in written.pages()]
    poor = [bool(transform(Page(page.encode()), Recipe(), QualityLimits()).poor) for page in pages]
    assert len(poor) >= 100
    assert sum(poor) >= 0.9 * len(poor)


def test_a_page_of_links_is_doubted_and_says_so() -> None:
    links = "".join(
        f"<p><a href=/{n}>A headline of some words, number {n}</a></p>" for n in range(40)
    )
    extraction = make("auto").extract(Document.from_html(f"<main>{links}</main>"))
    assert extraction.spans
    assert extraction.confidence <= 0.1
    assert extraction.reasons == ("what it would keep is mostly links",)
