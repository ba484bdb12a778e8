"""Pages as the chapters of a book; joins the pipeline and the writer of books. Fetches nothing."""

from __future__ import annotations

from document.document import Document
from document.render.epub import Chapter, chapter_of
from document.render.view import View
from document.values import Page, Recipe
from winnow.pipeline import extracted


def chapter(page: Page, recipe: Recipe) -> Chapter:
    """What a book holds of a page. Raises PipelineError."""
    document = Document.parse(page)
    _, extraction = extracted(document, recipe)
    return chapter_of(View.of(document, extraction))
