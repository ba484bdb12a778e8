"""Pages that their scripts write: recognised, and read from the data that they carry, if any.

A shell has hardly a word, and scripts. What shows that they would write more: an empty element
that frameworks draw into, a ``<noscript>`` that names JavaScript, or nothing to see at all.
"""

from __future__ import annotations

import re
from html import escape
from typing import Final

from winnow.document.document import Document
from winnow.document.errors import TooComplexError
from winnow.document.page_state.carried_text import CarriedText, carried_text
from winnow.document.values import Page
from winnow.engine.ad_removal import without_ads
from winnow.extractors.errors import ExtractorError
from winnow.jobs.job_types import PipelineError
from winnow.jobs.public_names import without_folders

SCRIPT_SHELL: Final = "script-shell"
NEEDS_SCRIPTS: Final = "The page's scripts write its text, and they do not run here."
_WHY: Final = "The page is built by its scripts and has almost no text."
MOST_WORDS: Final = 60
"""Shown words from which on a page is no shell."""
_BLANK: Final = 10
"""Fewer shown words are none: a name, a copyright."""
_MOUNTS: Final = re.compile(
    r"""<(?:(?:div|main|section)\b[^>]*\bid=["']?(?:root|app|__next|__nuxt|___gatsby|react-root|svelte
    |q-app|main-app|application|app-root|ember-app|main)\b[^>]*|app-root\b[^>]*|[a-z]+-app\b[^>]*)>
    \s*(?:<!--.*?-->\s*)*</""",
    re.VERBOSE,
)
_PLEA: Final = re.compile(r"java\s?script|scripts", re.IGNORECASE)
_BODY: Final = '<main id="winnow-page-state"><article>{}{}</article></main>'


def shell_sign(document: Document) -> str:
    """Why a page is a shell, in a sentence; "" for one that is none. O(elements)."""
    shown = _shown_words(document)
    if shown >= MOST_WORDS or _has_fields(document):
        return ""
    if _pleads(document):
        return "The page asks for JavaScript."
    if _MOUNTS.search(document.markup):
        return "The element that scripts draw into is empty."
    return _WHY if shown < _BLANK and document.elements_named("script") else ""


def with_carried_text(document: Document) -> tuple[Document, str]:
    """A shell with the text that it carries in its place, and why; any other page as it is.

    A shell that carries none is returned as it is too, with the reason ``SCRIPT_SHELL``.
    """
    sign = shell_sign(document)
    if not sign:
        return document, ""
    found = carried_text(document)
    if found is None:
        return document, f"{SCRIPT_SHELL}: {sign}"
    page = Page(_written(document, found).encode(), document.page.url, "utf-8")
    return Document.parse(page), f"page-state: the text stands in the page's data ({found.source})"


def read(page: Page, ads: str = "", *, scripts_run: bool = False) -> tuple[Document, list[str]]:
    """The document of a page that can be read, and what was done to it first, in words: whether
    its text came from data in it, and whether what a list of ``ads`` names was taken out.

    ``scripts_run``: a shell is read as it is. Raises PipelineError.
    """
    try:
        document, carried = with_carried_text(Document.parse(page))
        document, removed = without_ads(document, ads) if ads else (document, "")
    except TooComplexError as error:
        raise PipelineError("too-complex", str(error)) from error
    except ExtractorError as error:
        raise PipelineError("bad-parameter", without_folders(str(error))) from error
    if carried.startswith(SCRIPT_SHELL) and not scripts_run:
        raise PipelineError(SCRIPT_SHELL, NEEDS_SCRIPTS)
    return document, [reason for reason in (carried, removed) if reason]


def _shown_words(document: Document) -> int:
    """Words that are shown; of a ``<noscript>`` if it is a text rather than a plea."""
    words, elements = document.piece_words * ~document.hidden, document.elements
    for title in document.elements_named("title"):
        words[elements.first_piece[title] : elements.last_piece[title]] = 0
    if (shown := int(words.sum())) >= 2 * MOST_WORDS:
        return shown  # enough, whatever a plea takes from it
    instead = int(words @ document.inside_tags("noscript"))
    return shown - (instead if instead < MOST_WORDS else 0)


def _has_fields(document: Document) -> bool:
    """Whether there is something to fill in: such a page can be used as it is."""
    kinds = (
        document.attributes_of(field, {"type"}).get("type", "text").lower()
        for field in document.elements_named("input")
        if not document.elements.hides[field]
    )
    return any(kind != "hidden" for kind in kinds)


def _pleads(document: Document) -> bool:
    elements = document.elements
    for element in document.elements_named("noscript"):
        end = int(elements.close_start[element])
        text = document.markup[int(elements.open_end[element]) : end]
        if "<iframe" not in text and _PLEA.search(re.sub(r"<[^<>]*>", " ", text)):
            return True
    return False


def _written(document: Document, found: CarriedText) -> str:
    """The page's markup with the text before the end of its body."""
    title = f"<h1>{escape(found.title)}</h1>" if found.title else ""
    text = _BODY.format(title, found.markup)
    ends = [int(document.elements.close_start[at]) for at in document.elements_named("body")]
    end = ends[0] if ends else len(document.markup)
    return f"{document.markup[:end]}{text}{document.markup[end:]}"
