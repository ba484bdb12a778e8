"""No script of a page gets into the views: payloads in text, title and attributes."""

from __future__ import annotations

import io
import zipfile

import pytest
from markupsafe import Markup

from tests.document.render.pages import dangers
from tests.payloads import PAYLOADS
from tests.winnow.conftest import ARTICLE
from winnow.document.values import Format, Page, Recipe
from winnow.engine.pipeline import transform
from winnow.features.annotate.annotation import markable, marked
from winnow.features.annotate.annotation_form import (
    SCRIPT,
    AnnotationForm,
    annotate_page,
    saved_page,
)
from winnow.features.compare.comparing import compare, outline
from winnow.features.compare.templates.comparison import Comparison, frame_of, summary, trial_row
from winnow.features.small.split_page import small_part
from winnow.features.small.templates.small_pages import SmallPageFrame
from winnow.features.small.templates.small_part_pages import article_page
from winnow.features.why.explaining import explain
from winnow.features.why.templates.why_page import why_list, why_on_page
from winnow.features.why.why_links import WhyLinks
from winnow.jobs.small_gateway import Measure

URL = "https://evil.example/page?<script>alert(1)</script>"


def page(payloads: tuple[str, ...]) -> Page:
    """Each payload in the title, between paragraphs and as a form's label."""
    body = "".join(f"<p>{ARTICLE[0]} {payload} {ARTICLE[1]}</p>" for payload in payloads)
    label = payloads[0].replace('"', "&quot;")
    form = f'<form action=/find><input name=q aria-label="{label}" value="{label}"></form>'
    return Page(f"<title>{payloads[0]}</title><body>{form}{body}".encode(), URL)


@pytest.mark.parametrize("kind", PAYLOADS)
def test_small_pages_hold_nothing_that_runs(kind: str) -> None:
    recipe = Recipe("plain", link_prefix="http://winnow.example/-/small/")
    part = small_part(page(PAYLOADS[kind]), recipe, Measure(1, 10**6, 9), recipe.link_prefix)
    shown = article_page(URL, part, SmallPageFrame("/-/small/"), "saved", Markup(""))
    assert list(dangers(shown)) == []


@pytest.mark.parametrize("kind", PAYLOADS)
def test_compare_and_why_hold_nothing_that_runs(kind: str) -> None:
    found = page(PAYLOADS[kind])
    methods = ("plain", "lqf")
    compared = compare(found, methods)
    about = Comparison(URL, outline(found, Recipe()), methods)
    frame = frame_of(about)
    rows = "".join(trial_row(trial, about) for trial in compared.trials)
    shown = (frame.page.body.decode(), rows, frame.behind_rows, summary(compared, about), frame.end)
    explained, links = explain(found, Recipe("lqf")), WhyLinks(URL)
    listed = why_list(links, explained, lambda _, __: Markup(""))
    for sheet in ("".join(shown), listed.body.decode()):
        assert list(dangers(sheet)) == []
    framed = why_on_page(links, explained).body.decode()
    assert [each for each in dangers(framed) if each != "<iframe>"] == []
    assert framed.count("<iframe") == 1


@pytest.mark.parametrize("kind", PAYLOADS)
def test_annotate_runs_its_own_script_and_nothing_else(kind: str) -> None:
    found = page(PAYLOADS[kind])
    form = AnnotationForm(URL, "digest", "token", "anna", saved=True, again=False)
    asked = annotate_page(form, markable(found, Recipe("plain"))).body.decode()
    kept = saved_page(URL, "anna", marked(found, {0: "body", 1: "title"}), "a place").body.decode()
    own = f"<script>{SCRIPT}</script>"
    assert asked.count(own) == 1
    for shown in (asked.replace(own, ""), kept):
        assert list(dangers(shown)) == []


@pytest.mark.parametrize("kind", PAYLOADS)
def test_books_hold_nothing_that_runs(kind: str) -> None:
    book = transform(page(PAYLOADS[kind]), Recipe("plain", Format.EPUB)).body
    with zipfile.ZipFile(io.BytesIO(book)) as files:
        assert list(dangers(files.read("EPUB/chapter1.xhtml").decode())) == []
