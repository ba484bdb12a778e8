"""What becomes of a page by its purpose: extracted, tidied or left alone."""

from __future__ import annotations

import pytest

from winnow.document.values import Format, Page, Purpose, Recipe, Treatment, treated
from winnow.engine.pipeline import transform
from winnow.jobs.rendering_key import ExtractorIdentity, fingerprint

TEXT = "It rained on the hills all day long, and the river rose by a hand every hour. "
ARTICLE = f"<title>Rain</title><body><article><h1>Rain</h1>{f'<p>{TEXT}</p>' * 12}</article>"
LOG_IN = (
    "<title>Log in</title><body><form method=post action=/in><label>Name <input name=u></label>"
    "<label>Password <input type=password name=p></label><button>Log in</button></form>"
)
BY_PURPOSE = (
    *treated(Treatment.EXTRACT)[:7],
    *((kind, Treatment.ORIGINAL) for kind in (Purpose.FORM, Purpose.APPLICATION, Purpose.ERROR)),
)


def test_what_somebody_asked_for_is_extracted_whatever_it_is_for() -> None:
    rendered = transform(Page(LOG_IN.encode()), Recipe())
    assert rendered.treatment is Treatment.EXTRACT
    assert rendered.purpose is Purpose.FORM


def test_a_form_that_nobody_asked_for_is_left_alone() -> None:
    rendered = transform(Page(LOG_IN.encode()), Recipe(treatments=BY_PURPOSE))
    assert rendered.treatment is Treatment.ORIGINAL
    assert rendered.poor == "not-for-reading"
    assert rendered.purpose_reason


def test_an_article_that_nobody_asked_for_is_extracted() -> None:
    rendered = transform(Page(ARTICLE.encode()), Recipe(treatments=BY_PURPOSE))
    assert rendered.treatment is Treatment.EXTRACT
    assert rendered.purpose is Purpose.ARTICLE


@pytest.mark.parametrize("live", [True, False])
def test_a_tidied_page_has_its_own_markup_and_its_fields(live: bool) -> None:
    page = ARTICLE + LOG_IN + "<script>run()</script>"
    recipe = Recipe(treatments=treated(Treatment.TIDY), live=live)
    rendered = transform(Page(page.encode()), recipe)
    assert rendered.treatment is Treatment.TIDY
    assert b"<article>" in rendered.body
    assert b'type="password"' in rendered.body
    assert (b"run()" in rendered.body) == live


def test_a_tidied_page_is_another_representation_than_the_extracted_one() -> None:
    identity = ExtractorIdentity("x")
    tidy = Recipe(format=Format.HTML, treatments=treated(Treatment.TIDY))
    assert fingerprint(tidy, identity, ()) != fingerprint(Recipe(), identity, ())
