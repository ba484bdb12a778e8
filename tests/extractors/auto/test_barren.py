"""Pages without main content are not extracted unasked, and no result of theirs is relied on."""

from types import ModuleType

import pytest

from tests.extractors.auto import barren, barren_again
from winnow.config.settings import Settings
from winnow.document.document import Document
from winnow.document.purposes import treatments_of
from winnow.document.values import Page, Recipe, Treatment
from winnow.engine.pipeline import transform
from winnow.evaluation.measuring.reliability import CONFIDENT
from winnow.extractors.registry import make
from winnow.jobs.job_types import PipelineError


def treatment_of(page: str) -> Treatment:
    """What a reader gets; where the transform fails, that is the original."""
    try:
        return transform(
            Page(page.encode()), Recipe(treatments=treatments_of(Settings().purposes))
        ).treatment
    except PipelineError:
        return Treatment.ORIGINAL


@pytest.mark.parametrize("written", [barren, barren_again], ids=["tuned on", "written later"])
def test_most_pages_without_main_content_are_not_extracted(written: ModuleType) -> None:
    found = [treatment_of(page) for _, page in written.pages()]
    assert len(found) >= 100
    assert sum(each is not Treatment.EXTRACT for each in found) >= 0.9 * len(found)


@pytest.mark.parametrize("written", [barren, barren_again], ids=["tuned on", "written later"])
def test_hardly_any_result_of_theirs_is_sure(written: ModuleType) -> None:
    auto = make("auto")
    found = [auto.extract(Document.from_html(page)).confidence for _, page in written.pages()]
    assert sum(each >= CONFIDENT for each in found) <= 0.05 * len(found)


def test_a_page_of_links_is_doubted_and_says_so() -> None:
    links = "".join(
        f"<p><a href=/{n}>A headline of some words, number {n}</a></p>" for n in range(40)
    )
    extraction = make("auto").extract(Document.from_html(f"<main>{links}</main>"))
    assert extraction.spans
    assert extraction.confidence < CONFIDENT
    assert extraction.reasons == ("what it would keep is mostly links",)
